//! Tests of correcting the API contract (the app's description of the API) from a real response.
//! This is not possible while a withdrawal is being sent.

use super::*;
use crate::app::message::TaughtContract;
use crate::app::ui::form::Slot;
use crate::contract::{SettingValue, TaughtLine};

const NET: &str = r#"{"conta":{"sobra":97.95,"nome":"loja"}}"#;

fn refusal(status: u16) -> Refusal {
    Refusal { status, message: None, hint: None }
}

impl App {
    /// Delivers an HTTP exchange and opens its details.
    fn looks_at(&mut self, exchange: Exchange) {
        self.exchanges(exchange);
        self.keys("5 g Enter");
    }

    /// Selects the net amount in the response of a fee preview, and saves the corrected setting.
    fn saves_net(&mut self) -> (Ticket, Vec<TaughtLine>) {
        self.looks_at(exchange(Operation::FeePreview, 200, NET));
        self.keys("t Enter");
        let wanted = self.keys("Enter");
        let [Effect::Teach { ticket, lines, .. }] = &wanted[..] else { panic!("{wanted:?}") };
        (*ticket, lines.clone())
    }

    /// Reports that the corrected settings of the API contract are stored and in use.
    fn learns(&mut self, ticket: Ticket, lines: &[TaughtLine]) {
        let before = self.model.setup.contract.clone();
        let agreed = before.agreed_by_teaching(self.model.agreed_lines.as_ref(), lines);
        let contract = Arc::new(before.taught(lines).unwrap());
        let file = Some("/srv/ana/balcao/loja.contract.toml".into());
        self.tell(Msg::Taught {
            ticket,
            result: Ok(TaughtContract { contract, agreed: Some(agreed), file }),
        });
    }

    fn is_taught(&self) -> bool {
        matches!(self.model.layers.last(), Some(Layer::Teach(_)))
    }
}

fn texts(name: &str, all: &[&str]) -> TaughtLine {
    let value = SettingValue::Texts(all.iter().map(|text| (*text).to_owned()).collect());
    TaughtLine { name: name.into(), value }
}

#[test]
fn taught_line_applies_only_once_written() {
    let mut app = App::open();
    let (ticket, lines) = app.saves_net();
    assert_eq!(lines, [texts("fee_preview.net", &["/conta/sobra"])]);
    let before = app.model.setup.contract.clone();
    // While the correction is being stored, Enter does not save it again, and the API contract
    // stays the same.
    assert_eq!(app.keys("Enter"), vec![]);
    assert_eq!(app.model.setup.contract, before);
    app.learns(ticket, &lines);
    assert!(!app.is_taught());
    assert_eq!(said(&app), Some(&Notice::good("said-taught")));
    assert_ne!(app.model.setup.contract.lines(), before.lines());
}

#[test]
fn failed_write_changes_nothing_and_can_be_retried() {
    let mut app = App::open();
    let (ticket, lines) = app.saves_net();
    let before = app.model.setup.contract.clone();
    let why = Untrusted::from("disk full");
    app.tell(Msg::Taught { ticket, result: Err(why.clone()) });
    assert_eq!(said(&app), Some(&Notice::WithDetail("said-not-taught", why)));
    assert_eq!(app.model.setup.contract, before);
    let again = app.keys("Enter");
    let [Effect::Teach { ticket: later, lines: same, .. }] = &again[..] else {
        panic!("{again:?}")
    };
    assert_eq!(*same, lines);
    // The late reply to the first save request does not close the screen.
    app.tell(Msg::Taught { ticket, result: Err("late".into()) });
    assert!(app.is_taught());
    app.learns(*later, &lines);
    assert!(!app.is_taught());
}

#[test]
fn closing_while_writing_still_applies_taught_lines() {
    let mut app = App::open();
    let (ticket, lines) = app.saves_net();
    assert_eq!(app.keys("Esc"), vec![], "what is being written is not cancelled");
    assert!(!app.is_taught());
    app.learns(ticket, &lines);
    assert_eq!(said(&app), Some(&Notice::good("said-taught")));
}

#[test]
fn leaving_what_was_taught_and_not_saved_is_asked() {
    let mut app = App::open();
    app.looks_at(exchange(Operation::FeePreview, 200, NET));
    app.keys("t Enter Esc");
    assert!(app.is_taught());
    app.keys("Esc");
    assert!(matches!(app.top(), Layer::Dialog(ask) if ask.question == Question::DropForm));
    app.keys("Esc");
    assert!(app.is_taught());
    // Esc discards the selection. Without a selection, leaving the screen asks no question.
    app.keys("Esc");
    app.passes(1_000);
    app.keys("Tab Enter");
    assert!(matches!(app.top(), Layer::Exchange(_)), "{:?}", app.top());
    app.keys("t Esc Esc");
    assert!(matches!(app.top(), Layer::Exchange(_)), "{:?}", app.top());
}

#[test]
fn a_row_that_holds_nothing_of_the_kind_is_not_taken() {
    let mut app = App::open();
    app.looks_at(exchange(Operation::FeePreview, 200, NET));
    // This row shows the shop's name, which cannot be selected because it is not an amount.
    app.keys("t Down Enter");
    assert_eq!(app.keys("Enter"), vec![]);
    app.keys("Up Enter");
    let wanted = app.keys("Enter");
    assert!(matches!(&wanted[..], [Effect::Teach { .. }]), "{wanted:?}");
}

#[test]
fn withdrawal_lines_not_taught_while_one_is_open() {
    let mut app = App::open();
    let refused = exchange(Operation::Withdrawal, 422, r#"{"campo":"centro_custo"}"#);
    app.has_unknown(7, 100);
    app.looks_at(refused.clone());
    app.keys("t");
    assert!(!app.is_taught());
    assert_eq!(said(&app), Some(&Notice::warn("said-not-taught-now")));
    app.has_open(vec![]);
    app.keys("t");
    assert!(app.is_taught());
    // The screen for correcting the API contract closes when another instance reports an open
    // withdrawal.
    app.has_unknown(7, 100);
    assert!(!app.is_taught(), "{:?}", app.top());
    // The API contract of other operations can still be corrected.
    app.keys("Esc");
    app.looks_at(exchange(Operation::Domains, 200, r#"{"lojas":["a.example"]}"#));
    app.keys("t");
    assert!(app.is_taught());
}

#[test]
fn nothing_is_taught_while_money_is_in_flight() {
    let mut app = App::open();
    app.exchanges(exchange(Operation::FeePreview, 200, NET));
    let sent = app.sends("10000");
    assert!(matches!(app.top(), Layer::Withdraw(Flow::Sending { .. })), "{:?}", app.top());
    app.keys("t Ctrl-T");
    assert!(!app.is_taught());
    // The withdrawal is still being sent while the user visits other screens.
    app.keys("Esc");
    app.shows_requests();
    app.keys("Enter");
    assert!(matches!(app.top(), Layer::Exchange(_)), "{:?}", app.top());
    app.keys("t");
    assert!(!app.is_taught());
    assert_eq!(said(&app), Some(&Notice::warn("said-not-taught-now")));
    app.keys("Esc");
    app.settles(&sent, ACCEPTED);
    app.keys("Esc");
    app.shows_requests();
    app.keys("Enter t");
    assert!(app.is_taught());
}

#[test]
fn refused_withdrawal_teaches_field_for_next_form() {
    let mut app = App::open();
    let sent = app.sends("10000");
    let body = r#"{"message":"centro_custo é obrigatório"}"#;
    let its_own = Exchange {
        request_headers: vec![("Idempotency-Key".into(), sent.agreement.key_header.to_string())],
        ..exchange(Operation::Withdrawal, 422, body)
    };
    app.exchanges(its_own);
    app.settles(&sent, Class::DefiniteNo);
    app.keys("t");
    assert!(app.is_taught(), "{:?}", app.top());
    let wanted = app.keys("Ctrl-S Enter");
    let [Effect::Teach { ticket, lines, .. }] = &wanted[..] else { panic!("{wanted:?}") };
    app.learns(*ticket, lines);
    app.keys("d");
    let names: Vec<_> = app.draft().form.fields.iter().map(|field| &*field.name).collect();
    assert!(names.contains(&"centro_custo"), "{names:?}");
}

/// A masked login reply whose JWT is in a field that the built-in API contract does not read.
const UNREAD_JWT: &str = r#"{"token":"…","loja":"…","chave_web":"eyJ…"}"#;

/// Creates an app without a JWT, although the login returned this reply.
fn logged_in_with(body: &str) -> App {
    let mut app = App::open();
    app.model.session.jwt = Credential::Absent;
    app.exchanges(exchange(Operation::Login, 200, body));
    app
}

#[test]
fn jwt_page_teaches_and_leads_to_login() {
    let mut app = logged_in_with(UNREAD_JWT);
    app.keys("1 n");
    assert!(matches!(app.top(), Layer::Jwt(_)), "{:?}", app.top());
    let wanted = app.keys("Ctrl-T Enter Enter");
    let [Effect::Teach { ticket, lines, .. }] = &wanted[..] else { panic!("{wanted:?}") };
    assert_eq!(*lines, [texts("login.jwt", &["/chave_web"])]);
    app.learns(*ticket, lines);
    // The link form is still open below the login screen.
    let Layer::Login(login) = app.top() else { panic!("{:?}", app.top()) };
    assert_eq!(login.why, Some(Failure::NoCredential(CredentialKind::Jwt)));
    assert!(matches!(app.model.layers[0], Layer::NewLink(_)));
    // The notice mentions no key, because the key would be typed into the open login form as text.
    assert_eq!(said(&app), Some(&Notice::good("said-taught")));
}

#[test]
fn login_known_to_give_jwt_replaces_paste_page() {
    let jwt = [texts("login.jwt", &["/chave_web"])];
    // If nobody has logged in in this run, the API contract decides whether the next login gives a
    // JWT.
    let knows_jwt = || {
        let mut app = logged_in_with(UNREAD_JWT);
        app.model.setup.contract = Arc::new(app.model.setup.contract.taught(&jwt).unwrap());
        app.model.agreed_lines = Some(app.model.setup.contract.lines());
        app
    };
    let mut app = knows_jwt();
    app.model.exchanges.clear();
    app.keys("1 n");
    assert!(matches!(app.top(), Layer::Login(_)), "{:?}", app.top());
    // A failed login is ignored, because the earlier successful login still shows that a login
    // gives a JWT.
    let mut app = knows_jwt();
    app.exchanges(exchange(Operation::Login, 401, "{}"));
    app.keys("1 n");
    assert!(matches!(app.top(), Layer::Login(_)), "{:?}", app.top());
}

#[test]
fn expired_jwt_page_still_offers_teaching() {
    let mut app = logged_in_with(UNREAD_JWT);
    let Credential::Held(jwt) = held("seller-1") else { panic!() };
    app.model.session.jwt = Credential::Held(HeldCredential { expires: Some(Wall(0)), ..jwt });
    app.keys("1 n");
    assert!(matches!(app.top(), Layer::Jwt(_)), "{:?}", app.top());
    let shown = format!("{:?}", chrome::page(&app.model, app.model.size).items);
    assert!(shown.contains("Expirou") && shown.contains("Ctrl-T mostra"), "{shown}");
}

#[test]
fn jwt_taught_in_requests_makes_login_provide_it() {
    let mut app = logged_in_with(UNREAD_JWT);
    app.keys("2");
    assert_eq!(app.offered()[0], Action::PasteJwt);
    app.shows_requests();
    let wanted = app.keys("Enter t Enter Enter");
    let [Effect::Teach { ticket, lines, .. }] = &wanted[..] else { panic!("{wanted:?}") };
    app.learns(*ticket, lines);
    assert_eq!(said(&app), Some(&Notice::WithKey("said-taught-log-in", Action::LogIn)));
    app.keys("Esc 2");
    assert_eq!(app.offered()[0], Action::LogIn);
    app.keys("1 n");
    assert!(matches!(app.top(), Layer::Login(_)), "{:?}", app.top());
}

#[test]
fn jwt_page_teaches_only_if_login_may_contain_it() {
    for body in [r#"{"token":"…","loja":"…"}"#, r#"{"token":"…"}"#, "<html>"] {
        let mut app = logged_in_with(body);
        app.keys("6 J");
        assert!(matches!(app.top(), Layer::Jwt(_)), "{:?}", app.top());
        assert!(!app.offers(Action::Teach), "{body}");
    }
    let mut app = App::open();
    app.keys("6 J");
    assert!(!app.offers(Action::Teach), "no login in this run");
}

#[test]
fn taught_login_asks_for_jwt_and_esc_leaves_it_out() {
    for (key, taught) in [
        ("Enter", &[texts("login.token", &["/chave"]), texts("login.jwt", &["/web"])][..]),
        ("Esc", &[texts("login.token", &["/chave"])]),
    ] {
        let mut app = App::open();
        app.looks_at(exchange(Operation::Login, 200, r#"{"chave":"…","web":"…"}"#));
        let wanted = app.keys(&format!("t Enter {key} Enter"));
        let [Effect::Teach { lines, .. }] = &wanted[..] else { panic!("{key}: {wanted:?}") };
        assert_eq!(lines, taught);
    }
    // Except for the API token, the reply contains no text, so it cannot contain a JWT.
    let mut app = App::open();
    app.looks_at(exchange(Operation::Login, 200, r#"{"chave":"…"}"#));
    let wanted = app.keys("t Enter Enter");
    assert!(matches!(&wanted[..], [Effect::Teach { .. }]), "{wanted:?}");
}

#[test]
fn ordinary_refusal_does_not_offer_teaching() {
    for (body, is_offered) in [
        (r#"{"error":"insufficient_balance","message":"Saldo insuficiente."}"#, false),
        (r#"{"message":"centro_custo é obrigatório"}"#, true),
    ] {
        let mut app = App::open();
        let sent = app.sends("10000");
        let header = ("Idempotency-Key".into(), sent.agreement.key_header.to_string());
        let own = exchange(Operation::Withdrawal, 422, body);
        app.exchanges(Exchange { request_headers: vec![header], ..own });
        app.settles(&sent, Class::DefiniteNo);
        assert_eq!(app.offers(Action::Teach), is_offered, "{body}");
    }
}

/// Returns the slots in which the typed password is stored, outside the model.
fn password_slot(app: &App) -> Vec<Slot> {
    app.top().screen().form().unwrap().secret_slots()
}

#[test]
fn typed_values_survive_teaching_a_field() {
    let mut app = App::closed();
    let out = Credential::Absent;
    let vault_status = VaultStatus::Kept(VaultKind::Keyring);
    app.tell(Msg::CredentialsRead { vault_status, api_token: out.clone(), jwt: out });
    app.types("ana@loja.example");
    app.keys("Tab");
    let slot = password_slot(&app);
    app.tell(Msg::SecretEdited { slot: slot[0].clone(), len: 7 });
    let ticket = match &app.keys("Enter")[..] {
        [Effect::LogIn { ticket, .. }] => *ticket,
        other => panic!("{other:?}"),
    };
    let body = r#"{"message":"email não é um campo"}"#;
    app.exchanges(exchange(Operation::Login, 400, body));
    app.tell(Msg::LoggedIn { ticket, result: Err(Failure::Refused(refusal(400))) });
    app.keys("Ctrl-T Ctrl-U");
    app.types("usuario");
    let wanted = app.keys("Ctrl-S Enter");
    let [Effect::Teach { ticket, lines, .. }] = &wanted[..] else { panic!("{wanted:?}") };
    assert_eq!(lines[0].name, "login.field.email.name");
    app.learns(*ticket, lines);
    let form = app.top().screen().form().unwrap();
    assert_eq!(form.value("email"), "ana@loja.example");
    assert!(slot == password_slot(&app), "the secret is where it was");
}

#[test]
fn refused_credential_retried_with_taught_header() {
    let mut app = App::open();
    app.keys("2");
    let refused =
        Failure::Unauthorized { credential: Some(CredentialKind::Jwt), refusal: refusal(401) };
    let ticket = app.keys("r").iter().find_map(|effect| match effect {
        Effect::ListDomains(ticket) => Some(*ticket),
        _ => None,
    });
    app.exchanges(exchange(Operation::Domains, 401, "{}"));
    app.tell(Msg::DomainsListed { ticket: ticket.unwrap(), result: Err(refused) });
    assert!(matches!(app.model.session.jwt, Credential::Refused(_)));
    app.keys("t Ctrl-U");
    app.types("X-Chave: {}");
    let wanted = app.keys("Ctrl-S Enter");
    let [Effect::Teach { ticket, lines, .. }] = &wanted[..] else { panic!("{wanted:?}") };
    assert_eq!(*lines, [texts("credential.jwt.headers", &["X-Chave: {}"])]);
    let lines = lines.clone();
    let before = app.model.setup.contract.clone();
    let agreed = Some(before.agreed_by_teaching(None, &lines));
    let contract = Arc::new(before.taught(&lines).unwrap());
    let result = Ok(TaughtContract { contract, agreed, file: None });
    let asked = app.tell(Msg::Taught { ticket: *ticket, result });
    assert!(matches!(app.model.session.jwt, Credential::Held(_)));
    assert!(asked.iter().any(|one| matches!(one, Effect::ListDomains(_))), "{asked:?}");
    assert_eq!(said(&app), Some(&Notice::warn("said-taught-for-run")));
}
