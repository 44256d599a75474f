//! Tests of the receipt of a withdrawal.

use super::*;
use crate::app::message::ReceiptFiles;
use crate::app::screens::withdrawals::receipt::ReceiptContent;
use crate::app::screens::withdrawals::receipt::Saving;

/// A text from the service with markup, escape sequences and a reversed text direction.
const HOSTILE: &str = "</text><script>\u{1b}]52;c;x\u{7}\n\u{202e}";

fn confirmed_class(id: Option<&str>, status: Option<&str>) -> Class {
    Class::Confirmed {
        id: id.map(Into::into),
        status: status.map(Into::into),
    }
}

/// Creates an app that shows the receipt of a withdrawal of R$ 100,10.
fn app_with_receipt(class: Class) -> (App, Withdrawal) {
    let (mut app, settled) = App::with_outcome(class);
    assert_eq!(app.press("v"), vec![]);
    assert!(matches!(app.top(), Layer::Receipt(_)), "{:?}", app.top());
    (app, settled)
}

fn receipt_text(app: &App, withdrawal: &Withdrawal) -> String {
    ReceiptContent::of(&app.model, withdrawal).unwrap().text()
}

/// The value next to this label, or on the line below the label.
fn row_value<'t>(text: &'t str, label: &str) -> Option<&'t str> {
    let mut lines = text
        .lines()
        .skip_while(|line| !line.trim_start().starts_with(label));
    let line = match lines.next()? {
        line if line.trim() == label => lines.next()?,
        line => line,
    };
    let (before, value) = line.split_at(line.char_indices().nth(26)?.0);
    assert!(before.ends_with(' ') && !value.starts_with(' '), "{line}");
    Some(value)
}

fn saving_state(app: &App) -> &Saving {
    match app.top() {
        Layer::Receipt(receipt) => &receipt.saving,
        other => panic!("no receipt but {other:?}"),
    }
}

#[test]
fn only_accepted_withdrawal_has_a_receipt() {
    let unclear = [
        TIMED_OUT,
        Class::Unclear(Unclear::NoSign),
        Class::Redirected,
    ];
    let refusals = [Class::DefiniteNo, Class::Unauthorized];
    for class in unclear.into_iter().chain(refusals) {
        let (mut app, settled) = App::with_outcome(class.clone());
        assert!(!app.offers(Action::Receipt), "{class:?}");
        app.press("v");
        assert!(!matches!(app.top(), Layer::Receipt(_)), "{class:?}");
        assert_eq!(ReceiptContent::of(&app.model, &settled), None);
    }
    let (mut app, settled) = app_with_receipt(confirmed_class(None, None));
    app.press("Esc Esc");
    app.model.withdrawals.list.page = ListPage {
        rows: vec![settled].into(),
        total: Some(1),
        first: 0,
    };
    app.press("3 v");
    assert!(matches!(app.top(), Layer::Receipt(_)), "from the list");
}

#[test]
fn contains_only_request_and_service_values() {
    let (app, settled) = app_with_receipt(confirmed_class(Some("saq-1"), Some("processing")));
    let receipt = receipt_text(&app, &settled);
    let key = settled.agreement.key.to_string();
    for (label, value) in [
        ("Valor do saque", "R$ 100,10"),
        ("Para", "CPF 111.444.777-35"),
        ("Código do saque (Idempotency-Key)", &key),
        ("Confirmado em", "01/01/1970, 00:16:40 (UTC+00:00)"),
        ("Identificador", "“saq-1”"),
        ("Situação", "em andamento"),
        ("Serviço", "https://api.example"),
    ] {
        assert_eq!(
            row_value(&receipt, label),
            Some(value),
            "{label}:\n{receipt}"
        );
    }
    assert!(receipt.contains("não é comprovante bancário"), "{receipt}");
    assert!(
        !receipt.contains("SANDBOX") && !receipt.contains(SELLER),
        "{receipt}"
    );
    let (app, settled) = app_with_receipt(confirmed_class(None, None));
    let bare_receipt = receipt_text(&app, &settled);
    for label in [
        "Resposta",
        "Identificador",
        "Situação",
        "Mensagem",
        "Sugestão",
        "Hora no serviço",
    ] {
        assert_eq!(
            row_value(&bare_receipt, label),
            None,
            "{label}:\n{bare_receipt}"
        );
    }
    let mut app = app;
    app.model.sandbox = true;
    assert!(receipt_text(&app, &settled).contains("SANDBOX"));
}

#[test]
fn other_request_fields_shown_in_full_with_labels() {
    let (mut app, mut settled) = app_with_receipt(confirmed_class(Some("saq-1"), None));
    let note = "aluguel da loja da rua Direita, de novembro e dezembro, com o condominio";
    settled.agreement.body = format!(
        "{{\"amount\":100.10,\"pixKeyType\":\"cpf\",\"pixKey\":\"11144477735\",\
         \"description\":\"{note}\",\"callback\":{{\"url\":\"https://loja.example/aviso\"}}}}"
    )
    .into();
    let receipt = receipt_text(&app, &settled);
    assert_eq!(row_value(&receipt, "Descrição"), Some(note), "{receipt}");
    assert_eq!(
        row_value(&receipt, "callback/url"),
        Some("https://loja.example/aviso"),
        "{receipt}"
    );
    assert_eq!(
        receipt.matches("111").count(),
        1,
        "what stands under its own label: {receipt}"
    );
    match app.model.layers.last_mut() {
        Some(Layer::Receipt(receipt)) => receipt.withdrawal = settled,
        other => panic!("no receipt but {other:?}"),
    }
    let effects = app.press("e");
    let [Effect::SaveReceipt { files, .. }] = &effects[..] else {
        panic!("{effects:?}")
    };
    for part in [
        "Descrição",
        "aluguel da loja",
        "condominio",
        "callback/url",
        "/aviso",
    ] {
        assert!(files.svg.contains(part), "{part}: {}", files.svg);
    }
}

#[test]
fn purged_destination_not_shown_as_key_on_file() {
    let (app, mut settled) = app_with_receipt(confirmed_class(Some("saq-1"), None));
    settled.agreement.destination = None;
    let on_file = receipt_text(&app, &settled);
    assert_eq!(
        row_value(&on_file, "Para"),
        Some("chave cadastrada no serviço")
    );
    settled.agreement.body = "".into();
    let purged = receipt_text(&app, &settled);
    assert_eq!(
        row_value(&purged, "Para"),
        Some("apagado do registro deste computador")
    );
    assert!(
        !purged.contains("Conteúdo"),
        "what is not known is no member: {purged}"
    );
}

#[test]
fn receipt_is_copied_as_text() {
    let (mut app, settled) = app_with_receipt(confirmed_class(Some("saq-1"), None));
    let text = receipt_text(&app, &settled);
    assert_eq!(
        app.press("y"),
        vec![Effect::Copy(Clip::Receipt, text.as_str().into())]
    );
}

#[test]
fn receipt_is_saved_once_at_a_time_and_shows_paths() {
    let (mut app, settled) = app_with_receipt(confirmed_class(Some("saq-1"), None));
    let effects = app.press("e");
    let [Effect::SaveReceipt { ticket, files }] = &effects[..] else {
        panic!("{effects:?}")
    };
    let key = settled.agreement.key.to_string();
    assert_eq!(files.name, format!("comprovante-1970-01-01-{}", &key[..8]));
    assert_eq!(files.text, receipt_text(&app, &settled));
    assert!(
        files.svg.contains("R$ 100,10") && files.svg.contains(&key),
        "{}",
        files.svg
    );
    assert_eq!(app.press("e e"), vec![], "while it is written");
    let paths = ["/srv/ana/c.txt".into(), "/srv/ana/c.svg".into()];
    // A reply with the ticket of another save request is ignored.
    let other = Msg::ReceiptSaved {
        ticket: ticket.next(),
        result: Ok(paths.clone()),
    };
    app.deliver(other);
    assert_eq!(saving_state(&app), &Saving::Writing(*ticket));
    app.deliver(Msg::ReceiptSaved {
        ticket: *ticket,
        result: Ok(paths.clone()),
    });
    assert_eq!(saving_state(&app), &Saving::Saved(paths));
    let effects = app.press("e");
    let [Effect::SaveReceipt { ticket, .. }] = effects[..] else {
        panic!("{effects:?}")
    };
    let why = "No space left on device".to_owned();
    app.deliver(Msg::ReceiptSaved {
        ticket,
        result: Err(why.clone()),
    });
    assert_eq!(saving_state(&app), &Saving::Failed(why));
}

#[test]
fn service_text_cannot_inject_controls_or_lines() {
    let (mut app, _) = app_with_receipt(confirmed_class(Some(HOSTILE), Some(HOSTILE)));
    let effects = app.press("e");
    let [Effect::SaveReceipt { files, .. }] = &effects[..] else {
        panic!("{effects:?}")
    };
    let ReceiptFiles { name, text, svg } = files;
    assert!(
        name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-'),
        "{name}"
    );
    for file in [text, svg] {
        assert!(
            !file.contains(|c: char| c.is_control() && c != '\n'),
            "{file:?}"
        );
        assert!(!file.contains('\u{202e}'), "{file:?}");
    }
    assert!(!svg.contains("<script"), "{svg}");
    let (plain, settled) = app_with_receipt(confirmed_class(Some("x"), Some("y")));
    let lines = receipt_text(&plain, &settled).lines().count();
    assert_eq!(
        text.lines().count(),
        lines,
        "no line of the service's making:\n{text}"
    );
}
