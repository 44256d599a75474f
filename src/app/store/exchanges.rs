//! The exchanges of a run: which of them are kept to be looked at.

use std::sync::Arc;

use crate::app::Store;
use crate::app::ui::json;
use crate::trade::{Exchange, Operation, Untrusted, Withdrawal};
use crate::words::{Words, personal};

/// The most exchanges of a run that are kept to be looked at.
pub const EXCHANGES_KEPT: usize = 200;

/// The most bytes that the kept exchanges take together; the newest stays, whatever it takes.
const BYTES_KEPT: usize = 8 * 1024 * 1024;

/// Keeps an exchange, and of the older ones as many as there is room for; the cursor stays on its
/// own.
///
/// Questions go before what was asked to be made, and that before withdrawals: support needs the
/// exchange of a withdrawal long after its seller refreshed a list a hundred times.
pub fn keep(store: &mut Store, exchange: Arc<Exchange>) {
    let newest = worth(&exchange);
    store.exchanges.push_front(exchange);
    if store.exchange_cursor > 0 {
        store.exchange_cursor += 1;
    }
    let mut bytes: usize = store.exchanges.iter().map(|exchange| exchange.bytes()).sum();
    while store.exchanges.len() > EXCHANGES_KEPT || bytes > BYTES_KEPT {
        let Some(least) = least_worth(store, newest) else { break };
        bytes -= store.exchanges.remove(least).map_or(0, |exchange| exchange.bytes());
        store.exchanges_dropped += 1;
        if store.exchange_cursor > least {
            store.exchange_cursor -= 1;
        }
    }
    store.exchange_cursor = store.exchange_cursor.min(store.exchanges.len().saturating_sub(1));
}

/// The one to drop: the oldest of those that are worth least, and never the newest of all.
///
/// An exchange that is worth more than the newest stays: the newest goes first when the next comes.
fn least_worth(store: &Store, newest: u8) -> Option<usize> {
    let older = store.exchanges.iter().enumerate().skip(1);
    let least = older.rev().min_by_key(|(_, exchange)| worth(exchange));
    least.filter(|(_, exchange)| worth(exchange) <= newest).map(|(at, _)| at)
}

/// Returns the worth of an exchange, by its operation; the least is dropped first.
fn worth(exchange: &Exchange) -> u8 {
    match exchange.operation {
        Operation::Login | Operation::Domains | Operation::FeePreview => 0,
        Operation::CreateLink | Operation::DirectPayment => 1,
        Operation::Withdrawal => 2,
    }
}

/// Returns true when this exchange sent that withdrawal: no other one carries its key.
pub fn is_of(exchange: &Exchange, withdrawal: &Withdrawal) -> bool {
    let key = &*withdrawal.agreement.key_header;
    exchange.operation == Operation::Withdrawal
        && exchange.request_headers.iter().any(|(_, value)| &**value == key)
}

/// The words that exchanges are told with: what is personal in them is masked until the seller asks
/// for it, because it is read by those who help, and ends up in tickets.
pub fn words(store: &Store) -> &'static Words {
    match store.exchanges_whole {
        true => store.words(),
        false => Words::masking(store.setup.lang),
    }
}

/// A request and its reply as they are shown, masked and with their invisible signs marked.
pub fn text(say: &Words, exchange: &Exchange) -> Untrusted {
    let others_look = Untrusted::others_look();
    Untrusted::masking(say.masks(), || written(say, others_look, exchange)).into()
}

fn written(say: &Words, others_look: bool, exchange: &Exchange) -> String {
    let body = |body: &Untrusted| {
        let whole = Untrusted::in_full(|| body.shown_lines());
        // Laid out member by member, so that what is personal is known by its name.
        let pretty = json::pretty(&whole);
        let masked = personal::body(say, pretty.clone(), others_look);
        if masked == pretty { whole } else { masked }
    };
    let header = |name: &str, value: &Untrusted| {
        let value = personal::header(others_look, name, value);
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
        }
        // Why there is none is told on the screen, in its language.
        Err(_) => text += "\nHTTP —\n",
    }
    text
}
