//! Tests of the login: success, refusal, stored credentials, and logging out.

use balcao::app::store::session::Credential;
use balcao::trade::{VaultKind, VaultTrouble};

use crate::guarded_vault::open_guarded_vault;
use crate::test_env::{PASSWORD, TestEnv};

const LOGIN: &str = "/api/v1/api-auth/login";

fn login_body(password: &str) -> String {
    let password = serde_json::to_string(password).unwrap();
    format!(r#"{{"email":"ana@loja-da-ana.example","password":{password}}}"#)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_demo_logs_in_with_one_key() {
    let env = TestEnv::new().await;
    let mut app = env.open().await;
    app.wait_for("ana@loja-da-ana.example").await;
    app.assert_shows_no(PASSWORD);
    app.log_in().await;

    let sent = env.proxy.requests_to(LOGIN);
    assert_eq!(sent.len(), 1);
    assert_eq!(sent[0].body, login_body(PASSWORD));
    assert_eq!(sent[0].header("authorization"), None);
    app.assert_shows_localized("state-in");
    let model = app.close().await;
    assert!(model.session.is_logged_in() && model.layers.is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn refused_password_stays_in_the_form() {
    let env = TestEnv::new().await;
    let mut app = env.open().await;
    app.wait_for("ana@loja-da-ana.example").await;
    app.press("Shift-Tab x Enter").await;
    app.wait_for("E-mail ou senha incorretos.").await;
    app.assert_shows("ana@loja-da-ana.example");
    assert_eq!(env.control.armed(), []);

    // The form still contains the password after the refusal. The password has one wrong character
    // at its end, so deleting this character is enough.
    app.press("Backspace Enter").await;
    app.wait_for_localized("said-logged-in").await;
    let bodies: Vec<_> = env
        .proxy
        .requests_to(LOGIN)
        .into_iter()
        .map(|sent| sent.body)
        .collect();
    assert_eq!(
        bodies,
        [login_body(&format!("{PASSWORD}x")), login_body(PASSWORD)]
    );
    app.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_secret_is_ever_in_the_app_or_on_the_screen() {
    let (env, mut app) = TestEnv::new().await.into_logged_in().await;
    let recorded = app.recorded_messages_and_effects();
    let token = {
        let domains = env
            .proxy
            .requests_to("/api/v1/payment-links/available-domains");
        let jwt = domains[0].header("authorization").unwrap().to_owned();
        app.press("3 n").await;
        app.type_text("10000").await;
        app.wait_for("97,95").await;
        let preview = env
            .proxy
            .requests_to("/api/v1/withdrawals/fee-preview?amount=100.00");
        [jwt, preview[0].header("authorization").unwrap().to_owned()]
    };
    app.press("Esc Tab Enter 5").await;
    app.wait_for_localized("operation-login").await;
    // Open the details of each recorded HTTP request, and collect the texts of these screens.
    let mut screens = app.screen().text();
    for _ in 0..4 {
        app.press("Enter").await;
        screens += &app.screen().text();
        app.press("PgDn").await;
        screens += &app.screen().text();
        app.press("Esc j").await;
    }
    let recorded = recorded + &app.recorded_messages_and_effects();
    let model = format!("{:#?}", app.close().await);
    assert!(model.contains("api-auth/login") && model.contains("fee-preview"));
    for secret in [
        PASSWORD,
        &token[0]["Bearer ".len()..],
        &token[1]["Bearer ".len()..],
    ] {
        assert!(secret.len() > 10);
        for part in [secret, &secret[secret.len() - 10..]] {
            assert!(!model.contains(part), "the model knows {part}");
            assert!(
                !recorded.contains(part),
                "a message or an effect holds {part}"
            );
            assert!(!screens.contains(part), "the screen shows {part}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn restart_keeps_login_and_asks_nothing() {
    let (env, app) = TestEnv::new().await.into_logged_in().await;
    app.close().await;

    let app = env.open().await;
    app.assert_shows_localized("state-in");
    let model = app.close().await;
    assert!(model.session.is_logged_in() && model.layers.is_empty());
    assert_eq!(env.proxy.requests_to(LOGIN).len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn logout_survives_restart_and_login_works_again() {
    let mut env = TestEnv::new().await;
    env.is_demo = false;
    let mut app = env.open().await;
    app.type_login().await;
    app.press("6 O").await;
    // Enter does not log out, because the button that goes back has the focus.
    app.press("Enter").await;
    app.settle().await;
    app.assert_shows_localized("state-no-jwt");
    app.press("O Tab Enter").await;
    app.wait_for("Só quer olhar?").await;
    app.assert_shows_localized("state-out");
    let model = app.close().await;
    assert_eq!(model.session.api_token, Credential::Absent);

    let mut app = env.open().await;
    app.type_login().await;
    assert!(app.close().await.session.is_logged_in());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn demo_logs_in_again_with_one_key_and_links_work() {
    let (env, mut app) = TestEnv::new().await.into_logged_in().await;
    app.press("6 O Tab Enter").await;
    app.wait_for_message("LoggedOut").await;
    app.assert_shows_localized("state-out");
    // If the user edits the login form and leaves it with Esc, the form must contain the demo's
    // login again when it is opened again.
    app.press("Shift-Tab x Esc Tab Enter L").await;
    app.log_in().await;
    assert_eq!(env.proxy.requests_to(LOGIN).len(), 2);
    app.create_link("4990", "Camiseta azul M").await;
    let model = app.close().await;
    assert!(matches!(&model.session.jwt, Credential::Stored(held) if held.from_demo));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn missing_keyring_is_shown_early_and_memory_offered() {
    for (hangs, message_id) in [(false, "keeper-absent"), (true, "keeper-hangs")] {
        let mut env = TestEnv::new().await;
        env.is_demo = false;
        env.vault = open_guarded_vault(VaultKind::Keyring, move |_| {
            if hangs {
                loop {
                    std::thread::park();
                }
            }
            Err(VaultTrouble::Absent)
        });
        let mut app = env.open().await;
        app.wait_for_localized(message_id).await;
        app.type_text("ana@loja-da-ana.example").await;
        app.press("Enter").await;
        app.type_text(PASSWORD).await;
        app.press("Enter").await;
        app.assert_shows_localized("ask-use-memory.title");
        // Enter sends nothing, because the button that goes back has the focus.
        app.press("Enter").await;
        app.settle().await;
        assert!(env.proxy.requests_to(LOGIN).is_empty());
        let reads = app.message_count("CredentialsRead");
        app.press("Enter Tab Enter").await;
        app.wait_for_another_message("CredentialsRead", reads).await;
        app.press("Enter").await;
        app.wait_for_localized("said-logged-in").await;
        if hangs {
            // The keyring hangs, so the app cannot read from it whether there was a journal before.
            // The app must therefore not create a new journal.
            app.press("3").await;
            app.wait_for_localized("journal-maybe-missing").await;
            app.press("n").await;
            assert!(!env.journal_dir().join("money.db").exists());
        } else {
            app.withdraw(&env, "10000").await;
            app.assert_shows_localized("state-accepted");
        }
        app.close().await;
    }
}
