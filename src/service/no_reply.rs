//! A reply that did not come: whether it is certain that nothing was sent.

use std::error::Error;
use std::io;

use rustls::CertificateError;

use crate::trade::checkup::{CertificateFault, HostFault};
use crate::trade::withdrawal::NotSent;
use crate::trade::{Failure, NoAnswer};

/// A connection stands, and its request came too late.
#[derive(Debug, thiserror::Error)]
#[error("it may not leave any more")]
pub(super) struct TooLate;

/// A connection stands, and what is behind it did not prove to be the sandbox any more.
#[derive(Debug, thiserror::Error)]
#[error("it is not the sandbox any more")]
pub(super) struct Unproven;

/// Translates a missing reply into a failure. Only a certain case counts as not sent.
pub(super) fn failure(error: &reqwest::Error) -> Failure {
    if error.is_connect() {
        // The request is handed over only once a connection stands.
        return Failure::NotSent(match error {
            error if is_because::<TooLate>(error) => NotSent::NotSafe,
            error if is_because::<Unproven>(error) => NotSent::Unproven,
            error if error.is_dns() => NotSent::Dns,
            error if was_tls(error) => NotSent::Tls,
            _ => NotSent::Connect,
        });
    }
    if error.is_timeout() {
        return Failure::NoAnswer(NoAnswer::Timeout);
    }
    let is_parse = |error: &hyper::Error| error.is_parse();
    if sources(error).any(|source| source.downcast_ref().is_some_and(is_parse)) {
        return Failure::NoAnswer(NoAnswer::NotHttp);
    }
    Failure::NoAnswer(NoAnswer::Cut)
}

/// Names what stood between this computer and a sign of life.
pub(super) fn host_fault(error: &reqwest::Error) -> HostFault {
    if let Some(fault) = sources(error).find_map(certificate_fault) {
        return HostFault::Certificate(fault);
    }
    match (error.is_connect(), error.is_timeout()) {
        (_, true) => HostFault::Late,
        (true, _) if error.is_dns() => HostFault::Name,
        (true, _) if was_tls(error) => HostFault::Encryption,
        (true, _) => HostFault::Connect,
        (false, _) => HostFault::Cut,
    }
}

/// The fault of a certificate, where an error is about one.
fn certificate_fault(error: &(dyn Error + 'static)) -> Option<CertificateFault> {
    if let Some(rustls::Error::InvalidCertificate(fault)) = error.downcast_ref() {
        return Some(named(fault));
    }
    // An error inside an input error is not its source.
    certificate_fault(error.downcast_ref::<io::Error>()?.get_ref()?)
}

fn named(fault: &CertificateError) -> CertificateFault {
    use CertificateError::*;
    match fault {
        Expired | ExpiredContext { .. } => CertificateFault::Expired,
        NotValidYet | NotValidYetContext { .. } => CertificateFault::NotYetValid,
        NotValidForName | NotValidForNameContext { .. } => CertificateFault::OtherName,
        // A signature that is wrong is one by somebody of the same name.
        UnknownIssuer | BadSignature => CertificateFault::UnknownIssuer,
        Revoked => CertificateFault::Revoked,
        _ => CertificateFault::Other,
    }
}

fn is_because<T: Error + 'static>(error: &reqwest::Error) -> bool {
    sources(error).any(|source| source.is::<T>())
}

/// The TLS library reports through input errors that say "invalid data".
fn was_tls(error: &reqwest::Error) -> bool {
    let mut inputs = sources(error).filter_map(|source| source.downcast_ref::<io::Error>());
    inputs.any(holds_invalid_data)
}

/// Iterates over the causes of an error.
fn sources(error: &reqwest::Error) -> impl Iterator<Item = &(dyn Error + 'static)> {
    std::iter::successors(error.source(), |&error| error.source())
}

/// An input error inside another is not its source, and is looked for by itself.
fn holds_invalid_data(error: &io::Error) -> bool {
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref::<io::Error>());
    error.kind() == io::ErrorKind::InvalidData || inner.is_some_and(holds_invalid_data)
}
