//! The HTTP exchanges (requests with their replies) of a run: which are kept in memory, and how
//! they are shown.

pub mod bodies;

use std::sync::Arc;

use crate::app::Store;
use crate::app::ui::json;
use crate::trade::{Exchange, Operation, Untrusted, Withdrawal};
use crate::words::{Catalogue, personal, sizes};

/// The maximum number of a run's HTTP exchanges to keep in memory. The list of requests can be
/// longer, because its rows come from a database.
pub const EXCHANGES_KEPT: usize = 200;

/// The maximum total size of the exchanges kept in memory, in bytes. The newest exchange is kept
/// regardless of its size.
const BYTES_KEPT: usize = 8 * 1024 * 1024;

/// Adds an HTTP exchange to those in memory, and drops older exchanges if there are too many.
///
/// Exchanges that only read data are dropped first, then exchanges that created links or payments.
/// Withdrawals are dropped last, because the service's support may ask for them much later.
pub fn keep(store: &mut Store, exchange: Arc<Exchange>) {
    let newest = importance(&exchange);
    store.exchanges.push_front(exchange);
    let mut bytes: usize = store.exchanges.iter().map(|exchange| exchange.bytes()).sum();
    while store.exchanges.len() > EXCHANGES_KEPT || bytes > BYTES_KEPT {
        let Some(least) = least_worth(store, newest) else { break };
        bytes -= store.exchanges.remove(least).map_or(0, |exchange| exchange.bytes());
    }
}

/// Returns the index of the exchange to drop: the oldest of the least important ones, but never the
/// newest.
///
/// If the newest exchange is the least important, nothing is dropped until the next exchange
/// arrives.
fn least_worth(store: &Store, newest: u8) -> Option<usize> {
    let older = store.exchanges.iter().enumerate().skip(1);
    let least = older.rev().min_by_key(|(_, exchange)| importance(exchange));
    least.filter(|(_, exchange)| importance(exchange) <= newest).map(|(at, _)| at)
}

/// Returns the importance of an HTTP exchange. The exchanges with the lowest value are dropped
/// first.
fn importance(exchange: &Exchange) -> u8 {
    match exchange.operation {
        Operation::Login | Operation::Domains | Operation::FeePreview => 0,
        Operation::CreateLink | Operation::DirectPayment => 1,
        Operation::Withdrawal => 2,
    }
}

/// Returns true if this HTTP exchange sent the withdrawal. It is recognized by the withdrawal's
/// idempotency key.
pub fn is_of(exchange: &Exchange, withdrawal: &Withdrawal) -> bool {
    let key = &*withdrawal.agreement.key_header;
    exchange.operation == Operation::Withdrawal
        && exchange.request_headers.iter().any(|(_, value)| &**value == key)
}

/// Returns the messages for displaying HTTP exchanges. They mask personal data until the seller
/// asks to see it, because exchanges are often forwarded to the service's support.
pub fn words(store: &Store) -> &'static Catalogue {
    match store.exchanges_whole {
        true => store.words(),
        false => Catalogue::masking(store.setup.lang),
    }
}

/// Returns a request and its reply as text. Secrets are masked, and invisible characters are
/// marked.
pub fn text(say: &Catalogue, exchange: &Exchange) -> Untrusted {
    let others_look = Untrusted::is_masking();
    Untrusted::masking(say.masks(), || written(say, others_look, exchange)).into()
}

fn written(say: &Catalogue, others_look: bool, exchange: &Exchange) -> String {
    let body = |body: &Untrusted| {
        let whole = Untrusted::in_full(|| body.shown_lines());
        // Put each JSON member on its own line, because personal data is recognized by the name of
        // its member.
        let pretty = json::pretty_start(&whole);
        let masked = personal::body(say, pretty.clone(), others_look);
        if masked == pretty { whole } else { masked }
    };
    let header = |name: &str, value: &Untrusted| {
        let value = personal::header(say, others_look, name, value);
        format!("{}: {value}\n", Untrusted::shown_of(name))
    };
    let mut text = Untrusted::shown_of(&format!("{} {}", exchange.method, exchange.url)) + "\n";
    for (name, value) in &exchange.request_headers {
        text += &header(name, &value.as_str().into());
    }
    if let Some(body_sent) = &exchange.request_body {
        text += &format!("\n{}\n", body(&body_sent.as_str().into()));
    }
    match &exchange.reply {
        Ok(reply) => {
            text += &format!("\nHTTP {}\n", reply.status);
            for (name, value) in &reply.headers {
                text += &header(name, value);
            }
            text += &format!("\n{}", body(&reply.body));
            if let Some(end) = sizes::body_end(say, reply) {
                text += &format!("\n({end})\n");
            }
        }
        // There was no reply. The screen explains the reason in the user's language.
        Err(_) => text += "\nHTTP —\n",
    }
    text
}
