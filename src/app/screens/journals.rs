//! Several journals of withdrawals: the seller picks the one that is the live one.
//!
//! Earlier builds kept one for each address. While another one holds what may be the same payment,
//! nothing new is withdrawn: it is picked first, and what is in it is finished.

mod show;

use crate::app::next::{Next, Question, Step};
use crate::app::screen::{Kind, Screen};
use crate::app::ui::list::Move;
use crate::app::ui::{Action, Area, Page, blocks};
use crate::app::{Msg, Pane, Stamp, Store};

/// The journals of which one is picked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Journals {
    /// The one under the cursor.
    pub cursor: usize,
}

impl Screen for Journals {
    fn kind(&self) -> Kind {
        Kind::in_pane("journals", Pane::Withdrawals)
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

    /// Asks whether the one under the cursor is meant.
    fn act(&mut self, store: &mut Store, action: Action, _: &Stamp) -> Next {
        let picked = store.withdrawals.journals().get(self.cursor).map(|one| one.dir.clone());
        match (action, picked) {
            (Action::Open, Some(dir)) => Next::ask(Question::PickJournal(dir)),
            _ => Next::none(),
        }
    }

    /// Goes to another one, once this one was seen to its end.
    fn go(&mut self, store: &mut Store, to: Move) -> Option<Next> {
        let last = store.withdrawals.journals().len().saturating_sub(1);
        let scrolled = (store.scroll, store.overflow.lines);
        (self.cursor, store.scroll) = blocks::go(self.cursor, last, scrolled, to)?;
        Some(Next::none())
    }

    fn hear(&mut self, _: &mut Store, msg: &Msg, _: &Stamp) -> Next {
        match msg {
            Msg::JournalPicked(_) => Step::Close.into(),
            _ => Next::none(),
        }
    }

    fn lasts(&self, store: &Store) -> bool {
        !store.withdrawals.journals().is_empty()
    }
}
