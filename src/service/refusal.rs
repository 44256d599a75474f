//! Translates a reply that is not a success into a failure.

use serde_json::Value;

use super::classify::signs;
use super::mask::Mask;
use super::raw_reply::{BodyEnd, RawReply};
use crate::contract::{Call, Contract, Failed, JsonPaths, read_json};
use crate::trade::{Failure, NoAnswer, Refusal, Untrusted};

/// Longer messages are not kept; they are shown to people.
const LONGEST_MESSAGE: usize = 2_000;

/// Refuses every reply that is not a whole success of this operation.
pub(super) fn check(
    reply: &RawReply,
    call: &Call,
    line: &str,
    contract: &Contract,
    mask: &Mask<'_>,
) -> Result<(), Failure> {
    let status = reply.status;
    if (300..400).contains(&status) {
        let location = reply.header("location").map(|place| Untrusted::from(mask.text(place)));
        return Err(Failure::Redirected { status, location });
    }
    match reply.end {
        BodyEnd::Cut => return Err(Failure::NoAnswer(NoAnswer::Cut)),
        BodyEnd::Timeout => return Err(Failure::NoAnswer(NoAnswer::Timeout)),
        BodyEnd::TooLarge => return Err(Failure::NoAnswer(NoAnswer::TooLarge)),
        BodyEnd::Whole | BodyEnd::Encoded => {}
    }
    if (200..300).contains(&status) {
        if reply.end == BodyEnd::Encoded {
            return Err(Failure::NoAnswer(NoAnswer::Encoded));
        }
        if call.success.contains(&status) {
            return Ok(());
        }
        return Err(unreadable(reply, &[line], mask));
    }
    let (message, hint) = words(reply, contract, mask);
    let refusal = Refusal { status, message, hint };
    Err(match status {
        401 | 403 => Failure::Unauthorized { credential: call.credential, refusal },
        _ => Failure::Refused(refusal),
    })
}

/// Refuses a success that says in its body that it is none; nothing proves then what was done.
pub(super) fn check_signs(
    reply: &RawReply,
    json: &Value,
    (failed, status): (&Failed, &JsonPaths),
    contract: &Contract,
    mask: &Mask<'_>,
) -> Result<(), Failure> {
    let Some(sign) = signs::failure(json, failed, status) else { return Ok(()) };
    let (message, hint) = words(reply, contract, mask);
    let word = || mask.text(sign.word.raw()).chars().take(LONGEST_MESSAGE).collect::<String>();
    let message = message.unwrap_or_else(|| Untrusted::from(word()));
    Err(Failure::Refused(Refusal { status: reply.status, message: Some(message), hint }))
}

/// A success that does not hold what was looked for, in these lines of the contract.
pub(super) fn unreadable(reply: &RawReply, settings: &[&str], mask: &Mask<'_>) -> Failure {
    Failure::Unreadable {
        status: reply.status,
        looked_for: settings.iter().map(|setting| (*setting).to_owned()).collect(),
        body: mask.body(reply),
    }
}

/// The service's own message and hint, with secrets masked.
pub(super) fn words(
    reply: &RawReply,
    contract: &Contract,
    mask: &Mask<'_>,
) -> (Option<Untrusted>, Option<Untrusted>) {
    let json = match reply.end {
        BodyEnd::Whole => read_json(&reply.body),
        _ => None,
    };
    let find = |places: &JsonPaths| {
        let text = places.words(json.as_ref()?)?;
        let masked = mask.text(text);
        Some(Untrusted::from(masked.chars().take(LONGEST_MESSAGE).collect::<String>()))
    };
    (find(&contract.error.message), find(&contract.error.hint))
}
