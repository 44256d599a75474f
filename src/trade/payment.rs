//! Payment links and direct payments: what was asked for and what came of it.
//!
//! Neither has a documented key against duplicates, so neither is ever retried by itself, and "no
//! answer" is an outcome that the seller sees.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Account, Failure, Money, Untrusted, Wall};

/// The number of a row in the history.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RowId(pub i64);

/// A payment link as it was asked for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LinkRequest {
    /// Whose link.
    pub account: Account,
    /// What the buyer is to pay.
    pub amount: Money,
    /// What for.
    pub description: String,
    /// The domain that was named; `None` is automatic, and absent from the body.
    pub domain: Option<Untrusted>,
}

/// A payment link in the history.
#[derive(Debug, Clone, PartialEq)]
pub struct PaymentLink {
    /// Its row.
    pub id: RowId,
    /// When it was asked for.
    pub at: Wall,
    /// What was asked for.
    pub request: LinkRequest,
    /// What came of it.
    pub outcome: LinkOutcome,
}

/// What came of asking for a link.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LinkOutcome {
    /// No answer is known: it may exist. (Also what a link is while it is being asked for.)
    Unknown,
    /// The service answered with its address.
    Created {
        /// The address, byte for byte.
        url: Untrusted,
    },
    /// The service refused.
    Refused(Refusal),
    /// Nothing reached the service.
    NotSent,
}

/// A direct payment as it was asked for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChargeRequest {
    /// Whose.
    pub account: Account,
    /// What is to be paid.
    pub amount: Money,
    /// What for.
    pub description: String,
    /// Who pays, as far as the body says so.
    pub customer: Option<String>,
}

/// A direct payment in the history.
#[derive(Debug, Clone, PartialEq)]
pub struct Charge {
    /// Its row.
    pub id: RowId,
    /// When it was asked for.
    pub at: Wall,
    /// What was asked for.
    pub request: ChargeRequest,
    /// What came of it.
    pub outcome: ChargeOutcome,
}

/// What came of asking for a direct payment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChargeOutcome {
    /// No answer is known: it may exist.
    Unknown,
    /// The service made it.
    Created {
        /// The service's identifier.
        id: Option<Untrusted>,
        /// The service's own status word.
        status: Option<Untrusted>,
        /// The PIX copy-and-paste code.
        pix_code: Option<Untrusted>,
        /// Until when it can be paid, as the service wrote it.
        expires: Option<Untrusted>,
    },
    /// The service refused.
    Refused(Refusal),
    /// Nothing reached the service.
    NotSent,
}

/// A refusal in the service's own words.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Refusal {
    /// The status of the reply.
    pub status: u16,
    /// Its message.
    pub message: Option<Untrusted>,
    /// Its hint about what to do.
    pub hint: Option<Untrusted>,
}

/// A window on a list: some rows, whether more follow, and nothing else of the whole.
#[derive(Debug, Clone, PartialEq)]
pub struct Page<T> {
    /// The rows, newest first.
    pub rows: Arc<[T]>,
    /// How many rows the query has in all.
    pub total: u64,
    /// Where the first of these rows stands in the whole list.
    pub first: u64,
}

impl<T> Default for Page<T> {
    fn default() -> Self {
        Page { rows: Arc::new([]), total: 0, first: 0 }
    }
}

impl LinkOutcome {
    /// What the history keeps of a failure.
    pub fn of_failure(failure: &Failure) -> LinkOutcome {
        match failure {
            Failure::Refused(refusal) => LinkOutcome::Refused(refusal.clone()),
            failure if failure.nothing_was_sent() => LinkOutcome::NotSent,
            _ => LinkOutcome::Unknown,
        }
    }
}

impl ChargeOutcome {
    /// What the history keeps of a failure.
    pub fn of_failure(failure: &Failure) -> ChargeOutcome {
        match failure {
            Failure::Refused(refusal) => ChargeOutcome::Refused(refusal.clone()),
            failure if failure.nothing_was_sent() => ChargeOutcome::NotSent,
            _ => ChargeOutcome::Unknown,
        }
    }
}
