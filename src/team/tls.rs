//! Chooses the certificates that a connection to a team's database trusts. They are always
//! verified.

use std::sync::Arc;

use rustls::client::WantsClientCert;
use rustls::crypto::aws_lc_rs;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, ConfigBuilder};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::TeamDatabase;

/// The TLS settings for a database. May take some tens of milliseconds.
///
/// # Errors
///
/// Returns a description of the problem if the team's own certificate cannot be read.
pub(super) fn connector(database: &TeamDatabase) -> Result<MakeRustlsConnect, String> {
    let own = match &database.ca {
        Some(pem) => read_own(pem)?,
        None => Vec::new(),
    };
    let builder = ClientConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?;
    let builder = trust(builder, database, own)?;
    Ok(MakeRustlsConnect::new(builder.with_no_client_auth()))
}

/// Reads the team's own certificates. Unlike one of the system's, each of them must be usable.
fn read_own(pem: &[u8]) -> Result<Vec<CertificateDer<'static>>, String> {
    let certificates: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(pem).collect();
    let certificates = certificates.map_err(|error| error.to_string())?;
    if certificates.is_empty() {
        return Err("the file of the team's certificate contains none".to_owned());
    }
    Ok(certificates)
}

type Builder = ConfigBuilder<ClientConfig, rustls::WantsVerifier>;

/// Trusts the system's certificates and the team's own. The environment variables that name other
/// certificates are ignored, so the system's are read by this program.
#[cfg(target_os = "linux")]
fn trust(
    builder: Builder,
    database: &TeamDatabase,
    own: Vec<CertificateDer<'static>>,
) -> Result<ConfigBuilder<ClientConfig, WantsClientCert>, String> {
    let mut roots = rustls::RootCertStore::empty();
    for certificate in own {
        roots.add(certificate).map_err(|error| error.to_string())?;
    }
    for pem in database.system_roots.map(|read| read()).unwrap_or_default() {
        let certificates = CertificateDer::pem_slice_iter(&pem).filter_map(Result::ok);
        // Skip each certificate that cannot be used, because it must not make the others unusable.
        roots.add_parsable_certificates(certificates);
    }
    Ok(builder.with_root_certificates(roots))
}

/// Trusts the certificates that the system's own verifier knows, and the team's own.
#[cfg(not(target_os = "linux"))]
fn trust(
    builder: Builder,
    database: &TeamDatabase,
    own: Vec<CertificateDer<'static>>,
) -> Result<ConfigBuilder<ClientConfig, WantsClientCert>, String> {
    use rustls_platform_verifier::Verifier;

    if database.system_roots.is_none() {
        let mut roots = rustls::RootCertStore::empty();
        roots.add_parsable_certificates(own);
        return Ok(builder.with_root_certificates(roots));
    }
    let verifier = Verifier::new_with_extra_roots(own, builder.crypto_provider().clone());
    let verifier = verifier.map_err(|error| error.to_string())?;
    Ok(builder
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(verifier)))
}
