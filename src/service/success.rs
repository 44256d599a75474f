//! Checks whether a reply is a success for its operation. Every other reply is converted to a
//! failure.

use serde_json::Value;

use super::Service;
use super::exchange::{ApiRequest, exchange};
use super::mask::Mask;
use super::raw_reply::{BodyEnd, RawReply};
use super::send_condition::SendCondition;
use crate::contract::reply_setting::{ERROR_HINT, ERROR_MESSAGE};
use crate::contract::{Contract, error_text, failure_sign, may_carry_token, read_json};
use crate::trade::{Failure, NoAnswer, Refusal, Untrusted, Wall};

/// The maximum length of a message from the service, in characters. A longer message is cut.
const MAX_MESSAGE_CHARS: usize = 2_000;

/// The maximum length of the part of a body that is shown as the service's message, in bytes.
const MAX_EXCERPT_BYTES: usize = 300;

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
        check_status(&reply, &request, self.client.now())?;
        let json = read_json(&reply.body).unwrap_or_default();
        Ok(Success {
            request,
            reply,
            json,
        })
    }
}

impl Success<'_> {
    /// An error if the body reports a failure although the status is a success.
    ///
    /// `is_created` is true if the body also has what the request should create, such as the URL of
    /// a payment link. Such a reply contradicts itself, and does not count as a refusal.
    pub(super) fn check_body(&self, is_created: bool) -> Result<(), Failure> {
        let ApiRequest {
            call,
            contract,
            mask,
            ..
        } = &self.request;
        let Some(sign) = failure_sign(&self.json, &call.failed) else {
            return Ok(());
        };
        let (message, hint) = message_and_hint(&self.reply, contract, mask);
        let message = message.unwrap_or_else(|| {
            let error = call.failed.error.find(&self.json, error_text);
            let text = mask.masked_text(error.as_deref().unwrap_or(sign.word.raw()));
            text.chars()
                .take(MAX_MESSAGE_CHARS)
                .collect::<String>()
                .into()
        });
        let refusal = Refusal {
            status: self.reply.status,
            message: Some(message),
            hint,
            retry_after: None,
        };
        if is_created {
            return Err(Failure::Contradicted(refusal));
        }
        Err(Failure::Refused(refusal))
    }

    /// The failure for a successful reply in which the program cannot find a value that it needs.
    /// `settings` names the settings of the API contract that should locate the value.
    pub(super) fn unreadable(&self, settings: &[&str]) -> Failure {
        let body = self.request.mask.masked_body(&self.reply);
        let names_header = settings.contains(&"login.token_header");
        let mut header_names = self.reply.headers.iter().map(|(name, _)| name);
        let has_token_header = names_header && header_names.any(|name| may_carry_token(name));
        let can_be_taught =
            has_token_header || self.request.contract.any_can_be_taught(settings, &body);
        unreadable_failure(self.reply.status, settings, can_be_taught, body)
    }
}

fn check_status(reply: &RawReply, request: &ApiRequest<'_>, at: Wall) -> Result<(), Failure> {
    let status = reply.status;
    let mask = &request.mask;
    if (300..400).contains(&status) {
        let location = reply
            .header("location")
            .map(|place| Untrusted::from(mask.masked_text(place)));
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
        return Err(unreadable_failure(
            status,
            &[&setting],
            true,
            mask.masked_body(reply),
        ));
    }
    let (message, hint) = message_and_hint(reply, request.contract, mask);
    let refusal = Refusal {
        status,
        message,
        hint,
        retry_after: reply.retry_delay(at),
    };
    Err(match status {
        401 | 403 => Failure::Unauthorized {
            credential: request.call.credential,
            refusal,
        },
        _ => Failure::Refused(refusal),
    })
}

fn unreadable_failure(
    status: u16,
    settings: &[&str],
    can_be_taught: bool,
    body: Untrusted,
) -> Failure {
    let expected_settings = settings
        .iter()
        .map(|setting| (*setting).to_owned())
        .collect();
    Failure::Unreadable {
        status,
        expected_settings,
        can_be_taught,
        body,
    }
}

/// The service's error message, and its hint about what the seller can do. Secrets are masked. If a
/// refusal has no message at a known place, the start of its body is the message.
pub(super) fn message_and_hint(
    reply: &RawReply,
    contract: &Contract,
    mask: &Mask<'_>,
) -> (Option<Untrusted>, Option<Untrusted>) {
    let json = match reply.end {
        BodyEnd::Whole => read_json(&reply.body),
        _ => None,
    };
    let find = |setting| {
        let text = contract.paths(setting).find_message(json.as_ref()?)?;
        let masked = mask.masked_text(text);
        Some(Untrusted::from(
            masked.chars().take(MAX_MESSAGE_CHARS).collect::<String>(),
        ))
    };
    let is_refusal = (400..500).contains(&reply.status);
    let message = find(ERROR_MESSAGE).or_else(|| body_excerpt(reply, mask).filter(|_| is_refusal));
    (message, find(ERROR_HINT))
}

/// The start of a body. Returns `None` if the body is empty.
pub(super) fn body_excerpt(reply: &RawReply, mask: &Mask<'_>) -> Option<Untrusted> {
    let is_blank = matches!(reply.body.trim_ascii(), b"" | b"{}" | b"[]" | b"null");
    if is_blank {
        return None;
    }
    Some(mask.masked_body(reply).start(MAX_EXCERPT_BYTES))
}
