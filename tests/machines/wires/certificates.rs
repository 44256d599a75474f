//! Creates the test server's certificates: valid certificates, and certificates that are invalid in
//! every way.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair, date_time_ymd};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::server::NoServerSessionStorage;

/// The address of every test server.
pub const HOST: &str = "127.0.0.1";

/// The file that contains the root certificate that the client trusts.
pub const ROOT: &str = "root.pem";

/// The kind of certificate that the test server presents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CertificateKind {
    /// A valid certificate for the test server, signed by the trusted root.
    Good,
    /// A valid certificate, with TLS session resumption turned off. Each handshake is then
    /// complete.
    Afresh,
    Expired,
    NotYet,
    /// A certificate that is signed by the trusted root, but for another host.
    WrongHost,
    SelfSigned,
    /// A certificate that is signed by a root that the client does not trust.
    UnknownRoot,
}

impl CertificateKind {
    pub const ALL: [CertificateKind; 7] = [
        CertificateKind::Good,
        CertificateKind::Afresh,
        CertificateKind::Expired,
        CertificateKind::NotYet,
        CertificateKind::WrongHost,
        CertificateKind::SelfSigned,
        CertificateKind::UnknownRoot,
    ];
}

/// Writes the certificate files into this directory: the trusted root certificate, and all server
/// certificates with their private keys.
pub fn make(dir: &Path) {
    let (root, root_text) = authority();
    let (unknown, _) = authority();
    fs::write(dir.join(ROOT), root_text).expect("a file");
    for proof in CertificateKind::ALL {
        let host = if proof == CertificateKind::WrongHost { "pay.example" } else { HOST };
        let mut params = CertificateParams::new(vec![host.to_owned()]).expect("a host");
        let years = match proof {
            CertificateKind::Expired => (2001, 2002),
            CertificateKind::NotYet => (2999, 3000),
            _ => (2001, 3000),
        };
        params.not_before = date_time_ymd(years.0, 1, 1);
        params.not_after = date_time_ymd(years.1, 1, 1);
        let key = KeyPair::generate().expect("a key");
        let made = match proof {
            CertificateKind::SelfSigned => params.self_signed(&key),
            CertificateKind::UnknownRoot => params.signed_by(&key, &unknown),
            _ => params.signed_by(&key, &root),
        };
        let [certificate, secret] = files(proof);
        fs::write(dir.join(certificate), made.expect("a certificate").pem()).expect("a file");
        fs::write(dir.join(secret), key.serialize_pem()).expect("a file");
    }
}

fn authority() -> (Issuer<'static, KeyPair>, String) {
    let mut params = CertificateParams::new(Vec::new()).expect("no host");
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let key = KeyPair::generate().expect("a key");
    let text = params.self_signed(&key).expect("a root").pem();
    (Issuer::new(params, key), text)
}

fn files(proof: CertificateKind) -> [String; 2] {
    [format!("{proof:?}.pem"), format!("{proof:?}.key")]
}

/// Returns a TLS acceptor that presents this certificate.
pub fn acceptor(dir: &Path, proof: CertificateKind) -> TlsAcceptor {
    let [certificate, secret] = files(proof).map(|name| dir.join(name));
    let certificate = CertificateDer::from_pem_file(certificate).expect("a certificate");
    let secret = PrivateKeyDer::from_pem_file(secret).expect("a key");
    let mut config = ServerConfig::builder()
        .with_no_client_auth()
        .with_single_cert(vec![certificate], secret)
        .expect("a certificate and its key");
    if proof == CertificateKind::Afresh {
        config.send_tls13_tickets = 0;
        config.session_storage = Arc::new(NoServerSessionStorage {});
    }
    TlsAcceptor::from(Arc::new(config))
}
