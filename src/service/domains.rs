//! List available checkout domains.

use super::api_request::ApiRequest;
use super::exchange::exchange;
use super::mask::Mask;
use super::refusal::{check, unreadable};
use super::{BoundCredential, Service};
use crate::contract::{read_domains, read_json};
use crate::trade::{CheckoutDomain, Failure, Operation};

impl Service {
    /// The domains that can be used; an empty list means none can be used now.
    pub async fn domains(
        &self,
        credential: BoundCredential<'_>,
    ) -> Result<Vec<CheckoutDomain>, Failure> {
        let spec = &self.contract.domains;
        let api_request = ApiRequest {
            operation: Operation::Domains,
            call: &spec.call,
            method: spec.call.method,
            url: self.base.join(&spec.call.path),
            credential: Some(credential),
            key: None,
            body: None,
            most: self.client.limits().list_bytes,
            mask: Mask::of(credential.secret),
        };
        let reply = exchange(&self.client, &api_request).await?;
        check(&reply, &spec.call, "domains.success", &self.contract, &api_request.mask)?;
        let domains = read_json(&reply.body).and_then(|json| read_domains(spec, &json));
        domains.ok_or_else(|| {
            unreadable(&reply, &["domains.under", "domains.host"], &api_request.mask)
        })
    }
}
