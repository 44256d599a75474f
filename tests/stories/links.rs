//! Tests of checkout domains and payment links, from filling in the form to the buyer's payment.

use balcao::app::Effect;
use balcao::sandbox::{BankOperation, DomainSetup, Fault, Times};
use balcao::trade::{CreatedLink, LinkOutcome, PaidSource, PaymentLink};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;

use crate::app::App;
use crate::test_env::TestEnv;

const LINKS: &str = "/api/v1/payment-links";

impl App {
    /// Opens the form for a payment link, fills it in and submits it.
    pub async fn request_link(&mut self, digits: &str, description: &str) {
        self.press("1 n").await;
        self.fill_in_link(digits, description).await;
    }

    /// Fills in the open form for a payment link, and submits it.
    pub async fn fill_in_link(&mut self, digits: &str, description: &str) {
        self.type_text(digits).await;
        self.press("Enter").await;
        self.type_text(description).await;
        self.press("Ctrl-S").await;
    }

    /// Creates a payment link, and waits until the screen shows its details.
    pub async fn create_link(&mut self, digits: &str, description: &str) {
        self.request_link(digits, description).await;
        self.wait_for_localized("link-host").await;
    }
}

/// Opens the app with a stored login and JWT. The app does not run as a demo, because a demo's
/// login would replace the JWT.
async fn open_as_seller(env: &mut TestEnv) -> App {
    let demo = env.open_logged_in().await;
    demo.close().await;
    env.is_demo = false;
    let mut app = env.open().await;
    app.wait_for_message("DomainsListed").await;
    app
}

fn created_url(link: &PaymentLink) -> &str {
    match &link.outcome {
        LinkOutcome::Created(CreatedLink { url }) => url.raw(),
        other => panic!("no url: {other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn body_has_domain_only_if_one_is_chosen() {
    let (env, mut app) = TestEnv::new().await.into_logged_in().await;
    app.press("2").await;
    for domain in env.control.domains() {
        app.assert_shows(&domain.host);
    }
    app.create_link("4990", "Camiseta azul M").await;
    app.press("2 j j Enter").await;
    app.create_link("14990", "Tênis 42").await;
    // Reset the choice of domain. The app then chooses the domain automatically again.
    app.press("2 g Enter").await;
    app.create_link("10", "Bala").await;

    let bodies: Vec<_> = env
        .proxy
        .requests_to(LINKS)
        .into_iter()
        .map(|sent| sent.body)
        .collect();
    let chosen = concat!(
        r#"{"amount":149.90,"description":"Tênis 42","#,
        r#""checkoutDomain":"atelie-da-ana.localhost"}"#
    );
    assert_eq!(
        bodies,
        [
            r#"{"amount":49.90,"description":"Camiseta azul M"}"#,
            chosen,
            r#"{"amount":0.10,"description":"Bala"}"#
        ]
    );
    let hosts: Vec<_> = env
        .ledger()
        .links
        .into_iter()
        .map(|link| link.host)
        .collect();
    assert_eq!(
        hosts,
        [
            "loja-da-ana.localhost",
            "atelie-da-ana.localhost",
            "loja-da-ana.localhost"
        ]
    );
    app.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn manual_paid_mark_is_counted_and_survives_restart() {
    let (env, mut app) = TestEnv::new().await.into_logged_in().await;
    app.create_link("4990", "Camiseta azul M").await;
    app.create_link("14990", "Tênis 42").await;
    app.press("p").await;
    app.wait_for_localized("said-marked").await;
    app.wait_for("O serviço não informa").await;
    app.assert_shows_no("não avisa quando pagam");
    assert_eq!(
        env.proxy.requests_to(LINKS).len(),
        2,
        "the service hears nothing of it"
    );
    let marks: Vec<bool> = env.links().iter().map(|link| link.paid.is_some()).collect();
    assert_eq!(marks, [true, false]);
    app.close().await;

    let mut app = env.open().await;
    app.press("1").await;
    app.wait_for_localized("links-marked").await;
    app.press("P").await;
    app.wait_for("não marcados como pagos · 1 link · total R$")
        .await;
    app.assert_shows("Camiseta azul M");
    app.assert_shows_no("Tênis 42");
    app.press("P").await;
    app.wait_for("Tênis 42").await;
    app.assert_shows_no("Camiseta azul M");
    app.press("p").await;
    app.wait_for("Nenhum link marcado como pago.").await;
    app.press("P").await;
    app.wait_for("Camiseta azul M").await;
    app.assert_shows_no("marcado como pago");
    assert!(env.links().iter().all(|link| link.paid.is_none()));
    app.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn buyer_payment_is_marked_as_sandbox_payment() {
    let (env, mut app) = TestEnv::new().await.into_logged_in().await;
    app.create_link("4990", "Camiseta azul M").await;
    app.run_command("Visão do comprador").await;
    app.wait_for("Pagar R$ 49,90").await;
    app.assert_shows("loja-da-ana.localhost");
    app.press("Enter").await;
    app.wait_for_localized("buyer-paid").await;
    app.wait_for_message("SandboxPaymentsRecorded").await;
    app.wait_for("✓ Um comprador pagou R$ 49,90").await;
    assert_eq!(env.ledger().payments.len(), 1);
    // Enter must not pay again, because the checkout page of a paid link has no pay button.
    app.press("Enter").await;
    app.settle().await;
    assert_eq!(env.ledger().payments.len(), 1);

    app.press("Esc Esc").await;
    app.wait_for("✓ pago (sandbox)").await;
    // The totals, the filter and the search must also treat the link as paid.
    app.wait_for("✓ tudo pago").await;
    app.press("P").await;
    app.wait_for("Todos os links já estão marcados").await;
    app.press("P").await;
    app.wait_for("✓ pagos · 1 link").await;
    app.press("Esc / p a g o Enter").await;
    app.wait_for("1 link · total R$ 49,90 · ✓ pagos R$ 49,90")
        .await;
    assert_eq!(
        env.links()[0].paid.map(|paid| paid.source),
        Some(PaidSource::Sandbox)
    );
    app.close().await;
}

/// A note and a put-away link stay on this computer. The link comes back when a buyer pays it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn paid_link_comes_back_from_the_put_away_ones() {
    let (env, mut app) = TestEnv::new().await.into_logged_in().await;
    app.create_link("4990", "Camiseta azul M").await;
    app.press("b").await;
    app.wait_for_localized("note-title").await;
    app.type_text("Ana, retirada sexta").await;
    app.press("Enter").await;
    app.wait_for_localized("said-noted").await;
    app.assert_shows("Ana, retirada sexta");
    app.press("X").await;
    app.wait_for("Guardar este link?").await;
    app.press("Tab Enter").await;
    app.wait_for("Guardado. A mostra os guardados.").await;
    app.press("Esc").await;
    app.wait_for_localized("links-empty-title").await;
    app.press("A").await;
    app.wait_for("guardados · 1 link · total R$ 49,90").await;
    app.press("/").await;
    app.type_text("sexta").await;
    app.press("Enter").await;
    app.wait_for("guardados · 1 link · total R$ 49,90").await;
    assert!(env.links().is_empty(), "it is not in the list");
    let sent = &env.proxy.requests_to(LINKS)[0].body;
    assert!(!sent.contains("Ana"), "{sent}");
    env.control.pay_link(&env.ledger().links[0].url).unwrap();
    app.wait_for_message("SandboxPaymentsRecorded").await;
    app.press("Esc").await;
    app.wait_for("Nenhum link guardado").await;
    app.press("A").await;
    app.wait_for("✓ pago (sandbox)").await;
    assert!(env.links()[0].put_away.is_none());
    app.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn missing_domain_refusal_shows_a_way_out() {
    let (env, mut app) = TestEnv::new().await.into_logged_in().await;
    app.run_command("desativar os domínios").await;
    app.wait_for_localized("said-domains-down").await;
    app.request_link("4990", "Camiseta azul M").await;
    app.wait_for("Domínio de checkout obrigatório.").await;
    app.assert_shows("Conecte um domínio próprio ativo a uma de suas lojas para criar links");
    app.assert_shows_localized("new-link-domain-how");
    app.assert_shows_localized("new-link-domain-other");
    app.assert_shows("Camiseta azul M");
    assert!(env.ledger().links.is_empty());
    assert!(
        matches!(&env.links()[0].outcome, LinkOutcome::Refused(refusal)
        if refusal.status == 400 && refusal.hint.is_some())
    );

    // Activate the domain again, and submit the form. The form still contains all of the typed
    // text.
    env.control
        .set_domain("loja-da-ana.localhost", DomainSetup::Active)
        .unwrap();
    app.press("Ctrl-S").await;
    app.wait_for_localized("link-host").await;
    assert_eq!(env.ledger().links.len(), 1);
    let bodies: Vec<_> = env
        .proxy
        .requests_to(LINKS)
        .into_iter()
        .map(|sent| sent.body)
        .collect();
    assert_eq!(bodies[0], bodies[1]);
    app.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn refused_jwt_is_replaced_and_link_requested_again() {
    let mut env = TestEnv::new().await;
    let mut app = open_as_seller(&mut env).await;
    env.control.expire_tokens().unwrap();
    app.request_link("4990", "Camiseta azul M").await;
    app.wait_for_localized("jwt-title").await;
    app.assert_shows("Token expirado. Faça login novamente.");
    assert!(
        matches!(&env.links()[0].outcome, LinkOutcome::Refused(refusal)
        if refusal.status == 401)
    );
    let fresh = env.control.jwt().unwrap();
    app.paste(&format!("{fresh}\n")).await;
    app.settle().await;
    assert_eq!(app.message_count("JwtKept"), 0, "a paste does not submit");
    app.press("Enter").await;
    app.wait_for_localized("said-jwt-kept").await;
    app.assert_shows("Camiseta azul M");
    app.assert_shows("49,90");
    app.press("Ctrl-S").await;
    app.wait_for_localized("link-host").await;
    assert_eq!(env.ledger().links.len(), 1);
    assert!(!app.recorded_messages_and_effects().contains(&fresh));
    let model = app.close().await;
    assert!(!format!("{model:?}").contains(&fresh));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn jwt_is_requested_with_first_link_outside_demo() {
    let mut env = TestEnv::new().await;
    env.is_demo = false;
    let mut app = env.open().await;
    app.type_login().await;
    app.press("1 n").await;
    app.wait_for_localized("jwt-title").await;
    // The app must refuse pasted text that is not a JWT, and the JWT screen must stay open.
    app.paste("xy").await;
    app.press("Enter").await;
    app.wait_for("Isto não é um JWT").await;
    app.press("Backspace Backspace").await;
    app.paste(&env.control.jwt().unwrap()).await;
    app.press("Enter").await;
    app.wait_for_localized("said-jwt-kept").await;
    app.fill_in_link("4990", "Camiseta azul M").await;
    app.wait_for_localized("link-host").await;
    assert_eq!(env.proxy.requests_to(LINKS).len(), 1);
    app.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unanswered_link_is_unknown_and_not_repeated() {
    let (env, mut app) = TestEnv::new().await.into_logged_in().await;
    env.control
        .arm(Fault::DropAfter, BankOperation::CreateLink, Times::Next(1))
        .unwrap();
    app.request_link("4990", "Camiseta azul M").await;
    app.wait_for_message("LinkMade").await;
    app.assert_shows("Camiseta azul M");
    assert_eq!(env.ledger().links.len(), 1);
    assert_eq!(env.links()[0].outcome, LinkOutcome::Unknown);
    assert_eq!(env.proxy.requests_to(LINKS).len(), 1);
    app.press("Esc Tab Enter").await;
    app.wait_for_localized("links-unknown").await;
    app.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hostile_url_never_reaches_terminal_or_clipboard() {
    let (env, mut app) = TestEnv::new().await.into_logged_in().await;
    let hostile = "http://loja-da-ana.localhost/\u{1b}]52;c;ZXZpbA==\u{7}\u{202e}x";
    let reply_with_url = |url: &str| Fault::Answer {
        status: 201,
        body: Some(serde_json::json!({ "url": url }).to_string()),
        content_type: None,
        bank_acts: false,
    };
    env.control
        .arm(
            reply_with_url(hostile),
            BankOperation::CreateLink,
            Times::Next(1),
        )
        .unwrap();
    app.create_link("4990", "Camiseta").await;
    let screen_text = app.screen().text();
    assert!(
        !screen_text.contains(['\u{1b}', '\u{7}', '\u{202e}']),
        "{screen_text:?}"
    );
    app.press("y Y o Q").await;
    app.settle().await;
    assert_eq!(app.take_terminal_output(), b"");
    assert!(
        !app.effects()
            .iter()
            .any(|e| matches!(e, Effect::Copy(..) | Effect::Browse(_)))
    );
    assert_eq!(
        created_url(&env.links()[0]),
        hostile,
        "kept byte for byte all the same"
    );

    // An unusual URL, for example with a user name and a password, is copied only after the user
    // has confirmed. It is copied unchanged.
    let unusual_url = "http://ana:doce@198.51.100.7/checkout/link-x";
    env.control
        .arm(
            reply_with_url(unusual_url),
            BankOperation::CreateLink,
            Times::Next(1),
        )
        .unwrap();
    app.create_link("4990", "Boné").await;
    app.press("y").await;
    app.assert_shows_localized("odd-user-info");
    app.press("Enter").await;
    app.settle().await;
    assert_eq!(app.take_terminal_output(), b"");
    app.press("y Tab Enter").await;
    app.wait_for_copy_notice("clip-address").await;
    assert_eq!(app.take_terminal_output(), osc52(unusual_url));
    app.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hidden_characters_in_description_are_not_shown() {
    let (_env, mut app) = TestEnv::new().await.into_logged_in().await;
    app.press("n").await;
    app.type_text("4990").await;
    app.press("Enter").await;
    app.paste("Boné \u{202e}lauza\u{200b}\u{1b}[31m\n\n").await;
    assert_eq!(app.message_count("LinkMade"), 0);
    let form = app.screen().text();
    app.press("Ctrl-S").await;
    app.wait_for_localized("link-host").await;
    let link = app.screen().text();
    app.press("Esc").await;
    let list = app.screen().text();
    for screen in [form, link, list] {
        assert!(
            !screen.contains(['\u{202e}', '\u{200b}', '\u{1b}']),
            "{screen:?}"
        );
    }
    app.close().await;
}

pub fn osc52(text: &str) -> Vec<u8> {
    format!("\x1b]52;c;{}\x1b\\", BASE64_STANDARD.encode(text)).into_bytes()
}
