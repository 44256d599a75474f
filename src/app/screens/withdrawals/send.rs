//! The dialog that asks before a stored withdrawal is sent from the list or from its details. In a
//! team with the two-person rule, it also asks before another person's withdrawal is approved.
//!
//! It shows what sending or approving will do, and the stored request body, which cannot change any
//! more.

use std::time::Duration;

use super::details::{next_change, until_age_changes};
use super::final_review::{FinalReview, look_up_past};
use super::open_other;
use super::show::outcome;
use super::show::terms::{self, TermsBuilder, TermsPage};
use crate::app::cx::{Cx, Route};
use crate::app::screen::{
    Actions, BodyMut, Info, Offer, Screen, ScreenBody, ScreenEvent, ScreenLinks,
};
use crate::app::store::frame_snapshot::Terms;
use crate::app::store::notice::Notice;
use crate::app::store::withdrawals::rules::{
    SendBlocker, approval_blocker, missing_credential, send_blocker,
};
use crate::app::store::withdrawals::{Purpose, QuoteState, confirm_warnings};
use crate::app::store::{consent, credentials};
use crate::app::ui::action::Action;
use crate::app::ui::parts::wrapped;
use crate::app::ui::{Area, Line, Page, Role};
use crate::app::{Effect, MoneyCommand, Msg, Pane, Store, Wait, to_next_second};
use crate::trade::withdrawal::{Attempt, Blocker, Decision, WithdrawalState};
use crate::trade::{Failure, IdempotencyKey, NoQuote, Quote, Wall, Withdrawal};

#[derive(Debug, Clone)]
pub struct SendQuestion {
    pub purpose: Purpose,
    /// The withdrawal as stored in the journal.
    pub withdrawal: Withdrawal,
    /// Whether the current fee is still the fee that the seller confirmed.
    pub fee: FeeCheck,
    /// The last check before sending: unusual facts about the withdrawal, and the buttons.
    pub final_review: FinalReview,
    /// True while the withdrawal is being discarded to be replaced by a new one with the current
    /// fee.
    pub discarding: bool,
}

/// The result of comparing the current fee with the fee that the seller confirmed.
#[derive(Debug, Clone, PartialEq)]
pub enum FeeCheck {
    /// No new fee quote is needed. The confirmed quote is recent or does not exist, or an earlier
    /// send attempt may already have paid.
    AsAgreed,
    /// A new fee quote is being requested.
    Asking(Wait),
    /// The fee has not changed.
    Same(Quote),
    /// The fee has changed, or the service no longer returns a fee quote.
    Other(QuoteState),
}

/// Opens the dialog. Returns `None` if another screen, such as the login, must come first.
pub fn open(cx: &mut Cx, withdrawal: Withdrawal, purpose: Purpose) -> Option<SendQuestion> {
    if let Some(missing) = missing_credential(cx.store) {
        credentials::open_credential_form(cx, missing, Failure::NoCredential(missing));
        return None;
    }
    // The seller must have agreed to the API contract. The request is fixed, but the contract still
    // decides how its reply is read and how long sending is allowed.
    if consent::open_if_pending(cx, None) {
        return None;
    }
    look_up_past(cx, &withdrawal.agreement);
    let fee = FeeCheck::AsAgreed;
    let final_review = FinalReview::waiting();
    let mut question = SendQuestion {
        purpose,
        withdrawal,
        fee,
        final_review,
        discarding: false,
    };
    question.update_reasons(cx.store);
    question.refresh_stale_quote(cx);
    Some(question)
}

impl SendQuestion {
    /// The current fee quote: the confirmed quote, or a newer one with the same amounts.
    pub fn current_quote(&self) -> Option<&Quote> {
        match &self.fee {
            FeeCheck::AsAgreed => self.withdrawal.agreement.quote.as_ref(),
            FeeCheck::Same(quote) => Some(quote),
            FeeCheck::Asking(_) | FeeCheck::Other(_) => None,
        }
    }

    /// True if the seller may press the confirming button now. The button sends the withdrawal or,
    /// after a fee change, replaces it with a new one.
    pub fn may_confirm(&self, now_ms: u64, now: Wall) -> bool {
        let is_first_send = !self.may_have_paid();
        let is_fee_valid = match &self.fee {
            FeeCheck::Asking(_) => false,
            FeeCheck::Other(_) => self.purpose == Purpose::Send,
            FeeCheck::AsAgreed | FeeCheck::Same(_) => {
                !is_first_send || self.current_quote().is_none_or(|quote| quote.is_fresh(now))
            }
        };
        let amount = self.withdrawal.agreement.amount;
        is_fee_valid && self.final_review.may_confirm(amount, now_ms) && !self.discarding
    }

    pub fn may_have_paid(&self) -> bool {
        self.withdrawal.attempts.iter().any(Attempt::is_unclear)
    }

    fn key(&self) -> IdempotencyKey {
        self.withdrawal.agreement.key
    }

    /// The reason why the withdrawal cannot be sent or approved now.
    fn blocker(&self, store: &Store) -> Option<SendBlocker> {
        match self.purpose {
            Purpose::Send => send_blocker(store, &self.withdrawal),
            Purpose::Approve => approval_blocker(store, &self.withdrawal),
        }
    }

    /// Sends or approves the withdrawal. If the fee changed before it is sent, discards the
    /// withdrawal and opens a review screen with the new fee.
    fn confirm(&mut self, cx: &mut Cx) {
        let key = self.key();
        match self.blocker(cx.store) {
            None | Some(SendBlocker::NoCredential(_)) => {}
            Some(_) => return,
        }
        if self.purpose == Purpose::Approve {
            cx.close();
            return cx.perform(Effect::Money(MoneyCommand::Approve { key }));
        }
        if matches!(self.fee, FeeCheck::Other(_)) {
            self.discarding = true;
            return cx.perform(Effect::Money(MoneyCommand::Decide {
                key,
                choice: Decision::Discarded,
            }));
        }
        if let Some(missing) = missing_credential(cx.store) {
            return credentials::open_credential_form(cx, missing, Failure::NoCredential(missing));
        }
        let sending = Route::Sending(Box::new(self.withdrawal.clone()));
        cx.close_about(key);
        cx.open(sending);
        let retyped = self.final_review.retyped();
        cx.perform(Effect::Money(MoneyCommand::Attempt { key, retyped }));
    }

    fn name(&self) -> &'static str {
        match self.purpose {
            Purpose::Send => "send",
            Purpose::Approve => "approve",
        }
    }

    /// Requests a new fee quote if the confirmed one is outdated.
    fn refresh_stale_quote(&mut self, cx: &mut Cx) {
        let is_prepared = cx.store.state_of(&self.withdrawal) == WithdrawalState::Prepared;
        let is_stale = self
            .current_quote()
            .is_some_and(|quote| !quote.is_fresh(cx.store.now.wall));
        if !is_prepared || !is_stale {
            return;
        }
        let wait = cx.store.wait();
        let amount = self.withdrawal.agreement.amount;
        self.fee = FeeCheck::Asking(wait);
        cx.perform(Effect::Quote {
            ticket: wait.ticket,
            amount,
            has_probe: false,
        })
    }

    /// Stores the reply to the request for a fee quote, and compares it with the confirmed fee.
    fn on_quote(&mut self, store: &mut Store, result: &Result<Quote, NoQuote>) {
        let amount = self.withdrawal.agreement.amount;
        let confirmed_quote = self.withdrawal.agreement.quote.as_ref();
        let is_same = |quote: &Quote| {
            confirmed_quote
                .is_some_and(|confirmed| (confirmed.fee, confirmed.net) == (quote.fee, quote.net))
        };
        self.fee = match QuoteState::answered(amount, result) {
            QuoteState::Arrived(quote) if is_same(&quote) => FeeCheck::Same(quote),
            other => FeeCheck::Other(other),
        };
        self.final_review
            .buttons
            .reset_focus_and_delay(store.now.boot_ms);
        if let Err(NoQuote::Failure(failure)) = result {
            store.session.note(Some(failure));
        }
    }

    /// Updates the reasons why the seller must type the amount again.
    fn update_reasons(&mut self, store: &Store) {
        let reasons = match &self.fee {
            // If the fee changed, a new withdrawal replaces this one, and its own review finds the
            // reasons.
            FeeCheck::Other(_) => vec![],
            _ => confirm_warnings::reasons_for_stored(
                store,
                &self.withdrawal,
                self.final_review.past.as_ref(),
            ),
        };
        self.final_review.set_reasons(store, reasons);
    }

    /// Handles a message about this withdrawal. Returns false for any other message.
    fn on_message(&mut self, cx: &mut Cx, msg: &Msg) -> bool {
        let own_key = self.key();
        match msg {
            Msg::Quoted { ticket, result } => {
                if matches!(self.fee, FeeCheck::Asking(wait) if wait.ticket == *ticket) {
                    self.on_quote(cx.store, result);
                }
            }
            Msg::Reviewed { key, past } if *key == own_key => {
                if let Some(trouble) = self.final_review.on_past_loaded(cx, past) {
                    cx.store.notify(Notice::Sending(Failure::Journal(trouble)));
                    cx.close();
                }
            }
            // The old withdrawal was discarded, so review the same payment with the current fee and
            // a new idempotency key.
            Msg::Decided { key, result: Ok(_) } if *key == own_key && self.discarding => {
                let quote = match &self.fee {
                    FeeCheck::Other(quote) => quote.clone(),
                    FeeCheck::AsAgreed | FeeCheck::Same(_) | FeeCheck::Asking(_) => {
                        QuoteState::None
                    }
                };
                let agreement = Box::new(self.withdrawal.agreement.clone());
                cx.replace_with(Route::WithdrawAgain(agreement, quote));
                if cx.is_front {
                    cx.press(Action::Submit);
                }
            }
            Msg::Decided {
                key,
                result: Err(_),
            } if *key == own_key => self.discarding = false,
            // Another withdrawal may now prevent sending this one, so check again.
            Msg::JournalChanged => look_up_past(cx, &self.withdrawal.agreement),
            _ => return false,
        }
        true
    }

    /// Updates the withdrawal from the store. Closes the dialog if the withdrawal can no longer be
    /// sent.
    fn on_store_change(&mut self, cx: &mut Cx) {
        if let Some(stored) = cx.store.withdrawals.find(self.key()) {
            self.withdrawal.clone_from(stored);
        }
        self.update_reasons(cx.store);
        let is_over = matches!(
            self.blocker(cx.store),
            Some(SendBlocker::Rule(Blocker::State | Blocker::Window(_)))
        );
        if !self.discarding && is_over {
            cx.close();
        }
    }
}

impl Screen for SendQuestion {
    fn info(&self) -> Info {
        let cancels = match self.fee {
            FeeCheck::Asking(wait) => Some(wait.ticket),
            FeeCheck::AsAgreed | FeeCheck::Same(_) | FeeCheck::Other(_) => None,
        };
        let about = Some(self.key());
        Info {
            blocks_pane_switch: true,
            cancels,
            about,
            ..Info::in_pane(self.name(), Pane::Withdrawals)
        }
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        let amount = self.withdrawal.agreement.amount.to_string();
        let is_resend = self.may_have_paid();
        let name = match self.purpose {
            Purpose::Approve => "approve-title",
            Purpose::Send if is_resend => "send-title-again",
            Purpose::Send => "send-title",
        };
        let name = store.with(name, &[("amount", &amount)]);
        let confirm_label = match &self.fee {
            _ if self.purpose == Purpose::Approve => "approve-do",
            FeeCheck::Other(_) => "send-replace",
            _ if is_resend => "send-do-again",
            _ => "send-do",
        };
        let back_label = store.text("review-back");
        let confirm_label = store.with(confirm_label, &[("amount", &amount)]);
        let is_blocked = !matches!(
            self.blocker(store),
            None | Some(SendBlocker::NoCredential(_))
        );
        let is_fee_missing = match self.fee {
            FeeCheck::Asking(_) => true,
            FeeCheck::Other(_) => self.purpose == Purpose::Approve,
            FeeCheck::AsAgreed | FeeCheck::Same(_) => false,
        };
        let hides_confirm = is_blocked || is_fee_missing || self.discarding;
        let can_confirm = self.may_confirm(store.now.boot_ms, store.now.wall);
        let terms = TermsPage {
            name: &name,
            amount: &amount,
            aside: outcome::countdown(store, &self.withdrawal, outcome::free_columns(&name, area)),
            labels: [&back_label, &confirm_label],
            can_confirm: (!hides_confirm).then_some(can_confirm),
        };
        terms.draw(
            store,
            &self.final_review,
            |builder| self.add_terms(store, builder),
            area,
            page,
        );
    }

    fn actions(&self, _: &Store, has_more: bool) -> Actions {
        self.final_review.actions(has_more)
    }

    fn act(&mut self, cx: &mut Cx, action: Action) {
        match action {
            Action::ShowOther => open_other(cx, self.final_review.other_withdrawal()),
            Action::Press => self.confirm(cx),
            _ => {}
        }
    }

    fn body(&self) -> ScreenBody<'_> {
        self.final_review.body()
    }

    fn body_mut(&mut self) -> BodyMut<'_> {
        self.final_review.body_mut()
    }

    fn offer(&self, store: &Store) -> Option<Offer> {
        let withdrawal = Box::new(self.withdrawal.clone());
        let confirmed_quote = self.withdrawal.agreement.quote.clone();
        let fee = match &self.fee {
            FeeCheck::Asking(_) => QuoteState::None,
            FeeCheck::Other(quote) => quote.as_terms(),
            FeeCheck::AsAgreed | FeeCheck::Same(_) => confirmed_quote
                .map_or(QuoteState::None, QuoteState::Arrived)
                .as_terms(),
        };
        let why = self.final_review.reasons().to_vec();
        let past = self.final_review.past.clone();
        let terms = Terms::Send {
            purpose: self.purpose,
            withdrawal,
            fee,
            why,
            past,
        };
        let may_confirm = self.may_confirm(store.now.boot_ms, store.now.wall);
        Some(Offer {
            terms,
            may_confirm,
            amount: Some(self.withdrawal.agreement.amount),
        })
    }

    fn on_event(&mut self, cx: &mut Cx, event: ScreenEvent) -> bool {
        match event {
            ScreenEvent::Deadline => self.refresh_stale_quote(cx),
            ScreenEvent::Message(msg) => return self.on_message(cx, msg),
            ScreenEvent::StoreChanged => self.on_store_change(cx),
            _ => return false,
        }
        true
    }

    fn next_deadline(&self, store: &Store, front: bool) -> Option<Duration> {
        let fee = match (&self.fee, self.current_quote()) {
            (FeeCheck::Asking(wait), _) => Some(to_next_second(wait.since_ms, store.now.boot_ms)),
            (_, Some(quote)) if !self.may_have_paid() => Some(until_age_changes(store, quote)),
            _ => None,
        };
        let fee = fee.filter(|_| front);
        fee.into_iter()
            .chain(next_change(store, &self.withdrawal))
            .min()
    }

    fn links<'s>(&'s self, _: &'s Store) -> ScreenLinks<'s> {
        ScreenLinks {
            withdrawal: Some(&self.withdrawal),
            ..ScreenLinks::default()
        }
    }
}

impl SendQuestion {
    fn add_terms(&self, store: &Store, builder: &mut TermsBuilder) {
        let agreement = &self.withdrawal.agreement;
        builder.add_text(Role::Strong, &store.text(self.effect_text_id(store)));
        builder.add_gap();
        let words = store.words();
        let agreed_id = match self.purpose {
            Purpose::Send => "send-fee-agreed",
            Purpose::Approve => "approve-fee-agreed",
        };
        builder.add_figures(match (&agreement.quote, self.current_quote()) {
            (None, _) => terms::figures_without_quote(words, agreement.amount, builder.width),
            // An earlier send attempt may have paid at this fee, so the age of the fee quote is
            // irrelevant.
            (Some(confirmed_quote), _) if self.may_have_paid() => {
                terms::confirmed_quote_figures(words, confirmed_quote, agreed_id, builder.width)
            }
            (Some(_), Some(current_quote)) => {
                terms::quote_figures(store, current_quote, builder.width)
            }
            (Some(confirmed_quote), None) => {
                terms::confirmed_quote_figures(words, confirmed_quote, agreed_id, builder.width)
            }
        });
        builder.add(self.warning_lines(store, builder.width));
        builder.add_gap();
        builder.add_agreement(store, agreement, self.final_review.past.as_ref());
        let blocker = self.blocker(store);
        if blocker.is_some() || self.final_review.retype.is_some() {
            builder.add_gap();
        }
        if let Some(blocker) = blocker {
            builder.add(outcome::blocker_lines(
                store,
                &self.withdrawal,
                &blocker,
                builder.width,
            ));
        }
        builder.add_retype(store, &self.final_review, agreement.amount);
    }

    /// The text id of the sentence that explains the effect of the confirming button.
    fn effect_text_id(&self, store: &Store) -> &'static str {
        if self.blocker(store) == Some(SendBlocker::OtherDestination) {
            return "send-does-not";
        }
        if self.purpose == Purpose::Approve {
            return match &self.fee {
                FeeCheck::Other(QuoteState::Arrived(_)) => "approve-does-not",
                FeeCheck::Other(_) => "approve-does-not-unchecked",
                _ => "approve-does",
            };
        }
        match (&self.fee, self.may_have_paid()) {
            (FeeCheck::Other(QuoteState::Arrived(_)), _) => "send-does-replace",
            // The current fee is unknown, so do not state that the fee changed.
            (FeeCheck::Other(_), _) => "send-does-unchecked",
            (_, true) => "send-does-again",
            (_, false)
                if self
                    .withdrawal
                    .attempts
                    .iter()
                    .any(|attempt| attempt.may_have_been_sent()) =>
            {
                "send-does-after-no"
            }
            (_, false) => "send-does-first",
        }
    }

    /// Lays out the warning that the fee is being checked or has changed.
    fn warning_lines(&self, store: &Store, width: usize) -> Vec<Line> {
        match &self.fee {
            FeeCheck::AsAgreed | FeeCheck::Same(_) => Vec::new(),
            FeeCheck::Asking(wait) => terms::asking_lines(store, *wait, width),
            FeeCheck::Other(QuoteState::Arrived(current_quote)) => {
                let id = match self.purpose {
                    Purpose::Send => "send-fee-other",
                    Purpose::Approve => "approve-fee-other",
                };
                let values = [
                    ("fee", &*current_quote.fee.to_string()),
                    ("net", &current_quote.net.to_string()),
                ];
                wrapped(Role::Warn, &store.with(id, &values), width)
            }
            FeeCheck::Other(quote) => {
                let mut lines = Vec::new();
                if let QuoteState::Failed { amount, why } = quote
                    && (why.blocks() || matches!(why, NoQuote::Fault(_)))
                {
                    // Leave out the usual advice, because it is about the withdrawal form, which is
                    // not shown here.
                    lines.extend(terms::no_quote_cause_lines(store, *amount, why, width));
                }
                let id = match self.purpose {
                    Purpose::Send => "send-fee-gone",
                    Purpose::Approve => "approve-fee-gone",
                };
                lines.extend(wrapped(Role::Warn, &store.text(id), width));
                lines
            }
        }
    }
}
