//! Builds the results of withdrawal attempts from an HTTP status and a body.
//!
//! It uses the production code, so the class, the status and the message fit together as in a real
//! reply.

use std::sync::LazyLock;

use balcao::contract::{Contract, JsonPaths, read_json};
use balcao::service::{BodyEnd, RawReply, classify};
use balcao::trade::withdrawal::{AttemptEnd, NotSent};
use balcao::trade::{Agreement, Clocks, Failure, NoAnswer, Untrusted};

/// The result of an attempt: an HTTP reply, or the failure if no reply arrived.
pub type Back = Result<RawReply, Failure>;

/// Returns a complete HTTP reply with this status and body.
pub fn said(status: u16, body: &str) -> Back {
    let body = body.as_bytes().to_vec();
    Ok(RawReply { status, headers: Vec::new(), body, end: BodyEnd::Whole })
}

/// Returns a complete HTTP reply that contains an error message from the service.
pub fn with_message(status: u16, message: &str) -> Back {
    said(status, &serde_json::json!({ "message": message }).to_string())
}

pub fn with_header(name: &str, value: &str, reply: Back) -> Back {
    reply.map(|mut reply| {
        reply.headers.push((name.into(), value.into()));
        reply
    })
}

/// Returns an HTTP reply whose body is larger than the app accepts.
pub fn endless(status: u16) -> Back {
    said(status, "{").map(|reply| RawReply { end: BodyEnd::TooLarge, ..reply })
}

/// Returns the failure of a request to which no reply arrived.
pub fn silent(why: NoAnswer) -> Back {
    Err(Failure::NoAnswer(why))
}

/// Returns the failure of a request that the app did not send.
pub fn not_sent(why: NotSent) -> Back {
    Err(Failure::NotSent(why))
}

/// Returns an HTTP reply in which the service accepts the withdrawal.
pub fn taken(status: u16) -> Back {
    said(status, r#"{"id":"wd_51","status":"processing"}"#)
}

/// Returns the built-in API contract, which describes the service's API. It is parsed only once,
/// because every screen needs it.
pub fn built_in() -> &'static Contract {
    static CONTRACT: LazyLock<Contract> = LazyLock::new(Contract::built_in);
    &CONTRACT
}

/// Returns an API contract which declares that every reply repeats the amount and the destination
/// of its request.
pub fn vouched() -> &'static Contract {
    static CONTRACT: LazyLock<Contract> = LazyLock::new(|| {
        let lines = "confirmed = ['withdrawal.echo_amount', 'withdrawal.echo_destination']";
        Contract::own(&[("loja.toml", lines)]).unwrap()
    });
    &CONTRACT
}

/// Returns the recorded outcome of a send attempt that had this result.
pub fn end(
    back: &Back,
    agreement: &Agreement,
    contract: &Contract,
    sent_before: bool,
    clocks: &Clocks,
) -> AttemptEnd {
    let reply = back.as_ref().ok();
    let class = classify(back.as_ref(), agreement, contract, sent_before, clocks.wall);
    AttemptEnd {
        at: clocks.wall,
        boot_ms: clocks.boot_ms,
        class,
        status: reply.map(|reply| reply.status),
        server_date: reply.and_then(RawReply::date),
        message: reply.and_then(|reply| words(reply, &contract.error.message)),
        hint: reply.and_then(|reply| words(reply, &contract.error.hint)),
    }
}

/// Returns the string at one of these JSON paths in the HTTP reply. Returns `None` if the reply is
/// incomplete.
fn words(reply: &RawReply, places: &JsonPaths) -> Option<Untrusted> {
    let json = read_json(&reply.body).filter(|_| reply.end == BodyEnd::Whole)?;
    places.str(&json).map(Untrusted::from)
}
