//! Create payment link.

use super::api_request::ApiRequest;
use super::exchange::exchange;
use super::refusal::{check, check_signs, unreadable};
use super::{BoundCredential, Service};
use crate::contract::read_json;
use crate::trade::Operation::CreateLink;
use crate::trade::withdrawal::NotSent;
use crate::trade::{Failure, LinkRequest, Untrusted};

impl Service {
    /// Asks for a link, once; its address comes back byte for byte as the service wrote it.
    ///
    /// There is no key against duplicates here: after no answer the link may exist.
    pub async fn create_link(
        &self,
        credential: BoundCredential<'_>,
        request: &LinkRequest,
    ) -> Result<Untrusted, Failure> {
        let spec = &self.contract.create_link;
        // An amount finer than a centavo cannot be typed; there are no bytes for it.
        let body = spec.body(request).ok_or(Failure::NotSent(NotSent::BodyChanged))?;
        let api_request = ApiRequest {
            body: Some((&body, &body)),
            ..self.api_request(CreateLink, self.address_of(CreateLink), Some(credential))
        };
        let reply = exchange(&self.client, &api_request).await?;
        check(&reply, &spec.call, "create_link.success", &self.contract, &api_request.mask)?;
        let json = read_json(&reply.body).unwrap_or_default();
        let signs = (&spec.failed, &spec.status);
        check_signs(&reply, &json, signs, &self.contract, &api_request.mask)?;
        let url = spec.url.str(&json).map(Untrusted::from);
        url.ok_or_else(|| unreadable(&reply, &["create_link.url"], &api_request.mask))
    }
}
