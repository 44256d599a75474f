//! Withdrawal fee preview.

use super::exchange::{Ask, exchange};
use super::refusal::{check, unreadable};
use super::trace::Mask;
use super::{Credential, Service};
use crate::contract::{Method, read_json};
use crate::trade::withdrawal::NotSent;
use crate::trade::{Failure, Money, Operation, Quote, QuoteFault};

/// Why there is no quote.
#[derive(Debug, Clone, PartialEq)]
pub enum PreviewFailure {
    /// The operation did not do what was asked.
    Failure(Failure),
    /// The service answered with figures that make no quote.
    Fault(QuoteFault),
}

impl Service {
    /// What a withdrawal of this amount would cost now.
    pub async fn fee_preview(
        &self,
        credential: Credential<'_>,
        amount: Money,
    ) -> Result<Quote, PreviewFailure> {
        let lines = &self.contract.fee_preview;
        let nothing = || PreviewFailure::Failure(Failure::NotSent(NotSent::BodyChanged));
        let wire = lines.unit.wire(amount).ok_or_else(nothing)?;
        let mut url = self.base.join(&lines.call.path);
        let mut body = None;
        match lines.call.method {
            Method::Get => _ = url.query_pairs_mut().append_pair(&lines.amount, &wire),
            Method::Post => body = lines.body(amount),
        }
        let ask = Ask {
            operation: Operation::FeePreview,
            call: &lines.call,
            url,
            credential: Some(credential),
            key: None,
            body: body.as_deref().map(|body| (body, body)),
            most: self.client.limits().reply_bytes,
            mask: Mask::of(credential.secret),
        };
        let reply = exchange(&self.client, &ask).await.map_err(PreviewFailure::Failure)?;
        check(&reply, &lines.call, "fee_preview.success", &self.contract, &ask.mask)
            .map_err(PreviewFailure::Failure)?;
        let looked_for = ["fee_preview.fee", "fee_preview.net"];
        let Some(json) = read_json(&reply.body) else {
            return Err(PreviewFailure::Failure(unreadable(&reply, &looked_for, &ask.mask)));
        };
        let fee = lines.fee.money(&json, lines.unit);
        let net = lines.net.money(&json, lines.unit);
        if fee.is_none() && net.is_none() {
            return Err(PreviewFailure::Failure(unreadable(&reply, &looked_for, &ask.mask)));
        }
        Quote::new(amount, fee, net, self.client.now()).map_err(PreviewFailure::Fault)
    }
}
