//! The form in which the journal here is made the live one: its path is typed.
//!
//! Withdrawals that are only in the other journal are not known here, so the same payment could
//! leave again. No single key does that.

mod show;

use crate::app::cx::Cx;
use crate::app::screen::{BodyMut, Info, Screen, ScreenBody, ScreenEvent};
use crate::app::store::notice::Notice;
use crate::app::store::withdrawals;
use crate::app::ui::form::{Field, FieldError, Form, Label};
use crate::app::ui::sent_form::SentForm;
use crate::app::ui::{Action, Area, Page, Target};
use crate::app::{Effect, Msg, Pane, Store};

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
    fn info(&self) -> Info {
        Info::in_pane("make-live", Pane::Withdrawals)
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        show::form(store, self, area, page);
    }

    fn body(&self) -> ScreenBody<'_> {
        ScreenBody::Sent(&self.sent)
    }

    fn body_mut(&mut self) -> BodyMut<'_> {
        BodyMut::Sent(&mut self.sent)
    }

    fn act(&mut self, cx: &mut Cx, action: Action) {
        // The button is on the screen only together with its warning.
        let is_shown = cx.stamp.seen.targets.iter().any(|(_, target)| *target == Target::Submit);
        if action != Action::Submit || !is_shown {
            return;
        }
        let wait = cx.store.wait();
        if !self.sent.form.check() {
            return;
        }
        if self.sent.form.value(FIELD).trim() != cx.store.journal.raw() {
            self.sent.form.fault(FIELD, FieldError::Differs);
            return;
        }
        self.sent.begin(wait);
        cx.perform(Effect::MakeLive(wait.ticket))
    }

    fn on_event(&mut self, cx: &mut Cx, event: ScreenEvent) -> bool {
        match event {
            ScreenEvent::Message(Msg::MadeLive { ticket, result }) => {
                if let Some(Ok(())) = self.sent.answer(*ticket, result) {
                    cx.store.say(Notice::MadeLive);
                    cx.close();
                    withdrawals::look_again(cx);
                }
            }
            ScreenEvent::StoreChanged if cx.store.withdrawals.live_elsewhere().is_none() => {
                cx.close()
            }
            _ => return false,
        }
        true
    }
}
