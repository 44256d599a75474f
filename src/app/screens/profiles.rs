//! The profiles of the seller's file: one of them is picked to take the place of this one.

mod show;

use crate::app::next::{Next, Step};
use crate::app::screen::{Kind, Screen};
use crate::app::ui::list::Move;
use crate::app::ui::{Action, Area, Page, blocks};
use crate::app::{Pane, Stamp, Store};

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
    fn kind(&self) -> Kind {
        Kind::in_pane("profiles", Pane::Account)
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        show::draw(store, store.words(), self.cursor, area, page);
    }

    fn actions(&self, _: &Store, _: bool) -> Vec<Action> {
        vec![Action::Open, Action::Down, Action::Up]
    }

    fn word(&self, _: &Store, action: Action) -> Option<&'static str> {
        (action == Action::Open).then_some("pick")
    }

    /// Asks for the one under the cursor.
    fn act(&mut self, store: &mut Store, action: Action, _: &Stamp) -> Next {
        match (action, store.setup.others.get(self.cursor)) {
            (Action::Open, Some(other)) => Step::SwitchProfile(other.name.clone()).into(),
            _ => Next::none(),
        }
    }

    /// Goes to another one, once this one was seen to its end.
    fn go(&mut self, store: &mut Store, to: Move) -> Option<Next> {
        let last = store.setup.others.len().saturating_sub(1);
        let scrolled = (store.scroll, store.overflow.lines);
        (self.cursor, store.scroll) = blocks::go(self.cursor, last, scrolled, to)?;
        Some(Next::none())
    }
}
