//! The state of withdrawals: their list, the snapshot read from the journal, the fee quote, and the
//! reasons that block a new withdrawal. [`rules`] decides which actions a withdrawal allows.

pub mod confirm_warnings;
pub mod lookup_hints;
pub mod rules;

use std::path::Path;
use std::sync::Arc;

use crate::app::cx::Cx;
use crate::app::store::query_expansion::{Searched, expand_request};
use crate::app::store::{key_feedback, teaching, unit};
use crate::app::ui::list::List;
use crate::app::{Effect, MoneyCommand, Msg, Store, Wait};
use crate::trade::report::WithdrawalFigures;
use crate::trade::withdrawal::{Blocker, Clash, Destination, WithdrawalState};
use crate::trade::{
    Account, IdempotencyKey, JournalTrouble, ListPage, Money, NoQuote, Quote, QuoteFault, Team,
    Ticket, Wall, Withdrawal,
};

pub use confirm_warnings::{Retype, WhyRetype};

/// The maximum number of withdrawals in [`WithdrawalsState::shown`].
const MAX_SHOWN: usize = 16;

/// The state of withdrawals that several screens share.
#[derive(Debug, Clone, Default)]
pub struct WithdrawalsState {
    pub list: List<Withdrawal>,
    /// The figures of all withdrawals that the search finds; `None` without a search.
    pub found: Option<WithdrawalFigures>,
    /// All open withdrawals (money may have moved, but the outcome is unknown), oldest first. A
    /// banner shows them, and new withdrawals are restricted while there are any.
    pub open: Vec<Withdrawal>,
    /// True if there is one open withdrawal, and its own page is in front.
    pub is_on_own_page: bool,
    /// The withdrawal that this instance of the program is sending now.
    pub in_flight: Option<IdempotencyKey>,
    /// The withdrawals that other instances of the program are sending now.
    pub sent_elsewhere: Vec<IdempotencyKey>,
    /// The withdrawals that other machines of the team may be sending.
    pub sent_by_team: Vec<SentByTeam>,
    /// The journal error that blocks withdrawals, if there is one.
    pub trouble: Option<JournalTrouble>,
    /// The name of the network file system that contains the journal, or `None` if it is not on a
    /// network. A new withdrawal cannot begin on a network file system.
    pub network: Option<&'static str>,
    /// The team, if there is one.
    pub team: Option<Team>,
    /// True if the journal was read successfully the last time.
    pub was_read: bool,
    /// How much of the journal has been verified, in percent, while it is opened. `None` for a
    /// short journal, and once the journal is open.
    pub verified_percent: Option<u8>,
    /// True once the app has checked whether to show the details of a withdrawal with an unknown
    /// outcome. It checks this only once, after the first read of the journal.
    pub has_decided_to_open: bool,
    /// The withdrawal that the seller has just confirmed and that is now being written to the
    /// journal.
    pub preparing: Option<IdempotencyKey>,
    /// The withdrawals that screens show, in their current state, with the most recently shown one
    /// last.
    pub shown: Vec<Withdrawal>,
}

impl WithdrawalsState {
    /// True if another instance of the program is sending a withdrawal of this account now.
    pub fn is_busy_elsewhere(&self, account: &Account) -> bool {
        self.open
            .iter()
            .filter(|withdrawal| self.sent_elsewhere.contains(&withdrawal.agreement.key))
            .any(|withdrawal| withdrawal.agreement.account.is_same_account(account))
    }

    /// True if the journal is in a state in which a new withdrawal can begin.
    pub fn can_begin(&self) -> bool {
        self.trouble.is_none()
    }

    /// True if no new withdrawal can be made. The withdrawals pane then shows the reason.
    pub fn is_locked(&self) -> bool {
        self.trouble.is_some() || self.network.is_some()
    }

    /// True if withdrawals are locked until the seller makes this journal the live one.
    pub fn can_make_live(&self) -> bool {
        self.trouble
            .as_ref()
            .is_some_and(JournalTrouble::ends_with_make_live)
    }

    /// The directory of the live journal (the journal for real money), if the program is using
    /// another journal.
    pub fn live_elsewhere(&self) -> Option<&Path> {
        match &self.trouble {
            Some(JournalTrouble::Elsewhere(dir)) => Some(dir),
            _ => None,
        }
    }

    /// The withdrawal with this idempotency key in its current state, or `None` if it is not in
    /// memory.
    pub fn find(&self, key: IdempotencyKey) -> Option<&Withdrawal> {
        let known = self
            .shown
            .iter()
            .rev()
            .chain(&self.open)
            .chain(self.list.page.rows.iter());
        known
            .into_iter()
            .find(|withdrawal| withdrawal.agreement.key == key)
    }

    /// True if the outcome of a withdrawal in this state is unclear, so that the seller can record
    /// what happened to it.
    pub fn is_unclear(state: &WithdrawalState) -> bool {
        use WithdrawalState::{Mismatch, NeedsPerson, Unknown};
        matches!(state, Unknown | NeedsPerson(_) | Mismatch(_))
    }

    /// Adds a withdrawal, in its current state, to the withdrawals that screens show
    /// ([`shown`](Self::shown)).
    pub fn show(&mut self, withdrawal: &Withdrawal) {
        self.shown
            .retain(|shown| shown.agreement.key != withdrawal.agreement.key);
        self.shown.push(withdrawal.clone());
        let excess = self.shown.len().saturating_sub(MAX_SHOWN);
        self.shown.drain(..excess);
    }

    /// Updates a withdrawal that a screen shows ([`shown`](Self::shown)) to its current state.
    pub fn update_shown(&mut self, current: &Withdrawal) {
        let mut shown = self.shown.iter_mut();
        if let Some(shown) = shown.find(|one| one.agreement.key == current.agreement.key) {
            shown.clone_from(current);
        }
    }

    /// Updates the state of a withdrawal in all places: on the screens, in the loaded rows of the
    /// list, and among the open withdrawals.
    ///
    /// The list is reloaded afterwards anyway. Without this update, the withdrawal's row would show
    /// "being sent" until the reload has finished.
    pub fn note(&mut self, current: &Withdrawal, is_open: bool) {
        self.update_shown(current);
        if let Some(row) = Arc::make_mut(&mut self.list.page.rows)
            .iter_mut()
            .find(|row| row.agreement.key == current.agreement.key)
        {
            row.clone_from(current);
        }
        self.open
            .retain(|row| row.agreement.key != current.agreement.key);
        if is_open {
            self.open.push(current.clone());
        }
    }
}

/// Requests the list of withdrawals again. The reply also contains all open withdrawals, because
/// they restrict new withdrawals.
pub fn reload(cx: &mut Cx) {
    let ticket = cx.store.next_ticket();
    let request = cx.store.withdrawals.list.request_rows(ticket);
    let request = Box::new(expand_request(cx.store, Searched::Withdrawals, request));
    cx.store.withdrawals.list.reading = request.search.reading;
    cx.perform(Effect::Money(MoneyCommand::Load(request)));
}

/// Records the new state of a withdrawal that was sent or decided.
pub fn record_state(cx: &mut Cx, withdrawal: &Withdrawal) {
    cx.store
        .withdrawals
        .in_flight
        .take_if(|key| *key == withdrawal.agreement.key);
    let is_open = cx.store.state_of(withdrawal).is_open();
    cx.store.withdrawals.note(withdrawal, is_open);
    teaching::ask_if_always_empty(cx, withdrawal);
    on_journal_change(cx)
}

/// Requests the list of withdrawals again after the journal has changed. The cursor stays on its
/// row.
pub fn on_journal_change(cx: &mut Cx) {
    unit::note_accepted(cx.store);
    reload(cx);
    cx.store.withdrawals.list.keeps_row = true;
}

/// Handles a message about reading the journal, or about the unit of amounts.
pub fn on_message(cx: &mut Cx, msg: &Msg) {
    match msg {
        Msg::WithdrawalsLoaded { ticket, result } => loaded(cx.store, *ticket, result.clone()),
        Msg::UnitProbed {
            amount,
            quote,
            probe,
        } => unit::on_probed(cx, *amount, quote, probe),
        Msg::JournalVerifying { percent } => {
            cx.store.withdrawals.verified_percent = Some(*percent);
        }
        _ => {}
    }
}

/// Stores the result of reading the journal: a page of withdrawals, all open withdrawals, and the
/// withdrawals that other instances of the program are sending.
fn loaded(store: &mut Store, ticket: Ticket, result: Result<Snapshot, JournalTrouble>) {
    let withdrawals = &mut store.withdrawals;
    withdrawals.verified_percent = None;
    match result {
        Ok(snapshot) => {
            withdrawals.was_read = true;
            // The read succeeded, so clear an earlier error if it was temporary. A permanent error
            // is kept.
            withdrawals
                .trouble
                .take_if(|trouble| trouble.is_transient());
            let is_locked = snapshot.locked.is_some();
            if is_locked {
                withdrawals.trouble = snapshot.locked;
            }
            withdrawals.network = snapshot.network;
            withdrawals.team = snapshot.team;
            let is_same = |a: &Withdrawal, b: &Withdrawal| a.agreement.key == b.agreement.key;
            if withdrawals
                .list
                .store_page_keeping_row(ticket, snapshot.page, is_same)
            {
                withdrawals.found = snapshot.found;
                withdrawals.open = snapshot.open;
                withdrawals.sent_elsewhere = snapshot.elsewhere;
                withdrawals.sent_by_team = snapshot.by_team;
            }
            // Apply the changes even if the page is outdated, because the journal reports each
            // change only once.
            snapshot
                .changed
                .iter()
                .for_each(|changed| withdrawals.update_shown(changed));
            if !is_locked {
                key_feedback::confirm_refresh(store, Some(ticket));
            }
            unit::note_accepted(store);
        }
        // Ignore this failure, because a newer request is pending.
        Err(_) if withdrawals.list.pending_ticket != Some(ticket) => {}
        Err(trouble) => {
            withdrawals.was_read = false;
            withdrawals.list.loaded = true;
            withdrawals.trouble = Some(trouble);
        }
    }
}

/// The reason why the seller reads the terms of a stored withdrawal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// To send it.
    Send,
    /// To approve that another person of the team sends it.
    Approve,
}

/// A withdrawal that another machine of the team may be sending.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SentByTeam {
    pub key: IdempotencyKey,
    /// The reading of this machine's boot clock, in milliseconds, from which the attempt counts as
    /// over.
    pub until_ms: u64,
}

/// The result of reading the journal. All of its parts describe the journal at the same moment.
#[derive(Debug, Clone, Default)]
pub struct Snapshot {
    /// The rows that were requested for the list of withdrawals.
    pub page: ListPage<Withdrawal>,
    /// The figures of all withdrawals that the search finds; `None` without a search.
    pub found: Option<WithdrawalFigures>,
    /// All open withdrawals (their outcome is unknown), oldest first.
    pub open: Vec<Withdrawal>,
    /// The withdrawals that other instances of the program are sending now.
    pub elsewhere: Vec<IdempotencyKey>,
    /// The withdrawals that other machines of the team may be sending.
    pub by_team: Vec<SentByTeam>,
    /// The withdrawals that changed since the previous read.
    pub changed: Vec<Withdrawal>,
    /// The reason why the journal can be read but not written, or `None` if it can be written.
    pub locked: Option<JournalTrouble>,
    /// The name of the network file system that contains the journal, or `None` if it is not on a
    /// network. A new withdrawal cannot begin on a network file system.
    pub network: Option<&'static str>,
    /// The team, if there is one.
    pub team: Option<Team>,
}

/// Earlier withdrawals to the same destination. The review (the screen for confirming a withdrawal)
/// shows them to the seller.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PastPayments {
    /// Withdrawals of the same amount to the same destination within 24 hours, newest first. All of
    /// them have a final outcome.
    pub similar: Vec<Withdrawal>,
    /// Facts about earlier payments to this destination, or `None` if there were none.
    pub known_destination: Option<Destination>,
}

/// The reason why a new withdrawal cannot be reviewed or confirmed.
#[derive(Debug, Clone, PartialEq)]
pub enum Refused {
    /// A rule forbids the new withdrawal, for example because of another withdrawal.
    Blocked(Blocker),
    /// Something has changed since the review screen opened, so the seller must read that screen
    /// again.
    ReviewAgain(Option<Clash>),
    /// The journal has an error.
    Journal(JournalTrouble),
    /// An amount of another unit arrived, so the unit in the API contract is wrong.
    OtherUnit,
    /// The fee quote has not arrived yet.
    QuoteNotThere,
    /// The service refused the amount, or the figures of the fee quote are unusable.
    QuoteBlocks { amount: Money, why: NoQuote },
}

/// The state of the fee quote (fee and net amount) for the amount in a form.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum QuoteState {
    /// No amount has been typed yet.
    #[default]
    None,
    /// The quote will be requested after a pause in typing, when the boot clock reaches `at_ms`.
    Due { amount: Money, at_ms: u64 },
    /// The quote was requested and has not arrived yet.
    Asking { amount: Money, wait: Wait },
    /// The fee quote arrived.
    Arrived(Quote),
    /// The fee quote could not be obtained.
    Failed { amount: Money, why: NoQuote },
}

impl QuoteState {
    /// The state of the fee quote after the service has replied. A quote for a different amount
    /// counts as a failure.
    pub fn answered(amount: Money, result: &Result<Quote, NoQuote>) -> QuoteState {
        match result.clone() {
            Ok(quote) if quote.amount == amount => QuoteState::Arrived(quote),
            Ok(quote) => {
                let fault = QuoteFault::OtherAmount {
                    amount,
                    replied_amount: Some(quote.amount),
                };
                QuoteState::Failed {
                    amount,
                    why: NoQuote::Fault(fault),
                }
            }
            Err(reason) => QuoteState::Failed {
                amount,
                why: reason,
            },
        }
    }

    /// The amount that the fee quote is for, or `None` if no amount has been typed.
    pub fn amount(&self) -> Option<Money> {
        match self {
            QuoteState::None => None,
            QuoteState::Due { amount, .. }
            | QuoteState::Asking { amount, .. }
            | QuoteState::Failed { amount, .. } => Some(*amount),
            QuoteState::Arrived(quote) => Some(quote.amount),
        }
    }

    /// True if neither a quote nor a failure has arrived. This is also so before an amount is
    /// typed.
    pub fn has_no_result(&self) -> bool {
        matches!(
            self,
            QuoteState::None | QuoteState::Due { .. } | QuoteState::Asking { .. }
        )
    }

    /// The fee quote without its time, because the seller agrees only to the figures. Two quotes
    /// with the same figures are therefore equal.
    pub fn as_terms(&self) -> QuoteState {
        match self {
            QuoteState::Arrived(quote) => QuoteState::Arrived(Quote {
                at: Wall(0),
                ..quote.clone()
            }),
            QuoteState::Failed { .. } => self.clone(),
            QuoteState::None | QuoteState::Due { .. } | QuoteState::Asking { .. } => {
                QuoteState::None
            }
        }
    }

    /// True if the fee is unknown because the quote failed. The seller can accept this by typing
    /// the amount again.
    pub fn leaves_the_fee_unknown(&self) -> bool {
        matches!(self, QuoteState::Failed { why, .. } if !why.blocks())
    }

    /// True if this amount cannot be withdrawn. The service refused it, or the figures of the fee
    /// quote are unusable.
    pub fn blocks(&self) -> bool {
        matches!(self, QuoteState::Failed { why, .. } if why.blocks())
    }

    /// The fee quote, or `None` if it has not arrived.
    pub fn arrived(&self) -> Option<&Quote> {
        match self {
            QuoteState::Arrived(quote) => Some(quote),
            _ => None,
        }
    }
}
