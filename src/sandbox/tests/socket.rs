//! Tests of a sandbox on a Unix socket, and of a port without the control routes.

use tokio::net::UnixStream;

use super::*;

/// Requests the list of checkout domains through the Unix socket. Returns the status line of the
/// response.
async fn request_domains(socket: &std::path::Path) -> io::Result<String> {
    let mut stream = UnixStream::connect(socket).await?;
    let request = api_request(BankOperation::Domains, "", &[], "");
    stream.write_all(request.as_bytes()).await?;
    let mut reply = String::new();
    stream.read_to_string(&mut reply).await?;
    Ok(reply.lines().next().unwrap_or_default().to_owned())
}

#[tokio::test]
async fn socket_serves_the_api_without_a_port() {
    let dir = tempfile::tempdir().unwrap();
    let socket = dir.path().join("socket");
    let listen = SocketAddr::from((Ipv4Addr::LOCALHOST, 80));
    let options = Options {
        listen,
        socket: Some(socket.clone()),
        seed: 7,
        ..Options::default()
    };
    let sandbox = start(options).await.unwrap();
    assert_eq!(
        request_domains(&socket).await.unwrap(),
        "HTTP/1.1 401 Unauthorized"
    );
    let control = sandbox.control();
    let link = control.change(|bank, now| {
        let amount = bank::amount::Amount::from_centavos(1010);
        bank::links::add_link(bank, SHOP_HOST.into(), amount, "Bolo".into(), now)
    });
    let url = link.unwrap().url;
    assert!(
        url.starts_with("http://loja-da-ana.localhost/checkout/link-"),
        "{url}"
    );
}

#[tokio::test]
async fn socket_closed_by_a_fault_refuses_then_opens() {
    let dir = tempfile::tempdir().unwrap();
    let socket = dir.path().join("socket");
    let options = Options {
        socket: Some(socket.clone()),
        ..Options::default()
    };
    let sandbox = start(options).await.unwrap();
    let control = sandbox.control();
    for _ in 0..2 {
        control
            .arm(Fault::Refuse, Scope::Any, Times::Always)
            .unwrap();
        let error = request_domains(&socket).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::ConnectionRefused);
        control.disarm_all().unwrap();
        assert_eq!(
            request_domains(&socket).await.unwrap(),
            "HTTP/1.1 401 Unauthorized"
        );
    }
    control
        .arm(Fault::Refuse, Scope::Any, Times::Next(1))
        .unwrap();
    let result = request_domains(&socket).await;
    assert!(
        result.is_err() || result.unwrap().is_empty(),
        "one connection is dropped"
    );
    assert_eq!(
        request_domains(&socket).await.unwrap(),
        "HTTP/1.1 401 Unauthorized"
    );
}

#[tokio::test]
async fn port_without_control_serves_no_ledger() {
    let sandbox = start(Options {
        serves_control: false,
        ..Options::default()
    })
    .await
    .unwrap();
    let host = sandbox.address().to_string();
    let fault = r#"{"operation":"withdrawal","fault":"drop_after","times":1}"#;
    let json = ("Content-Type", "application/json");
    for request in [
        http_request("GET", &host, "/_sandbox/ledger", &[], ""),
        http_request("GET", &host, "/_sandbox/payments", &[], ""),
        http_request("POST", &host, "/_sandbox/faults", &[json], fault),
        http_request("DELETE", &host, "/_sandbox/faults", &[], ""),
        http_request("POST", &host, "/_sandbox/charges/1/pay", &[json], ""),
    ] {
        assert_eq!(send(&sandbox, &request).await.status, 404, "{request}");
    }
    assert!(sandbox.control().armed().is_empty());
    assert!(!log_in(&sandbox).await.is_empty(), "the API is served");
}
