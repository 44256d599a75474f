//! The classification of an attempt's end: the whole reply table, pure.
//!
//! Every status from 100 to 999 and every body has its place here. Where there is any doubt the
//! attempt is unclear: it may have paid, and the withdrawal is not made again by mistake.

use serde_json::Value;

use super::raw_reply::{BodyEnd, RawReply, retry_after};
use crate::contract::{Contract, Failed, JsonPaths, Provenance, WithdrawalSpec, read_json};
use crate::trade::withdrawal::{Alarm, Class, NotSent, SaysFailed, Unclear};
use crate::trade::{Agreement, Failure, Money, NoAnswer, PixKey, PixKeyKind, Untrusted, Wall};

/// Classifies this reply, or the lack of one, for this attempt of this agreement.
///
/// `sent_before` is whether a byte of an earlier attempt may have reached the service; `at` is
/// when the reply came.
pub fn classify(
    outcome: Result<&RawReply, &Failure>,
    agreement: &Agreement,
    contract: &Contract,
    sent_before: bool,
    at: Wall,
) -> Class {
    match outcome {
        Ok(reply) => of_reply(reply, agreement, contract, sent_before, at),
        Err(failure) => of_failure(failure),
    }
}

fn of_failure(failure: &Failure) -> Class {
    match failure {
        Failure::NoAnswer(NoAnswer::NotHttp) => Class::Unclear(Unclear::Unreadable),
        Failure::NotSent(why) => Class::NotSent(*why),
        Failure::NoCredential(_) => Class::NotSent(NotSent::NoCredential),
        Failure::Vault(_) => Class::NotSent(NotSent::Vault),
        Failure::Journal(_) => Class::NotSent(NotSent::Journal),
        Failure::NoAnswer(NoAnswer::Timeout) => Class::Unclear(Unclear::Timeout),
        Failure::NoAnswer(NoAnswer::TooLarge) => Class::Unclear(Unclear::TooLarge),
        // The others are made out of replies, and never come here without one.
        _ => Class::Unclear(Unclear::Cut),
    }
}

fn of_reply(
    reply: &RawReply,
    agreement: &Agreement,
    contract: &Contract,
    sent_before: bool,
    at: Wall,
) -> Class {
    // These two prove the same with any body, and more than half a body does.
    match reply.status {
        300..=399 => return Class::Redirected,
        422 if sent_before => return Class::KeyReused,
        _ => {}
    }
    if let Some(no_answer) = reply.end.no_answer() {
        return of_failure(&Failure::NoAnswer(no_answer));
    }
    match of_status(reply, agreement, contract, at) {
        no @ (Class::DefiniteNo | Class::Unauthorized | Class::Throttled { .. }) => {
            taken_all_the_same(reply, &contract.withdrawal).map_or(no, Class::SaysFailed)
        }
        class => class,
    }
}

/// Classifies a reply by its status; a success by its body too.
fn of_status(reply: &RawReply, agreement: &Agreement, contract: &Contract, at: Wall) -> Class {
    match reply.status {
        200..=299 => of_success(reply, agreement, contract),
        400 | 402 | 404 | 405 | 406 | 410 | 411 | 413 | 414 | 415 | 422 | 451 => Class::DefiniteNo,
        401 | 403 => Class::Unauthorized,
        425 | 429 => Class::Throttled { retry_after: wait(reply, at) },
        409 => Class::Unclear(Unclear::Conflict),
        _ => Class::Unclear(Unclear::Status),
    }
}

/// Returns the status by which a no says in its body that the withdrawal was taken.
///
/// It has an identifier as well, and no error: then the reply contradicts itself.
fn taken_all_the_same(reply: &RawReply, spec: &WithdrawalSpec) -> Option<SaysFailed> {
    let json = read_json(&reply.body).filter(|_| reply.end == BodyEnd::Whole)?;
    spec.id.text(&json)?;
    taken_sign(&json, &spec.failed, &spec.status)
}

/// A `Retry-After` with a date counts from the server's own clock, where that is known.
fn wait(reply: &RawReply, at: Wall) -> Option<std::time::Duration> {
    retry_after(reply.header("retry-after")?, reply.date().unwrap_or(at))
}

fn of_success(reply: &RawReply, agreement: &Agreement, contract: &Contract) -> Class {
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
    of_object(&json, agreement, contract)
}

/// Classifies the object of a success: against us, against itself, or for itself.
fn of_object(json: &Value, agreement: &Agreement, contract: &Contract) -> Class {
    let spec = &contract.withdrawal;
    let echoes = [
        (amount_echo(json, agreement, spec), "withdrawal.echo_amount"),
        (destination_echo(json, agreement, spec), "withdrawal.echo_destination"),
    ];
    let differing = |wanted: bool| {
        let vouched = |line| contract.provenance(line) != Provenance::Assumed;
        let mut echoes = echoes.iter().filter(|(_, line)| vouched(line) == wanted);
        echoes.find_map(|(echo, _)| match echo {
            Echo::Differs(alarm) => Some(alarm.clone()),
            _ => None,
        })
    };
    if let Some(alarm) = differing(true) {
        return Class::Alarm(alarm);
    }
    if let Some(said) = failure_sign(json, &spec.failed, &spec.status) {
        return Class::SaysFailed(said);
    }
    // A guess about the contract may be wrong, and raises no alarm.
    if let Some(alarm) = differing(false) {
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

/// The parts of a request that a reply repeats.
enum Echo {
    /// Nothing that can be read.
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

/// Some services say the amount back, some what is left of it after the fee.
fn is_expected(got: Money, agreement: &Agreement) -> bool {
    let net = agreement.quote.as_ref().map(|quote| quote.net);
    let mut expected = net.into_iter().chain([agreement.amount]);
    expected.any(|amount| got.differs_by_less(Money::NOISE, amount))
}

/// Returns the repeated destination, when it can be read as a key of any kind.
///
/// A masked key proves nothing.
fn destination_echo(json: &Value, agreement: &Agreement, spec: &WithdrawalSpec) -> Echo {
    let got = spec.echo_destination.text(json);
    let (Some(sent), Some(got)) = (&agreement.destination, got) else { return Echo::None };
    let keys = PixKeyKind::ALL.map(|kind| PixKey::parse(kind, got.raw()).ok());
    if keys.iter().flatten().any(|key| key == sent) {
        return Echo::Same;
    }
    let is_unreadable = keys.iter().all(Option::is_none);
    // A document that was sent back as a number has lost its zeros.
    let is_number = sent.as_str().trim_start_matches('0') == got.raw();
    if is_unreadable || is_number || sent.is_masked_as(got.raw()) {
        return Echo::None;
    }
    Echo::Differs(Alarm::Destination { sent: sent.as_str().to_owned(), got })
}

/// The first sign against it, looked for in every place: one good word does not outweigh a bad one.
pub(super) fn failure_sign(
    json: &Value,
    failed: &Failed,
    status: &JsonPaths,
) -> Option<SaysFailed> {
    let found = status
        .found(json, |value| failed_word(value, &failed.words))
        .or_else(|| failed.flag.found(json, no))
        .or_else(|| failed.code.found(json, error_code))
        .or_else(|| failed.error.found(json, error));
    found.map(|(at, word)| SaysFailed { member: at.name().into(), word: Untrusted::from(word) })
}

/// The status of a refusal that says it is none: a word that is no failed one, without an error.
fn taken_sign(json: &Value, failed: &Failed, status: &JsonPaths) -> Option<SaysFailed> {
    let against =
        status.find(json, |value| failed_word(value, &failed.words).or(error_code(value)));
    if against.or_else(|| failed.error.find(json, error)).is_some() {
        return None;
    }
    let (at, word) =
        status.found(json, |value| value.as_str().filter(|it| !it.trim().is_empty()))?;
    Some(SaysFailed { member: at.name().into(), word: word.into() })
}

/// One of the words, whole and in any case.
fn failed_word(value: &Value, words: &[String]) -> Option<String> {
    let text = value.as_str()?.trim();
    let folded = text.to_lowercase();
    words.iter().any(|word| word.to_lowercase() == folded).then(|| text.to_owned())
}

fn no(value: &Value) -> Option<String> {
    let is_no = match value {
        Value::Bool(flag) => !flag,
        Value::String(text) => text.trim().eq_ignore_ascii_case("false"),
        _ => false,
    };
    is_no.then(|| "false".to_owned())
}

/// A number that would be an error as a status of HTTP; some write it as a text.
fn error_code(value: &Value) -> Option<String> {
    let text = match value {
        Value::Number(number) => number.to_string(),
        Value::String(text) => text.trim().to_owned(),
        _ => return None,
    };
    let whole: u16 = text.split('.').next()?.parse().ok()?;
    (400..600).contains(&whole).then_some(text)
}

fn error(value: &Value) -> Option<String> {
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
