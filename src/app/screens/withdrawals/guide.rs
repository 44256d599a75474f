//! The guide: what to look for in the account, one thing at a time.
//!
//! A seller whom the service does not tell whether a withdrawal was paid has to look, and needs the
//! very figures to look for.

mod show;

use std::time::Duration;

use super::counting;
use crate::app::cx::{Cx, Question, Route};
use crate::app::screen::{Actions, Info, Screen, ScreenEvent, ScreenLinks};
use crate::app::store::clip::Clip;
use crate::app::store::copying;
use crate::app::store::withdrawals::clues::clues;
use crate::app::store::withdrawals::{WithdrawalsState, rules};
use crate::app::ui::action::Action;
use crate::app::ui::list::{Move, moved_in_text};
use crate::app::ui::{Area, Page};
use crate::app::{CopyTrouble, Pane, Store};
use crate::trade::{IdempotencyKey, Withdrawal};

/// The guide to finding this withdrawal in the account.
#[derive(Debug, Clone, Copy)]
pub struct Guide {
    /// The withdrawal's key.
    pub key: IdempotencyKey,
    /// The clue under the cursor.
    pub cursor: usize,
}

impl Guide {
    fn withdrawal<'s>(&self, store: &'s Store) -> Option<&'s Withdrawal> {
        store.withdrawals.find(self.key)
    }

    /// Goes to another clue; behind the last one the text goes on.
    fn move_cursor(&mut self, store: &mut Store, to: Move) -> bool {
        let count = self.withdrawal(store).map_or(0, |one| clues(store, one).len());
        let last = count.saturating_sub(1);
        let moved = moved_in_text(self.cursor, last, store.scroll, to);
        let Some(cursor) = moved else { return false };
        self.cursor = cursor;
        store.scroll = 0;
        true
    }
}

impl Screen for Guide {
    fn info(&self) -> Info {
        Info::in_pane("guide", Pane::Withdrawals)
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        if let Some(withdrawal) = self.withdrawal(store) {
            show::draw(store, withdrawal, self.cursor, area, page);
        }
    }

    fn actions(&self, store: &Store, _: bool) -> Actions {
        self.withdrawal(store).map(|one| rules::in_guide(store, one)).unwrap_or_default().into()
    }

    fn act(&mut self, cx: &mut Cx, action: Action) {
        match action {
            Action::Found => cx.ask(Question::Found(self.key)),
            Action::NotPaid => cx.open(Route::NotPaid(self.key)),
            // Where the text is scrolled the line under the bar may be off the screen.
            Action::Copy => {
                cx.store.scroll = 0;
                let clues =
                    self.withdrawal(cx.store).map(|one| clues(cx.store, one)).unwrap_or_default();
                match clues.into_iter().nth(self.cursor) {
                    Some(clue) => copying::exactly(cx, Clip::Clue(clue.what), clue.text),
                    None => cx.store.not_copied(CopyTrouble::Nothing),
                }
            }
            _ => {}
        }
    }

    fn on_event(&mut self, cx: &mut Cx, event: ScreenEvent) -> bool {
        match event {
            ScreenEvent::Moved(to) => return self.move_cursor(cx.store, to),
            ScreenEvent::StoreChanged => {
                let state = self.withdrawal(cx.store).map(|one| cx.store.state_of(one));
                if state.is_some_and(|state| !WithdrawalsState::asks(&state)) {
                    cx.close();
                }
            }
            _ => return false,
        }
        true
    }

    fn next_deadline(&self, store: &Store, _: bool) -> Option<Duration> {
        counting::next(store, self.withdrawal(store)?)
    }

    fn links<'s>(&'s self, store: &'s Store) -> ScreenLinks<'s> {
        ScreenLinks { withdrawal: self.withdrawal(store), ..ScreenLinks::default() }
    }
}
