//! Tests of logging in, of stored credentials, and of asking for a missing credential.

use super::*;

const PASSWORD: &str = "login/password";

fn read(counter: &mut Counter, keeper: Keeper, token: Credential, jwt: Credential) -> Vec<Effect> {
    counter.tell(Msg::CredentialsRead { keeper, api_token: token, jwt })
}

fn types_password(counter: &mut Counter) {
    counter.tell(Msg::SecretEdited { slot: PASSWORD.into(), len: 8 });
}

fn at_login(counter: &Counter) -> bool {
    matches!(counter.top(), Layer::Login(_))
}

fn at_jwt(counter: &Counter) -> bool {
    matches!(counter.top(), Layer::Jwt(_))
}

#[test]
fn start_reads_vault_and_loads_lists_with_own_tickets() {
    let mut counter = Counter::closed();
    let wanted = counter.tell(Msg::Started);
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
    let mut counter = Counter::closed();
    let wanted = read(&mut counter, Keeper::Kept(VaultKind::Keyring), held(SELLER), held("s"));
    assert_eq!(wanted, vec![Effect::ListDomains(counter.ticket())]);
    assert!(counter.model.layers.is_empty());
}

#[test]
fn login_shown_without_credentials_and_sent_once() {
    let mut counter = Counter::closed();
    assert_eq!(
        read(
            &mut counter,
            Keeper::Kept(VaultKind::Keyring),
            Credential::Absent,
            Credential::Absent
        ),
        vec![]
    );
    counter.types(SELLER);
    assert_eq!(counter.keys("Enter Enter"), vec![]);
    types_password(&mut counter);
    let wanted = counter.keys("Enter");
    let values = vec![("email".into(), SELLER.to_owned())];
    let secrets = vec![("password".into(), PASSWORD.into())];
    assert_eq!(wanted, vec![Effect::LogIn { ticket: counter.ticket(), values, secrets }]);
    // While the login is pending, keys neither submit it again nor change the text.
    assert_eq!(counter.keys("Enter Ctrl-S Tab x"), vec![]);
    let ticket = counter.ticket();
    let result = Ok(vec![(CredentialKind::ApiToken, held(SELLER))]);
    assert_eq!(
        counter.tell(Msg::LoggedIn { ticket, result }),
        vec![Effect::WipeSecrets(vec![PASSWORD.into()])]
    );
    assert!(counter.model.layers.is_empty());
    assert!(counter.model.session.is_in());
}

#[test]
fn failed_or_cancelled_login_keeps_typed_text() {
    let mut counter = Counter::closed();
    read(&mut counter, Keeper::Kept(VaultKind::Keyring), Credential::Absent, Credential::Absent);
    counter.types(SELLER);
    types_password(&mut counter);
    counter.keys("Ctrl-S");
    let old = counter.ticket();
    assert_eq!(counter.keys("Esc"), vec![Effect::Cancel(old)]);
    // The reply to the cancelled login is ignored.
    let result = Ok(vec![(CredentialKind::ApiToken, held(SELLER))]);
    assert_eq!(counter.tell(Msg::LoggedIn { ticket: old, result }), vec![]);
    assert!(!counter.model.session.is_in());
    counter.keys("Ctrl-S");
    let ticket = counter.ticket();
    counter.tell(Msg::LoggedIn { ticket, result: Err(unauthorized(CredentialKind::ApiToken)) });
    let Layer::Login(login) = counter.top() else { panic!() };
    assert!(login.sent.failure.is_some() && login.sent.wait.is_none());
    assert_eq!(login.sent.form.value("email"), SELLER);
}

#[test]
fn letters_in_a_secret_field_are_never_commands() {
    let mut counter = Counter::closed();
    read(&mut counter, Keeper::Kept(VaultKind::Keyring), Credential::Absent, Credential::Absent);
    counter.keys("Tab");
    assert!(router::secret_focus(&counter.model).is_some());
    assert_eq!(counter.types("q1?:nyrX"), vec![]);
    assert!(at_login(&counter) && !counter.model.leaving);
}

#[test]
fn missing_keyring_offers_memory_before_sending() {
    let mut counter = Counter::closed();
    let keeper = Keeper::Trouble(VaultTrouble::Absent);
    read(&mut counter, keeper, Credential::Absent, Credential::Absent);
    counter.types(SELLER);
    types_password(&mut counter);
    assert_eq!(counter.keys("Ctrl-S"), vec![]);
    assert!(matches!(counter.top(), Layer::Dialog(ask) if ask.question == Question::UseMemory));
    assert_eq!(counter.keys("Enter"), vec![]);
    assert!(at_login(&counter));
    assert_eq!(counter.keys("Ctrl-S Tab Enter"), vec![Effect::UseMemory]);
    read(&mut counter, Keeper::Kept(VaultKind::Memory), Credential::Absent, Credential::Absent);
    assert_eq!(counter.model.layers.len(), 1);
    assert!(matches!(counter.keys("Ctrl-S")[..], [Effect::LogIn { .. }]));
}

#[test]
fn keyring_in_trouble_reread_only_by_key() {
    let mut counter = Counter::closed();
    let locked = || Keeper::Trouble(VaultTrouble::Locked);
    read(&mut counter, locked(), Credential::Absent, Credential::Absent);
    counter.keys("Esc 6");
    assert_eq!(counter.keys("r"), vec![Effect::ReadCredentials]);
    assert_eq!(counter.keys("r"), vec![], "it is being asked");
    assert_eq!(read(&mut counter, locked(), Credential::Absent, Credential::Absent), vec![]);
    assert!(at_login(&counter));
    counter.keys("Esc");
    assert_eq!(counter.keys("L"), vec![Effect::ReadCredentials]);
    let wanted = read(&mut counter, Keeper::Kept(VaultKind::Keyring), held(SELLER), held("s"));
    assert!(wanted.contains(&Effect::WipeSecrets(vec![PASSWORD.into()])), "{wanted:?}");
    assert!(counter.model.layers.is_empty() && counter.model.session.is_in());
    assert_eq!(counter.keys("r"), vec![]);
}

#[test]
fn started_login_stays_on_late_keyring_answer() {
    let mut counter = Counter::closed();
    let locked = Keeper::Trouble(VaultTrouble::Locked);
    read(&mut counter, locked, Credential::Absent, Credential::Absent);
    counter.keys("Esc 6 L");
    counter.types("bia");
    read(&mut counter, Keeper::Kept(VaultKind::Keyring), held(SELLER), held("s"));
    assert!(at_login(&counter));
}

#[test]
fn no_credentials_sent_before_vault_answers() {
    let mut counter = Counter::closed();
    counter.keys("6 L");
    counter.types(SELLER);
    types_password(&mut counter);
    assert_eq!(counter.keys("Ctrl-S"), vec![]);
}

#[test]
fn leaving_the_login_wipes_what_was_typed() {
    let mut counter = Counter::closed();
    read(&mut counter, Keeper::Kept(VaultKind::Keyring), Credential::Absent, Credential::Absent);
    types_password(&mut counter);
    assert_eq!(counter.keys("Esc"), vec![]);
    assert_eq!(counter.keys("Tab Enter"), vec![Effect::WipeSecrets(vec![PASSWORD.into()])]);
    assert!(counter.model.layers.is_empty());
}

#[test]
fn login_prefilled_from_api_token_not_jwt_subject() {
    let mut counter = Counter::closed();
    read(&mut counter, Keeper::Kept(VaultKind::Keyring), Credential::Absent, held("seller-1"));
    let Layer::Login(login) = counter.top() else { panic!() };
    assert_eq!((login.sent.form.value("email"), login.sent.form.focus), (String::new(), 0));
    let mut counter = Counter::closed();
    let gone =
        Held { identity: SELLER.into(), expires: Some(Wall(1)), since: None, from_demo: false };
    read(&mut counter, Keeper::Kept(VaultKind::Keyring), Credential::Held(gone), held("seller-1"));
    let Layer::Login(login) = counter.top() else { panic!() };
    assert_eq!((login.sent.form.value("email"), login.sent.form.focus), (SELLER.into(), 1));
}

#[test]
fn in_the_demo_enter_logs_in() {
    let mut counter = Counter::closed();
    let login = vec![
        ("email".into(), DemoValue::Text(SELLER.into())),
        ("password".into(), DemoValue::Secret(8)),
    ];
    counter.model.setup.demo = Some(DemoSetup { login, starts_over: true, shared: None });
    read(&mut counter, Keeper::Kept(VaultKind::Memory), Credential::Absent, held("s"));
    assert!(matches!(counter.keys("Enter")[..], [Effect::LogIn { .. }]));
}

#[test]
fn a_pasted_jwt_is_kept_and_the_domains_are_asked_for() {
    let mut counter = Counter::closed();
    read(&mut counter, Keeper::Kept(VaultKind::Keyring), held(SELLER), Credential::Absent);
    counter.keys("6 J");
    assert!(at_jwt(&counter));
    assert_eq!(counter.keys("Enter"), vec![]);
    counter.tell(Msg::SecretEdited { slot: "jwt/token".into(), len: 300 });
    let wanted = counter.keys("Enter");
    let ticket = counter.ticket();
    assert_eq!(wanted, vec![Effect::KeepJwt { ticket, slot: "jwt/token".into() }]);
    let wanted = counter.tell(Msg::JwtKept { ticket, result: Ok(held("s")) });
    let listed = Effect::ListDomains(counter.ticket());
    assert_eq!(wanted, vec![Effect::WipeSecrets(vec!["jwt/token".into()]), listed]);
    assert_eq!(counter.model.notice, Some(Notice::good("said-jwt-kept")));
}

#[test]
fn a_jwt_that_could_not_be_kept_stays_typed() {
    let mut counter = Counter::open();
    counter.keys("6 J");
    counter.tell(Msg::SecretEdited { slot: "jwt/token".into(), len: 300 });
    counter.keys("Enter");
    let ticket = counter.ticket();
    let result = Err(Failure::Vault(VaultTrouble::Locked));
    assert_eq!(counter.tell(Msg::JwtKept { ticket, result }), vec![]);
    let Layer::Jwt(jwt) = counter.top() else { panic!() };
    assert!(!jwt.sent.form.fields[0].is_empty() && jwt.sent.failure.is_some());
}

#[test]
fn logout_asks_and_clears_domains_of_account() {
    let mut counter = Counter::open();
    counter.keys("2 Down Enter");
    assert!(matches!(counter.model.domains.choice, DomainChoice::Named(_)));
    let [Effect::ListDomains(asked)] = counter.keys("r")[..] else { panic!() };
    assert_eq!(counter.keys("6 O Enter"), vec![]);
    assert_eq!(counter.keys("O Tab Enter"), vec![Effect::LogOut]);
    assert_eq!(counter.tell(Msg::LoggedOut(Ok(()))), vec![Effect::Cancel(asked)]);
    assert!(at_login(&counter));
    assert_eq!(counter.model.domains.choice, DomainChoice::Automatic);
    counter.tell(Msg::DomainsListed { ticket: asked, result: Ok(vec![]) });
    assert_eq!(counter.model.domains.listed, None);
    assert_eq!(counter.model.session.identity(), None);
}

#[test]
fn failed_logout_keeps_session_and_shows_notice() {
    let mut counter = Counter::open();
    counter.tell(Msg::LoggedOut(Err(VaultTrouble::Hangs)));
    assert!(counter.model.session.is_in());
    let failure = Failure::Vault(VaultTrouble::Hangs);
    assert_eq!(counter.model.notice, Some(Notice::Failure(failure)));
}

#[test]
fn calls_use_credential_named_by_contract() {
    let own = "[create_link]\ncredential = \"api-token\"\n[domains]\ncredential = \"api-token\"\n\
               [direct_payment]\ncredential = \"api-token\"\n";
    let contract = Contract::own(&[("own.toml", own)]).unwrap();
    let mut counter = Counter::with_contract(contract);
    let wanted =
        read(&mut counter, Keeper::Kept(VaultKind::Keyring), held(SELLER), Credential::Absent);
    assert_eq!(wanted, vec![Effect::ListDomains(counter.ticket())]);
    counter.keys("1 n");
    counter.types("4990");
    counter.keys("Tab");
    counter.types("Boné");
    assert!(matches!(counter.keys("Ctrl-S")[..], [Effect::MakeLink { .. }]));
}

#[test]
fn withdrawal_with_only_jwt_requires_login() {
    // A JWT does not identify the account that withdrawals are taken from.
    let mut counter = Counter::closed();
    read(&mut counter, Keeper::Kept(VaultKind::Keyring), Credential::Absent, held("seller-1"));
    counter.keys("Esc");
    counter.types_withdrawal("10010");
    counter.is_quoted();
    assert_eq!(counter.keys("Ctrl-S"), vec![]);
    assert!(at_login(&counter));
    assert_eq!(counter.model.layers.len(), 2);
}

#[test]
fn a_token_past_its_time_is_not_sent() {
    let mut counter = Counter::open();
    let expires = Some(counter.now.wall.plus(Duration::from_secs(60)));
    let until = Held { identity: SELLER.into(), expires, since: None, from_demo: false };
    counter.model.session.api_token = Credential::Held(until);
    counter.types_withdrawal("10010");
    counter.is_quoted();
    counter.passes(60_000);
    assert_eq!(counter.keys("Ctrl-S"), vec![]);
    assert!(at_login(&counter));
    // The app keeps the identity that belongs to the expired token.
    assert_eq!(counter.model.session.api_token.identity(), Some(SELLER));
}

#[test]
fn credential_life_bar_redrawn_as_it_shrinks() {
    let mut counter = Counter::open();
    counter.keys("6");
    assert_eq!(next_deadline(&counter.model), None, "no life is known");
    let now = counter.now.wall;
    let since = Some(Wall(now.0 - 16_000));
    let expires = Some(now.plus(Duration::from_secs(16)));
    let half = Held { identity: SELLER.into(), since, expires, from_demo: false };
    assert_eq!(half.life(now), Some((Duration::from_secs(16), Duration::from_secs(32))));
    counter.model.session.jwt = Credential::Held(half);
    // The bar has 32 columns and shows a lifetime of 32 seconds, so it changes every second.
    assert_eq!(next_deadline(&counter.model), Some(Duration::from_secs(1)));
    counter.rests(16_000);
    assert_eq!(next_deadline(&counter.model), None, "it is over");
}

#[test]
fn background_401_marks_jwt_refused_without_screen() {
    let mut counter = Counter::open();
    counter.keys("2");
    let [Effect::ListDomains(ticket)] = counter.keys("r")[..] else { panic!() };
    counter.keys("1");
    assert_eq!(counter.model.pane, Pane::Links);
    counter.tell(Msg::DomainsListed { ticket, result: Err(unauthorized(CredentialKind::Jwt)) });
    assert!(counter.model.layers.is_empty());
    assert!(matches!(counter.model.session.jwt, Credential::Refused(_)));
    // The front pane shows the failure itself, so no other screen opens.
    let [Effect::ListDomains(ticket)] = counter.keys("2 r")[..] else { panic!() };
    counter.tell(Msg::DomainsListed { ticket, result: Err(unauthorized(CredentialKind::Jwt)) });
    assert!(counter.model.layers.is_empty() && counter.model.domains.failure.is_some());
    counter.keys("J");
    assert!(at_jwt(&counter));
}

#[test]
fn domains_pane_without_jwt_offers_to_paste_one() {
    let mut counter = Counter::open();
    counter.model.session.jwt = Credential::Absent;
    assert_eq!(counter.keys("2"), vec![], "nothing is asked that cannot be answered");
    assert_eq!((counter.model.pane, counter.model.layers.len()), (Pane::Domains, 0));
    assert_eq!(counter.offered()[0], Action::PasteJwt);
    counter.keys("J");
    assert!(at_jwt(&counter));
}

#[test]
fn a_login_that_something_asked_for_says_what_for() {
    let mut counter = Counter::open();
    counter.model.session.api_token = Credential::Absent;
    counter.types_withdrawal("10010");
    counter.is_quoted();
    counter.keys("Ctrl-S");
    let Layer::Login(login) = counter.top() else { panic!("the login") };
    assert_eq!(login.why, Some(Failure::NoCredential(CredentialKind::ApiToken)));
}

#[test]
fn missing_jwt_requested_before_form_is_typed() {
    for pane in ["1", "4"] {
        let mut counter = Counter::open();
        counter.model.session.jwt = Credential::Absent;
        counter.keys(pane);
        assert_eq!(counter.keys("n"), vec![]);
        let Layer::Jwt(jwt) = counter.top() else { panic!("{:?}", counter.top()) };
        assert_eq!(jwt.sent.failure, Some(Failure::NoCredential(CredentialKind::Jwt)));
        // The form is already open below the JWT screen. It appears after the seller pastes a JWT
        // or closes the screen.
        let mut looking = counter.model.clone();
        assert_eq!(looking.layers.len(), 2);
        looking.layers.pop();
        assert!(looking.layers[0].screen().form().is_some());
        counter
            .tell(Msg::SecretEdited { slot: crate::app::screens::login::JWT_SLOT.into(), len: 80 });
        counter.keys("Enter");
        let ticket = counter.ticket();
        counter.tell(Msg::JwtKept { ticket, result: Ok(held("s")) });
        assert_eq!(counter.model.layers.len(), 1);
        assert!(counter.top().screen().form().is_some_and(|form| !form.touched));
    }
    // With a JWT, or before the vault has answered, the form opens directly.
    for jwt in [held("s"), Credential::Unknown] {
        let mut counter = Counter::open();
        counter.model.session.jwt = jwt;
        counter.keys("1 n");
        assert!(matches!(counter.top(), Layer::NewLink(_)), "{:?}", counter.top());
    }
    // Withdrawals do not need a JWT.
    let mut counter = Counter::open();
    counter.model.session.jwt = Credential::Absent;
    counter.keys("3 n");
    assert!(matches!(counter.top(), Layer::Withdraw(_)));
}

/// Creates an app in read-only mode. Screens that create or pay anything do not open in it.
fn looking() -> Counter {
    let mut counter = Counter::open();
    counter.model.setup.read_only = true;
    counter
}

#[test]
fn no_form_is_opened_and_the_reason_is_said() {
    for (keys, pane) in [("1", Pane::Links), ("3", Pane::Withdrawals), ("4", Pane::Charges)] {
        let mut counter = looking();
        counter.keys(keys);
        assert_eq!(counter.model.pane, pane);
        assert_eq!(counter.keys("n"), vec![]);
        assert!(counter.model.layers.is_empty(), "{pane:?}");
        assert_eq!(said(&counter), Some(&Notice::warn("said-read-only")), "{pane:?}");
    }
}

#[test]
fn no_link_is_repeated() {
    let mut counter = looking();
    counter.has_links(vec![link("https://loja.example/x")]);
    assert_eq!(counter.keys("d"), vec![]);
    assert!(counter.model.layers.is_empty());
    assert_eq!(said(&counter), Some(&Notice::warn("said-read-only")));
}

#[test]
fn no_withdrawal_is_sent_again() {
    let (mut counter, _) = Counter::settled(Class::Throttled { retry_after: None });
    counter.passes(120_000);
    counter.model.setup.read_only = true;
    let layers = counter.model.layers.len();
    assert_eq!(counter.keys("s"), vec![]);
    assert_eq!(counter.model.layers.len(), layers);
    assert_eq!(said(&counter), Some(&Notice::warn("said-read-only")));
}

#[test]
fn existing_link_can_be_opened_and_copied() {
    let mut counter = looking();
    counter.has_links(vec![link("https://loja.example/x")]);
    counter.keys("Enter");
    assert_eq!(counter.model.layers.len(), 1);
    assert!(matches!(counter.keys("y")[..], [Effect::Copy(..)]));
}
