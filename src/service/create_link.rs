//! Create payment link.

use super::api_request::ApiRequest;
use super::{BoundCredential, Service};
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
        let success = self.success(api_request).await?;
        success.check_signs(&spec.failed, &spec.status)?;
        let url = spec.url.str(&success.json).map(Untrusted::from);
        url.ok_or_else(|| success.unreadable(&["create_link.url"]))
    }
}
