//! Tests of hints and errors that appear while the user types.

use super::amounts::type_reads;
use super::*;
use crate::app::ui::form::{Hint, Limit};
use crate::contract::FieldFault;

/// The hint beside the Pix key field of the withdrawal form.
fn key_hint(app: &App) -> Option<Hint> {
    app.draft().form.field("key").unwrap().hint.clone()
}

fn other_kind_hint(kind: PixKeyKind) -> Option<Hint> {
    Some(Hint::OtherKind(vec![kind]))
}

/// A number that is valid both as a CPF (a taxpayer number) and as a mobile number.
const CPF_OR_PHONE: &str = "11988887763";

/// The kind of Pix key that the withdrawal form shows, or an empty text.
fn shown_kind(app: &App) -> String {
    app.draft().form.value("key_kind")
}

/// Opens the withdrawal form, types an amount, and moves to the Pix key field.
fn app_at_key_field() -> App {
    let mut app = App::logged_in();
    app.press("3 n");
    app.type_text("10010");
    app.press("Tab");
    assert_eq!(
        app.draft().form.focused().map(|field| &*field.id),
        Some("key")
    );
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
            let mut app = app_at_key_field();
            assert_eq!(shown_kind(&app), "", "no key yet");
            if is_pasted {
                drop(app.paste(typed));
            } else {
                drop(app.type_text(typed));
            }
            assert_eq!(shown_kind(&app), kind_id, "{typed}");
            app.deliver_quote();
            let agreement = app.submit_form();
            let body = format!(r#"{{"amount":100.10,"pixKeyType":"{word}","pixKey":"{sent}"}}"#);
            assert_eq!(*agreement.body, *body, "what the form showed");
            assert_eq!(agreement.destination.unwrap().as_str(), sent);
        }
    }
}

#[test]
fn key_of_two_kinds_is_sent_only_after_a_choice() {
    let kind_hint = |app: &App| app.draft().form.field("key_kind").unwrap().hint.clone();
    for (keys, word, sent) in [
        ("Right", "cpf", CPF_OR_PHONE),
        ("Right Right Right", "phone", "+5511988887763"),
    ] {
        let mut app = app_at_key_field();
        app.type_text(CPF_OR_PHONE);
        let kinds = [PixKeyKind::Cpf, PixKeyKind::Phone];
        let both = kinds
            .map(|kind| PixKey::parse(kind, CPF_OR_PHONE).unwrap())
            .to_vec();
        assert_eq!(shown_kind(&app), "");
        assert_eq!(kind_hint(&app), Some(Hint::ChooseKind(both)));
        app.deliver_quote();
        assert_eq!(app.press("Ctrl-S"), vec![]);
        let form = &app.draft().form;
        assert_eq!(form.focused().map(|field| &*field.id), Some("key_kind"));
        assert_eq!(form.focused().unwrap().error, Some(FieldError::Missing));
        assert_eq!(form.field("key").unwrap().error, None);
        let page = format!("{:?}", chrome::page(&app.model, app.model.size).items);
        let hint = "escolha: CPF 119.888.877-63 ou telefone +55 11 98888-7763";
        assert!(page.contains(hint), "{page}");
        app.press(keys);
        assert_eq!((shown_kind(&app).as_str(), kind_hint(&app)), (word, None));
        let body = format!(r#"{{"amount":100.10,"pixKeyType":"{word}","pixKey":"{sent}"}}"#);
        assert_eq!(*app.submit_form().body, *body);
    }
}

/// Spreadsheets drop the zeros at the beginning of a CPF.
#[test]
fn ten_digits_are_sent_only_after_a_choice() {
    for (typed, hint, keys, word, sent) in [
        (
            "1234567890",
            "escolha: CPF 012.345.678-90 ou telefone +55 12 3456-7890",
            "Right",
            "cpf",
            "01234567890",
        ),
        (
            "1234567890",
            "escolha: CPF 012.345.678-90 ou telefone +55 12 3456-7890",
            "Right Right Right",
            "phone",
            "+551234567890",
        ),
        (
            "1020304057",
            "é o CPF 010.203.040-57? escolha o tipo de chave",
            "Right",
            "cpf",
            "01020304057",
        ),
        (
            "5511987000041",
            "escolha: CNPJ 05.511.987/0000-41 ou telefone +55 11 98700-0041",
            "Right Right",
            "cnpj",
            "05511987000041",
        ),
    ] {
        let mut app = app_at_key_field();
        app.type_text(typed);
        app.deliver_quote();
        assert_eq!(app.press("Ctrl-S"), vec![], "{typed}");
        let page = |app: &App| format!("{:?}", chrome::page(&app.model, app.model.size).items);
        assert!(page(&app).contains(hint), "{}", page(&app));
        app.model.is_masked = true;
        assert!(!page(&app).contains(hint), "{}", page(&app));
        app.model.is_masked = false;
        app.press(keys);
        let body = format!(r#"{{"amount":100.10,"pixKeyType":"{word}","pixKey":"{sent}"}}"#);
        assert_eq!(*app.submit_form().body, *body);
    }
}

#[test]
fn key_with_label_is_read_and_shown() {
    for (typed, kind, hint, sent) in [
        (
            "CPF 111.444.777-35",
            "cpf",
            "lido como CPF 111.444.777-35",
            "11144477735",
        ),
        (
            "011 98765-4321",
            "phone",
            "lido como telefone +55 11 98765-4321",
            "+5511987654321",
        ),
        (
            "Ana <ana@loja.example>",
            "email",
            "lido como e-mail ana@loja.example",
            "ana@loja.example",
        ),
    ] {
        let mut app = app_at_key_field();
        app.paste(typed);
        assert_eq!(shown_kind(&app), kind);
        let page = format!("{:?}", chrome::page(&app.model, app.model.size).items);
        assert!(page.contains(hint), "{page}");
        app.deliver_quote();
        assert_eq!(app.submit_form().destination.unwrap().as_str(), sent);
    }
}

#[test]
fn chosen_kind_is_kept_and_another_one_is_hinted() {
    let mut app = app_at_key_field();
    app.type_text("ana@");
    assert_eq!(shown_kind(&app), "");
    app.press("Tab Right");
    assert_eq!(
        (shown_kind(&app).as_str(), key_hint(&app)),
        ("cpf", other_kind_hint(PixKeyKind::Email))
    );
    app.press("Shift-Tab");
    app.type_text("loja.example");
    assert_eq!(shown_kind(&app), "cpf", "the seller chose it");
    app.press("Ctrl-S");
    let error = app.draft().form.field("key").unwrap().error.clone();
    assert_eq!(
        error,
        Some(FieldError::Fault(FieldFault::Key(PixKeyError::NotDigits)))
    );
    assert_eq!(key_hint(&app), other_kind_hint(PixKeyKind::Email));
    // The hint disappears when the seller chooses the suggested kind.
    app.press("Tab Right Right Right");
    assert_eq!((shown_kind(&app).as_str(), key_hint(&app)), ("email", None));
    app.press("Shift-Tab Ctrl-U");
    app.paste(" 111.444.777-35\n");
    assert_eq!(
        (shown_kind(&app).as_str(), key_hint(&app)),
        ("email", other_kind_hint(PixKeyKind::Cpf))
    );
    app.press("Ctrl-U");
    assert_eq!(key_hint(&app), None);
    app.paste("123e4567-e89b-12d3-a456-426655440000");
    assert_eq!(key_hint(&app), other_kind_hint(PixKeyKind::Random));
}

#[test]
fn digits_of_chosen_kind_show_no_hint_until_complete() {
    let mut app = app_at_key_field();
    app.press("Tab Right Shift-Tab");
    for digit in "1133334444".chars() {
        app.type_text(&digit.to_string());
        assert_eq!((shown_kind(&app).as_str(), key_hint(&app)), ("cpf", None));
    }
    // Ten digits are too few for a CPF, but more could follow, so the hint appears only on submit.
    app.press("Ctrl-S");
    assert_eq!(key_hint(&app), other_kind_hint(PixKeyKind::Phone));
    app.press("Ctrl-U");
    app.type_text("11988887777");
    assert_eq!(key_hint(&app), other_kind_hint(PixKeyKind::Phone));
}

#[test]
fn key_of_no_kind_says_why_beside_the_key() {
    let key_fault = |error| FieldError::Fault(FieldFault::Key(error));
    for (typed, error) in [
        ("", FieldError::Missing),
        (
            "111.444.777-36",
            key_fault(PixKeyError::CheckDigits(PixKeyKind::Cpf)),
        ),
        (
            "11222333000182",
            key_fault(PixKeyError::CheckDigits(PixKeyKind::Cnpj)),
        ),
        ("0800 123 4567", key_fault(PixKeyError::ServiceNumber)),
        ("+55 11 8888-7777", key_fault(PixKeyError::TenDigits)),
        ("ana@loja", key_fault(PixKeyError::EmailShape)),
        ("Tecidos Silva", FieldError::NotAKey),
        ("0144477735", FieldError::NotAKey),
    ] {
        let mut app = app_at_key_field();
        app.type_text(typed);
        app.deliver_quote();
        assert_eq!(app.press("Ctrl-S"), vec![], "{typed}");
        let form = &app.draft().form;
        assert_eq!(form.field("key").unwrap().error, Some(error), "{typed}");
        assert_eq!(form.field("key_kind").unwrap().error, None, "{typed}");
        assert_eq!(form.focused().map(|field| &*field.id), Some("key"));
    }
}

/// An API contract may name the fields differently than the built-in contract. The form must still
/// work.
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
        let mut app =
            App::with_contract(Contract::from_program_files(&[("profile.toml", lines)]).unwrap());
        app.log_in();
        app.press("3 n");
        let form = &app.draft().form;
        let names: Vec<_> = form.fields.iter().map(|field| &*field.id).collect();
        assert_eq!(names, fields);
        for name in ["amount", "key"] {
            let index = fields.iter().position(|field| *field == name).unwrap();
            app.click(Target::Field(index));
            app.type_text(if name == "key" { typed } else { "10010" });
        }
        app.deliver_quote();
        assert_eq!(*app.submit_form().body, *body, "{lines}");
    }
}

#[test]
fn unsupported_kind_is_not_guessed() {
    let lines = "withdrawal.body = ['amount', 'kind', 'key']\n\
                 withdrawal.field.kind = {name = 'k', kind = 'pix-key-kind', words = {cpf = 'c'}}";
    let value_of_kind = |app: &App| app.draft().form.value("kind");
    let mut app =
        App::with_contract(Contract::from_program_files(&[("profile.toml", lines)]).unwrap());
    app.log_in();
    app.press("3 n");
    app.type_text("10010");
    app.press("Tab");
    // The number could be a CPF or a phone number. The service does not accept phone numbers, but
    // the form does not choose CPF, because the seller may mean the phone number.
    app.type_text(CPF_OR_PHONE);
    assert_eq!(value_of_kind(&app), "");
    app.press("Ctrl-U");
    app.type_text("11988887777");
    assert_eq!(value_of_kind(&app), "");
    app.deliver_quote();
    assert_eq!(app.press("Ctrl-S"), vec![]);
    assert_eq!(
        app.draft().form.field("key").unwrap().error,
        Some(FieldError::NotAKey)
    );
}

#[test]
fn pasted_pix_code_is_refused_as_a_key() {
    let mut app = App::logged_in();
    app.press("3 n");
    app.type_text("10000");
    app.press("Tab");
    let payer = "x".repeat(200);
    let code = format!("00020126990014br.gov.bcb.pix0116ana@loja.example{payer}6304ABCD\n");
    app.paste(&code);
    let key = |app: &App| app.draft().form.field("key").unwrap().clone();
    assert_eq!((key_hint(&app), key(&app).error), (None, None));
    for _ in [None].into_iter().chain(PixKeyKind::ALL.map(Some)) {
        app.press("Ctrl-S");
        let error = FieldError::Fault(FieldFault::Key(PixKeyError::PixCode));
        assert_eq!((key_hint(&app), key(&app).error), (None, Some(error)));
        app.press("Tab Right Shift-Tab");
    }
}

#[test]
fn full_search_field_shows_its_limit() {
    let mut app = App::logged_in();
    app.press("/");
    app.paste("Camiseta\tazul\n");
    assert_eq!(app.model.links.list.query.value(), "Camiseta azul");
    assert_eq!(app.model.notice, None);
    app.paste(&"x".repeat(100));
    assert_eq!(app.model.notice, Some(Notice::Full(Limit::Characters(80))));
    assert_eq!(app.model.links.list.query.value().chars().count(), 80);
    app.press("Left");
    assert_eq!(app.model.notice, None);
    app.type_text("x");
    assert_eq!(app.model.notice, Some(Notice::Full(Limit::Characters(80))));
    assert_eq!(app.model.pane, Pane::Links);
}

#[test]
fn text_limit_comes_from_the_contract() {
    let mut app = App::logged_in();
    app.press("3 n Tab Tab Tab");
    app.paste(&"é".repeat(141));
    let field = app.draft().form.field("description").unwrap();
    assert_eq!(field.value().chars().count(), 140);
    assert_eq!(
        field.error,
        Some(FieldError::TooLong(Limit::Characters(140)))
    );
}

#[test]
fn full_secret_shows_hint_until_next_key() {
    let mut app = App::logged_in();
    app.press("6 J");
    let hint = |app: &App| app.top().screen().form().unwrap().fields[0].hint.clone();
    let slot: crate::app::ui::form::Slot = "jwt/token".into();
    app.deliver(Msg::SecretFull(slot.clone()));
    assert!(matches!(hint(&app), Some(Hint::Full(_))));
    app.deliver(Msg::SecretEdited { slot, len: 1 });
    assert_eq!(hint(&app), None);
}

/// On every screen where the seller retypes the amount, a notice appears if too many digits are
/// typed.
#[test]
fn retyped_amount_shows_its_limit() {
    let limit_notice = Notice::Full(Limit::Amount(AmountField::max_amount()));
    let app_after = |n: u128, action: fn(&mut App)| {
        let mut app = App::logged_in();
        let now = app.now.clone();
        app.load_open_withdrawals(
            (7..7 + n)
                .map(|n| unknown_withdrawal(n, 500, &now))
                .collect(),
        );
        action(&mut app);
        app
    };
    let review = app_after(1, |app| {
        app.open_review("10010");
    });
    let send = app_after(2, |app| {
        app.press("Esc 3 s");
        app.deliver_no_similar_withdrawals(key(7));
    });
    let form = app_after(1, |app| {
        app.pulse_after_ms(570_001);
        app.press("c N Tab");
    });
    for mut app in [review, send, form] {
        app.type_text("999999999999");
        assert_eq!(shown_notice(&app), None);
        app.type_text("9");
        assert_eq!(shown_notice(&app), Some(&limit_notice));
        // The next key clears the notice. Typing a letter does not show it again.
        app.type_text("x");
        assert_eq!(shown_notice(&app), None);
        app.type_text("0");
        assert_eq!(shown_notice(&app), Some(&limit_notice));
        app.press("Backspace");
        app.type_text("9");
        assert_eq!(shown_notice(&app), None);
    }
}

/// The amount and its error from the form on the front screen.
fn amount_and_error(app: &App) -> (Option<i64>, Option<FieldError>) {
    let form = app.top().screen().form().expect("a form");
    (
        form.money().and_then(Money::centavos),
        form.fields[0].error.clone(),
    )
}

#[test]
fn refused_group_stays_in_the_field() {
    let mut app = App::logged_in();
    app.press("3 n");
    type_reads(&mut app, &["100"]);
    let readings = [Money::from_centavos(10_000), Money::from_centavos(100)];
    assert_eq!(
        amount_and_error(&app),
        (None, Some(FieldError::Ambiguous(readings)))
    );
    assert_eq!(app.press("Ctrl-S"), vec![], "neither of the two is sent");
    assert_eq!(
        amount_and_error(&app).1,
        Some(FieldError::Ambiguous(readings))
    );
    app.type_text(",");
    assert_eq!(amount_and_error(&app), (Some(10_000), None));
}

#[test]
fn retyped_amount_reads_separator_and_paste() {
    let mut app = App::logged_in();
    app.load_unknown_withdrawal(7, 10_010);
    app.pulse_after_ms(570_001);
    app.press("c N");
    let typed_centavos = |app: &mut App| {
        let screen = app.model.layers.last_mut().unwrap().screen_mut();
        screen
            .amount_mut()
            .unwrap()
            .money()
            .and_then(Money::centavos)
    };
    app.type_text("100,1");
    assert_eq!(typed_centavos(&mut app), Some(10_010));
    type_reads(&mut app, &["10010"]);
    assert_eq!(typed_centavos(&mut app), None);
}

#[test]
fn ctrl_h_is_backspace_wherever_text_is_typed() {
    let mut app = App::logged_in();
    app.press("3 n");
    app.type_text("4990");
    app.press("Ctrl-H");
    assert_eq!(amount_and_error(&app).0, Some(499));
    app.press("Esc Tab Enter 1 /");
    app.type_text("ab");
    app.press("Ctrl-H");
    assert_eq!(app.model.links.list.query.value(), "a");
    app.press("Esc Ctrl-K");
    app.type_text("xy");
    app.press("Ctrl-H");
    let Layer::Palette(palette) = app.top() else {
        panic!("{:?}", app.top())
    };
    assert_eq!(palette.query.value(), "x");
}
