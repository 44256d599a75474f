//! Every attempt of a withdrawal, in full.

use super::show;
use crate::app::action::Action;
use crate::app::screen::Screen;
use crate::app::ui::{Area, Page};
use crate::app::{Pane, Store};
use crate::trade::{IdempotencyKey, Withdrawal};
use crate::words::Words;

/// Every attempt of this withdrawal.
#[derive(Debug, Clone, Copy)]
pub struct Attempts(pub IdempotencyKey);

impl Screen for Attempts {
    fn name(&self) -> &'static str {
        "attempts"
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        if let Some(withdrawal) = self.withdrawal(store) {
            show::attempts(store, Words::of(store.setup.lang), withdrawal, area, page);
        }
    }

    fn actions(&self, _: &Store, _: bool) -> Vec<Action> {
        vec![Action::Down, Action::Up]
    }

    fn pane(&self) -> Option<Pane> {
        Some(Pane::Withdrawals)
    }

    fn withdrawal<'s>(&'s self, store: &'s Store) -> Option<&'s Withdrawal> {
        store.withdrawals.find(self.0)
    }
}
