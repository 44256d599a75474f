//! Tests of sharing checkout pages with phones. They check which pages phones can open, and which
//! limits apply to their requests.

use super::*;

/// Returns limits that allow a connection to last longer than any test.
fn patient() -> ShareLimits {
    ShareLimits { life: PATIENCE, ..ShareLimits::default() }
}

/// Starts a sandbox that shares its checkout pages at a second loopback address. Returns the
/// sandbox and that address.
async fn shared(limits: ShareLimits) -> (SandboxServer, SocketAddr) {
    let mut sandbox = started().await;
    let held = ShareSocket::hold(ShareAddress::parse("127.0.0.2").unwrap()).unwrap();
    let address = held.address();
    sandbox.share(held, limits).unwrap();
    (sandbox, address)
}

/// Creates a payment link through the API, and returns the path of its URL. The request body
/// contains the additional members in `more`.
async fn link(sandbox: &SandboxServer, at: SocketAddr, more: &str) -> String {
    let body = format!(r#"{{"amount":10.10,"description":"Bolo"{more}}}"#);
    let got = send(sandbox, &call(BankOperation::CreateLink, sandbox.jwt(), &[], &body)).await;
    assert_eq!(got.status, 201, "{}", got.body);
    let url = got.json()["url"].as_str().unwrap().to_owned();
    url.strip_prefix(&format!("http://{at}")).unwrap_or(&url).to_owned()
}

#[tokio::test]
async fn link_on_shared_address_is_paid_by_phone() {
    let (sandbox, at) = shared(patient()).await;
    assert_eq!(sandbox.shared_origin(), Some(&*format!("http://{at}")));
    let listed = send(&sandbox, &call(BankOperation::Domains, sandbox.jwt(), &[], "")).await;
    let first = json!({
        "domain": "127.0.0.2", "status": "active", "active": true, "default": true
    });
    assert_eq!(listed.json()[0], first);
    assert_eq!(listed.json()[1]["domain"], SHOP);
    assert_eq!(listed.json()[1]["default"], false);

    let path = link(&sandbox, at, "").await;
    assert!(path.starts_with("/checkout/link-"), "{path}");
    let named = link(&sandbox, at, r#","checkoutDomain":"127.0.0.2""#).await;
    assert!(named.starts_with("/checkout/link-"), "{named}");

    let host = at.to_string();
    let page = send_to(at, &raw("GET", &host, &path, &[], "")).await;
    assert_eq!(page.status, 200);
    assert!(page.body.contains("Pagar agora") && page.body.contains("R$ 10,10"));
    for (name, value) in [
        ("content-security-policy", page::POLICY),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "same-origin"),
        ("cache-control", "no-store"),
        ("connection", "close"),
    ] {
        assert_eq!(page.header(name), Some(value), "{name}");
    }
    let mut notices = sandbox.control().notices();
    let origin = format!("http://{at}");
    let button = raw("POST", &host, &path, &[("Origin", &origin)], "");
    for _ in 0..2 {
        let paid = send_to(at, &button).await;
        assert_eq!((paid.status, paid.header("location")), (303, Some(&*path)));
    }
    let notice = notices.recv().await.unwrap();
    assert_eq!(
        (notice.of, format!("/checkout/link-{}", notice.id)),
        (PaidItem::Link, path.clone())
    );
    assert_eq!(sandbox.control().ledger().payments.len(), 1, "once");
    let again = send_to(at, &raw("GET", &host, &path, &[], "")).await;
    assert!(again.body.contains("Pagamento confirmado"), "{}", again.body);
}

#[tokio::test]
async fn nothing_but_checkout_pages_is_there() {
    let (sandbox, at) = shared(patient()).await;
    let (token, host) = (log_in(&sandbox).await, at.to_string());
    let path = link(&sandbox, at, "").await;
    let elsewhere = link(&sandbox, at, &format!(r#","checkoutDomain":"{SHOP}""#)).await;
    let elsewhere = &elsewhere[elsewhere.find("/checkout/").unwrap()..];
    let before = sandbox.control().ledger();
    let mut requests = Vec::new();
    for method in ["GET", "HEAD", "POST", "DELETE", "PUT", "OPTIONS"] {
        for path in [
            "/",
            "/favicon.ico",
            "/checkout",
            "/_sandbox/ledger",
            "/_sandbox/faults",
            "/_sandbox/charges/1/pay",
            "/_sandbox/payments",
            "/_sandbox/proof?nonce=00112233445566778899aabbccddeeff",
            "//_sandbox/ledger",
            "/%5Fsandbox/ledger",
        ] {
            requests.push(raw(method, &host, path, &[], ""));
        }
        for operation in BankOperation::ALL {
            let path = operation.method_and_path().1;
            let bearer = format!("Bearer {token}");
            requests.push(raw(method, &host, path, &[("Authorization", &bearer)], "{}"));
        }
    }
    // A phone that scanned the QR code would never send these host names.
    for name in ["evil.example", "127.0.0.1", "localhost", SHOP, "127.0.0.2.evil.example", ""] {
        requests.push(raw("GET", name, &path, &[], ""));
        requests.push(raw("GET", name, &format!("http://{host}{path}"), &[], ""));
    }
    requests.push(raw("GET", &host, &format!("http://{SHOP}{elsewhere}"), &[], ""));
    for request in requests {
        let got = send_to(at, &request).await;
        assert_eq!(
            (got.status, got.header("content-type")),
            (404, Some("text/plain")),
            "{request}"
        );
        assert!(got.body.is_empty() || got.body == "404\n", "{request}: {}", got.body);
    }
    let odd = ["/checkout/link-", "/checkout/link-0000000", "/checkout/../_sandbox/ledger"];
    for unknown in [elsewhere].into_iter().chain(odd) {
        let got = send_to(at, &raw("POST", &host, unknown, &[], "")).await;
        assert_eq!(got.status, 404, "{unknown}");
        assert!(got.body.contains("Página não encontrada"), "{unknown}: {}", got.body);
    }
    for origin in ["https://evil.example", "null", &format!("http://127.0.0.1:{}", at.port())] {
        let got = send_to(at, &raw("POST", &host, &path, &[("Origin", origin)], "")).await;
        assert_eq!(got.status, 403, "{origin}");
    }
    assert_eq!(sandbox.control().ledger(), before);
    assert_eq!(sandbox.control().armed(), []);
    // The API is still available at the sandbox's own address.
    let lists = call(BankOperation::Domains, sandbox.jwt(), &[], "");
    assert_eq!(send(&sandbox, &lists).await.status, 200);
    let ledger = raw("GET", &host, "/_sandbox/ledger", &[], "");
    assert_eq!(send(&sandbox, &ledger).await.status, 200, "127.0.0.2 is this machine too");
}

#[tokio::test]
async fn share_is_down_with_its_domain_until_reset() {
    let (sandbox, at) = shared(patient()).await;
    let control = sandbox.control();
    let path = link(&sandbox, at, "").await;
    control.set_domain("127.0.0.2", DomainSetup::SslPending).unwrap();
    assert_eq!(control.domains()[0].state, DomainSetup::SslPending);
    assert_eq!(control.domains().len(), Scene::default().domains.len() + 1, "none is added");
    let host = at.to_string();
    for method in ["GET", "POST"] {
        assert_eq!(send_to(at, &raw(method, &host, &path, &[], "")).await.status, 403, "{method}");
    }
    let body = r#"{"amount":1,"description":"Bolo","checkoutDomain":"127.0.0.2"}"#;
    let asked = call(BankOperation::CreateLink, sandbox.jwt(), &[], body);
    assert_eq!(send(&sandbox, &asked).await.status, 400);
    control.start_over().unwrap();
    assert_eq!(control.domains()[0].state, DomainSetup::Active);
    assert!(link(&sandbox, at, "").await.starts_with("/checkout/link-"));
}

#[tokio::test]
async fn seeded_links_do_not_use_the_shared_address() {
    let (sandbox, _) = shared(patient()).await;
    let earlier = EarlierItem {
        centavos: 1_000,
        description: "Bolo".to_owned(),
        host: None,
        at: Moment(0),
        paid_at: None,
    };
    let made = sandbox.control().create_past_links(&[earlier]).unwrap();
    assert_eq!(made[0].host, SHOP);
}

#[tokio::test]
async fn a_sandbox_that_is_kept_keeps_no_shared_address() {
    let dir = tempfile::tempdir().unwrap();
    let data = Some(dir.path().join("bank.json"));
    let options = || Options { data: data.clone(), ..Options::default() };
    let mut sandbox = start(options()).await.unwrap();
    let held = ShareSocket::hold(ShareAddress::parse("127.0.0.2").unwrap()).unwrap();
    let at = held.address();
    sandbox.share(held, patient()).unwrap();
    let path = link(&sandbox, at, "").await;
    sandbox.shutdown().await;
    let again = start(options()).await.unwrap();
    assert_eq!(again.control().domains(), Scene::default().domains);
    assert_eq!(again.shared_origin(), None);
    let page = again.control().page(&path).unwrap();
    assert_eq!((page.state, &*page.host), (CheckoutState::Blocked, "127.0.0.2"));
}

/// Reads until the server closes the connection, and returns the received bytes.
async fn until_closed(stream: &mut TcpStream) -> Vec<u8> {
    let mut came = Vec::new();
    let read = tokio::time::timeout(PATIENCE, stream.read_to_end(&mut came)).await;
    // A reset connection also counts as closed.
    drop(read.expect("it stays open"));
    came
}

#[tokio::test]
async fn a_request_without_measure_or_without_end_is_cut() {
    let limits = ShareLimits { life: Duration::from_millis(300), ..patient() };
    let (sandbox, at) = shared(limits).await;
    let (path, host) = (link(&sandbox, at, "").await, at.to_string());
    // The first client sends nothing. The second client sends only half a request.
    for sent in ["", "GET / HTTP/1.1\r\nHost: x\r\n"] {
        let mut stream = TcpStream::connect(at).await.unwrap();
        stream.write_all(sent.as_bytes()).await.unwrap();
        assert_eq!(until_closed(&mut stream).await, b"", "{sent:?}");
    }
    drop(sandbox);

    let (sandbox, at) = shared(patient()).await;
    let mut stream = TcpStream::connect(at).await.unwrap();
    let long = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nX-Long: {}\r\n", "x".repeat(20_000));
    // Ignore a failed write. The server may close the connection early.
    stream.write_all(long.as_bytes()).await.ok();
    assert_eq!(until_closed(&mut stream).await, b"");
    drop(sandbox);
}

#[tokio::test]
async fn connection_serves_one_request_within_limits() {
    let limits = ShareLimits { open_each: 2, ..patient() };
    let (sandbox, at) = shared(limits).await;
    let (path, host) = (link(&sandbox, at, "").await, at.to_string());
    let get = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n");
    let mut stream = TcpStream::connect(at).await.unwrap();
    stream.write_all(get.repeat(2).as_bytes()).await.unwrap();
    let came = String::from_utf8(until_closed(&mut stream).await).unwrap();
    assert_eq!(came.matches("HTTP/1.1 ").count(), 1, "{came}");

    let mut open = [TcpStream::connect(at).await.unwrap(), TcpStream::connect(at).await.unwrap()];
    let mut third = TcpStream::connect(at).await.unwrap();
    assert_eq!(until_closed(&mut third).await, b"");
    // Both open connections get their responses. After that, new connections are accepted.
    for stream in &mut open {
        stream.write_all(get.as_bytes()).await.unwrap();
        assert!(until_closed(stream).await.starts_with(b"HTTP/1.1 200 "));
    }
    drop(open);
    assert_eq!(send_to(at, &raw("GET", &host, &path, &[], "")).await.status, 200);
}

#[tokio::test]
async fn slow_connections_of_many_addresses_make_room() {
    let (sandbox, at) = shared(patient()).await;
    let (path, host) = (link(&sandbox, at, "").await, at.to_string());
    let mut slow = Vec::new();
    for n in 0..250_u8 {
        let from = tokio::net::TcpSocket::new_v4().unwrap();
        from.bind(SocketAddr::from(([127, 0, 1, n + 1], 0))).unwrap();
        let mut stream = from.connect(at).await.unwrap();
        stream.write_all(b"GET / HTTP/1.1\r\n").await.ok();
        slow.push(stream);
    }
    // A connection may last for the time `PATIENCE`, which is much longer than this timeout of one
    // second.
    let request = raw("GET", &host, &path, &[], "");
    let page = send_to(at, &request);
    let page = tokio::time::timeout(Duration::from_secs(1), page).await.expect("it has to wait");
    assert_eq!(page.status, 200);
    assert_eq!(until_closed(&mut slow[0]).await, b"", "the oldest one made room");
}

#[tokio::test]
async fn share_ends_with_sandbox_and_used_port_is_refused() {
    let (sandbox, at) = shared(patient()).await;
    let same = ShareAddress { ip: at.ip(), port: Some(at.port()) };
    assert!(matches!(ShareSocket::hold(same), Err(ShareFault::InUse)));
    sandbox.shutdown().await;
    let closed = async { while TcpStream::connect(at).await.is_ok() {} };
    tokio::time::timeout(PATIENCE, closed).await.expect("it still listens");
}

#[tokio::test]
async fn a_share_on_a_newer_number_has_brackets_around_it() {
    let mut sandbox = started().await;
    let Ok(held) = ShareAddress::parse("::1").and_then(ShareSocket::hold) else {
        // Do not use `eprintln!`, because the test runner would capture its output.
        let skipped = "SKIPPED: a share on a newer number: this machine has no ::1";
        let _ = std::io::Write::write_fmt(&mut std::io::stderr(), format_args!("{skipped}\n"));
        return;
    };
    let at = held.address();
    sandbox.share(held, patient()).unwrap();
    let path = link(&sandbox, at, r#","checkoutDomain":"[::1]""#).await;
    assert!(path.starts_with("/checkout/link-"), "{path}");
    assert_eq!(sandbox.control().domains()[0].host, "[::1]");
    let page = send_to(at, &raw("GET", &at.to_string(), &path, &[], "")).await;
    assert_eq!(page.status, 200);
}
