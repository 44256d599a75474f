//! The way of a withdrawal from a form to an outcome.

mod heard;
mod show;

use std::time::Duration;

use super::show::outcome;
use super::{Draft, Review, act_on, counting, draft, named_by, review};
use super::{in_details, show_other};
use crate::app::cx::Cx;
use crate::app::screen::{
    Actions, BodyMut, Info, Offer, Screen, ScreenBody, ScreenEvent, ScreenLinks, in_dialog,
};
use crate::app::store::teaching;
use crate::app::store::withdrawals::QuoteState;
use crate::app::ui::action::Action;
use crate::app::ui::lists::Look;
use crate::app::ui::{Area, Page};
use crate::app::{Effect, MoneyCommand, Pane, Store, Wait};
use crate::trade::withdrawal::Agreement;
use crate::trade::{CredentialKind, Failure, IdempotencyKey, NoQuote, Operation, Withdrawal};

/// A withdrawal on its way.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "a field is its name")]
pub enum Flow {
    /// Being typed.
    Form(Box<Draft>),
    /// Everything as it will be sent; the key is minted.
    Review(Box<Review>),
    /// Key and body are being made durable.
    Preparing {
        agreement: Box<Agreement>,
        /// The form as it was typed, should the journal refuse.
        draft: Box<Draft>,
        wait: Wait,
    },
    /// Under way.
    Sending {
        /// The withdrawal, as it was before this attempt.
        withdrawal: Box<Withdrawal>,
        wait: Wait,
    },
    /// The end, as far as it is known.
    Outcome(Box<Outcome>),
}

/// The end of a withdrawal's sending.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// As the journal has it now.
    pub withdrawal: Withdrawal,
    /// The trouble on this side: nothing was sent, or the end could not be written down.
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

    /// From the form to the review.
    fn submit(&mut self, cx: &mut Cx) {
        let Flow::Form(draft) = self else { return };
        if let Some(review) = review::open(draft, cx) {
            let agreement = Box::new(review.agreement.clone());
            *self = Flow::Review(Box::new(review));
            cx.perform(Effect::Money(MoneyCommand::LookUpPast(agreement)));
        }
    }

    /// The seller confirmed: the agreement goes to the journal, and nowhere else yet.
    fn confirm(&mut self, cx: &mut Cx) {
        let Flow::Review(review) = self else { return };
        let wait = cx.store.wait();
        let retyped = review.retyped();
        let mut agreement = review.agreement.clone();
        agreement.agreed = cx.stamp.clocks.clone();
        let agreement = Box::new(agreement);
        cx.store.withdrawals.preparing = Some(agreement.key);
        let draft = Box::new(review.draft.clone());
        *self = Flow::Preparing { agreement: agreement.clone(), draft, wait };
        cx.perform(Effect::Money(MoneyCommand::Prepare { agreement, retyped }))
    }

    fn end(&mut self, store: &mut Store, withdrawal: &Withdrawal, trouble: Option<Failure>) {
        store.withdrawals.show(withdrawal);
        let outcome = Outcome { withdrawal: withdrawal.clone(), trouble };
        *self = Flow::Outcome(Box::new(outcome));
    }

    /// Returns true when this withdrawal's end will be shown here, as its sending was not left.
    pub fn is_watching(&self, key: IdempotencyKey) -> bool {
        self.is_after_sending() && self.key() == Some(key)
    }

    /// Returns true when it waits for the end of an attempt, or shows one.
    fn is_after_sending(&self) -> bool {
        matches!(self, Flow::Sending { .. } | Flow::Outcome(_))
    }

    /// Looks at what is shown of the store.
    fn store_changed(&mut self, cx: &mut Cx) {
        if let Flow::Form(draft) = self {
            draft.say_nickname(cx.store);
        }
        if let Some(entered) = cx.store.entered
            && let Some(draft) = self.draft_mut()
        {
            draft.ask_once_more(cx.store);
            // Whose destinations these are may be known only now.
            if entered == CredentialKind::ApiToken {
                draft.ask_known(cx);
            }
        }
        self.look_at(cx)
    }
}

impl Screen for Flow {
    fn info(&self) -> Info {
        let info = |name| Info { waits_for_itself: true, ..Info::in_pane(name, Pane::Withdrawals) };
        match self {
            Flow::Form(draft) => Info { cancels: draft.asked(), ..info("withdraw") },
            Flow::Review(review) => {
                let was_typed = Some(review.draft.form.touched);
                Info { stays: true, was_typed, ..info("review") }
            }
            // There is no way back while it is made durable: it is over in a moment.
            Flow::Preparing { wait, .. } => {
                Info { stays: true, has_no_way_back: true, wait: Some(*wait), ..info("preparing") }
            }
            Flow::Sending { wait, .. } => Info { wait: Some(*wait), ..info("sending") },
            Flow::Outcome(outcome) => {
                let about = Some(outcome.withdrawal.agreement.key);
                Info { about, ..info("outcome") }
            }
        }
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        match self {
            Flow::Form(draft) => draft::show::draw(store, draft, area, page),
            Flow::Review(review) => review::show::draw(store, review, area, page),
            Flow::Preparing { agreement, wait, .. } => {
                show::preparing(store, agreement, *wait, area, page);
            }
            Flow::Sending { withdrawal, wait } => {
                show::sending(store, withdrawal, *wait, area, page);
            }
            Flow::Outcome(outcome) => {
                let trouble = outcome.trouble.as_ref();
                let place = (area, Look::Entered);
                outcome::draw(store, &outcome.withdrawal, trouble, place, page);
            }
        }
    }

    fn actions(&self, store: &Store, has_more: bool) -> Actions {
        match self {
            // Nothing is sent by it: what was typed is looked at first.
            Flow::Form(draft) => Actions::from(draft.actions(store)).word(Action::Submit, "review"),
            Flow::Review(review) => {
                let mut offered = in_dialog(has_more);
                offered.extend(review.named().map(|_| Action::ShowOther));
                offered.into()
            }
            Flow::Preparing { .. } => Actions::default(),
            Flow::Sending { .. } => Actions::default().word(Action::Back, "leave"),
            Flow::Outcome(outcome) => {
                in_details(store, &outcome.withdrawal, outcome.trouble.as_ref())
            }
        }
    }

    fn act(&mut self, cx: &mut Cx, action: Action) {
        if action == Action::ShowOther {
            let other = match self {
                Flow::Form(draft) => draft.named(),
                Flow::Review(review) => review.named(),
                Flow::Outcome(outcome) => named_by(outcome.trouble.as_ref()),
                _ => None,
            };
            if let Some(other) = other {
                show_other(cx, other);
            }
            return;
        }
        match (&mut *self, action) {
            (Flow::Form(draft), Action::NextKnown) => draft.choose_known(cx, true),
            (Flow::Form(draft), Action::PrevKnown) => draft.choose_known(cx, false),
            (Flow::Form(draft), Action::AskFee) => {
                draft.ask_again(cx.store);
            }
            (Flow::Form(_), Action::Submit) => self.submit(cx),
            (Flow::Review(_), Action::Press) => self.confirm(cx),
            (Flow::Outcome(outcome), action) => act_on(cx, &outcome.withdrawal, action),
            _ => {}
        }
    }

    fn body(&self) -> ScreenBody<'_> {
        match self {
            Flow::Form(draft) => ScreenBody::Form(&draft.form),
            Flow::Review(review) => {
                let field = review.retype.as_ref().map(|retype| &retype.field);
                ScreenBody::Dialog(&review.buttons, field)
            }
            Flow::Preparing { .. } | Flow::Sending { .. } | Flow::Outcome(_) => ScreenBody::Text,
        }
    }

    fn body_mut(&mut self) -> BodyMut<'_> {
        match self {
            Flow::Form(draft) => BodyMut::Form(&mut draft.form),
            Flow::Review(review) => {
                let field = review.retype.as_mut().map(|retype| &mut retype.field);
                BodyMut::Dialog(&mut review.buttons, field)
            }
            Flow::Preparing { .. } | Flow::Sending { .. } | Flow::Outcome(_) => BodyMut::Text,
        }
    }

    fn on_event(&mut self, cx: &mut Cx, event: ScreenEvent) -> bool {
        match (event, &mut *self) {
            (ScreenEvent::Edited, Flow::Form(draft)) => draft.edited(cx),
            (ScreenEvent::Deadline, _) => {
                if let Some(draft) = self.draft_mut() {
                    draft.ask_when_due(cx);
                }
            }
            // Back to the form, with everything that was typed; the key of that review is never
            // used.
            (ScreenEvent::Back, Flow::Review(_)) => self.refuse(None),
            // It is being made durable; there is nothing to cancel, and it is over in a moment.
            (ScreenEvent::Back, Flow::Preparing { .. }) => {}
            (ScreenEvent::Message(msg), _) => self.heard(cx, msg),
            (ScreenEvent::StoreChanged, _) => self.store_changed(cx),
            _ => return false,
        }
        true
    }

    fn offer(&self, store: &Store) -> Option<Offer> {
        let Flow::Review(review) = self else { return None };
        let may_confirm = review.may_confirm(store.now.boot_ms, store.now.wall);
        Some(Offer { terms: review.terms(), may_confirm })
    }

    fn next_deadline(&self, store: &Store, front: bool) -> Option<Duration> {
        match self {
            Flow::Form(draft) => draft.next_deadline(store).filter(|_| front),
            Flow::Review(review) => review.draft.next_deadline(store).filter(|_| front),
            Flow::Preparing { .. } | Flow::Sending { .. } => None,
            Flow::Outcome(outcome) => counting::next(store, &outcome.withdrawal),
        }
    }

    fn links<'s>(&'s self, store: &'s Store) -> ScreenLinks<'s> {
        match self {
            Flow::Form(draft) => ScreenLinks {
                needs: store.setup.contract.withdrawal.call.credential,
                exchange: match &draft.quote {
                    QuoteState::Failed { why: NoQuote::Failure(failure), .. } => {
                        teaching::after(store, Some(failure), Operation::FeePreview)
                    }
                    _ => None,
                },
                ..ScreenLinks::default()
            },
            Flow::Outcome(outcome) => ScreenLinks {
                exchange: teaching::after_withdrawal(store, &outcome.withdrawal),
                withdrawal: Some(&outcome.withdrawal),
                ..ScreenLinks::default()
            },
            Flow::Review(_) | Flow::Preparing { .. } | Flow::Sending { .. } => {
                ScreenLinks::default()
            }
        }
    }
}
