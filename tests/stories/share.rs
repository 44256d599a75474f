//! Tests of sharing the demo in the local network. A phone there can open a payment link and pay.

use balcao::demo;
use balcao::sandbox::ShareAddress;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::links::osc52;
use crate::test_env::TestEnv;

/// Sends an HTTP request, as a phone's browser would do. Returns the status and the body of the
/// reply.
async fn request_from_phone(address: &str, method: &str, path: &str) -> (String, String) {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let request =
        format!("{method} {path} HTTP/1.1\r\nHost: {address}\r\nContent-Length: 0\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut reply = String::new();
    stream.read_to_string(&mut reply).await.unwrap();
    let (head, body) = reply.split_once("\r\n\r\n").unwrap();
    (head.split(' ').nth(1).unwrap().to_owned(), body.to_owned())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn phone_pays_shared_link_and_mark_appears_at_once() {
    let env = TestEnv::shared_at("127.0.0.2").await;
    let mut app = env.open().await;
    app.wait_for("Compartilhado em http://127.0.0.2:").await;
    // The screen must say that only this computer can reach the demo, because the demo is shared at
    // a loopback address.
    app.assert_shows("só este computador chega a este endereço");
    app.log_in().await;
    app.press("2").await;
    app.assert_shows("127.0.0.2");
    app.create_link("4990", "Camiseta azul M").await;
    // The URL of a shared demo is copied without a confirmation, because it does not count as
    // unusual.
    app.wait_for_localized("said-link-copied-terminal").await;
    let url = env.links()[0].url().unwrap().raw().to_owned();
    assert_eq!(app.take_terminal_output(), osc52(&url));
    app.assert_shows("Só este computador abre esta página");
    let host_and_path = url.strip_prefix("http://").unwrap();
    let (address, path) = host_and_path.split_at(host_and_path.find('/').unwrap());
    assert!(address.starts_with("127.0.0.2:"), "{url}");
    app.press("Q").await;
    app.assert_shows(&url);
    app.press("y").await;
    app.wait_for_another_message("Copied", 1).await;
    assert_eq!(app.take_terminal_output(), osc52(&url));
    app.press("Esc Esc 1").await;
    app.assert_shows_no("✓ pago (sandbox)");

    let (status, page) = request_from_phone(address, "GET", path).await;
    assert!(
        status == "200" && page.contains("R$ 49,90"),
        "{status}: {page}"
    );
    assert_eq!(request_from_phone(address, "POST", path).await.0, "303");
    app.wait_for("✓ pago (sandbox)").await;
    assert_eq!(env.ledger().payments.len(), 1);
    let (_, page) = request_from_phone(address, "GET", path).await;
    assert!(page.contains("Pagamento confirmado"), "{page}");
    for (method, path) in [
        ("POST", "/api/v1/api-auth/login"),
        ("POST", "/api/v1/payment-links"),
        ("POST", "/api/v1/integrations/withdrawals"),
        ("GET", "/_sandbox/ledger"),
    ] {
        let not_found = ("404".to_owned(), "404\n".to_owned());
        assert_eq!(
            request_from_phone(address, method, path).await,
            not_found,
            "{path}"
        );
    }
    app.close().await;
}

#[test]
fn kept_demo_reuses_its_port() {
    let dir = tempfile::tempdir().unwrap();
    let address = ShareAddress::parse("127.0.0.2").unwrap();
    let socket = demo::reserve_share_port(address, Some(dir.path())).unwrap();
    let port = socket.address().port();
    drop(socket);
    assert_eq!(
        demo::reserve_share_port(address, Some(dir.path()))
            .unwrap()
            .address()
            .port(),
        port
    );
    // The demo chooses another port if the port of its last run is taken. It never replaces a port
    // that the user has set.
    let other = std::net::TcpListener::bind(("127.0.0.2", port)).unwrap();
    assert_ne!(
        demo::reserve_share_port(address, Some(dir.path()))
            .unwrap()
            .address()
            .port(),
        port
    );
    drop(other);
    let fixed_port = ShareAddress {
        port: Some(port),
        ..address
    };
    assert_eq!(
        demo::reserve_share_port(fixed_port, Some(dir.path()))
            .unwrap()
            .address()
            .port(),
        port
    );
}
