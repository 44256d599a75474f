//! Tests of expired credentials. The app reports them before the seller starts typing, but a wrong
//! clock must not block the seller.

use super::*;
use crate::app::store::credentials;

/// Creates an app whose credentials expire in `seconds`, or have expired if `seconds` is negative.
fn app_expiring_in(seconds: i64) -> App {
    let mut app = App::logged_in();
    let expires = Some(Wall(app.now.wall.0 + seconds * 1_000));
    let credential = |identity: &str| {
        let identity = identity.into();
        Credential::Stored(CredentialDetails {
            identity,
            since: None,
            expires,
            from_demo: false,
        })
    };
    app.model.session.api_token = credential(SELLER);
    app.model.session.jwt = credential("seller-1");
    app
}

fn expiry_warning(app: &App, kind: CredentialKind) -> String {
    let line = credentials::expiry_warning(&app.model, Some(kind));
    line.spans.iter().map(|span| span.text.as_str()).collect()
}

#[test]
fn expired_jwt_requested_before_link_or_charge_form() {
    for keys in ["1 n", "4 n"] {
        let mut app = app_expiring_in(-60);
        app.press(keys);
        assert!(matches!(app.top(), Layer::Jwt(_)), "{keys}");
        assert_eq!(app.model.layers.len(), 2, "the form waits below");
    }
}

#[test]
fn expired_token_opens_login_before_withdrawal_form() {
    let mut app = app_expiring_in(-60);
    app.press("3 n");
    assert!(matches!(app.top(), Layer::Login(_)));
    assert_eq!(app.model.layers.len(), 2, "the form waits below");
    app.press("Esc");
    assert!(matches!(app.top(), Layer::Withdraw(Flow::Form(_))));
    // Without a stored credential, the login screen opens above the form.
    let mut app = App::logged_in();
    app.model.session.api_token = Credential::Absent;
    app.press("3 n");
    assert!(matches!(app.top(), Layer::Login(_)));
}

#[test]
fn esc_on_the_jwt_page_goes_back_to_the_list() {
    for keys in ["1 n", "4 n"] {
        let mut app = App::logged_in();
        app.model.session.jwt = Credential::Absent;
        app.press(keys);
        assert!(
            matches!(app.top(), Layer::Jwt(_)) && app.model.layers.len() == 2,
            "{keys}"
        );
        app.press("Esc");
        assert!(app.model.layers.is_empty(), "{keys}");
    }
    // If the seller discards a typed JWT, the form closes too and the list is shown.
    let mut app = App::logged_in();
    app.model.session.jwt = Credential::Absent;
    app.press("n");
    app.deliver(Msg::SecretEdited {
        slot: "jwt/token".into(),
        len: 3,
    });
    app.press("Esc Tab Enter");
    assert!(app.model.layers.is_empty());
    // A form with typed text stays open.
    let mut app = App::logged_in();
    let (ticket, _) = app.submit_link_form();
    app.deliver(link_made(ticket, Err(unauthorized(CredentialKind::Jwt))));
    app.press("Esc");
    assert!(matches!(app.top(), Layer::NewLink(_)));
}

#[test]
fn expired_jwt_still_sent_but_missing_jwt_is_not() {
    let mut app = app_expiring_in(-60);
    app.press("n Esc");
    assert!(matches!(app.top(), Layer::NewLink(_)));
    app.type_text("4990");
    app.press("Tab");
    app.type_text("Boné");
    let effects = app.press("Ctrl-S");
    assert!(
        matches!(effects[..], [Effect::MakeLink { .. }]),
        "{effects:?}"
    );
    // Unlike with an expired JWT, nothing is sent if the JWT is missing.
    let mut app = App::logged_in();
    app.press("n");
    app.type_text("4990");
    app.press("Tab");
    app.type_text("Boné");
    app.model.session.jwt = Credential::Absent;
    assert_eq!(app.press("Ctrl-S"), vec![]);
    assert!(matches!(app.top(), Layer::Jwt(_)));
}

#[test]
fn withdrawal_not_sent_with_expired_token() {
    let mut app = app_expiring_in(-60);
    app.press("3 n Esc");
    app.type_text("10010");
    app.press("Tab");
    app.type_text("11144477735");
    app.deliver_quote();
    let effects = app.press("Ctrl-S");
    let is_login_open = matches!(app.top(), Layer::Login(_));
    let prepares_nothing = effects
        .iter()
        .all(|effect| !matches!(effect, Effect::Money(MoneyCommand::Prepare { .. })));
    assert!(
        prepares_nothing && is_login_open,
        "{effects:?} {:?}",
        app.top()
    );
}

#[test]
fn form_warns_of_expiry_in_last_ten_minutes() {
    let jwt = CredentialKind::Jwt;
    for (seconds, words) in [
        (3_600, ""),
        (601, ""),
        (600, "JWT expira em 10 min"),
        (599, "JWT expira em 10 min"),
        (61, "JWT expira em 2 min"),
        (60, "JWT expira em 1 min"),
        (1, "JWT expira em 1 min"),
        (0, "JWT expirado"),
        (-1, "JWT expirado"),
    ] {
        assert_eq!(
            expiry_warning(&app_expiring_in(seconds), jwt),
            words,
            "{seconds}"
        );
    }
    let token = expiry_warning(&app_expiring_in(300), CredentialKind::ApiToken);
    assert_eq!(token, "Token da API expira em 5 min");
    // If the expiry time is unknown, the form shows no warning.
    assert_eq!(expiry_warning(&App::logged_in(), jwt), "");
}

#[test]
fn form_wakes_only_when_expiry_text_changes() {
    let deadline_at = |seconds: i64| {
        let mut app = app_expiring_in(seconds);
        app.press("1 n");
        next_deadline(&app.model)
    };
    assert_eq!(deadline_at(3_600), Some(Duration::from_secs(3_000)));
    assert_eq!(deadline_at(130), Some(Duration::from_secs(10)));
    assert_eq!(deadline_at(120), Some(Duration::from_secs(60)));
    // A list shows no expiry time, so it needs no timer.
    assert_eq!(next_deadline(&app_expiring_in(3_600).model), None);
    for seconds in [3_600, 600, 130, 61, 60, 1] {
        let mut app = app_expiring_in(seconds);
        app.press("1 n");
        let before = expiry_warning(&app, CredentialKind::Jwt);
        let wait = next_deadline(&app.model).expect("a moment");
        app.advance_ms(u64::try_from(wait.as_millis()).unwrap());
        app.deliver(Msg::Pulse);
        assert_ne!(
            expiry_warning(&app, CredentialKind::Jwt),
            before,
            "{seconds}"
        );
    }
}

#[test]
fn domains_with_expired_jwt_load_only_on_refresh() {
    let mut app = app_expiring_in(130);
    app.press("2");
    app.model.domains.wait = None;
    assert_eq!(next_deadline(&app.model), Some(Duration::from_secs(10)));
    let mut app = app_expiring_in(-60);
    assert_eq!(app.press("2"), vec![], "nothing is asked with it by itself");
    assert!(app.offers(Action::PasteJwt));
    let effects = app.press("r");
    assert!(
        matches!(effects[..], [Effect::ListDomains(_)]),
        "{effects:?}"
    );
}

#[test]
fn header_shows_expiry_without_key_press() {
    let mut app = app_expiring_in(14);
    let header = |app: &App| {
        let page = chrome::page(&app.model, app.model.size);
        format!("{:?}", page.items)
    };
    assert!(header(&app).contains("sessão ativa"));
    assert_eq!(next_pulse(&app.model), Duration::from_secs(14));
    app.pulse_after_ms(14_000);
    assert!(header(&app).contains("sessão expirada"), "{}", header(&app));
    assert!(
        next_pulse(&app.model) > Duration::from_secs(3_600),
        "it is over"
    );
}

#[test]
fn pulse_is_due_at_sellers_midnight() {
    let mut app = App::logged_in();
    for (offset_h, wall_s, left_s) in [
        (0, 86_399, 1),
        (-3, 3 * 3_600 - 60, 60),
        (-3, 3 * 3_600, 86_400),
    ] {
        app.model.setup.utc_offset_s = offset_h * 3_600;
        app.now.wall = Wall(wall_s * 1_000);
        app.render_frame();
        assert_eq!(
            next_pulse(&app.model),
            Duration::from_secs(left_s),
            "{offset_h} {wall_s}"
        );
    }
}
