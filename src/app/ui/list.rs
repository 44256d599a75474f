//! The state of a list on the screen: a window of loaded rows, a cursor and a search.
//!
//! The whole list is in a database and may be far longer than the window.

use std::sync::Arc;

use tui_input::Input as TextField;

use crate::app::ui::Area;
use crate::app::ui::form::{Edited, edit_text};
use crate::app::ui::input::Key;
use crate::app::ui::parts::SearchField;
use crate::trade::{ListPage, PagePlace, RowId, Search, Ticket};

/// The maximum number of rows that a list loads at once, as its window.
pub const WINDOW_ROWS: u64 = 200;

/// A list with only a window of its rows loaded.
#[derive(Debug, Clone)]
pub struct List<T> {
    /// The loaded rows (the window).
    pub page: ListPage<T>,
    /// The position of the row under the cursor, in the whole list.
    pub cursor: u64,
    /// The position of the first visible row, in the whole list. It changes only when the cursor
    /// moves past an edge of the screen.
    pub top: u64,
    /// The search text.
    pub query: TextField,
    /// True while the search field has the focus.
    pub searching: bool,
    /// The pending request for rows; a response with another ticket is dropped.
    pub asked: Option<Ticket>,
    /// The request whose rows have arrived, while their total number is still being counted.
    pub counting: Option<Ticket>,
    /// True while the loaded rows are the result of a previous search or filter.
    pub has_stale_rows: bool,
    /// True after the first load has ended. Until then, an empty list may still have rows to load.
    pub loaded: bool,
    /// True while the cursor must stay on its row, even if another instance of the program adds
    /// rows above it. A key press then acts on the row that the user saw.
    pub keeps_row: bool,
    /// A row that was just created. The cursor moves to this row as soon as it is loaded.
    pub made: Option<T>,
}

impl<T> Default for List<T> {
    fn default() -> Self {
        List {
            page: ListPage::default(),
            cursor: 0,
            top: 0,
            query: TextField::default(),
            searching: false,
            asked: None,
            counting: None,
            has_stale_rows: false,
            loaded: false,
            keeps_row: false,
            made: None,
        }
    }
}

/// A request for a window of rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageRequest {
    pub ticket: Ticket,
    /// The search text as typed; empty for all rows.
    pub query: Arc<str>,
    /// The search text as parsed, for the database.
    pub search: Search,
    /// The position of the first requested row.
    pub first: u64,
    /// The number of requested rows.
    pub rows: u64,
    /// The position of the requested rows, for a list that is read by row id.
    pub place: PagePlace,
}

/// A movement of the cursor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Move {
    /// By this number of rows; a negative number moves up.
    By(i64),
    First,
    Last,
    /// To this position in the whole list.
    To(u64),
}

impl<T> List<T> {
    /// Returns the search field of the list. `is_personal` is true if users search for personal
    /// data in this list.
    pub fn field(&self, is_personal: bool) -> SearchField<'_> {
        SearchField { query: &self.query, searching: self.searching, is_personal }
    }

    /// Returns a request for the window around the cursor.
    ///
    /// A pending count of an earlier request's rows is dropped, because the new response brings its
    /// own count.
    pub fn ask(&mut self, ticket: Ticket) -> PageRequest {
        (self.asked, self.counting) = (Some(ticket), None);
        self.keeps_row = false;
        let first = self.cursor.saturating_sub(WINDOW_ROWS / 2);
        let query: Arc<str> = self.query.value().into();
        let search = Search::from(&*query);
        PageRequest { ticket, query, search, first, rows: WINDOW_ROWS, place: PagePlace::Top }
    }

    /// Returns a request for the window around the cursor. The request locates the window by the id
    /// of a loaded row.
    pub fn request_near_row(&mut self, ticket: Ticket, id: impl Fn(&T) -> RowId) -> PageRequest {
        let ask = self.ask(ticket);
        let first = ask.first;
        let ListPage { rows, first: before, .. } = &self.page;
        let near = usize::try_from(self.cursor.saturating_sub(*before)).unwrap_or(usize::MAX);
        let near = near.min(rows.len().saturating_sub(1));
        let place = match rows.get(near) {
            _ if first == 0 => PagePlace::Top,
            _ if self.cursor >= self.last().min(u64::MAX / 2) => PagePlace::End,
            Some(row) if !self.has_stale_rows => {
                PagePlace::Near { id: id(row), place: before + near as u64, first }
            }
            _ => PagePlace::Top,
        };
        PageRequest { place, ..ask }
    }

    /// Returns the position of the last row, or `u64::MAX` while the number of rows is unknown.
    fn last(&self) -> u64 {
        self.page.total.map_or(u64::MAX, |total| total.saturating_sub(1))
    }

    /// Returns true if the list is known to have no rows.
    pub fn is_empty(&self) -> bool {
        self.page.total == Some(0)
    }

    /// Returns true while it is unknown whether the list has rows, because it was never loaded or
    /// is being reloaded for the same search.
    ///
    /// A list that is reloaded because a row was just created must not be called empty.
    pub fn is_reading(&self) -> bool {
        !self.loaded || self.asked.is_some() && !self.has_stale_rows
    }

    /// Starts a new search or filter, with the cursor on its first row.
    pub fn restart_search(&mut self) {
        (self.cursor, self.has_stale_rows) = (0, true);
    }

    /// Stores a window of rows and returns true. If it is not the requested window, stores nothing
    /// and returns false.
    pub fn take(&mut self, ticket: Ticket, page: ListPage<T>) -> bool {
        if self.asked != Some(ticket) {
            return false;
        }
        self.asked = None;
        self.loaded = true;
        self.has_stale_rows = false;
        self.counting = page.total.is_none().then_some(ticket);
        self.page = page;
        self.cursor = self.cursor.min(self.last());
        // Rows may have been added after the request, so the cursor may be outside the window.
        if let Some(more) = (self.page.rows.len() as u64).checked_sub(1) {
            let first = self.page.first;
            self.cursor = self.cursor.clamp(first, first + more);
        }
        true
    }

    /// Stores a window of rows like [`take`](Self::take). The cursor moves to a newly created row,
    /// or stays on its row if [`keeps_row`](Self::keeps_row) is set. `same` returns true if two
    /// values are the same row.
    pub fn store_page_keeping_row(
        &mut self,
        ticket: Ticket,
        page: ListPage<T>,
        same: impl Fn(&T, &T) -> bool,
    ) -> bool {
        if self.asked != Some(ticket) {
            return false;
        }
        let find = |one: &T| page.rows.iter().position(|row| same(one, row));
        let made = self.made.take();
        let kept = || self.selected().filter(|_| self.keeps_row);
        let row = made.as_ref().and_then(find).or_else(|| kept().and_then(find));
        let row = row.map(|row| page.first + row as u64);
        self.take(ticket, page);
        if let Some(row) = row {
            self.cursor = row;
        }
        true
    }

    /// Replaces a loaded row with a newer version of it, so that the screens show the change before
    /// the rows are loaded again. `same` returns true if two values are the same row.
    pub fn replace(&mut self, new: &T, same: impl Fn(&T, &T) -> bool)
    where
        T: Clone,
    {
        let newest = |row: &T| if same(row, new) { new.clone() } else { row.clone() };
        self.page.rows = self.page.rows.iter().map(newest).collect();
    }

    /// Returns the visible lines: the rows, and a heading above the first row of each day or group.
    ///
    /// This runs for every key press, and a window has far more rows than the screen, so rows more
    /// than a screen height away from the top row and the cursor are skipped.
    pub fn shown(&self, area: Area, heading: impl Fn(&T) -> ListLine) -> ShownRows {
        let ListPage { rows, first: before, .. } = &self.page;
        let height = usize::from(area.height);
        // If the row under the cursor is not loaded yet, show the cursor at the nearest loaded row.
        let edge = before + (rows.len() as u64).saturating_sub(1);
        let (top, cursor) = (self.top, self.cursor.clamp(*before, edge));
        let index = |row: u64| usize::try_from(row.saturating_sub(*before)).unwrap_or(usize::MAX);
        let first = index(top.min(cursor)).saturating_sub(height);
        let end = index(top.max(cursor)).saturating_add(height + 1).min(rows.len());
        let mut last = first.checked_sub(1).map(|above| heading(&rows[above]));
        let mut lines = vec![];
        for (row, one) in (before + first as u64..).zip(&rows[first..end]) {
            let heading = Some(heading(one));
            if heading != last {
                lines.extend(heading);
                last = heading;
            }
            lines.push(ListLine::Row(row));
        }
        let lines = around(lines, top, cursor, area.height);
        ShownRows { area, lines, foot: area.split_bottom(0).1 }
    }

    /// Returns the row under the cursor, if it is loaded.
    pub fn selected(&self) -> Option<&T> {
        let at = self.cursor.checked_sub(self.page.first)?;
        self.page.rows.get(usize::try_from(at).ok()?)
    }
}

/// The maximum number of characters of a search text.
pub const MOST_SEARCHED: usize = 80;

/// The functions of a list that do not depend on the type of the list's rows.
pub trait AnyList {
    /// Returns true if the search field has the focus.
    fn is_searching(&self) -> bool;
    /// Returns true if the list has no row for the cursor.
    fn has_no_row(&self) -> bool;
    /// Moves the focus to the search field or away from it.
    fn search(&mut self, on: bool);
    /// Applies a key press to the search field.
    fn type_key(&mut self, key: Key) -> Edited;
    /// Ends the search and clears the search text. Returns true if there was a search text, so that
    /// the rows must be loaded again.
    fn leave_search(&mut self) -> bool;
    /// Sets the position of the first visible row.
    fn set_top(&mut self, row: u64);
    /// Returns the position of the row under the cursor.
    fn cursor(&self) -> u64;
    /// Moves the cursor. Returns true if rows must be loaded.
    fn go(&mut self, to: Move) -> bool;
}

impl<T> AnyList for List<T> {
    fn is_searching(&self) -> bool {
        self.searching
    }

    fn has_no_row(&self) -> bool {
        self.is_empty()
    }

    fn search(&mut self, on: bool) {
        self.searching = on;
    }

    fn type_key(&mut self, key: Key) -> Edited {
        let edited = edit_text(&mut self.query, MOST_SEARCHED, key);
        if edited == Edited::Changed {
            self.restart_search();
        }
        edited
    }

    fn leave_search(&mut self) -> bool {
        let was_filtered = !self.query.value().is_empty();
        self.searching = false;
        self.query.reset();
        if was_filtered {
            // The cursor's position among the search results does not apply to the whole list.
            self.restart_search();
        }
        was_filtered
    }

    fn set_top(&mut self, row: u64) {
        self.top = row;
    }

    fn cursor(&self) -> u64 {
        self.cursor
    }

    fn go(&mut self, to: Move) -> bool {
        let last = self.last();
        self.cursor = match to {
            Move::By(rows) => self.cursor.saturating_add_signed(rows).min(last),
            Move::First => 0,
            Move::Last => last,
            Move::To(row) => row.min(last),
        };
        !self.is_empty() && self.selected().is_none()
    }
}

/// Moves a cursor in a list of `last + 1` rows, and returns its new position.
pub fn moved(cursor: usize, last: usize, to: Move) -> usize {
    match to {
        Move::By(rows) => cursor.saturating_add_signed(rows as isize).min(last),
        Move::First => 0,
        Move::Last => last,
        Move::To(row) => usize::try_from(row).unwrap_or(usize::MAX).min(last),
    }
}

/// Moves a cursor in a list that is followed by scrollable text. Returns `None` if the key press
/// scrolls the text instead.
pub fn moved_above_text(cursor: usize, last: usize, scroll: u16, to: Move) -> Option<usize> {
    let goes_on = match to {
        Move::By(lines) => lines < 0 && scroll > 0 || lines > 0 && cursor >= last,
        Move::Last => cursor >= last,
        Move::First | Move::To(_) => false,
    };
    (!goes_on).then(|| moved(cursor, last, to))
}

/// A line of a list on the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListLine {
    /// The heading of a day, as the number of days since the epoch in the seller's time zone.
    Day(i64),
    /// The heading of a group of withdrawals.
    Group(Group),
    /// A row, by its position in the whole list.
    Row(u64),
}

impl ListLine {
    /// Returns the position of the row in the whole list, or `None` for a heading.
    pub fn row(self) -> Option<u64> {
        match self {
            ListLine::Row(n) => Some(n),
            ListLine::Day(_) | ListLine::Group(_) => None,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Group {
    /// Withdrawals that may have moved money, with an unknown outcome.
    Open,
    /// Withdrawals that the service has not accepted yet.
    Prepared,
    /// Withdrawals with a final outcome.
    Decided,
}

/// Returns the visible lines, from the top row and its heading on. If the cursor would not be
/// visible, the lines start further down.
fn around(lines: Vec<ListLine>, top: u64, cursor: u64, height: u16) -> Vec<ListLine> {
    let height = usize::from(height);
    let line_of = |row| lines.iter().position(|line| *line == ListLine::Row(row));
    let is_heading = |at: &usize| lines[*at].row().is_none();
    let with_heading = |at: usize| at.checked_sub(1).filter(is_heading).unwrap_or(at);
    let at = line_of(cursor).unwrap_or(0);
    let first = with_heading(line_of(top).unwrap_or(at).min(at));
    let first = first.max((at + 1).saturating_sub(height));
    let first = first.min(lines.len().saturating_sub(height));
    lines.into_iter().skip(first).take(height).collect()
}

/// Lays out a short list that is fully loaded, with the cursor near the middle. If not all rows
/// fit, the row below the list is reserved for the number of hidden rows.
pub fn short_list(count: usize, cursor: usize, area: Area) -> ShownRows {
    let has_more = count > usize::from(area.height) && area.height > 1;
    let (area, foot) = area.split_bottom(u16::from(has_more));
    let height = usize::from(area.height);
    let first = cursor.saturating_sub(height / 2).min(count.saturating_sub(height));
    let lines = (first..count).take(height).map(|n| ListLine::Row(n as u64)).collect();
    ShownRows { area, lines, foot }
}

/// The visible rows of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownRows {
    /// The area of the rows.
    pub area: Area,
    /// The lines, from the top of the area.
    pub lines: Vec<ListLine>,
    /// The row below the list for the number of hidden rows; an empty area if no rows are hidden.
    pub foot: Area,
}

impl ShownRows {
    /// Returns the positions of the visible rows, from the top.
    pub fn rows(&self) -> impl Iterator<Item = usize> {
        self.lines.iter().filter_map(|line| usize::try_from(line.row()?).ok())
    }

    /// Returns the number of rows hidden above and the number hidden below, for a list of `count`
    /// rows.
    pub fn hidden(&self, count: usize) -> (usize, usize) {
        let above = self.rows().next().unwrap_or(0);
        (above, count.saturating_sub(above + self.rows().count()))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn page(first: u64, rows: u64, total: u64) -> ListPage<u64> {
        ListPage { rows: (first..first + rows).collect(), total: Some(total), first }
    }

    proptest! {
        #[test]
        fn shown_rows_match_a_full_layout(
            before in 0_u64..50,
            days in prop::collection::vec(0_i64..2, 1..60),
            top in 0_u64..70,
            cursor in 0_usize..60,
            height in 1_u16..12,
        ) {
            let days: Vec<i64> = days.iter().scan(0, |day, next| {
                *day += next;
                Some(*day)
            }).collect();
            let cursor = before + (cursor % days.len()) as u64;
            let mut all = vec![];
            for (row, day) in days.iter().enumerate() {
                if row == 0 || days[row - 1] != *day {
                    all.push(ListLine::Day(*day));
                }
                all.push(ListLine::Row(before + row as u64));
            }
            let total = Some(before + days.len() as u64);
            let page = ListPage { rows: days.into(), total, first: before };
            let list = List { page, cursor, top, ..List::default() };
            let area = Area { height, ..Area::default() };
            let shown = list.shown(area, |day| ListLine::Day(*day)).lines;
            prop_assert_eq!(&shown, &around(all, top, cursor, height));
            prop_assert!(height == 1 || shown.contains(&ListLine::Row(cursor)));
        }
    }

    #[test]
    fn hidden_count_row_only_if_rows_are_hidden() {
        let shown = |count, cursor, height| {
            let shown = short_list(count, cursor, Area { height, ..Area::default() });
            (shown.lines.len(), shown.foot.height, shown.hidden(count))
        };
        assert_eq!(shown(6, 0, 6), (6, 0, (0, 0)));
        assert_eq!(shown(7, 0, 6), (5, 1, (0, 2)));
        assert_eq!(shown(20, 10, 6), (5, 1, (8, 7)));
        assert_eq!(shown(20, 19, 6), (5, 1, (15, 0)));
        assert_eq!(shown(20, 0, 1), (1, 0, (0, 19)), "no row to give away");
    }

    #[test]
    fn cursor_on_unloaded_rows_shows_edge_of_loaded_ones() {
        let mut list = List { page: page(0, 200, 1_000), top: 190, ..List::default() };
        list.cursor = 200;
        let shown = list.shown(Area { height: 3, ..Area::default() }, |_| ListLine::Day(1));
        assert_eq!(shown.lines, [197, 198, 199].map(ListLine::Row));
    }

    #[test]
    fn new_window_requested_only_at_the_edge() {
        let mut list = List::default();
        let ask = list.ask(Ticket(1));
        assert_eq!((ask.first, ask.rows), (0, 200));
        assert!(list.take(Ticket(1), page(0, 200, 1_000)));
        assert!(!list.go(Move::By(199)));
        assert!(list.go(Move::By(1)));
        assert_eq!(list.ask(Ticket(2)).first, 100);
        assert!(list.take(Ticket(2), page(100, 200, 1_000)));
        assert_eq!(list.selected(), Some(&200));
        assert!(list.go(Move::Last));
        assert_eq!(list.cursor, 999);
    }

    #[test]
    fn stale_page_dropped_and_cursor_kept_within_list() {
        let mut list = List::default();
        list.ask(Ticket(1));
        list.ask(Ticket(2));
        assert!(!list.take(Ticket(1), page(0, 5, 5)));
        assert!(list.take(Ticket(2), page(0, 5, 5)));
        list.go(Move::Last);
        list.ask(Ticket(3));
        list.take(Ticket(3), page(0, 2, 2));
        assert_eq!(list.selected(), Some(&1));
    }
}
