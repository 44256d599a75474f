//! Tests of the hints and errors that appear while the user types in a field.

use super::*;
use crate::app::ui::form::{Hint, Limit};
use crate::contract::FieldFault;

/// Returns the hint beside the Pix key in the withdrawal form.
fn key_hint(counter: &Counter) -> Option<Hint> {
    counter.draft().form.field("key").unwrap().hint.clone()
}

fn looks_like(kind: PixKeyKind) -> Option<Hint> {
    Some(Hint::OtherKind(vec![kind]))
}

#[test]
fn key_of_other_kind_shows_hint_and_changes_nothing() {
    let mut counter = Counter::open();
    counter.keys("3 n");
    counter.types("10000");
    counter.keys("Tab Tab");
    counter.types("ana@");
    assert_eq!(key_hint(&counter), looks_like(PixKeyKind::Email));
    counter.types("loja.example");
    assert_eq!(counter.draft().form.value("key_kind"), "cpf", "the seller chooses");
    counter.keys("Ctrl-S");
    let error = counter.draft().form.field("key").unwrap().error.clone();
    assert_eq!(error, Some(FieldError::Fault(FieldFault::Key(PixKeyError::NotDigits))));
    assert_eq!(key_hint(&counter), looks_like(PixKeyKind::Email));
    // After the seller chooses the suggested kind, the hint is gone.
    counter.keys("Shift-Tab Right Right Right");
    assert_eq!(counter.draft().form.value("key_kind"), "email");
    assert_eq!(key_hint(&counter), None);
    counter.keys("Tab Ctrl-U");
    counter.pastes(" 111.444.777-35\n");
    assert_eq!(key_hint(&counter), looks_like(PixKeyKind::Cpf));
    counter.keys("Ctrl-U");
    assert_eq!(key_hint(&counter), None);
    counter.pastes("123e4567-e89b-12d3-a456-426655440000");
    assert_eq!(key_hint(&counter), looks_like(PixKeyKind::Random));
}

#[test]
fn digits_of_chosen_kind_show_no_hint_until_complete() {
    let mut counter = Counter::open();
    counter.keys("3 n");
    counter.types("10000");
    counter.keys("Tab Tab");
    for digit in "1133334444".chars() {
        counter.types(&digit.to_string());
        assert_eq!(key_hint(&counter), None);
    }
    // Ten digits are not a complete CPF, but the hint appears only when the form is submitted.
    counter.keys("Ctrl-S");
    assert_eq!(key_hint(&counter), looks_like(PixKeyKind::Phone));
    counter.keys("Ctrl-U");
    counter.types("11988887777");
    assert_eq!(key_hint(&counter), looks_like(PixKeyKind::Phone));
}

#[test]
fn pasted_pix_code_is_said_to_be_no_key() {
    let mut counter = Counter::open();
    counter.keys("3 n");
    counter.types("10000");
    counter.keys("Tab Tab");
    let payer = "x".repeat(200);
    let code = format!("00020126990014br.gov.bcb.pix0116ana@loja.example{payer}6304ABCD\n");
    counter.pastes(&code);
    let key = |counter: &Counter| counter.draft().form.field("key").unwrap().clone();
    assert_eq!((key_hint(&counter), key(&counter).error), (None, None));
    for _ in PixKeyKind::ALL {
        counter.keys("Ctrl-S");
        let error = FieldError::Fault(FieldFault::Key(PixKeyError::PixCode));
        assert_eq!((key_hint(&counter), key(&counter).error), (None, Some(error)));
        counter.keys("Shift-Tab Right Tab");
    }
}

#[test]
fn the_limit_of_a_search_is_said_where_it_cuts() {
    let mut counter = Counter::open();
    counter.keys("/");
    counter.pastes("Camiseta\tazul\n");
    assert_eq!(counter.model.links.list.query.value(), "Camiseta azul");
    assert_eq!(counter.model.notice, None);
    counter.pastes(&"x".repeat(100));
    assert_eq!(counter.model.notice, Some(Notice::Full(Limit::Characters(80))));
    assert_eq!(counter.model.links.list.query.value().chars().count(), 80);
    counter.keys("Left");
    assert_eq!(counter.model.notice, None);
    counter.types("x");
    assert_eq!(counter.model.notice, Some(Notice::Full(Limit::Characters(80))));
    assert_eq!(counter.model.pane, Pane::Links);
}

#[test]
fn the_limit_of_a_text_is_that_of_the_contract() {
    let mut counter = Counter::open();
    counter.keys("3 n Tab Tab Tab");
    counter.pastes(&"é".repeat(141));
    let field = counter.draft().form.field("description").unwrap();
    assert_eq!(field.value().chars().count(), 140);
    assert_eq!(field.error, Some(FieldError::TooLong(Limit::Characters(140))));
}

#[test]
fn full_secret_shows_hint_until_next_key() {
    let mut counter = Counter::open();
    counter.keys("6 J");
    let hint = |counter: &Counter| counter.top().screen().form().unwrap().fields[0].hint.clone();
    let slot: crate::app::ui::form::Slot = "jwt/token".into();
    counter.tell(Msg::SecretFull(slot.clone()));
    assert!(matches!(hint(&counter), Some(Hint::Full(_))));
    counter.tell(Msg::SecretEdited { slot, len: 1 });
    assert_eq!(hint(&counter), None);
}

/// Every screen on which the amount must be typed again shows a notice for one digit too many.
#[test]
fn an_amount_that_is_typed_again_names_its_limit() {
    let most = Notice::Full(Limit::Amount(AmountField::most()));
    let with = |n: u128, act: fn(&mut Counter)| {
        let mut counter = Counter::open();
        let now = counter.now.clone();
        counter.has_open((7..7 + n).map(|n| unknown(n, 500, &now)).collect());
        act(&mut counter);
        counter
    };
    let review = with(1, |counter| {
        counter.reviews("10010");
    });
    let send = with(2, |counter| {
        counter.keys("Esc 3 s");
        counter.is_reviewed(key(7));
    });
    let statement = with(1, |counter| {
        counter.rests(570_001);
        counter.keys("c N Tab");
    });
    for mut counter in [review, send, statement] {
        counter.types("999999999999");
        assert_eq!(said(&counter), None);
        counter.types("9");
        assert_eq!(said(&counter), Some(&most));
        // The next key clears the notice. A letter does not bring the notice back.
        counter.types("x");
        assert_eq!(said(&counter), None);
        counter.types("0");
        assert_eq!(said(&counter), Some(&most));
        counter.keys("Backspace");
        counter.types("9");
        assert_eq!(said(&counter), None);
    }
}

/// Returns the amount in the form on the front screen, and its error.
fn amount(counter: &Counter) -> (Option<i64>, Option<FieldError>) {
    let form = counter.top().screen().form().expect("a form");
    (form.money().and_then(Money::centavos), form.fields[0].error.clone())
}

#[test]
fn digits_at_once_in_an_amount_are_read_as_a_paste() {
    let mut counter = Counter::open();
    counter.keys("3 n");
    let types_at_once = |counter: &mut Counter, text: &str| {
        for (at, c) in text.chars().enumerate() {
            counter.pace = Pace::Text { begins: at == 0 };
            counter.types(&c.to_string());
        }
        counter.pace = Pace::Deliberate;
    };
    counter.types("7");
    types_at_once(&mut counter, "49,9");
    assert_eq!(amount(&counter), (Some(4_990), None));
    types_at_once(&mut counter, "100");
    let readings = [Money::from_centavos(10_000), Money::from_centavos(100)];
    assert_eq!(amount(&counter), (None, Some(FieldError::Ambiguous(readings))));
    assert_eq!(counter.keys("Ctrl-S"), vec![], "neither of the two is sent");
    assert_eq!(amount(&counter).1, Some(FieldError::Ambiguous(readings)));
    counter.types(",");
    assert_eq!(amount(&counter), (Some(10_000), None));
}

#[test]
fn amount_typed_again_reads_a_separator_and_a_paste() {
    let mut counter = Counter::open();
    counter.has_unknown(7, 10_010);
    counter.rests(570_001);
    counter.keys("c N");
    let typed = |counter: &mut Counter| {
        let screen = counter.model.layers.last_mut().unwrap().screen_mut();
        screen.amount_mut().unwrap().money().and_then(Money::centavos)
    };
    counter.types("100,1");
    assert_eq!(typed(&mut counter), Some(10_010));
    counter.pace = Pace::Text { begins: true };
    counter.types("1");
    counter.pace = Pace::Text { begins: false };
    counter.types("0010");
    assert_eq!(typed(&mut counter), None);
}

#[test]
fn ctrl_h_is_backspace_wherever_text_is_typed() {
    let mut counter = Counter::open();
    counter.keys("3 n");
    counter.types("4990");
    counter.keys("Ctrl-H");
    assert_eq!(amount(&counter).0, Some(499));
    counter.keys("Esc Tab Enter 1 /");
    counter.types("ab");
    counter.keys("Ctrl-H");
    assert_eq!(counter.model.links.list.query.value(), "a");
    counter.keys("Esc Ctrl-K");
    counter.types("xy");
    counter.keys("Ctrl-H");
    let Layer::Palette(palette) = counter.top() else { panic!("{:?}", counter.top()) };
    assert_eq!(palette.query.value(), "x");
}
