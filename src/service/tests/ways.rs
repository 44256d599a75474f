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
struct SecuredHost {
    port: u16,
    root: String,
    task: JoinHandle<()>,
}

impl SecuredHost {
    async fn start(names: &[&str]) -> SecuredHost {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let root_key = KeyPair::generate().unwrap();
        let root = params.self_signed(&root_key).unwrap().pem();
        let issuer = Issuer::new(params, root_key);
        let key = KeyPair::generate().unwrap();
        let own = CertificateParams::new(names).unwrap().signed_by(&key, &issuer).unwrap();
        let config = ServerConfig::builder()
            .with_no_client_auth()
            .with_single_cert(
                vec![own.der().clone()],
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
                let Ok(mut stream) = acceptor.accept(stream).await else { continue };
                let mut request = Vec::new();
                while !request.ends_with(b"\r\n\r\n") && stream.read_buf(&mut request).await.is_ok()
                {
                }
                let _ = stream.write_all(&answer("200 OK", "", "[\"loja.example\"]")).await;
                let _ = stream.shutdown().await;
            }
        });
        SecuredHost { port, root, task }
    }

    fn trusted(&self) -> NetworkSettings {
        NetworkSettings::default().trusting("root.pem", self.root.as_bytes()).unwrap()
    }
}

impl Drop for SecuredHost {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Starts a proxy that connects every tunnel to this local port. Returns the URL of the proxy, and
/// the list of the requests that it has received.
async fn proxy(port: u16) -> (String, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let asked = Arc::new(Mutex::new(Vec::new()));
    let noted = asked.clone();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let request = read_request(&mut stream).await;
            noted.lock().unwrap().push(request);
            let Ok(mut host) = TcpStream::connect(("127.0.0.1", port)).await else { continue };
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await;
            let _ = copy_bidirectional(&mut stream, &mut host).await;
        }
    });
    (address, asked)
}

/// Requests the list of checkout domains and returns their number.
async fn asked(base: &str, connection: NetworkSettings) -> Result<usize, Failure> {
    let tracer: Tracer = Arc::new(|_| ());
    let client = Client::new(Limits::default(), connection, agreed(), Arc::new(clocks), tracer);
    let base = BaseUrl::parse(base).unwrap();
    let origin = base.origin().clone();
    let service = Service::new(base, Arc::new(Contract::built_in()), client);
    let secret = Secret::new("jwt-of-ana".into());
    let credential =
        BoundCredential { kind: CredentialKind::Jwt, origin: &origin, secret: &secret };
    service.domains(credential).await.map(|listed| listed.len())
}

#[tokio::test]
async fn only_host_signed_by_own_root_is_trusted() {
    let (host, other) =
        tokio::join!(SecuredHost::start(&["127.0.0.1"]), SecuredHost::start(&["127.0.0.1"]));
    let base = format!("https://127.0.0.1:{}", host.port);
    assert_eq!(asked(&base, host.trusted()).await, Ok(1));
    for connection in [NetworkSettings::default(), other.trusted()] {
        assert_eq!(asked(&base, connection).await, Err(Failure::NotSent(NotSent::Tls)));
    }
}

#[tokio::test]
async fn proxy_is_used_and_host_certificate_is_checked() {
    let host = SecuredHost::start(&["api.example"]).await;
    let (proxy, seen) = proxy(host.port).await;
    let by_proxy = host.trusted().through(&proxy).unwrap();
    assert_eq!(asked("https://api.example:8443", by_proxy).await, Ok(1));
    let tunnel = seen.lock().unwrap().remove(0);
    assert!(tunnel.starts_with("CONNECT api.example:8443 HTTP/1.1\r\n"), "{tunnel}");
    assert!(!tunnel.contains("jwt-of-ana"), "{tunnel}");
    // The server behind the proxy has a certificate for another host, so the client sends no
    // request.
    let by_proxy = host.trusted().through(&proxy).unwrap();
    let failed = asked("https://other.example", by_proxy).await;
    assert_eq!(failed, Err(Failure::NotSent(NotSent::Tls)));
    let plain = NetworkSettings::default().through(&proxy).unwrap();
    let failed = asked("https://api.example:8443", plain).await;
    assert_eq!(failed, Err(Failure::NotSent(NotSent::Tls)));
}

#[tokio::test]
async fn loopback_bypasses_the_proxy() {
    let host = SecuredHost::start(&["127.0.0.1", "localhost"]).await;
    let (proxy, seen) = proxy(host.port).await;
    for name in ["127.0.0.1", "localhost"] {
        let by_proxy = host.trusted().through(&proxy).unwrap();
        assert_eq!(asked(&format!("https://{name}:{}", host.port), by_proxy).await, Ok(1));
    }
    let server = Server::answering("200 OK", "", "[]").await;
    let by_proxy = NetworkSettings::default().through(&proxy).unwrap();
    assert_eq!(asked(server.base.as_str(), by_proxy).await, Ok(0));
    assert!(seen.lock().unwrap().is_empty());
}

#[tokio::test]
async fn a_proxy_that_is_gone_or_refuses_is_nothing_sent() {
    let (held, server) =
        tokio::join!(TcpListener::bind("127.0.0.1:0"), Server::answering("403 Forbidden", "", ""));
    let held = held.unwrap();
    let gone = format!("http://{}", held.local_addr().unwrap());
    drop(held);
    for proxy in [gone, server.base.as_str().to_owned()] {
        let by_proxy = NetworkSettings::default().through(&proxy).unwrap();
        let failed = asked("https://api.example", by_proxy).await;
        assert_eq!(failed, Err(Failure::NotSent(NotSent::Connect)), "{proxy}");
    }
}
