//! Tests that nothing is sent until the seller has agreed to the settings in the API contract file.
//! These settings determine what the app sends.

use std::time::Duration;

use balcao::app::Effect;
use balcao::contract::{AgreedAtStart, Contract, Preset};
use balcao::sandbox::Fault;
use balcao::service::BaseUrl;
use balcao::trade::Withdrawal;
use balcao::trade::withdrawal::{Class, NotSent};

use crate::app::App;
use crate::test_env::TestEnv;
use crate::withdrawals::WITHDRAWALS;

/// A malicious API contract. With it, the login request also contains the password under another
/// name, and the e-mail address of a thief.
const MALICIOUS_CONTRACT: &str = "confirmed = ['login.token']
[login]
body = ['email', 'password', 'thief']
field.email.name = 'contact'
field.password.name = 'memo'
field.thief = { name = 'email', kind = 'fixed', default = 'ladrao@mal.example' }
";

/// An API contract that changes only a label on the screen. It changes no request.
const HARMLESS_CONTRACT: &str = "withdrawal.field.key.label.pt-BR = 'Chave de quem recebe'";

const LOGIN: &str = "/api/v1/api-auth/login";

fn parse_contract(text: &str) -> Contract {
    Contract::with(&[("/srv/ana/loja.toml", text)]).unwrap()
}

async fn env_with_contract(text: &str) -> TestEnv {
    TestEnv {
        contract: parse_contract(text),
        ..TestEnv::new().await
    }
}

impl App {
    pub async fn wait_for_consent_screen(&mut self) {
        self.wait_for_localized("consent-title").await;
    }

    /// Scrolls to the end of the consent screen. Returns the whole text of this screen.
    pub async fn scroll_through_consent(&mut self, env: &TestEnv) -> String {
        let mut consent_text = self.screen().flat();
        while self.shows(&self.words.text("consent-read-on")) {
            self.press("PgDn").await;
            consent_text.push_str(&self.screen().flat());
        }
        // Wait until the last setting of the API contract is drawn, and then advance the clock. The
        // button is enabled a moment after that.
        self.settle().await;
        env.clock.advance_ms(600);
        consent_text
    }

    /// Agrees to the settings of the API contract, and waits until the vault has stored the
    /// consent.
    pub async fn agree(&mut self) {
        let stored = self.message_count("ConsentStored");
        self.press("Tab Enter").await;
        self.wait_for_another_message("ConsentStored", stored).await;
    }

    async fn agree_and_log_in(&mut self, env: &TestEnv) {
        self.wait_for_consent_screen().await;
        self.scroll_through_consent(env).await;
        self.agree().await;
        self.log_in().await;
    }

    fn consent_count(&self) -> usize {
        self.effects()
            .iter()
            .filter(|effect| matches!(effect, Effect::Agree(_)))
            .count()
    }
}

fn consent_entry_name(env: &TestEnv) -> String {
    format!(
        "contract {} {}",
        BaseUrl::parse(&env.base_url).unwrap().origin().0,
        env.profile
    )
}

fn last_class(withdrawal: &Withdrawal) -> Class {
    withdrawal
        .attempts
        .last()
        .unwrap()
        .end
        .clone()
        .unwrap()
        .class
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn malicious_login_sends_nothing_before_consent() {
    let env = env_with_contract(MALICIOUS_CONTRACT).await;
    let mut app = env.open().await;
    // The consent screen must open before the app sends its first request, which is for the list of
    // domains.
    app.wait_for_consent_screen().await;
    app.press_rapidly(&["Tab", "Tab", "End", "Tab"]).await;
    app.press("Home").await;
    env.clock.advance_ms(60_000);
    app.press("Tab Enter").await;
    app.press("6 L").await;
    app.wait_for_consent_screen().await;
    let consent_text = app.scroll_through_consent(&env).await;
    for line in [
        "login.field.password.name antes \"password\" agora \"memo\"",
        "a sua senha é enviada com o nome “memo”",
        "este campo é fixo: vai sempre “ladrao@mal.example”",
        "login.field.thief.kind antes não existia agora \"fixed\"",
        "o seu arquivo diz “confirmed”: isso não vale",
    ] {
        assert!(consent_text.contains(line), "{line} in\n{consent_text}");
    }
    assert_eq!(env.proxy.request_count(), 0, "nothing was sent");
    assert_eq!(app.consent_count(), 0);

    // The login screen opens after the seller has agreed. The login request has the fields that the
    // consent screen listed.
    app.agree().await;
    app.wait_for_localized("login-title").await;
    assert!(env.proxy.requests_to(LOGIN).is_empty());
    app.press("Enter").await;
    app.wait_for_message("LoggedIn").await;
    let sent = env.proxy.requests_to(LOGIN);
    assert!(
        sent[0].body.contains("\"memo\":") && sent[0].body.contains("ladrao@"),
        "{sent:?}"
    );
    app.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn links_in_centavos_send_nothing_before_agreement() {
    let contract_text = "create_link.unit = 'centavos'\ndirect_payment.unit = 'centavos'";
    let env = env_with_contract(contract_text).await;
    let mut app = env.open().await;
    app.wait_for_consent_screen().await;
    for keys in ["Esc 1 n", "Esc 4 n", "Esc 2 r", "Esc 3 n"] {
        app.press(keys).await;
        app.wait_for_consent_screen().await;
    }
    let consent_text = app.scroll_through_consent(&env).await;
    assert!(
        consent_text.contains("r$ 49,90 é enviado como 4990"),
        "{consent_text}"
    );
    assert_eq!(env.proxy.request_count(), 0, "nothing was sent");
    app.close().await;
}

/// If all settings of the API contract fit on the screen, the agree button must be enabled without
/// a key press.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn fitting_page_enables_its_button_without_a_key() {
    let env = env_with_contract(HARMLESS_CONTRACT).await;
    let mut app = env.open().await;
    app.wait_for_consent_screen().await;
    app.wait_until("a live button", |frame| {
        frame.has("Aceitar estas linhas") && !frame.has("( Aceitar estas linhas )")
    })
    .await;
    app.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn client_refuses_lines_not_agreed_to() {
    let env = env_with_contract(HARMLESS_CONTRACT).await;
    let mut app = env.open().await;
    app.agree_and_log_in(&env).await;
    app.review(&env, "10000").await;
    // Another instance of the app stores the consent to another API contract. This instance still
    // has the old consent in memory.
    let name = consent_entry_name(&env);
    let other = parse_contract("withdrawal.path = '/api/v1/elsewhere'")
        .all_settings()
        .to_vault_text()
        .unwrap();
    assert!(
        env.vault.get_text(&name).await.unwrap().is_some(),
        "this is its name"
    );
    env.vault.put_text(&name, other).await.unwrap();
    app.confirm().await;

    let withdrawal = env.only_withdrawal();
    assert_eq!(last_class(&withdrawal), Class::NotSent(NotSent::NotAgreed));
    assert_eq!(env.state_name(&withdrawal), "prepared");
    assert!(
        env.proxy.requests_to(WITHDRAWALS).is_empty(),
        "nothing was sent"
    );

    // The app reads the consent again after the refusal, and shows the consent screen. The
    // withdrawal can be sent after the seller has agreed.
    app.wait_for_consent_screen().await;
    app.assert_shows_localized("consent-why-again");
    let consent_text = app.scroll_through_consent(&env).await;
    assert!(
        consent_text.contains("antes \"/api/v1/elsewhere\""),
        "{consent_text}"
    );
    app.agree().await;
    assert_eq!(app.attempt_count(), 1, "agreeing sends nothing");
    app.send_again().await;
    app.assert_shows_localized("state-accepted");
    assert!(env.is_paid_once());
    app.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn agreement_survives_logout_and_restart() {
    let mut env = env_with_contract(HARMLESS_CONTRACT).await;
    let mut app = env.open().await;
    app.agree_and_log_in(&env).await;
    app.press("6 O Tab").await;
    env.clock.advance_ms(600);
    app.press("Enter").await;
    app.wait_for_message("LoggedOut").await;
    app.close().await;

    // After a restart with the same profile and API contract, no new consent is needed to send a
    // withdrawal.
    let mut app = env.open_logged_in().await;
    app.withdraw(&env, "10000").await;
    app.assert_shows_localized("state-accepted");
    assert_eq!(app.consent_count(), 0);
    app.close().await;

    // A new setting of the API contract needs a new consent. The screen shows it above the settings
    // that the seller has already agreed to.
    env.contract = parse_contract(&format!(
        "{HARMLESS_CONTRACT}\nwithdrawal.field.key.label.en = 'Key'"
    ));
    let mut app = env.open().await;
    app.wait_for_consent_screen().await;
    app.assert_shows_localized("consent-news");
    let consent_text = app.scroll_through_consent(&env).await;
    let (news, others) = consent_text.split_once("você já tinha aceitado").unwrap();
    assert!(
        news.contains("label.en") && !news.contains("label.pt-br"),
        "{consent_text}"
    );
    assert!(others.contains("label.pt-br"), "{consent_text}");
    app.close().await;

    // A consent is valid only for one profile at one service address. The seller has to agree again
    // if one of these changes.
    env.contract = parse_contract(HARMLESS_CONTRACT);
    env.profile = "loja-da-bia";
    let mut app = env.open().await;
    app.wait_for_consent_screen().await;
    app.close().await;
    let env = TestEnv {
        profile: "demo",
        ..env
    }
    .without_proxy();
    let mut app = env.open().await;
    app.wait_for_consent_screen().await;
    app.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn built_in_contract_asks_and_stores_nothing() {
    let (env, mut app) = TestEnv::new().await.into_logged_in().await;
    app.withdraw(&env, "10000").await;
    app.assert_shows_localized("state-accepted");
    assert_eq!(app.consent_count(), 0);
    assert_eq!(
        env.vault.get_text(&consent_entry_name(&env)).await.unwrap(),
        None
    );
    app.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn longer_resend_window_needs_consent() {
    let long_retention = "[withdrawal]\nretention_seconds = 7200\nretention_source = 'https://x'";
    let mut env = TestEnv::new().await;
    let mut app = env.open_logged_in().await;
    env.inject_withdrawal_fault(Fault::DropAfter);
    app.withdraw(&env, "10000").await;
    app.assert_shows_localized("state-unknown");
    app.close().await;

    // Idempotency keys are valid for a longer time in the new API contract file.
    env.contract = parse_contract(long_retention);
    env.clock.advance(Duration::from_secs(1_200));
    let mut app = env.open().await;
    app.wait_for_consent_screen().await;
    // Until the seller agrees, idempotency keys are valid only for the shorter time in the old API
    // contract. The open withdrawal is shown, but cannot be sent again.
    app.press("Esc").await;
    app.wait_for_localized("state-needs-person").await;
    app.press("r").await;
    app.settle().await;
    assert_eq!(app.attempt_count(), 0);
    app.close().await;

    // The longer time applies after the seller has agreed, so the withdrawal can be sent again.
    let mut app = env.open().await;
    app.wait_for_consent_screen().await;
    app.scroll_through_consent(&env).await;
    app.agree().await;
    app.wait_for_localized("state-unknown").await;
    app.send_again().await;
    app.assert_shows_localized("state-accepted");
    assert!(env.is_paid_once());
    app.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn thief_gets_no_request_before_agreement() {
    let env = TestEnv::new().await;
    let origin = BaseUrl::parse(&env.base_url).unwrap().origin().clone();
    let built_in = env.contract.clone();
    let preset = Preset::named("centavos").unwrap();
    let centavos = Contract::with(&[(preset.file, preset.text)]).unwrap();
    // Another program has changed the profile's base URL. Only the origin differs from what the
    // seller knows.
    let mut env = TestEnv {
        contract: built_in.with_base_url(&origin.0),
        ..env
    };
    let mut app = env.open().await;
    for keys in ["6", "Esc 6 L", "Esc 1 n", "Esc 2 r"] {
        app.press(keys).await;
        app.wait_for_localized("consent-title-origin").await;
    }
    let consent_text = app.scroll_through_consent(&env).await;
    assert!(
        consent_text.contains(&format!("sua senha vai para {}", origin.0)),
        "{consent_text}"
    );
    assert_eq!(env.proxy.request_count(), 0, "nothing was sent");
    app.agree().await;
    app.log_in().await;
    app.close().await;

    // Another program adds a preset, which would multiply amounts by 100.
    let sent = env.proxy.request_count();
    env.contract = centavos.with_base_url(&origin.0);
    let mut app = env.open().await;
    app.wait_for_consent_screen().await;
    let consent_text = app.scroll_through_consent(&env).await;
    assert!(
        consent_text.contains("r$ 49,90 é enviado como 4990"),
        "{consent_text}"
    );
    assert_eq!(env.proxy.request_count(), sent, "nothing was sent");
    app.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn preset_of_first_run_is_asked_about_only_if_changed() {
    let env = TestEnv::new().await;
    let origin = BaseUrl::parse(&env.base_url).unwrap().origin().clone();
    let with_preset = |name: &str| {
        let preset = Preset::named(name).unwrap();
        Contract::with(&[(preset.file, preset.text)])
            .unwrap()
            .with_base_url(&origin.0)
    };
    let agreed_at_start = AgreedAtStart::FirstRun;
    let mut env = TestEnv {
        contract: with_preset("centavos"),
        agreed_at_start,
        ..env
    };
    for agreed_at_start in [AgreedAtStart::FirstRun, AgreedAtStart::Nothing] {
        env.agreed_at_start = agreed_at_start;
        let mut app = env.open().await;
        app.wait_for_localized("login-title").await;
        assert_eq!(app.consent_count(), 0);
        app.close().await;
    }
    let sent = env.proxy.request_count();
    env.contract = with_preset("snake-case");
    let mut app = env.open().await;
    app.wait_for_consent_screen().await;
    app.assert_shows_localized("consent-news");
    let consent_text = app.scroll_through_consent(&env).await;
    assert!(
        consent_text.contains("antes \"centavos\" agora \"reais\""),
        "{consent_text}"
    );
    assert_eq!(env.proxy.request_count(), sent, "nothing was sent");
    app.close().await;
}
