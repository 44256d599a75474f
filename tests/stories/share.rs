//! Tests of sharing the demo in the local network. A phone there can open a payment link and pay.

use balcao::demo;
use balcao::sandbox::ShareAddress;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::links::osc52;
use crate::test_env::TestEnv;

/// Sends an HTTP request, as a phone's browser would do. Returns the status and the body of the
/// reply.
async fn phone(address: &str, method: &str, path: &str) -> (String, String) {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let asked = format!("{method} {path} HTTP/1.1\r\nHost: {address}\r\nContent-Length: 0\r\n\r\n");
    stream.write_all(asked.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    (head.split(' ').nth(1).unwrap().to_owned(), body.to_owned())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn phone_pays_shared_link_and_mark_appears_at_once() {
    let env = TestEnv::shared_at("127.0.0.2").await;
    let mut app = env.open().await;
    app.wait_for("Compartilhado em http://127.0.0.2:").await;
    // The screen must say that only this computer can reach the demo, because the demo is shared at
    // a loopback address.
    app.assert_sees("só este computador chega a este endereço");
    app.log_in().await;
    app.press("2").await;
    app.assert_sees("127.0.0.2");
    app.make_link("4990", "Camiseta azul M").await;
    // The URL of a shared demo is copied without a confirmation, because it does not count as
    // unusual.
    app.wait_for_word("said-link-copied-terminal").await;
    let url = env.links()[0].url().unwrap().raw().to_owned();
    assert_eq!(app.written(), osc52(&url));
    app.assert_sees("Só este computador abre esta página");
    let place = url.strip_prefix("http://").unwrap();
    let (address, path) = place.split_at(place.find('/').unwrap());
    assert!(address.starts_with("127.0.0.2:"), "{url}");
    app.press("Q").await;
    app.assert_sees(&url);
    app.press("y").await;
    app.wait_for_another_message("Copied", 1).await;
    assert_eq!(app.written(), osc52(&url));
    app.press("Esc Esc 1").await;
    app.assert_sees_no("✓ pago (sandbox)");

    let (status, page) = phone(address, "GET", path).await;
    assert!(status == "200" && page.contains("R$ 49,90"), "{status}: {page}");
    assert_eq!(phone(address, "POST", path).await.0, "303");
    app.wait_for("✓ pago (sandbox)").await;
    assert_eq!(env.ledger().payments.len(), 1);
    let (_, page) = phone(address, "GET", path).await;
    assert!(page.contains("Pagamento confirmado"), "{page}");
    for (method, path) in [
        ("POST", "/api/v1/api-auth/login"),
        ("POST", "/api/v1/payment-links"),
        ("POST", "/api/v1/integrations/withdrawals"),
        ("GET", "/_sandbox/ledger"),
    ] {
        let nothing = ("404".to_owned(), "404\n".to_owned());
        assert_eq!(phone(address, method, path).await, nothing, "{path}");
    }
    app.close().await;
}

#[test]
fn a_demo_that_is_kept_is_shared_where_it_was_before() {
    let dir = tempfile::tempdir().unwrap();
    let any = ShareAddress::parse("127.0.0.2").unwrap();
    let held = demo::hold(any, Some(dir.path())).unwrap();
    let port = held.address().port();
    drop(held);
    assert_eq!(demo::hold(any, Some(dir.path())).unwrap().address().port(), port);
    // The demo chooses another port if the port of its last run is taken. It never replaces a port
    // that the user has set.
    let other = std::net::TcpListener::bind(("127.0.0.2", port)).unwrap();
    assert_ne!(demo::hold(any, Some(dir.path())).unwrap().address().port(), port);
    drop(other);
    let named = ShareAddress { port: Some(port), ..any };
    assert_eq!(demo::hold(named, Some(dir.path())).unwrap().address().port(), port);
}
