//! Direct payment.

use super::api_request::ApiRequest;
use super::exchange::exchange;
use super::refusal::{check, check_signs, unreadable};
use super::{BoundCredential, Service};
use crate::contract::read_json;
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
        let reply = exchange(&self.client, &api_request).await?;
        check(&reply, &spec.call, "direct_payment.success", &self.contract, &api_request.mask)?;
        let json = read_json(&reply.body).filter(|json| json.is_object()).unwrap_or_default();
        let signs = (&spec.failed, &spec.status);
        check_signs(&reply, &json, signs, &self.contract, &api_request.mask)?;
        let (id, pix_code) = (spec.id.text(&json), spec.pix_code.pix_code(&json));
        if id.is_none() && pix_code.is_none() {
            let looked_for = ["direct_payment.id", "direct_payment.pix_code"];
            return Err(unreadable(&reply, &looked_for, &api_request.mask));
        }
        if id.is_none() && spec.id_required {
            return Err(unreadable(&reply, &["direct_payment.id"], &api_request.mask));
        }
        let (status, expires) = (spec.status.text(&json), spec.expires.text(&json));
        Ok(ChargeOutcome::Created { id, status, pix_code, expires })
    }
}
