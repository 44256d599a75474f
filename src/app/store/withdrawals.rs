//! Withdrawals: what all screens know of them.

pub mod clues;
pub mod doubts;
pub mod rules;

use std::path::Path;
use std::sync::Arc;

use crate::app::cx::Cx;
use crate::app::store::habits;
use crate::app::store::meaning::{Searched, understood};
use crate::app::ui::list::List;
use crate::app::{Effect, MoneyCommand, Store, Wait};
use crate::trade::withdrawal::{Clash, Destination, WithdrawalState};
use crate::trade::{
    Account, IdempotencyKey, JournalTrouble, ListPage, Money, NoQuote, Quote, QuoteFault, Ticket,
    Wall, Withdrawal,
};

pub use doubts::{Retype, WhyRetype};

/// The most withdrawals that are remembered because a screen shows them.
const MOST_SHOWN: usize = 16;

/// Everything the app knows of withdrawals.
#[derive(Debug, Clone, Default)]
pub struct WithdrawalsState {
    /// The list.
    pub list: List<Withdrawal>,
    /// All open ones, oldest first: the banner, and the wall before another one.
    pub open: Vec<Withdrawal>,
    /// The one that is being sent in this moment, by this window.
    pub in_flight: Option<IdempotencyKey>,
    /// Those that another window is sending in this moment.
    pub elsewhere: Vec<IdempotencyKey>,
    /// The reason withdrawals are locked, if they are.
    pub trouble: Option<JournalTrouble>,
    /// The network file system the journal is on, where no new withdrawal is begun.
    pub network: Option<&'static str>,
    /// True when the journal could be read when it was asked last.
    pub was_read: bool,
    /// True once the first look at an open one, after the start, was taken or passed over.
    pub was_looked_at_first: bool,
    /// The one whose agreement is being made durable by this window.
    pub preparing: Option<IdempotencyKey>,
    /// Those that a screen shows, as they are known now; the last one last.
    pub shown: Vec<Withdrawal>,
}

impl WithdrawalsState {
    /// Returns true when another window is sending a withdrawal of this account now.
    pub fn is_busy_elsewhere(&self, account: &Account) -> bool {
        let sent = |one: &&Withdrawal| self.elsewhere.contains(&one.agreement.key);
        self.open.iter().filter(sent).any(|one| one.agreement.account.has_owner_of(account))
    }

    /// Returns true when a new withdrawal may be begun at all.
    pub fn can_begin(&self) -> bool {
        self.trouble.is_none()
    }

    /// Returns true when the pane says why nothing new is withdrawn.
    pub fn is_locked(&self) -> bool {
        self.trouble.is_some() || self.network.is_some()
    }

    /// The directory of the live journal, where that is another one than the journal here.
    pub fn live_elsewhere(&self) -> Option<&Path> {
        match &self.trouble {
            Some(JournalTrouble::Elsewhere(dir)) => Some(dir),
            _ => None,
        }
    }

    /// A withdrawal as it is known now, where it is at hand.
    pub fn find(&self, key: IdempotencyKey) -> Option<&Withdrawal> {
        let all = self.shown.iter().rev().chain(&self.open).chain(self.list.page.rows.iter());
        all.into_iter().find(|one| one.agreement.key == key)
    }

    /// Returns true when a person has something to decide about one in this state.
    pub fn asks(state: &WithdrawalState) -> bool {
        use WithdrawalState::{Mismatch, NeedsPerson, Unknown};
        matches!(state, Unknown | NeedsPerson(_) | Mismatch(_))
    }

    /// Remembers a withdrawal that a screen shows, as it is now.
    pub fn show(&mut self, withdrawal: &Withdrawal) {
        self.shown.retain(|one| one.agreement.key != withdrawal.agreement.key);
        self.shown.push(withdrawal.clone());
        let too_many = self.shown.len().saturating_sub(MOST_SHOWN);
        self.shown.drain(..too_many);
    }

    /// Takes what is known of a withdrawal now to those that a screen shows.
    pub fn follow(&mut self, known: &Withdrawal) {
        let is_it = |one: &&mut Withdrawal| one.agreement.key == known.agreement.key;
        if let Some(shown) = self.shown.iter_mut().find(is_it) {
            shown.clone_from(known);
        }
    }

    /// Takes what is known of a withdrawal now into the rows that are here.
    ///
    /// The list is read again after that. Until then a row of one that is in flight no more would
    /// still say "being sent", as if its outcome were unknown.
    pub fn note(&mut self, known: &Withdrawal, is_open: bool) {
        self.follow(known);
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

/// Asks for the withdrawals again: what is open decides what may be done next.
pub fn reload(cx: &mut Cx) {
    let ticket = cx.store.ticket();
    let ask = cx.store.withdrawals.list.ask(ticket);
    let ask = Box::new(understood(cx.store, Searched::Withdrawals, ask));
    cx.perform(Effect::Money(MoneyCommand::Load(ask)));
}

/// The same after something changed: the cursor stays on its row, wherever that stands now.
pub fn look_again(cx: &mut Cx) {
    reload(cx);
    cx.store.withdrawals.list.keeps_row = true;
}

/// A window of withdrawals came, with all open ones and what other windows do.
pub fn loaded(store: &mut Store, ticket: Ticket, result: Result<Snapshot, JournalTrouble>) {
    let withdrawals = &mut store.withdrawals;
    match result {
        Ok(read) => {
            withdrawals.was_read = true;
            // Nothing is missing and nobody holds it any more; every other trouble lasts.
            withdrawals.trouble.take_if(|trouble| trouble.may_pass());
            let is_locked = read.locked.is_some();
            if is_locked {
                withdrawals.trouble = read.locked;
            }
            withdrawals.network = read.network;
            let same = |a: &Withdrawal, b: &Withdrawal| a.agreement.key == b.agreement.key;
            if withdrawals.list.take_row(ticket, read.page, same) {
                withdrawals.open = read.open;
                withdrawals.elsewhere = read.elsewhere;
            }
            // Said once only, whichever rows are wanted by now.
            read.changed.iter().for_each(|changed| withdrawals.follow(changed));
            if !is_locked {
                habits::refreshed(store, Some(ticket));
            }
        }
        // The question that was asked since then has an answer of its own.
        Err(_) if withdrawals.list.asked != Some(ticket) => {}
        Err(trouble) => {
            withdrawals.was_read = false;
            withdrawals.list.loaded = true;
            withdrawals.trouble = Some(trouble);
        }
    }
}

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

/// The cost of the amount that stands in the form, as far as it is known.
#[derive(Debug, Clone, PartialEq, Default)]
#[expect(missing_docs, reason = "each but the first is about one amount")]
pub enum QuoteState {
    /// No amount yet.
    #[default]
    None,
    /// It will be asked for when the typing has rested, at this reading of the boot clock.
    Due { amount: Money, at_ms: u64 },
    /// It is being asked for.
    Asking { amount: Money, wait: Wait },
    /// It is here.
    Shown(Quote),
    /// There is none, and why.
    Failed { amount: Money, why: NoQuote },
}

impl QuoteState {
    /// The cost of this amount, as the service answered; an answer for another amount is none.
    pub fn answered(amount: Money, result: &Result<Quote, NoQuote>) -> QuoteState {
        match result.clone() {
            Ok(quote) if quote.amount == amount => QuoteState::Shown(quote),
            Ok(_) => QuoteState::Failed { amount, why: NoQuote::Fault(QuoteFault::Missing) },
            Err(why) => QuoteState::Failed { amount, why },
        }
    }

    /// The amount it is about.
    pub fn amount(&self) -> Option<Money> {
        match self {
            QuoteState::None => None,
            QuoteState::Due { amount, .. }
            | QuoteState::Asking { amount, .. }
            | QuoteState::Failed { amount, .. } => Some(*amount),
            QuoteState::Shown(quote) => Some(quote.amount),
        }
    }

    /// Returns true when neither the quote nor a reason why there is none is here yet.
    pub fn is_coming(&self) -> bool {
        matches!(self, QuoteState::None | QuoteState::Due { .. } | QuoteState::Asking { .. })
    }

    /// The figures as they are agreed to: asked for again they are the same as long as they say the
    /// same.
    pub fn as_terms(&self) -> QuoteState {
        match self {
            QuoteState::Shown(quote) => QuoteState::Shown(Quote { at: Wall(0), ..quote.clone() }),
            QuoteState::Failed { .. } => self.clone(),
            QuoteState::None | QuoteState::Due { .. } | QuoteState::Asking { .. } => {
                QuoteState::None
            }
        }
    }

    /// Returns true when there is no quote and the fee is simply unknown: no contradiction stands
    /// in the quote.
    ///
    /// An unknown fee can be agreed to with the amount typed again; a contradiction cannot.
    pub fn leaves_the_fee_unknown(&self) -> bool {
        use NoQuote::{Failure, Fault};
        matches!(self, QuoteState::Failed { why: Failure(_) | Fault(QuoteFault::Missing), .. })
    }

    /// The quote, if it is here.
    pub fn shown(&self) -> Option<&Quote> {
        match self {
            QuoteState::Shown(quote) => Some(quote),
            _ => None,
        }
    }
}
