//! The question before a withdrawal is sent from the list or from its details.
//!
//! It shows the stored bytes, which no send can change.

mod show;

use std::time::Duration;

use super::counting::to_next_age;
use super::{counting, show_other};
use crate::app::cx::{Cx, Resume, Route};
use crate::app::screen::buttons::DEAD_MS;
use crate::app::screen::{
    Actions, BodyMut, Buttons, Info, Offer, Screen, ScreenBody, ScreenEvent, ScreenLinks, in_dialog,
};
use crate::app::store::notice::Notice;
use crate::app::store::seen::{FiguresSeen, Terms};
use crate::app::store::withdrawals::answers::Past;
use crate::app::store::withdrawals::rules::{Against, against, missing};
use crate::app::store::withdrawals::{self, QuoteState, Retype, doubts};
use crate::app::store::{consent, entry};
use crate::app::ui::action::Action;
use crate::app::ui::{Area, Page};
use crate::app::{Effect, MoneyCommand, Msg, Pane, Store, Wait, to_next_second};
use crate::trade::withdrawal::{Attempt, Decision, WithdrawalState};
use crate::trade::{Failure, IdempotencyKey, NoQuote, Quote, Wall, Withdrawal};

/// The withdrawal that is to be sent, and everything that is known of it.
#[derive(Debug, Clone)]
pub struct SendQuestion {
    /// The withdrawal, as the journal has it.
    pub withdrawal: Withdrawal,
    /// The standing of the fee that was agreed.
    pub fee: Fee,
    /// The way back, and the button that sends.
    pub buttons: Buttons,
    /// The reason the amount must be typed again, if it must.
    pub retype: Option<Retype>,
    /// The past that matters here, once the journal has answered.
    pub past: Option<Past>,
    /// It is being discarded, for another one at the fee of now.
    pub discarding: bool,
}

/// The standing of the fee that was agreed.
#[derive(Debug, Clone, PartialEq)]
pub enum Fee {
    /// There is nothing to ask: it is fresh, there was none, or a send may have gone through at it.
    AsAgreed,
    /// It is being asked for again.
    Asking(Wait),
    /// It is the same.
    Same(Quote),
    /// It is another one, or there is none where there was one.
    Other(QuoteState),
}

/// The question about this withdrawal; or what comes first, where something does.
pub fn open(cx: &mut Cx, withdrawal: Withdrawal) -> Option<SendQuestion> {
    if let Some(missing) = missing(cx.store) {
        entry::ask(cx, missing, Failure::NoCredential(missing));
        return None;
    }
    // The bytes are as they were agreed; how their reply is read, and for how long they may leave,
    // is the contract's.
    if consent::come_first(cx, Resume::SayStored) {
        return None;
    }
    look_up_past(cx, &withdrawal);
    let mut question = SendQuestion {
        withdrawal,
        fee: Fee::AsAgreed,
        // Dead until the journal was asked for what should be mentioned.
        buttons: Buttons::armed_at(u64::MAX),
        retype: None,
        past: None,
        discarding: false,
    };
    question.find_reasons(cx.store);
    question.ask_when_stale(cx);
    Some(question)
}

/// Looks in the journal for what should be mentioned.
fn look_up_past(cx: &mut Cx, withdrawal: &Withdrawal) {
    let agreement = Box::new(withdrawal.agreement.clone());
    cx.perform(Effect::Money(MoneyCommand::LookUpPast(agreement)));
}

impl SendQuestion {
    /// The quote that stands: the one that was agreed, or the same one asked for again.
    pub fn standing(&self) -> Option<&Quote> {
        match &self.fee {
            Fee::AsAgreed => self.withdrawal.agreement.quote.as_ref(),
            Fee::Same(quote) => Some(quote),
            Fee::Asking(_) | Fee::Other(_) => None,
        }
    }

    /// Returns true when the button would do it now, where it is in sight.
    pub fn may_confirm(&self, now_ms: u64, now: Wall) -> bool {
        let is_first = !self.may_have_left();
        let amount = self.withdrawal.agreement.amount;
        let is_retyped = Retype::is_done(self.retype.as_ref(), amount);
        let fee_stands = match &self.fee {
            Fee::Asking(_) => false,
            Fee::Other(_) => true,
            Fee::AsAgreed | Fee::Same(_) => {
                !is_first || self.standing().is_none_or(|quote| quote.is_fresh(now))
            }
        };
        now_ms >= self.buttons.armed_at_ms && fee_stands && is_retyped && !self.discarding
    }

    /// The other withdrawal that is named first.
    pub fn named(&self) -> Option<&Withdrawal> {
        Retype::named(self.retype.as_ref())
    }

    /// Returns true when a send of it may have gone through.
    pub fn may_have_left(&self) -> bool {
        self.withdrawal.attempts.iter().any(Attempt::is_unclear)
    }

    fn key(&self) -> IdempotencyKey {
        self.withdrawal.agreement.key
    }

    /// Sends it, or has another one reviewed in its place.
    fn confirm(&mut self, cx: &mut Cx) {
        let key = self.key();
        match against(cx.store, &self.withdrawal) {
            None | Some(Against::Entry(_)) => {}
            Some(_) => return,
        }
        if matches!(self.fee, Fee::Other(_)) {
            self.discarding = true;
            return cx
                .perform(Effect::Money(MoneyCommand::Decide { key, choice: Decision::Discarded }));
        }
        if let Some(missing) = missing(cx.store) {
            return entry::ask(cx, missing, Failure::NoCredential(missing));
        }
        let sent = Route::Sending(Box::new(self.withdrawal.clone()));
        cx.close_about(key);
        cx.open(sent);
        cx.perform(Effect::Money(MoneyCommand::Attempt(key)));
    }

    /// Asks for the fee again where the one that was agreed went stale.
    fn ask_when_stale(&mut self, cx: &mut Cx) {
        let is_prepared = cx.store.state_of(&self.withdrawal) == WithdrawalState::Prepared;
        let is_due = self.standing().is_some_and(|quote| !quote.is_fresh(cx.store.now.wall));
        if !is_prepared || !is_due {
            return;
        }
        let (wait, amount) = (cx.store.wait(), self.withdrawal.agreement.amount);
        self.fee = Fee::Asking(wait);
        cx.perform(Effect::Quote { ticket: wait.ticket, amount })
    }

    /// The fee came, or the reason why there is none.
    fn quoted(&mut self, store: &mut Store, result: &Result<Quote, NoQuote>) {
        let amount = self.withdrawal.agreement.amount;
        let agreed = self.withdrawal.agreement.quote.as_ref();
        let is_same =
            |quote: &Quote| agreed.is_some_and(|a| (a.fee, a.net) == (quote.fee, quote.net));
        self.fee = match QuoteState::answered(amount, result) {
            QuoteState::Shown(quote) if is_same(&quote) => Fee::Same(quote),
            other => Fee::Other(other),
        };
        self.buttons.begin_again(store.now.boot_ms);
        if let Err(NoQuote::Failure(failure)) = result {
            store.session.note(Some(failure));
        }
    }

    /// Works out anew what is not as usual.
    fn find_reasons(&mut self, store: &Store) {
        let why = match &self.fee {
            // It is not sent: the review that comes then says its own.
            Fee::Other(_) => vec![],
            _ => doubts::of_stored(store, &self.withdrawal, self.past.as_ref()),
        };
        if !Retype::is_of(self.retype.as_ref(), &why) {
            // What was typed before this was known agreed to something else.
            self.retype = Retype::of(why);
            self.buttons.begin_again(store.now.boot_ms);
        }
    }

    /// Takes the answers that it waits for.
    fn heard(&mut self, cx: &mut Cx, msg: &Msg) {
        match msg {
            Msg::Quoted { ticket, result } => {
                if matches!(self.fee, Fee::Asking(wait) if wait.ticket == *ticket) {
                    self.quoted(cx.store, result);
                }
            }
            Msg::Reviewed { key, past } if *key == self.key() => match past {
                Ok(past) => {
                    self.past = Some(past.clone());
                    self.buttons.armed_at_ms = cx.store.now.boot_ms + DEAD_MS;
                }
                Err(trouble) => {
                    cx.store.withdrawals.trouble = Some(trouble.clone());
                    cx.store.say(Notice::Sending(Failure::Journal(trouble.clone())));
                    cx.close();
                    if trouble.may_pass() {
                        withdrawals::reload(cx);
                    }
                }
            },
            // The old one is discarded: the same is reviewed anew, at the fee of now and under a
            // new key.
            Msg::Decided { key, result } if *key == self.key() && self.discarding => match result {
                Ok(_) => {
                    let quote = match &self.fee {
                        Fee::Other(quote) => quote.clone(),
                        _ => QuoteState::None,
                    };
                    let agreement = Box::new(self.withdrawal.agreement.clone());
                    let again = Route::WithdrawAgain(agreement, quote);
                    cx.replace_with(again);
                    if cx.is_front {
                        cx.press(Action::Submit);
                    }
                }
                Err(_) => {
                    self.discarding = false;
                }
            },
            // What stands in its way may be another thing now.
            Msg::JournalChanged => cx.perform(Effect::Money(MoneyCommand::LookUpPast(Box::new(
                self.withdrawal.agreement.clone(),
            )))),
            _ => {}
        }
    }

    /// Looks at the withdrawal again; one that may no longer be sent is not asked about.
    fn store_changed(&mut self, cx: &mut Cx) {
        if let Some(now) = cx.store.withdrawals.find(self.key()) {
            self.withdrawal.clone_from(now);
        }
        self.find_reasons(cx.store);
        let against = against(cx.store, &self.withdrawal);
        if !self.discarding && matches!(against, Some(Against::State | Against::Window(_))) {
            cx.close();
        }
    }
}

impl Screen for SendQuestion {
    fn info(&self) -> Info {
        let cancels = match self.fee {
            Fee::Asking(wait) => Some(wait.ticket),
            Fee::AsAgreed | Fee::Same(_) | Fee::Other(_) => None,
        };
        let about = Some(self.key());
        Info { stays: true, cancels, about, ..Info::in_pane("send", Pane::Withdrawals) }
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        show::draw(store, self, area, page);
    }

    fn actions(&self, _: &Store, has_more: bool) -> Actions {
        let mut offered = in_dialog(has_more);
        offered.extend(self.named().map(|_| Action::ShowOther));
        offered.into()
    }

    fn act(&mut self, cx: &mut Cx, action: Action) {
        match (action, self.named()) {
            (Action::ShowOther, Some(other)) => show_other(cx, other),
            (Action::Press, _) => self.confirm(cx),
            _ => {}
        }
    }

    fn body(&self) -> ScreenBody<'_> {
        ScreenBody::Dialog(&self.buttons, self.retype.as_ref().map(|retype| &retype.field))
    }

    fn body_mut(&mut self) -> BodyMut<'_> {
        let field = self.retype.as_mut().map(|retype| &mut retype.field);
        BodyMut::Dialog(&mut self.buttons, field)
    }

    fn offer(&self, store: &Store) -> Option<Offer> {
        let withdrawal = Box::new(self.withdrawal.clone());
        let fee = match &self.fee {
            Fee::Asking(_) => FiguresSeen::Asking,
            Fee::Other(quote) => FiguresSeen::Other(Box::new(quote.clone())),
            Fee::AsAgreed | Fee::Same(_) => match &self.withdrawal.agreement.quote {
                Some(quote) => FiguresSeen::of(quote),
                None => FiguresSeen::Other(Box::default()),
            },
        };
        let why = self.retype.iter().flat_map(|retype| retype.why.clone()).collect();
        let terms = Terms::Send { withdrawal, fee, why, past: self.past.clone() };
        let may_confirm = self.may_confirm(store.now.boot_ms, store.now.wall);
        Some(Offer { terms, may_confirm })
    }

    fn on_event(&mut self, cx: &mut Cx, event: ScreenEvent) -> bool {
        match event {
            ScreenEvent::Deadline => self.ask_when_stale(cx),
            ScreenEvent::Message(msg) => self.heard(cx, msg),
            ScreenEvent::StoreChanged => self.store_changed(cx),
            _ => return false,
        }
        true
    }

    fn next_deadline(&self, store: &Store, front: bool) -> Option<Duration> {
        let fee = match (&self.fee, self.standing()) {
            (Fee::Asking(wait), _) => Some(to_next_second(wait.since_ms, store.now.boot_ms)),
            (_, Some(quote)) if !self.may_have_left() => Some(to_next_age(store, quote)),
            _ => None,
        };
        let fee = fee.filter(|_| front);
        fee.into_iter().chain(counting::next(store, &self.withdrawal)).min()
    }

    /// Nothing is asked any more when nothing can be sent any more.
    fn links<'s>(&'s self, _: &'s Store) -> ScreenLinks<'s> {
        ScreenLinks { withdrawal: Some(&self.withdrawal), ..ScreenLinks::default() }
    }
}
