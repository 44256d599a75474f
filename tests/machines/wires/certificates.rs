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
    NoResumption,
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
        CertificateKind::NoResumption,
        CertificateKind::Expired,
        CertificateKind::NotYet,
        CertificateKind::WrongHost,
        CertificateKind::SelfSigned,
        CertificateKind::UnknownRoot,
    ];
}

/// Writes the certificate files into this directory: the trusted root certificate, and all server
/// certificates with their private keys.
pub fn write_all(dir: &Path) {
    let (root, root_pem) = create_root();
    let (unknown, _) = create_root();
    fs::write(dir.join(ROOT), root_pem).expect("a file");
    for kind in CertificateKind::ALL {
        let host = if kind == CertificateKind::WrongHost {
            "pay.example"
        } else {
            HOST
        };
        let mut params = CertificateParams::new(vec![host.to_owned()]).expect("a host");
        let years = match kind {
            CertificateKind::Expired => (2001, 2002),
            CertificateKind::NotYet => (2999, 3000),
            _ => (2001, 3000),
        };
        params.not_before = date_time_ymd(years.0, 1, 1);
        params.not_after = date_time_ymd(years.1, 1, 1);
        let key = KeyPair::generate().expect("a key");
        let certificate_result = match kind {
            CertificateKind::SelfSigned => params.self_signed(&key),
            CertificateKind::UnknownRoot => params.signed_by(&key, &unknown),
            _ => params.signed_by(&key, &root),
        };
        let [certificate, private_key] = file_names(kind);
        fs::write(
            dir.join(certificate),
            certificate_result.expect("a certificate").pem(),
        )
        .expect("a file");
        fs::write(dir.join(private_key), key.serialize_pem()).expect("a file");
    }
}

fn create_root() -> (Issuer<'static, KeyPair>, String) {
    let mut params = CertificateParams::new(Vec::new()).expect("no host");
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let key = KeyPair::generate().expect("a key");
    let pem = params.self_signed(&key).expect("a root").pem();
    (Issuer::new(params, key), pem)
}

fn file_names(kind: CertificateKind) -> [String; 2] {
    [format!("{kind:?}.pem"), format!("{kind:?}.key")]
}

/// Returns a TLS acceptor that presents this certificate.
pub fn acceptor(dir: &Path, kind: CertificateKind) -> TlsAcceptor {
    let [certificate, private_key] = file_names(kind).map(|name| dir.join(name));
    let certificate = CertificateDer::from_pem_file(certificate).expect("a certificate");
    let private_key = PrivateKeyDer::from_pem_file(private_key).expect("a key");
    let mut config = ServerConfig::builder()
        .with_no_client_auth()
        .with_single_cert(vec![certificate], private_key)
        .expect("a certificate and its key");
    if kind == CertificateKind::NoResumption {
        config.send_tls13_tickets = 0;
        config.session_storage = Arc::new(NoServerSessionStorage {});
    }
    TlsAcceptor::from(Arc::new(config))
}
