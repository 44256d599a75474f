//! One withdrawal, with every attempt.

use std::sync::Arc;
use std::time::Duration;

use super::show::outcome;
use super::{act_on, counting, steps, word_in_details};
use crate::app::cx::Cx;
use crate::app::screen::{Kind, Screen};
use crate::app::store::teaching;
use crate::app::ui::action::Action;
use crate::app::ui::{Area, Page};
use crate::app::{Pane, Store};
use crate::trade::{Exchange, IdempotencyKey, Withdrawal};

/// One withdrawal, as it is known now.
#[derive(Debug, Clone)]
pub struct Details(pub Withdrawal);

impl Screen for Details {
    fn kind(&self) -> Kind {
        Kind::detail("withdrawal", Pane::Withdrawals)
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        outcome::draw(store, &self.0, None, area, page);
    }

    fn teachable(&self, store: &Store) -> Option<Arc<Exchange>> {
        teaching::after_withdrawal(store, &self.0)
    }

    fn actions(&self, store: &Store, _: bool) -> Vec<Action> {
        steps(store, &self.0, None)
    }

    fn word(&self, store: &Store, action: Action) -> Option<&'static str> {
        word_in_details(store, &self.0, action)
    }

    fn act(&mut self, cx: &mut Cx, action: Action) {
        act_on(cx, &self.0, action)
    }

    fn look_again(&mut self, cx: &mut Cx) {
        if let Some(now) = cx.store.withdrawals.find(self.0.agreement.key) {
            self.0.clone_from(now);
        }
    }

    fn next_deadline(&self, store: &Store, _: bool) -> Option<Duration> {
        counting::next(store, &self.0)
    }

    fn withdrawal<'s>(&'s self, _: &'s Store) -> Option<&'s Withdrawal> {
        Some(&self.0)
    }

    fn is_under_cursor(&self, store: &Store) -> bool {
        let selected = store.withdrawals.list.selected();
        selected.is_some_and(|one| one.agreement.key == self.0.agreement.key)
    }

    fn is_about(&self, key: IdempotencyKey) -> bool {
        self.0.agreement.key == key
    }
}
