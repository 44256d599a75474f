//! Tests of correcting the API contract from a list of domains, a refusal, or a header.

use super::amounts::page_text;
use super::teaching::taught_line;
use super::*;
use crate::contract::{ReadValue, ReplySetting, ReplyTree, SettingValue, TaughtSetting};

/// Opens the teaching screen for this list of domains, as the domains pane does.
fn app_with_unread_list(body: &str, list: DomainList) -> App {
    let mut app = App::logged_in();
    let effects = app.press("2 r");
    let Some(Effect::ListDomains(ticket)) = effects.last() else {
        panic!("{effects:?}")
    };
    let ticket = *ticket;
    app.deliver_exchange(exchange(Operation::Domains, 200, body));
    app.deliver(Msg::DomainsListed {
        ticket,
        result: Ok(list),
    });
    assert!(page_text(&app).contains("Ctrl-T"), "{}", page_text(&app));
    app.press("Ctrl-T");
    app
}

/// Saves the corrections on the review page, and returns them.
fn saved_lines(app: &mut App) -> Vec<TaughtSetting> {
    let effects = app.press("Enter");
    let [Effect::Teach { lines, .. }] = &effects[..] else {
        panic!("{effects:?}")
    };
    lines.clone()
}

#[test]
fn next_page_is_taught_from_the_list() {
    let text = |name: &str, value: &str| TaughtSetting {
        name: name.into(),
        value: SettingValue::Text(value.into()),
    };
    for (next, style, places) in [
        (r#""next":"/d?page=2""#, "link", vec!["/next"]),
        (r#""has_more":true"#, "number", vec!["/has_more"]),
        (r#""next_cursor":"abc""#, "cursor", vec!["/next_cursor"]),
    ] {
        let body = format!(r#"{{"data":["a.example"],{next}}}"#);
        let list = DomainList {
            domains: vec![CheckoutDomain {
                host: "a.example".into(),
                state: DomainState::Usable,
                is_default: false,
            }],
            has_more_pages: true,
        };
        let mut app = app_with_unread_list(&body, list);
        app.press("Enter");
        let lines = saved_lines(&mut app);
        let expected = [
            taught_line("domains.next_page", &places),
            text("domains.pages", style),
        ];
        assert!(
            expected.iter().all(|line| lines.contains(line)),
            "{lines:?}"
        );
    }
}

#[test]
fn unread_state_is_taught_or_remembered_as_none() {
    let body = r#"[{"domain":"a.example","situacao":"no_ar"},
        {"domain":"b.example","situacao":"dns"},{"domain":"c.example","situacao":"dns"}]"#;
    let domain = |host: &str| CheckoutDomain {
        host: host.into(),
        state: DomainState::Unread,
        is_default: false,
    };
    let list = || DomainList::from(["a.example", "b.example", "c.example"].map(domain).to_vec());
    let mut app = app_with_unread_list(body, list());
    assert!(
        page_text(&app).contains("Onde diz se o domínio está ativo?"),
        "{}",
        page_text(&app)
    );
    app.press("Enter");
    let lines = saved_lines(&mut app);
    assert!(
        lines.contains(&taught_line("domains.state", &["/situacao"])),
        "{lines:?}"
    );
    let taught = app.model.setup.contract.with_taught(&lines).unwrap();
    let tree = ReplyTree::read(&body.into()).unwrap();
    let state = ReplySetting::of(Operation::Domains)
        .find(|it| it.name == "domains.state")
        .unwrap();
    let ReadValue::Domains(domains) = taught.read_value(state, &tree) else {
        panic!()
    };
    let states: Vec<_> = domains.into_iter().map(|domain| domain.state).collect();
    let pending = DomainState::Pending(Some("dns".into()));
    assert_eq!(states, [DomainState::Active, pending.clone(), pending]);

    let mut app = app_with_unread_list(body, list());
    app.press("Esc");
    let lines = saved_lines(&mut app);
    assert_eq!(lines, [taught_line("domains.unread_state", &["/situacao"])]);
}

/// Opens the overview for this exchange, and saves the row of the reply that Enter selects there
/// after `keys`.
fn saved_from_overview(exchange: Exchange, keys: &str) -> Vec<TaughtSetting> {
    let mut app = App::logged_in();
    app.open_exchange(exchange);
    app.press(&format!("t {keys} Enter Enter"));
    saved_lines(&mut app)
}

#[test]
fn message_of_a_refusal_is_taught_and_added() {
    let refused = exchange(
        Operation::CreateLink,
        400,
        r#"{"motivo":"Operação inválida."}"#,
    );
    let lines = saved_from_overview(refused, "Home");
    let built_in = Contract::built_in();
    let Some(SettingValue::Texts(known)) = built_in.value("error.message") else {
        panic!()
    };
    let places: Vec<_> = ["/motivo"]
        .into_iter()
        .chain(known.iter().map(String::as_str))
        .collect();
    assert_eq!(lines, [taught_line("error.message", &places)]);
}

#[test]
fn flag_of_a_refusal_with_200_is_added_to_the_others() {
    let body = r#"{"url":"https://loja.example/c","aprovado":false}"#;
    let lines = saved_from_overview(exchange(Operation::CreateLink, 200, body), "Down");
    let built_in = Contract::built_in();
    let Some(SettingValue::Texts(known)) = built_in.value("create_link.failed_flag") else {
        panic!()
    };
    let places: Vec<_> = ["/aprovado"]
        .into_iter()
        .chain(known.iter().map(String::as_str))
        .collect();
    assert_eq!(lines, [taught_line("create_link.failed_flag", &places)]);
}

#[test]
fn header_with_the_token_is_suggested() {
    let login = |names: &[&str]| {
        let headers = names
            .iter()
            .map(|name| ((*name).to_owned(), Untrusted::MASKED.into()))
            .collect();
        let reply = Ok(MaskedReply::new(200, headers, "{}"));
        Exchange {
            reply,
            ..exchange(Operation::Login, 200, "{}")
        }
    };
    let mut app = App::logged_in();
    app.open_exchange(login(&["set-cookie", "x-auth-token"]));
    app.press("t Ctrl-S");
    let lines = saved_lines(&mut app);
    let value = SettingValue::Text("x-auth-token".into());
    assert_eq!(
        lines,
        [TaughtSetting {
            name: "login.token_header".into(),
            value
        }]
    );

    let mut app = App::logged_in();
    app.open_exchange(login(&["set-cookie"]));
    app.press("t Ctrl-S");
    assert!(
        !page_text(&app).contains("set-cookie"),
        "{}",
        page_text(&app)
    );
}
