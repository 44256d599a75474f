//! Converts errors of the HTTP library to failures. A failure distinguishes whether the request was
//! certainly not sent.

use std::error::Error;
use std::io;

use rustls::CertificateError;

use crate::trade::checkup::{CertificateFault, HostFault};
use crate::trade::withdrawal::NotSent;
use crate::trade::{Failure, NoAnswer};

/// The error for a connection that was opened too late to send its request.
#[derive(Debug, thiserror::Error)]
#[error("it may not leave any more")]
pub(super) struct TooLate;

/// The error for a connection on which the service failed to prove that it is the sandbox.
#[derive(Debug, thiserror::Error)]
#[error("it is not the sandbox any more")]
pub(super) struct Unproven;

/// Converts an error of the HTTP library to a failure. Returns `NotSent` only if the request was
/// certainly not sent.
pub(super) fn to_failure(error: &reqwest::Error) -> Failure {
    if error.is_connect() {
        // The connection failed, so the library cannot have sent the request.
        return Failure::NotSent(match error {
            error if has_source::<TooLate>(error) => NotSent::NotSafe,
            error if has_source::<Unproven>(error) => NotSent::Unproven,
            error if error.is_dns() => NotSent::Dns,
            error if is_tls_error(error) => NotSent::Tls,
            _ => NotSent::Connect,
        });
    }
    if error.is_timeout() {
        return Failure::NoAnswer(NoAnswer::Timeout);
    }
    let mut hyper_errors = sources(error).filter_map(|source| source.downcast_ref());
    if hyper_errors.any(hyper::Error::is_parse) {
        return Failure::NoAnswer(NoAnswer::NotHttp);
    }
    Failure::NoAnswer(NoAnswer::Cut)
}

/// Converts an error of the HTTP library to the reason why the host did not reply.
pub(super) fn host_fault(error: &reqwest::Error) -> HostFault {
    if let Some(fault) = sources(error).find_map(certificate_fault) {
        return HostFault::Certificate(fault);
    }
    match (error.is_connect(), error.is_timeout()) {
        (_, true) => HostFault::Late,
        (true, _) if error.is_dns() => HostFault::Name,
        (true, _) if is_tls_error(error) => HostFault::Encryption,
        (true, _) => HostFault::Connect,
        (false, _) => HostFault::Cut,
    }
}

/// The fault of the host's certificate, or `None` if the error has another cause.
fn certificate_fault(error: &(dyn Error + 'static)) -> Option<CertificateFault> {
    if let Some(rustls::Error::InvalidCertificate(fault)) = error.downcast_ref() {
        return Some(certificate_fault_kind(fault));
    }
    // Look inside an `io::Error` too, because its `source` skips the error that it contains.
    certificate_fault(error.downcast_ref::<io::Error>()?.get_ref()?)
}

fn certificate_fault_kind(fault: &CertificateError) -> CertificateFault {
    use CertificateError::*;
    match fault {
        Expired | ExpiredContext { .. } => CertificateFault::Expired,
        NotValidYet | NotValidYetContext { .. } => CertificateFault::NotYetValid,
        NotValidForName | NotValidForNameContext { .. } => CertificateFault::OtherName,
        // A wrong signature means that the certificate names a trusted issuer who did not sign it.
        UnknownIssuer | BadSignature => CertificateFault::UnknownIssuer,
        Revoked => CertificateFault::Revoked,
        _ => CertificateFault::Other,
    }
}

fn has_source<T: Error + 'static>(error: &reqwest::Error) -> bool {
    sources(error).any(|source| source.is::<T>())
}

/// True for a TLS error. The HTTP library reports TLS errors as an `io::Error` of the kind
/// `InvalidData`.
fn is_tls_error(error: &reqwest::Error) -> bool {
    let mut io_errors = sources(error).filter_map(|source| source.downcast_ref::<io::Error>());
    io_errors.any(is_invalid_data)
}

/// The causes of an error, from the outermost to the innermost.
fn sources(error: &reqwest::Error) -> impl Iterator<Item = &(dyn Error + 'static)> {
    std::iter::successors(error.source(), |&error| error.source())
}

/// True if the error, or an `io::Error` inside it, has the kind `InvalidData`.
fn is_invalid_data(error: &io::Error) -> bool {
    let inner = error
        .get_ref()
        .and_then(|inner| inner.downcast_ref::<io::Error>());
    error.kind() == io::ErrorKind::InvalidData || inner.is_some_and(is_invalid_data)
}
