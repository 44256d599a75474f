//! The JSON format of a stored HTTP request with its reply.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::trade::withdrawal::NotSent;
use crate::trade::{
    BodyEnd, CredentialKind, Exchange, Failure, MaskedReply, NoAnswer, Operation, Untrusted, Wall,
};

/// An [`Exchange`] in the form in which it is stored as JSON.
#[derive(Serialize, Deserialize)]
pub(super) struct Record {
    at: Wall,
    operation: Operation,
    method: String,
    url: String,
    request_headers: Vec<(String, String)>,
    request_body: Option<String>,
    request_bytes: u64,
    took: Duration,
    connecting: Option<Duration>,
    reply: Result<Reply, NoReply>,
}

#[derive(Serialize, Deserialize)]
struct Reply {
    status: u16,
    headers: Vec<(String, Untrusted)>,
    body: Untrusted,
    end: BodyEnd,
    received: u64,
    announced: Option<u64>,
}

/// The reason why a request has no reply.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum NoReply {
    NotSent(NotSent),
    NoCredential(CredentialKind),
    NoAnswer(NoAnswer),
    /// The user cancelled the operation. All other failures that the client records have their own
    /// variant above.
    Cancelled,
}

impl From<&Exchange> for Record {
    fn from(exchange: &Exchange) -> Record {
        let exchange = exchange.clone();
        let reply = exchange.reply.map(|reply| {
            let MaskedReply { status, headers, body, end, received, announced } = reply;
            Reply { status, headers, body, end, received, announced }
        });
        Record {
            at: exchange.at,
            operation: exchange.operation,
            method: exchange.method.as_ref().to_owned(),
            url: exchange.url.as_ref().to_owned(),
            request_headers: exchange.request_headers,
            request_body: exchange.request_body,
            request_bytes: exchange.request_bytes,
            took: exchange.took,
            connecting: exchange.connecting,
            reply: reply.map_err(|failure| match failure {
                Failure::NotSent(why) => NoReply::NotSent(why),
                Failure::NoCredential(kind) => NoReply::NoCredential(kind),
                Failure::NoAnswer(why) => NoReply::NoAnswer(why),
                _ => NoReply::Cancelled,
            }),
        }
    }
}

impl From<Record> for Exchange {
    fn from(record: Record) -> Exchange {
        let reply = record.reply.map(|reply| {
            let Reply { status, headers, body, end, received, announced } = reply;
            MaskedReply { end, received, announced, ..MaskedReply::new(status, headers, body) }
        });
        let reply = reply.map_err(|failure| match failure {
            NoReply::NotSent(why) => Failure::NotSent(why),
            NoReply::NoCredential(kind) => Failure::NoCredential(kind),
            NoReply::NoAnswer(why) => Failure::NoAnswer(why),
            NoReply::Cancelled => Failure::Cancelled,
        });
        Exchange {
            at: record.at,
            request_headers: record.request_headers,
            request_body: record.request_body,
            request_bytes: record.request_bytes,
            took: record.took,
            connecting: record.connecting,
            ..Exchange::new(record.operation, record.method, record.url, reply)
        }
    }
}
