//! The rules that detect conflicts between withdrawals. They are the journal's check against a
//! second payment.

use std::time::Duration;

use super::index::{IndexEntry, Status, WithdrawalIndex};
use crate::trade::withdrawal::ClashKind;
use crate::trade::{Account, Agreement, IdempotencyKey, Wall};

/// The period in which a withdrawal with the same amount and destination may be a duplicate. The
/// period begins with the last event of the earlier withdrawal, which decided it.
pub(super) const DUPLICATE_PERIOD: Duration = Duration::from_secs(24 * 60 * 60);

/// A conflict of a withdrawal with another one. The most severe kind sorts first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Conflict {
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
pub(super) fn find_conflicts(
    index: &WithdrawalIndex,
    agreement: &Agreement,
    now: Wall,
) -> Vec<Conflict> {
    let owner = agreement.account.normalized();
    let others = index.entries.iter().filter(|entry| entry.key != agreement.key);
    let mut conflicts: Vec<_> =
        others.filter_map(|entry| find_conflict(entry, agreement, &owner, now)).collect();
    conflicts.sort();
    conflicts
}

fn find_conflict(
    entry: &IndexEntry,
    agreement: &Agreement,
    owner: &Account,
    now: Wall,
) -> Option<Conflict> {
    let is_same_payment =
        entry.amount == agreement.amount && entry.destination == agreement.destination;
    let is_own_account = *entry.owner == *owner;
    // A prepared withdrawal is not a conflict, because it was not sent yet. If two are prepared and
    // one is sent, the same rules then apply to the other before it is sent.
    let kind = match entry.status {
        Status::Mismatch if is_own_account => ClashKind::Mismatch,
        Status::Open if is_own_account && is_same_payment => ClashKind::SameOpen,
        Status::Open if is_own_account => ClashKind::OtherOpen,
        Status::Open | Status::Mismatch if is_same_payment => ClashKind::SameOpenElsewhere,
        // Only a withdrawal that may have been paid is a conflict. After a refusal or a discard no
        // money has moved, so a new withdrawal cannot be a second payment.
        _ if is_same_payment
            && entry.is_decided_and_maybe_paid()
            && entry.changed_within(DUPLICATE_PERIOD, now) =>
        {
            ClashKind::SameDecided
        }
        _ => return None,
    };
    Some(Conflict { kind, other: entry.key })
}

impl Conflict {
    /// Returns the key of the conflicting withdrawal, if the seller may override the conflict by
    /// typing the amount again. The seller must see the conflicting withdrawal first.
    pub fn can_be_overridden_by_retyping(self) -> Option<IdempotencyKey> {
        match self.kind {
            ClashKind::OtherOpen | ClashKind::SameOpenElsewhere | ClashKind::SameDecided => {
                Some(self.other)
            }
            ClashKind::Mismatch | ClashKind::SameOpen => None,
        }
    }
}
