//! Tests of sharing checkout pages with phones. They check which pages phones can open, and which
//! limits apply to their requests.

use super::*;

/// Limits that allow a connection to last longer than any test.
fn long_limits() -> ShareLimits {
    ShareLimits {
        max_duration: TEST_TIMEOUT,
        ..ShareLimits::default()
    }
}

/// Starts a sandbox that shares its checkout pages at a second loopback address. Returns the
/// sandbox and that address.
async fn start_shared(limits: ShareLimits) -> (SandboxServer, SocketAddr) {
    let mut sandbox = start_sandbox().await;
    let socket = ShareSocket::reserve(ShareAddress::parse("127.0.0.2").unwrap()).unwrap();
    let address = socket.address();
    sandbox.share(socket, limits).unwrap();
    (sandbox, address)
}

/// Creates a payment link through the API, and returns the path of its URL. The request body
/// contains the additional members in `extra_members`.
async fn create_shared_link(
    sandbox: &SandboxServer,
    at: SocketAddr,
    extra_members: &str,
) -> String {
    let body = format!(r#"{{"amount":10.10,"description":"Bolo"{extra_members}}}"#);
    let response = send(
        sandbox,
        &api_request(BankOperation::CreateLink, sandbox.jwt(), &[], &body),
    )
    .await;
    assert_eq!(response.status, 201, "{}", response.body);
    let url = response.json()["url"].as_str().unwrap().to_owned();
    url.strip_prefix(&format!("http://{at}"))
        .unwrap_or(&url)
        .to_owned()
}

#[tokio::test]
async fn link_on_shared_address_is_paid_by_phone() {
    let (sandbox, at) = start_shared(long_limits()).await;
    assert_eq!(sandbox.shared_origin(), Some(&*format!("http://{at}")));
    let listed = send(
        &sandbox,
        &api_request(BankOperation::Domains, sandbox.jwt(), &[], ""),
    )
    .await;
    let first = json!({
        "domain": "127.0.0.2", "status": "active", "active": true, "default": true
    });
    assert_eq!(listed.json()[0], first);
    assert_eq!(listed.json()[1]["domain"], SHOP_HOST);
    assert_eq!(listed.json()[1]["default"], false);

    let path = create_shared_link(&sandbox, at, "").await;
    assert!(path.starts_with("/checkout/link-"), "{path}");
    let named_link = create_shared_link(&sandbox, at, r#","checkoutDomain":"127.0.0.2""#).await;
    assert!(named_link.starts_with("/checkout/link-"), "{named_link}");

    let host = at.to_string();
    let page = send_to(at, &http_request("GET", &host, &path, &[], "")).await;
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
    let mut notices = sandbox.control().subscribe_payments();
    let origin = format!("http://{at}");
    let button = http_request("POST", &host, &path, &[("Origin", &origin)], "");
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
    let again = send_to(at, &http_request("GET", &host, &path, &[], "")).await;
    assert!(
        again.body.contains("Pagamento confirmado"),
        "{}",
        again.body
    );
}

#[tokio::test]
async fn phones_reach_only_checkout_pages() {
    let (sandbox, at) = start_shared(long_limits()).await;
    let (token, host) = (log_in(&sandbox).await, at.to_string());
    let path = create_shared_link(&sandbox, at, "").await;
    let other_path =
        create_shared_link(&sandbox, at, &format!(r#","checkoutDomain":"{SHOP_HOST}""#)).await;
    let other_path = &other_path[other_path.find("/checkout/").unwrap()..];
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
            requests.push(http_request(method, &host, path, &[], ""));
        }
        for operation in BankOperation::ALL {
            let path = operation.method_and_path().1;
            let bearer = format!("Bearer {token}");
            requests.push(http_request(
                method,
                &host,
                path,
                &[("Authorization", &bearer)],
                "{}",
            ));
        }
    }
    // A phone that scanned the QR code would never send these host names.
    for name in [
        "evil.example",
        "127.0.0.1",
        "localhost",
        SHOP_HOST,
        "127.0.0.2.evil.example",
        "",
    ] {
        requests.push(http_request("GET", name, &path, &[], ""));
        requests.push(http_request(
            "GET",
            name,
            &format!("http://{host}{path}"),
            &[],
            "",
        ));
    }
    requests.push(http_request(
        "GET",
        &host,
        &format!("http://{SHOP_HOST}{other_path}"),
        &[],
        "",
    ));
    for request in requests {
        let response = send_to(at, &request).await;
        assert_eq!(
            (response.status, response.header("content-type")),
            (404, Some("text/plain")),
            "{request}"
        );
        assert!(
            response.body.is_empty() || response.body == "404\n",
            "{request}: {}",
            response.body
        );
    }
    let unknown_paths = [
        "/checkout/link-",
        "/checkout/link-0000000",
        "/checkout/../_sandbox/ledger",
    ];
    for unknown in [other_path].into_iter().chain(unknown_paths) {
        let response = send_to(at, &http_request("POST", &host, unknown, &[], "")).await;
        assert_eq!(response.status, 404, "{unknown}");
        assert!(
            response.body.contains("Página não encontrada"),
            "{unknown}: {}",
            response.body
        );
    }
    for origin in [
        "https://evil.example",
        "null",
        &format!("http://127.0.0.1:{}", at.port()),
    ] {
        let response = send_to(
            at,
            &http_request("POST", &host, &path, &[("Origin", origin)], ""),
        )
        .await;
        assert_eq!(response.status, 403, "{origin}");
    }
    assert_eq!(sandbox.control().ledger(), before);
    assert_eq!(sandbox.control().armed(), []);
    // The API is still available at the sandbox's own address.
    let domains_request = api_request(BankOperation::Domains, sandbox.jwt(), &[], "");
    assert_eq!(send(&sandbox, &domains_request).await.status, 200);
    let ledger = http_request("GET", &host, "/_sandbox/ledger", &[], "");
    assert_eq!(
        send(&sandbox, &ledger).await.status,
        200,
        "127.0.0.2 is this machine too"
    );
}

#[tokio::test]
async fn share_is_down_with_its_domain_until_reset() {
    let (sandbox, at) = start_shared(long_limits()).await;
    let control = sandbox.control();
    let path = create_shared_link(&sandbox, at, "").await;
    control
        .set_domain("127.0.0.2", DomainSetup::SslPending)
        .unwrap();
    assert_eq!(control.domains()[0].state, DomainSetup::SslPending);
    assert_eq!(
        control.domains().len(),
        Scene::default().domains.len() + 1,
        "none is added"
    );
    let host = at.to_string();
    for method in ["GET", "POST"] {
        assert_eq!(
            send_to(at, &http_request(method, &host, &path, &[], ""))
                .await
                .status,
            403,
            "{method}"
        );
    }
    let body = r#"{"amount":1,"description":"Bolo","checkoutDomain":"127.0.0.2"}"#;
    let request = api_request(BankOperation::CreateLink, sandbox.jwt(), &[], body);
    assert_eq!(send(&sandbox, &request).await.status, 400);
    control.reset_bank().unwrap();
    assert_eq!(control.domains()[0].state, DomainSetup::Active);
    assert!(
        create_shared_link(&sandbox, at, "")
            .await
            .starts_with("/checkout/link-")
    );
}

#[tokio::test]
async fn seeded_links_do_not_use_the_shared_address() {
    let (sandbox, _) = start_shared(long_limits()).await;
    let item = EarlierItem {
        centavos: 1_000,
        description: "Bolo".to_owned(),
        host: None,
        at: Moment(0),
        paid_at: None,
    };
    let links = sandbox.control().create_past_links(&[item]).unwrap();
    assert_eq!(links[0].host, SHOP_HOST);
}

#[tokio::test]
async fn stored_sandbox_contains_no_shared_address() {
    let dir = tempfile::tempdir().unwrap();
    let data = Some(dir.path().join("bank.json"));
    let options = || Options {
        data_file: data.clone(),
        ..Options::default()
    };
    let mut sandbox = start(options()).await.unwrap();
    let socket = ShareSocket::reserve(ShareAddress::parse("127.0.0.2").unwrap()).unwrap();
    let at = socket.address();
    sandbox.share(socket, long_limits()).unwrap();
    let path = create_shared_link(&sandbox, at, "").await;
    sandbox.shutdown().await;
    let restarted = start(options()).await.unwrap();
    assert_eq!(restarted.control().domains(), Scene::default().domains);
    assert_eq!(restarted.shared_origin(), None);
    let page = restarted.control().checkout_page(&path).unwrap();
    assert_eq!(
        (page.state, &*page.host),
        (CheckoutState::Blocked, "127.0.0.2")
    );
}

/// Reads until the server closes the connection, and returns the received bytes.
async fn read_until_closed(stream: &mut TcpStream) -> Vec<u8> {
    let mut received = Vec::new();
    let result = tokio::time::timeout(TEST_TIMEOUT, stream.read_to_end(&mut received)).await;
    // A reset connection also counts as closed.
    drop(result.expect("it stays open"));
    received
}

#[tokio::test]
async fn endless_or_oversized_request_is_closed() {
    let limits = ShareLimits {
        max_duration: Duration::from_millis(300),
        ..long_limits()
    };
    let (sandbox, at) = start_shared(limits).await;
    let path = create_shared_link(&sandbox, at, "").await;
    let host = at.to_string();
    // The first client sends nothing. The second client sends only half a request.
    for sent in ["", "GET / HTTP/1.1\r\nHost: x\r\n"] {
        let mut stream = TcpStream::connect(at).await.unwrap();
        stream.write_all(sent.as_bytes()).await.unwrap();
        assert_eq!(read_until_closed(&mut stream).await, b"", "{sent:?}");
    }
    drop(sandbox);

    let (sandbox, at) = start_shared(long_limits()).await;
    let mut stream = TcpStream::connect(at).await.unwrap();
    let too_long = format!(
        "GET {path} HTTP/1.1\r\nHost: {host}\r\nX-Long: {}\r\n",
        "x".repeat(20_000)
    );
    // Ignore a failed write. The server may close the connection early.
    stream.write_all(too_long.as_bytes()).await.ok();
    assert_eq!(read_until_closed(&mut stream).await, b"");
    drop(sandbox);
}

#[tokio::test]
async fn connection_serves_one_request_within_limits() {
    let limits = ShareLimits {
        max_per_address: 2,
        ..long_limits()
    };
    let (sandbox, at) = start_shared(limits).await;
    let path = create_shared_link(&sandbox, at, "").await;
    let host = at.to_string();
    let get = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n");
    let mut stream = TcpStream::connect(at).await.unwrap();
    stream.write_all(get.repeat(2).as_bytes()).await.unwrap();
    let received = String::from_utf8(read_until_closed(&mut stream).await).unwrap();
    assert_eq!(received.matches("HTTP/1.1 ").count(), 1, "{received}");

    let mut open_connections = [
        TcpStream::connect(at).await.unwrap(),
        TcpStream::connect(at).await.unwrap(),
    ];
    let mut third = TcpStream::connect(at).await.unwrap();
    assert_eq!(read_until_closed(&mut third).await, b"");
    // Both open connections get their responses. After that, new connections are accepted.
    for stream in &mut open_connections {
        stream.write_all(get.as_bytes()).await.unwrap();
        assert!(
            read_until_closed(stream)
                .await
                .starts_with(b"HTTP/1.1 200 ")
        );
    }
    drop(open_connections);
    assert_eq!(
        send_to(at, &http_request("GET", &host, &path, &[], ""))
            .await
            .status,
        200
    );
}

#[tokio::test]
async fn slow_connections_make_room_for_new_ones() {
    let (sandbox, at) = start_shared(long_limits()).await;
    let path = create_shared_link(&sandbox, at, "").await;
    let host = at.to_string();
    let mut slow_connections = Vec::new();
    for n in 0..250_u8 {
        let socket = tokio::net::TcpSocket::new_v4().unwrap();
        socket
            .bind(SocketAddr::from(([127, 0, 1, n + 1], 0)))
            .unwrap();
        let mut stream = socket.connect(at).await.unwrap();
        stream.write_all(b"GET / HTTP/1.1\r\n").await.ok();
        slow_connections.push(stream);
    }
    // Each slow connection may stay open for `TEST_TIMEOUT`. A new phone must not wait that long.
    let request = http_request("GET", &host, &path, &[], "");
    let page = send_to(at, &request);
    let page = tokio::time::timeout(Duration::from_secs(1), page)
        .await
        .expect("it has to wait");
    assert_eq!(page.status, 200);
    assert_eq!(
        read_until_closed(&mut slow_connections[0]).await,
        b"",
        "the oldest one made room"
    );
}

#[tokio::test]
async fn share_ends_with_sandbox_and_used_port_is_refused() {
    let (sandbox, at) = start_shared(long_limits()).await;
    let same = ShareAddress {
        ip: at.ip(),
        port: Some(at.port()),
    };
    assert!(matches!(ShareSocket::reserve(same), Err(ShareFault::InUse)));
    sandbox.shutdown().await;
    let closed = async { while TcpStream::connect(at).await.is_ok() {} };
    tokio::time::timeout(TEST_TIMEOUT, closed)
        .await
        .expect("it still listens");
}

#[tokio::test]
async fn shared_ipv6_address_has_brackets() {
    let mut sandbox = start_sandbox().await;
    let Ok(socket) = ShareAddress::parse("::1").and_then(ShareSocket::reserve) else {
        // Do not use `eprintln!`, because the test runner would capture its output.
        let skipped = "SKIPPED: a share on a newer number: this machine has no ::1";
        let _ = std::io::Write::write_fmt(&mut std::io::stderr(), format_args!("{skipped}\n"));
        return;
    };
    let at = socket.address();
    sandbox.share(socket, long_limits()).unwrap();
    let path = create_shared_link(&sandbox, at, r#","checkoutDomain":"[::1]""#).await;
    assert!(path.starts_with("/checkout/link-"), "{path}");
    assert_eq!(sandbox.control().domains()[0].host, "[::1]");
    let page = send_to(at, &http_request("GET", &at.to_string(), &path, &[], "")).await;
    assert_eq!(page.status, 200);
}
