//! Checks whether a reply is a success for its operation. Every other reply is converted to a
//! failure.

use serde_json::Value;

use super::Service;
use super::classify::failure_sign;
use super::exchange::{ApiRequest, exchange};
use super::mask::Mask;
use super::raw_reply::{BodyEnd, RawReply};
use super::send_condition::SendCondition;
use crate::contract::{Contract, FailureSigns, JsonPaths, read_json};
use crate::trade::{Failure, NoAnswer, Refusal, Untrusted};

/// The maximum length of a message from the service, in characters. A longer message is cut.
const MAX_MESSAGE_CHARS: usize = 2_000;

/// A complete reply with a success status.
pub(super) struct Success<'a> {
    request: ApiRequest<'a>,
    pub(super) reply: RawReply,
    /// The parsed body, or JSON `null` if the body is not JSON.
    pub(super) json: Value,
}

impl Service {
    /// Sends a request once and returns its successful reply.
    ///
    /// # Errors
    ///
    /// Returns an error if the reply is missing or incomplete. Also returns an error if its status
    /// is not a success status of the operation.
    pub(super) async fn success<'a>(
        &self,
        request: ApiRequest<'a>,
    ) -> Result<Success<'a>, Failure> {
        let reply = exchange(&self.client, &request, SendCondition::always()).await?;
        check_status(&reply, &request)?;
        let json = read_json(&reply.body).unwrap_or_default();
        Ok(Success { request, reply, json })
    }
}

impl Success<'_> {
    /// Returns an error if the body reports a failure although the status is a success.
    pub(super) fn check_body(
        &self,
        failed: &FailureSigns,
        status: &JsonPaths,
    ) -> Result<(), Failure> {
        let Some(sign) = failure_sign(&self.json, failed, status) else { return Ok(()) };
        let ApiRequest { contract, mask, .. } = &self.request;
        let (message, hint) = message_and_hint(&self.reply, contract, mask);
        let word = || {
            mask.masked_text(sign.word.raw()).chars().take(MAX_MESSAGE_CHARS).collect::<String>()
        };
        let message = message.unwrap_or_else(|| Untrusted::from(word()));
        let status = self.reply.status;
        Err(Failure::Refused(Refusal { status, message: Some(message), hint }))
    }

    /// Returns the failure for a successful reply in which the program cannot find a value that it
    /// needs. `settings` names the settings of the API contract that should locate the value.
    pub(super) fn unreadable(&self, settings: &[&str]) -> Failure {
        let body = self.request.mask.masked_body(&self.reply);
        let can_be_taught = self.request.contract.any_can_be_taught(settings, &body);
        unreadable_failure(self.reply.status, settings, can_be_taught, body)
    }
}

fn check_status(reply: &RawReply, request: &ApiRequest<'_>) -> Result<(), Failure> {
    let (status, mask) = (reply.status, &request.mask);
    if (300..400).contains(&status) {
        let location =
            reply.header("location").map(|place| Untrusted::from(mask.masked_text(place)));
        return Err(Failure::Redirected { status, location });
    }
    if let Some(no_answer) = reply.end.no_answer() {
        return Err(Failure::NoAnswer(no_answer));
    }
    if reply.end == BodyEnd::Encoded && (200..300).contains(&status) {
        return Err(Failure::NoAnswer(NoAnswer::Encoded));
    }
    if request.call.success.contains(&status) {
        return Ok(());
    }
    if (200..300).contains(&status) {
        let setting = format!("{}.success", request.operation.name());
        // The seller can add this status to the setting of the API contract that lists the success
        // statuses.
        return Err(unreadable_failure(status, &[&setting], true, mask.masked_body(reply)));
    }
    let (message, hint) = message_and_hint(reply, request.contract, mask);
    let refusal = Refusal { status, message, hint };
    Err(match status {
        401 | 403 => Failure::Unauthorized { credential: request.call.credential, refusal },
        _ => Failure::Refused(refusal),
    })
}

fn unreadable_failure(
    status: u16,
    settings: &[&str],
    can_be_taught: bool,
    body: Untrusted,
) -> Failure {
    let expected_settings = settings.iter().map(|setting| (*setting).to_owned()).collect();
    Failure::Unreadable { status, expected_settings, can_be_taught, body }
}

/// Returns the service's error message, and its hint about what the seller can do. Secrets are
/// masked.
pub(super) fn message_and_hint(
    reply: &RawReply,
    contract: &Contract,
    mask: &Mask<'_>,
) -> (Option<Untrusted>, Option<Untrusted>) {
    let json = match reply.end {
        BodyEnd::Whole => read_json(&reply.body),
        _ => None,
    };
    let find = |places: &JsonPaths| {
        let text = places.find_message(json.as_ref()?)?;
        let masked = mask.masked_text(text);
        Some(Untrusted::from(masked.chars().take(MAX_MESSAGE_CHARS).collect::<String>()))
    };
    (find(&contract.error.message), find(&contract.error.hint))
}
