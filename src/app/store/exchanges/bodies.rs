//! Reads the JSON bodies of exchanges as rows. Long bodies are read on a thread of the runtime,
//! because reading 2 MiB of JSON takes longer than a key press may take.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::contract::{Contract, ReplyLine, ReplyTree, TreeRow, TreeValue};
use crate::trade::{Exchange, Ticket, Untrusted};

/// The maximum size of the exchanges, in bytes, whose bodies are read at once.
const MOST_AT_ONCE: usize = 64 * 1024;

/// A request to read the bodies of one exchange, or of two exchanges that are compared.
#[derive(Debug, Clone, PartialEq)]
pub struct BodiesRequest {
    /// The number that the message with the bodies carries.
    pub ticket: Ticket,
    /// The exchanges: one, or two.
    pub exchanges: Vec<Arc<Exchange>>,
    /// The contract that reads the bodies.
    pub contract: Arc<Contract>,
}

/// The bodies of one exchange, or of two exchanges that are compared.
#[derive(Debug)]
pub struct Bodies {
    /// The contract that read the bodies.
    pub contract: Arc<Contract>,
    /// For each exchange, the body of the request and the body of the reply.
    pub all: Vec<[ReadBody; 2]>,
    /// The JSON Pointers of the rows whose values differ between two compared exchanges: in the
    /// bodies of the requests, and in the bodies of the replies.
    pub differing: [BTreeSet<String>; 2],
}

/// A JSON body without its long values. It does not depend on the mask.
#[derive(Debug)]
pub struct ReadBody {
    /// The rows; empty if the body is not a JSON object or list.
    pub rows: Vec<TreeRow>,
    /// The contract lines that read a value, by the JSON Pointer of the value. Empty for exchanges
    /// that are compared.
    pub read: BTreeMap<String, &'static ReplyLine>,
    /// The size of the body in bytes.
    pub bytes: usize,
}

impl Bodies {
    /// Returns true if the bodies of these exchanges are so short that they can be read at once.
    pub fn are_short(exchanges: &[Arc<Exchange>]) -> bool {
        exchanges.iter().map(|one| one.bytes()).sum::<usize>() <= MOST_AT_ONCE
    }

    /// Reads the bodies of one exchange, or of two exchanges that are compared.
    pub fn read(contract: &Arc<Contract>, exchanges: &[Arc<Exchange>]) -> Bodies {
        let trees = exchanges.iter().map(|one| [false, true].map(|is_reply| tree(one, is_reply)));
        let trees: Vec<[Option<ReplyTree>; 2]> = trees.collect();
        let differing = [0, 1].map(|n| match &trees[..] {
            [one, other] => differing(&one[n], &other[n]),
            _ => BTreeSet::new(),
        });
        let reads = |one: &Exchange, tree: &ReplyTree| {
            let is_success =
                one.reply.as_ref().is_ok_and(|reply| (200..300).contains(&reply.status));
            let labels = is_success && exchanges.len() == 1;
            if labels { contract.read_places(one.operation, tree) } else { BTreeMap::new() }
        };
        let read = |one: &Exchange, is_reply: bool, tree: Option<ReplyTree>| {
            let read = tree.as_ref().filter(|_| is_reply).map(|tree| reads(one, tree));
            ReadBody {
                read: read.unwrap_or_default(),
                rows: tree.map(ReplyTree::into_rows).unwrap_or_default(),
                bytes: body(one, is_reply).len(),
            }
        };
        let all = exchanges.iter().zip(trees);
        let all = all.map(|(one, [sent, reply])| [read(one, false, sent), read(one, true, reply)]);
        Bodies { contract: contract.clone(), all: all.collect(), differing }
    }
}

impl ReadBody {
    /// Returns true if the body is a JSON object or list.
    pub fn is_tree(&self) -> bool {
        !self.rows.is_empty()
    }
}

/// Returns the body of the request or of the reply; an empty text if it has none.
pub fn body(exchange: &Exchange, is_reply: bool) -> Cow<'_, Untrusted> {
    match (is_reply, &exchange.reply) {
        (false, _) => Cow::Owned(exchange.request_body.as_deref().unwrap_or_default().into()),
        (true, Ok(reply)) => Cow::Borrowed(&reply.body),
        (true, Err(_)) => Cow::default(),
    }
}

/// Parses a body. Returns `None` if it is not a JSON object or list.
fn tree(exchange: &Exchange, is_reply: bool) -> Option<ReplyTree> {
    let is_tree = |row: &TreeRow| matches!(row.value, TreeValue::List(_) | TreeValue::Object(_));
    ReplyTree::read(&body(exchange, is_reply))
        .filter(|tree| tree.rows().iter().take(1).all(is_tree))
}

/// Returns the JSON Pointers of all rows whose values differ. A value that only one of the bodies
/// has differs.
fn differing(one: &Option<ReplyTree>, other: &Option<ReplyTree>) -> BTreeSet<String> {
    let rows = [one, other].into_iter().flatten().flat_map(ReplyTree::rows);
    let differs = |pointer: &String| match (one, other) {
        (Some(one), Some(other)) => !one.is_same_at(other, pointer),
        _ => true,
    };
    rows.map(|row| row.pointer.clone()).filter(differs).collect()
}
