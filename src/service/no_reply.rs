//! A reply that did not come: whether it is certain that nothing was sent.

use std::error::Error;
use std::io;

use crate::trade::withdrawal::NotSent;
use crate::trade::{Failure, NoAnswer};

/// A connection stands, and its request came too late.
#[derive(Debug, thiserror::Error)]
#[error("it may not leave any more")]
pub(super) struct TooLate;

/// Translates a missing reply into a failure. Only a certain case counts as not sent.
pub(super) fn failure(error: &reqwest::Error) -> Failure {
    if error.is_connect() {
        // The request is handed over only once a connection stands.
        return Failure::NotSent(match error {
            error if was_too_late(error) => NotSent::NotSafe,
            error if error.is_dns() => NotSent::Dns,
            error if was_tls(error) => NotSent::Tls,
            _ => NotSent::Connect,
        });
    }
    if error.is_timeout() {
        return Failure::NoAnswer(NoAnswer::Timeout);
    }
    Failure::NoAnswer(NoAnswer::Cut)
}

fn was_too_late(error: &reqwest::Error) -> bool {
    sources(error).any(|source| source.is::<TooLate>())
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
