//! Every attempt of a withdrawal, in full.

mod show;

use crate::app::screen::{Actions, Info, Screen, ScreenLinks};
use crate::app::ui::action::Action;
use crate::app::ui::{Area, Page};
use crate::app::{Pane, Store};
use crate::trade::IdempotencyKey;

/// Every attempt of this withdrawal.
#[derive(Debug, Clone, Copy)]
pub struct Attempts(pub IdempotencyKey);

impl Screen for Attempts {
    fn info(&self) -> Info {
        Info::in_pane("attempts", Pane::Withdrawals)
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        if let Some(withdrawal) = store.withdrawals.find(self.0) {
            show::draw(store, withdrawal, area, page);
        }
    }

    fn actions(&self, _: &Store, _: bool) -> Actions {
        vec![Action::Down, Action::Up].into()
    }

    fn links<'s>(&'s self, store: &'s Store) -> ScreenLinks<'s> {
        ScreenLinks { withdrawal: store.withdrawals.find(self.0), ..ScreenLinks::default() }
    }
}
