//! The seller's last look before money is sent. It lists unusual facts about the withdrawal, such
//! as a recent similar one. Its two buttons go back or send the withdrawal.
//!
//! The review screen and the send dialog share this code. If a new fact appears, for example
//! because another withdrawal changed, the seller must type the amount again.

use crate::app::cx::Cx;
use crate::app::screen::buttons::CONFIRM_DELAY_MS;
use crate::app::screen::{Actions, BodyMut, Buttons, ScreenBody, dialog_actions};
use crate::app::store::withdrawals::PastPayments;
use crate::app::store::withdrawals::{self, Retype, WhyRetype};
use crate::app::ui::Action;
use crate::app::{Effect, MoneyCommand, Store};
use crate::trade::withdrawal::{Agreement, Retyped};
use crate::trade::{AmountField, JournalTrouble, Money, Withdrawal};

/// The last check before a withdrawal is sent, shared by the review screen and the send dialog.
#[derive(Debug, Clone)]
pub struct FinalReview {
    /// The buttons: going back and sending.
    pub buttons: Buttons,
    /// The reasons why the seller must type the amount again, with the input field. `None` if there
    /// is no reason.
    pub retype: Option<Retype>,
    /// The related earlier withdrawals; `None` until the journal has returned them.
    pub past: Option<PastPayments>,
}

impl FinalReview {
    /// Creates a check whose confirming button is disabled until the journal has returned the
    /// related earlier withdrawals.
    pub fn waiting() -> FinalReview {
        FinalReview {
            buttons: Buttons::armed_at(u64::MAX),
            retype: None,
            past: None,
        }
    }

    /// Stores the related earlier withdrawals and enables the confirming button after a moment. If
    /// the journal failed, returns its error.
    pub fn on_past_loaded(
        &mut self,
        cx: &mut Cx,
        past: &Result<PastPayments, JournalTrouble>,
    ) -> Option<JournalTrouble> {
        match past {
            Ok(past) => {
                self.past = Some(past.clone());
                self.buttons.armed_at_ms = cx.store.now.boot_ms + CONFIRM_DELAY_MS;
                None
            }
            Err(trouble) => {
                cx.store.withdrawals.trouble = Some(trouble.clone());
                if trouble.is_transient() {
                    withdrawals::reload(cx);
                }
                Some(trouble.clone())
            }
        }
    }

    /// Sets the reasons why the seller must type the amount again. New reasons clear the field and
    /// disable the button for a moment.
    pub fn set_reasons(&mut self, store: &Store, new_reasons: Vec<WhyRetype>) {
        let reasons = self.reasons();
        let is_known = reasons.len() == new_reasons.len()
            && reasons
                .iter()
                .zip(&new_reasons)
                .all(|(old, new)| old.is_same(new));
        if !is_known {
            // The seller typed the amount without knowing the new reasons, so it must be typed
            // again.
            self.retype = Retype::of(new_reasons);
            self.buttons.reset_focus_and_delay(store.now.boot_ms);
        }
    }

    /// True if the confirming button is enabled: its delay has passed and, if the seller must type
    /// the amount again, the typed amount is right.
    pub fn may_confirm(&self, amount: Money, now_ms: u64) -> bool {
        let is_retyped = self
            .retype
            .as_ref()
            .is_none_or(|retype| retype.field.money() == Some(amount));
        now_ms >= self.buttons.armed_at_ms && is_retyped
    }

    pub fn reasons(&self) -> &[WhyRetype] {
        self.retype
            .as_ref()
            .map(|retype| &retype.why[..])
            .unwrap_or_default()
    }

    /// The other withdrawal that is the reason for typing the amount again. If there are several,
    /// returns the first.
    pub fn other_withdrawal(&self) -> Option<&Withdrawal> {
        self.reasons().iter().find_map(WhyRetype::other_withdrawal)
    }

    /// The retyped amount and the other withdrawals that were shown as reasons for retyping.
    ///
    /// Returns `None` if no other withdrawal was a reason, for example if only the fee quote was
    /// missing. The journal accepts a retyped amount only together with such withdrawals.
    pub fn retyped(&self) -> Option<Retyped> {
        let others = self
            .reasons()
            .iter()
            .filter_map(WhyRetype::other_withdrawal);
        let other_keys: Vec<_> = others.map(|other| other.agreement.key).collect();
        let amount = self
            .amount_field()?
            .money()
            .filter(|_| !other_keys.is_empty())?;
        Some(Retyped {
            amount,
            shown_keys: other_keys,
        })
    }

    pub fn amount_field(&self) -> Option<&AmountField> {
        self.retype.as_ref().map(|retype| &retype.field)
    }

    pub fn actions(&self, has_more: bool) -> Actions {
        let mut offered = dialog_actions(has_more);
        offered.extend(self.other_withdrawal().map(|_| Action::ShowOther));
        offered.into()
    }

    pub fn body(&self) -> ScreenBody<'_> {
        ScreenBody::Dialog(&self.buttons, self.amount_field())
    }

    pub fn body_mut(&mut self) -> BodyMut<'_> {
        let field = self.retype.as_mut().map(|retype| &mut retype.field);
        BodyMut::Dialog(&mut self.buttons, field)
    }
}

/// Asks the journal for earlier withdrawals that are related to this one.
pub fn look_up_past(cx: &mut Cx, agreement: &Agreement) {
    let agreement = Box::new(agreement.clone());
    cx.perform(Effect::Money(MoneyCommand::LookUpPast(agreement)));
}
