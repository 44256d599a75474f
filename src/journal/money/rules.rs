//! The rules that detect conflicts between withdrawals. They are the last check against a second
//! payment.

use std::time::Duration;

use super::index::{IndexEntry, Status, WithdrawalIndex};
use crate::trade::withdrawal::ClashKind;
use crate::trade::{Account, Agreement, IdempotencyKey, Wall};

/// The time span in which two withdrawals with the same amount and destination may be duplicates.
/// It begins when the first one is decided.
pub(super) const RECENT: Duration = Duration::from_secs(24 * 60 * 60);

/// A conflict of a withdrawal with another one. The most severe kind sorts first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Objection {
    /// The kind of conflict.
    pub kind: ClashKind,
    /// The idempotency key of the other withdrawal.
    pub other: IdempotencyKey,
}

/// Returns all conflicts of this withdrawal with other withdrawals, the most severe first.
///
/// An open withdrawal conflicts with every other withdrawal of the same account. Duplicates are
/// searched for in all logins and service addresses, because they would pay the same receiver
/// twice.
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
    // A prepared withdrawal is not a conflict, because it was not sent yet. If two are prepared,
    // the second is refused once the first was sent.
    let kind = match entry.status {
        Status::Mismatch if own => ClashKind::Mismatch,
        Status::Open if own && same => ClashKind::SameOpen,
        Status::Open if own => ClashKind::OtherOpen,
        Status::Open | Status::Mismatch if same => ClashKind::SameOpenElsewhere,
        // Only a withdrawal that may have been paid is a conflict. After a refusal or a discard no
        // money has moved, so a new withdrawal cannot be a second payment.
        _ if same && entry.may_have_paid() && entry.changed_within(RECENT, now) => {
            ClashKind::SameDecided
        }
        _ => return None,
    };
    Some(Objection { kind, other: entry.key })
}

impl Objection {
    /// Returns the key of the conflicting withdrawal, if the seller may override the conflict by
    /// typing the amount again. The seller must see the conflicting withdrawal first.
    pub fn answered_by_retyping(self) -> Option<IdempotencyKey> {
        match self.kind {
            ClashKind::OtherOpen | ClashKind::SameOpenElsewhere | ClashKind::SameDecided => {
                Some(self.other)
            }
            ClashKind::Mismatch | ClashKind::SameOpen => None,
        }
    }
}
