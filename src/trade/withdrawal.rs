//! A withdrawal: its record, its attempts, and its state.
//!
//! The state is not stored. It is computed from the attempts each time, so that all parts of the
//! program agree. Start with [`Withdrawal::state`].

mod approval;
mod attempt;
mod rules;
mod settle;
mod window;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

pub use approval::{APPROVAL_PERIOD, Approval, Approvals};
pub use attempt::{Alarm, Attempt, AttemptEnd, Class, NotSent, SaysFailed, Unclear};
pub use rules::{Blocker, NotDone, OtherWithdrawal, is_recent};
pub use settle::{Settled, settle};
pub use window::{MAX_SENDS, NoSend, SendDeadline, Window};

use super::Author;
use super::{Account, Clocks, IdempotencyKey, Money, PixKey, Quote, Untrusted, Wall};

/// The exact terms that the seller confirmed for a withdrawal. The terms are saved to disk before
/// the first request and never change.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Agreement {
    /// The idempotency key, which is also the withdrawal's id in the program.
    pub key: IdempotencyKey,
    /// The account that the money is withdrawn from.
    pub account: Account,
    /// The settings profile used for the withdrawal.
    pub profile: Arc<str>,
    /// The HTTP method of the request.
    pub method: Arc<str>,
    /// The absolute URL of the request.
    pub url: Arc<str>,
    /// The value of the idempotency-key header.
    pub key_header: Arc<str>,
    /// The name of the idempotency-key header.
    pub key_header_name: Arc<str>,
    /// The exact request body. Every attempt sends this body unchanged.
    pub body: Arc<str>,
    /// JSON Pointers to the members of the body that the seller did not type. Their values come
    /// from the API contract.
    pub untyped: Vec<Arc<str>>,
    /// The amount taken from the seller's balance.
    pub amount: Money,
    /// The Pix key that receives the money. If it is `None`, the service pays to the key that it
    /// has on file.
    pub destination: Option<PixKey>,
    /// The quote that was shown when the seller confirmed; `None` if there was no quote.
    pub quote: Option<Quote>,
    /// The clock readings when the seller confirmed.
    pub agreed: Clocks,
}

/// A withdrawal, as stored in the journal.
#[derive(Debug, Clone, PartialEq)]
pub struct Withdrawal {
    /// The confirmed terms.
    pub agreement: Agreement,
    /// All attempts to send the withdrawal, oldest first.
    pub attempts: Vec<Attempt>,
    /// The seller's decision about the withdrawal, and the time of the decision.
    pub decision: Option<(Decision, Wall)>,
    /// The person who confirmed the terms, in a team.
    pub prepared_by: Option<Author>,
    /// The person who made the decision, in a team.
    pub decided_by: Option<Author>,
    /// The approvals by other persons, in a team.
    pub approvals: Box<Approvals>,
}

/// A decision that the seller made about a withdrawal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// The seller discarded a withdrawal that the service had not accepted. Its idempotency key is
    /// never used again.
    Discarded,
    /// The seller found the withdrawal in the account statement, which proves that it was paid.
    FoundPaid,
    /// The seller checked the account and confirmed, by typing, that the withdrawal was not paid.
    StatedNotPaid,
}

/// The state of a withdrawal, computed from its attempts, the seller's decision and the current
/// time.
#[derive(Debug, Clone, PartialEq)]
pub enum WithdrawalState {
    /// The withdrawal is stored, but the service has not accepted it. No money has moved.
    Prepared,
    /// The attempt with this number is being sent now.
    Sending(u32),
    /// The outcome of an attempt is unclear: money may have moved.
    Unknown,
    /// The service accepted the withdrawal.
    Accepted,
    /// The service refused the withdrawal, and the outcome of no attempt is unclear. No money has
    /// moved.
    Rejected,
    /// The outcome is unclear and the program cannot resolve it, so the seller must check the
    /// account.
    NeedsPerson(WhyPerson),
    /// The amount or destination in a response differs from the request.
    Mismatch(Alarm),
    /// The seller discarded the withdrawal before the service accepted it.
    Discarded,
    /// The seller found the withdrawal in the account statement.
    ResolvedPaid,
    /// The seller confirmed that the withdrawal was not paid.
    ResolvedNotPaid,
}

/// The part of a withdrawal's state that does not depend on the current time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// Stored, but not accepted by the service.
    Prepared,
    /// Being sent, of unknown outcome, or to be decided by the seller.
    Open,
    /// Open, and a response did not match the request.
    Mismatch,
    /// The service accepted the withdrawal, or the seller found the payment.
    Paid,
    /// The service refused the withdrawal, or the seller discarded it. No money moved.
    NotPaid,
    /// The seller looked for the payment and did not find it. The withdrawal may still have been
    /// paid, because the payment may appear later.
    NotFound,
}

/// The reason why only the seller can resolve a withdrawal.
#[derive(Debug, Clone, PartialEq)]
pub enum WhyPerson {
    /// The withdrawal may not be sent again, for the contained reason.
    NoSend(NoSend),
    /// The service redirected the request with this status, so the base URL is probably wrong.
    Redirected(u16),
    /// The service reports that it received the idempotency key with a different request body.
    KeyReused,
    /// The response reports success and failure at the same time.
    SaysFailed(SaysFailed),
}

impl Withdrawal {
    /// The state of the withdrawal at the time `now`. `in_flight` is true while the last attempt is
    /// being sent.
    ///
    /// If the last attempt has no recorded end and is not in flight, the attempt was interrupted
    /// and may have paid.
    pub fn state(&self, now: &Clocks, window: &Window, in_flight: bool) -> WithdrawalState {
        if in_flight && let Some(last) = self.attempts.last() {
            return WithdrawalState::Sending(last.n);
        }
        let settled = settle(&self.attempts);
        if settled == Settled::Accepted {
            return WithdrawalState::Accepted;
        }
        match self.decision {
            Some((Decision::Discarded, _)) => return WithdrawalState::Discarded,
            Some((Decision::FoundPaid, _)) => return WithdrawalState::ResolvedPaid,
            Some((Decision::StatedNotPaid, _)) => return WithdrawalState::ResolvedNotPaid,
            None => {}
        }
        match settled {
            Settled::Accepted => WithdrawalState::Accepted,
            Settled::Mismatch(alarm) => WithdrawalState::Mismatch(alarm),
            Settled::Redirected(status) => {
                WithdrawalState::NeedsPerson(WhyPerson::Redirected(status))
            }
            Settled::KeyReused => WithdrawalState::NeedsPerson(WhyPerson::KeyReused),
            Settled::SaysFailed(report) => {
                WithdrawalState::NeedsPerson(WhyPerson::SaysFailed(report))
            }
            Settled::Unknown => match window.time_left(&self.attempts, now) {
                Ok(_) => WithdrawalState::Unknown,
                Err(no_send) => WithdrawalState::NeedsPerson(WhyPerson::NoSend(no_send)),
            },
            Settled::Rejected => WithdrawalState::Rejected,
            Settled::Prepared => WithdrawalState::Prepared,
        }
    }

    /// The withdrawal's id at the service, if the service confirmed an attempt.
    pub fn service_id(&self) -> Option<&Untrusted> {
        self.confirmed_id_and_status().and_then(|(id, _)| id)
    }

    /// The withdrawal's status in the service's own words, if the service confirmed an attempt.
    pub fn service_status(&self) -> Option<&Untrusted> {
        self.confirmed_id_and_status()
            .and_then(|(_, status)| status)
    }

    fn confirmed_id_and_status(&self) -> Option<(Option<&Untrusted>, Option<&Untrusted>)> {
        self.attempts
            .iter()
            .find_map(|attempt| match &attempt.end.as_ref()?.class {
                Class::Confirmed { id, status } => Some((id.as_ref(), status.as_ref())),
                _ => None,
            })
    }
}

impl WithdrawalState {
    /// True if the withdrawal is open: money may have moved and the outcome is unknown. The open
    /// states are sending, unknown, needs-person and mismatch.
    pub fn is_open(&self) -> bool {
        self.standing().is_open()
    }

    /// True if the state is final: accepted, rejected, discarded or resolved by the seller.
    pub fn is_decided(&self) -> bool {
        self.standing().is_decided()
    }

    /// The part of the state that does not depend on the current time.
    pub fn standing(&self) -> Standing {
        match self {
            WithdrawalState::Prepared => Standing::Prepared,
            WithdrawalState::Mismatch(_) => Standing::Mismatch,
            WithdrawalState::Accepted | WithdrawalState::ResolvedPaid => Standing::Paid,
            WithdrawalState::Rejected | WithdrawalState::Discarded => Standing::NotPaid,
            WithdrawalState::ResolvedNotPaid => Standing::NotFound,
            WithdrawalState::Sending(_)
            | WithdrawalState::Unknown
            | WithdrawalState::NeedsPerson(_) => Standing::Open,
        }
    }

    /// The name of the state for files and scripts, such as `prepared`.
    pub fn name(&self) -> &'static str {
        match self {
            WithdrawalState::Prepared => "prepared",
            WithdrawalState::Sending(_) => "sending",
            WithdrawalState::Unknown => "unknown",
            WithdrawalState::Accepted => "accepted",
            WithdrawalState::Rejected => "rejected",
            WithdrawalState::NeedsPerson(_) => "needs-person",
            WithdrawalState::Mismatch(_) => "mismatch",
            WithdrawalState::Discarded => "discarded",
            WithdrawalState::ResolvedPaid => "resolved-paid",
            WithdrawalState::ResolvedNotPaid => "resolved-not-paid",
        }
    }
}

impl Standing {
    /// True if money may have moved and the outcome is unknown.
    pub fn is_open(self) -> bool {
        matches!(self, Standing::Open | Standing::Mismatch)
    }

    /// True if the state is final.
    pub fn is_decided(self) -> bool {
        matches!(
            self,
            Standing::Paid | Standing::NotPaid | Standing::NotFound
        )
    }
}

/// A conflict between a new withdrawal and another one. The new withdrawal may not be sent, or the
/// seller must be warned first.
#[derive(Debug, Clone, PartialEq)]
pub struct Clash {
    /// The kind of conflict.
    pub kind: ClashKind,
    /// The withdrawal that conflicts with the new one.
    pub other: Box<Withdrawal>,
}

/// The kinds of conflict between two withdrawals, from most to least serious.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ClashKind {
    /// A response to another withdrawal from this account did not match its request. Nothing more
    /// may be sent from the account.
    Mismatch,
    /// The outcome of another withdrawal from the same account, with the same amount and
    /// destination, is unknown. The new withdrawal may pay a second time.
    SameOpen,
    /// The outcome of another withdrawal from the same account is unknown. The seller may be
    /// repeating that payment with another amount or destination.
    OtherOpen,
    /// The outcome of a withdrawal with the same amount and destination is unknown. That withdrawal
    /// was made under another login or base URL.
    SameOpenElsewhere,
    /// In the last 24 hours, a withdrawal with the same amount and destination was decided, under
    /// any login. It may have been paid. A refused withdrawal causes no conflict.
    SameDecided,
    /// Another machine of the team has prepared a withdrawal with the same amount and destination,
    /// and may send it at any time. It must be sent or discarded first. Typing the amount again is
    /// not enough, because the other withdrawal may be paid between that and the send.
    SamePrepared,
}

/// The amount that the seller retyped to confirm a withdrawal after a warning about similar
/// withdrawals.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Retyped {
    /// The amount that the seller typed as a confirmation.
    pub amount: Money,
    /// The similar withdrawals that the warning listed. The confirmation does not cover similar
    /// withdrawals that appear later.
    pub shown_keys: Vec<IdempotencyKey>,
}

/// A Pix key that an account has withdrawn money to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Destination {
    /// The Pix key.
    pub key: PixKey,
    /// The number of withdrawals paid to the key.
    pub count: u64,
    /// The time of the latest paid withdrawal to this key.
    pub last: Wall,
    /// The amount of the latest paid withdrawal to this key.
    pub last_amount: Money,
}
