//! The keys.

pub mod show;

use crate::app::Store;
use crate::app::action::Action;
use crate::app::screen::Screen;
use crate::app::ui::{Area, Page};
use crate::words::Words;

/// Every key that does something, place by place.
#[derive(Debug, Clone, Copy)]
pub struct Help;

impl Screen for Help {
    fn name(&self) -> &'static str {
        "help"
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        show::draw(store, Words::of(store.setup.lang), area, page);
    }

    fn actions(&self, _: &Store, _: bool) -> Vec<Action> {
        vec![Action::Down, Action::Up]
    }
}
