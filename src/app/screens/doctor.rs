//! The checkup: what was found of this computer, the settings and the service, and what to do.
//!
//! It is examined beside the loop, each time the page is opened or asked for again. What was found
//! before stays on the page meanwhile.

mod show;

use std::sync::Arc;

use crate::app::cx::Cx;
use crate::app::screen::{Actions, Info, Screen, ScreenEvent};
use crate::app::store::clip::Clip;
use crate::app::store::copying;
use crate::app::ui::{Action, Area, Page};
use crate::app::{Effect, Msg, Store, Wait};
use crate::trade::checkup::Checkup;
use crate::words::checkup;

/// The page of the checkup.
#[derive(Debug, Clone, PartialEq)]
pub struct Doctor {
    /// The findings; none before the first examination ends.
    pub checkup: Option<Arc<Checkup>>,
    /// The examination that is under way.
    pub wait: Option<Wait>,
}

impl Doctor {
    /// The page, and the first examination.
    pub fn open(cx: &mut Cx) -> Doctor {
        let mut page = Doctor { checkup: None, wait: None };
        page.examine(cx);
        page
    }

    fn examine(&mut self, cx: &mut Cx) {
        let wait = cx.store.wait();
        self.wait = Some(wait);
        cx.perform(Effect::Examine { ticket: wait.ticket, size: cx.store.size })
    }

    /// The report as it is given away: without the words of files and other programs.
    fn report(&self, store: &Store) -> Option<String> {
        let at = (store.now.wall, store.setup.utc_offset_s);
        let words = store.words();
        let found = self.checkup.as_ref()?;
        Some(checkup::report(words, found, at, false).join("\n") + "\n")
    }
}

impl Screen for Doctor {
    fn info(&self) -> Info {
        let cancels = self.wait.map(|wait| wait.ticket);
        Info { is_looked_at: true, wait: self.wait, cancels, ..Info::of("doctor") }
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        show::draw(store, store.words(), self, area, page);
    }

    fn actions(&self, _: &Store, _: bool) -> Actions {
        let again = (self.wait.is_none(), Action::Refresh);
        let copy = (self.checkup.is_some(), Action::Copy);
        let moves = [(true, Action::Down), (true, Action::Up)];
        let all = [again, copy].into_iter().chain(moves);
        let all = all.filter(|(is_offered, _)| *is_offered).map(|(_, action)| action);
        all.collect::<Vec<_>>().into()
    }

    fn act(&mut self, cx: &mut Cx, action: Action) {
        match action {
            Action::Refresh => self.examine(cx),
            Action::Copy => {
                if let Some(report) = self.report(cx.store) {
                    copying::copy(cx, Clip::Report, report.into())
                }
            }
            _ => {}
        }
    }

    /// Waits no more; what was found before stays.
    fn on_event(&mut self, cx: &mut Cx, event: ScreenEvent) -> bool {
        match event {
            ScreenEvent::Cancelled => {
                self.wait = None;
                if self.checkup.is_none() {
                    cx.close();
                }
            }
            ScreenEvent::Message(Msg::Examined { ticket, checkup })
                if self.wait.is_some_and(|wait| wait.ticket == *ticket) =>
            {
                (self.checkup, self.wait) = (Some(checkup.clone()), None);
            }
            _ => return false,
        }
        true
    }
}
