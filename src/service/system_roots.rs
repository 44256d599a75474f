//! Chooses the certificates that the client trusts: those of the operating system, and those of the
//! profile.
//!
//! On Linux, the HTTP library would let the environment variables `SSL_CERT_FILE` and
//! `SSL_CERT_DIR` replace the system's certificates, so it gets a list of certificates instead.

use reqwest::{Certificate, ClientBuilder};

/// A function that returns the contents of the files with the system's certificates, in PEM.
pub type ReadSystemRoots = fn() -> Vec<Vec<u8>>;

/// Trusts the certificates of the system and those of the profile. Returns `None` if the system's
/// certificates should be trusted but none can be read, and the profile has none either.
///
/// May take some tens of milliseconds.
#[cfg(target_os = "linux")]
pub(super) fn trust(
    builder: ClientBuilder,
    read_system: Option<ReadSystemRoots>,
    own: Vec<Certificate>,
) -> Option<ClientBuilder> {
    let files = read_system.map(|read| read()).unwrap_or_default();
    let system = usable_roots(&files).into_iter();
    let system = system.filter_map(|certificate| Certificate::from_der(&certificate).ok());
    let certificates: Vec<Certificate> = system.chain(own).collect();
    let is_unreadable = certificates.is_empty() && read_system.is_some();
    (!is_unreadable).then(|| builder.tls_certs_only(certificates))
}

/// Trusts the certificates of the system, which the system's own verifier knows, and those of the
/// profile.
#[cfg(not(target_os = "linux"))]
pub(super) fn trust(
    builder: ClientBuilder,
    _: Option<ReadSystemRoots>,
    own: Vec<Certificate>,
) -> Option<ClientBuilder> {
    Some(builder.tls_certs_merge(own))
}

/// The distinct certificates in these files. Skips each certificate that cannot be used, because it
/// must not make the others unusable.
#[cfg(target_os = "linux")]
fn usable_roots(
    files: &[Vec<u8>],
) -> std::collections::HashSet<rustls::pki_types::CertificateDer<'static>> {
    use rustls::RootCertStore;
    use rustls::pki_types::CertificateDer;
    use rustls::pki_types::pem::PemObject;

    let certificates = files
        .iter()
        .flat_map(|pem| CertificateDer::pem_slice_iter(pem));
    let certificates = certificates.filter_map(Result::ok);
    certificates
        .filter(|root| RootCertStore::empty().add(root.clone()).is_ok())
        .collect()
}
