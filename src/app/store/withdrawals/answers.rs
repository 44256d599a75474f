//! Answers of the journal about withdrawals: all of them, the past of one, and refusals.

use crate::trade::withdrawal::{Clash, Destination};
use crate::trade::{IdempotencyKey, JournalTrouble, ListPage, QuoteFault, Withdrawal};

/// The journal's withdrawals, all read together.
#[derive(Debug, Clone, Default)]
pub struct Snapshot {
    /// The rows that were asked for.
    pub page: ListPage<Withdrawal>,
    /// All open ones, oldest first.
    pub open: Vec<Withdrawal>,
    /// Those that another window is sending now.
    pub elsewhere: Vec<IdempotencyKey>,
    /// Those that changed since the journal was read before.
    pub changed: Vec<Withdrawal>,
    /// The reason it takes no writes though it can be read, or none that wait for another window's.
    pub locked: Option<JournalTrouble>,
    /// The network file system it is on, where no new withdrawal is begun.
    pub network: Option<&'static str>,
}

/// The withdrawals before an agreement: the journal's answer to a review.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Past {
    /// Decided ones of the same amount and destination within a day, the newest first.
    pub similar: Vec<Withdrawal>,
    /// The payments to this destination so far; `None`: this is the first one.
    pub used: Option<Destination>,
}

/// The reason a draft may not go on.
#[derive(Debug, Clone, PartialEq)]
pub enum Refused {
    /// Another withdrawal stands in the way.
    Clash(Clash),
    /// Something changed since the review opened, perhaps in another window: look again.
    LookAgain(Option<Clash>),
    /// The journal is in trouble.
    Journal(JournalTrouble),
    /// The quote is not there yet.
    QuoteNotThere,
    /// Fee and net do not add up to the amount.
    QuoteWrong(QuoteFault),
}
