//! Classifies the result of one attempt to send a withdrawal: paid, not paid, or unclear. All
//! functions are pure.
//!
//! Every combination of status and body has a class. In case of doubt, the attempt is unclear. A
//! seller who wrongly believes that it was not paid might pay a second time.

use serde_json::Value;

use super::raw_reply::{BodyEnd, RawReply, retry_after};
use crate::contract::{Contract, FailureSigns, JsonPaths, Provenance, WithdrawalSpec, read_json};
use crate::trade::withdrawal::{Alarm, Class, NotSent, SaysFailed, Unclear};
use crate::trade::{Agreement, Failure, Money, NoAnswer, PixKey, PixKeyKind, Untrusted, Wall};

/// Classifies the reply to an attempt to send a withdrawal. If no reply arrived, classifies the
/// failure.
///
/// `sent_before` is true if an earlier attempt of the same withdrawal may have reached the service.
/// `at` is the time of the reply.
pub fn classify(
    outcome: Result<&RawReply, &Failure>,
    agreement: &Agreement,
    contract: &Contract,
    sent_before: bool,
    at: Wall,
) -> Class {
    match outcome {
        Ok(reply) => classify_reply(reply, agreement, contract, sent_before, at),
        Err(failure) => classify_failure(failure),
    }
}

fn classify_failure(failure: &Failure) -> Class {
    match failure {
        Failure::NoAnswer(NoAnswer::NotHttp) => Class::Unclear(Unclear::Unreadable),
        Failure::NotSent(reason) => Class::NotSent(*reason),
        Failure::NoCredential(_) => Class::NotSent(NotSent::NoCredential),
        Failure::Vault(_) => Class::NotSent(NotSent::Vault),
        Failure::Journal(_) => Class::NotSent(NotSent::Journal),
        Failure::NoAnswer(NoAnswer::Timeout) => Class::Unclear(Unclear::Timeout),
        Failure::NoAnswer(NoAnswer::TooLarge) => Class::Unclear(Unclear::TooLarge),
        // Count every other failure as a cut connection. Failures that describe a complete reply
        // never get here.
        _ => Class::Unclear(Unclear::Cut),
    }
}

fn classify_reply(
    reply: &RawReply,
    agreement: &Agreement,
    contract: &Contract,
    sent_before: bool,
    at: Wall,
) -> Class {
    // The status is enough to recognise a redirect or a reused key. The body may therefore be
    // incomplete.
    match reply.status {
        300..=399 => return Class::Redirected,
        422 if sent_before => return Class::KeyReused,
        _ => {}
    }
    if let Some(no_answer) = reply.end.no_answer() {
        return classify_failure(&Failure::NoAnswer(no_answer));
    }
    match classify_status(reply, agreement, contract, at) {
        refusal @ (Class::DefiniteNo | Class::Unauthorized | Class::Throttled { .. }) => {
            contradicted_refusal(reply, &contract.withdrawal).map_or(refusal, Class::SaysFailed)
        }
        class => class,
    }
}

/// Classifies a complete reply by its status. If the status is a success, the body is considered
/// too.
fn classify_status(
    reply: &RawReply,
    agreement: &Agreement,
    contract: &Contract,
    at: Wall,
) -> Class {
    match reply.status {
        200..=299 => classify_success(reply, agreement, contract),
        400 | 402 | 404 | 405 | 406 | 410 | 411 | 413 | 414 | 415 | 422 | 451 => Class::DefiniteNo,
        401 | 403 => Class::Unauthorized,
        425 | 429 => Class::Throttled { retry_after: retry_delay(reply, at) },
        409 => Class::Unclear(Unclear::Conflict),
        _ => Class::Unclear(Unclear::Status),
    }
}

/// Returns the status word of a refusal whose body contradicts its error status. Such a body has an
/// id, no error, and a status word that does not mean failure.
fn contradicted_refusal(reply: &RawReply, spec: &WithdrawalSpec) -> Option<SaysFailed> {
    let json = read_json(&reply.body).filter(|_| reply.end == BodyEnd::Whole)?;
    spec.id.text(&json)?;
    accepted_status(&json, &spec.failed, &spec.status)
}

/// Returns the time to wait from the `Retry-After` header. If the header contains a date, the wait
/// is counted from the reply's `Date` header. Without that header, it is counted from `at`.
fn retry_delay(reply: &RawReply, at: Wall) -> Option<std::time::Duration> {
    retry_after(reply.header("retry-after")?, reply.date().unwrap_or(at))
}

fn classify_success(reply: &RawReply, agreement: &Agreement, contract: &Contract) -> Class {
    let spec = &contract.withdrawal;
    if !spec.call.success.contains(&reply.status) {
        return Class::Unclear(Unclear::OtherSuccess);
    }
    if reply.end != BodyEnd::Whole {
        return Class::Unclear(Unclear::Unreadable);
    }
    let is_empty = reply.body.trim_ascii().is_empty();
    if is_empty && spec.empty_success {
        return Class::Confirmed { id: None, status: None };
    }
    let Some(json) = read_json(&reply.body).filter(|json| json.is_object()) else {
        return Class::Unclear(Unclear::Unreadable);
    };
    classify_body(&json, agreement, contract)
}

/// Classifies a reply with a success status by its JSON body: alarm, failure, unclear or confirmed.
fn classify_body(json: &Value, agreement: &Agreement, contract: &Contract) -> Class {
    let spec = &contract.withdrawal;
    let echoes = [
        (amount_echo(json, agreement, spec), "withdrawal.echo_amount"),
        (destination_echo(json, agreement, spec), "withdrawal.echo_destination"),
    ];
    let find_difference = |in_confirmed: bool| {
        let is_confirmed = |setting| contract.provenance(setting) != Provenance::Assumed;
        let mut echoes = echoes.iter().filter(|(_, setting)| is_confirmed(setting) == in_confirmed);
        echoes.find_map(|(echo, _)| match echo {
            Echo::Differs(alarm) => Some(alarm.clone()),
            _ => None,
        })
    };
    if let Some(alarm) = find_difference(true) {
        return Class::Alarm(alarm);
    }
    if let Some(sign) = failure_sign(json, &spec.failed, &spec.status) {
        return Class::SaysFailed(sign);
    }
    // A setting of the API contract that the seller has not confirmed may point to the wrong value.
    // A difference in that value is therefore not an alarm.
    if let Some(alarm) = find_difference(false) {
        return Class::Unclear(Unclear::EchoDiffers(alarm));
    }
    let (id, status) = (spec.id.text(json), spec.status.text(json));
    let is_echoed = echoes.iter().any(|(echo, _)| matches!(echo, Echo::Same));
    if id.is_none() && spec.id_required {
        return Class::Unclear(Unclear::NoSign);
    }
    let is_empty = json.as_object().is_some_and(serde_json::Map::is_empty);
    if id.is_some() || status.is_some() || is_echoed || (is_empty && spec.empty_success) {
        return Class::Confirmed { id, status };
    }
    Class::Unclear(Unclear::NoSign)
}

/// The result of comparing a value in the reply with the value that was sent.
enum Echo {
    /// The reply contains no value that could be compared.
    None,
    Same,
    Differs(Alarm),
}

fn amount_echo(json: &Value, agreement: &Agreement, spec: &WithdrawalSpec) -> Echo {
    match spec.echo_amount.money(json, spec.form.amounts) {
        None => Echo::None,
        Some(got) if is_expected(got, agreement) => Echo::Same,
        Some(got) => Echo::Differs(Alarm::Amount { sent: agreement.amount, got }),
    }
}

/// Returns true if the amount in the reply equals the requested amount or the net amount. Some
/// services return the net amount.
fn is_expected(got: Money, agreement: &Agreement) -> bool {
    let net = agreement.quote.as_ref().map(|quote| quote.net);
    let mut expected = net.into_iter().chain([agreement.amount]);
    expected.any(|amount| got.differs_by_less(Money::HALF_CENTAVO, amount))
}

/// Compares the Pix key in the reply with the Pix key that was sent.
///
/// If the key in the reply is masked or unreadable, it counts as missing.
fn destination_echo(json: &Value, agreement: &Agreement, spec: &WithdrawalSpec) -> Echo {
    let got = spec.echo_destination.text(json);
    let (Some(sent), Some(got)) = (&agreement.destination, got) else { return Echo::None };
    let keys = PixKeyKind::ALL.map(|kind| PixKey::parse(kind, got.raw()).ok());
    if keys.iter().flatten().any(|key| key == sent) {
        return Echo::Same;
    }
    let is_unreadable = keys.iter().all(Option::is_none);
    // The service may return a CPF or CNPJ as a number. A number loses its leading zeros.
    let is_number = sent.as_str().trim_start_matches('0') == got.raw();
    if is_unreadable || is_number || sent.is_masked_as(got.raw()) {
        return Echo::None;
    }
    Echo::Differs(Alarm::Destination { sent: sent.as_str().to_owned(), got })
}

/// Returns the first sign of a failure in the body. One sign is enough, even if other parts of the
/// body indicate success.
pub(super) fn failure_sign(
    json: &Value,
    failed: &FailureSigns,
    status: &JsonPaths,
) -> Option<SaysFailed> {
    let found = status
        .find_with_pointer(json, |value| failed_word(value, &failed.words))
        .or_else(|| failed.flag.find_with_pointer(json, false_flag))
        .or_else(|| failed.code.find_with_pointer(json, error_code))
        .or_else(|| failed.error.find_with_pointer(json, error_text));
    found.map(|(at, word)| SaysFailed { member: at.name().into(), word: Untrusted::from(word) })
}

/// Returns the status word in the body of a refusal. Returns `None` if the word means failure, or
/// if the body contains an error.
fn accepted_status(json: &Value, failed: &FailureSigns, status: &JsonPaths) -> Option<SaysFailed> {
    let failure =
        status.find(json, |value| failed_word(value, &failed.words).or(error_code(value)));
    if failure.or_else(|| failed.error.find(json, error_text)).is_some() {
        return None;
    }
    let (at, word) = status
        .find_with_pointer(json, |value| value.as_str().filter(|text| !text.trim().is_empty()))?;
    Some(SaysFailed { member: at.name().into(), word: word.into() })
}

/// Returns the text if it is one of the failure words. Case is ignored.
fn failed_word(value: &Value, words: &[String]) -> Option<String> {
    let text = value.as_str()?.trim();
    let folded = text.to_lowercase();
    words.iter().any(|word| word.to_lowercase() == folded).then(|| text.to_owned())
}

fn false_flag(value: &Value) -> Option<String> {
    let is_no = match value {
        Value::Bool(flag) => !flag,
        Value::String(text) => text.trim().eq_ignore_ascii_case("false"),
        _ => false,
    };
    is_no.then(|| "false".to_owned())
}

/// Returns an HTTP error code from 400 to 599, given as a number or as a string.
fn error_code(value: &Value) -> Option<String> {
    let text = match value {
        Value::Number(number) => number.to_string(),
        Value::String(text) => text.trim().to_owned(),
        _ => return None,
    };
    let code: u16 = text.split('.').next()?.parse().ok()?;
    (400..600).contains(&code).then_some(text)
}

fn error_text(value: &Value) -> Option<String> {
    match value {
        Value::Bool(true) => Some("true".to_owned()),
        Value::String(text) if !text.trim().is_empty() => Some(text.trim().to_owned()),
        Value::Array(items) if !items.is_empty() => Some(value.to_string()),
        Value::Object(members) if !members.is_empty() => Some(value.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
