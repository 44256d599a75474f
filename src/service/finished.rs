//! The last check of a request, just before it is sent.
//!
//! Paths and the names of some headers come from a seller's file, a journal or a reply. With a name
//! that has another meaning as well, money would leave without its key; with the withdrawal's path,
//! another operation would pay. That is why the finished request is checked as a whole, whatever
//! its parts come from.

use reqwest::header::{AUTHORIZATION, HeaderMap};

use url::Url;

use super::Service;
use super::exchange::{ApiRequest, plain_headers};
use crate::contract::{CredentialHeader, FixedHeader, is_reserved_header, is_same_header};
use crate::trade::withdrawal::NotSent;
use crate::trade::{Failure, Operation};

/// Refuses what only the withdrawal may have in another request, and headers that are not the
/// request's own, its key and its credential, each exactly once.
pub(super) fn check(api_request: &ApiRequest<'_>, headers: &HeaderMap) -> Result<(), Failure> {
    let (plain, fixed) = (plain_headers(api_request), &api_request.call.fixed_headers);
    let count = plain.len() + fixed.len() + usize::from(api_request.key.is_some());
    let holds = keeps_off_the_withdrawal(api_request, headers)
        && headers.len() == count + credential_headers(api_request).len()
        && plain.iter().all(|(name, value)| is_once(headers, name.as_str(), value.as_bytes()))
        && fixed.iter().all(|header| is_own(api_request, header, headers))
        && has_key(api_request, headers)
        && has_credential(api_request, headers);
    if holds { Ok(()) } else { Err(Failure::NotSent(NotSent::Headers)) }
}

impl Service {
    /// Returns true if some server would take an address for the withdrawal's.
    pub(super) fn is_withdrawal(&self, url: &Url) -> bool {
        self.base.path_of(url).is_none_or(|path| self.contract.withdrawal_only.has_path(path))
    }
}

/// Only a withdrawal goes where withdrawals are sent, or carries a key.
fn keeps_off_the_withdrawal(api_request: &ApiRequest<'_>, headers: &HeaderMap) -> bool {
    let is_money = api_request.operation == Operation::Withdrawal;
    let Some(service) = api_request.service else { return is_money };
    let only = &service.contract.withdrawal_only;
    !is_money
        && api_request.key.is_none()
        && !service.is_withdrawal(&api_request.url)
        && !headers.keys().any(|name| only.has_header(name.as_str()))
}

/// A header of the contract's has a name with no other use, and its value once.
fn is_own(api_request: &ApiRequest<'_>, header: &FixedHeader, headers: &HeaderMap) -> bool {
    let name = &header.name;
    let is_keys = api_request.key.is_some_and(|(key, _)| is_same_header(key, name));
    !is_reserved_header(name) && !is_keys && is_once(headers, name, header.value.as_bytes())
}

/// The headers that carry the credential; none where a request has none.
fn credential_headers<'a>(api_request: &ApiRequest<'a>) -> &'a [CredentialHeader] {
    match api_request.credential {
        Some(_) => &api_request.call.credential_headers,
        None => &[],
    }
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

/// The credential stands in its own headers, and a request that names one has it.
fn has_credential(api_request: &ApiRequest<'_>, headers: &HeaderMap) -> bool {
    let Some(credential) = api_request.credential else {
        return api_request.call.credential.is_none();
    };
    let secret = credential.secret.expose();
    let own = credential_headers(api_request);
    let key = api_request.key.map(|(name, _)| name);
    // No header of another use, and none that a gateway takes for the key's.
    let is_free = |name: &str| {
        let is_authorization = is_same_header(name, AUTHORIZATION.as_str());
        (is_authorization || !is_reserved_header(name))
            && !key.is_some_and(|key| is_same_header(key, name))
    };
    let is_there = |header: &CredentialHeader| {
        let value = header.value(secret);
        value.is_some_and(|value| is_once(headers, &header.name, &value))
    };
    !own.is_empty() && own.iter().all(|header| is_free(&header.name) && is_there(header))
}

/// A header of this name is there once, with exactly this value.
fn is_once(headers: &HeaderMap, name: &str, value: &[u8]) -> bool {
    let mut values = headers.get_all(name).iter();
    values.next().is_some_and(|own| own.as_bytes() == value) && values.next().is_none()
}

#[cfg(test)]
mod tests;
