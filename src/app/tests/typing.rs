//! Tests of the hints and errors that appear while the user types in a field.

use super::*;
use crate::app::ui::form::{Hint, Limit};
use crate::contract::FieldFault;

/// Returns the hint beside the Pix key in the withdrawal form.
fn key_hint(app: &App) -> Option<Hint> {
    app.draft().form.field("key").unwrap().hint.clone()
}

fn looks_like(kind: PixKeyKind) -> Option<Hint> {
    Some(Hint::OtherKind(vec![kind]))
}

#[test]
fn key_of_other_kind_shows_hint_and_changes_nothing() {
    let mut app = App::open();
    app.keys("3 n");
    app.types("10000");
    app.keys("Tab Tab");
    app.types("ana@");
    assert_eq!(key_hint(&app), looks_like(PixKeyKind::Email));
    app.types("loja.example");
    assert_eq!(app.draft().form.value("key_kind"), "cpf", "the seller chooses");
    app.keys("Ctrl-S");
    let error = app.draft().form.field("key").unwrap().error.clone();
    assert_eq!(error, Some(FieldError::Fault(FieldFault::Key(PixKeyError::NotDigits))));
    assert_eq!(key_hint(&app), looks_like(PixKeyKind::Email));
    // After the seller chooses the suggested kind, the hint is gone.
    app.keys("Shift-Tab Right Right Right");
    assert_eq!(app.draft().form.value("key_kind"), "email");
    assert_eq!(key_hint(&app), None);
    app.keys("Tab Ctrl-U");
    app.pastes(" 111.444.777-35\n");
    assert_eq!(key_hint(&app), looks_like(PixKeyKind::Cpf));
    app.keys("Ctrl-U");
    assert_eq!(key_hint(&app), None);
    app.pastes("123e4567-e89b-12d3-a456-426655440000");
    assert_eq!(key_hint(&app), looks_like(PixKeyKind::Random));
}

#[test]
fn digits_of_chosen_kind_show_no_hint_until_complete() {
    let mut app = App::open();
    app.keys("3 n");
    app.types("10000");
    app.keys("Tab Tab");
    for digit in "1133334444".chars() {
        app.types(&digit.to_string());
        assert_eq!(key_hint(&app), None);
    }
    // Ten digits are not a complete CPF, but the hint appears only when the form is submitted.
    app.keys("Ctrl-S");
    assert_eq!(key_hint(&app), looks_like(PixKeyKind::Phone));
    app.keys("Ctrl-U");
    app.types("11988887777");
    assert_eq!(key_hint(&app), looks_like(PixKeyKind::Phone));
}

#[test]
fn pasted_pix_code_is_said_to_be_no_key() {
    let mut app = App::open();
    app.keys("3 n");
    app.types("10000");
    app.keys("Tab Tab");
    let payer = "x".repeat(200);
    let code = format!("00020126990014br.gov.bcb.pix0116ana@loja.example{payer}6304ABCD\n");
    app.pastes(&code);
    let key = |app: &App| app.draft().form.field("key").unwrap().clone();
    assert_eq!((key_hint(&app), key(&app).error), (None, None));
    for _ in PixKeyKind::ALL {
        app.keys("Ctrl-S");
        let error = FieldError::Fault(FieldFault::Key(PixKeyError::PixCode));
        assert_eq!((key_hint(&app), key(&app).error), (None, Some(error)));
        app.keys("Shift-Tab Right Tab");
    }
}

#[test]
fn the_limit_of_a_search_is_said_where_it_cuts() {
    let mut app = App::open();
    app.keys("/");
    app.pastes("Camiseta\tazul\n");
    assert_eq!(app.model.links.list.query.value(), "Camiseta azul");
    assert_eq!(app.model.notice, None);
    app.pastes(&"x".repeat(100));
    assert_eq!(app.model.notice, Some(Notice::Full(Limit::Characters(80))));
    assert_eq!(app.model.links.list.query.value().chars().count(), 80);
    app.keys("Left");
    assert_eq!(app.model.notice, None);
    app.types("x");
    assert_eq!(app.model.notice, Some(Notice::Full(Limit::Characters(80))));
    assert_eq!(app.model.pane, Pane::Links);
}

#[test]
fn the_limit_of_a_text_is_that_of_the_contract() {
    let mut app = App::open();
    app.keys("3 n Tab Tab Tab");
    app.pastes(&"é".repeat(141));
    let field = app.draft().form.field("description").unwrap();
    assert_eq!(field.value().chars().count(), 140);
    assert_eq!(field.error, Some(FieldError::TooLong(Limit::Characters(140))));
}

#[test]
fn full_secret_shows_hint_until_next_key() {
    let mut app = App::open();
    app.keys("6 J");
    let hint = |app: &App| app.top().screen().form().unwrap().fields[0].hint.clone();
    let slot: crate::app::ui::form::Slot = "jwt/token".into();
    app.tell(Msg::SecretFull(slot.clone()));
    assert!(matches!(hint(&app), Some(Hint::Full(_))));
    app.tell(Msg::SecretEdited { slot, len: 1 });
    assert_eq!(hint(&app), None);
}

/// Every screen that asks for the amount again shows a notice if one digit too many is typed.
#[test]
fn an_amount_that_is_typed_again_names_its_limit() {
    let most = Notice::Full(Limit::Amount(AmountField::most()));
    let with = |n: u128, act: fn(&mut App)| {
        let mut app = App::open();
        let now = app.now.clone();
        app.has_open((7..7 + n).map(|n| unknown(n, 500, &now)).collect());
        act(&mut app);
        app
    };
    let review = with(1, |app| {
        app.reviews("10010");
    });
    let send = with(2, |app| {
        app.keys("Esc 3 s");
        app.is_reviewed(key(7));
    });
    let form = with(1, |app| {
        app.rests(570_001);
        app.keys("c N Tab");
    });
    for mut app in [review, send, form] {
        app.types("999999999999");
        assert_eq!(said(&app), None);
        app.types("9");
        assert_eq!(said(&app), Some(&most));
        // The next key clears the notice. A letter does not bring the notice back.
        app.types("x");
        assert_eq!(said(&app), None);
        app.types("0");
        assert_eq!(said(&app), Some(&most));
        app.keys("Backspace");
        app.types("9");
        assert_eq!(said(&app), None);
    }
}

/// Returns the amount in the form on the front screen, and its error.
fn amount(app: &App) -> (Option<i64>, Option<FieldError>) {
    let form = app.top().screen().form().expect("a form");
    (form.money().and_then(Money::centavos), form.fields[0].error.clone())
}

#[test]
fn digits_at_once_in_an_amount_are_read_as_a_paste() {
    let mut app = App::open();
    app.keys("3 n");
    let types_at_once = |app: &mut App, text: &str| {
        for (at, c) in text.chars().enumerate() {
            app.pace = Pace::Text { begins: at == 0 };
            app.types(&c.to_string());
        }
        app.pace = Pace::Deliberate;
    };
    app.types("7");
    types_at_once(&mut app, "49,9");
    assert_eq!(amount(&app), (Some(4_990), None));
    types_at_once(&mut app, "100");
    let readings = [Money::from_centavos(10_000), Money::from_centavos(100)];
    assert_eq!(amount(&app), (None, Some(FieldError::Ambiguous(readings))));
    assert_eq!(app.keys("Ctrl-S"), vec![], "neither of the two is sent");
    assert_eq!(amount(&app).1, Some(FieldError::Ambiguous(readings)));
    app.types(",");
    assert_eq!(amount(&app), (Some(10_000), None));
}

#[test]
fn amount_typed_again_reads_a_separator_and_a_paste() {
    let mut app = App::open();
    app.has_unknown(7, 10_010);
    app.rests(570_001);
    app.keys("c N");
    let typed = |app: &mut App| {
        let screen = app.model.layers.last_mut().unwrap().screen_mut();
        screen.amount_mut().unwrap().money().and_then(Money::centavos)
    };
    app.types("100,1");
    assert_eq!(typed(&mut app), Some(10_010));
    app.pace = Pace::Text { begins: true };
    app.types("1");
    app.pace = Pace::Text { begins: false };
    app.types("0010");
    assert_eq!(typed(&mut app), None);
}

#[test]
fn ctrl_h_is_backspace_wherever_text_is_typed() {
    let mut app = App::open();
    app.keys("3 n");
    app.types("4990");
    app.keys("Ctrl-H");
    assert_eq!(amount(&app).0, Some(499));
    app.keys("Esc Tab Enter 1 /");
    app.types("ab");
    app.keys("Ctrl-H");
    assert_eq!(app.model.links.list.query.value(), "a");
    app.keys("Esc Ctrl-K");
    app.types("xy");
    app.keys("Ctrl-H");
    let Layer::Palette(palette) = app.top() else { panic!("{:?}", app.top()) };
    assert_eq!(palette.query.value(), "x");
}
