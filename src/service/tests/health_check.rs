//! Tests of the health check. Any reply is a success, and each kind of failure has its own error.

use std::io;
use std::path::Path;

use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair, date_time_ymd};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

use super::super::client::client_builder;
use super::super::no_reply::host_fault;
use super::super::send_condition::SendCondition;
use super::*;
use crate::trade::checkup::{CertificateFault, HostFault, HostReply};

/// Runs a health check against a server with this script. Returns the result and the requests that
/// the server received.
async fn check_health(script: ServerScript, limits: Limits) -> (HealthCheck, Vec<String>) {
    let server = Server::start(script).await;
    let recorder = RecordingClient::with_limits(limits);
    let check = recorder.service(&server.base, "").health_check().await;
    (check, server.requests())
}

#[tokio::test]
async fn any_status_counts_and_request_carries_no_secret() {
    for status in [
        "200 OK",
        "301 Moved",
        "401 Unauthorized",
        "404 Not Found",
        "503 Busy",
    ] {
        let date = "date: Sun, 06 Nov 1994 08:47:37 GMT\r\nlocation: http://x.example/\r\n";
        let bytes = http_reply(status, date, "");
        let (check, requests) = check_health(ServerScript::Answer(bytes), Limits::default()).await;
        let status = status[..3].parse().unwrap();
        assert_eq!(
            check.reply,
            HostReply::Answered {
                status,
                is_encrypted: false
            }
        );
        // The test clock shows 08:49:37, about two minutes after the date in the reply.
        assert_eq!(check.ahead, Some(119));
        let [request] = &requests[..] else {
            panic!("{requests:?}")
        };
        let (head, body) = request.split_once("\r\n\r\n").unwrap();
        assert!(head.starts_with("HEAD / HTTP/1.1\r\n"), "{head}");
        let secrets = ["authorization", "cookie", "idempotency", "content-"];
        assert!(
            !secrets
                .iter()
                .any(|name| head.to_lowercase().contains(name)),
            "{head}"
        );
        assert_eq!(body, "");
    }
}

#[tokio::test]
async fn age_header_is_added_to_the_date() {
    let date = "date: Sun, 06 Nov 1994 08:47:37 GMT\r\n";
    for (age, ahead) in [
        ("119", Some(0)),
        ("0", Some(119)),
        ("old", None),
        ("-1", None),
    ] {
        let bytes = http_reply("200 OK", &format!("{date}age: {age}\r\n"), "");
        let (check, _) = check_health(ServerScript::Answer(bytes), Limits::default()).await;
        assert_eq!(check.ahead, ahead, "{age}");
    }
}

#[tokio::test]
async fn reply_without_date_gives_no_clock_offset() {
    for date in ["", "date: yesterday\r\n"] {
        let bytes = http_reply("200 OK", date, "");
        let (check, _) = check_health(ServerScript::Answer(bytes), Limits::default()).await;
        assert_eq!(check.ahead, None);
    }
}

#[tokio::test]
async fn timeout_cut_and_refusal_are_distinguished() {
    let failed = |fault| HealthCheck {
        reply: HostReply::Failed(fault),
        ahead: None,
    };
    assert_eq!(
        check_health(ServerScript::Silent, short_timeout(50))
            .await
            .0,
        failed(HostFault::Late)
    );
    let cut = check_health(ServerScript::CloseUnread, Limits::default())
        .await
        .0;
    assert_eq!(cut, failed(HostFault::Cut));
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let closed_url = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let service = RecordingClient::new().service(&BaseUrl::parse(&closed_url).unwrap(), "");
    assert_eq!(service.health_check().await, failed(HostFault::Connect));
}

/// A DNS resolver that never finds a host.
struct FailingResolver;

impl reqwest::dns::Resolve for FailingResolver {
    fn resolve(&self, _: reqwest::dns::Name) -> reqwest::dns::Resolving {
        Box::pin(async { Err(io::Error::other("no such name").into()) })
    }
}

/// Sends a request that must fail, and returns the reason.
async fn request_fault(http: reqwest::ClientBuilder, url: &str) -> HostFault {
    let request = reqwest::Request::new(reqwest::Method::HEAD, url.parse().unwrap());
    let sent = SendCondition::always()
        .execute(&http.build().unwrap(), request)
        .await;
    host_fault(&sent.expect_err("no reply"))
}

#[tokio::test]
async fn unknown_host_name_is_reported() {
    let http = client_builder(&Limits::default(), None)
        .tls_certs_only([])
        .dns_resolver(FailingResolver);
    assert_eq!(
        request_fault(http, "http://host.invalid/").await,
        HostFault::Name
    );
}

/// The properties of a test certificate, such as its years of validity, its host name, and whether
/// a trusted issuer signed it.
struct CertificateProperties {
    years: (i32, i32),
    name: &'static str,
    is_trusted: bool,
}

const VALID_CERTIFICATE: CertificateProperties = CertificateProperties {
    years: (2001, 2999),
    name: "127.0.0.1",
    is_trusted: true,
};

fn certificate_authority() -> (Issuer<'static, KeyPair>, String) {
    let mut params = CertificateParams::new(Vec::new()).unwrap();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let key = KeyPair::generate().unwrap();
    let text = params.self_signed(&key).unwrap().pem();
    (Issuer::new(params, key), text)
}

/// Starts a TLS server with this certificate and returns its URL.
async fn start_tls_server(
    properties: &CertificateProperties,
    root: &Issuer<'static, KeyPair>,
    dir: &Path,
) -> String {
    let mut params = CertificateParams::new(vec![properties.name.to_owned()]).unwrap();
    params.not_before = date_time_ymd(properties.years.0, 1, 1);
    params.not_after = date_time_ymd(properties.years.1, 1, 1);
    let key = KeyPair::generate().unwrap();
    let signed = if properties.is_trusted {
        params.signed_by(&key, root).unwrap()
    } else {
        params.signed_by(&key, &certificate_authority().0).unwrap()
    };
    std::fs::write(dir.join("key"), key.serialize_pem()).unwrap();
    let certificate = CertificateDer::from_pem_slice(signed.pem().as_bytes()).unwrap();
    let secret = PrivateKeyDer::from_pem_file(dir.join("key")).unwrap();
    let config = ServerConfig::builder().with_no_client_auth();
    let config = config.with_single_cert(vec![certificate], secret).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            // A client that rejects the certificate aborts the handshake. In that case, wait for
            // the next client.
            let Ok(mut stream) = acceptor.accept(stream).await else {
                continue;
            };
            let _ = stream
                .write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n")
                .await;
        }
    });
    format!("https://{address}/")
}

#[tokio::test]
async fn invalid_certificate_is_reported_by_its_fault() {
    let dir = tempfile::tempdir().unwrap();
    let (root, text) = certificate_authority();
    let trusting_client = || {
        let root = reqwest::Certificate::from_pem(text.as_bytes()).unwrap();
        client_builder(&Limits::default(), None).tls_certs_only([root])
    };
    for (certificate, fault) in [
        (
            CertificateProperties {
                years: (2001, 2002),
                ..VALID_CERTIFICATE
            },
            CertificateFault::Expired,
        ),
        (
            CertificateProperties {
                years: (2998, 2999),
                ..VALID_CERTIFICATE
            },
            CertificateFault::NotYetValid,
        ),
        (
            CertificateProperties {
                name: "pay.example",
                ..VALID_CERTIFICATE
            },
            CertificateFault::OtherName,
        ),
        (
            CertificateProperties {
                is_trusted: false,
                ..VALID_CERTIFICATE
            },
            CertificateFault::UnknownIssuer,
        ),
    ] {
        let url = start_tls_server(&certificate, &root, dir.path()).await;
        assert_eq!(
            request_fault(trusting_client(), &url).await,
            HostFault::Certificate(fault)
        );
    }
    let url = start_tls_server(&VALID_CERTIFICATE, &root, dir.path()).await;
    let request = reqwest::Request::new(reqwest::Method::HEAD, url.parse().unwrap());
    let sent = SendCondition::always()
        .execute(&trusting_client().build().unwrap(), request)
        .await;
    assert_eq!(sent.unwrap().status(), 200);
}

#[tokio::test]
async fn host_without_tls_is_reported_as_encryption_fault() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("https://{}/", listener.local_addr().unwrap());
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let _ = stream
            .write_all(&http_reply("400 Bad Request", "", ""))
            .await;
        // Read the start of the handshake. Closing a connection with unread data would reset it.
        let _ = stream.read_buf(&mut Vec::new()).await;
    });
    let fault = request_fault(
        client_builder(&Limits::default(), None).tls_certs_only([]),
        &url,
    )
    .await;
    assert_eq!(fault, HostFault::Encryption);
}
