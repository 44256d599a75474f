//! The check of a complete request, just before it is sent.
//!
//! Paths and header names can come from the seller's API contract file, from the journal or from a
//! reply. A wrong header name could overwrite the idempotency key of a withdrawal. A wrong path
//! could turn another operation into a payment. Therefore the complete request is checked here.

use reqwest::header::{AUTHORIZATION, HeaderMap};

use url::Url;

use super::Service;
use super::exchange::{ApiRequest, common_headers};
use crate::contract::{CredentialHeader, FixedHeader, is_reserved_header, is_same_header};
use crate::trade::withdrawal::NotSent;
use crate::trade::{Failure, Operation};

/// Checks a complete request.
///
/// Only a withdrawal may use the path of a withdrawal and its idempotency-key header. Each header
/// must belong to the operation, the idempotency key or the credential. Each must occur exactly
/// once.
pub(super) fn check(api_request: &ApiRequest<'_>, headers: &HeaderMap) -> Result<(), Failure> {
    let plain = common_headers(api_request);
    let fixed = &api_request.call.fixed_headers;
    let count = plain.len() + fixed.len() + usize::from(api_request.key.is_some());
    let is_valid = is_sender_allowed(api_request, headers)
        && headers.len() == count + credential_headers(api_request).len()
        && plain
            .iter()
            .all(|(name, value)| is_once(headers, name.as_str(), value.as_bytes()))
        && fixed
            .iter()
            .all(|header| has_fixed_header(api_request, header, headers))
        && has_key(api_request, headers)
        && has_credential(api_request, headers);
    if is_valid {
        Ok(())
    } else {
        Err(Failure::NotSent(NotSent::Headers))
    }
}

impl Service {
    /// True if a server might interpret this URL as the URL of a withdrawal.
    pub(super) fn is_withdrawal_url(&self, url: &Url) -> bool {
        self.has_path(url, |path| self.contract.withdrawal_only.has_path(path))
    }

    /// True if a server might create or pay something at this URL.
    pub(super) fn creates_or_pays_at(&self, url: &Url) -> bool {
        self.has_path(url, |path| self.contract.creates_or_pays_at(path))
    }

    /// True for a reserved path of this URL. The base URL may contain the beginning of such a path,
    /// so the whole path counts too.
    fn has_path(&self, url: &Url, is_reserved: impl Fn(&str) -> bool) -> bool {
        is_reserved(url.path()) || self.base.path_below_base(url).is_none_or(is_reserved)
    }
}

/// False if a request uses the path or the idempotency-key header of a withdrawal but is not a
/// withdrawal.
fn is_sender_allowed(api_request: &ApiRequest<'_>, headers: &HeaderMap) -> bool {
    let is_withdrawal = api_request.operation == Operation::Withdrawal;
    let Some(service) = api_request.service else {
        return is_withdrawal;
    };
    let withdrawal_only = &service.contract.withdrawal_only;
    // A login's body contains the password.
    if api_request.operation == Operation::Login && service.creates_or_pays_at(&api_request.url) {
        return false;
    }
    !is_withdrawal
        && api_request.key.is_none()
        && !service.is_withdrawal_url(&api_request.url)
        && !headers
            .keys()
            .any(|name| withdrawal_only.has_header(name.as_str()))
}

/// True if a fixed header of the API contract occurs exactly once, with its value. Its name must
/// not be reserved, and must not be the name of the idempotency-key header.
fn has_fixed_header(
    api_request: &ApiRequest<'_>,
    header: &FixedHeader,
    headers: &HeaderMap,
) -> bool {
    let name = &header.name;
    let is_key_header = api_request
        .key
        .is_some_and(|(key, _)| is_same_header(key, name));
    !is_reserved_header(name) && !is_key_header && is_once(headers, name, header.value.as_bytes())
}

/// The headers that contain the credential, or an empty list if the request has no credential.
fn credential_headers<'a>(api_request: &ApiRequest<'a>) -> &'a [CredentialHeader] {
    match api_request.credential {
        Some(_) => &api_request.call.credential_headers,
        None => &[],
    }
}

/// True if a withdrawal contains its idempotency key exactly once. The name of the key's header
/// must not be reserved. Other operations need no key.
fn has_key(api_request: &ApiRequest<'_>, headers: &HeaderMap) -> bool {
    match api_request.key {
        None => api_request.operation != Operation::Withdrawal,
        Some((name, key)) => {
            !key.is_empty() && !is_reserved_header(name) && is_once(headers, name, key.as_bytes())
        }
    }
}

/// True if the credential headers contain the complete credential, or if the operation needs no
/// credential.
fn has_credential(api_request: &ApiRequest<'_>, headers: &HeaderMap) -> bool {
    let Some(credential) = api_request.credential else {
        return api_request.call.credential.is_none();
    };
    let secret = credential.secret.expose();
    let expected = credential_headers(api_request);
    let key = api_request.key.map(|(name, _)| name);
    !expected.is_empty()
        && expected.iter().all(|header| {
            let value = header.value(secret);
            is_allowed_name(&header.name, key)
                && value.is_some_and(|value| is_once(headers, &header.name, &value))
        })
}

/// True if a credential header may have this name.
///
/// The name must not be reserved. It must also differ clearly from the idempotency-key header,
/// because a gateway could confuse similar names.
fn is_allowed_name(name: &str, key_header: Option<&str>) -> bool {
    let is_authorization = is_same_header(name, AUTHORIZATION.as_str());
    (is_authorization || !is_reserved_header(name))
        && !key_header.is_some_and(|key| is_same_header(key, name))
}

/// True if the header with this name occurs exactly once and has this value.
fn is_once(headers: &HeaderMap, name: &str, value: &[u8]) -> bool {
    let mut values = headers.get_all(name).iter();
    values.next().is_some_and(|first| first.as_bytes() == value) && values.next().is_none()
}

#[cfg(test)]
mod tests;
