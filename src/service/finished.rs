//! The last look at a request's headers, just before it goes.
//!
//! The names of some headers come from a seller's file or from a journal. With a name that has
//! another meaning as well, money would leave without its key. That is why the finished request is
//! checked as a whole, whatever its parts come from.

use reqwest::header::{AUTHORIZATION, HeaderMap};

use super::api_request::{ApiRequest, plain_headers};
use crate::contract::is_reserved_header;
use crate::trade::withdrawal::NotSent;
use crate::trade::{Failure, Operation};

/// Refuses headers that are not the request's own, its key and its credential, each exactly once.
pub(super) fn check(api_request: &ApiRequest<'_>, headers: &HeaderMap) -> Result<(), Failure> {
    let (plain, key, credential) =
        (plain_headers(api_request), api_request.key, api_request.credential);
    let count = plain.len() + usize::from(key.is_some()) + usize::from(credential.is_some());
    let holds = headers.len() == count
        && plain.iter().all(|(name, value)| is_once(headers, name.as_str(), value.as_bytes()))
        && has_key(api_request, headers)
        && has_credential(api_request, headers);
    if holds { Ok(()) } else { Err(Failure::NotSent(NotSent::Headers)) }
}

/// The key stands in a header of its own; money has one.
fn has_key(api_request: &ApiRequest<'_>, headers: &HeaderMap) -> bool {
    match api_request.key {
        None => api_request.operation != Operation::Withdrawal,
        Some((name, key)) => {
            !key.is_empty() && !is_reserved_header(name) && is_once(headers, name, key.as_bytes())
        }
    }
}

/// The credential stands in its own header, and a request that names one has it.
fn has_credential(api_request: &ApiRequest<'_>, headers: &HeaderMap) -> bool {
    let Some(credential) = api_request.credential else {
        return api_request.call.credential.is_none();
    };
    let secret = credential.secret.expose().as_bytes();
    let mut values = headers.get_all(AUTHORIZATION).iter();
    let own = values.next().and_then(|value| value.as_bytes().strip_prefix(b"Bearer "));
    own == Some(secret) && values.next().is_none()
}

/// A header of this name is there once, with exactly this value.
fn is_once(headers: &HeaderMap, name: &str, value: &[u8]) -> bool {
    let mut values = headers.get_all(name).iter();
    values.next().is_some_and(|own| own.as_bytes() == value) && values.next().is_none()
}

#[cfg(test)]
mod tests;
