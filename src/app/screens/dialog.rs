//! A question that is asked before something is done; its harmless button stands left and first.

mod show;

use crate::app::cx::{Cx, Question};
use crate::app::screen::{BodyMut, Buttons, Info, Offer, Screen, ScreenBody, ScreenEvent};
use crate::app::store::profiles::switching;
use crate::app::store::seen::Terms;
use crate::app::store::withdrawals::WithdrawalsState;
use crate::app::store::{charges, copying, links};
use crate::app::ui::{Action, Area, Page};
use crate::app::{Effect, MoneyCommand, Store};
use crate::trade::IdempotencyKey;
use crate::trade::withdrawal::{Decision, WithdrawalState};

/// A question; the focus stands on the harmless button first.
#[derive(Debug, Clone)]
pub struct Dialog {
    /// The question.
    pub question: Question,
    /// The two answers.
    pub buttons: Buttons,
}

impl Dialog {
    /// A question that is being asked now.
    pub fn new(question: Question) -> Dialog {
        Dialog { question, buttons: Buttons::armed_at(0) }
    }

    /// Returns false when its subject is gone.
    fn is_asked(&self, store: &Store) -> bool {
        let state = |key| store.withdrawals.find(key).map(|one| store.state_of(one));
        match &self.question {
            Question::LeaveInFlight => store.withdrawals.in_flight.is_some(),
            Question::Found(key) => state(*key).is_none_or(|state| WithdrawalsState::asks(&state)),
            Question::Discard(key) => {
                state(*key).is_none_or(|state| state == WithdrawalState::Prepared)
            }
            _ => true,
        }
    }
}

fn decide(cx: &mut Cx, key: IdempotencyKey, choice: Decision) {
    cx.perform(Effect::Money(MoneyCommand::Decide { key, choice }));
}

impl Screen for Dialog {
    fn info(&self) -> Info {
        let confirms_by_click = !self.question.decides();
        Info { floats: true, stays: true, confirms_by_click, ..Info::of("dialog") }
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        show::draw(store, store.words(), self, area, page);
    }

    fn body(&self) -> ScreenBody<'_> {
        ScreenBody::Dialog(&self.buttons, None)
    }

    fn body_mut(&mut self) -> BodyMut<'_> {
        BodyMut::Dialog(&mut self.buttons, None)
    }

    fn on_event(&mut self, cx: &mut Cx, event: ScreenEvent) -> bool {
        match event {
            // A paste is not for a question, and does not hold it up.
            ScreenEvent::Pasted => {}
            ScreenEvent::StoreChanged if !self.is_asked(cx.store) => cx.close(),
            _ => return false,
        }
        true
    }

    /// Does what was asked.
    fn act(&mut self, cx: &mut Cx, action: Action) {
        if action != Action::Press {
            return;
        }
        cx.close();
        match self.question.clone() {
            Question::DropForm => cx.close_front(),
            Question::LeaveInFlight | Question::DropAndLeave => {
                cx.store.leaving = true;
                cx.perform(Effect::Leave);
            }
            Question::LogOut => cx.perform(Effect::LogOut),
            Question::CopyOdd { clip, text, .. } | Question::CopyOddCode { clip, text, .. } => {
                copying::copy(cx, clip, text);
            }
            Question::ShowOddCode { code, .. } => charges::show(cx, code),
            Question::PassOdd { to, text, .. } => links::pass_on(cx, text, to),
            Question::Discard(key) => {
                decide(cx, key, Decision::Discarded);
            }
            Question::Found(key) => {
                decide(cx, key, Decision::FoundPaid);
            }
            Question::UseMemory => cx.perform(Effect::UseMemory),
            Question::SwitchProfile { to, losses } => {
                let asked = switching::ask(cx.store, to, losses);
                cx.perform(asked);
            }
        }
    }

    fn offer(&self, _: &Store) -> Option<Offer> {
        Some(Offer { terms: Terms::Question(self.question.clone()), may_confirm: true })
    }
}
