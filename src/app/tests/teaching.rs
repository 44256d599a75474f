//! Tests of correcting the API contract (the app's description of the API) from a real response.
//! This is not possible while a withdrawal is being sent.

use super::amounts::page_text;
use super::*;
use crate::app::message::TaughtContract;
use crate::app::store::exchanges::bodies::Bodies;
use crate::app::ui::form::Slot;
use crate::contract::{SettingValue, TaughtSetting};

const NET: &str = r#"{"conta":{"sobra":97.95,"nome":"loja"}}"#;

pub(super) fn refusal(status: u16) -> Refusal {
    Refusal {
        status,
        message: None,
        hint: None,
        retry_after: None,
    }
}

impl App {
    /// Delivers an HTTP exchange and opens its details.
    pub(super) fn open_exchange(&mut self, exchange: Exchange) {
        self.deliver_exchange(exchange);
        self.press("5 g Enter");
    }

    /// Selects the net amount in the response of a fee preview, and saves the corrected setting.
    fn save_net_setting(&mut self) -> (Ticket, Vec<TaughtSetting>) {
        self.open_exchange(exchange(Operation::FeePreview, 200, NET));
        self.press("t Enter");
        let effects = self.press("Enter");
        let [Effect::Teach { ticket, lines, .. }] = &effects[..] else {
            panic!("{effects:?}")
        };
        (*ticket, lines.clone())
    }

    /// Reports that the corrected settings of the API contract are stored and in use.
    pub(super) fn deliver_taught(
        &mut self,
        ticket: Ticket,
        lines: &[TaughtSetting],
    ) -> Vec<Effect> {
        let before = self.model.setup.contract.clone();
        let agreed = before.agreed_after_teaching(self.model.agreed_settings.as_ref(), lines);
        let contract = Arc::new(before.with_taught(lines).unwrap());
        let file = Some("/srv/ana/balcao/loja.contract.toml".into());
        self.deliver(Msg::Taught {
            ticket,
            result: Ok(TaughtContract {
                contract,
                agreed: Some(agreed),
                file,
            }),
        })
    }

    pub(super) fn is_teaching(&self) -> bool {
        matches!(self.model.layers.last(), Some(Layer::Teach(_)))
    }
}

pub(super) fn taught_line(name: &str, pointers: &[&str]) -> TaughtSetting {
    let value = SettingValue::Texts(pointers.iter().map(|text| (*text).to_owned()).collect());
    TaughtSetting {
        name: name.into(),
        value,
    }
}

#[test]
fn taught_line_applies_only_once_written() {
    let mut app = App::logged_in();
    let (ticket, lines) = app.save_net_setting();
    assert_eq!(lines, [taught_line("fee_preview.net", &["/conta/sobra"])]);
    let before = app.model.setup.contract.clone();
    // While the correction is being stored, Enter does not save it again, and the API contract
    // stays the same.
    assert_eq!(app.press("Enter"), vec![]);
    assert_eq!(app.model.setup.contract, before);
    app.deliver_taught(ticket, &lines);
    assert!(!app.is_teaching());
    assert_eq!(shown_notice(&app), Some(&Notice::good("said-taught")));
    assert_ne!(
        app.model.setup.contract.all_settings(),
        before.all_settings()
    );
}

#[test]
fn lesson_without_keyring_is_agreed_to_for_the_run() {
    let mut app = App::logged_in();
    app.model.session.vault_status = VaultStatus::Kept(VaultKind::Memory);
    app.open_exchange(exchange(Operation::FeePreview, 200, NET));
    app.press("t Enter");
    let until = "Ao salvar, você as aceita até";
    assert!(page_text(&app).contains(until), "{}", page_text(&app));
    let effects = app.press("Enter");
    let [Effect::Teach { ticket, lines, .. }] = &effects[..] else {
        panic!("{effects:?}")
    };
    app.deliver_taught(*ticket, lines);
    assert_eq!(
        shown_notice(&app),
        Some(&Notice::warn("said-taught-agreed-for-run"))
    );
}

#[test]
fn failed_write_changes_nothing_and_can_be_retried() {
    let mut app = App::logged_in();
    let (ticket, lines) = app.save_net_setting();
    let before = app.model.setup.contract.clone();
    let error = Untrusted::from("disk full");
    app.deliver(Msg::Taught {
        ticket,
        result: Err(error.clone()),
    });
    assert_eq!(
        shown_notice(&app),
        Some(&Notice::WithDetail("said-not-taught", error))
    );
    assert_eq!(app.model.setup.contract, before);
    let effects = app.press("Enter");
    let [
        Effect::Teach {
            ticket: second_ticket,
            lines: saved_lines,
            ..
        },
    ] = &effects[..]
    else {
        panic!("{effects:?}")
    };
    assert_eq!(*saved_lines, lines);
    // The late reply to the first save request does not close the screen.
    app.deliver(Msg::Taught {
        ticket,
        result: Err("late".into()),
    });
    assert!(app.is_teaching());
    app.deliver_taught(*second_ticket, &lines);
    assert!(!app.is_teaching());
}

#[test]
fn closing_while_writing_still_applies_taught_lines() {
    let mut app = App::logged_in();
    let (ticket, lines) = app.save_net_setting();
    assert_eq!(
        app.press("Esc"),
        vec![],
        "what is being written is not cancelled"
    );
    assert!(!app.is_teaching());
    app.deliver_taught(ticket, &lines);
    assert_eq!(shown_notice(&app), Some(&Notice::good("said-taught")));
}

#[test]
fn closing_an_unsaved_correction_asks() {
    let mut app = App::logged_in();
    app.open_exchange(exchange(Operation::FeePreview, 200, NET));
    app.press("t Enter Esc");
    assert!(app.is_teaching());
    app.press("Esc");
    assert!(matches!(app.top(), Layer::Dialog(ask) if ask.question == Question::DropForm));
    app.press("Esc");
    assert!(app.is_teaching());
    // Esc discards the selection. Without a selection, leaving the screen asks no question.
    app.press("Esc");
    app.advance_ms(1_000);
    app.press("Tab Enter");
    assert!(matches!(app.top(), Layer::Exchange(_)), "{:?}", app.top());
    // The first Esc leaves out the net amount, and the second one the fee.
    app.press("t Esc Esc Esc");
    assert!(matches!(app.top(), Layer::Exchange(_)), "{:?}", app.top());
}

#[test]
fn row_of_wrong_kind_cannot_be_selected() {
    let mut app = App::logged_in();
    app.open_exchange(exchange(Operation::FeePreview, 200, NET));
    // This row shows the shop's name, which cannot be selected because it is not an amount.
    app.press("t Down Enter");
    assert_eq!(app.press("Enter"), vec![]);
    app.press("Up Enter");
    let effects = app.press("Enter");
    assert!(
        matches!(&effects[..], [Effect::Teach { .. }]),
        "{effects:?}"
    );
}

#[test]
fn withdrawal_lines_not_taught_while_one_is_open() {
    let mut app = App::logged_in();
    let refused_exchange = exchange(Operation::Withdrawal, 422, r#"{"campo":"centro_custo"}"#);
    app.load_unknown_withdrawal(7, 100);
    app.open_exchange(refused_exchange.clone());
    app.press("t");
    assert!(!app.is_teaching());
    assert_eq!(
        shown_notice(&app),
        Some(&Notice::warn("said-not-taught-open"))
    );
    app.load_open_withdrawals(vec![]);
    app.press("t");
    assert!(app.is_teaching());
    // The screen for correcting the API contract closes when another instance reports an open
    // withdrawal.
    app.load_unknown_withdrawal(7, 100);
    assert!(!app.is_teaching(), "{:?}", app.top());
    // The API contract of other operations can still be corrected.
    app.press("Esc");
    app.open_exchange(exchange(
        Operation::Domains,
        200,
        r#"{"lojas":["a.example"]}"#,
    ));
    app.press("t");
    assert!(app.is_teaching());
}

#[test]
fn nothing_is_taught_while_money_is_in_flight() {
    let mut app = App::logged_in();
    app.deliver_exchange(exchange(Operation::FeePreview, 200, NET));
    let sent = app.send_withdrawal("10000");
    assert!(
        matches!(app.top(), Layer::Withdraw(Flow::Sending { .. })),
        "{:?}",
        app.top()
    );
    app.press("t Ctrl-T");
    assert!(!app.is_teaching());
    // The withdrawal is still being sent while the user visits other screens.
    app.press("Esc");
    app.open_requests();
    app.press("Enter");
    assert!(matches!(app.top(), Layer::Exchange(_)), "{:?}", app.top());
    app.press("t");
    assert!(!app.is_teaching());
    assert_eq!(
        shown_notice(&app),
        Some(&Notice::warn("said-not-taught-now"))
    );
    app.press("Esc");
    app.settle(&sent, ACCEPTED);
    app.press("Esc");
    app.open_requests();
    app.press("Enter t");
    assert!(app.is_teaching());
}

#[test]
fn refused_withdrawal_teaches_field_for_next_form() {
    let mut app = App::logged_in();
    let sent = app.send_withdrawal("10000");
    let body = r#"{"message":"centro_custo é obrigatório"}"#;
    let exchange_of_withdrawal = Exchange {
        request_headers: vec![(
            "Idempotency-Key".into(),
            sent.agreement.key_header.to_string(),
        )],
        ..exchange(Operation::Withdrawal, 422, body)
    };
    app.deliver_exchange(exchange_of_withdrawal);
    app.settle(&sent, Class::DefiniteNo);
    app.press("t");
    assert!(app.is_teaching(), "{:?}", app.top());
    let effects = app.press("Ctrl-S Enter");
    let [Effect::Teach { ticket, lines, .. }] = &effects[..] else {
        panic!("{effects:?}")
    };
    app.deliver_taught(*ticket, lines);
    app.press("d");
    let names: Vec<_> = app
        .draft()
        .form
        .fields
        .iter()
        .map(|field| &*field.id)
        .collect();
    assert!(names.contains(&"centro_custo"), "{names:?}");
}

/// A masked login reply whose JWT is in a field that the built-in API contract does not read.
const UNREAD_JWT: &str = r#"{"token":"\ufdef","loja":"\ufdef","chave_web":"eyJ\ufdef"}"#;

/// Creates an app without a JWT, although the login returned this reply.
fn app_with_login_reply(body: &str) -> App {
    let mut app = App::logged_in();
    app.model.session.jwt = Credential::Absent;
    app.deliver_exchange(exchange(Operation::Login, 200, body));
    app
}

#[test]
fn jwt_page_teaches_and_leads_to_login() {
    let mut app = app_with_login_reply(UNREAD_JWT);
    app.press("1 n");
    assert!(matches!(app.top(), Layer::Jwt(_)), "{:?}", app.top());
    let effects = app.press("Ctrl-T Enter Enter");
    let [Effect::Teach { ticket, lines, .. }] = &effects[..] else {
        panic!("{effects:?}")
    };
    assert_eq!(*lines, [taught_line("login.jwt", &["/chave_web"])]);
    app.deliver_taught(*ticket, lines);
    // The link form is still open below the login screen.
    let Layer::Login(login) = app.top() else {
        panic!("{:?}", app.top())
    };
    assert_eq!(
        login.cause,
        Some(Failure::NoCredential(CredentialKind::Jwt))
    );
    assert!(matches!(
        app.model.layers[..],
        [Layer::NewLink(_), Layer::Login(_)]
    ));
    // The notice mentions no key, because the key would be typed into the open login form as text.
    assert_eq!(shown_notice(&app), Some(&Notice::good("said-taught")));
    // After the login, the way goes on to the link form.
    app.deliver(Msg::SecretEdited {
        slot: "login/password".into(),
        len: 8,
    });
    let ticket = match &app.press("Ctrl-S")[..] {
        [Effect::LogIn { ticket, .. }] => *ticket,
        other => panic!("{other:?}"),
    };
    let both = [CredentialKind::ApiToken, CredentialKind::Jwt].map(|kind| (kind, credential("s")));
    app.deliver(Msg::LoggedIn {
        ticket,
        result: Ok(both.to_vec()),
    });
    assert!(
        matches!(app.model.layers[..], [Layer::NewLink(_)]),
        "{:?}",
        app.model.layers
    );
}

#[test]
fn taught_login_waits_on_its_button() {
    let mut app = App::new();
    let vault_status = VaultStatus::Kept(VaultKind::Keyring);
    let absent = Credential::Absent;
    app.deliver(Msg::CredentialsRead {
        vault_status,
        api_token: absent.clone(),
        jwt: absent,
    });
    app.load_empty_lists();
    app.type_text("ana@loja.example");
    app.press("Tab");
    app.deliver(Msg::SecretEdited {
        slot: "login/password".into(),
        len: 7,
    });
    let log_in = |app: &mut App| match &app.press("Enter")[..] {
        [Effect::LogIn { ticket, .. }] => *ticket,
        other => panic!("{other:?}"),
    };
    let ticket = log_in(&mut app);
    app.deliver_exchange(exchange(Operation::Login, 200, r#"{"chave":"\ufdef"}"#));
    let unread = Failure::Unreadable {
        status: 200,
        expected_settings: vec!["login.token".into()],
        can_be_taught: true,
        body: "{}".into(),
    };
    app.deliver(Msg::LoggedIn {
        ticket,
        result: Err(unread),
    });
    let effects = app.press("Ctrl-T Enter Enter");
    let [Effect::Teach { ticket, lines, .. }] = &effects[..] else {
        panic!("{effects:?}")
    };
    app.deliver_taught(*ticket, lines);
    let form = app.top().screen().form().unwrap();
    assert_eq!(
        form.focus,
        form.fields.len(),
        "a key must not land in the password"
    );
    let again = "Login aprendido: entre de novo.";
    assert!(page_text(&app).contains(again), "{}", page_text(&app));
    log_in(&mut app);
    assert!(!page_text(&app).contains(again), "{}", page_text(&app));
}

#[test]
fn login_known_to_give_jwt_replaces_paste_page() {
    let jwt = [taught_line("login.jwt", &["/chave_web"])];
    // If nobody has logged in in this run, the API contract decides whether the next login gives a
    // JWT.
    let knows_jwt = || {
        let mut app = app_with_login_reply(UNREAD_JWT);
        app.model.setup.contract = Arc::new(app.model.setup.contract.with_taught(&jwt).unwrap());
        app.model.agreed_settings = Some(app.model.setup.contract.all_settings());
        app
    };
    let mut app = knows_jwt();
    app.model.exchanges.clear();
    app.press("1 n");
    assert!(matches!(app.top(), Layer::Login(_)), "{:?}", app.top());
    // A failed login is ignored, because the earlier successful login still shows that a login
    // gives a JWT.
    let mut app = knows_jwt();
    app.deliver_exchange(exchange(Operation::Login, 401, "{}"));
    app.press("1 n");
    assert!(matches!(app.top(), Layer::Login(_)), "{:?}", app.top());
}

#[test]
fn expired_jwt_page_still_offers_teaching() {
    let mut app = app_with_login_reply(UNREAD_JWT);
    let Credential::Stored(jwt) = credential("seller-1") else {
        panic!()
    };
    app.model.session.jwt = Credential::Stored(CredentialDetails {
        expires: Some(Wall(0)),
        ..jwt
    });
    app.press("1 n");
    assert!(matches!(app.top(), Layer::Jwt(_)), "{:?}", app.top());
    let text = format!("{:?}", chrome::page(&app.model, app.model.size).items);
    assert!(
        text.contains("Expirou") && text.contains("Ctrl-T mostra"),
        "{text}"
    );
}

#[test]
fn jwt_taught_in_requests_makes_login_provide_it() {
    let mut app = app_with_login_reply(UNREAD_JWT);
    app.press("2");
    assert_eq!(app.offered_actions()[0], Action::PasteJwt);
    app.open_requests();
    let effects = app.press("Enter t Enter Enter");
    let [Effect::Teach { ticket, lines, .. }] = &effects[..] else {
        panic!("{effects:?}")
    };
    app.deliver_taught(*ticket, lines);
    // The notice names the pane in which its key works.
    assert_eq!(
        shown_notice(&app),
        Some(&Notice::WithKey("said-taught-log-in", Action::LogIn))
    );
    assert!(
        page_text(&app).contains("entre de novo: L em 6 Conta."),
        "{}",
        page_text(&app)
    );
    app.press("Esc 2");
    assert_eq!(app.offered_actions()[0], Action::LogIn);
    app.press("1 n");
    assert!(matches!(app.top(), Layer::Login(_)), "{:?}", app.top());
}

#[test]
fn jwt_page_teaches_only_if_login_may_contain_it() {
    for body in [
        r#"{"token":"\ufdef","loja":"\ufdef"}"#,
        r#"{"token":"\ufdef"}"#,
        "<html>",
    ] {
        let mut app = app_with_login_reply(body);
        app.press("6 J");
        assert!(matches!(app.top(), Layer::Jwt(_)), "{:?}", app.top());
        assert!(!app.offers(Action::Teach), "{body}");
    }
    let mut app = App::logged_in();
    app.press("6 J");
    assert!(!app.offers(Action::Teach), "no login in this run");
}

#[test]
fn taught_login_asks_for_jwt_and_esc_leaves_it_out() {
    for (key, taught) in [
        (
            "Enter",
            &[
                taught_line("login.token", &["/chave"]),
                taught_line("login.jwt", &["/web"]),
            ][..],
        ),
        ("Esc", &[taught_line("login.token", &["/chave"])]),
    ] {
        let mut app = App::logged_in();
        app.open_exchange(exchange(
            Operation::Login,
            200,
            r#"{"chave":"\ufdef","web":"\ufdef"}"#,
        ));
        let effects = app.press(&format!("t Enter {key} Enter"));
        let [Effect::Teach { lines, .. }] = &effects[..] else {
            panic!("{key}: {effects:?}")
        };
        assert_eq!(lines, taught);
    }
    // The only secret in these replies is the API token (`chave`), so there is no JWT to select.
    for body in [
        r#"{"chave":"\ufdef"}"#,
        r#"{"chave":"\ufdef","criado":"2026-11-21 15:00","loja":"Ana"}"#,
    ] {
        let mut app = App::logged_in();
        app.open_exchange(exchange(Operation::Login, 200, body));
        let effects = app.press("t Enter Enter");
        assert!(
            matches!(&effects[..], [Effect::Teach { .. }]),
            "{body}: {effects:?}"
        );
    }
}

#[test]
fn ordinary_refusal_does_not_offer_teaching() {
    for (body, is_offered) in [
        (
            r#"{"error":"insufficient_balance","message":"Saldo insuficiente."}"#,
            false,
        ),
        (r#"{"message":"centro_custo é obrigatório"}"#, true),
        (r#"{"motivo":"Operação inválida."}"#, true),
        (
            r#"{"message":"Loja sem cadastro.","action":"Complete o cadastro."}"#,
            false,
        ),
    ] {
        let mut app = App::logged_in();
        let sent = app.send_withdrawal("10000");
        let header = (
            "Idempotency-Key".into(),
            sent.agreement.key_header.to_string(),
        );
        let refused_exchange = exchange(Operation::Withdrawal, 422, body);
        app.deliver_exchange(Exchange {
            request_headers: vec![header],
            ..refused_exchange
        });
        app.settle(&sent, Class::DefiniteNo);
        assert_eq!(app.offers(Action::Teach), is_offered, "{body}");
    }
}

/// The slots in which the typed password is stored, outside the model.
fn password_slots(app: &App) -> Vec<Slot> {
    app.top().screen().form().unwrap().secret_slots()
}

#[test]
fn typed_values_survive_teaching_a_field() {
    let mut app = App::new();
    let absent = Credential::Absent;
    let vault_status = VaultStatus::Kept(VaultKind::Keyring);
    app.deliver(Msg::CredentialsRead {
        vault_status,
        api_token: absent.clone(),
        jwt: absent,
    });
    app.load_empty_lists();
    app.type_text("ana@loja.example");
    app.press("Tab");
    let slots = password_slots(&app);
    app.deliver(Msg::SecretEdited {
        slot: slots[0].clone(),
        len: 7,
    });
    let ticket = match &app.press("Enter")[..] {
        [Effect::LogIn { ticket, .. }] => *ticket,
        other => panic!("{other:?}"),
    };
    let body = r#"{"message":"email não é um campo"}"#;
    app.deliver_exchange(exchange(Operation::Login, 400, body));
    app.deliver(Msg::LoggedIn {
        ticket,
        result: Err(Failure::Refused(refusal(400))),
    });
    app.press("Ctrl-T Ctrl-U");
    app.type_text("usuario");
    let effects = app.press("Ctrl-S Enter");
    let [Effect::Teach { ticket, lines, .. }] = &effects[..] else {
        panic!("{effects:?}")
    };
    assert_eq!(lines[0].name, "login.field.email.name");
    app.deliver_taught(*ticket, lines);
    let form = app.top().screen().form().unwrap();
    assert_eq!(form.value("email"), "ana@loja.example");
    assert!(slots == password_slots(&app), "the secret is where it was");
}

#[test]
fn refused_credential_retried_with_taught_header() {
    let mut app = App::logged_in();
    app.deliver_exchange(exchange(Operation::Domains, 200, "[]"));
    app.press("2");
    let failure = Failure::Unauthorized {
        credential: Some(CredentialKind::Jwt),
        refusal: refusal(401),
    };
    let ticket = app.press("r").iter().find_map(|effect| match effect {
        Effect::ListDomains(ticket) => Some(*ticket),
        _ => None,
    });
    app.deliver_exchange(exchange(Operation::Domains, 401, "{}"));
    app.deliver(Msg::DomainsListed {
        ticket: ticket.unwrap(),
        result: Err(failure),
    });
    assert!(matches!(app.model.session.jwt, Credential::Refused(_)));
    app.press("t Ctrl-U");
    app.type_text("X-Chave: {}");
    let effects = app.press("Ctrl-S Enter");
    let [Effect::Teach { ticket, lines, .. }] = &effects[..] else {
        panic!("{effects:?}")
    };
    assert_eq!(
        *lines,
        [taught_line("credential.jwt.headers", &["X-Chave: {}"])]
    );
    let lines = lines.clone();
    let before = app.model.setup.contract.clone();
    let agreed = Some(before.agreed_after_teaching(None, &lines));
    let contract = Arc::new(before.with_taught(&lines).unwrap());
    let result = Ok(TaughtContract {
        contract,
        agreed,
        file: None,
    });
    let effects = app.deliver(Msg::Taught {
        ticket: *ticket,
        result,
    });
    assert!(matches!(app.model.session.jwt, Credential::Stored(_)));
    assert!(
        effects
            .iter()
            .any(|one| matches!(one, Effect::ListDomains(_))),
        "{effects:?}"
    );
    assert_eq!(
        shown_notice(&app),
        Some(&Notice::warn("said-taught-for-run"))
    );
}

#[test]
fn long_reply_is_read_by_the_runtime() {
    let entry = r#"{"host":"loja.example"},"#;
    let body = format!(r#"{{"lojas": [{}{{}}]}}"#, entry.repeat(4_000));
    let mut app = App::logged_in();
    app.open_exchange(exchange(Operation::Domains, 200, &*body));
    let effects = app.press("t");
    let [Effect::ReadBodies(request)] = &effects[..] else {
        panic!("{effects:?}")
    };
    assert!(request.whole_reply && app.is_teaching());
    let shows = |app: &App, text: &str| {
        exchange_rows::lines(app)
            .iter()
            .any(|line| line.contains(text))
    };
    assert!(shows(&app, "lendo uma resposta longa"));
    assert_eq!(app.press("Enter j"), [], "there is nothing to select yet");
    app.deliver(Msg::BodiesRead(
        Ticket(0),
        Bodies::none(&request.contract).into(),
    ));
    assert!(
        shows(&app, "lendo uma resposta longa"),
        "the answer was for another screen"
    );
    app.deliver(Msg::BodiesRead(request.ticket, request.read().into()));
    // It is the only list of hosts, so it is proposed.
    assert!(
        shows(&app, "a lista de domínios: 4001 itens"),
        "{:?}",
        exchange_rows::lines(&app)
    );
    app.press("Esc g Enter");
    assert!(
        shows(&app, "lista de 4001"),
        "{:?}",
        exchange_rows::lines(&app)
    );
    // If the seller leaves before the reply is read, the request is cancelled.
    let mut app = App::logged_in();
    app.open_exchange(exchange(Operation::Domains, 200, &*body));
    let effects = app.press("t");
    let [Effect::ReadBodies(request)] = &effects[..] else {
        panic!("{effects:?}")
    };
    assert_eq!(app.press("Esc"), [Effect::Cancel(request.ticket)]);
}
