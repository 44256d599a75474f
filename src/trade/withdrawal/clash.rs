//! Withdrawals beside each other: what speaks against one more, and what answers that.

use super::Withdrawal;
use crate::trade::{IdempotencyKey, Money, PixKey, Wall};

/// Another withdrawal that speaks against this one.
#[derive(Debug, Clone, PartialEq)]
pub struct Clash {
    /// How it does.
    pub kind: ClashKind,
    /// The other one.
    pub other: Box<Withdrawal>,
}

/// How another withdrawal speaks against one, the worst first.
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

/// The amount typed again, and the withdrawals that the seller was told of before typing it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Retyped {
    /// What was typed.
    pub amount: Money,
    /// What it answers, and nothing that came up later.
    pub told: Vec<IdempotencyKey>,
}

/// Where withdrawals of an account were paid to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Destination {
    /// The PIX key.
    pub key: PixKey,
    /// How many withdrawals were paid to it.
    pub count: u64,
    /// When the last of them was decided.
    pub last: Wall,
    /// The amount of that one.
    pub last_amount: Money,
}
