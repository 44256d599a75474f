//! Which withdrawals may stand beside each other: the last wall before a second payment.

use std::time::Duration;

use super::book::{Book, Line, Standing};
use super::{BeginRefused, PrepareRefused};
use crate::trade::{Agreement, IdempotencyKey, Wall};

/// A withdrawal of the same to the same, decided within this time, may be this one again.
pub(super) const RECENT: Duration = Duration::from_secs(24 * 60 * 60);

/// What speaks against a withdrawal, the worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Objection {
    /// Nothing further leaves this account.
    Mismatch(IdempotencyKey),
    /// The same is open.
    SameOpen(IdempotencyKey),
    /// Something else is open: the amount typed again answers it.
    OtherOpen(IdempotencyKey),
    /// The same may have been paid a short while ago: the amount typed again answers it.
    SameDecided(IdempotencyKey),
}

/// Everything among the account's other withdrawals that speaks against this one now.
pub(super) fn objections(book: &Book, agreement: &Agreement, now: Wall) -> Vec<Objection> {
    let others = book
        .lines
        .iter()
        .filter(|line| *line.account == agreement.account && line.key != agreement.key);
    let mut all: Vec<_> = others.filter_map(|line| objection(line, agreement, now)).collect();
    all.sort();
    all
}

fn objection(line: &Line, agreement: &Agreement, now: Wall) -> Option<Objection> {
    let same = line.amount == agreement.amount && line.destination == agreement.destination;
    match line.standing {
        Standing::Mismatch => Some(Objection::Mismatch(line.key)),
        Standing::Open if same => Some(Objection::SameOpen(line.key)),
        Standing::Open => Some(Objection::OtherOpen(line.key)),
        // The review names every decided one, as the seller may not remember it. Only those that
        // may have paid are a wall: after a no, or where nothing was taken, no money moved, and
        // the next withdrawal of the same is the first payment.
        _ if same && line.may_have_paid_within(RECENT, now) => {
            Some(Objection::SameDecided(line.key))
        }
        _ => None,
    }
}

impl Objection {
    /// The withdrawal that the seller must know of, when typing the amount again is an answer.
    pub fn answered_by_retyping(self) -> Option<IdempotencyKey> {
        match self {
            Objection::OtherOpen(key) | Objection::SameDecided(key) => Some(key),
            Objection::Mismatch(_) | Objection::SameOpen(_) => None,
        }
    }
}

impl From<Objection> for PrepareRefused {
    fn from(objection: Objection) -> PrepareRefused {
        match objection {
            Objection::Mismatch(key) => PrepareRefused::Mismatch(key),
            Objection::SameOpen(key) => PrepareRefused::SameOpen(key),
            Objection::OtherOpen(key) => PrepareRefused::OtherOpen(key),
            Objection::SameDecided(key) => PrepareRefused::SameDecided(key),
        }
    }
}

impl From<Objection> for BeginRefused {
    fn from(objection: Objection) -> BeginRefused {
        match objection {
            Objection::Mismatch(key) => BeginRefused::Mismatch(key),
            Objection::SameOpen(key) => BeginRefused::SameOpen(key),
            Objection::OtherOpen(key) => BeginRefused::OtherOpen(key),
            Objection::SameDecided(key) => BeginRefused::SameDecided(key),
        }
    }
}
