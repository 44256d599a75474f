//! The keys.

mod show;

use crate::app::Store;
use crate::app::screen::{Actions, Info, Screen};
use crate::app::ui::{Action, Area, Page};

/// Every key that does something, place by place.
#[derive(Debug, Clone, Copy)]
pub struct Help;

impl Screen for Help {
    fn info(&self) -> Info {
        Info { is_wide: true, ..Info::of("help") }
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        show::draw(store, store.words(), area, page);
    }

    fn actions(&self, _: &Store, _: bool) -> Actions {
        vec![Action::Down, Action::Up].into()
    }
}
