//! Tests of teaching the fee and the net amount of a withdrawal: they must add up to the amount
//! that was sent.

use super::*;
use crate::contract::TaughtSetting;

/// Creates an exchange of a fee preview of R$ 100,00 with this reply.
fn preview(body: &str) -> Exchange {
    let reply = Ok(MaskedReply::new(200, vec![], body));
    let url = "https://api.example/api/v1/withdrawals/fee-preview?amount=100.00";
    Exchange::new(Operation::FeePreview, "GET", url, reply)
}

/// Creates an app that shows this exchange on the screen for correcting the API contract.
fn teaching(exchange: Exchange) -> App {
    let mut app = App::logged_in();
    app.deliver_exchange(exchange);
    app.press("5 g Enter t");
    app
}

/// The lines that the app saves.
fn saved_lines(effects: &[Effect]) -> Vec<String> {
    let [Effect::Teach { lines, .. }] = effects else {
        panic!("{effects:?}")
    };
    let line = |line: &TaughtSetting| format!("{} = {}", line.name, line.value.text());
    lines.iter().map(line).collect()
}

fn screen(app: &App) -> String {
    exchange_rows::lines(app).join("\n")
}

#[test]
fn pair_that_adds_up_is_taught_by_enter() {
    for (body, lines) in [
        (
            r#"{"gross":"100.00","cost":"2.05","receivable":"97.95"}"#,
            &[
                r#"fee_preview.net = ["/receivable"]"#,
                r#"fee_preview.fee = ["/cost"]"#,
            ][..],
        ),
        (
            r#"{"x":{"y":2.05},"z":97.95}"#,
            &[
                r#"fee_preview.net = ["/z"]"#,
                r#"fee_preview.fee = ["/x/y"]"#,
            ],
        ),
    ] {
        let mut app = teaching(preview(body));
        let effects = app.press("Enter Enter Enter");
        assert_eq!(saved_lines(&effects), lines, "{body}");
    }
}

#[test]
fn figures_with_commas_are_proposed() {
    let mut app = teaching(preview(r#"{"a_receber":"97,95","tarifa":"2,05"}"#));
    assert_eq!(
        saved_lines(&app.press("Enter")),
        [
            r#"fee_preview.net = ["/a_receber"]"#,
            r#"fee_preview.amount_read = "comma""#,
            r#"fee_preview.fee = ["/tarifa"]"#,
        ]
    );
}

#[test]
fn one_figure_is_enough() {
    // Only the fee is in the reply, so it is asked for first, and the net amount is computed.
    let mut app = teaching(preview(r#"{"cost":2.05}"#));
    let effects = app.press("Enter Enter");
    assert_eq!(saved_lines(&effects), [r#"fee_preview.fee = ["/cost"]"#]);
    // Without a suggestion, Esc says that the net amount is not here, and then the fee is needed.
    let mut app = teaching(preview(r#"{"a":2.05}"#));
    assert!(
        screen(&app).contains("Onde está o valor líquido?"),
        "{}",
        screen(&app)
    );
    app.press("Esc");
    assert!(
        screen(&app).contains("Onde está a taxa?"),
        "{}",
        screen(&app)
    );
    let effects = app.press("Down Enter Enter");
    assert_eq!(saved_lines(&effects), [r#"fee_preview.fee = ["/a"]"#]);
    let mut app = teaching(preview(r#"{"a":2.05}"#));
    app.press("Esc Esc");
    assert!(screen(&app).contains("não encontrado"), "{}", screen(&app));
}

#[test]
fn figures_that_do_not_add_up_are_not_saved() {
    let mut app = teaching(preview(r#"{"a":2.05,"b":97.94,"id":3}"#));
    // The figures are off by one centavo, so no row is selected.
    assert_eq!(app.press("Enter"), vec![]);
    app.press("Down Down Enter Esc Down Enter Home Down");
    assert!(
        screen(&app).contains("R$ 2,05 não fecha com os R$ 100,00"),
        "{}",
        screen(&app)
    );
    assert_eq!(app.press("Enter Enter"), vec![]);
    let effects = app.press("Esc End Enter Enter");
    assert_eq!(saved_lines(&effects), [r#"fee_preview.net = ["/b"]"#]);
}

#[test]
fn nothing_is_preselected_between_two_pairs() {
    let mut app = teaching(preview(r#"{"a":2.05,"b":97.95,"c":3,"d":97}"#));
    assert!(
        screen(&app).contains("Nesta linha não há o que ler"),
        "{}",
        screen(&app)
    );
    assert_eq!(app.press("Enter Enter Enter"), vec![]);
    assert!(screen(&app).contains("Onde está o valor líquido?"));
}

#[test]
fn pair_in_centavos_asks_the_unit() {
    let mut app = teaching(preview(r#"{"x":205,"y":9795}"#));
    assert!(
        screen(&app).contains("Só fecha com R$ 100,00 se"),
        "{}",
        screen(&app)
    );
    app.press("Enter");
    let form = app.top().screen().form().unwrap();
    assert_eq!(
        (&*form.value("unit"), &*form.value("where")),
        ("centavos", "teach-amounts-withdrawals")
    );
    // With the unit as it was, the figures do not add up, and nothing is taught.
    app.press("Tab Left Ctrl-S");
    assert!(
        screen(&app).contains("não somam R$ 100,00"),
        "{}",
        screen(&app)
    );
    app.press("Right Ctrl-S Enter");
    let effects = app.press("Enter");
    assert_eq!(
        saved_lines(&effects),
        [
            r#"fee_preview.unit = "centavos""#,
            r#"withdrawal.unit = "centavos""#,
            r#"fee_preview.net = ["/y"]"#,
            r#"fee_preview.fee = ["/x"]"#,
        ]
    );
    // Esc leaves the unit and the row as they were.
    let mut app = teaching(preview(r#"{"x":205,"y":9795}"#));
    app.press("Enter Esc Esc");
    assert!(matches!(app.top(), Layer::Exchange(_)), "{:?}", app.top());
}

#[test]
fn end_of_login_is_shown_and_asked_once() {
    let reply = |end: &str| {
        let body = format!(r#"{{"chave":"\ufdef","validade":{end},"web":"\ufdef"}}"#);
        let reply = Ok(MaskedReply::new(200, vec![], body));
        let url = "https://api.example/login";
        let at = Wall(1_795_273_200_000);
        Exchange {
            at,
            ..Exchange::new(Operation::Login, "POST", url, reply)
        }
    };
    for (end, shown) in [
        ("3600", "vale por 1 h (até 16:00)"),
        ("1795282200", "vale até 17:30"),
        ("\"2026-11-21T18:15:00Z\"", "vale até 18:15"),
        ("1795359600000", "vale até 22/11/2026 15:00"),
    ] {
        let mut app = teaching(reply(end));
        app.press("Enter Esc");
        assert!(screen(&app).contains(shown), "{end}: {}", screen(&app));
        let effects = app.press("Enter Enter");
        let lines = saved_lines(&effects);
        assert_eq!(lines[1], r#"login.expires_in = ["/validade"]"#, "{end}");
        assert_eq!(lines.len(), 2, "{end}");
    }
    // A text that is no time is not suggested.
    let mut app = teaching(reply("\"sempre\""));
    let effects = app.press("Enter Esc Enter");
    assert_eq!(saved_lines(&effects), [r#"login.token = ["/chave"]"#]);
}

#[test]
fn amount_taught_for_all_operations_only_if_chosen() {
    let body = r#"{"message":"amount must be an integer"}"#;
    let mut app = teaching(Exchange {
        reply: Ok(MaskedReply::new(400, vec![], body)),
        ..preview("")
    });
    app.press("Tab Right Tab Tab Tab Right Ctrl-S");
    let effects = app.press("Enter");
    let lines = saved_lines(&effects);
    assert_eq!(
        lines,
        [
            r#"fee_preview.unit = "centavos""#,
            r#"withdrawal.unit = "centavos""#
        ]
    );
}
