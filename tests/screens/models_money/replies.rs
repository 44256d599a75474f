//! Builds the results of withdrawal attempts from an HTTP status and a body.
//!
//! The production code classifies each reply, so the class, the status and the message fit together
//! as in a real reply.

use std::sync::LazyLock;

use balcao::contract::reply_setting::{ERROR_HINT, ERROR_MESSAGE};
use balcao::contract::{Contract, JsonPaths, read_json};
use balcao::service::{BodyEnd, RawReply, classify};
use balcao::trade::withdrawal::{AttemptEnd, NotSent};
use balcao::trade::{Agreement, Clocks, Failure, NoAnswer, Untrusted};

/// The result of an attempt: an HTTP reply, or the failure if no reply arrived.
pub type AttemptResult = Result<RawReply, Failure>;

/// Returns a complete HTTP reply with this status and body.
pub fn reply(status: u16, body: &str) -> AttemptResult {
    let body = body.as_bytes().to_vec();
    Ok(RawReply {
        status,
        headers: Vec::new(),
        body,
        end: BodyEnd::Whole,
    })
}

/// Returns a complete HTTP reply that contains an error message from the service.
pub fn reply_with_message(status: u16, message: &str) -> AttemptResult {
    reply(
        status,
        &serde_json::json!({ "message": message }).to_string(),
    )
}

pub fn with_header(name: &str, value: &str, reply: AttemptResult) -> AttemptResult {
    reply.map(|mut reply| {
        reply.headers.push((name.into(), value.into()));
        reply
    })
}

/// Returns an HTTP reply whose body is larger than the app accepts.
pub fn too_large_reply(status: u16) -> AttemptResult {
    reply(status, "{").map(|reply| RawReply {
        end: BodyEnd::TooLarge,
        ..reply
    })
}

/// Returns the failure of a request to which no reply arrived.
pub fn no_answer(reason: NoAnswer) -> AttemptResult {
    Err(Failure::NoAnswer(reason))
}

/// Returns the failure of a request that the app did not send.
pub fn not_sent(reason: NotSent) -> AttemptResult {
    Err(Failure::NotSent(reason))
}

/// Returns an HTTP reply in which the service accepts the withdrawal.
pub fn accepted_reply(status: u16) -> AttemptResult {
    reply(status, r#"{"id":"wd_51","status":"processing"}"#)
}

/// Returns the built-in API contract. It is parsed only once, because every screen needs it.
pub fn built_in_contract() -> &'static Contract {
    static CONTRACT: LazyLock<Contract> = LazyLock::new(Contract::built_in);
    &CONTRACT
}

/// Returns an API contract which declares that every reply repeats the amount and the destination
/// of its request.
pub fn echoing_contract() -> &'static Contract {
    static CONTRACT: LazyLock<Contract> = LazyLock::new(|| {
        let lines = "confirmed = ['withdrawal.echo_amount', 'withdrawal.echo_destination']";
        Contract::from_program_files(&[("loja.toml", lines)]).unwrap()
    });
    &CONTRACT
}

/// Returns the recorded outcome of a send attempt that had this result.
pub fn attempt_end(
    result: &AttemptResult,
    agreement: &Agreement,
    contract: &Contract,
    sent_before: bool,
    clocks: &Clocks,
) -> AttemptEnd {
    let reply = result.as_ref().ok();
    let class = classify(
        result.as_ref(),
        agreement,
        contract,
        sent_before,
        clocks.wall,
    );
    AttemptEnd {
        at: clocks.wall,
        boot_ms: clocks.boot_ms,
        class,
        status: reply.map(|reply| reply.status),
        server_date: reply.and_then(RawReply::date),
        message: reply.and_then(|reply| read_text(reply, contract.paths(ERROR_MESSAGE))),
        hint: reply.and_then(|reply| read_text(reply, contract.paths(ERROR_HINT))),
    }
}

/// Returns the string at one of these JSON paths in the HTTP reply. Returns `None` if the reply is
/// incomplete.
fn read_text(reply: &RawReply, paths: &JsonPaths) -> Option<Untrusted> {
    let json = read_json(&reply.body).filter(|_| reply.end == BodyEnd::Whole)?;
    paths.str(&json).map(Untrusted::from)
}
