//! Batches: many payment links that the seller creates from one file.
//!
//! A batch is stored in the history before its first request, with a line for each line of the
//! file. The state of a line is on disk before its request is sent. So no line is sent twice unless
//! the seller decides so, even if the program is killed.

use serde::{Deserialize, Serialize};

use super::failure::{Failure, MoneyMoved};
use super::payment::{LinkOutcome, LinkRequest, Outcome, RowId};
use super::{Account, Author, Money, Untrusted, Wall};

/// The id of a batch in the history database.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BatchId(pub i64);

/// A batch of payment links.
#[derive(Debug, Clone, PartialEq)]
pub struct Batch {
    /// The id of the batch.
    pub id: BatchId,
    /// The time at which the seller confirmed the batch.
    pub at: Wall,
    /// The account that the links belong to. No other login sends the rest of the batch.
    pub account: Account,
    /// The file that lists the links.
    pub source: BatchSource,
    /// The person of a team who began the batch. `None` without a team.
    pub author: Option<Author>,
    /// True if the batch began on another machine of the team. Only that machine continues or ends
    /// it, because it may be sending the lines.
    pub is_foreign: bool,
}

/// The file that lists the links of a batch.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BatchSource {
    /// The absolute path of the file.
    pub file: String,
    /// The absolute path of the result file.
    pub result: String,
    /// The names of the columns.
    pub header: Vec<String>,
    /// The character between the cells of a line.
    pub delimiter: u8,
}

/// A line of a batch.
#[derive(Debug, Clone, PartialEq)]
pub struct BatchLine {
    /// The number of the line in the file.
    pub number: u64,
    /// The cells, as in the file.
    pub cells: Vec<String>,
    /// The link to create; `None` if the line does not describe a link.
    pub request: Option<LinkRequest>,
    /// The seller's note, which the link gets and which is not sent.
    pub note: Option<String>,
    /// The state of the line.
    pub state: LineState,
    /// The reason of the state, as text for the result file: the service's own words, or a fault of
    /// the line. Empty without a reason.
    pub reason: String,
    /// The row of the link in the history, from the moment at which the line was taken for sending.
    pub row: Option<RowId>,
    /// The URL of the link, if the service created it.
    pub url: Option<Untrusted>,
}

/// A line whose link was refused, or may or may not exist.
#[derive(Debug, Clone, PartialEq)]
pub struct FailedLine {
    /// The number of the line in the file.
    pub number: u64,
    /// The amount of the link.
    pub amount: Money,
    /// The description of the link.
    pub description: String,
    /// The state: `Refused` or `Unknown`.
    pub state: LineState,
    /// The reason of the state, as in [`BatchLine::reason`].
    pub reason: String,
}

/// The state of a line of a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LineState {
    /// The line describes no link, or a link that exists already.
    Skipped,
    /// The line was not sent yet.
    Waiting,
    /// The request is in flight. A line that is found in this state after a crash is unknown.
    Sending,
    /// The service created the link.
    Made,
    /// The service refused the request and created nothing.
    Refused,
    /// The link may or may not exist.
    Unknown,
}

impl LineState {
    /// All states, in the order in which a batch is counted.
    pub const ALL: [LineState; 6] = [
        LineState::Made,
        LineState::Waiting,
        LineState::Sending,
        LineState::Refused,
        LineState::Unknown,
        LineState::Skipped,
    ];

    /// The name that the history and the result file use.
    pub fn name(self) -> &'static str {
        match self {
            LineState::Skipped => "skipped",
            LineState::Waiting => "waiting",
            LineState::Sending => "sending",
            LineState::Made => "made",
            LineState::Refused => "refused",
            LineState::Unknown => "unknown",
        }
    }

    /// The state with this name.
    pub fn named(name: &str) -> Option<LineState> {
        LineState::ALL
            .into_iter()
            .find(|state| state.name() == name)
    }
}

/// The result of sending a line.
#[derive(Debug, Clone, PartialEq)]
pub enum LineResult {
    /// The request has an outcome, which ends the line.
    Ended(LinkOutcome),
    /// The service certainly created nothing, and another try may succeed. The line waits again.
    PutBack,
}

impl LineResult {
    /// The result of a failed request.
    ///
    /// A line waits again if its request did not reach the service, if the login has expired, or if
    /// the service asked to slow down (status 429).
    pub fn of_failure(failure: &Failure) -> LineResult {
        let is_throttled = matches!(failure, Failure::Refused(refusal) if refusal.status == 429);
        let may_be_repeated = is_throttled
            || failure.nothing_was_sent()
            || matches!(failure, Failure::Unauthorized { .. });
        let is_cancelled = matches!(failure, Failure::Cancelled);
        if may_be_repeated && !is_cancelled && failure.may_have_acted() == MoneyMoved::No {
            LineResult::PutBack
        } else {
            LineResult::Ended(Outcome::of_failure(failure))
        }
    }

    /// The state of a line with this result.
    pub fn state(&self) -> LineState {
        match self {
            LineResult::PutBack => LineState::Waiting,
            LineResult::Ended(Outcome::Created(_)) => LineState::Made,
            LineResult::Ended(Outcome::Refused(_) | Outcome::NotSent) => LineState::Refused,
            LineResult::Ended(Outcome::Unknown) => LineState::Unknown,
        }
    }
}

/// The number of lines of a batch in each state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BatchCounts {
    /// The links that the service created.
    pub made: u64,
    /// The lines that were not sent yet.
    pub waiting: u64,
    /// The lines whose request is in flight.
    pub sending: u64,
    /// The lines that the service refused.
    pub refused: u64,
    /// The lines whose links may or may not exist.
    pub unknown: u64,
    /// The lines that are not sent.
    pub skipped: u64,
}

impl BatchCounts {
    /// Adds lines in this state.
    pub fn add(&mut self, state: LineState, count: u64) {
        let sum = match state {
            LineState::Made => &mut self.made,
            LineState::Waiting => &mut self.waiting,
            LineState::Sending => &mut self.sending,
            LineState::Refused => &mut self.refused,
            LineState::Unknown => &mut self.unknown,
            LineState::Skipped => &mut self.skipped,
        };
        *sum += count;
    }

    /// Counts a line that was waiting as a line in this state.
    pub fn settle(&mut self, state: LineState) {
        self.waiting = self.waiting.saturating_sub(1);
        self.add(state, 1);
    }

    /// The lines that were sent and have a result.
    pub fn done(&self) -> u64 {
        self.made + self.failed()
    }

    /// The lines that were sent and have no link, as far as the program knows.
    pub fn failed(&self) -> u64 {
        self.refused + self.unknown
    }

    /// The lines that have no result yet. After a crash, a line that was in flight is among them.
    pub fn open(&self) -> u64 {
        self.waiting + self.sending
    }

    /// The lines that describe links to create.
    pub fn to_create(&self) -> u64 {
        self.done() + self.open()
    }

    /// True if no line is waiting or in flight.
    pub fn is_finished(&self) -> bool {
        self.open() == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trade::withdrawal::NotSent;
    use crate::trade::{NoAnswer, Refusal};

    fn refusal(status: u16) -> Refusal {
        Refusal {
            status,
            message: None,
            hint: None,
            retry_after: None,
        }
    }

    #[test]
    fn only_harmless_failures_put_a_line_back() {
        let unauthorized = Failure::Unauthorized {
            credential: None,
            refusal: refusal(401),
        };
        for (failure, state) in [
            (Failure::NotSent(NotSent::BodyChanged), LineState::Waiting),
            (unauthorized, LineState::Waiting),
            (Failure::Refused(refusal(429)), LineState::Waiting),
            (Failure::Refused(refusal(400)), LineState::Refused),
            (Failure::Refused(refusal(409)), LineState::Unknown),
            (Failure::Refused(refusal(500)), LineState::Unknown),
            (Failure::NoAnswer(NoAnswer::Timeout), LineState::Unknown),
            (Failure::Contradicted(refusal(429)), LineState::Unknown),
            (Failure::Cancelled, LineState::Unknown),
        ] {
            let result = LineResult::of_failure(&failure);
            assert_eq!(result.state(), state, "{failure:?}");
        }
    }

    #[test]
    fn names_of_states_are_read_back() {
        for state in LineState::ALL {
            assert_eq!(LineState::named(state.name()), Some(state));
        }
        assert_eq!(LineState::named("paid"), None);
    }
}
