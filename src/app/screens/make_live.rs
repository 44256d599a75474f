//! The form in which the journal here is made the live one: its path is typed.
//!
//! Withdrawals that are only in the other journal are not known here, so the same payment could
//! leave again. No single key does that.

mod show;

use crate::app::next::{Next, Step};
use crate::app::screen::{Kind, Screen};
use crate::app::store::notice::Notice;
use crate::app::store::withdrawals;
use crate::app::ui::form::{Field, FieldError, Form, Label};
use crate::app::ui::sent_form::SentForm;
use crate::app::ui::{Area, Page, Target};
use crate::app::{Effect, Msg, Pane, Stamp, Store};
use crate::trade::Failure;

const FIELD: &str = "path";

/// The longest path that can be typed.
const MOST: usize = 4096;

/// The form with the path.
#[derive(Debug, Clone)]
pub struct MakeLive {
    /// The form.
    pub sent: SentForm,
}

impl MakeLive {
    /// The form before anything is typed.
    pub fn open() -> MakeLive {
        let path = Field::text(FIELD, Label::Word("field-journal-path"), true, MOST);
        MakeLive { sent: SentForm::new(Form::new(vec![path])) }
    }
}

impl Screen for MakeLive {
    fn kind(&self) -> Kind {
        Kind::in_pane("make-live", Pane::Withdrawals)
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        show::form(store, self, area, page);
    }

    fn sent(&self) -> Option<&SentForm> {
        Some(&self.sent)
    }

    fn sent_mut(&mut self) -> Option<&mut SentForm> {
        Some(&mut self.sent)
    }

    fn submit(&mut self, store: &mut Store, at: &Stamp) -> Next {
        // The button is on the screen only together with its warning.
        if !at.seen.targets.iter().any(|(_, target)| *target == Target::Submit) {
            return Next::none();
        }
        let wait = store.wait();
        if !self.sent.form.check() {
            return Next::none();
        }
        if self.sent.form.value(FIELD).trim() != store.journal.raw() {
            self.sent.form.fault(FIELD, FieldError::Differs);
            return Next::none();
        }
        self.sent.begin(wait);
        Effect::MakeLive(wait.ticket).into()
    }

    fn cancel(&mut self, _: &mut Store) -> Next {
        self.sent.fail(Failure::Cancelled);
        Next::none()
    }

    fn hear(&mut self, store: &mut Store, msg: &Msg, _: &Stamp) -> Next {
        let Msg::MadeLive { ticket, result } = msg else { return Next::none() };
        let Some(Ok(())) = self.sent.answer(*ticket, result) else { return Next::none() };
        store.say(Notice::MadeLive);
        Next::from(Step::Close).and(withdrawals::look_again(store))
    }

    fn lasts(&self, store: &Store) -> bool {
        store.withdrawals.live_elsewhere().is_some()
    }
}
