//! Tests of the server over HTTP.

use super::*;

#[tokio::test]
async fn proof_is_valid_for_its_address_only() {
    let replay = start_replay(&har(&[entry("GET", FEE, None, 200, "{}")])).await;
    let nonce = "0123456789abcdef0123456789abcdef";
    let path = format!("/_sandbox/proof?nonce={nonce}");
    let (status, head, body) = send(&replay, "GET", &path, "", "").await;
    assert_eq!(
        (status, head.matches("content-length: 64").count()),
        (200, 1),
        "{head}"
    );
    let mut expected = Hmac::<Sha256>::new_from_slice(b"s3cret").unwrap();
    expected.update(format!("balcao sandbox proof 1\n{nonce}\n{}", replay.address).as_bytes());
    let expected: String = expected
        .finalize()
        .into_bytes()
        .iter()
        .map(|b| format!("{b:02x}"))
        .collect();
    assert_eq!(body, expected);
    for nonce in ["", "12", &"a".repeat(130), &"g".repeat(32)] {
        let path = format!("/_sandbox/proof?nonce={nonce}");
        assert_eq!(
            self::status_of(&replay, "GET", &path, "").await,
            400,
            "{nonce}"
        );
    }
}

#[tokio::test]
async fn other_hosts_and_sites_are_refused() {
    let replay = start_replay(&har(&[entry("GET", FEE, None, 200, "{}")])).await;
    let port = replay.address.port();
    for (host, headers, expected) in [
        (format!("127.0.0.1:{port}"), "", "200"),
        ("LOCALHOST:1".to_owned(), "", "200"),
        ("[::1]:80".to_owned(), "", "200"),
        ("host-1.localhost".to_owned(), "", "200"),
        ("evil.example".to_owned(), "", "421"),
        ("127.0.0.1.evil.example".to_owned(), "", "421"),
        (String::new(), "", "421"),
        (
            "localhost".to_owned(),
            "Origin: http://localhost\r\n",
            "200",
        ),
        (
            "localhost".to_owned(),
            "Origin: http://evil.example\r\n",
            "403",
        ),
        ("localhost".to_owned(), "Origin: \r\n", "403"),
    ] {
        let request =
            format!("GET {FEE} HTTP/1.1\r\nHost: {host}\r\n{headers}Connection: close\r\n\r\n");
        let reply = send_raw(&replay, &request).await;
        assert!(
            reply.starts_with(&format!("HTTP/1.1 {expected}")),
            "{host}: {reply}"
        );
    }
    let origin = "Origin: http://evil.example\r\n";
    assert_eq!(send(&replay, "POST", LINKS, origin, "").await.0, 403);
    assert_eq!(
        send(&replay, "GET", "/_sandbox/proof?nonce=a", origin, "")
            .await
            .0,
        403
    );
}

#[tokio::test]
async fn base64_body_is_played_decoded() {
    let mut encoded = entry("GET", FEE, None, 200, "eyJmZWUiOjIuMDV9");
    encoded["response"]["content"]["encoding"] = "base64".into();
    let replay = start_replay(&har(&[encoded])).await;
    assert_eq!(send(&replay, "GET", FEE, "", "").await.2, r#"{"fee":2.05}"#);
}

#[tokio::test]
async fn cut_reply_announces_more_than_it_has() {
    let replies = [
        ("connection lost", 1027),
        ("timeout", 1027),
        ("too large", 67_108_864),
    ];
    for (error, announced) in replies {
        let mut cut = entry("GET", FEE, None, 200, "abc");
        cut["_error"] = error.into();
        let replay = start_replay(&har(&[cut])).await;
        let (status, head, body) = send(&replay, "GET", FEE, "", "").await;
        assert_eq!((status, &*body), (200, "abc"), "{error}");
        assert!(
            head.contains(&format!("content-length: {announced}")),
            "{error}: {head}"
        );
    }
}

#[tokio::test]
async fn delays_last_as_long_as_recorded() {
    let mut slow = entry("GET", FEE, None, 200, "{}");
    slow["time"] = json!(600_000.5);
    let mut silent = entry("GET", LINKS, None, 0, "");
    (silent["_error"], silent["time"]) = ("timeout".into(), json!(-1));
    let longest_delay = parse_har(&har(&[slow.clone(), silent.clone()]))
        .unwrap()
        .entries[0]
        .took;
    assert_eq!(longest_delay, Duration::from_secs(60));
    for (path, delays) in [(FEE, true), (FEE, false), (LINKS, true), (LINKS, false)] {
        let recording = parse_har(&har(&[slow.clone(), silent.clone()])).unwrap();
        let options = ReplayOptions {
            delays,
            ..options(recording)
        };
        let replay = start(options).await.unwrap();
        // A reply without a delay takes far less than this limit, even on a slow machine.
        let limit = Duration::from_millis(if delays { 200 } else { 30_000 });
        let reply = tokio::time::timeout(limit, status_of(&replay, "GET", path, ""));
        assert_eq!(reply.await.is_err(), delays, "{path}");
    }
}

#[tokio::test]
async fn shutdown_closes_the_port() {
    let replay = start_replay(&har(&[entry("GET", FEE, None, 200, "{}")])).await;
    let address = replay.address;
    replay.shutdown().await;
    assert!(TcpStream::connect(address).await.is_err());
}

#[tokio::test]
async fn address_beyond_loopback_is_refused() {
    let recording = parse_har(&har(&[entry("GET", FEE, None, 200, "{}")])).unwrap();
    let listen = SocketAddr::from((Ipv4Addr::UNSPECIFIED, 0));
    let options = ReplayOptions::new(listen, recording);
    assert!(matches!(
        start(options).await,
        Err(ReplayError::BeyondLoopback(_))
    ));
}
