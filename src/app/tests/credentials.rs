//! Tests of logging in, of stored credentials, and of requesting a missing credential.

use super::*;
use crate::app::ui::form::FieldError;

const PASSWORD: &str = "login/password";

fn read(
    app: &mut App,
    vault_status: VaultStatus,
    token: Credential,
    jwt: Credential,
) -> Vec<Effect> {
    app.tell(Msg::CredentialsRead { vault_status, api_token: token, jwt })
}

fn types_password(app: &mut App) {
    app.tell(Msg::SecretEdited { slot: PASSWORD.into(), len: 8 });
}

fn at_login(app: &App) -> bool {
    matches!(app.top(), Layer::Login(_))
}

fn at_jwt(app: &App) -> bool {
    matches!(app.top(), Layer::Jwt(_))
}

#[test]
fn start_reads_vault_and_loads_lists_with_own_tickets() {
    let mut app = App::closed();
    let wanted = app.tell(Msg::Started);
    let [
        Effect::ReadCredentials,
        Effect::LoadLinks(links),
        Effect::Money(MoneyCommand::Load(withdrawals)),
        Effect::LoadCharges(charges),
        Effect::ReadNicknames,
        Effect::ReadDomain,
    ] = &wanted[..]
    else {
        panic!("{wanted:?}")
    };
    let numbers = [links.ticket, withdrawals.ticket, charges.ticket];
    assert_eq!(numbers, [Ticket(1), Ticket(2), Ticket(3)]);
}

#[test]
fn started_again_nothing_is_asked() {
    let mut app = App::closed();
    let wanted = read(&mut app, VaultStatus::Kept(VaultKind::Keyring), held(SELLER), held("s"));
    assert_eq!(wanted, vec![Effect::ListDomains(app.ticket())]);
    assert!(app.model.layers.is_empty());
}

#[test]
fn login_shown_without_credentials_and_sent_once() {
    let mut app = App::closed();
    assert_eq!(
        read(
            &mut app,
            VaultStatus::Kept(VaultKind::Keyring),
            Credential::Absent,
            Credential::Absent
        ),
        vec![]
    );
    app.types(SELLER);
    assert_eq!(app.keys("Enter Enter"), vec![]);
    types_password(&mut app);
    let wanted = app.keys("Enter");
    let values = vec![("email".into(), SELLER.to_owned())];
    let secrets = vec![("password".into(), PASSWORD.into())];
    assert_eq!(wanted, vec![Effect::LogIn { ticket: app.ticket(), values, secrets }]);
    // While the login is pending, no key submits it again or changes the text.
    assert_eq!(app.keys("Enter Ctrl-S Tab x"), vec![]);
    let ticket = app.ticket();
    let result = Ok(vec![(CredentialKind::ApiToken, held(SELLER))]);
    assert_eq!(
        app.tell(Msg::LoggedIn { ticket, result }),
        vec![Effect::WipeSecrets(vec![PASSWORD.into()])]
    );
    assert!(app.model.layers.is_empty());
    assert!(app.model.session.is_in());
}

#[test]
fn login_with_an_invalid_field_is_not_sent() {
    let mut app = App::closed();
    let kept = VaultStatus::Kept(VaultKind::Keyring);
    read(&mut app, kept, Credential::Absent, Credential::Absent);
    app.types("any");
    types_password(&mut app);
    assert_eq!(app.keys("Tab Tab Enter"), vec![]);
    let Layer::Login(login) = app.top() else { panic!() };
    assert!(login.sent.wait.is_none() && login.sent.form.focus == 0);
    let error = &login.sent.form.fields[0].error;
    assert!(matches!(error, Some(FieldError::Fault(_))), "{error:?}");
}

#[test]
fn failed_or_cancelled_login_keeps_typed_text() {
    let mut app = App::closed();
    read(&mut app, VaultStatus::Kept(VaultKind::Keyring), Credential::Absent, Credential::Absent);
    app.types(SELLER);
    types_password(&mut app);
    app.keys("Ctrl-S");
    let old = app.ticket();
    assert_eq!(app.keys("Esc"), vec![Effect::Cancel(old)]);
    // The reply to the cancelled login is ignored.
    let result = Ok(vec![(CredentialKind::ApiToken, held(SELLER))]);
    assert_eq!(app.tell(Msg::LoggedIn { ticket: old, result }), vec![]);
    assert!(!app.model.session.is_in());
    app.keys("Ctrl-S");
    let ticket = app.ticket();
    app.tell(Msg::LoggedIn { ticket, result: Err(unauthorized(CredentialKind::ApiToken)) });
    let Layer::Login(login) = app.top() else { panic!() };
    assert!(login.sent.failure.is_some() && login.sent.wait.is_none());
    assert_eq!(login.sent.form.value("email"), SELLER);
}

#[test]
fn letters_in_a_secret_field_are_never_commands() {
    let mut app = App::closed();
    read(&mut app, VaultStatus::Kept(VaultKind::Keyring), Credential::Absent, Credential::Absent);
    app.keys("Tab");
    assert!(router::secret_focus(&app.model).is_some());
    assert_eq!(app.types("q1?:nyrX"), vec![]);
    assert!(at_login(&app) && !app.model.leaving);
}

#[test]
fn missing_keyring_offers_memory_before_sending() {
    let mut app = App::closed();
    let vault_status = VaultStatus::Trouble(VaultTrouble::Absent);
    read(&mut app, vault_status, Credential::Absent, Credential::Absent);
    app.types(SELLER);
    types_password(&mut app);
    assert_eq!(app.keys("Ctrl-S"), vec![]);
    assert!(matches!(app.top(), Layer::Dialog(ask) if ask.question == Question::UseMemory));
    assert_eq!(app.keys("Enter"), vec![]);
    assert!(at_login(&app));
    assert_eq!(app.keys("Ctrl-S Tab Enter"), vec![Effect::UseMemory]);
    read(&mut app, VaultStatus::Kept(VaultKind::Memory), Credential::Absent, Credential::Absent);
    assert_eq!(app.model.layers.len(), 1);
    assert!(matches!(app.keys("Ctrl-S")[..], [Effect::LogIn { .. }]));
}

#[test]
fn keyring_in_trouble_reread_only_by_key() {
    let mut app = App::closed();
    let locked = || VaultStatus::Trouble(VaultTrouble::Locked);
    read(&mut app, locked(), Credential::Absent, Credential::Absent);
    app.keys("Esc 6");
    assert_eq!(app.keys("r"), vec![Effect::ReadCredentials]);
    assert_eq!(app.keys("r"), vec![], "it is being asked");
    assert_eq!(read(&mut app, locked(), Credential::Absent, Credential::Absent), vec![]);
    assert!(at_login(&app));
    app.keys("Esc");
    assert_eq!(app.keys("L"), vec![Effect::ReadCredentials]);
    let wanted = read(&mut app, VaultStatus::Kept(VaultKind::Keyring), held(SELLER), held("s"));
    assert!(wanted.contains(&Effect::WipeSecrets(vec![PASSWORD.into()])), "{wanted:?}");
    assert!(app.model.layers.is_empty() && app.model.session.is_in());
    assert_eq!(app.keys("r"), vec![]);
}

#[test]
fn started_login_stays_on_late_keyring_answer() {
    let mut app = App::closed();
    let locked = VaultStatus::Trouble(VaultTrouble::Locked);
    read(&mut app, locked, Credential::Absent, Credential::Absent);
    app.keys("Esc 6 L");
    app.types("bia");
    read(&mut app, VaultStatus::Kept(VaultKind::Keyring), held(SELLER), held("s"));
    assert!(at_login(&app));
}

#[test]
fn no_credentials_sent_before_vault_answers() {
    let mut app = App::closed();
    app.keys("6 L");
    app.types(SELLER);
    types_password(&mut app);
    assert_eq!(app.keys("Ctrl-S"), vec![]);
}

#[test]
fn leaving_the_login_wipes_what_was_typed() {
    let mut app = App::closed();
    read(&mut app, VaultStatus::Kept(VaultKind::Keyring), Credential::Absent, Credential::Absent);
    types_password(&mut app);
    assert_eq!(app.keys("Esc"), vec![]);
    assert_eq!(app.keys("Tab Enter"), vec![Effect::WipeSecrets(vec![PASSWORD.into()])]);
    assert!(app.model.layers.is_empty());
}

#[test]
fn login_prefilled_from_api_token_not_jwt_subject() {
    let mut app = App::closed();
    read(&mut app, VaultStatus::Kept(VaultKind::Keyring), Credential::Absent, held("seller-1"));
    let Layer::Login(login) = app.top() else { panic!() };
    assert_eq!((login.sent.form.value("email"), login.sent.form.focus), (String::new(), 0));
    let mut app = App::closed();
    let gone = HeldCredential {
        identity: SELLER.into(),
        expires: Some(Wall(1)),
        since: None,
        from_demo: false,
    };
    read(&mut app, VaultStatus::Kept(VaultKind::Keyring), Credential::Held(gone), held("seller-1"));
    let Layer::Login(login) = app.top() else { panic!() };
    assert_eq!((login.sent.form.value("email"), login.sent.form.focus), (SELLER.into(), 1));
}

#[test]
fn in_the_demo_enter_logs_in() {
    let mut app = App::closed();
    let login = vec![
        ("email".into(), DemoValue::Text(SELLER.into())),
        ("password".into(), DemoValue::Secret(8)),
    ];
    app.model.setup.demo = Some(DemoSetup { login, starts_over: true, ..DemoSetup::default() });
    read(&mut app, VaultStatus::Kept(VaultKind::Memory), Credential::Absent, held("s"));
    assert!(matches!(app.keys("Enter")[..], [Effect::LogIn { .. }]));
}

#[test]
fn a_pasted_jwt_is_kept_and_the_domains_are_asked_for() {
    let mut app = App::closed();
    read(&mut app, VaultStatus::Kept(VaultKind::Keyring), held(SELLER), Credential::Absent);
    app.keys("6 J");
    assert!(at_jwt(&app));
    assert_eq!(app.keys("Enter"), vec![]);
    app.tell(Msg::SecretEdited { slot: "jwt/token".into(), len: 300 });
    let wanted = app.keys("Enter");
    let ticket = app.ticket();
    assert_eq!(wanted, vec![Effect::KeepJwt { ticket, slot: "jwt/token".into() }]);
    let wanted = app.tell(Msg::JwtKept { ticket, result: Ok(held("s")) });
    let listed = Effect::ListDomains(app.ticket());
    assert_eq!(wanted, vec![Effect::WipeSecrets(vec!["jwt/token".into()]), listed]);
    assert_eq!(app.model.notice, Some(Notice::good("said-jwt-kept")));
}

#[test]
fn a_jwt_that_could_not_be_kept_stays_typed() {
    let mut app = App::open();
    app.keys("6 J");
    app.tell(Msg::SecretEdited { slot: "jwt/token".into(), len: 300 });
    app.keys("Enter");
    let ticket = app.ticket();
    let result = Err(Failure::Vault(VaultTrouble::Locked));
    assert_eq!(app.tell(Msg::JwtKept { ticket, result }), vec![]);
    let Layer::Jwt(jwt) = app.top() else { panic!() };
    assert!(!jwt.sent.form.fields[0].is_empty() && jwt.sent.failure.is_some());
}

#[test]
fn logout_asks_and_clears_domains_of_account() {
    let mut app = App::open();
    app.keys("2 Down Enter");
    assert!(matches!(app.model.domains.choice, DomainChoice::Named(_)));
    let [Effect::ListDomains(asked)] = app.keys("r")[..] else { panic!() };
    assert_eq!(app.keys("6 O Enter"), vec![]);
    assert_eq!(app.keys("O Tab Enter"), vec![Effect::LogOut]);
    assert_eq!(app.tell(Msg::LoggedOut(Ok(()))), vec![Effect::Cancel(asked)]);
    assert!(at_login(&app));
    assert_eq!(app.model.domains.choice, DomainChoice::Automatic);
    app.tell(Msg::DomainsListed { ticket: asked, result: Ok(vec![]) });
    assert_eq!(app.model.domains.listed, None);
    assert_eq!(app.model.session.identity(), None);
}

#[test]
fn failed_logout_keeps_session_and_shows_notice() {
    let mut app = App::open();
    app.tell(Msg::LoggedOut(Err(VaultTrouble::Hangs)));
    assert!(app.model.session.is_in());
    let failure = Failure::Vault(VaultTrouble::Hangs);
    assert_eq!(app.model.notice, Some(Notice::Failure(failure)));
}

#[test]
fn calls_use_credential_named_by_contract() {
    let own = "[create_link]\ncredential = \"api-token\"\n[domains]\ncredential = \"api-token\"\n\
               [direct_payment]\ncredential = \"api-token\"\n";
    let contract = Contract::own(&[("own.toml", own)]).unwrap();
    let mut app = App::with_contract(contract);
    let wanted =
        read(&mut app, VaultStatus::Kept(VaultKind::Keyring), held(SELLER), Credential::Absent);
    assert_eq!(wanted, vec![Effect::ListDomains(app.ticket())]);
    app.keys("1 n");
    app.types("4990");
    app.keys("Tab");
    app.types("Boné");
    assert!(matches!(app.keys("Ctrl-S")[..], [Effect::MakeLink { .. }]));
}

#[test]
fn withdrawal_with_only_jwt_requires_login() {
    // A JWT does not show which account a withdrawal would be paid from.
    let mut app = App::closed();
    read(&mut app, VaultStatus::Kept(VaultKind::Keyring), Credential::Absent, held("seller-1"));
    app.keys("Esc");
    app.types_withdrawal("10010");
    app.is_quoted();
    assert_eq!(app.keys("Ctrl-S"), vec![]);
    assert!(at_login(&app));
    assert_eq!(app.model.layers.len(), 2);
}

#[test]
fn a_token_past_its_time_is_not_sent() {
    let mut app = App::open();
    let expires = Some(app.now.wall.plus(Duration::from_secs(60)));
    let until = HeldCredential { identity: SELLER.into(), expires, since: None, from_demo: false };
    app.model.session.api_token = Credential::Held(until);
    app.types_withdrawal("10010");
    app.is_quoted();
    app.passes(60_000);
    assert_eq!(app.keys("Ctrl-S"), vec![]);
    assert!(at_login(&app));
    // The expired token is kept, because it shows whose account this is.
    assert_eq!(app.model.session.api_token.identity(), Some(SELLER));
}

#[test]
fn credential_life_bar_redrawn_as_it_shrinks() {
    let mut app = App::open();
    app.keys("6");
    assert_eq!(next_deadline(&app.model), None, "no life is known");
    let now = app.now.wall;
    let since = Some(Wall(now.0 - 16_000));
    let expires = Some(now.plus(Duration::from_secs(16)));
    let half = HeldCredential { identity: SELLER.into(), since, expires, from_demo: false };
    assert_eq!(half.life(now), Some((Duration::from_secs(16), Duration::from_secs(32))));
    app.model.session.jwt = Credential::Held(half);
    // The bar for the remaining 32 seconds has 32 columns, so it changes every second.
    assert_eq!(next_deadline(&app.model), Some(Duration::from_secs(1)));
    app.rests(16_000);
    assert_eq!(next_deadline(&app.model), None, "it is over");
}

#[test]
fn background_401_marks_jwt_refused_without_screen() {
    let mut app = App::open();
    app.keys("2");
    let [Effect::ListDomains(ticket)] = app.keys("r")[..] else { panic!() };
    app.keys("1");
    assert_eq!(app.model.pane, Pane::Links);
    app.tell(Msg::DomainsListed { ticket, result: Err(unauthorized(CredentialKind::Jwt)) });
    assert!(app.model.layers.is_empty());
    assert!(matches!(app.model.session.jwt, Credential::Refused(_)));
    // The front pane shows the failure, so no login screen opens.
    let [Effect::ListDomains(ticket)] = app.keys("2 r")[..] else { panic!() };
    app.tell(Msg::DomainsListed { ticket, result: Err(unauthorized(CredentialKind::Jwt)) });
    assert!(app.model.layers.is_empty() && app.model.domains.failure.is_some());
    app.keys("J");
    assert!(at_jwt(&app));
}

#[test]
fn domains_pane_without_jwt_offers_to_paste_one() {
    let mut app = App::open();
    app.model.session.jwt = Credential::Absent;
    assert_eq!(app.keys("2"), vec![], "nothing is asked that cannot be answered");
    assert_eq!((app.model.pane, app.model.layers.len()), (Pane::Domains, 0));
    assert_eq!(app.offered()[0], Action::PasteJwt);
    app.keys("J");
    assert!(at_jwt(&app));
}

#[test]
fn a_login_that_something_asked_for_says_what_for() {
    let mut app = App::open();
    app.model.session.api_token = Credential::Absent;
    app.types_withdrawal("10010");
    app.is_quoted();
    app.keys("Ctrl-S");
    let Layer::Login(login) = app.top() else { panic!("the login") };
    assert_eq!(login.why, Some(Failure::NoCredential(CredentialKind::ApiToken)));
}

#[test]
fn missing_jwt_requested_before_form_is_typed() {
    for pane in ["1", "4"] {
        let mut app = App::open();
        app.model.session.jwt = Credential::Absent;
        app.keys(pane);
        let wanted = app.keys("n");
        assert!(wanted.iter().all(|it| matches!(it, Effect::History(_))), "{wanted:?}");
        let Layer::Jwt(jwt) = app.top() else { panic!("{:?}", app.top()) };
        assert_eq!(jwt.sent.failure, Some(Failure::NoCredential(CredentialKind::Jwt)));
        // The form is open below the JWT screen and appears after the seller pastes a JWT.
        let mut looking = app.model.clone();
        assert_eq!(looking.layers.len(), 2);
        looking.layers.pop();
        assert!(looking.layers[0].screen().form().is_some());
        app.tell(Msg::SecretEdited { slot: crate::app::screens::login::JWT_SLOT.into(), len: 80 });
        app.keys("Enter");
        let ticket = app.ticket();
        app.tell(Msg::JwtKept { ticket, result: Ok(held("s")) });
        assert_eq!(app.model.layers.len(), 1);
        assert!(app.top().screen().form().is_some_and(|form| !form.touched));
    }
    // The form opens directly if a JWT is stored or the vault has not been read yet.
    for jwt in [held("s"), Credential::Unknown] {
        let mut app = App::open();
        app.model.session.jwt = jwt;
        app.keys("1 n");
        assert!(matches!(app.top(), Layer::NewLink(_)), "{:?}", app.top());
    }
    // Withdrawals do not need a JWT.
    let mut app = App::open();
    app.model.session.jwt = Credential::Absent;
    app.keys("3 n");
    assert!(matches!(app.top(), Layer::Withdraw(_)));
}

/// Creates a read-only app, which does not open screens that create or pay something.
fn looking() -> App {
    let mut app = App::open();
    app.model.setup.read_only = true;
    app
}

#[test]
fn no_form_is_opened_and_the_reason_is_said() {
    for (keys, pane) in [("1", Pane::Links), ("3", Pane::Withdrawals), ("4", Pane::Charges)] {
        let mut app = looking();
        app.keys(keys);
        assert_eq!(app.model.pane, pane);
        assert_eq!(app.keys("n"), vec![]);
        assert!(app.model.layers.is_empty(), "{pane:?}");
        assert_eq!(said(&app), Some(&Notice::warn("said-read-only")), "{pane:?}");
    }
}

#[test]
fn no_link_is_repeated() {
    let mut app = looking();
    app.has_links(vec![link("https://loja.example/x")]);
    assert_eq!(app.keys("d"), vec![]);
    assert!(app.model.layers.is_empty());
    assert_eq!(said(&app), Some(&Notice::warn("said-read-only")));
}

#[test]
fn no_withdrawal_is_sent_again() {
    let (mut app, _) = App::settled(Class::Throttled { retry_after: None });
    app.passes(120_000);
    app.model.setup.read_only = true;
    let layers = app.model.layers.len();
    assert_eq!(app.keys("s"), vec![]);
    assert_eq!(app.model.layers.len(), layers);
    assert_eq!(said(&app), Some(&Notice::warn("said-read-only")));
}

#[test]
fn existing_link_can_be_opened_and_copied() {
    let mut app = looking();
    app.has_links(vec![link("https://loja.example/x")]);
    app.keys("Enter");
    assert_eq!(app.model.layers.len(), 1);
    assert!(matches!(app.keys("y")[..], [Effect::Copy(..)]));
}
