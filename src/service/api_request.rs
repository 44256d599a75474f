//! One request to the service, before it is sent.

use reqwest::header::{ACCEPT, ACCEPT_ENCODING, CONTENT_TYPE, HeaderName, USER_AGENT};
use url::Url;

use super::mask::Mask;
use super::{BoundCredential, Service};
use crate::contract::{Call, Contract, Encoding, Method};
use crate::trade::Operation;

/// One request, before it is sent.
pub(super) struct ApiRequest<'a> {
    /// The service that is asked; `None` for a withdrawal, whose address is in its agreement.
    pub(super) service: Option<&'a Service>,
    pub(super) operation: Operation,
    /// The contract that shaped the request; the seller has agreed to it.
    pub(super) contract: &'a Contract,
    pub(super) call: &'a Call,
    pub(super) method: Method,
    pub(super) url: Url,
    pub(super) credential: Option<BoundCredential<'a>>,
    /// The idempotency key's header and value.
    pub(super) key: Option<(&'a str, &'a str)>,
    /// The body's exact text, and the same as it may be looked at.
    pub(super) body: Option<(&'a str, &'a str)>,
    /// The most bytes of the reply that are read.
    pub(super) most: usize,
    pub(super) mask: Mask<'a>,
}

impl Service {
    /// Returns a request of this operation at this address, without a body.
    pub(super) fn api_request<'a>(
        &'a self,
        operation: Operation,
        url: Url,
        credential: Option<BoundCredential<'a>>,
    ) -> ApiRequest<'a> {
        let call = self.contract.call_of(operation);
        ApiRequest {
            service: Some(self),
            operation,
            contract: &self.contract,
            call,
            method: call.method,
            url,
            credential,
            key: None,
            body: None,
            most: self.client.limits().reply_bytes,
            mask: credential.map(|one| Mask::of(one.secret)).unwrap_or_default(),
        }
    }

    /// Returns the address of an operation, as the contract has it.
    pub(super) fn address_of(&self, operation: Operation) -> Url {
        self.base.join(&self.contract.call_of(operation).path)
    }
}

/// The headers that hold nothing of anybody's.
pub(super) fn plain_headers(api_request: &ApiRequest<'_>) -> Vec<(HeaderName, &'static str)> {
    let mut headers = vec![
        (ACCEPT, "application/json"),
        (ACCEPT_ENCODING, "identity"),
        (USER_AGENT, concat!("balcao/", env!("CARGO_PKG_VERSION"))),
    ];
    if let Some((body, _)) = api_request.body {
        headers.push((CONTENT_TYPE, Encoding::of(body).content_type()));
    }
    headers
}
