//! Tests of expired credentials. The app reports them before the seller starts typing, but a wrong
//! clock must not block the seller.

use super::*;
use crate::app::store::credentials;

/// Creates an app whose credentials expire in `seconds`. If `seconds` is negative, they have
/// already expired.
fn good_for(seconds: i64) -> App {
    let mut app = App::open();
    let expires = Some(Wall(app.now.wall.0 + seconds * 1_000));
    let held = |identity: &str| {
        let identity = identity.into();
        Credential::Held(HeldCredential { identity, since: None, expires, from_demo: false })
    };
    app.model.session.api_token = held(SELLER);
    app.model.session.jwt = held("seller-1");
    app
}

fn words_at_head(app: &App, kind: CredentialKind) -> String {
    let line = credentials::expiry_warning(&app.model, Some(kind));
    line.spans.iter().map(|span| span.text.as_str()).collect()
}

#[test]
fn expired_jwt_requested_before_link_or_charge_form() {
    for keys in ["1 n", "4 n"] {
        let mut app = good_for(-60);
        app.keys(keys);
        assert!(matches!(app.top(), Layer::Jwt(_)), "{keys}");
        assert_eq!(app.model.layers.len(), 2, "the form waits below");
    }
}

#[test]
fn expired_token_opens_login_before_withdrawal_form() {
    let mut app = good_for(-60);
    app.keys("3 n");
    assert!(matches!(app.top(), Layer::Login(_)));
    assert_eq!(app.model.layers.len(), 2, "the form waits below");
    app.keys("Esc");
    assert!(matches!(app.top(), Layer::Withdraw(Flow::Form(_))));
    // Without a stored credential, the login screen opens above the form.
    let mut app = App::open();
    app.model.session.api_token = Credential::Absent;
    app.keys("3 n");
    assert!(matches!(app.top(), Layer::Login(_)));
}

#[test]
fn esc_on_the_jwt_page_goes_back_to_the_list() {
    for keys in ["1 n", "4 n"] {
        let mut app = App::open();
        app.model.session.jwt = Credential::Absent;
        app.keys(keys);
        assert!(matches!(app.top(), Layer::Jwt(_)) && app.model.layers.len() == 2, "{keys}");
        app.keys("Esc");
        assert!(app.model.layers.is_empty(), "{keys}");
    }
    // If the seller discards a typed JWT, the form closes too and the list is shown.
    let mut app = App::open();
    app.model.session.jwt = Credential::Absent;
    app.keys("n");
    app.tell(Msg::SecretEdited { slot: "jwt/token".into(), len: 3 });
    app.keys("Esc Tab Enter");
    assert!(app.model.layers.is_empty());
    // A form with typed text stays open.
    let mut app = App::open();
    let (ticket, _) = app.asks_for_link();
    app.tell(Msg::LinkMade { ticket, result: Err(unauthorized(CredentialKind::Jwt)) });
    app.keys("Esc");
    assert!(matches!(app.top(), Layer::NewLink(_)));
}

#[test]
fn expired_jwt_still_sent_but_missing_jwt_is_not() {
    let mut app = good_for(-60);
    app.keys("n Esc");
    assert!(matches!(app.top(), Layer::NewLink(_)));
    app.types("4990");
    app.keys("Tab");
    app.types("Boné");
    let wanted = app.keys("Ctrl-S");
    assert!(matches!(wanted[..], [Effect::MakeLink { .. }]), "{wanted:?}");
    // A missing JWT prevents sending, unlike an expired JWT.
    let mut app = App::open();
    app.keys("n");
    app.types("4990");
    app.keys("Tab");
    app.types("Boné");
    app.model.session.jwt = Credential::Absent;
    assert_eq!(app.keys("Ctrl-S"), vec![]);
    assert!(matches!(app.top(), Layer::Jwt(_)));
}

#[test]
fn withdrawal_not_sent_with_expired_token() {
    let mut app = good_for(-60);
    app.keys("3 n Esc");
    app.types("10010");
    app.keys("Tab");
    app.types("11144477735");
    app.is_quoted();
    let wanted = app.keys("Ctrl-S");
    let is_asked = matches!(app.top(), Layer::Login(_));
    let none_leaves =
        wanted.iter().all(|effect| !matches!(effect, Effect::Money(MoneyCommand::Prepare { .. })));
    assert!(none_leaves && is_asked, "{wanted:?} {:?}", app.top());
}

#[test]
fn the_head_of_a_form_counts_the_last_ten_minutes() {
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
        assert_eq!(words_at_head(&good_for(seconds), jwt), words, "{seconds}");
    }
    let token = words_at_head(&good_for(300), CredentialKind::ApiToken);
    assert_eq!(token, "Token da API expira em 5 min");
    // If the expiry time is unknown, the form shows no warning.
    assert_eq!(words_at_head(&App::open(), jwt), "");
}

#[test]
fn form_wakes_only_when_expiry_text_changes() {
    let step = |seconds: i64| {
        let mut app = good_for(seconds);
        app.keys("1 n");
        next_deadline(&app.model)
    };
    assert_eq!(step(3_600), Some(Duration::from_secs(3_000)));
    assert_eq!(step(130), Some(Duration::from_secs(10)));
    assert_eq!(step(120), Some(Duration::from_secs(60)));
    // A list shows no expiry time, so it needs no timer.
    assert_eq!(next_deadline(&good_for(3_600).model), None);
    for seconds in [3_600, 600, 130, 61, 60, 1] {
        let mut app = good_for(seconds);
        app.keys("1 n");
        let before = words_at_head(&app, CredentialKind::Jwt);
        let wait = next_deadline(&app.model).expect("a moment");
        app.passes(u64::try_from(wait.as_millis()).unwrap());
        app.tell(Msg::Pulse);
        assert_ne!(words_at_head(&app, CredentialKind::Jwt), before, "{seconds}");
    }
}

#[test]
fn domains_with_expired_jwt_load_only_on_refresh() {
    let mut app = good_for(130);
    app.keys("2");
    app.model.domains.wait = None;
    assert_eq!(next_deadline(&app.model), Some(Duration::from_secs(10)));
    let mut app = good_for(-60);
    assert_eq!(app.keys("2"), vec![], "nothing is asked with it by itself");
    assert!(app.offers(Action::PasteJwt));
    let wanted = app.keys("r");
    assert!(matches!(wanted[..], [Effect::ListDomains(_)]), "{wanted:?}");
}

#[test]
fn header_says_expired_at_the_end_without_a_key() {
    let mut app = good_for(14);
    let header = |app: &App| {
        let page = chrome::page(&app.model, app.model.size);
        format!("{:?}", page.items)
    };
    assert!(header(&app).contains("sessão ativa"));
    assert_eq!(next_pulse(&app.model), Duration::from_secs(14));
    app.rests(14_000);
    assert!(header(&app).contains("sessão expirada"), "{}", header(&app));
    assert!(next_pulse(&app.model) > Duration::from_secs(3_600), "it is over");
}

#[test]
fn pulse_comes_at_the_midnight_of_the_seller() {
    let mut app = App::open();
    for (offset_h, wall_s, left_s) in
        [(0, 86_399, 1), (-3, 3 * 3_600 - 60, 60), (-3, 3 * 3_600, 86_400)]
    {
        app.model.setup.utc_offset_s = offset_h * 3_600;
        app.now.wall = Wall(wall_s * 1_000);
        app.renders_frame();
        assert_eq!(next_pulse(&app.model), Duration::from_secs(left_s), "{offset_h} {wall_s}");
    }
}
