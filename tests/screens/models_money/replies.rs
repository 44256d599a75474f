//! How attempts end, as the production code reads what the service says: a status and a body.
//!
//! Nothing is put together by hand that a real reply could not lead to: the class, the status and
//! the service's words are all of the same reply.

use std::sync::LazyLock;

use balcao::contract::{Contract, JsonPaths, read_json};
use balcao::service::{BodyEnd, RawReply, classify};
use balcao::trade::withdrawal::{AttemptEnd, NotSent};
use balcao::trade::{Agreement, Clocks, Failure, NoAnswer, Untrusted};

/// What came back of an attempt.
pub type Back = Result<RawReply, Failure>;

/// A whole reply.
pub fn said(status: u16, body: &str) -> Back {
    let body = body.as_bytes().to_vec();
    Ok(RawReply { status, headers: Vec::new(), body, end: BodyEnd::Whole })
}

/// The same with the service's own message about it.
pub fn with_message(status: u16, message: &str) -> Back {
    said(status, &serde_json::json!({ "message": message }).to_string())
}

/// The same with a header.
pub fn with_header(name: &str, value: &str, reply: Back) -> Back {
    reply.map(|mut reply| {
        reply.headers.push((name.into(), value.into()));
        reply
    })
}

/// More than is read.
pub fn endless(status: u16) -> Back {
    said(status, "{").map(|reply| RawReply { end: BodyEnd::TooLarge, ..reply })
}

/// No reply.
pub fn silent(why: NoAnswer) -> Back {
    Err(Failure::NoAnswer(why))
}

/// Nothing left this machine.
pub fn not_sent(why: NotSent) -> Back {
    Err(Failure::NotSent(why))
}

/// The service took it.
pub fn taken(status: u16) -> Back {
    said(status, r#"{"id":"wd_51","status":"processing"}"#)
}

/// The contract that comes with the program; read once, for every screen asks for it.
pub fn built_in() -> &'static Contract {
    static CONTRACT: LazyLock<Contract> = LazyLock::new(Contract::built_in);
    &CONTRACT
}

/// A contract in which the reply's amount and destination were seen and vouched for.
pub fn vouched() -> &'static Contract {
    static CONTRACT: LazyLock<Contract> = LazyLock::new(|| {
        let lines = "confirmed = ['withdrawal.echo_amount', 'withdrawal.echo_destination']";
        Contract::own(&[("loja.toml", lines)]).unwrap()
    });
    &CONTRACT
}

/// The end of an attempt that this came back of.
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

/// What a whole reply says in one of these places.
fn words(reply: &RawReply, places: &JsonPaths) -> Option<Untrusted> {
    let json = read_json(&reply.body).filter(|_| reply.end == BodyEnd::Whole)?;
    places.str(&json).map(Untrusted::from)
}
