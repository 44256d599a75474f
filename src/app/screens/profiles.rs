//! The profiles of the seller's file: one of them is picked to take the place of this one.

mod show;

use crate::app::cx::Cx;
use crate::app::screen::{Actions, Info, Screen, ScreenEvent};
use crate::app::ui::list::moved_in_text;
use crate::app::ui::{Action, Area, Page};
use crate::app::{Pane, Store};

/// The other profiles, and the one under the cursor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ProfileList {
    /// The one under the cursor.
    pub cursor: usize,
}

impl ProfileList {
    /// The list, with the cursor on the one that could not be opened.
    pub fn open(store: &Store) -> ProfileList {
        let trouble = store.profiles.trouble.as_ref().map(|(name, _)| name);
        let place = store.setup.others.iter().position(|other| Some(&other.name) == trouble);
        ProfileList { cursor: place.unwrap_or(0) }
    }
}

impl Screen for ProfileList {
    fn info(&self) -> Info {
        Info::in_pane("profiles", Pane::Account)
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        show::draw(store, store.words(), self.cursor, area, page);
    }

    fn actions(&self, _: &Store, _: bool) -> Actions {
        Actions::from(vec![Action::Open, Action::Down, Action::Up]).word(Action::Open, "pick")
    }

    /// Asks for the one under the cursor.
    fn act(&mut self, cx: &mut Cx, action: Action) {
        if let (Action::Open, Some(other)) = (action, cx.store.setup.others.get(self.cursor)) {
            let to = other.name.clone();
            cx.switch_profile(to);
        }
    }

    fn on_event(&mut self, cx: &mut Cx, event: ScreenEvent) -> bool {
        let ScreenEvent::Moved(to) = event else { return false };
        let last = cx.store.setup.others.len().saturating_sub(1);
        let Some(cursor) = moved_in_text(self.cursor, last, cx.store.scroll, to) else {
            return false;
        };
        (self.cursor, cx.store.scroll) = (cursor, 0);
        true
    }
}
