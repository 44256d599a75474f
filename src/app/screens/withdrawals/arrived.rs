//! The form in which the seller says how much of a withdrawal arrived: only that tells whether the
//! unit of its amount is right.

mod show;

use crate::app::cx::Cx;
use crate::app::screen::{Actions, BodyMut, Info, Screen, ScreenBody, ScreenEvent, in_form};
use crate::app::store::confirming::{self, ArrivedAmount};
use crate::app::store::notice::Notice;
use crate::app::ui::action::Action;
use crate::app::ui::form::{Field, Form, Label};
use crate::app::ui::{Area, Page};
use crate::app::{Effect, Pane, Store};
use crate::trade::Withdrawal;

/// The form for how much of one withdrawal arrived.
#[derive(Debug, Clone)]
pub struct ArrivedForm {
    form: Form,
    withdrawal: Withdrawal,
    /// The sense of what was typed last, where it does not confirm the unit.
    doubt: Option<ArrivedAmount>,
}

impl ArrivedForm {
    /// The empty form: nothing is suggested, so that what is typed was seen.
    pub fn of(withdrawal: Withdrawal) -> ArrivedForm {
        let form = Form::new(vec![Field::amount("arrived", Label::Word("field-arrived"))]);
        ArrivedForm { form, withdrawal, doubt: None }
    }

    /// The sense of what was typed last, where it does not confirm the unit.
    pub fn doubt(&self) -> Option<ArrivedAmount> {
        self.doubt
    }
}

impl Screen for ArrivedForm {
    fn info(&self) -> Info {
        let about = Some(self.withdrawal.agreement.key);
        Info { about, ..Info::in_pane("arrived", Pane::Withdrawals) }
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        show::arrived(store, self, area, page);
    }

    fn actions(&self, _: &Store, _: bool) -> Actions {
        Actions::from(in_form(&self.form, None)).word(Action::Submit, "arrived")
    }

    fn body(&self) -> ScreenBody<'_> {
        ScreenBody::Form(&self.form)
    }

    fn body_mut(&mut self) -> BodyMut<'_> {
        BodyMut::Form(&mut self.form)
    }

    fn act(&mut self, cx: &mut Cx, action: Action) {
        if action != Action::Submit {
            return;
        }
        let Some(arrived) = self.form.money_or_fault() else { return };
        match confirming::judge(&self.withdrawal, arrived) {
            ArrivedAmount::AsExpected => {
                let lines = cx.store.setup.contract.unit_lines();
                cx.perform(Effect::Confirm(lines));
                cx.close();
                if cx.is_front {
                    cx.store.say(Notice::UnitConfirmed);
                }
            }
            doubt => {
                self.doubt = Some(doubt);
            }
        }
    }

    /// Another window may have confirmed it.
    fn on_event(&mut self, cx: &mut Cx, event: ScreenEvent) -> bool {
        let ScreenEvent::StoreChanged = event else { return false };
        if !confirming::asks_what_arrived(cx.store, &self.withdrawal) {
            cx.close();
        }
        true
    }
}
