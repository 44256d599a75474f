//! Withdrawals: what all screens know of them.

pub mod answers;
pub mod clues;
pub mod doubts;
pub mod quotes;
pub mod rules;

use std::path::Path;
use std::sync::Arc;

use crate::app::cx::Cx;
use crate::app::store::habits;
use crate::app::store::meaning::{Searched, understood};
use crate::app::store::withdrawals::answers::Snapshot;
use crate::app::ui::list::List;
use crate::app::{Effect, MoneyCommand, Store};
use crate::trade::withdrawal::WithdrawalState;
use crate::trade::{Account, IdempotencyKey, JournalTrouble, Ticket, Withdrawal};

pub use doubts::{Retype, WhyRetype};
pub use quotes::QuoteState;

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
