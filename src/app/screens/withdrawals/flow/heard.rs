//! Answers on a withdrawal's way: quotes, the journal's answers, and the end of a sending.

use super::Flow;
use crate::app::next::Next;
use crate::app::screens::withdrawals::draft::Draft;
use crate::app::store::withdrawals;
use crate::app::store::withdrawals::answers::{Past, Refused};
use crate::app::{Effect, MoneyCommand, Msg, Store};
use crate::trade::withdrawal::{Attempt, NotSent};
use crate::trade::{Failure, JournalTrouble, Withdrawal};

impl Flow {
    /// Takes the answers to what it asked for.
    pub(super) fn heard(&mut self, store: &mut Store, msg: &Msg) -> Next {
        let own = self.key();
        match msg {
            Msg::Quoted { ticket, result } => {
                let Some(draft) = self.draft_mut() else { return Next::none() };
                if draft.quoted(store, *ticket, result)
                    && let Flow::Review(review) = self
                {
                    review.take_quote(store);
                }
                Next::none()
            }
            Msg::ConsentStored { result: Ok(()), .. } => {
                if let Some(draft) = self.draft_mut() {
                    draft.ask_once_more(store);
                }
                Next::none()
            }
            Msg::Taught { result: Ok(_), .. } => {
                // A review is what was agreed to be read; only what is being typed follows.
                if let Flow::Form(draft) = self {
                    draft.taught(store);
                }
                Next::none()
            }
            Msg::DestinationsLoaded { ticket, result } => {
                if let Some(draft) = self.draft_mut() {
                    draft.known_loaded(*ticket, result);
                }
                Next::none()
            }
            Msg::Reviewed { key, past } if own == Some(*key) => self.reviewed(store, past),
            Msg::JournalChanged => match self {
                // What stands in the way of this agreement may be another thing now.
                Flow::Review(review) => {
                    Effect::Money(MoneyCommand::LookUpPast(Box::new(review.agreement.clone())))
                        .into()
                }
                _ => Next::none(),
            },
            Msg::Prepared { key, result }
                if own == Some(*key) && matches!(self, Flow::Preparing { .. }) =>
            {
                self.prepared(store, result)
            }
            Msg::AttemptBegan { key, n } if own == Some(*key) => {
                self.began(store, *n);
                Next::none()
            }
            Msg::Settled(withdrawal) | Msg::Decided { result: Ok(withdrawal), .. }
                if own == Some(withdrawal.agreement.key) =>
            {
                self.end_of_sending(store, withdrawal, None)
            }
            Msg::AttemptTrouble { key, withdrawal, trouble } if own == Some(*key) => {
                let before = match self {
                    Flow::Sending { withdrawal, .. } => Some(withdrawal.clone()),
                    _ => None,
                };
                match withdrawal.clone().or(before) {
                    Some(known) => self.end_of_sending(store, &known, Some(trouble.clone())),
                    None => Next::none(),
                }
            }
            _ => Next::none(),
        }
    }

    /// The journal looked up what a review should mention, or could not.
    fn reviewed(&mut self, store: &mut Store, past: &Result<Past, JournalTrouble>) -> Next {
        match (&mut *self, past) {
            (Flow::Review(review), Ok(past)) => review.looked_up(store, past),
            (Flow::Review(_), Err(trouble)) => {
                store.withdrawals.trouble = Some(trouble.clone());
                self.refuse(Some(Refused::Journal(trouble.clone())));
                if trouble.may_pass() {
                    return withdrawals::reload(store).into();
                }
            }
            _ => {}
        }
        Next::none()
    }

    /// A sending is over; where none was under way, this changes nothing here.
    fn end_of_sending(
        &mut self,
        store: &mut Store,
        withdrawal: &Withdrawal,
        trouble: Option<Failure>,
    ) -> Next {
        if self.is_after_sending() {
            self.end(store, withdrawal, trouble);
        }
        Next::none()
    }

    /// The journal made it durable, or refused.
    fn prepared(&mut self, store: &mut Store, result: &Result<Box<Withdrawal>, Refused>) -> Next {
        store.withdrawals.preparing = None;
        // Who leaves while it is sent finds it under the cursor, and its keys mean it.
        store.withdrawals.list.made = result.as_deref().ok().cloned();
        match result {
            // One at a time: it stays prepared until the other one has ended.
            Ok(withdrawal) if store.withdrawals.in_flight.is_some() => {
                self.end(store, withdrawal, Some(Failure::NotSent(NotSent::Busy)));
                withdrawals::reload(store).into()
            }
            Ok(withdrawal) => {
                *self = Flow::sending(store, (**withdrawal).clone());
                Effect::Money(MoneyCommand::Attempt(withdrawal.agreement.key)).into()
            }
            Err(refused) => {
                if let Flow::Preparing { draft, .. } = self {
                    let draft = Draft { refused: Some(refused.clone()), ..(**draft).clone() };
                    *self = Flow::Form(Box::new(draft));
                }
                if let Refused::LookAgain(Some(clash)) = refused {
                    let is_open = store.state_of(&clash.other).is_open();
                    store.withdrawals.note(&clash.other, is_open);
                }
                // The journal knows more than the list: the next review is to know it too.
                withdrawals::reload(store).into()
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
    pub(super) fn look_at(&mut self, store: &mut Store) -> Next {
        match self {
            Flow::Form(draft) => draft.forget_old_refusal(store),
            Flow::Review(review) => {
                review.draft.forget_old_refusal(store);
                if let Some(refused) = review.look_again(store) {
                    self.refuse(Some(refused));
                }
            }
            Flow::Outcome(outcome) => {
                let known = store.withdrawals.find(outcome.withdrawal.agreement.key);
                if let Some(now) = known.filter(|now| **now != outcome.withdrawal) {
                    // What went wrong here is not the last that happened to it any more.
                    (outcome.withdrawal, outcome.trouble) = (now.clone(), None);
                }
            }
            Flow::Preparing { .. } | Flow::Sending { .. } => {}
        }
        Next::none()
    }
}
