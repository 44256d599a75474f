//! Builds the results of withdrawal attempts from an HTTP status and a body, using the production
//! code.
//!
//! The class, the status and the message therefore fit together, as in a real reply.

use std::sync::LazyLock;

use balcao::contract::{Contract, JsonPaths, read_json};
use balcao::service::{BodyEnd, RawReply, classify};
use balcao::trade::withdrawal::{AttemptEnd, NotSent};
use balcao::trade::{Agreement, Clocks, Failure, NoAnswer, Untrusted};

/// The result of an attempt: the HTTP reply, or the failure if there was no reply.
pub type Back = Result<RawReply, Failure>;

/// Returns a complete HTTP reply with this status and body.
pub fn said(status: u16, body: &str) -> Back {
    let body = body.as_bytes().to_vec();
    Ok(RawReply { status, headers: Vec::new(), body, end: BodyEnd::Whole })
}

/// Returns a complete HTTP reply with an error message from the service.
pub fn with_message(status: u16, message: &str) -> Back {
    said(status, &serde_json::json!({ "message": message }).to_string())
}

pub fn with_header(name: &str, value: &str, reply: Back) -> Back {
    reply.map(|mut reply| {
        reply.headers.push((name.into(), value.into()));
        reply
    })
}

/// Returns an HTTP reply whose body exceeds the size limit.
pub fn endless(status: u16) -> Back {
    said(status, "{").map(|reply| RawReply { end: BodyEnd::TooLarge, ..reply })
}

/// Returns the failure of a request without a reply.
pub fn silent(why: NoAnswer) -> Back {
    Err(Failure::NoAnswer(why))
}

/// Returns the failure of a request that was not sent.
pub fn not_sent(why: NotSent) -> Back {
    Err(Failure::NotSent(why))
}

/// Returns an HTTP reply that accepts the withdrawal.
pub fn taken(status: u16) -> Back {
    said(status, r#"{"id":"wd_51","status":"processing"}"#)
}

/// Returns the built-in contract (API description). It is parsed only once, because every screen
/// needs it.
pub fn built_in() -> &'static Contract {
    static CONTRACT: LazyLock<Contract> = LazyLock::new(Contract::built_in);
    &CONTRACT
}

/// Returns a contract that declares that every reply repeats the amount and destination of its
/// request.
pub fn vouched() -> &'static Contract {
    static CONTRACT: LazyLock<Contract> = LazyLock::new(|| {
        let lines = "confirmed = ['withdrawal.echo_amount', 'withdrawal.echo_destination']";
        Contract::own(&[("loja.toml", lines)]).unwrap()
    });
    &CONTRACT
}

/// Returns the end of an attempt with this result, as the journal records it.
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

/// Returns the string that a complete HTTP reply contains at one of these JSON paths.
fn words(reply: &RawReply, places: &JsonPaths) -> Option<Untrusted> {
    let json = read_json(&reply.body).filter(|_| reply.end == BodyEnd::Whole)?;
    places.str(&json).map(Untrusted::from)
}
