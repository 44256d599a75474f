//! Withdrawals: the list, and the way from a form to an outcome.
//!
//! The way is one table, and [`flow`] is that table:
//!
//! ```text
//! Form -- submit --> Review -- confirm --> Preparing -- durable --> Sending -- settled --> Outcome
//!   ^--- back ---------'                                    ^---- the send question (same key) --'
//! ```

pub mod destinations;
pub mod first_look;
pub mod flow;
pub mod guide;
pub mod journals;
pub mod quote;
pub mod review;
pub mod send;
pub mod statement;

use std::sync::Arc;

use crate::trade::{
    Account, IdempotencyKey, JournalTrouble, ListPage, Money, OtherJournal, Quote, Withdrawal,
};

use super::Wait;
use super::form::Form;
use super::list::List;
pub use crate::trade::NoQuote;
use crate::trade::withdrawal::{Agreement, Clash, Destination};
use crate::trade::{AmountField, Failure, QuoteFault};

/// Everything the app knows of withdrawals.
#[derive(Debug, Clone, Default)]
pub struct State {
    /// The list.
    pub list: List<Withdrawal>,
    /// All open ones, oldest first: the banner, and the wall before another one.
    pub open: Vec<Withdrawal>,
    /// The one that is being sent in this moment, by this window.
    pub in_flight: Option<IdempotencyKey>,
    /// Those that another window is sending in this moment.
    pub elsewhere: Vec<IdempotencyKey>,
    /// Why withdrawals are locked, if they are.
    pub trouble: Option<JournalTrouble>,
    /// The network file system the journal is on, where no new withdrawal is begun.
    pub network: Option<&'static str>,
    /// Whether the journal could be read when it was asked last.
    pub was_read: bool,
    /// Journals beside the live one that hold new withdrawals back.
    pub beside: Arc<[OtherJournal]>,
    /// Whether an open one was shown first.
    pub first_look: first_look::FirstLook,
}

/// What the journal says of withdrawals, all read together.
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
    /// Journals beside it that hold new withdrawals back.
    pub beside: Arc<[OtherJournal]>,
    /// Why it takes no writes, though it can be read, or none that can wait for another one.
    pub locked: Option<JournalTrouble>,
    /// The network file system it is on, where no new withdrawal is begun.
    pub network: Option<&'static str>,
}

impl State {
    /// Whether another window is sending a withdrawal of this account now.
    pub fn is_busy_elsewhere(&self, account: &Account) -> bool {
        let sent = |one: &&Withdrawal| self.elsewhere.contains(&one.agreement.key);
        self.open.iter().filter(sent).any(|one| one.agreement.account.has_owner_of(account))
    }

    /// Takes what is known of a withdrawal now into the rows that are here.
    ///
    /// The list is read again after that; until then a row that still says "being sent", of one
    /// that is in flight no more, would look like one whose outcome nobody knows.
    pub fn note(&mut self, known: &Withdrawal, is_open: bool) {
        let is_it = |row: &&mut Withdrawal| row.agreement.key == known.agreement.key;
        if let Some(row) = Arc::make_mut(&mut self.list.page.rows).iter_mut().find(is_it) {
            row.clone_from(known);
        }
        self.open.retain(|row| row.agreement.key != known.agreement.key);
        if is_open {
            self.open.push(known.clone());
        }
    }
}

/// A withdrawal on its way.
#[derive(Debug, Clone)]
pub enum Flow {
    /// Being typed.
    Form(Box<Draft>),
    /// Everything as it will be sent; the key is minted.
    Review(Box<Review>),
    /// Key and body are being made durable.
    Preparing {
        /// What was agreed.
        agreement: Box<Agreement>,
        /// What was typed, should the journal refuse.
        draft: Box<Draft>,
        /// Since when.
        wait: Wait,
    },
    /// Under way.
    Sending {
        /// The withdrawal, as it was before this attempt.
        withdrawal: Box<Withdrawal>,
        /// Since when.
        wait: Wait,
    },
    /// What came of it, as far as anybody knows.
    Outcome(Box<Outcome>),
}

/// What came of a withdrawal.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// As the journal has it now.
    pub withdrawal: Withdrawal,
    /// What went wrong on this side: nothing was sent, or the end could not be written down.
    pub trouble: Option<Failure>,
}

/// What is being typed.
#[derive(Debug, Clone)]
pub struct Draft {
    /// The contract's declared fields.
    pub form: Form,
    /// The destinations that are offered.
    pub known: destinations::Known,
    /// What the service says it will cost.
    pub quote: QuoteState,
    /// What it said first of this amount: a later figure that differs is pointed out.
    pub first_quote: Option<Quote>,
    /// Why it may not go to the review.
    pub refused: Option<Refused>,
}

/// What is known of the cost of the amount that stands in the form.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum QuoteState {
    /// No amount yet.
    #[default]
    None,
    /// It will be asked for when the typing has rested.
    Due {
        /// For this amount.
        amount: Money,
        /// At this reading of the boot clock.
        at_ms: u64,
    },
    /// It is being asked for.
    Asking {
        /// For this amount.
        amount: Money,
        /// Which question.
        wait: Wait,
    },
    /// It is here.
    Shown(Quote),
    /// There is none, and why.
    Failed {
        /// For this amount.
        amount: Money,
        /// Why.
        why: NoQuote,
    },
}

/// The last look before money moves.
#[derive(Debug, Clone)]
pub struct Review {
    /// The draft, kept for the way back.
    pub draft: Draft,
    /// What will be agreed, byte for byte.
    pub agreement: Agreement,
    /// Where the focus stands.
    pub focus: ReviewFocus,
    /// Before this reading of the boot clock the confirming key is dead.
    pub armed_at_ms: u64,
    /// Why the amount must be typed again, if it must.
    pub retype: Option<Retype>,
    /// What the journal knows of the past that matters here, once it has answered.
    pub past: Option<Past>,
}

/// What came before an agreement: the journal's answer to a review.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Past {
    /// Decided ones of the same amount and destination within a day, the newest first.
    pub similar: Vec<Withdrawal>,
    /// How often the destination was paid to; `None`: this is the first time.
    pub used: Option<Destination>,
}

/// Where the focus of a review stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReviewFocus {
    /// On the way back: here it stands first.
    Back,
    /// In the field that wants the amount again.
    Amount,
    /// On the button that moves money.
    Confirm,
}

impl ReviewFocus {
    /// The next one around, or the one before; the field is there only where it is needed.
    pub fn moved(self, has_field: bool, forward: bool) -> ReviewFocus {
        use ReviewFocus::*;
        match (self, has_field, forward) {
            (Back, true, true) | (Confirm, true, false) => Amount,
            (Back, _, _) | (Amount, _, true) => Confirm,
            (Amount, _, false) | (Confirm, _, _) => Back,
        }
    }

    /// Where a button stands: 0 is the way back.
    pub fn of_button(button: usize) -> ReviewFocus {
        if button == 0 { ReviewFocus::Back } else { ReviewFocus::Confirm }
    }
}

/// The amount is to be typed again, because something is not as usual.
#[derive(Debug, Clone, PartialEq)]
pub struct Retype {
    /// Everything that is not as usual.
    pub why: Vec<WhyRetype>,
    /// What was typed so far.
    pub field: AmountField,
}

/// Why the amount is to be typed again.
#[derive(Debug, Clone, PartialEq)]
pub enum WhyRetype {
    /// There is no quote: the fee is unknown, the service deducts it.
    NoQuote,
    /// The receiver gets nothing, or less, by the quote.
    NothingArrives {
        /// What the service says the receiver gets.
        net: Money,
    },
    /// Fee or net have a part below a centavo.
    FinerThanCentavos {
        /// The fee.
        fee: Money,
        /// What the receiver gets.
        net: Money,
    },
    /// Another withdrawal is open: this may be a second payment.
    AnotherOpen(Box<Withdrawal>),
    /// One of the same amount and destination is open under another login or address.
    SameOpenElsewhere(Box<Withdrawal>),
    /// One of the same amount and destination was decided within a day, under whichever login.
    SameWithinADay(Box<Withdrawal>),
}

/// Why a draft may not go on.
#[derive(Debug, Clone, PartialEq)]
pub enum Refused {
    /// Another withdrawal stands in the way.
    Clash(Clash),
    /// Something changed since the review opened, perhaps in another window: look again.
    LookAgain(Option<Clash>),
    /// The journal is in trouble.
    Journal(JournalTrouble),
    /// Another journal holds withdrawals that may be this one.
    OtherJournal,
    /// The quote is not there yet.
    QuoteNotThere,
    /// Fee and net do not add up to the amount.
    QuoteWrong(QuoteFault),
}
