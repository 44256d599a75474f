//! Tests of a profile's network settings: extra root certificates and a proxy.

use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use tokio::io::copy_bidirectional;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::PrivatePkcs8KeyDer;

use super::*;
use crate::contract::Contract;

/// A TLS server with a certificate for its host names. `root` is the certificate of the issuer, as
/// PEM.
struct TlsServer {
    port: u16,
    root: String,
    task: JoinHandle<()>,
}

impl TlsServer {
    async fn start(names: &[&str]) -> TlsServer {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let root_key = KeyPair::generate().unwrap();
        let root = params.self_signed(&root_key).unwrap().pem();
        let issuer = Issuer::new(params, root_key);
        let key = KeyPair::generate().unwrap();
        let certificate = CertificateParams::new(names)
            .unwrap()
            .signed_by(&key, &issuer)
            .unwrap();
        let config = ServerConfig::builder()
            .with_no_client_auth()
            .with_single_cert(
                vec![certificate.der().clone()],
                PrivatePkcs8KeyDer::from(key.serialize_der()).into(),
            )
            .unwrap();
        let acceptor = TlsAcceptor::from(Arc::new(config));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                // In some tests the client aborts the handshake. In that case, wait for the next
                // client.
                let Ok(mut stream) = acceptor.accept(stream).await else {
                    continue;
                };
                let mut request = Vec::new();
                while !request.ends_with(b"\r\n\r\n") && stream.read_buf(&mut request).await.is_ok()
                {
                }
                let _ = stream
                    .write_all(&http_reply("200 OK", "", "[\"loja.example\"]"))
                    .await;
                let _ = stream.shutdown().await;
            }
        });
        TlsServer { port, root, task }
    }

    fn trusting_network(&self) -> NetworkSettings {
        NetworkSettings::default()
            .with_root_certificates("root.pem", self.root.as_bytes())
            .unwrap()
    }
}

impl Drop for TlsServer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Starts a proxy that connects every tunnel to this local port. Returns the URL of the proxy, and
/// the list of the requests that it has received.
async fn proxy(port: u16) -> (String, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let requests = Arc::new(Mutex::new(Vec::new()));
    let recorded = requests.clone();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let request = read_request(&mut stream).await;
            recorded.lock().unwrap().push(request);
            let Ok(mut host) = TcpStream::connect(("127.0.0.1", port)).await else {
                continue;
            };
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await;
            let _ = copy_bidirectional(&mut stream, &mut host).await;
        }
    });
    (address, requests)
}

/// Requests the list of checkout domains and returns their number.
async fn count_domains(base: &str, network: NetworkSettings) -> Result<usize, Failure> {
    let tracer: Tracer = Arc::new(|_| ());
    let client = Client::new(
        Limits::default(),
        network,
        always_consent(),
        Arc::new(clocks),
        tracer,
    );
    let base = BaseUrl::parse(base).unwrap();
    let origin = base.origin().clone();
    let service = Service::new(base, Arc::new(Contract::built_in()), client);
    let secret = Secret::new("jwt-of-ana".into());
    let credential = BoundCredential {
        kind: CredentialKind::Jwt,
        origin: &origin,
        secret: &secret,
    };
    service
        .domains(credential)
        .await
        .map(|list| list.domains.len())
}

#[tokio::test]
async fn only_host_signed_by_own_root_is_trusted() {
    let (host, other) = tokio::join!(
        TlsServer::start(&["127.0.0.1"]),
        TlsServer::start(&["127.0.0.1"])
    );
    let base = format!("https://127.0.0.1:{}", host.port);
    assert_eq!(count_domains(&base, host.trusting_network()).await, Ok(1));
    for network in [NetworkSettings::default(), other.trusting_network()] {
        assert_eq!(
            count_domains(&base, network).await,
            Err(Failure::NotSent(NotSent::Tls))
        );
    }
}

/// The certificates of the system in the next test.
#[cfg(target_os = "linux")]
static SYSTEM_ROOTS: std::sync::OnceLock<Vec<Vec<u8>>> = std::sync::OnceLock::new();

#[cfg(target_os = "linux")]
#[tokio::test]
async fn system_roots_are_trusted_and_damaged_ones_skipped() {
    let host = TlsServer::start(&["127.0.0.1"]).await;
    let base = format!("https://127.0.0.1:{}", host.port);
    let damaged = host.root.replacen("MII", "AAA", 1);
    let files = [
        "no certificate".to_owned(),
        format!("{damaged}# mine\n{}", host.root),
        damaged,
    ];
    SYSTEM_ROOTS
        .set(files.map(String::into_bytes).to_vec())
        .unwrap();
    let system = || SYSTEM_ROOTS.get().cloned().unwrap_or_default();
    let network = NetworkSettings::default().with_system_roots(system);
    assert_eq!(count_domains(&base, network).await, Ok(1));
    // Without any certificate, there is no client, so nothing is sent.
    let network = NetworkSettings::default().with_system_roots(Vec::new);
    assert_eq!(
        count_domains(&base, network).await,
        Err(Failure::NotSent(NotSent::Tls))
    );
}

#[tokio::test]
async fn proxy_is_used_and_host_certificate_is_checked() {
    let host = TlsServer::start(&["api.example"]).await;
    let (proxy, proxy_requests) = proxy(host.port).await;
    let network = host.trusting_network().with_proxy(&proxy).unwrap();
    assert_eq!(
        count_domains("https://api.example:8443", network).await,
        Ok(1)
    );
    let tunnel = proxy_requests.lock().unwrap().remove(0);
    assert!(
        tunnel.starts_with("CONNECT api.example:8443 HTTP/1.1\r\n"),
        "{tunnel}"
    );
    assert!(!tunnel.contains("jwt-of-ana"), "{tunnel}");
    // The server behind the proxy has a certificate for another host, so the client sends no
    // request.
    let network = host.trusting_network().with_proxy(&proxy).unwrap();
    let result = count_domains("https://other.example", network).await;
    assert_eq!(result, Err(Failure::NotSent(NotSent::Tls)));
    let without_root = NetworkSettings::default().with_proxy(&proxy).unwrap();
    let result = count_domains("https://api.example:8443", without_root).await;
    assert_eq!(result, Err(Failure::NotSent(NotSent::Tls)));
}

#[tokio::test]
async fn loopback_bypasses_the_proxy() {
    let host = TlsServer::start(&["127.0.0.1", "localhost"]).await;
    let (proxy, proxy_requests) = proxy(host.port).await;
    for name in ["127.0.0.1", "localhost"] {
        let network = host.trusting_network().with_proxy(&proxy).unwrap();
        assert_eq!(
            count_domains(&format!("https://{name}:{}", host.port), network).await,
            Ok(1)
        );
    }
    let server = Server::with_reply("200 OK", "", "[]").await;
    let network = NetworkSettings::default().with_proxy(&proxy).unwrap();
    assert_eq!(count_domains(server.base.as_str(), network).await, Ok(0));
    assert!(proxy_requests.lock().unwrap().is_empty());
}

#[tokio::test]
async fn closed_or_refusing_proxy_is_not_sent() {
    let (listener, server) = tokio::join!(
        TcpListener::bind("127.0.0.1:0"),
        Server::with_reply("403 Forbidden", "", "")
    );
    let listener = listener.unwrap();
    let closed_url = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    for proxy in [closed_url, server.base.as_str().to_owned()] {
        let network = NetworkSettings::default().with_proxy(&proxy).unwrap();
        let result = count_domains("https://api.example", network).await;
        assert_eq!(result, Err(Failure::NotSent(NotSent::Connect)), "{proxy}");
    }
}
