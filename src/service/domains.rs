//! List available checkout domains.

use super::exchange::{ApiRequest, exchange};
use super::refusal::{check, unreadable};
use super::trace::Mask;
use super::{BoundCredential, Service};
use crate::contract::{read_domains, read_json};
use crate::trade::{CheckoutDomain, Failure, Operation};

impl Service {
    /// The domains that can be used; an empty list means none can be used now.
    pub async fn domains(
        &self,
        credential: BoundCredential<'_>,
    ) -> Result<Vec<CheckoutDomain>, Failure> {
        let lines = &self.contract.domains;
        let ask = ApiRequest {
            operation: Operation::Domains,
            call: &lines.call,
            url: self.base.join(&lines.call.path),
            credential: Some(credential),
            key: None,
            body: None,
            most: self.client.limits().list_bytes,
            mask: Mask::of(credential.secret),
        };
        let reply = exchange(&self.client, &ask).await?;
        check(&reply, &lines.call, "domains.success", &self.contract, &ask.mask)?;
        let domains = read_json(&reply.body).and_then(|json| read_domains(lines, &json));
        domains.ok_or_else(|| unreadable(&reply, &["domains.under", "domains.host"], &ask.mask))
    }
}
