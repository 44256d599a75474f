//! One withdrawal, with every attempt.

use std::time::Duration;

use super::show::outcome;
use super::{act_on, counting, in_details};
use crate::app::cx::Cx;
use crate::app::screen::{Actions, Info, Screen, ScreenEvent, ScreenLinks};
use crate::app::store::teaching;
use crate::app::ui::action::Action;
use crate::app::ui::lists::Look;
use crate::app::ui::{Area, Page};
use crate::app::{Pane, Store};
use crate::trade::Withdrawal;

/// One withdrawal, as it is known now.
#[derive(Debug, Clone)]
pub struct Details(pub Withdrawal);

impl Screen for Details {
    fn info(&self) -> Info {
        let about = Some(self.0.agreement.key);
        Info { about, ..Info::detail("withdrawal", Pane::Withdrawals) }
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        outcome::draw(store, &self.0, None, (area, Look::Entered), page);
    }

    fn actions(&self, store: &Store, _: bool) -> Actions {
        in_details(store, &self.0, None)
    }

    fn act(&mut self, cx: &mut Cx, action: Action) {
        act_on(cx, &self.0, action)
    }

    fn on_event(&mut self, cx: &mut Cx, event: ScreenEvent) -> bool {
        let ScreenEvent::StoreChanged = event else { return false };
        if let Some(now) = cx.store.withdrawals.find(self.0.agreement.key) {
            self.0.clone_from(now);
        }
        true
    }

    fn next_deadline(&self, store: &Store, _: bool) -> Option<Duration> {
        counting::next(store, &self.0)
    }

    fn links<'s>(&'s self, store: &'s Store) -> ScreenLinks<'s> {
        let selected = store.withdrawals.list.selected();
        ScreenLinks {
            exchange: teaching::after_withdrawal(store, &self.0),
            withdrawal: Some(&self.0),
            is_under_cursor: selected.is_some_and(|one| one.agreement.key == self.0.agreement.key),
            ..ScreenLinks::default()
        }
    }
}
