//! Which withdrawals may stand beside each other: the last wall before a second payment.

use std::time::Duration;

use super::index::{IndexEntry, Status, WithdrawalIndex};
use crate::trade::withdrawal::ClashKind;
use crate::trade::{Account, Agreement, IdempotencyKey, Wall};

/// A withdrawal of the same to the same, decided within this time, may be this one again.
pub(super) const RECENT: Duration = Duration::from_secs(24 * 60 * 60);

/// Another withdrawal that speaks against one, the worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Objection {
    /// The kind of objection.
    pub kind: ClashKind,
    /// Which one it is.
    pub other: IdempotencyKey,
}

/// Everything among the other withdrawals that speaks against this one now.
///
/// What locks an account is its own; the same payment is looked for under every login and address,
/// because it is the same receiver who would be paid twice.
pub(super) fn objections(
    index: &WithdrawalIndex,
    agreement: &Agreement,
    now: Wall,
) -> Vec<Objection> {
    let owner = agreement.account.owner();
    let others = index.entries.iter().filter(|entry| entry.key != agreement.key);
    let mut all: Vec<_> =
        others.filter_map(|entry| objection(entry, agreement, &owner, now)).collect();
    all.sort();
    all
}

fn objection(
    entry: &IndexEntry,
    agreement: &Agreement,
    owner: &Account,
    now: Wall,
) -> Option<Objection> {
    let same = entry.amount == agreement.amount && entry.destination == agreement.destination;
    let own = *entry.owner == *owner;
    let kind = match entry.status {
        Status::Mismatch if own => ClashKind::Mismatch,
        Status::Open if own && same => ClashKind::SameOpen,
        Status::Open if own => ClashKind::OtherOpen,
        Status::Open | Status::Mismatch if same => ClashKind::SameOpenElsewhere,
        // The review names every decided one, as the seller may not remember it. Only those that
        // may have paid are a wall: after a no, or where nothing was taken, no money moved, and
        // the next withdrawal of the same is the first payment.
        _ if same && entry.may_have_paid() && entry.changed_within(RECENT, now) => {
            ClashKind::SameDecided
        }
        _ => return None,
    };
    Some(Objection { kind, other: entry.key })
}

impl Objection {
    /// The withdrawal that the seller must know of, when typing the amount again is an answer.
    pub fn answered_by_retyping(self) -> Option<IdempotencyKey> {
        match self.kind {
            ClashKind::OtherOpen | ClashKind::SameOpenElsewhere | ClashKind::SameDecided => {
                Some(self.other)
            }
            ClashKind::Mismatch | ClashKind::SameOpen => None,
        }
    }
}
