//! Tests of hints and errors that appear while the user types.

use super::*;
use crate::app::ui::form::{Hint, Limit};
use crate::contract::FieldFault;

/// Returns the hint beside the Pix key field of the withdrawal form.
fn key_hint(app: &App) -> Option<Hint> {
    app.draft().form.field("key").unwrap().hint.clone()
}

fn looks_like(kind: PixKeyKind) -> Option<Hint> {
    Some(Hint::OtherKind(vec![kind]))
}

/// A number that is valid both as a CPF (a taxpayer number) and as a mobile number.
const EITHER: &str = "11988887763";

/// Returns the kind of Pix key that the withdrawal form shows, or an empty text.
fn kind(app: &App) -> String {
    app.draft().form.value("key_kind")
}

/// Opens the withdrawal form, types an amount, and moves to the Pix key field.
fn at_the_key() -> App {
    let mut app = App::open();
    app.keys("3 n");
    app.types("10010");
    app.keys("Tab");
    assert_eq!(app.draft().form.focused().map(|field| &*field.name), Some("key"));
    app
}

#[test]
fn kind_is_recognised_if_key_fits_only_one() {
    for (typed, kind_id, word, sent) in [
        ("111.444.777-35", "cpf", "cpf", "11144477735"),
        ("11.222.333/0001-81", "cnpj", "cnpj", "11222333000181"),
        ("(11) 98888-7777", "phone", "phone", "+5511988887777"),
        ("11988887777", "phone", "phone", "+5511988887777"),
        ("ana@loja.example", "email", "email", "ana@loja.example"),
        (
            "123e4567e89b12d3a456426655440000",
            "random",
            "evp",
            "123e4567-e89b-12d3-a456-426655440000",
        ),
    ] {
        for is_pasted in [false, true] {
            let mut app = at_the_key();
            assert_eq!(kind(&app), "", "no key yet");
            match is_pasted {
                true => drop(app.pastes(typed)),
                false => drop(app.types(typed)),
            }
            assert_eq!(kind(&app), kind_id, "{typed}");
            app.is_quoted();
            let agreement = app.submits();
            let body = format!(r#"{{"amount":100.10,"pixKeyType":"{word}","pixKey":"{sent}"}}"#);
            assert_eq!(*agreement.body, *body, "what the form showed");
            assert_eq!(agreement.destination.unwrap().as_str(), sent);
        }
    }
}

#[test]
fn key_of_two_kinds_is_sent_only_after_a_choice() {
    let choose = |app: &App| app.draft().form.field("key_kind").unwrap().hint.clone();
    for (keys, word, sent) in
        [("Right", "cpf", EITHER), ("Right Right Right", "phone", "+5511988887763")]
    {
        let mut app = at_the_key();
        app.types(EITHER);
        assert_eq!((kind(&app).as_str(), choose(&app)), ("", Some(Hint::ChooseKind)));
        app.is_quoted();
        assert_eq!(app.keys("Ctrl-S"), vec![]);
        let form = &app.draft().form;
        assert_eq!(form.focused().map(|field| &*field.name), Some("key_kind"));
        assert_eq!(form.focused().unwrap().error, Some(FieldError::Missing));
        assert_eq!(form.field("key").unwrap().error, None);
        let page = format!("{:?}", chrome::page(&app.model, app.model.size).items);
        assert!(page.contains("serve como CPF e como telefone"), "{page}");
        app.keys(keys);
        assert_eq!((kind(&app).as_str(), choose(&app)), (word, None));
        let body = format!(r#"{{"amount":100.10,"pixKeyType":"{word}","pixKey":"{sent}"}}"#);
        assert_eq!(*app.submits().body, *body);
    }
}

#[test]
fn chosen_kind_is_kept_and_another_one_is_hinted() {
    let mut app = at_the_key();
    app.types("ana@");
    assert_eq!(kind(&app), "");
    app.keys("Tab Right");
    assert_eq!((kind(&app).as_str(), key_hint(&app)), ("cpf", looks_like(PixKeyKind::Email)));
    app.keys("Shift-Tab");
    app.types("loja.example");
    assert_eq!(kind(&app), "cpf", "the seller chose it");
    app.keys("Ctrl-S");
    let error = app.draft().form.field("key").unwrap().error.clone();
    assert_eq!(error, Some(FieldError::Fault(FieldFault::Key(PixKeyError::NotDigits))));
    assert_eq!(key_hint(&app), looks_like(PixKeyKind::Email));
    // The hint disappears when the seller chooses the suggested kind.
    app.keys("Tab Right Right Right");
    assert_eq!((kind(&app).as_str(), key_hint(&app)), ("email", None));
    app.keys("Shift-Tab Ctrl-U");
    app.pastes(" 111.444.777-35\n");
    assert_eq!((kind(&app).as_str(), key_hint(&app)), ("email", looks_like(PixKeyKind::Cpf)));
    app.keys("Ctrl-U");
    assert_eq!(key_hint(&app), None);
    app.pastes("123e4567-e89b-12d3-a456-426655440000");
    assert_eq!(key_hint(&app), looks_like(PixKeyKind::Random));
}

#[test]
fn digits_of_chosen_kind_show_no_hint_until_complete() {
    let mut app = at_the_key();
    app.keys("Tab Right Shift-Tab");
    for digit in "1133334444".chars() {
        app.types(&digit.to_string());
        assert_eq!((kind(&app).as_str(), key_hint(&app)), ("cpf", None));
    }
    // Ten digits are too few for a CPF, but more could follow, so the hint appears only on submit.
    app.keys("Ctrl-S");
    assert_eq!(key_hint(&app), looks_like(PixKeyKind::Phone));
    app.keys("Ctrl-U");
    app.types("11988887777");
    assert_eq!(key_hint(&app), looks_like(PixKeyKind::Phone));
}

#[test]
fn key_of_no_kind_says_why_beside_the_key() {
    let wrong = |error| FieldError::Fault(FieldFault::Key(error));
    for (typed, error) in [
        ("", FieldError::Missing),
        ("111.444.777-36", wrong(PixKeyError::CheckDigits)),
        ("11222333000182", wrong(PixKeyError::CheckDigits)),
        ("+55 11 8888-7777", wrong(PixKeyError::TenDigits)),
        ("ana@loja", wrong(PixKeyError::EmailShape)),
        ("Tecidos Silva", FieldError::NotAKey),
        ("0144477735", FieldError::NotAKey),
    ] {
        let mut app = at_the_key();
        app.types(typed);
        app.is_quoted();
        assert_eq!(app.keys("Ctrl-S"), vec![], "{typed}");
        let form = &app.draft().form;
        assert_eq!(form.field("key").unwrap().error, Some(error), "{typed}");
        assert_eq!(form.field("key_kind").unwrap().error, None, "{typed}");
        assert_eq!(form.focused().map(|field| &*field.name), Some("key"));
    }
}

/// An API contract may give the fields other names than the built-in one. The form must still work.
#[test]
fn kind_is_recognised_under_other_contracts() {
    for (lines, fields, typed, body) in [
        (
            "withdrawal.body = ['key', 'amount', 'key_kind']",
            &["key", "key_kind", "amount"][..],
            "(11) 98888-7777",
            r#"{"pixKey":"+5511988887777","amount":100.10,"pixKeyType":"phone"}"#,
        ),
        (
            "withdrawal.field.key_kind.sent = false",
            &["amount", "key", "key_kind", "description"],
            "111.444.777-35",
            r#"{"amount":100.10,"pixKey":"11144477735"}"#,
        ),
        (
            "withdrawal.field.key_kind.words = {cpf = '1', phone = '2'}",
            &["amount", "key", "key_kind", "description"],
            "11988887777",
            r#"{"amount":100.10,"pixKeyType":"2","pixKey":"+5511988887777"}"#,
        ),
    ] {
        let mut app = App::with_contract(Contract::own(&[("profile.toml", lines)]).unwrap());
        app.log_in();
        app.keys("3 n");
        let form = &app.draft().form;
        let names: Vec<_> = form.fields.iter().map(|field| &*field.name).collect();
        assert_eq!(names, fields);
        for name in ["amount", "key"] {
            let at = fields.iter().position(|field| *field == name).unwrap();
            app.clicks(Target::Field(at));
            app.types(if name == "key" { typed } else { "10010" });
        }
        app.is_quoted();
        assert_eq!(*app.submits().body, *body, "{lines}");
    }
}

#[test]
fn kind_the_service_does_not_take_is_not_guessed() {
    let lines = "withdrawal.body = ['amount', 'kind', 'key']\n\
                 withdrawal.field.kind = {name = 'k', kind = 'pix-key-kind', words = {cpf = 'c'}}";
    let kind = |app: &App| app.draft().form.value("kind");
    let mut app = App::with_contract(Contract::own(&[("profile.toml", lines)]).unwrap());
    app.log_in();
    app.keys("3 n");
    app.types("10010");
    app.keys("Tab");
    // The number could be a CPF or a phone number. The service accepts only CPF keys, but no kind
    // is chosen, because the seller may mean the phone number.
    app.types(EITHER);
    assert_eq!(kind(&app), "");
    app.keys("Ctrl-U");
    app.types("11988887777");
    assert_eq!(kind(&app), "");
    app.is_quoted();
    assert_eq!(app.keys("Ctrl-S"), vec![]);
    assert_eq!(app.draft().form.field("key").unwrap().error, Some(FieldError::NotAKey));
}

#[test]
fn pasted_pix_code_is_said_to_be_no_key() {
    let mut app = App::open();
    app.keys("3 n");
    app.types("10000");
    app.keys("Tab");
    let payer = "x".repeat(200);
    let code = format!("00020126990014br.gov.bcb.pix0116ana@loja.example{payer}6304ABCD\n");
    app.pastes(&code);
    let key = |app: &App| app.draft().form.field("key").unwrap().clone();
    assert_eq!((key_hint(&app), key(&app).error), (None, None));
    for _ in [None].into_iter().chain(PixKeyKind::ALL.map(Some)) {
        app.keys("Ctrl-S");
        let error = FieldError::Fault(FieldFault::Key(PixKeyError::PixCode));
        assert_eq!((key_hint(&app), key(&app).error), (None, Some(error)));
        app.keys("Tab Right Shift-Tab");
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

/// On every screen where the seller retypes the amount, a notice appears if too many digits are
/// typed.
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
        // The next key clears the notice. Typing a letter does not show it again.
        app.types("x");
        assert_eq!(said(&app), None);
        app.types("0");
        assert_eq!(said(&app), Some(&most));
        app.keys("Backspace");
        app.types("9");
        assert_eq!(said(&app), None);
    }
}

/// Returns the amount and its error from the form on the front screen.
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
