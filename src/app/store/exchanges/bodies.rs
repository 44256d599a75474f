//! Parses the JSON bodies of HTTP exchanges into rows for the screen. Long bodies are parsed on a
//! separate thread. Parsing 2 MiB of JSON would make the app respond to keys too slowly.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::contract::{Contract, ReplySetting, ReplyTree, TreeRow, TreeValue};
use crate::trade::{Exchange, Ticket, Untrusted};

/// If the exchanges have at most this total size, in bytes, their bodies are parsed immediately.
/// Otherwise they are parsed on a separate thread.
pub const MAX_IMMEDIATE_BYTES: usize = 64 * 1024;

/// A request to read the bodies of one exchange, or of two exchanges that are compared.
#[derive(Debug, Clone, PartialEq)]
pub struct BodiesRequest {
    /// The ticket: a number that the reply to this request repeats.
    pub ticket: Ticket,
    /// The one exchange to read, or the two exchanges to compare.
    pub exchanges: Vec<Arc<Exchange>>,
    /// The API contract whose settings are used to read the bodies.
    pub contract: Arc<Contract>,
    /// True if the result must be the whole reply of one exchange instead of rows for the screen.
    pub whole_reply: bool,
}

/// The bodies of one exchange, or of two exchanges that are compared.
#[derive(Debug)]
pub struct Bodies {
    /// The API contract whose settings were used to read the bodies.
    pub contract: Arc<Contract>,
    /// For each exchange, the body of the request and the body of the reply.
    pub by_exchange: Vec<[ReadBody; 2]>,
    /// The JSON Pointers of the rows whose values differ between two compared exchanges. The first
    /// set is for the request bodies, the second set for the reply bodies.
    pub differing: [BTreeSet<String>; 2],
    /// The whole reply, if it was requested and is JSON.
    pub whole_reply: Option<Arc<ReplyTree>>,
}

impl BodiesRequest {
    /// Reads the requested bodies.
    pub fn read(&self) -> Bodies {
        if !self.whole_reply {
            return Bodies::read(&self.contract, &self.exchanges);
        }
        let reply = self
            .exchanges
            .first()
            .and_then(|exchange| exchange.reply.as_ref().ok());
        let tree = reply.and_then(|reply| ReplyTree::read(&reply.body));
        Bodies {
            whole_reply: tree.map(Arc::new),
            ..Bodies::none(&self.contract)
        }
    }
}

/// The body of a request or reply, parsed into rows. The rows contain the unmasked values, so
/// turning masking on or off does not change them.
#[derive(Debug)]
pub struct ReadBody {
    /// The rows; empty if the body is not a JSON object or list.
    pub rows: Vec<TreeRow>,
    /// Maps the JSON Pointer of a value to the setting of the API contract that reads the value.
    /// Empty for exchanges that are compared.
    pub setting_by_pointer: BTreeMap<String, &'static ReplySetting>,
    /// The size of the body in bytes.
    pub bytes: usize,
}

impl Bodies {
    /// True if the bodies of these exchanges are short enough to be read immediately.
    pub fn are_short(exchanges: &[Arc<Exchange>]) -> bool {
        exchanges
            .iter()
            .map(|exchange| exchange.bytes())
            .sum::<usize>()
            <= MAX_IMMEDIATE_BYTES
    }

    /// Reads the bodies of one exchange, or of two exchanges that are compared.
    pub fn read(contract: &Arc<Contract>, exchanges: &[Arc<Exchange>]) -> Bodies {
        let trees = exchanges
            .iter()
            .map(|exchange| [false, true].map(|is_reply| tree(exchange, is_reply)));
        let trees: Vec<[Option<ReplyTree>; 2]> = trees.collect();
        let differing = [0, 1].map(|n| match &trees[..] {
            [first, second] => differing_pointers(&first[n], &second[n]),
            _ => BTreeSet::new(),
        });
        let read_body = |exchange: &Exchange, is_reply: bool, tree: Option<ReplyTree>| {
            let settings = tree.as_ref().filter(|_| is_reply).map(|tree| {
                let is_success = exchange
                    .reply
                    .as_ref()
                    .is_ok_and(|reply| (200..300).contains(&reply.status));
                let has_labels = is_success && exchanges.len() == 1;
                if has_labels {
                    contract.pointers_read(exchange.operation, tree)
                } else {
                    BTreeMap::new()
                }
            });
            ReadBody {
                setting_by_pointer: settings.unwrap_or_default(),
                rows: tree.map(ReplyTree::into_rows).unwrap_or_default(),
                bytes: body(exchange, is_reply).len(),
            }
        };
        let pairs = exchanges.iter().zip(trees);
        let bodies = pairs.map(|(exchange, [request, reply])| {
            [
                read_body(exchange, false, request),
                read_body(exchange, true, reply),
            ]
        });
        Bodies {
            by_exchange: bodies.collect(),
            differing,
            ..Bodies::none(contract)
        }
    }

    /// Bodies without content, as if nothing had been read.
    pub fn none(contract: &Arc<Contract>) -> Bodies {
        let (by_exchange, differing) = Default::default();
        Bodies {
            contract: contract.clone(),
            by_exchange,
            differing,
            whole_reply: None,
        }
    }
}

impl ReadBody {
    /// True if the body is a JSON object or list.
    pub fn is_tree(&self) -> bool {
        !self.rows.is_empty()
    }
}

/// The body of the request or of the reply; an empty text if it has none.
pub fn body(exchange: &Exchange, is_reply: bool) -> Cow<'_, Untrusted> {
    match (is_reply, &exchange.reply) {
        (false, _) => Cow::Owned(exchange.request_body.as_deref().unwrap_or_default().into()),
        (true, Ok(reply)) => Cow::Borrowed(&reply.body),
        (true, Err(_)) => Cow::default(),
    }
}

/// Parses a body. Returns `None` if it is not a JSON object or list.
fn tree(exchange: &Exchange, is_reply: bool) -> Option<ReplyTree> {
    ReplyTree::read(&body(exchange, is_reply)).filter(|tree| {
        tree.rows()
            .iter()
            .take(1)
            .all(|row| matches!(row.value, TreeValue::List(_) | TreeValue::Object(_)))
    })
}

/// The JSON Pointers of all rows whose values differ, or that only one of the bodies has.
fn differing_pointers(first: &Option<ReplyTree>, second: &Option<ReplyTree>) -> BTreeSet<String> {
    let rows = [first, second]
        .into_iter()
        .flatten()
        .flat_map(ReplyTree::rows);
    let different = rows.filter(|row| match (first, second) {
        (Some(first), Some(second)) => !first.has_same_value_at(second, &row.pointer),
        _ => true,
    });
    different.map(|row| row.pointer.clone()).collect()
}
