//! Answers on a withdrawal's way: quotes, the journal's answers, and the end of a sending.

use super::Flow;
use crate::app::cx::Cx;
use crate::app::screens::withdrawals::draft::Draft;
use crate::app::store::withdrawals;
use crate::app::store::withdrawals::answers::{Past, Refused};
use crate::app::{Effect, MoneyCommand, Msg, Store};
use crate::trade::withdrawal::{Attempt, NotSent};
use crate::trade::{Failure, JournalTrouble, Withdrawal};

impl Flow {
    /// Takes the answers to what it asked for.
    pub(super) fn heard(&mut self, cx: &mut Cx, msg: &Msg) {
        let own = self.key();
        match msg {
            Msg::Quoted { ticket, result } => {
                let Some(draft) = self.draft_mut() else { return };
                if draft.quoted(cx.store, *ticket, result)
                    && let Flow::Review(review) = self
                {
                    review.take_quote(cx.store);
                }
            }
            Msg::ConsentStored { result: Ok(()), .. } => {
                if let Some(draft) = self.draft_mut() {
                    draft.ask_once_more(cx.store);
                }
            }
            Msg::Taught { result: Ok(_), .. } => {
                // A review is what was agreed to be read; only what is being typed follows.
                if let Flow::Form(draft) = self {
                    draft.taught(cx.store);
                }
            }
            Msg::DestinationsLoaded { ticket, result } => {
                if let Some(draft) = self.draft_mut() {
                    draft.known_loaded(*ticket, result);
                }
            }
            Msg::Reviewed { key, past } if own == Some(*key) => self.reviewed(cx, past),
            Msg::JournalChanged => {
                // What stands in the way of this agreement may be another thing now.
                if let Flow::Review(review) = self {
                    let agreement = Box::new(review.agreement.clone());
                    cx.perform(Effect::Money(MoneyCommand::LookUpPast(agreement)));
                }
            }
            Msg::Prepared { key, result }
                if own == Some(*key) && matches!(self, Flow::Preparing { .. }) =>
            {
                self.prepared(cx, result)
            }
            Msg::AttemptBegan { key, n } if own == Some(*key) => {
                self.began(cx.store, *n);
            }
            Msg::Settled(withdrawal) | Msg::Decided { result: Ok(withdrawal), .. }
                if own == Some(withdrawal.agreement.key) =>
            {
                self.end_of_sending(cx, withdrawal, None)
            }
            Msg::AttemptTrouble { key, withdrawal, trouble } if own == Some(*key) => {
                let before = match self {
                    Flow::Sending { withdrawal, .. } => Some(withdrawal.clone()),
                    _ => None,
                };
                if let Some(known) = withdrawal.clone().or(before) {
                    self.end_of_sending(cx, &known, Some(trouble.clone()))
                }
            }
            _ => {}
        }
    }

    /// The journal looked up what a review should mention, or could not.
    fn reviewed(&mut self, cx: &mut Cx, past: &Result<Past, JournalTrouble>) {
        match (&mut *self, past) {
            (Flow::Review(review), Ok(past)) => review.looked_up(cx.store, past),
            (Flow::Review(_), Err(trouble)) => {
                cx.store.withdrawals.trouble = Some(trouble.clone());
                self.refuse(Some(Refused::Journal(trouble.clone())));
                if trouble.may_pass() {
                    withdrawals::reload(cx)
                }
            }
            _ => {}
        }
    }

    /// A sending is over; where none was under way, this changes nothing here.
    fn end_of_sending(&mut self, cx: &mut Cx, withdrawal: &Withdrawal, trouble: Option<Failure>) {
        if self.is_after_sending() {
            self.end(cx.store, withdrawal, trouble);
        }
    }

    /// The journal made it durable, or refused.
    fn prepared(&mut self, cx: &mut Cx, result: &Result<Box<Withdrawal>, Refused>) {
        cx.store.withdrawals.preparing = None;
        // Who leaves while it is sent finds it under the cursor, and its keys mean it.
        cx.store.withdrawals.list.made = result.as_deref().ok().cloned();
        match result {
            // One at a time: it stays prepared until the other one has ended.
            Ok(withdrawal) if cx.store.withdrawals.in_flight.is_some() => {
                self.end(cx.store, withdrawal, Some(Failure::NotSent(NotSent::Busy)));
                withdrawals::reload(cx)
            }
            Ok(withdrawal) => {
                *self = Flow::sending(cx.store, (**withdrawal).clone());
                cx.perform(Effect::Money(MoneyCommand::Attempt(withdrawal.agreement.key)))
            }
            Err(refused) => {
                if let Flow::Preparing { draft, .. } = self {
                    let draft = Draft { refused: Some(refused.clone()), ..(**draft).clone() };
                    *self = Flow::Form(Box::new(draft));
                }
                if let Refused::LookAgain(Some(clash)) = refused {
                    let is_open = cx.store.state_of(&clash.other).is_open();
                    cx.store.withdrawals.note(&clash.other, is_open);
                }
                // The journal knows more than the list: the next review is to know it too.
                withdrawals::reload(cx)
            }
        }
    }

    /// An attempt is durable and on its way: from here on it may have paid.
    fn began(&mut self, store: &Store, n: u32) {
        if let Flow::Sending { withdrawal, .. } = self
            && withdrawal.attempts.iter().all(|known| known.n < n)
        {
            withdrawal.attempts.push(Attempt { n, began: store.now.clone(), end: None });
        }
    }

    /// Back to the form from the review, with the reason.
    pub(super) fn refuse(&mut self, refused: Option<Refused>) {
        if let Flow::Review(review) = self {
            let draft = review.draft.clone();
            let refused = refused.or(draft.refused.clone());
            *self = Flow::Form(Box::new(Draft { refused, ..draft }));
        }
    }

    /// Looks at the store again: another window may have changed what is shown or agreed to here.
    pub(super) fn look_at(&mut self, cx: &mut Cx) {
        match self {
            Flow::Form(draft) => draft.forget_old_refusal(cx.store),
            Flow::Review(review) => {
                review.draft.forget_old_refusal(cx.store);
                if let Some(refused) = review.look_again(cx.store) {
                    self.refuse(Some(refused));
                }
            }
            Flow::Outcome(outcome) => {
                let known = cx.store.withdrawals.find(outcome.withdrawal.agreement.key);
                if let Some(now) = known.filter(|now| **now != outcome.withdrawal) {
                    // What went wrong here is not the last that happened to it any more.
                    (outcome.withdrawal, outcome.trouble) = (now.clone(), None);
                }
            }
            Flow::Preparing { .. } | Flow::Sending { .. } => {}
        }
    }
}
