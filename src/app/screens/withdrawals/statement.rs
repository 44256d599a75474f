//! The typed statement that a withdrawal was not paid.
//!
//! It is the one thing a person can say that may cost the money twice, so the amount is typed
//! again, the harmless button has the focus, and it is only there where no send is safe any more.

mod show;

use crate::app::cx::Cx;
use crate::app::screen::buttons::DEAD_MS;
use crate::app::screen::{
    BodyMut, Buttons, Info, Offer, Screen, ScreenBody, ScreenEvent, ScreenLinks,
};
use crate::app::store::seen::Terms;
use crate::app::store::withdrawals::rules;
use crate::app::ui::action::Action;
use crate::app::ui::{Area, Page};
use crate::app::{Effect, MoneyCommand, Pane, Store};
use crate::trade::withdrawal::Decision;
use crate::trade::{AmountField, IdempotencyKey, Money, Withdrawal};

/// The statement, while it is being typed.
#[derive(Debug, Clone, PartialEq)]
pub struct Statement {
    /// The withdrawal's key.
    pub key: IdempotencyKey,
    /// The amount that was asked for, and is typed again.
    pub amount: Money,
    /// The amount as far as it was typed.
    pub field: AmountField,
    /// The way back, and the button that states it.
    pub buttons: Buttons,
}

impl Statement {
    /// The statement about this withdrawal.
    pub fn open(store: &Store, withdrawal: &Withdrawal) -> Statement {
        Statement {
            key: withdrawal.agreement.key,
            amount: withdrawal.agreement.amount,
            field: AmountField::default(),
            buttons: Buttons::armed_at(store.now.boot_ms + DEAD_MS),
        }
    }

    fn withdrawal<'s>(&self, store: &'s Store) -> Option<&'s Withdrawal> {
        store.withdrawals.find(self.key)
    }

    /// Returns true when the confirming button would state it now, where it is in sight.
    pub fn may_confirm(&self, store: &Store) -> bool {
        store.now.boot_ms >= self.buttons.armed_at_ms && self.is_typed()
    }

    /// Returns true when the amount was typed as it was asked for.
    pub fn is_typed(&self) -> bool {
        self.field.money() == Some(self.amount)
    }
}

impl Screen for Statement {
    fn info(&self) -> Info {
        Info { floats: true, stays: true, ..Info::in_pane("statement", Pane::Withdrawals) }
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        if let Some(withdrawal) = self.withdrawal(store) {
            show::draw(store, self, withdrawal, area, page);
        }
    }

    fn body(&self) -> ScreenBody<'_> {
        ScreenBody::Dialog(&self.buttons, Some(&self.field))
    }

    fn body_mut(&mut self) -> BodyMut<'_> {
        BodyMut::Dialog(&mut self.buttons, Some(&mut self.field))
    }

    fn act(&mut self, cx: &mut Cx, action: Action) {
        if action != Action::Press {
            return;
        }
        let stated =
            Effect::Money(MoneyCommand::Decide { key: self.key, choice: Decision::StatedNotPaid });
        cx.close();
        cx.perform(stated);
    }

    fn offer(&self, store: &Store) -> Option<Offer> {
        let terms = Terms::NotPaid(Box::new(self.withdrawal(store)?.clone()));
        Some(Offer { terms, may_confirm: self.may_confirm(store) })
    }

    fn on_event(&mut self, cx: &mut Cx, event: ScreenEvent) -> bool {
        let ScreenEvent::StoreChanged = event else { return false };
        let offered = self.withdrawal(cx.store).map(|one| rules::in_guide(cx.store, one));
        if offered.is_some_and(|offered| !offered.contains(&Action::NotPaid)) {
            cx.close();
        }
        true
    }

    fn links<'s>(&'s self, store: &'s Store) -> ScreenLinks<'s> {
        ScreenLinks { withdrawal: self.withdrawal(store), ..ScreenLinks::default() }
    }
}
