//! Tests that the sandbox refuses requests for other hosts, and requests from web pages of other
//! sites.

use super::*;

/// Returns requests that a web page of another site must not be able to send, because they would do
/// harm.
fn harmful(sandbox: &SandboxServer) -> Vec<String> {
    let login = BankOperation::Login.method_and_path().1;
    let fault = r#"{"operation":"withdrawal","fault":"drop_after","times":1}"#;
    let json = ("Content-Type", "application/json");
    let host = sandbox.address().to_string();
    vec![
        raw("GET", &host, "/_sandbox/ledger", &[], ""),
        raw("POST", &host, "/_sandbox/faults", &[json], fault),
        raw("DELETE", &host, "/_sandbox/faults", &[], ""),
        raw("POST", &host, login, &[json], "{}"),
    ]
}

#[tokio::test]
async fn request_with_another_host_is_refused() {
    let sandbox = started().await;
    let port = sandbox.address().port();
    let (_, checkout) = create_link(&sandbox, "Bolo").await;
    let own = sandbox.address().to_string();
    for name in [
        "evil.example",
        "127.0.0.1.evil.example",
        "localhost.evil.example",
        "evil.localhost",
        "192.168.0.1",
        "0.0.0.0",
        "127.0.0.1, evil.example",
        "127.0.0.1@evil.example",
        "",
    ] {
        for request in harmful(&sandbox) {
            for host in [name.to_owned(), format!("{name}:{port}")] {
                let asked = request.replace(&format!("Host: {own}"), &format!("Host: {host}"));
                assert_eq!(send(&sandbox, &asked).await.status, 421, "{asked}");
            }
        }
        let page = raw("GET", name, &checkout, &[], "");
        assert_eq!(send(&sandbox, &page).await.status, 421, "{name}");
    }
    assert!(sandbox.control().armed().is_empty());
    // A request with two `Host` headers is refused. So is a wrong `Host` header, even if the host
    // in the URL is right.
    let twice = raw("GET", &own, "/_sandbox/ledger", &[("Host", "evil.example")], "");
    assert_eq!(send(&sandbox, &twice).await.status, 421);
    let both = raw("GET", "evil.example", &format!("http://{own}/_sandbox/ledger"), &[], "");
    assert_eq!(send(&sandbox, &both).await.status, 421);
    let none = "GET /_sandbox/ledger HTTP/1.0\r\n\r\n";
    assert_eq!(send(&sandbox, none).await.status, 421);
}

#[tokio::test]
async fn its_own_names_and_those_of_its_shops_are_known() {
    let sandbox = started().await;
    let port = sandbox.address().port();
    for name in ["127.0.0.1", "localhost", "LocalHost.", "[::1]"] {
        for host in [name.to_owned(), format!("{name}:{port}"), format!("{name}:9")] {
            let ledger = raw("GET", &host, "/_sandbox/ledger", &[], "");
            assert_eq!(send(&sandbox, &ledger).await.status, 200, "{host}");
        }
    }
    // The host name of a shop leads only to its checkout pages, not to the paths under
    // `/_sandbox/`.
    let (_, checkout) = create_link(&sandbox, "Bolo").await;
    assert_eq!(send(&sandbox, &raw("GET", SHOP, &checkout, &[], "")).await.status, 200);
    assert_eq!(send(&sandbox, &raw("GET", SHOP, "/_sandbox/ledger", &[], "")).await.status, 421);
}

#[tokio::test]
async fn request_from_another_origin_is_refused() {
    let sandbox = started().await;
    let port = sandbox.address().port();
    let (_, checkout) = create_link(&sandbox, "Bolo").await;
    let mut requests = harmful(&sandbox);
    requests.push(raw("POST", &format!("{SHOP}:{port}"), &checkout, &[], ""));
    for origin in [
        "https://evil.example".to_owned(),
        "null".to_owned(),
        format!("http://127.0.0.1:{}", port.wrapping_add(1)),
        format!("https://127.0.0.1:{port}"),
        "http://127.0.0.1".to_owned(),
        format!("http://atelie-da-ana.localhost:{port}"),
        String::new(),
    ] {
        for request in &requests {
            let asked = request.replacen("\r\n", &format!("\r\nOrigin: {origin}\r\n"), 1);
            assert_eq!(send(&sandbox, &asked).await.status, 403, "{asked}");
        }
    }
    assert!(sandbox.control().armed().is_empty());
    assert!(sandbox.control().ledger().payments.is_empty());
}

#[tokio::test]
async fn its_own_pages_go_on_working() {
    let sandbox = started().await;
    let port = sandbox.address().port();
    let (_, checkout) = create_link(&sandbox, "Bolo").await;
    let host = format!("{SHOP}:{port}");
    let page = send(&sandbox, &raw("GET", &host, &checkout, &[], "")).await;
    // With a stricter policy, the browser would send the page's form with the header `Origin:
    // null`.
    assert_eq!(page.header("referrer-policy"), Some("same-origin"));
    let own = format!("http://{}", host.to_uppercase());
    let paid = send(&sandbox, &raw("POST", &host, &checkout, &[("Origin", &own)], "")).await;
    assert_eq!(paid.status, 303);
    let own = format!("http://localhost:{port}");
    let host = format!("localhost:{port}");
    let ledger = raw("GET", &host, "/_sandbox/ledger", &[("Origin", &own)], "");
    assert_eq!(send(&sandbox, &ledger).await.status, 200);
}

/// The expected proof for `NONCE`, computed with Python's `hmac` module.
const PROOF: &str = "318de7998b57c13258b655fc50994934753c8a2ada81877c50abeb876522ae96";

const NONCE: &str = "00112233445566778899aabbccddeeff";

#[tokio::test]
async fn proof_depends_on_secret_address_and_nonce() {
    let secret = Some("s3cret".to_owned());
    let sandbox = start(Options { secret, ..Options::default() }).await.unwrap();
    let host = sandbox.address().to_string();
    let ask = |nonce: &str| raw("GET", &host, &format!("/_sandbox/proof?nonce={nonce}"), &[], "");
    let got = send(&sandbox, &ask(NONCE)).await;
    assert_eq!((got.status, got.body.len()), (200, 64));
    let at = "127.0.0.1:8787".parse().unwrap();
    assert_eq!(proof::answer("s3cret", NONCE, at).unwrap(), PROOF);
    assert_eq!(got.body, proof::answer("s3cret", NONCE, sandbox.address()).unwrap());
    for other in [&NONCE[1..], "", "zz112233445566778899aabbccddeeff", &"0".repeat(129)] {
        assert_eq!(send(&sandbox, &ask(other)).await.status, 400, "{other}");
    }
    let without = send(&sandbox, &raw("GET", &host, "/_sandbox/proof", &[], "")).await;
    assert_eq!(without.status, 400);
    // A sandbox without a secret cannot prove that it is a sandbox.
    let plain = started().await;
    let host = plain.address().to_string();
    let ask = raw("GET", &host, &format!("/_sandbox/proof?nonce={NONCE}"), &[], "");
    assert_eq!(send(&plain, &ask).await.status, 404);
}
