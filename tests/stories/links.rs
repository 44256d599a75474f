//! Tests checkout domains and payment links, from the form to the buyer's payment.

use balcao::app::Effect;
use balcao::sandbox::{BankOperation, DomainSetup, Fault, Times};
use balcao::trade::{LinkOutcome, PaymentLink};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;

use crate::counter::Counter;
use crate::shop::Shop;

const LINKS: &str = "/api/v1/payment-links";

impl Counter {
    /// Opens the form for a new link, fills it in and submits it.
    pub async fn ask_for_link(&mut self, digits: &str, description: &str) {
        self.press("1 n").await;
        self.fill_in_link(digits, description).await;
    }

    /// Fills in and submits the link form that is already open.
    async fn fill_in_link(&mut self, digits: &str, description: &str) {
        self.type_text(digits).await;
        self.press("Enter").await;
        self.type_text(description).await;
        self.press("Ctrl-S").await;
    }

    /// Creates a link and waits until its details are shown.
    pub async fn make_link(&mut self, digits: &str, description: &str) {
        self.ask_for_link(digits, description).await;
        self.wait_for_word("link-host").await;
    }
}

/// Opens the app with a stored login and a stored JWT. Demo mode is off, because its login would
/// replace the JWT.
async fn seller(shop: &mut Shop) -> Counter {
    let demo = shop.enter().await;
    demo.close().await;
    shop.is_demo = false;
    let mut counter = shop.open().await;
    counter.wait_to_hear("DomainsListed").await;
    counter
}

fn url(link: &PaymentLink) -> &str {
    match &link.outcome {
        LinkOutcome::Created { url } => url.raw(),
        other => panic!("no url: {other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn body_has_domain_only_if_one_is_chosen() {
    let (shop, mut counter) = Shop::new().await.entered().await;
    counter.press("2").await;
    for domain in shop.control.domains() {
        counter.assert_sees(&domain.host);
    }
    counter.make_link("4990", "Camiseta azul M").await;
    counter.press("2 j j Enter").await;
    counter.make_link("14990", "Tênis 42").await;
    // Make the app choose the domain automatically again.
    counter.press("2 g Enter").await;
    counter.make_link("10", "Bala").await;

    let bodies: Vec<_> = shop.tap.sent_to(LINKS).into_iter().map(|sent| sent.body).collect();
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
    let hosts: Vec<_> = shop.ledger().links.into_iter().map(|link| link.host).collect();
    assert_eq!(
        hosts,
        ["loja-da-ana.localhost", "atelie-da-ana.localhost", "loja-da-ana.localhost"]
    );
    counter.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn manual_paid_mark_is_counted_and_survives_restart() {
    let (shop, mut counter) = Shop::new().await.entered().await;
    counter.make_link("4990", "Camiseta azul M").await;
    counter.make_link("14990", "Tênis 42").await;
    counter.press("p").await;
    counter.wait_for_word("said-marked").await;
    counter.wait_for("O serviço não informa").await;
    counter.assert_sees_no("não fica sabendo do pagamento");
    assert_eq!(shop.tap.sent_to(LINKS).len(), 2, "the service hears nothing of it");
    let marks: Vec<bool> = shop.links().iter().map(|link| link.paid.is_some()).collect();
    assert_eq!(marks, [true, false]);
    counter.close().await;

    let mut counter = shop.open().await;
    counter.press("1").await;
    counter.wait_for_word("links-marked").await;
    counter.press("P").await;
    counter.wait_for("sem marca de pago · 1 link · soma R$").await;
    counter.assert_sees("Camiseta azul M");
    counter.assert_sees_no("Tênis 42");
    counter.press("P").await;
    counter.wait_for("Tênis 42").await;
    counter.assert_sees_no("Camiseta azul M");
    counter.press("p").await;
    counter.wait_for("Nenhum link marcado como pago.").await;
    counter.press("P").await;
    counter.wait_for("Camiseta azul M").await;
    counter.assert_sees_no("marcado como pago");
    assert!(shop.links().iter().all(|link| link.paid.is_none()));
    counter.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_buyer_pays_and_it_is_the_sandboxs_word_alone() {
    let (shop, mut counter) = Shop::new().await.entered().await;
    counter.make_link("4990", "Camiseta azul M").await;
    counter.command("Visão do comprador").await;
    counter.wait_for("Pagar R$ 49,90").await;
    counter.assert_sees("loja-da-ana.localhost");
    counter.press("Enter").await;
    counter.wait_for_word("buyer-paid").await;
    counter.wait_to_hear("SandboxLinkPaid").await;
    counter.wait_for("O sandbox diz").await;
    assert_eq!(shop.ledger().payments.len(), 1);
    // The page of a paid link has no pay button, so Enter must not pay a second time.
    counter.press("Enter").await;
    counter.settle().await;
    assert_eq!(shop.ledger().payments.len(), 1);

    counter.press("Esc Esc r").await;
    counter.wait_for("✓ pago (sandbox)").await;
    // Only a sandbox reports payments, so the history does not store them.
    assert!(matches!(shop.links()[0].outcome, LinkOutcome::Created { .. }));
    counter.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn refusal_without_domain_is_quoted_with_a_way_out() {
    let (shop, mut counter) = Shop::new().await.entered().await;
    counter.command("desativar os domínios").await;
    counter.wait_for_word("said-domains-down").await;
    counter.ask_for_link("4990", "Camiseta azul M").await;
    counter.wait_for("Domínio de checkout obrigatório.").await;
    counter.assert_sees("Conecte um domínio próprio ativo a uma de suas lojas para criar links");
    counter.assert_sees_word("new-link-domain-how");
    counter.assert_sees_word("new-link-domain-other");
    counter.assert_sees("Camiseta azul M");
    assert!(shop.ledger().links.is_empty());
    assert!(matches!(&shop.links()[0].outcome, LinkOutcome::Refused(refusal)
        if refusal.status == 400 && refusal.hint.is_some()));

    // Make the domain available again. The form still contains everything that was typed.
    shop.control.set_domain("loja-da-ana.localhost", DomainSetup::Active).unwrap();
    counter.press("Ctrl-S").await;
    counter.wait_for_word("link-host").await;
    assert_eq!(shop.ledger().links.len(), 1);
    let bodies: Vec<_> = shop.tap.sent_to(LINKS).into_iter().map(|sent| sent.body).collect();
    assert_eq!(bodies[0], bodies[1]);
    counter.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn refused_jwt_is_replaced_and_link_requested_again() {
    let mut shop = Shop::new().await;
    let mut counter = seller(&mut shop).await;
    shop.control.expire_tokens().unwrap();
    counter.ask_for_link("4990", "Camiseta azul M").await;
    counter.wait_for_word("jwt-title").await;
    counter.assert_sees("Token expirado. Faça login novamente.");
    assert!(matches!(&shop.links()[0].outcome, LinkOutcome::Refused(refusal)
        if refusal.status == 401));
    let fresh = shop.control.jwt().unwrap();
    counter.paste(&format!("{fresh}\n")).await;
    counter.settle().await;
    assert_eq!(counter.heard("JwtKept"), 0, "a paste does not submit");
    counter.press("Enter").await;
    counter.wait_for_word("said-jwt-kept").await;
    counter.assert_sees("Camiseta azul M");
    counter.assert_sees("49,90");
    counter.press("Ctrl-S").await;
    counter.wait_for_word("link-host").await;
    assert_eq!(shop.ledger().links.len(), 1);
    assert!(!counter.everything_said().contains(&fresh));
    let model = counter.close().await;
    assert!(!format!("{model:?}").contains(&fresh));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn jwt_is_requested_with_first_link_outside_demo() {
    let mut shop = Shop::new().await;
    shop.is_demo = false;
    let mut counter = shop.open().await;
    counter.types_login().await;
    counter.press("1 n").await;
    counter.wait_for_word("jwt-title").await;
    // If the pasted text is not a JWT, the screen refuses it and stays open.
    counter.paste("xy").await;
    counter.press("Enter").await;
    counter.wait_for("Isto não é um JWT").await;
    counter.press("Backspace Backspace").await;
    counter.paste(&shop.control.jwt().unwrap()).await;
    counter.press("Enter").await;
    counter.wait_for_word("said-jwt-kept").await;
    counter.fill_in_link("4990", "Camiseta azul M").await;
    counter.wait_for_word("link-host").await;
    assert_eq!(shop.tap.sent_to(LINKS).len(), 1);
    counter.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unanswered_link_is_unknown_and_not_repeated() {
    let (shop, mut counter) = Shop::new().await.entered().await;
    shop.control.arm(Fault::DropAfter, BankOperation::CreateLink, Times::Next(1)).unwrap();
    counter.ask_for_link("4990", "Camiseta azul M").await;
    counter.wait_to_hear("LinkMade").await;
    counter.assert_sees("Camiseta azul M");
    assert_eq!(shop.ledger().links.len(), 1);
    assert_eq!(shop.links()[0].outcome, LinkOutcome::Unknown);
    assert_eq!(shop.tap.sent_to(LINKS).len(), 1);
    counter.press("Esc Tab Enter").await;
    counter.wait_for_word("links-unknown").await;
    counter.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hostile_url_never_reaches_terminal_or_clipboard() {
    let (shop, mut counter) = Shop::new().await.entered().await;
    let hostile = "http://loja-da-ana.localhost/\u{1b}]52;c;ZXZpbA==\u{7}\u{202e}x";
    let answer = |url: &str| Fault::Answer {
        status: 201,
        body: Some(serde_json::json!({ "url": url }).to_string()),
        content_type: None,
        bank_acts: false,
    };
    shop.control.arm(answer(hostile), BankOperation::CreateLink, Times::Next(1)).unwrap();
    counter.make_link("4990", "Camiseta").await;
    let shown = counter.screen().text();
    assert!(!shown.contains(['\u{1b}', '\u{7}', '\u{202e}']), "{shown:?}");
    counter.press("y Y o Q").await;
    counter.settle().await;
    assert_eq!(counter.written(), b"");
    assert!(!counter.effects().iter().any(|e| matches!(e, Effect::Copy(..) | Effect::Browse(_))));
    assert_eq!(url(&shop.links()[0]), hostile, "kept byte for byte all the same");

    // An unusual URL, such as one with a user name and password, is copied unchanged after the user
    // has confirmed.
    let odd = "http://ana:doce@198.51.100.7/checkout/link-x";
    shop.control.arm(answer(odd), BankOperation::CreateLink, Times::Next(1)).unwrap();
    counter.make_link("4990", "Boné").await;
    counter.press("y").await;
    counter.assert_sees_word("odd-user-info");
    counter.press("Enter").await;
    counter.settle().await;
    assert_eq!(counter.written(), b"");
    counter.press("y Tab Enter").await;
    counter.wait_for_copy_of("clip-address").await;
    assert_eq!(counter.written(), osc52(odd));
    counter.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hidden_characters_in_description_are_not_shown() {
    let (_shop, mut counter) = Shop::new().await.entered().await;
    counter.press("n").await;
    counter.type_text("4990").await;
    counter.press("Enter").await;
    counter.paste("Boné \u{202e}lauza\u{200b}\u{1b}[31m\n\n").await;
    assert_eq!(counter.heard("LinkMade"), 0);
    let form = counter.screen().text();
    counter.press("Ctrl-S").await;
    counter.wait_for_word("link-host").await;
    let link = counter.screen().text();
    counter.press("Esc").await;
    let list = counter.screen().text();
    for screen in [form, link, list] {
        assert!(!screen.contains(['\u{202e}', '\u{200b}', '\u{1b}']), "{screen:?}");
    }
    counter.close().await;
}

pub fn osc52(text: &str) -> Vec<u8> {
    format!("\x1b]52;c;{}\x1b\\", BASE64_STANDARD.encode(text)).into_bytes()
}
