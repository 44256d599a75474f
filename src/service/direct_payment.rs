//! Direct payment.

use super::api_request::ApiRequest;
use super::{BoundCredential, Service};
use crate::trade::Operation::DirectPayment;
use crate::trade::{ChargeOutcome, Failure};

impl Service {
    /// Asks for a direct payment, once; what comes back is always [`ChargeOutcome::Created`].
    ///
    /// There is no key against duplicates here: after no answer the payment may exist.
    /// The body is the text the contract's form made, and holds no secret.
    pub async fn direct_payment(
        &self,
        credential: BoundCredential<'_>,
        body: &str,
    ) -> Result<ChargeOutcome, Failure> {
        let spec = &self.contract.direct_payment;
        let api_request = ApiRequest {
            body: Some((body, body)),
            ..self.api_request(DirectPayment, self.address_of(DirectPayment), Some(credential))
        };
        let success = self.success(api_request).await?;
        success.check_signs(&spec.failed, &spec.status)?;
        let json = &success.json;
        let (id, pix_code) = (spec.id.text(json), spec.pix_code.pix_code(json));
        if id.is_none() && pix_code.is_none() {
            return Err(success.unreadable(&["direct_payment.id", "direct_payment.pix_code"]));
        }
        if id.is_none() && spec.id_required {
            return Err(success.unreadable(&["direct_payment.id"]));
        }
        let (status, expires) = (spec.status.text(json), spec.expires.text(json));
        Ok(ChargeOutcome::Created { id, status, pix_code, expires })
    }
}
