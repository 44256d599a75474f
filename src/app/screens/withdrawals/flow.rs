//! The way of a withdrawal from a form to an outcome.

mod heard;

use std::time::Duration;

use super::draft::Draft;
use super::{Review, act_on, counting, named_by, show, show_other, steps, word_in_details};
use crate::app::action::Action;
use crate::app::form::Form;
use crate::app::input::Key;
use crate::app::screen::route::{Next, Step};
use crate::app::screen::{Buttons, Focus, KeyContext, Screen, in_dialog};
use crate::app::seen::Terms;
use crate::app::ui::{Area, Page};
use crate::app::{Effect, Msg, Pane, Stamp, Store, Wait};
use crate::trade::withdrawal::Agreement;
use crate::trade::{AmountField, CredentialKind, Failure, IdempotencyKey, Untrusted, Withdrawal};
use crate::words::Words;

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

impl Flow {
    /// One that is handed to the cashier now.
    pub fn sending(store: &mut Store, withdrawal: Withdrawal) -> Flow {
        store.withdrawals.in_flight = Some(withdrawal.agreement.key);
        store.withdrawals.show(&withdrawal);
        Flow::Sending { withdrawal: Box::new(withdrawal), wait: store.wait() }
    }

    /// The withdrawal's name, once it has one.
    pub fn key(&self) -> Option<IdempotencyKey> {
        match self {
            Flow::Form(_) => None,
            Flow::Review(review) => Some(review.agreement.key),
            Flow::Preparing { agreement, .. } => Some(agreement.key),
            Flow::Sending { withdrawal, .. } => Some(withdrawal.agreement.key),
            Flow::Outcome(outcome) => Some(outcome.withdrawal.agreement.key),
        }
    }

    fn draft_mut(&mut self) -> Option<&mut Draft> {
        match self {
            Flow::Form(draft) => Some(draft),
            Flow::Review(review) => Some(&mut review.draft),
            _ => None,
        }
    }

    fn end(&mut self, store: &mut Store, withdrawal: &Withdrawal, trouble: Option<Failure>) {
        store.withdrawals.show(withdrawal);
        let outcome = Outcome { withdrawal: withdrawal.clone(), trouble };
        *self = Flow::Outcome(Box::new(outcome));
    }

    /// Whether what comes of this withdrawal will be shown here, since its sending was not left.
    pub fn is_watching(&self, key: IdempotencyKey) -> bool {
        self.is_after_sending() && self.key() == Some(key)
    }

    /// Whether it waits for the end of an attempt, or shows one.
    fn is_after_sending(&self) -> bool {
        matches!(self, Flow::Sending { .. } | Flow::Outcome(_))
    }
}

impl Screen for Flow {
    fn name(&self) -> &'static str {
        match self {
            Flow::Form(_) => "withdraw",
            Flow::Review(_) => "review",
            Flow::Preparing { .. } => "preparing",
            Flow::Sending { .. } => "sending",
            Flow::Outcome(_) => "outcome",
        }
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        show::draw(store, Words::of(store.setup.lang), self, area, page);
    }

    fn actions(&self, store: &Store, has_more: bool) -> Vec<Action> {
        match self {
            Flow::Form(draft) => draft.actions(store),
            Flow::Review(review) => {
                let mut offered = in_dialog(has_more);
                offered.extend(review.named().map(|_| Action::ShowOther));
                offered
            }
            Flow::Preparing { .. } | Flow::Sending { .. } => vec![],
            Flow::Outcome(outcome) => steps(store, &outcome.withdrawal, outcome.trouble.as_ref()),
        }
    }

    fn word(&self, store: &Store, action: Action) -> Option<&'static str> {
        match (self, action) {
            // Nothing is sent by it: what was typed is looked at first.
            (Flow::Form(_), Action::Submit) => Some("review"),
            (Flow::Outcome(outcome), _) => word_in_details(store, &outcome.withdrawal, action),
            (Flow::Sending { .. }, Action::Back) => Some("leave"),
            _ => None,
        }
    }

    fn act(&mut self, store: &mut Store, action: Action, _: &Stamp) -> Next {
        if action == Action::ShowOther {
            let other = match self {
                Flow::Form(draft) => draft.named(),
                Flow::Review(review) => review.named(),
                Flow::Outcome(outcome) => named_by(outcome.trouble.as_ref()),
                _ => None,
            };
            return other.map(|other| show_other(store, other)).unwrap_or_default();
        }
        match (self, action) {
            (Flow::Form(draft), Action::NextKnown) => draft.choose_known(store, true),
            (Flow::Form(draft), Action::PrevKnown) => draft.choose_known(store, false),
            (Flow::Form(draft), Action::AskFee) => {
                draft.ask_again(store);
                Next::none()
            }
            (Flow::Outcome(outcome), action) => act_on(store, &outcome.withdrawal, action),
            _ => Next::none(),
        }
    }

    fn keys(&self, _: &Store) -> KeyContext {
        match self {
            Flow::Form(_) => KeyContext::Form,
            Flow::Review(_) => KeyContext::Dialog,
            _ => KeyContext::List,
        }
    }

    fn form(&self) -> Option<&Form> {
        match self {
            Flow::Form(draft) => Some(&draft.form),
            _ => None,
        }
    }

    fn form_mut(&mut self) -> Option<&mut Form> {
        match self {
            Flow::Form(draft) => Some(&mut draft.form),
            _ => None,
        }
    }

    fn edited(&mut self, store: &mut Store) -> Next {
        match self {
            Flow::Form(draft) => draft.edited(store),
            _ => Next::none(),
        }
    }

    /// From the form to the review.
    fn submit(&mut self, store: &mut Store, at: &Stamp) -> Next {
        let Flow::Form(draft) = self else { return Next::none() };
        match draft.review(store, at) {
            Ok(review) => {
                let looked_up = Effect::LookUpPast(Box::new(review.agreement.clone()));
                *self = Flow::Review(Box::new(review));
                looked_up.into()
            }
            Err(next) => next,
        }
    }

    fn buttons(&self) -> Option<&Buttons> {
        match self {
            Flow::Review(review) => Some(&review.buttons),
            _ => None,
        }
    }

    fn buttons_mut(&mut self) -> Option<&mut Buttons> {
        match self {
            Flow::Review(review) => Some(&mut review.buttons),
            _ => None,
        }
    }

    fn amount_mut(&mut self) -> Option<&mut AmountField> {
        match self {
            Flow::Review(review) => review.retype.as_mut().map(|retype| &mut retype.field),
            _ => None,
        }
    }

    fn has_field(&self) -> bool {
        matches!(self, Flow::Review(review) if review.retype.is_some())
    }

    fn takes_text(&self, _: &Store) -> bool {
        match self {
            Flow::Form(draft) => draft.form.takes_text(),
            Flow::Review(review) => review.buttons.focus == Focus::Amount,
            _ => false,
        }
    }

    fn may_confirm(&self, store: &Store) -> bool {
        match self {
            Flow::Review(review) => review.may_confirm(store.now.boot_ms, store.now.wall),
            _ => false,
        }
    }

    /// The seller confirmed: the agreement goes to the journal, and nowhere else yet.
    fn confirm(&mut self, store: &mut Store, at: &Stamp) -> Next {
        let Flow::Review(review) = self else { return Next::none() };
        let wait = store.wait();
        let retyped = review.retyped();
        let mut agreement = review.agreement.clone();
        agreement.agreed = at.clocks.clone();
        let agreement = Box::new(agreement);
        store.withdrawals.preparing = Some(agreement.key);
        let draft = Box::new(review.draft.clone());
        *self = Flow::Preparing { agreement: agreement.clone(), draft, wait };
        Effect::Prepare { agreement, retyped }.into()
    }

    /// Back to the form, with everything that was typed; the key of that review is never used.
    fn back(&mut self, _: &mut Store) -> Next {
        match self {
            Flow::Review(_) => {
                self.refuse(None);
                Next::none()
            }
            // It is being made durable; there is nothing to cancel, and it is over in a moment.
            Flow::Preparing { .. } => Next::none(),
            _ => Step::Close.into(),
        }
    }

    fn has_way_back(&self) -> bool {
        // While an agreement is made durable there is no way back, and it is over in a moment.
        !matches!(self, Flow::Preparing { .. })
    }

    fn paste(&mut self, store: &mut Store, text: &Untrusted) -> Next {
        match self {
            Flow::Form(draft) => {
                draft.form.paste(text);
                draft.edited(store)
            }
            Flow::Review(review) => {
                review.buttons.are_dead_from(store.now.boot_ms);
                Next::none()
            }
            _ => Next::none(),
        }
    }

    fn terms(&self, _: &Store) -> Option<Terms> {
        match self {
            Flow::Review(review) => Some(review.terms()),
            _ => None,
        }
    }

    fn wait(&self) -> Option<Wait> {
        match self {
            Flow::Preparing { wait, .. } | Flow::Sending { wait, .. } => Some(*wait),
            _ => None,
        }
    }

    fn waits_for_itself(&self) -> bool {
        true
    }

    fn hear(&mut self, store: &mut Store, msg: &Msg, _: &Stamp) -> Next {
        self.heard(store, msg)
    }

    fn look_again(&mut self, store: &mut Store) -> Next {
        if let Some(entered) = store.entered
            && let Some(draft) = self.draft_mut()
        {
            draft.ask_once_more(store);
            // Whose destinations these are may be known only now.
            if entered == CredentialKind::ApiToken {
                let asked = draft.ask_known(store);
                return asked.and(self.look_at(store));
            }
        }
        self.look_at(store)
    }

    fn deadline_came(&mut self, store: &mut Store) -> Next {
        match self.draft_mut() {
            Some(draft) => draft.ask_when_due(store),
            None => Next::none(),
        }
    }

    fn next_deadline(&self, store: &Store, front: bool) -> Option<Duration> {
        match self {
            Flow::Form(draft) => draft.next_deadline(store).filter(|_| front),
            Flow::Review(review) => {
                let armed = review.buttons.armed_in(store);
                let both = [armed, review.draft.next_deadline(store)];
                both.into_iter().flatten().min().filter(|_| front)
            }
            Flow::Preparing { wait, .. } | Flow::Sending { wait, .. } => {
                Some(wait.to_next_second(store.now.boot_ms))
            }
            Flow::Outcome(outcome) => counting::next(store, &outcome.withdrawal),
        }
    }

    fn leaving(&self) -> Vec<Effect> {
        match self {
            Flow::Form(draft) => {
                let mut effects = draft.cancel_quote();
                let slots = draft.form.secret_slots();
                effects.extend((!slots.is_empty()).then_some(Effect::WipeSecrets(slots)));
                effects
            }
            _ => vec![],
        }
    }

    fn was_typed(&self) -> bool {
        match self {
            Flow::Form(draft) => draft.form.touched,
            Flow::Review(review) => review.draft.form.touched,
            _ => false,
        }
    }

    fn may_be_left(&self) -> bool {
        match self {
            Flow::Form(draft) => !draft.form.touched,
            Flow::Review(_) | Flow::Preparing { .. } => false,
            Flow::Sending { .. } | Flow::Outcome(_) => true,
        }
    }

    fn pane(&self) -> Option<Pane> {
        Some(Pane::Withdrawals)
    }

    fn withdrawal<'s>(&'s self, _: &'s Store) -> Option<&'s Withdrawal> {
        match self {
            Flow::Outcome(outcome) => Some(&outcome.withdrawal),
            _ => None,
        }
    }

    fn is_about(&self, key: IdempotencyKey) -> bool {
        matches!(self, Flow::Outcome(outcome) if outcome.withdrawal.agreement.key == key)
    }

    fn type_key(&mut self, store: &mut Store, key: Key) -> Option<Next> {
        use crate::app::form::Edited;
        let Flow::Form(draft) = self else { return None };
        draft.form.focused()?;
        match draft.form.edit(key) {
            Edited::Ignored => None,
            Edited::Changed => Some(draft.edited(store)),
            Edited::Taken | Edited::Full => Some(Next::none()),
        }
    }
}
