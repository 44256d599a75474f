//! Tests that nothing is sent until the seller has agreed to the settings in the API contract file.
//! These settings determine what the app sends.

use std::time::Duration;

use balcao::app::Effect;
use balcao::contract::Contract;
use balcao::sandbox::Fault;
use balcao::service::BaseUrl;
use balcao::trade::Withdrawal;
use balcao::trade::withdrawal::{Class, NotSent};

use crate::app::App;
use crate::test_env::TestEnv;
use crate::withdrawals::WITHDRAWALS;

/// A malicious API contract. With it, the login request also contains the password under another
/// name, and the e-mail address of a thief.
const STOLEN: &str = "confirmed = ['login.token']
[login]
body = ['email', 'password', 'thief']
field.email.name = 'contact'
field.password.name = 'memo'
field.thief = { name = 'email', kind = 'fixed', default = 'ladrao@mal.example' }
";

/// An API contract that changes only a label on the screen. It changes no request.
const HARMLESS: &str = "withdrawal.field.key.label.pt-BR = 'Chave de quem recebe'";

const LOGIN: &str = "/api/v1/api-auth/login";

fn file(text: &str) -> Contract {
    Contract::with(&[("/srv/ana/loja.toml", text)]).unwrap()
}

async fn shop_with(text: &str) -> TestEnv {
    TestEnv { contract: file(text), ..TestEnv::new().await }
}

impl App {
    pub async fn meets_lines(&mut self) {
        self.wait_for_word("consent-title").await;
    }

    /// Scrolls to the end of the consent screen. Returns the whole text of this screen.
    pub async fn reads_lines(&mut self, env: &TestEnv) -> String {
        let mut read = self.screen().flat();
        while self.sees(&self.words.text("consent-read-on")) {
            self.press("PgDn").await;
            read.push_str(&self.screen().flat());
        }
        // Wait until the last setting of the API contract is drawn, and then advance the clock. The
        // button is enabled a moment after that.
        self.settle().await;
        env.clock.forward_ms(600);
        read
    }

    /// Agrees to the settings of the API contract, and waits until the vault has stored the
    /// consent.
    pub async fn agrees(&mut self) {
        let stored = self.heard("ConsentStored");
        self.press("Tab Enter").await;
        self.wait_for_another_message("ConsentStored", stored).await;
    }

    async fn agrees_and_logs_in(&mut self, env: &TestEnv) {
        self.meets_lines().await;
        self.reads_lines(env).await;
        self.agrees().await;
        self.log_in().await;
    }

    fn agreements(&self) -> usize {
        self.effects().iter().filter(|effect| matches!(effect, Effect::Agree(_))).count()
    }
}

/// Returns the name of the vault entry in which the consent is stored.
fn entry(env: &TestEnv) -> String {
    format!("contract {} {}", BaseUrl::parse(&env.base_url).unwrap().origin().0, env.profile)
}

fn last_class(one: &Withdrawal) -> Class {
    one.attempts.last().unwrap().end.clone().unwrap().class
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn stolen_login_sends_nothing_before_agreement() {
    let env = shop_with(STOLEN).await;
    let mut app = env.open().await;
    // The consent screen must open before the app sends its first request, which is for the list of
    // domains.
    app.meets_lines().await;
    app.press_at_once(&["Tab", "Tab", "End", "Tab"]).await;
    app.press("Home").await;
    env.clock.forward_ms(60_000);
    app.press("Tab Enter").await;
    app.press("6 L").await;
    app.meets_lines().await;
    let read = app.reads_lines(&env).await;
    for said in [
        "login.field.password.name antes \"password\" agora \"memo\"",
        "a sua senha é enviada com o nome “memo”",
        "este campo é fixo: vai sempre “ladrao@mal.example”",
        "login.field.thief.kind antes não existia agora \"fixed\"",
        "o seu arquivo diz “confirmed”: isso não vale",
    ] {
        assert!(read.contains(said), "{said} in\n{read}");
    }
    assert_eq!(env.tap.requests(), 0, "nothing was sent");
    assert_eq!(app.agreements(), 0);

    // The login screen opens after the seller has agreed. The login request has the fields that the
    // consent screen listed.
    app.agrees().await;
    app.wait_for_word("login-demo").await;
    assert!(env.tap.sent_to(LOGIN).is_empty());
    app.press("Enter").await;
    app.wait_for_message("LoggedIn").await;
    let sent = env.tap.sent_to(LOGIN);
    assert!(sent[0].body.contains("\"memo\":") && sent[0].body.contains("ladrao@"), "{sent:?}");
    app.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn links_in_centavos_send_nothing_before_agreement() {
    let file = "create_link.unit = 'centavos'\ndirect_payment.unit = 'centavos'";
    let env = shop_with(file).await;
    let mut app = env.open().await;
    app.meets_lines().await;
    for keys in ["Esc 1 n", "Esc 4 n", "Esc 2 r", "Esc 3 n"] {
        app.press(keys).await;
        app.meets_lines().await;
    }
    let read = app.reads_lines(&env).await;
    assert!(read.contains("r$ 49,90 é enviado como 4990"), "{read}");
    assert_eq!(env.tap.requests(), 0, "nothing was sent");
    app.close().await;
}

/// If all settings of the API contract fit on the screen, the agree button must be enabled without
/// a key press.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn page_that_fits_wakes_its_button_without_a_key() {
    let env = shop_with(HARMLESS).await;
    let mut app = env.open().await;
    app.meets_lines().await;
    app.wait_until("a live button", |frame| {
        frame.has("Aceitar estas linhas") && !frame.has("( Aceitar estas linhas )")
    })
    .await;
    app.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn client_refuses_lines_not_agreed_to() {
    let env = shop_with(HARMLESS).await;
    let mut app = env.open().await;
    app.agrees_and_logs_in(&env).await;
    app.review(&env, "10000").await;
    // Another instance of the app stores the consent to another API contract. This instance still
    // has the old consent in memory.
    let name = entry(&env);
    let other = file("withdrawal.path = '/api/v1/elsewhere'").lines().stored().unwrap();
    assert!(env.vault.get_text(&name).await.unwrap().is_some(), "this is its name");
    env.vault.put_text(&name, other).await.unwrap();
    app.confirm().await;

    let one = env.only_withdrawal();
    assert_eq!(last_class(&one), Class::NotSent(NotSent::NotAgreed));
    assert_eq!(env.state(&one), "prepared");
    assert!(env.tap.sent_to(WITHDRAWALS).is_empty(), "nothing was sent");

    // The app reads the consent again after the refusal, and shows the consent screen. The
    // withdrawal can be sent after the seller has agreed.
    app.meets_lines().await;
    app.assert_sees_word("consent-why-again");
    let read = app.reads_lines(&env).await;
    assert!(read.contains("antes \"/api/v1/elsewhere\""), "{read}");
    app.agrees().await;
    assert_eq!(app.attempts(), 1, "agreeing sends nothing");
    app.send_again().await;
    app.assert_sees_word("state-accepted");
    assert!(env.paid_once_or_never());
    app.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn agreement_survives_logout_and_restart() {
    let mut env = shop_with(HARMLESS).await;
    let mut app = env.open().await;
    app.agrees_and_logs_in(&env).await;
    app.press("6 O Tab").await;
    env.clock.forward_ms(600);
    app.press("Enter").await;
    app.wait_for_message("LoggedOut").await;
    app.close().await;

    // After a restart with the same profile and API contract, no new consent is needed to send a
    // withdrawal.
    let mut app = env.enter().await;
    app.withdraw(&env, "10000").await;
    app.assert_sees_word("state-accepted");
    assert_eq!(app.agreements(), 0);
    app.close().await;

    // A new setting of the API contract needs a new consent. The screen shows it above the settings
    // that the seller has already agreed to.
    env.contract = file(&format!("{HARMLESS}\nwithdrawal.field.key.label.en = 'Key'"));
    let mut app = env.open().await;
    app.meets_lines().await;
    app.assert_sees_word("consent-news");
    let read = app.reads_lines(&env).await;
    let (news, others) = read.split_once("você já tinha aceitado").unwrap();
    assert!(news.contains("label.en") && !news.contains("label.pt-br"), "{read}");
    assert!(others.contains("label.pt-br"), "{read}");
    app.close().await;

    // A consent is valid only for one profile at one service address. The seller has to agree again
    // if one of these changes.
    env.contract = file(HARMLESS);
    env.profile = "loja-da-bia";
    let mut app = env.open().await;
    app.meets_lines().await;
    app.close().await;
    let env = TestEnv { profile: "demo", ..env }.untapped();
    let mut app = env.open().await;
    app.meets_lines().await;
    app.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn built_in_contract_asks_and_stores_nothing() {
    let (env, mut app) = TestEnv::new().await.entered().await;
    app.withdraw(&env, "10000").await;
    app.assert_sees_word("state-accepted");
    assert_eq!(app.agreements(), 0);
    assert_eq!(env.vault.get_text(&entry(&env)).await.unwrap(), None);
    app.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn window_longer_than_agreed_to_does_not_count() {
    let long = "[withdrawal]\nretention_seconds = 7200\nretention_source = 'https://x'";
    let mut env = TestEnv::new().await;
    let mut app = env.enter().await;
    env.next_withdrawal(Fault::DropAfter);
    app.withdraw(&env, "10000").await;
    app.assert_sees_word("state-unknown");
    app.close().await;

    // Idempotency keys are valid for a longer time in the new API contract file.
    env.contract = file(long);
    env.clock.forward(Duration::from_secs(1_200));
    let mut app = env.open().await;
    app.meets_lines().await;
    // The old API contract's shorter time applies until the seller agrees. The open withdrawal is
    // shown, but cannot be sent again.
    app.press("Esc").await;
    app.wait_for_word("state-needs-person").await;
    app.press("r").await;
    app.settle().await;
    assert_eq!(app.attempts(), 0);
    app.close().await;

    // The longer time applies after the seller has agreed, so the withdrawal can be sent again.
    let mut app = env.open().await;
    app.meets_lines().await;
    app.reads_lines(&env).await;
    app.agrees().await;
    app.wait_for_word("state-unknown").await;
    app.send_again().await;
    app.assert_sees_word("state-accepted");
    assert!(env.paid_once_or_never());
    app.close().await;
}
