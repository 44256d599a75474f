//! Decides which HTTP exchanges (requests with their replies) of a run stay in memory, and formats
//! them for the screen.

pub mod bodies;

use std::sync::Arc;

use crate::app::Store;
use crate::app::ui::json;
use crate::trade::personal::BodyMask;
use crate::trade::{Exchange, Operation, Untrusted, Withdrawal};
use crate::words::{Catalogue, personal, sizes};

/// The maximum number of HTTP exchanges of this run that are kept in memory. The list of requests
/// can be longer, because its rows come from a database.
pub const MAX_EXCHANGES: usize = 200;

/// The maximum total size, in bytes, of the HTTP exchanges kept in memory. The newest exchange is
/// kept even if it is larger.
const MAX_BYTES: usize = 8 * 1024 * 1024;

/// Adds an HTTP exchange to the exchanges in memory. If there are then too many, drops older ones.
///
/// Exchanges that only read data are dropped first, then exchanges that created links or payments.
/// Withdrawals are dropped last, because the service's support may ask for them much later.
pub fn keep(store: &mut Store, exchange: Arc<Exchange>) {
    let newest = importance(&exchange);
    store.exchanges.push_front(exchange);
    let mut bytes: usize = store
        .exchanges
        .iter()
        .map(|exchange| exchange.bytes())
        .sum();
    while store.exchanges.len() > MAX_EXCHANGES || bytes > MAX_BYTES {
        let Some(index) = index_to_drop(store, newest) else {
            break;
        };
        bytes -= store
            .exchanges
            .remove(index)
            .map_or(0, |exchange| exchange.bytes());
    }
}

/// The index of the exchange to drop: the oldest of the least important exchanges, but never the
/// newest exchange.
///
/// Returns `None` if all older exchanges are more important than the newest one. Then nothing is
/// dropped.
fn index_to_drop(store: &Store, newest: u8) -> Option<usize> {
    let older = store.exchanges.iter().enumerate().skip(1);
    let least_important = older.rev().min_by_key(|(_, exchange)| importance(exchange));
    least_important
        .filter(|(_, exchange)| importance(exchange) <= newest)
        .map(|(index, _)| index)
}

/// The importance of an HTTP exchange. Exchanges with the lowest value are dropped first.
fn importance(exchange: &Exchange) -> u8 {
    match exchange.operation {
        Operation::Login | Operation::Domains | Operation::FeePreview => 0,
        Operation::CreateLink | Operation::DirectPayment => 1,
        Operation::Withdrawal => 2,
    }
}

/// True if this HTTP exchange was an attempt to send the withdrawal. Its request then contains the
/// withdrawal's idempotency key.
pub fn is_attempt_of(exchange: &Exchange, withdrawal: &Withdrawal) -> bool {
    let key = &*withdrawal.agreement.key_header;
    exchange.operation == Operation::Withdrawal
        && exchange
            .request_headers
            .iter()
            .any(|(_, value)| &**value == key)
}

/// The message catalog for showing HTTP exchanges. It masks personal data until the seller asks to
/// see it, because exchanges are often forwarded to the service's support.
pub fn words(store: &Store) -> &'static Catalogue {
    if store.exchanges_unmasked {
        store.words()
    } else {
        Catalogue::masking(store.setup.lang)
    }
}

/// Formats a request and its reply as text. Secrets are masked, and invisible characters are
/// marked.
pub fn text(words: &Catalogue, exchange: &Exchange) -> Untrusted {
    let masks_all = Untrusted::is_masking();
    Untrusted::masking(words.masks(), || {
        format_exchange(words, masks_all, exchange)
    })
    .into()
}

fn format_exchange(words: &Catalogue, masks_all: bool, exchange: &Exchange) -> String {
    let mask = personal::body_mask(words, masks_all);
    let header = |name: &str, value: &Untrusted| {
        let value = personal::header(words, masks_all, name, value);
        format!("{}: {value}\n", Untrusted::shown_of(name))
    };
    let mut text = Untrusted::shown_of(&format!("{} {}", exchange.method, exchange.url)) + "\n";
    for (name, value) in &exchange.request_headers {
        text += &header(name, &value.as_str().into());
    }
    if let Some(body_sent) = &exchange.request_body {
        text += &format!("\n{}\n", format_body(&body_sent.as_str().into(), mask));
    }
    match &exchange.reply {
        Ok(reply) => {
            text += &format!("\nHTTP {}\n", reply.status);
            for (name, value) in &reply.headers {
                text += &header(name, value);
            }
            text += &format!("\n{}", format_body(&reply.body, mask));
            if let Some(end) = sizes::body_end(words, reply) {
                text += &format!("\n({end})\n");
            }
        }
        // There was no reply. The screen explains the reason in the user's language.
        Err(_) => text += "\nHTTP —\n",
    }
    text
}

fn format_body(body: &Untrusted, mask: BodyMask) -> String {
    let full = Untrusted::without_masking(|| body.shown_lines());
    let masked = json::pretty_start(&full, mask);
    let is_masked = masked != json::pretty_start(&full, BodyMask::None);
    if is_masked { masked } else { full }
}
