//! The last look before money leaves: what is not as usual, and the buttons.
//!
//! The unusual things are worked out again whenever something comes in that they depend on: the
//! journal's answer, a quote, another withdrawal that is open or is no longer. An amount that was
//! typed before does not answer a reason that came after it.

use crate::app::cx::Cx;
use crate::app::screen::buttons::DEAD_MS;
use crate::app::screen::{Actions, BodyMut, Buttons, ScreenBody, in_dialog};
use crate::app::store::withdrawals::Past;
use crate::app::store::withdrawals::{self, Retype, WhyRetype};
use crate::app::ui::Action;
use crate::app::{Effect, MoneyCommand, Store};
use crate::trade::withdrawal::Agreement;
use crate::trade::{AmountField, JournalTrouble, Money, Withdrawal};

/// The last look before money leaves.
#[derive(Debug, Clone)]
pub struct LastLook {
    /// The way back, and the button that moves money.
    pub buttons: Buttons,
    /// The reason the amount must be typed again, if it must.
    pub retype: Option<Retype>,
    /// The past that matters here, once the journal has answered.
    pub past: Option<Past>,
}

impl LastLook {
    /// Nothing is known yet: the button is dead until the journal answers what should be mentioned.
    pub fn waiting() -> LastLook {
        LastLook { buttons: Buttons::armed_at(u64::MAX), retype: None, past: None }
    }

    /// Takes what the journal found that should be mentioned; returns its trouble.
    pub fn looked_up(
        &mut self,
        cx: &mut Cx,
        past: &Result<Past, JournalTrouble>,
    ) -> Option<JournalTrouble> {
        match past {
            Ok(past) => {
                self.past = Some(past.clone());
                self.buttons.armed_at_ms = cx.store.now.boot_ms + DEAD_MS;
                None
            }
            Err(trouble) => {
                cx.store.withdrawals.trouble = Some(trouble.clone());
                if trouble.may_pass() {
                    withdrawals::reload(cx);
                }
                Some(trouble.clone())
            }
        }
    }

    /// Takes everything that is not as usual now.
    pub fn reconsider(&mut self, store: &Store, why: Vec<WhyRetype>) {
        let known = self.why();
        let is_known = known.len() == why.len()
            && known.iter().zip(&why).all(|(known, why)| known.is_same(why));
        if !is_known {
            // What was typed before this was known agreed to something else.
            self.retype = Retype::of(why);
            self.buttons.begin_again(store.now.boot_ms);
        }
    }

    /// Returns true when its moment has passed, and the amount was typed again or need not be.
    pub fn may_confirm(&self, amount: Money, now_ms: u64) -> bool {
        let is_retyped =
            self.retype.as_ref().is_none_or(|retype| retype.field.money() == Some(amount));
        now_ms >= self.buttons.armed_at_ms && is_retyped
    }

    /// Everything that is not as usual.
    pub fn why(&self) -> &[WhyRetype] {
        self.retype.as_ref().map(|retype| &retype.why[..]).unwrap_or_default()
    }

    /// The other withdrawal that is named first.
    pub fn named(&self) -> Option<&Withdrawal> {
        self.why().iter().find_map(WhyRetype::other)
    }

    /// The field that wants the amount again.
    pub fn amount_field(&self) -> Option<&AmountField> {
        self.retype.as_ref().map(|retype| &retype.field)
    }

    /// Returns what is offered on it.
    pub fn actions(&self, has_more: bool) -> Actions {
        let mut offered = in_dialog(has_more);
        offered.extend(self.named().map(|_| Action::ShowOther));
        offered.into()
    }

    /// The body of its screen.
    pub fn body(&self) -> ScreenBody<'_> {
        ScreenBody::Dialog(&self.buttons, self.amount_field())
    }

    /// The same, to change it.
    pub fn body_mut(&mut self) -> BodyMut<'_> {
        let field = self.retype.as_mut().map(|retype| &mut retype.field);
        BodyMut::Dialog(&mut self.buttons, field)
    }
}

/// Looks in the journal for what should be mentioned.
pub fn look_up_past(cx: &mut Cx, agreement: &Agreement) {
    let agreement = Box::new(agreement.clone());
    cx.perform(Effect::Money(MoneyCommand::LookUpPast(agreement)));
}
