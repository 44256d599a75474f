//! A tree of rows with a cursor. A row that contains other rows can be folded, and the rows can be
//! searched.

use std::collections::BTreeSet;
use std::sync::Arc;

use tui_input::Input as TextField;

use super::rows::Rows;
use crate::app::cx::Cx;
use crate::app::screen::{Actions, KeyContext, ScreenEvent};
use crate::app::store::exchanges::bodies::{Bodies, BodiesRequest};
use crate::app::ui::form::{Edited, Limit, edit_text};
use crate::app::ui::input::Key;
use crate::app::ui::list::{Move, moved_cursor, short_list};
use crate::app::ui::list_pane::put_hidden_counts;
use crate::app::ui::parts::{put, row};
use crate::app::ui::text::columns;
use crate::app::ui::{Action, Area, Line, Page, Role, Span, Target, hits};
use crate::app::{Effect, Msg, Notice, Store};
use crate::trade::{Exchange, Ticket};
use crate::words::{Catalogue, personal};

/// The state of the tree: its rows, the cursor, the folded rows and the search.
#[derive(Debug, Clone, Default)]
pub(super) struct Tree {
    /// The HTTP exchange, or the two HTTP exchanges that are compared.
    exchanges: Vec<Arc<Exchange>>,
    bodies: Option<Arc<Bodies>>,
    /// The last request to the runtime to read long bodies.
    request: Option<BodiesRequest>,
    rows: Option<Arc<Rows>>,
    /// The position of the cursor among all rows.
    cursor: usize,
    folded: BTreeSet<usize>,
    /// The search text; `None` if no search is active.
    query: Option<TextField>,
    is_typing: bool,
    /// True if the cursor went to another match after the last typing. The terminal's cursor then
    /// leaves the search field for the marked row.
    has_moved: bool,
    /// The position of the cursor before the search.
    search_start: usize,
    /// True if no row matches the search.
    has_no_match: bool,
}

/// The maximum number of characters of a search text.
const MAX_QUERY_LENGTH: usize = 100;

impl Tree {
    /// Creates the tree of one HTTP exchange, or of two HTTP exchanges that are compared.
    pub fn of(exchanges: Vec<Arc<Exchange>>) -> Tree {
        Tree {
            exchanges,
            ..Tree::default()
        }
    }

    /// The rows for the current mask and language. Rows that were built for other settings are
    /// built again. Returns `None` until the runtime has read long bodies.
    pub fn rows(&self, store: &Store) -> Option<Arc<Rows>> {
        let bodies = self.bodies(store)?;
        let current = self
            .rows
            .clone()
            .filter(|rows| rows.are_current(store, &bodies));
        Some(current.unwrap_or_else(|| Arc::new(Rows::of(store, &self.exchanges, bodies))))
    }

    /// The parsed bodies. Short bodies are parsed here if necessary; `None` until the runtime has
    /// parsed long ones.
    fn bodies(&self, store: &Store) -> Option<Arc<Bodies>> {
        let contract = &store.setup.contract;
        match &self.bodies {
            Some(bodies) if Arc::ptr_eq(&bodies.contract, contract) => Some(bodies.clone()),
            _ if Bodies::are_short(&self.exchanges) => {
                Some(Arc::new(Bodies::read(contract, &self.exchanges)))
            }
            earlier => earlier.clone(),
        }
    }

    /// Updates the bodies and the rows from the store. Requests long bodies from the runtime, and
    /// requests them again if the API contract has changed.
    fn refresh(&mut self, cx: &mut Cx) {
        self.bodies = self.bodies(cx.store);
        let contract = cx.store.setup.contract.clone();
        let is_read = self
            .bodies
            .as_ref()
            .is_some_and(|bodies| Arc::ptr_eq(&bodies.contract, &contract));
        let is_requested = self
            .request
            .as_ref()
            .is_some_and(|request| Arc::ptr_eq(&request.contract, &contract));
        if !is_read && !is_requested {
            let ticket = cx.store.next_ticket();
            let exchanges = self.exchanges.clone();
            let request = BodiesRequest {
                ticket,
                exchanges,
                contract,
                whole_reply: false,
            };
            self.request = Some(request.clone());
            cx.perform(Effect::ReadBodies(request));
        }
        if let Some(rows) = self.rows(cx.store) {
            self.replace_rows(rows);
        }
    }

    /// The ticket of the request to the runtime to read long bodies, if that request is pending.
    pub fn pending_ticket(&self) -> Option<Ticket> {
        let request = self.request.as_ref()?;
        let is_read = self
            .bodies
            .as_ref()
            .is_some_and(|bodies| Arc::ptr_eq(&bodies.contract, &request.contract));
        (!is_read).then_some(request.ticket)
    }

    /// The key bindings to use while the seller types a search text; `None` at other times.
    pub fn context(&self) -> Option<KeyContext> {
        self.is_typing.then_some(KeyContext::Search)
    }

    /// Stores the rows, so that they are not built again for each frame. The cursor stays on the
    /// same value, and the same values stay folded.
    fn replace_rows(&mut self, rows: Arc<Rows>) {
        match self.rows.replace(rows.clone()) {
            Some(earlier) if Arc::ptr_eq(&earlier, &rows) => {}
            Some(earlier) => {
                self.cursor = rows.find_same(&earlier, self.cursor);
                self.search_start = rows.find_same(&earlier, self.search_start);
                let folded = self.folded.iter();
                self.folded = folded.map(|n| rows.find_same(&earlier, *n)).collect();
                let search_words = self.search_words();
                self.has_no_match &= !rows.all.iter().any(|row| row.matches(&search_words));
            }
            // These are the first rows. The seller may have typed a search text before they were
            // ready, so search now.
            None => self.search(0, true),
        }
    }

    fn visible(&self, rows: &Rows) -> Vec<usize> {
        rows.visible(|n| self.folded.contains(&n))
    }

    fn search_words(&self) -> Vec<String> {
        self.query
            .as_ref()
            .map_or(vec![], |query| hits::words(query.value()))
    }

    /// True if the row under the cursor is folded; `None` if it contains no other rows.
    pub fn fold_at_cursor(&self) -> Option<bool> {
        let row = self.rows.as_ref()?.all.get(self.cursor)?;
        (row.nested_count > 0).then(|| self.folded.contains(&self.cursor))
    }

    /// Folds or unfolds the row under the cursor. If there is nothing to fold, folding moves the
    /// cursor to the row that contains this row.
    pub fn fold(&mut self, is_folded: bool) {
        match self.fold_at_cursor() {
            Some(false) if is_folded => _ = self.folded.insert(self.cursor),
            Some(true) if !is_folded => _ = self.folded.remove(&self.cursor),
            _ if is_folded => {
                let parent = self.rows.as_ref().and_then(|rows| rows.parent(self.cursor));
                self.cursor = parent.unwrap_or(self.cursor);
            }
            _ => {}
        }
    }

    fn move_cursor(&mut self, to: Move) {
        let Some(rows) = self.rows.clone() else {
            return;
        };
        let visible = self.visible(&rows);
        let index = visible
            .partition_point(|n| *n <= self.cursor)
            .saturating_sub(1);
        let last = visible.len().saturating_sub(1);
        self.cursor = visible
            .get(moved_cursor(index, last, to))
            .copied()
            .unwrap_or(0);
    }

    /// Moves the cursor to the next row that matches the search. The search begins `step` rows
    /// after the cursor, or before it if `forward` is false.
    fn search(&mut self, step: usize, forward: bool) {
        let search_words = self.search_words();
        let hit = self.go_to_match(step, forward, |rows, n| rows.all[n].matches(&search_words));
        self.has_no_match = hit.is_none() && !search_words.is_empty() && self.rows.is_some();
    }

    /// Moves the cursor to the next row for which `is_hit` returns true, and unfolds the rows that
    /// contain it. Returns `None` if there is no such row.
    pub fn go_to_match(
        &mut self,
        step: usize,
        forward: bool,
        is_hit: impl Fn(&Rows, usize) -> bool,
    ) -> Option<()> {
        let rows = self.rows.clone().filter(|rows| !rows.all.is_empty())?;
        let count = rows.all.len();
        let step = if forward { step } else { count - step };
        let start = (self.cursor + step) % count;
        let hit = rows.find_from(start, forward, |n| is_hit(&rows, n))?;
        self.folded
            .retain(|n| !(*n < hit && n + rows.all[*n].nested_count >= hit));
        self.cursor = hit;
        Some(())
    }

    fn type_key(&mut self, cx: &mut Cx, key: Key) -> bool {
        let Some(query) = self.query.as_mut().filter(|_| self.is_typing) else {
            return false;
        };
        match edit_text(query, MAX_QUERY_LENGTH, key) {
            Edited::Ignored => return false,
            Edited::Changed => {
                self.has_moved = false;
                self.cursor = self.search_start;
                self.search(0, true);
            }
            Edited::Full => cx
                .store
                .notify(Notice::Full(Limit::Characters(MAX_QUERY_LENGTH))),
            Edited::Unchanged => self.has_moved = false,
        }
        true
    }

    /// Draws the visible rows, the whole row under the cursor if it does not fit, and the search
    /// field. If `rows` is `None`, shows that long bodies are being read.
    pub fn show(&self, words: &Catalogue, rows: Option<&Rows>, area: Area, page: &mut Page) {
        let (area, field) = area.split_bottom(u16::from(self.query.is_some()));
        self.draw_search_field(words, field, page);
        let Some(rows) = rows else {
            return put(
                vec![Line::of(Role::Dim, words.text("exchange-reading"))],
                area,
                page,
            );
        };
        let visible = self.visible(rows);
        let cursor_index = visible
            .partition_point(|n| *n <= self.cursor)
            .saturating_sub(1);
        let Some(selected_row) = visible.get(cursor_index).and_then(|n| rows.all.get(*n)) else {
            return;
        };
        let width = usize::from(area.width).saturating_sub(1);
        let mut full_text = selected_row.full_text_if_cut(width);
        let max_lines = usize::from(area.height / 2);
        if full_text.len() > max_lines && max_lines > 2 {
            // Keep the last line, because it states which part of the value is missing.
            full_text.splice(
                max_lines - 2..full_text.len() - 1,
                [Line::of(Role::Dim, "…")],
            );
        }
        let lines = u16::try_from(full_text.len().min(max_lines)).unwrap_or(u16::MAX);
        let (list, below) = area.split_bottom(lines);
        put(full_text, below, page);
        let visible_rows = short_list(visible.len(), cursor_index, list);
        put_hidden_counts(words, &visible_rows, visible.len(), page);
        let search_words = self.search_words();
        for (position, y) in visible_rows.rows().zip(0..) {
            let n = visible[position];
            let area = visible_rows.area.row(y);
            page.add_click_target(area, Target::Row(position as u64));
            let width = usize::from(area.width).saturating_sub(1);
            let line = rows.all[n].fitted_line(self.folded.contains(&n), &search_words, width);
            put(vec![row(n == self.cursor, line.spans)], area, page);
        }
    }

    fn draw_search_field(&self, words: &Catalogue, area: Area, page: &mut Page) {
        let Some(query) = &self.query else { return };
        let no_match_text = if self.has_no_match {
            format!("  {}", words.text("exchange-text-none"))
        } else {
            String::new()
        };
        let room = usize::from(area.width).saturating_sub(3 + columns(&no_match_text));
        let visible_text = personal::typed_within(words, &query.value().into(), room);
        if self.is_typing && !self.has_moved && area.height > 0 {
            let x = u16::try_from(columns(&visible_text)).unwrap_or(0);
            page.set_cursor(area.x.saturating_add(2).saturating_add(x), area.y);
        }
        let spans = [
            (Role::Key, "/ ".into()),
            (Role::Text, visible_text),
            (Role::Warn, no_match_text),
        ];
        let line: Vec<_> = spans
            .map(|(role, text): (_, String)| Span::of(role, text))
            .into();
        put(vec![Line::from(line)], area, page);
    }

    /// The actions that are offered while the seller types a search text.
    pub fn typing_actions(&self) -> Option<Actions> {
        self.is_typing.then(|| {
            Actions::from(vec![Action::Enter, Action::NextField])
                .word(Action::Enter, "search")
                .word(Action::NextField, "hit")
        })
    }

    /// Runs an action of the search, or folds the row under the cursor.
    pub fn act(&mut self, action: Action) {
        match action {
            Action::Open => self.fold(self.fold_at_cursor() == Some(false)),
            Action::Search => {
                self.query.get_or_insert_default();
                (self.is_typing, self.search_start) = (true, self.cursor);
                self.has_moved = false;
            }
            Action::Enter => self.is_typing = false,
            Action::NextField | Action::PrevField => {
                self.search(1, action == Action::NextField);
                self.has_moved = true;
            }
            _ => {}
        }
    }

    /// Handles an event. Returns false if the tree does not handle it.
    pub fn on_event(&mut self, cx: &mut Cx, event: ScreenEvent) -> bool {
        match event {
            ScreenEvent::StoreChanged => self.refresh(cx),
            ScreenEvent::Message(Msg::BodiesRead(ticket, bodies)) => {
                if self
                    .request
                    .as_ref()
                    .is_some_and(|request| request.ticket == *ticket)
                {
                    self.bodies = Some(bodies.clone());
                }
                return false;
            }
            ScreenEvent::Moved(to) => self.move_cursor(to),
            ScreenEvent::Typed(key) => return self.type_key(cx, key),
            ScreenEvent::Back if self.query.is_some() => {
                (self.query, self.is_typing, self.has_no_match) = (None, false, false);
            }
            _ => return false,
        }
        true
    }
}
