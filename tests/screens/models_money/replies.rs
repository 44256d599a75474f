//! Builds the results of withdrawal attempts from a status and a body, using the production code.
//!
//! So the class, the status and the message fit together, as in a real reply.

use std::sync::LazyLock;

use balcao::contract::{Contract, JsonPaths, read_json};
use balcao::service::{BodyEnd, RawReply, classify};
use balcao::trade::withdrawal::{AttemptEnd, NotSent};
use balcao::trade::{Agreement, Clocks, Failure, NoAnswer, Untrusted};

/// The result of an attempt: the raw reply, or the failure if there was no reply.
pub type Back = Result<RawReply, Failure>;

/// Returns a complete reply with this status and body.
pub fn said(status: u16, body: &str) -> Back {
    let body = body.as_bytes().to_vec();
    Ok(RawReply { status, headers: Vec::new(), body, end: BodyEnd::Whole })
}

/// Returns a complete reply with an error message of the service.
pub fn with_message(status: u16, message: &str) -> Back {
    said(status, &serde_json::json!({ "message": message }).to_string())
}

/// Adds a header to a reply.
pub fn with_header(name: &str, value: &str, reply: Back) -> Back {
    reply.map(|mut reply| {
        reply.headers.push((name.into(), value.into()));
        reply
    })
}

/// Returns a reply whose body exceeds the size limit.
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

/// Returns a reply that accepts the withdrawal.
pub fn taken(status: u16) -> Back {
    said(status, r#"{"id":"wd_51","status":"processing"}"#)
}

/// Returns the built-in API contract. Every screen needs it, so it is parsed only once.
pub fn built_in() -> &'static Contract {
    static CONTRACT: LazyLock<Contract> = LazyLock::new(Contract::built_in);
    &CONTRACT
}

/// Returns an API contract that declares that every reply repeats the amount and destination of its
/// request.
pub fn vouched() -> &'static Contract {
    static CONTRACT: LazyLock<Contract> = LazyLock::new(|| {
        let lines = "confirmed = ['withdrawal.echo_amount', 'withdrawal.echo_destination']";
        Contract::own(&[("loja.toml", lines)]).unwrap()
    });
    &CONTRACT
}

/// Returns the end of an attempt as the journal records it for this result.
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

/// Returns the text at one of these JSON paths of a complete reply.
fn words(reply: &RawReply, places: &JsonPaths) -> Option<Untrusted> {
    let json = read_json(&reply.body).filter(|_| reply.end == BodyEnd::Whole)?;
    places.str(&json).map(Untrusted::from)
}
