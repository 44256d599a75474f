//! Tests of the question whether to try the other credential.

use super::*;
use crate::app::store::credential_trial;

fn is_asking(app: &App, operation: Operation, other: CredentialKind) -> bool {
    let Some(Layer::Dialog(dialog)) = app.model.layers.last() else {
        return false;
    };
    matches!(&dialog.question, Question::TryCredential { operation: asked, other: offered, .. }
        if (*asked, *offered) == (operation, other))
}

fn try_effect(operation: Operation, other: CredentialKind) -> Effect {
    Effect::TryCredential(operation, credential_trial::setting(operation, other))
}

/// Sends a direct payment, and delivers the refusal of the JWT.
fn refuse_charge(app: &mut App) -> Vec<Effect> {
    app.press("4 n");
    for text in [
        "4990",
        "Boné",
        "Bia Silva",
        "bia@example.com",
        "",
        "11144477735",
    ] {
        app.type_text(text);
        app.press("Tab");
    }
    let effects = app.press("Ctrl-S");
    let ticket = app.last_ticket();
    app.deliver(charge_made(ticket, Err(unauthorized(CredentialKind::Jwt))));
    effects
}

const CHARGE: Operation = Operation::DirectPayment;

#[test]
fn refused_charge_is_sent_again_with_the_token() {
    let mut app = App::logged_in();
    let sent = refuse_charge(&mut app);
    assert!(
        is_asking(&app, CHARGE, CredentialKind::ApiToken),
        "{:?}",
        app.top()
    );
    assert!(matches!(app.model.session.jwt, Credential::Stored(_)));
    let page = format!("{:?}", chrome::page(&app.model, app.model.size).items);
    for text in [
        "direct_payment.credential = ",
        "api-token",
        "antes: ",
        "Trocar o JWT",
    ] {
        assert!(page.contains(text), "{text}: {page}");
    }
    let effects = app.press("Tab Enter");
    let [tried, Effect::MakeCharge { body, ticket, .. }] = &effects[..] else {
        panic!("{effects:?}")
    };
    assert_eq!(*tried, try_effect(CHARGE, CredentialKind::ApiToken));
    let [
        Effect::MakeCharge {
            body: first_body, ..
        },
    ] = &sent[..]
    else {
        panic!("{sent:?}")
    };
    assert_eq!(body, first_body);
    // If both credentials are refused, the stored one is marked, and nothing is asked again.
    let result = Err(unauthorized(CredentialKind::Jwt));
    app.deliver(charge_made(*ticket, result));
    assert!(matches!(app.top(), Layer::Jwt(_)), "{:?}", app.top());
    assert!(matches!(app.model.session.jwt, Credential::Refused(_)));
    assert!(matches!(app.model.session.api_token, Credential::Stored(_)));
}

#[test]
fn declined_trial_leads_to_a_new_credential() {
    for key in ["Esc", "Enter"] {
        let mut app = App::logged_in();
        refuse_charge(&mut app);
        assert_eq!(app.press(key), vec![]);
        assert!(matches!(app.top(), Layer::Jwt(_)), "{:?}", app.top());
        assert!(matches!(app.model.session.jwt, Credential::Refused(_)));
        assert_eq!(app.model.layers.len(), 2, "the form is below");
    }
}

#[test]
fn refusal_after_a_success_is_an_expiry() {
    let mut app = App::logged_in();
    app.deliver_exchange(exchange(CHARGE, 201, r#"{"id":"1"}"#));
    refuse_charge(&mut app);
    assert!(matches!(app.top(), Layer::Jwt(_)), "{:?}", app.top());
    assert!(matches!(app.model.session.jwt, Credential::Refused(_)));
    // An earlier run had a success, so a setting is confirmed.
    let contract = Contract::built_in();
    let tree = crate::contract::ReplyTree::read(&r#"{"id":"1"}"#.into()).unwrap();
    let confirmed = contract.settings_confirmed_by_reply(CHARGE, &tree, |_, _| true);
    let mut app = App::with_contract(contract.confirmed_by(&confirmed));
    app.log_in();
    refuse_charge(&mut app);
    assert!(matches!(app.top(), Layer::Jwt(_)), "{:?}", app.top());
}

#[test]
fn domains_ask_when_they_are_refreshed() {
    let mut app = App::logged_in();
    let [Effect::ListDomains(ticket)] = app.press("2 r")[..] else {
        panic!()
    };
    app.press("1");
    app.deliver(Msg::DomainsListed {
        ticket,
        result: Err(unauthorized(CredentialKind::Jwt)),
    });
    app.press("2");
    assert!(app.model.layers.is_empty(), "a wrong header can be taught");
    assert!(matches!(app.model.session.jwt, Credential::Stored(_)));
    let page = format!("{:?}", chrome::page(&app.model, app.model.size).items);
    assert!(page.contains("r oferece tentar"), "{page}");
    assert_eq!(app.press("r"), vec![]);
    assert!(is_asking(
        &app,
        Operation::Domains,
        CredentialKind::ApiToken
    ));
    let effects = app.press("Tab Enter");
    let listed = Effect::ListDomains(app.last_ticket());
    assert_eq!(
        effects,
        [
            try_effect(Operation::Domains, CredentialKind::ApiToken),
            listed
        ]
    );
}

#[test]
fn fee_asks_on_submit_not_while_typing() {
    let mut app = App::logged_in();
    app.fill_withdrawal_form("10010");
    let (ticket, amount) = app.expect_quote_request();
    let result = Err(NoQuote::Failure(unauthorized(CredentialKind::ApiToken)));
    app.deliver(Msg::Quoted { ticket, result });
    assert!(matches!(app.model.session.api_token, Credential::Stored(_)));
    assert_eq!(app.press("Ctrl-S"), vec![]);
    assert!(is_asking(&app, Operation::FeePreview, CredentialKind::Jwt));
    let effects = app.press("Tab Enter");
    assert_eq!(
        effects,
        [try_effect(Operation::FeePreview, CredentialKind::Jwt)]
    );
    assert_eq!(app.draft().form.value("key"), "11144477735");
    let ticket = app.last_ticket().next();
    assert_eq!(
        app.pulse_after_ms(0),
        [Effect::Quote {
            ticket,
            amount,
            has_probe: true
        }]
    );
}

#[test]
fn links_and_withdrawals_never_try_another_credential() {
    let mut app = App::logged_in();
    let (ticket, _) = app.submit_link_form();
    app.deliver(link_made(ticket, Err(unauthorized(CredentialKind::Jwt))));
    assert!(matches!(app.top(), Layer::Jwt(_)));
    let mut app = App::logged_in();
    let withdrawal = app.send_withdrawal("10000");
    app.settle(&withdrawal, Class::Unauthorized);
    assert!(matches!(
        app.model.session.api_token,
        Credential::Refused(_)
    ));
    let is_dialog = |layer: &Layer| matches!(layer, Layer::Dialog(_));
    assert!(!app.model.layers.iter().any(is_dialog), "{:?}", app.top());
}

#[test]
fn nothing_is_asked_without_another_credential() {
    let mut without_token = App::logged_in();
    without_token.model.session.api_token = Credential::Absent;
    refuse_charge(&mut without_token);
    let mut demo = App::logged_in();
    demo.model.setup.demo = Some(DemoSetup::default());
    refuse_charge(&mut demo);
    for app in [without_token, demo] {
        assert!(
            app.top().is_login() || matches!(app.top(), Layer::Jwt(_)),
            "{:?}",
            app.top()
        );
    }
}
