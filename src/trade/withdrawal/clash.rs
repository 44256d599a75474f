//! Withdrawals beside each other: what speaks against one more, and what answers that.

use super::Withdrawal;
use crate::trade::{IdempotencyKey, Money, PixKey, Wall};

/// Another withdrawal that speaks against this one.
#[derive(Debug, Clone, PartialEq)]
pub struct Clash {
    /// The kind of clash.
    pub kind: ClashKind,
    /// The other one.
    pub other: Box<Withdrawal>,
}

/// The kinds of objection that one withdrawal raises against another, the worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ClashKind {
    /// A reply contradicted what was sent: nothing further leaves the account.
    Mismatch,
    /// The same amount to the same destination is open: this would be that one again.
    SameOpen,
    /// Something else of the account is open: this may be a second payment.
    OtherOpen,
    /// The same amount to the same destination is open under another login or address.
    SameOpenElsewhere,
    /// The same amount to the same destination was decided within a day, under whichever login.
    SameDecided,
}

/// The amount typed again, and the withdrawals that were named to the seller before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Retyped {
    /// The amount that was typed.
    pub amount: Money,
    /// The withdrawals it answers for, and none that came up later.
    pub told: Vec<IdempotencyKey>,
}

/// A destination that withdrawals of an account were paid to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Destination {
    /// The PIX key.
    pub key: PixKey,
    /// The number of withdrawals paid to it.
    pub count: u64,
    /// The time at which the last of them was decided.
    pub last: Wall,
    /// The amount of that one.
    pub last_amount: Money,
}
