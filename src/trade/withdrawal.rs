//! A withdrawal: its record, its attempts, and the state they prove.
//!
//! Nothing here is stored as "the state": the state is what the attempts and the person's choice
//! prove, worked out anew each time by [`settle()`], so that no two places can disagree about it.

mod attempt;
mod settle;
mod window;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

pub use attempt::{Alarm, Attempt, AttemptEnd, Class, NotSent, SaysFailed, Unclear};
pub use settle::{Settled, settle};
pub use window::{LeaveBy, MAX_SENDS, NoSend, Window};

use super::{Account, Clocks, IdempotencyKey, Money, PixKey, Quote, Untrusted, Wall};

/// The exact terms that the seller agreed to; durable before a byte leaves, and never changed
/// after.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Agreement {
    /// The key, and the withdrawal's name.
    pub key: IdempotencyKey,
    /// The owner of the money.
    pub account: Account,
    /// The profile it was made in.
    pub profile: Arc<str>,
    /// The HTTP method.
    pub method: Arc<str>,
    /// The absolute address of the request.
    pub url: Arc<str>,
    /// The key as its header carries it.
    pub key_header: Arc<str>,
    /// The name of that header.
    pub key_header_name: Arc<str>,
    /// The exact bytes of the body: every send of this withdrawal sends these.
    pub body: Arc<str>,
    /// The members of the body that were not typed, as JSON Pointers: the contract put them there.
    pub untyped: Vec<Arc<str>>,
    /// The amount that leaves the balance.
    pub amount: Money,
    /// The destination; `None` where the service pays a key it has on file.
    pub destination: Option<PixKey>,
    /// The quote that was shown when the seller confirmed, or that there was none.
    pub quote: Option<Quote>,
    /// The time at which the seller confirmed.
    pub agreed: Clocks,
}

/// One withdrawal as the journal knows it.
#[derive(Debug, Clone, PartialEq)]
pub struct Withdrawal {
    /// The agreement.
    pub agreement: Agreement,
    /// Every attempt to send it, oldest first.
    pub attempts: Vec<Attempt>,
    /// A person's decision about it, if any.
    pub decision: Option<(Decision, Wall)>,
}

/// A person's decision about a withdrawal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// Nothing was taken; the key is retired.
    Discarded,
    /// The seller found it in the account: it was paid.
    FoundPaid,
    /// The seller looked and states, by typing, that it was not paid.
    StatedNotPaid,
}

/// The state of a withdrawal, and what it proves.
#[derive(Debug, Clone, PartialEq)]
pub enum WithdrawalState {
    /// Key and body are durable; no money has moved.
    Prepared,
    /// Attempt `n` is on its way in this very moment.
    Sending(u32),
    /// Money may or may not have left.
    Unknown,
    /// The service took it.
    Accepted,
    /// A definite no, and nothing unclear ever: no money moved.
    Rejected,
    /// A timer may not decide any more.
    NeedsPerson(WhyPerson),
    /// The reply contradicts what was sent.
    Mismatch(Alarm),
    /// Retired before anything was taken.
    Discarded,
    /// A person found it in the account.
    ResolvedPaid,
    /// A person stated that it was not paid.
    ResolvedNotPaid,
}

/// The reason only a person can decide.
#[derive(Debug, Clone, PartialEq)]
pub enum WhyPerson {
    /// No further send is safe.
    NoSend(NoSend),
    /// The service sent us elsewhere: the base URL is likely wrong.
    Redirected(u16),
    /// The service says that this key was used with another body.
    KeyReused,
    /// The service called it a success, and in the same reply a failure.
    SaysFailed(SaysFailed),
}

impl Withdrawal {
    /// The state now; `in_flight` is whether an attempt of it is being sent in this moment.
    ///
    /// An attempt that began and has no end, and is not in flight, may have paid.
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
            Settled::SaysFailed(said) => WithdrawalState::NeedsPerson(WhyPerson::SaysFailed(said)),
            Settled::Unknown => match window.left(&self.attempts, now) {
                Ok(_) => WithdrawalState::Unknown,
                Err(no_send) => WithdrawalState::NeedsPerson(WhyPerson::NoSend(no_send)),
            },
            Settled::Rejected => WithdrawalState::Rejected,
            Settled::Prepared => WithdrawalState::Prepared,
        }
    }

    /// The identifier the service gave it, once an attempt was confirmed.
    pub fn service_id(&self) -> Option<&Untrusted> {
        self.confirmed().and_then(|(id, _)| id)
    }

    /// The service's own status word, verbatim, once an attempt was confirmed.
    pub fn service_status(&self) -> Option<&Untrusted> {
        self.confirmed().and_then(|(_, status)| status)
    }

    fn confirmed(&self) -> Option<(Option<&Untrusted>, Option<&Untrusted>)> {
        self.attempts.iter().find_map(|attempt| match &attempt.end.as_ref()?.class {
            Class::Confirmed { id, status } => Some((id.as_ref(), status.as_ref())),
            _ => None,
        })
    }
}

impl WithdrawalState {
    /// Returns true when money may have left and it is unknown: sending, unknown, needs a person,
    /// mismatch.
    pub fn is_open(&self) -> bool {
        matches!(
            self,
            WithdrawalState::Sending(_)
                | WithdrawalState::Unknown
                | WithdrawalState::NeedsPerson(_)
                | WithdrawalState::Mismatch(_)
        )
    }

    /// Nothing further can happen to it.
    pub fn is_decided(&self) -> bool {
        !self.is_open() && *self != WithdrawalState::Prepared
    }

    /// The state's plain name, for files and scripts.
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
