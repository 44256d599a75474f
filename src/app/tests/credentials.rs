//! Tests of logging in, of stored credentials, and of requesting a missing credential.

use super::*;
use crate::app::ui::form::FieldError;

const PASSWORD: &str = "login/password";
const KEYRING: VaultStatus = VaultStatus::Kept(VaultKind::Keyring);

fn load(
    app: &mut App,
    vault_status: VaultStatus,
    token: Credential,
    jwt: Credential,
) -> Vec<Effect> {
    app.load_empty_lists();
    app.deliver(Msg::CredentialsRead {
        vault_status,
        api_token: token,
        jwt,
    })
}

fn type_password(app: &mut App) {
    app.deliver(Msg::SecretEdited {
        slot: PASSWORD.into(),
        len: 8,
    });
}

fn is_login_open(app: &App) -> bool {
    matches!(app.top(), Layer::Login(_))
}

fn is_jwt_page_open(app: &App) -> bool {
    matches!(app.top(), Layer::Jwt(_))
}

#[test]
fn start_reads_vault_and_loads_lists_with_own_tickets() {
    let mut app = App::new();
    let effects = app.deliver(Msg::Started);
    let [
        Effect::ReadCredentials,
        Effect::LoadLinks(links),
        Effect::Money(MoneyCommand::Load(withdrawals)),
        Effect::LoadCharges(charges),
        Effect::ReadDomain,
    ] = &effects[..]
    else {
        panic!("{effects:?}")
    };
    let numbers = [links.ticket, withdrawals.ticket, charges.ticket];
    assert_eq!(numbers, [Ticket(1), Ticket(2), Ticket(3)]);
}

#[test]
fn stored_credentials_open_no_login() {
    let mut app = App::new();
    let effects = load(&mut app, KEYRING, credential(SELLER), credential("s"));
    assert_eq!(effects, vec![Effect::ListDomains(app.last_ticket())]);
    assert!(app.model.layers.is_empty());
}

#[test]
fn login_shown_without_credentials_and_sent_once() {
    let mut app = App::new();
    assert_eq!(
        load(&mut app, KEYRING, Credential::Absent, Credential::Absent),
        vec![]
    );
    app.type_text(SELLER);
    assert_eq!(app.press("Enter Enter"), vec![]);
    type_password(&mut app);
    let effects = app.press("Enter");
    let values = vec![("email".into(), SELLER.to_owned())];
    let secrets = vec![("password".into(), PASSWORD.into())];
    assert_eq!(
        effects,
        vec![Effect::LogIn {
            ticket: app.last_ticket(),
            values,
            secrets
        }]
    );
    // While the login is pending, no key submits it again or changes the text.
    assert_eq!(app.press("Enter Ctrl-S Tab x"), vec![]);
    let ticket = app.last_ticket();
    let result = Ok(vec![(CredentialKind::ApiToken, credential(SELLER))]);
    assert_eq!(
        app.deliver(Msg::LoggedIn { ticket, result }),
        vec![Effect::WipeSecrets(vec![PASSWORD.into()])]
    );
    assert!(app.model.layers.is_empty());
    assert!(app.model.session.is_logged_in());
}

#[test]
fn login_with_an_invalid_field_is_not_sent() {
    let mut app = App::new();
    let vault_status = KEYRING;
    load(
        &mut app,
        vault_status,
        Credential::Absent,
        Credential::Absent,
    );
    app.type_text("any");
    type_password(&mut app);
    assert_eq!(app.press("Tab Tab Enter"), vec![]);
    let Layer::Login(login) = app.top() else {
        panic!()
    };
    assert!(login.sent.wait.is_none() && login.sent.form.focus == 0);
    let error = &login.sent.form.fields[0].error;
    assert!(matches!(error, Some(FieldError::Fault(_))), "{error:?}");
}

#[test]
fn failed_or_cancelled_login_keeps_typed_text() {
    let mut app = App::new();
    load(&mut app, KEYRING, Credential::Absent, Credential::Absent);
    app.type_text(SELLER);
    type_password(&mut app);
    app.press("Ctrl-S");
    let old = app.last_ticket();
    assert_eq!(app.press("Esc"), vec![Effect::Cancel(old)]);
    // The reply to the cancelled login is ignored.
    let result = Ok(vec![(CredentialKind::ApiToken, credential(SELLER))]);
    assert_eq!(
        app.deliver(Msg::LoggedIn {
            ticket: old,
            result
        }),
        vec![]
    );
    assert!(!app.model.session.is_logged_in());
    app.press("Ctrl-S");
    let ticket = app.last_ticket();
    app.deliver(Msg::LoggedIn {
        ticket,
        result: Err(unauthorized(CredentialKind::ApiToken)),
    });
    let Layer::Login(login) = app.top() else {
        panic!()
    };
    assert!(login.sent.failure.is_some() && login.sent.wait.is_none());
    assert_eq!(login.sent.form.value("email"), SELLER);
}

#[test]
fn letters_in_a_secret_field_are_never_commands() {
    let mut app = App::new();
    load(&mut app, KEYRING, Credential::Absent, Credential::Absent);
    app.press("Tab");
    assert!(router::secret_focus(&app.model).is_some());
    assert_eq!(app.type_text("q1?:nyrX"), vec![]);
    assert!(is_login_open(&app) && !app.model.leaving);
}

#[test]
fn missing_keyring_offers_memory_before_sending() {
    let mut app = App::new();
    let vault_status = VaultStatus::Trouble(VaultTrouble::Absent);
    load(
        &mut app,
        vault_status,
        Credential::Absent,
        Credential::Absent,
    );
    app.type_text(SELLER);
    type_password(&mut app);
    assert_eq!(app.press("Ctrl-S"), vec![]);
    assert!(matches!(app.top(), Layer::Dialog(ask) if ask.question == Question::UseMemory));
    assert_eq!(app.press("Enter"), vec![]);
    assert!(is_login_open(&app));
    assert_eq!(app.press("Ctrl-S Tab Enter"), vec![Effect::UseMemory]);
    load(
        &mut app,
        VaultStatus::Kept(VaultKind::Memory),
        Credential::Absent,
        Credential::Absent,
    );
    assert_eq!(app.model.layers.len(), 1);
    assert!(matches!(app.press("Ctrl-S")[..], [Effect::LogIn { .. }]));
}

#[test]
fn keyring_in_trouble_reread_only_by_key() {
    let mut app = App::new();
    let locked = || VaultStatus::Trouble(VaultTrouble::Locked);
    load(&mut app, locked(), Credential::Absent, Credential::Absent);
    app.press("Esc 6");
    assert_eq!(app.press("r"), vec![Effect::ReadCredentials]);
    assert_eq!(app.press("r"), vec![], "it is being asked");
    assert_eq!(
        load(&mut app, locked(), Credential::Absent, Credential::Absent),
        vec![]
    );
    assert!(is_login_open(&app));
    app.press("Esc");
    assert_eq!(app.press("L"), vec![Effect::ReadCredentials]);
    let effects = load(&mut app, KEYRING, credential(SELLER), credential("s"));
    assert!(
        effects.contains(&Effect::WipeSecrets(vec![PASSWORD.into()])),
        "{effects:?}"
    );
    assert!(app.model.layers.is_empty() && app.model.session.is_logged_in());
    assert_eq!(app.press("r"), vec![]);
}

#[test]
fn started_login_stays_on_late_keyring_answer() {
    let mut app = App::new();
    let locked = VaultStatus::Trouble(VaultTrouble::Locked);
    load(&mut app, locked, Credential::Absent, Credential::Absent);
    app.press("Esc 6 L");
    app.type_text("bia");
    load(&mut app, KEYRING, credential(SELLER), credential("s"));
    assert!(is_login_open(&app));
}

#[test]
fn no_credentials_sent_before_vault_answers() {
    let mut app = App::new();
    app.press("6 L");
    app.type_text(SELLER);
    type_password(&mut app);
    assert_eq!(app.press("Ctrl-S"), vec![]);
}

#[test]
fn closing_login_wipes_typed_secret() {
    let mut app = App::new();
    load(&mut app, KEYRING, Credential::Absent, Credential::Absent);
    type_password(&mut app);
    assert_eq!(app.press("Esc"), vec![]);
    assert_eq!(
        app.press("Tab Enter"),
        vec![Effect::WipeSecrets(vec![PASSWORD.into()])]
    );
    assert!(app.model.layers.is_empty());
}

#[test]
fn login_prefilled_from_api_token_not_jwt_subject() {
    let mut app = App::new();
    load(
        &mut app,
        KEYRING,
        Credential::Absent,
        credential("seller-1"),
    );
    let Layer::Login(login) = app.top() else {
        panic!()
    };
    assert_eq!(
        (login.sent.form.value("email"), login.sent.form.focus),
        (String::new(), 0)
    );
    let mut app = App::new();
    let expired = CredentialDetails {
        identity: SELLER.into(),
        expires: Some(Wall(1)),
        since: None,
        from_demo: false,
    };
    load(
        &mut app,
        KEYRING,
        Credential::Stored(expired),
        credential("seller-1"),
    );
    let Layer::Login(login) = app.top() else {
        panic!()
    };
    assert_eq!(
        (login.sent.form.value("email"), login.sent.form.focus),
        (SELLER.into(), 1)
    );
}

#[test]
fn enter_logs_in_to_the_demo() {
    let mut app = App::new();
    let login = vec![
        ("email".into(), DemoValue::Text(SELLER.into())),
        ("password".into(), DemoValue::Secret(8)),
    ];
    app.model.setup.demo = Some(DemoSetup {
        login,
        starts_over: true,
        ..DemoSetup::default()
    });
    load(
        &mut app,
        VaultStatus::Kept(VaultKind::Memory),
        Credential::Absent,
        credential("s"),
    );
    assert!(matches!(app.press("Enter")[..], [Effect::LogIn { .. }]));
}

#[test]
fn pasted_jwt_is_stored_and_domains_are_loaded() {
    let mut app = App::new();
    load(&mut app, KEYRING, credential(SELLER), Credential::Absent);
    app.press("6 J");
    assert!(is_jwt_page_open(&app));
    assert_eq!(app.press("Enter"), vec![]);
    app.deliver(Msg::SecretEdited {
        slot: "jwt/token".into(),
        len: 300,
    });
    let effects = app.press("Enter");
    let ticket = app.last_ticket();
    assert_eq!(
        effects,
        vec![Effect::KeepJwt {
            ticket,
            slot: "jwt/token".into()
        }]
    );
    let effects = app.deliver(Msg::JwtKept {
        ticket,
        result: Ok(credential("s")),
    });
    let listed = Effect::ListDomains(app.last_ticket());
    assert_eq!(
        effects,
        vec![Effect::WipeSecrets(vec!["jwt/token".into()]), listed]
    );
    assert_eq!(app.model.notice, Some(Notice::good("said-jwt-kept")));
}

#[test]
fn unstored_jwt_stays_typed() {
    let mut app = App::logged_in();
    app.press("6 J");
    app.deliver(Msg::SecretEdited {
        slot: "jwt/token".into(),
        len: 300,
    });
    app.press("Enter");
    let ticket = app.last_ticket();
    let result = Err(Failure::Vault(VaultTrouble::Locked));
    assert_eq!(app.deliver(Msg::JwtKept { ticket, result }), vec![]);
    let Layer::Jwt(jwt) = app.top() else { panic!() };
    assert!(!jwt.sent.form.fields[0].is_empty() && jwt.sent.failure.is_some());
}

#[test]
fn logout_asks_and_clears_domains_of_account() {
    let mut app = App::logged_in();
    app.press("2 Down Enter");
    assert!(matches!(app.model.domains.choice, DomainChoice::Named(_)));
    let [Effect::ListDomains(list_ticket)] = app.press("r")[..] else {
        panic!()
    };
    assert_eq!(app.press("6 O Enter"), vec![]);
    assert_eq!(app.press("O Tab Enter"), vec![Effect::LogOut]);
    assert_eq!(
        app.deliver(Msg::LoggedOut(Ok(()))),
        vec![Effect::Cancel(list_ticket)]
    );
    assert!(is_login_open(&app));
    assert_eq!(app.model.domains.choice, DomainChoice::Automatic);
    app.deliver(Msg::DomainsListed {
        ticket: list_ticket,
        result: Ok(vec![].into()),
    });
    assert_eq!(app.model.domains.listed, None);
    assert_eq!(app.model.session.identity(), None);
}

#[test]
fn failed_logout_keeps_session_and_shows_notice() {
    let mut app = App::logged_in();
    app.deliver(Msg::LoggedOut(Err(VaultTrouble::Hangs)));
    assert!(app.model.session.is_logged_in());
    assert_eq!(
        app.model.notice,
        Some(Notice::NotLoggedOut(VaultTrouble::Hangs))
    );
}

#[test]
fn calls_use_credential_named_by_contract() {
    let lines = "[create_link]\ncredential = \"api-token\"\n[domains]\ncredential = \"api-token\"\n\
               [direct_payment]\ncredential = \"api-token\"\n";
    let contract = Contract::from_program_files(&[("own.toml", lines)]).unwrap();
    let mut app = App::with_contract(contract);
    let effects = load(&mut app, KEYRING, credential(SELLER), Credential::Absent);
    assert_eq!(effects, vec![Effect::ListDomains(app.last_ticket())]);
    app.press("1 n");
    app.type_text("4990");
    app.press("Tab");
    app.type_text("Boné");
    assert!(matches!(app.press("Ctrl-S")[..], [Effect::MakeLink { .. }]));
}

#[test]
fn withdrawal_with_only_jwt_requires_login() {
    // Only the API token shows which account a withdrawal would be paid from. A JWT does not.
    let mut app = App::new();
    load(
        &mut app,
        KEYRING,
        Credential::Absent,
        credential("seller-1"),
    );
    app.press("Esc");
    app.fill_withdrawal_form("10010");
    app.deliver_quote();
    assert_eq!(app.press("Ctrl-S"), vec![]);
    assert!(is_login_open(&app));
    assert_eq!(app.model.layers.len(), 2);
}

#[test]
fn expired_token_is_not_sent() {
    let mut app = App::logged_in();
    let expires = Some(app.now.wall.plus(Duration::from_secs(60)));
    let expiring = CredentialDetails {
        identity: SELLER.into(),
        expires,
        since: None,
        from_demo: false,
    };
    app.model.session.api_token = Credential::Stored(expiring);
    app.fill_withdrawal_form("10010");
    app.deliver_quote();
    app.advance_ms(60_000);
    assert_eq!(app.press("Ctrl-S"), vec![]);
    assert!(is_login_open(&app));
    // The expired token is kept, because it shows whose account this is.
    assert_eq!(app.model.session.api_token.identity(), Some(SELLER));
}

#[test]
fn credential_life_bar_redrawn_as_it_shrinks() {
    let mut app = App::logged_in();
    app.press("6");
    assert_eq!(next_deadline(&app.model), None, "no life is known");
    let now = app.now.wall;
    let since = Some(Wall(now.0 - 16_000));
    let expires = Some(now.plus(Duration::from_secs(16)));
    let half_expired = CredentialDetails {
        identity: SELLER.into(),
        since,
        expires,
        from_demo: false,
    };
    assert_eq!(
        half_expired.life(now),
        Some((Duration::from_secs(16), Duration::from_secs(32)))
    );
    app.model.session.jwt = Credential::Stored(half_expired);
    // The bar for the remaining 32 seconds has 32 columns, so it changes every second.
    assert_eq!(next_deadline(&app.model), Some(Duration::from_secs(1)));
    app.pulse_after_ms(16_000);
    assert_eq!(next_deadline(&app.model), None, "it is over");
}

#[test]
fn background_401_marks_jwt_refused_without_screen() {
    let mut app = App::logged_in();
    app.deliver_exchange(exchange(Operation::Domains, 200, "[]"));
    app.press("2");
    let [Effect::ListDomains(ticket)] = app.press("r")[..] else {
        panic!()
    };
    app.press("1");
    assert_eq!(app.model.pane, Pane::Links);
    app.deliver(Msg::DomainsListed {
        ticket,
        result: Err(unauthorized(CredentialKind::Jwt)),
    });
    assert!(app.model.layers.is_empty());
    assert!(matches!(app.model.session.jwt, Credential::Refused(_)));
    // The front pane shows the failure, so no login screen opens.
    let [Effect::ListDomains(ticket)] = app.press("2 r")[..] else {
        panic!()
    };
    app.deliver(Msg::DomainsListed {
        ticket,
        result: Err(unauthorized(CredentialKind::Jwt)),
    });
    assert!(app.model.layers.is_empty() && app.model.domains.failure.is_some());
    app.press("J");
    assert!(is_jwt_page_open(&app));
}

#[test]
fn domains_pane_without_jwt_offers_to_paste_one() {
    let mut app = App::logged_in();
    app.model.session.jwt = Credential::Absent;
    assert_eq!(
        app.press("2"),
        vec![],
        "nothing is asked that cannot be answered"
    );
    assert_eq!((app.model.pane, app.model.layers.len()), (Pane::Domains, 0));
    assert_eq!(app.offered_actions()[0], Action::PasteJwt);
    app.press("J");
    assert!(is_jwt_page_open(&app));
}

#[test]
fn required_login_shows_its_reason() {
    let mut app = App::logged_in();
    app.model.session.api_token = Credential::Absent;
    app.fill_withdrawal_form("10010");
    app.deliver_quote();
    app.press("Ctrl-S");
    let Layer::Login(login) = app.top() else {
        panic!("the login")
    };
    assert_eq!(
        login.cause,
        Some(Failure::NoCredential(CredentialKind::ApiToken))
    );
}

#[test]
fn missing_jwt_requested_before_form_is_typed() {
    for pane in ["1", "4"] {
        let mut app = App::logged_in();
        app.model.session.jwt = Credential::Absent;
        app.press(pane);
        let effects = app.press("n");
        assert!(
            effects
                .iter()
                .all(|effect| matches!(effect, Effect::History(_))),
            "{effects:?}"
        );
        let Layer::Jwt(jwt) = app.top() else {
            panic!("{:?}", app.top())
        };
        assert_eq!(
            jwt.sent.failure,
            Some(Failure::NoCredential(CredentialKind::Jwt))
        );
        // The form is open below the JWT screen and appears after the seller pastes a JWT.
        let mut model = app.model.clone();
        assert_eq!(model.layers.len(), 2);
        model.layers.pop();
        assert!(model.layers[0].screen().form().is_some());
        app.deliver(Msg::SecretEdited {
            slot: crate::app::screens::login::JWT_SLOT.into(),
            len: 80,
        });
        app.press("Enter");
        let ticket = app.last_ticket();
        app.deliver(Msg::JwtKept {
            ticket,
            result: Ok(credential("s")),
        });
        assert_eq!(app.model.layers.len(), 1);
        assert!(app.top().screen().form().is_some_and(|form| !form.touched));
    }
    // The form opens directly if a JWT is stored or the vault has not been read yet.
    for jwt in [credential("s"), Credential::Unknown] {
        let mut app = App::logged_in();
        app.model.session.jwt = jwt;
        app.press("1 n");
        assert!(matches!(app.top(), Layer::NewLink(_)), "{:?}", app.top());
    }
    // Withdrawals do not need a JWT.
    let mut app = App::logged_in();
    app.model.session.jwt = Credential::Absent;
    app.press("3 n");
    assert!(matches!(app.top(), Layer::Withdraw(_)));
}

fn read_only_app() -> App {
    let mut app = App::logged_in();
    app.model.setup.read_only = true;
    app
}

#[test]
fn read_only_app_opens_no_form_and_says_why() {
    for (keys, pane) in [
        ("1", Pane::Links),
        ("3", Pane::Withdrawals),
        ("4", Pane::Charges),
    ] {
        let mut app = read_only_app();
        app.press(keys);
        assert_eq!(app.model.pane, pane);
        assert_eq!(app.press("n"), vec![]);
        assert!(app.model.layers.is_empty(), "{pane:?}");
        assert_eq!(
            shown_notice(&app),
            Some(&Notice::warn("said-read-only")),
            "{pane:?}"
        );
    }
}

#[test]
fn read_only_app_repeats_no_link() {
    let mut app = read_only_app();
    app.load_links(vec![link("https://loja.example/x")]);
    assert_eq!(app.press("d"), vec![]);
    assert!(app.model.layers.is_empty());
    assert_eq!(shown_notice(&app), Some(&Notice::warn("said-read-only")));
}

#[test]
fn read_only_app_resends_no_withdrawal() {
    let (mut app, _) = App::with_outcome(Class::Throttled { retry_after: None });
    app.advance_ms(120_000);
    app.model.setup.read_only = true;
    let layers = app.model.layers.len();
    assert_eq!(app.press("s"), vec![]);
    assert_eq!(app.model.layers.len(), layers);
    assert_eq!(shown_notice(&app), Some(&Notice::warn("said-read-only")));
}

#[test]
fn read_only_app_opens_and_copies_link() {
    let mut app = read_only_app();
    app.load_links(vec![link("https://loja.example/x")]);
    app.press("Enter");
    assert_eq!(app.model.layers.len(), 1);
    assert!(matches!(app.press("y")[..], [Effect::Copy(..)]));
}
