//! Classifies the result of one attempt to send a withdrawal: paid, not paid, or unclear. All
//! functions are pure.
//!
//! Every combination of status and body has a class. In case of doubt, the attempt is unclear. A
//! seller who wrongly believes that it was not paid might pay a second time.

use serde_json::Value;

use super::raw_reply::{BodyEnd, RawReply};
use crate::contract::reply_setting::{
    ECHO_AMOUNT, ECHO_DESTINATION, WITHDRAWAL_ID, WITHDRAWAL_STATUS,
};
use crate::contract::{
    Contract, EmptySuccess, FailureSigns, JsonPaths, Provenance, error_code, error_text,
    failed_word, failure_sign, read_json, read_text,
};
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
            contradicted_refusal(reply, contract).map_or(refusal, Class::SaysFailed)
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
        425 | 429 => Class::Throttled {
            retry_after: reply.retry_delay(at),
        },
        409 => Class::Unclear(Unclear::Conflict),
        _ => Class::Unclear(Unclear::Status),
    }
}

/// The status word of a refusal whose body contradicts its error status. Such a body has an id, no
/// error, and a status word that does not mean failure.
fn contradicted_refusal(reply: &RawReply, contract: &Contract) -> Option<SaysFailed> {
    let json = read_json(&reply.body).filter(|_| reply.end == BodyEnd::Whole)?;
    contract.paths(WITHDRAWAL_ID).text(&json)?;
    let status = contract.paths(WITHDRAWAL_STATUS);
    accepted_status(&json, &contract.withdrawal.call.failed, status)
}

fn classify_success(reply: &RawReply, agreement: &Agreement, contract: &Contract) -> Class {
    let spec = &contract.withdrawal;
    if let EmptySuccess::Statuses(statuses) = &spec.empty_success
        && statuses.contains(&reply.status)
        && reply.end == BodyEnd::Whole
        && reply.body.is_empty()
    {
        return Class::Confirmed {
            id: None,
            status: None,
        };
    }
    if !spec.call.success.contains(&reply.status) {
        return Class::Unclear(Unclear::OtherSuccess);
    }
    if reply.end != BodyEnd::Whole {
        return Class::Unclear(Unclear::Unreadable);
    }
    let is_empty = reply.body.trim_ascii().is_empty();
    if is_empty && spec.empty_success == EmptySuccess::AnyStatus {
        return Class::Confirmed {
            id: None,
            status: None,
        };
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
        (amount_echo(json, agreement, contract), ECHO_AMOUNT.name),
        (
            destination_echo(json, agreement, contract),
            ECHO_DESTINATION.name,
        ),
    ];
    let find_difference = |in_confirmed: bool| {
        let mut echoes = echoes.iter().filter(|(_, setting)| {
            let is_confirmed = contract.provenance(setting) != Provenance::Assumed;
            is_confirmed == in_confirmed
        });
        echoes.find_map(|(echo, _)| match echo {
            Echo::Differs(alarm) => Some(alarm.clone()),
            _ => None,
        })
    };
    if let Some(alarm) = find_difference(true) {
        return Class::Alarm(alarm);
    }
    if let Some(sign) = failure_sign(json, &spec.call.failed) {
        return Class::SaysFailed(sign);
    }
    // A setting of the API contract that the seller has not confirmed may point to the wrong value.
    // A difference in that value is therefore not an alarm.
    if let Some(alarm) = find_difference(false) {
        return Class::Unclear(Unclear::EchoDiffers(alarm));
    }
    let id = contract.find_withdrawal_id(json);
    let status = contract.paths(WITHDRAWAL_STATUS).text(json);
    let is_echoed = echoes.iter().any(|(echo, _)| matches!(echo, Echo::Same));
    if id.is_none() && spec.id_required {
        return Class::Unclear(Unclear::NoSign);
    }
    let is_empty = json.as_object().is_some_and(serde_json::Map::is_empty)
        && spec.empty_success == EmptySuccess::AnyStatus;
    if id.is_some() || status.is_some() || is_echoed || is_empty {
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

/// Compares the values at all places. One that differs from what was sent is enough, even if the
/// value at another place is the same.
fn compare_all(places: &JsonPaths, json: &Value, compare: impl Fn(&Value) -> Echo) -> Echo {
    places
        .find(json, |value| {
            Some(compare(value)).filter(|echo| matches!(echo, Echo::Differs(_)))
        })
        .or_else(|| {
            places.find(json, |value| {
                Some(compare(value)).filter(|echo| matches!(echo, Echo::Same))
            })
        })
        .unwrap_or(Echo::None)
}

fn amount_echo(json: &Value, agreement: &Agreement, contract: &Contract) -> Echo {
    let amounts = contract.withdrawal.form.amounts;
    let places = contract.paths(ECHO_AMOUNT);
    compare_all(places, json, |value| match amounts.read(value) {
        None => Echo::None,
        Some(got) if is_expected(got, agreement) => Echo::Same,
        Some(got) => Echo::Differs(Alarm::Amount {
            sent: agreement.amount,
            got,
        }),
    })
}

/// True if the amount in the reply equals the requested amount or the net amount. Some services
/// return the net amount.
fn is_expected(got: Money, agreement: &Agreement) -> bool {
    let net = agreement.quote.as_ref().map(|quote| quote.net);
    let mut expected = net.into_iter().chain([agreement.amount]);
    expected.any(|amount| got.differs_by_less(Money::HALF_CENTAVO, amount))
}

fn destination_echo(json: &Value, agreement: &Agreement, contract: &Contract) -> Echo {
    let Some(sent) = &agreement.destination else {
        return Echo::None;
    };
    compare_all(contract.paths(ECHO_DESTINATION), json, |value| {
        read_text(value).map_or(Echo::None, |got| compare_destination(sent, got))
    })
}

/// Compares a Pix key in the reply with the Pix key that was sent.
///
/// If the key in the reply is masked or unreadable, it counts as missing.
fn compare_destination(sent: &PixKey, got: Untrusted) -> Echo {
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
    Echo::Differs(Alarm::Destination {
        sent: sent.as_str().to_owned(),
        got,
    })
}

/// The status word in the body of a refusal. Returns `None` if the word means failure, or if the
/// body contains an error.
fn accepted_status(json: &Value, failed: &FailureSigns, status: &JsonPaths) -> Option<SaysFailed> {
    let failure = status.find(json, |value| {
        failed_word(value, &failed.words).or(error_code(value))
    });
    if failure
        .or_else(|| failed.error.find(json, error_text))
        .is_some()
    {
        return None;
    }
    let (at, word) = status.find_with_pointer(json, |value| {
        value.as_str().filter(|text| !text.trim().is_empty())
    })?;
    Some(SaysFailed {
        member: at.name().into(),
        word: word.into(),
    })
}

#[cfg(test)]
mod tests;
