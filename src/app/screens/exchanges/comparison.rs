//! The screen that compares two HTTP exchanges side by side.

use std::sync::Arc;

use super::rows::{Rows, headings};
use super::tree::Tree;
use super::{label_actions, reveal_actions};
use crate::app::cx::Cx;
use crate::app::screen::{Actions, Info, Screen, ScreenEvent};
use crate::app::store::exchanges;
use crate::app::ui::parts::{put, title};
use crate::app::ui::{Action, Area, Line, Page, Role};
use crate::app::{Pane, Store};
use crate::trade::Exchange;
use crate::words::names;

/// The screen that compares two HTTP exchanges side by side.
#[derive(Debug, Clone)]
pub struct Comparison {
    pub exchanges: [Arc<Exchange>; 2],
    tree: Tree,
}

impl From<[Arc<Exchange>; 2]> for Comparison {
    fn from(exchanges: [Arc<Exchange>; 2]) -> Comparison {
        let tree = Tree::of(exchanges.to_vec());
        Comparison { exchanges, tree }
    }
}

impl Comparison {
    /// The memory address of the rows. A test compares addresses to detect that the rows were built
    /// again.
    #[cfg(test)]
    pub fn rows_address(&self, store: &Store) -> usize {
        self.tree
            .rows(store)
            .map_or(0, |rows| Arc::as_ptr(&rows).addr())
    }
}

impl Screen for Comparison {
    fn info(&self) -> Info {
        let info = Info::in_pane("comparison", Pane::Exchanges);
        let context = self.tree.context();
        let cancels = self.tree.pending_ticket();
        Info {
            context,
            cancels,
            is_wide: true,
            ..info
        }
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        let (head, rest) = area.split_top(2);
        let words = exchanges::words(store);
        let rows = self.tree.rows(store);
        let count = rows.as_ref().map(|rows| rows.differences() as u64);
        let count = count
            .map(|count| words.count("compare-count", count, &[]))
            .unwrap_or_default();
        title(
            &words.text("compare-title"),
            Line::of(Role::Dim, count),
            head,
            page,
        );
        let (columns, rest) = rest.split_top(2);
        let width = usize::from(area.width).saturating_sub(1);
        let operations = self
            .exchanges
            .each_ref()
            .map(|exchange| names::operation(words, exchange.operation));
        let times = self
            .exchanges
            .each_ref()
            .map(|exchange| store.render_cx().moment(exchange.at));
        put(
            vec![headings(&operations, width), headings(&times, width)],
            columns,
            page,
        );
        self.tree.show(store.words(), rows.as_deref(), rest, page);
    }

    fn actions(&self, store: &Store, _: bool) -> Actions {
        if let Some(search_actions) = self.tree.typing_actions() {
            return search_actions;
        }
        let is_folded = self.tree.fold_at_cursor();
        let mut offered = vec![Action::NextPane];
        offered.extend(is_folded.map(|_| Action::Open));
        offered.extend(reveal_actions(store));
        let moves = [
            Action::Search,
            Action::PrevPane,
            Action::Down,
            Action::Up,
            Action::Help,
        ];
        offered.extend(moves);
        let word = if is_folded == Some(true) {
            "unfold"
        } else {
            "fold"
        };
        label_actions(store, offered)
            .word(Action::Open, word)
            .word(Action::NextPane, "difference")
            .word(Action::PrevPane, "difference")
    }

    fn act(&mut self, cx: &mut Cx, action: Action) {
        match action {
            Action::Reveal => cx.store.exchanges_unmasked ^= true,
            Action::NextPane => _ = self.tree.go_to_match(1, true, Rows::is_difference),
            Action::PrevPane => _ = self.tree.go_to_match(1, false, Rows::is_difference),
            other => self.tree.act(other),
        }
    }

    fn on_event(&mut self, cx: &mut Cx, event: ScreenEvent) -> bool {
        self.tree.on_event(cx, event)
    }
}
