//! The Pix withdrawal, the only operation that moves money.
//!
//! [`MoneyWire`] sends a withdrawal that the journal has permitted, and classifies the reply.

use url::Url;

use super::BoundCredential;
use super::base_url::origin_of;
use super::classify::classify;
use super::client::{Client, Limits};
use super::exchange::{ApiRequest, exchange};
use super::mask::Mask;
use super::raw_reply::RawReply;
use super::send_condition::SendCondition;
use super::success::{body_excerpt, message_and_hint};
use crate::cashier::Wire;
use crate::contract::{Contract, ContractInForce, ContractSettings, Method, WithdrawalSpec};
use crate::journal::{Permit, SendLimit, Spent};
use crate::trade::withdrawal::{AttemptEnd, Class, NotSent, Window};
use crate::trade::{
    Account, Agreement, CredentialKind, ExchangeSubject, Failure, Operation, Secret,
};

/// The maximum length of a withdrawal's status text, in characters. A longer text is cut.
const MAX_STATUS_CHARS: usize = 200;

/// The time limits for sending a withdrawal again with the same idempotency key.
pub fn window(contract: &Contract, limits: &Limits) -> Window {
    let WithdrawalSpec {
        retention,
        resend_after,
        ..
    } = contract.withdrawal;
    Window {
        retention,
        deadline: limits.request_timeout,
        resend_after,
    }
}

/// Works like [`window`], but uses the times in the API contract to which the seller last agreed.
///
/// If a time in the API contract has changed since then, the new time is ignored.
pub fn agreed_window(
    contract: &Contract,
    agreed: Option<&ContractSettings>,
    limits: &Limits,
) -> Window {
    let (retention, resend_after) = contract.retention_and_resend_wait(agreed);
    Window {
        retention,
        resend_after,
        ..window(contract, limits)
    }
}

/// Looks up credentials just before a withdrawal is sent.
pub trait Credentials {
    /// The credential of this kind for exactly this account.
    fn credential(
        &self,
        account: &Account,
        kind: CredentialKind,
    ) -> impl Future<Output = Result<Secret, NotSent>>;
}

/// Sends withdrawals to the service. `C` provides the credentials.
pub struct MoneyWire<C> {
    client: Client,
    contract: ContractInForce,
    credentials: C,
}

impl<C: Credentials> MoneyWire<C> {
    /// Creates a sender of withdrawals. It uses this client, this API contract and these
    /// credentials.
    pub fn new(
        client: Client,
        contract: impl Into<ContractInForce>,
        credentials: C,
    ) -> MoneyWire<C> {
        MoneyWire {
            client,
            contract: contract.into(),
            credentials,
        }
    }

    /// Sends the stored request of a withdrawal once, and classifies the result.
    async fn attempt(
        &self,
        agreement: &Agreement,
        sent_before: bool,
        send_limit: &SendLimit,
    ) -> AttemptEnd {
        // Read the current API contract only once. The consent check and the reading of the reply
        // then use the same contract.
        let contract = &*self.contract.current();
        let kind = contract
            .withdrawal
            .call
            .credential
            .unwrap_or(CredentialKind::ApiToken);
        match self.credentials.credential(&agreement.account, kind).await {
            Ok(secret) => {
                let outcome = self
                    .send_request(agreement, (kind, &secret), contract, send_limit)
                    .await;
                self.attempt_end(
                    outcome,
                    agreement,
                    contract,
                    sent_before,
                    &Mask::of(&secret),
                )
            }
            Err(reason) => {
                let not_sent = Err(Failure::NotSent(reason));
                self.attempt_end(not_sent, agreement, contract, sent_before, &Mask::default())
            }
        }
    }

    async fn send_request(
        &self,
        agreement: &Agreement,
        (kind, secret): (CredentialKind, &Secret),
        contract: &Contract,
        send_limit: &SendLimit,
    ) -> Result<RawReply, Failure> {
        let spec = &contract.withdrawal;
        let (method, url) =
            stored_method_and_url(agreement).ok_or(Failure::NotSent(NotSent::OtherAccount))?;
        let api_request = ApiRequest {
            service: None,
            operation: Operation::Withdrawal,
            subject: Some(ExchangeSubject::Withdrawal(agreement.key)),
            contract,
            call: &spec.call,
            method,
            url,
            credential: Some(BoundCredential {
                kind,
                origin: &agreement.account.origin,
                secret,
            }),
            key: Some((&agreement.key_header_name, &agreement.key_header)),
            body: Some((&agreement.body, &agreement.body)),
            max_reply_bytes: self.client.limits().max_reply_bytes,
            mask: Mask::of(secret),
        };
        let client = self.client.clone();
        let send_limit = send_limit.clone();
        let condition = SendCondition::when(move || send_limit.allows(&client.clocks()));
        exchange(&self.client, &api_request, condition).await
    }

    fn attempt_end(
        &self,
        outcome: Result<RawReply, Failure>,
        agreement: &Agreement,
        contract: &Contract,
        sent_before: bool,
        mask: &Mask<'_>,
    ) -> AttemptEnd {
        let clocks = self.client.clocks();
        let at = clocks.wall;
        let mut class = classify(outcome.as_ref(), agreement, contract, sent_before, at);
        if let Class::SaysFailed(sign) = &mut class {
            let masked = mask.masked_text(sign.word.raw());
            sign.word = masked
                .chars()
                .take(MAX_STATUS_CHARS)
                .collect::<String>()
                .into();
        }
        let reply = outcome.as_ref().ok();
        let (mut message, hint) = reply.map_or((None, None), |reply| {
            message_and_hint(reply, contract, mask)
        });
        if matches!(class, Class::SaysFailed(_)) && message.is_none() {
            message = reply.and_then(|reply| body_excerpt(reply, mask));
        }
        AttemptEnd {
            at,
            boot_ms: clocks.boot_ms,
            class,
            status: reply.map(|reply| reply.status),
            server_date: reply.and_then(RawReply::date),
            message,
            hint,
        }
    }
}

impl<C: Credentials> Wire for MoneyWire<C> {
    async fn send(&self, permit: Permit) -> (Spent, AttemptEnd) {
        let (spent, request) = permit.spend();
        let agreement = request.agreement();
        let end = self
            .attempt(agreement, request.sent_before(), request.send_limit())
            .await;
        (spent, end)
    }
}

/// The method and URL that are stored with the withdrawal. Returns `None` if the URL's origin
/// differs from the account's origin.
///
/// They are used even if the API contract has changed since the seller confirmed the withdrawal.
fn stored_method_and_url(agreement: &Agreement) -> Option<(Method, Url)> {
    let method = Method::creating(&agreement.method)?;
    let url = Url::parse(&agreement.url).ok()?;
    (origin_of(&url)? == agreement.account.origin).then_some((method, url))
}

#[cfg(test)]
pub(super) mod tests;
