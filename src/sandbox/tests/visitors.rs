//! Tests that the sandbox refuses requests for other hosts, and requests from web pages of other
//! sites.

use super::*;
use crate::local_server::proof::compute_proof;

/// Requests that a web page of another site must not be able to send, because they would do harm.
fn harmful_requests(sandbox: &SandboxServer) -> Vec<String> {
    let login = BankOperation::Login.method_and_path().1;
    let fault = r#"{"operation":"withdrawal","fault":"drop_after","times":1}"#;
    let json = ("Content-Type", "application/json");
    let host = sandbox.address().to_string();
    vec![
        http_request("GET", &host, "/_sandbox/ledger", &[], ""),
        http_request("POST", &host, "/_sandbox/faults", &[json], fault),
        http_request("DELETE", &host, "/_sandbox/faults", &[], ""),
        http_request("POST", &host, login, &[json], "{}"),
    ]
}

#[tokio::test]
async fn request_with_another_host_is_refused() {
    let sandbox = start_sandbox().await;
    let port = sandbox.address().port();
    let (_, checkout) = create_link(&sandbox, "Bolo").await;
    let own_host = sandbox.address().to_string();
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
        for request in harmful_requests(&sandbox) {
            for host in [name.to_owned(), format!("{name}:{port}")] {
                let forged_request =
                    request.replace(&format!("Host: {own_host}"), &format!("Host: {host}"));
                assert_eq!(
                    send(&sandbox, &forged_request).await.status,
                    421,
                    "{forged_request}"
                );
            }
        }
        let page = http_request("GET", name, &checkout, &[], "");
        assert_eq!(send(&sandbox, &page).await.status, 421, "{name}");
    }
    assert!(sandbox.control().armed().is_empty());
    // A request with two `Host` headers is refused. So is a wrong `Host` header, even if the host
    // in the URL is right.
    let two_host_headers = http_request(
        "GET",
        &own_host,
        "/_sandbox/ledger",
        &[("Host", "evil.example")],
        "",
    );
    assert_eq!(send(&sandbox, &two_host_headers).await.status, 421);
    let wrong_host_header = http_request(
        "GET",
        "evil.example",
        &format!("http://{own_host}/_sandbox/ledger"),
        &[],
        "",
    );
    assert_eq!(send(&sandbox, &wrong_host_header).await.status, 421);
    let without_host = "GET /_sandbox/ledger HTTP/1.0\r\n\r\n";
    assert_eq!(send(&sandbox, without_host).await.status, 421);
}

#[tokio::test]
async fn own_host_names_and_shop_hosts_are_accepted() {
    let sandbox = start_sandbox().await;
    let port = sandbox.address().port();
    for name in ["127.0.0.1", "localhost", "LocalHost.", "[::1]"] {
        for host in [
            name.to_owned(),
            format!("{name}:{port}"),
            format!("{name}:9"),
        ] {
            let ledger = http_request("GET", &host, "/_sandbox/ledger", &[], "");
            assert_eq!(send(&sandbox, &ledger).await.status, 200, "{host}");
        }
    }
    // The host name of a shop leads only to its checkout pages, not to the paths under
    // `/_sandbox/`.
    let (_, checkout) = create_link(&sandbox, "Bolo").await;
    assert_eq!(
        send(
            &sandbox,
            &http_request("GET", SHOP_HOST, &checkout, &[], "")
        )
        .await
        .status,
        200
    );
    assert_eq!(
        send(
            &sandbox,
            &http_request("GET", SHOP_HOST, "/_sandbox/ledger", &[], "")
        )
        .await
        .status,
        421
    );
}

#[tokio::test]
async fn request_from_another_origin_is_refused() {
    let sandbox = start_sandbox().await;
    let port = sandbox.address().port();
    let (_, checkout) = create_link(&sandbox, "Bolo").await;
    let mut requests = harmful_requests(&sandbox);
    requests.push(http_request(
        "POST",
        &format!("{SHOP_HOST}:{port}"),
        &checkout,
        &[],
        "",
    ));
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
            let forged_request = request.replacen("\r\n", &format!("\r\nOrigin: {origin}\r\n"), 1);
            assert_eq!(
                send(&sandbox, &forged_request).await.status,
                403,
                "{forged_request}"
            );
        }
    }
    assert!(sandbox.control().armed().is_empty());
    assert!(sandbox.control().ledger().payments.is_empty());
}

#[tokio::test]
async fn request_from_own_origin_is_accepted() {
    let sandbox = start_sandbox().await;
    let port = sandbox.address().port();
    let (_, checkout) = create_link(&sandbox, "Bolo").await;
    let host = format!("{SHOP_HOST}:{port}");
    let page = send(&sandbox, &http_request("GET", &host, &checkout, &[], "")).await;
    // With a stricter policy, the browser would send the page's form with the header `Origin:
    // null`, and the sandbox would refuse it.
    assert_eq!(page.header("referrer-policy"), Some("same-origin"));
    let origin = format!("http://{}", host.to_uppercase());
    let paid = send(
        &sandbox,
        &http_request("POST", &host, &checkout, &[("Origin", &origin)], ""),
    )
    .await;
    assert_eq!(paid.status, 303);
    let origin = format!("http://localhost:{port}");
    let host = format!("localhost:{port}");
    let ledger = http_request("GET", &host, "/_sandbox/ledger", &[("Origin", &origin)], "");
    assert_eq!(send(&sandbox, &ledger).await.status, 200);
}

/// The expected proof for `NONCE`, computed with Python's `hmac` module.
const PROOF: &str = "318de7998b57c13258b655fc50994934753c8a2ada81877c50abeb876522ae96";

const NONCE: &str = "00112233445566778899aabbccddeeff";

#[tokio::test]
async fn proof_depends_on_secret_address_and_nonce() {
    let secret = Some("s3cret".to_owned());
    let sandbox = start(Options {
        secret,
        ..Options::default()
    })
    .await
    .unwrap();
    let host = sandbox.address().to_string();
    let proof_request = |nonce: &str| {
        http_request(
            "GET",
            &host,
            &format!("/_sandbox/proof?nonce={nonce}"),
            &[],
            "",
        )
    };
    let response = send(&sandbox, &proof_request(NONCE)).await;
    assert_eq!((response.status, response.body.len()), (200, 64));
    let address = "127.0.0.1:8787".parse().unwrap();
    assert_eq!(compute_proof("s3cret", NONCE, address).unwrap(), PROOF);
    assert_eq!(
        response.body,
        compute_proof("s3cret", NONCE, sandbox.address()).unwrap()
    );
    for invalid_nonce in [
        &NONCE[1..],
        "",
        "zz112233445566778899aabbccddeeff",
        &"0".repeat(129),
    ] {
        assert_eq!(
            send(&sandbox, &proof_request(invalid_nonce)).await.status,
            400,
            "{invalid_nonce}"
        );
    }
    let without_nonce = send(
        &sandbox,
        &http_request("GET", &host, "/_sandbox/proof", &[], ""),
    )
    .await;
    assert_eq!(without_nonce.status, 400);
    // A sandbox without a secret cannot prove that it is a sandbox.
    let without_secret = start_sandbox().await;
    let host = without_secret.address().to_string();
    let proof_request = http_request(
        "GET",
        &host,
        &format!("/_sandbox/proof?nonce={NONCE}"),
        &[],
        "",
    );
    assert_eq!(send(&without_secret, &proof_request).await.status, 404);
}
