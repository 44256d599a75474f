//! The state of a list on the screen: the loaded rows, the cursor, and the search.
//!
//! The whole list is in a database and may be very long. Only a part of its rows (a window) is
//! loaded.

use std::sync::Arc;

use tui_input::Input as TextField;

use crate::app::ui::Area;
use crate::app::ui::form::{Edited, edit_text};
use crate::app::ui::input::Key;
use crate::app::ui::parts::SearchField;
use crate::trade::search::reading::{self, Reading};
use crate::trade::{ListPage, PagePosition, RowId, Search, Ticket};

/// The maximum number of rows in the window, the loaded part of a list.
pub const WINDOW_ROWS: u64 = 200;

/// A list. Only some of its rows (the window) are loaded.
#[derive(Debug, Clone)]
pub struct List<T> {
    /// The loaded rows (the window).
    pub page: ListPage<T>,
    /// The position in the whole list of the row under the cursor.
    pub cursor: u64,
    /// The position in the whole list of the first visible row. It changes only if the cursor would
    /// leave the screen.
    pub top: u64,
    /// The search text.
    pub query: TextField,
    /// The period and the amounts that were read in the search text, for the last request.
    pub reading: Reading,
    /// True while the search field has the focus.
    pub searching: bool,
    /// The ticket of the pending request for rows. A response with another ticket is ignored.
    pub pending_ticket: Option<Ticket>,
    /// The ticket of a request whose rows have arrived, but whose total number of rows is still
    /// being counted.
    pub counting: Option<Ticket>,
    /// True while the loaded rows belong to the previous search or filter.
    pub has_stale_rows: bool,
    /// True once the first load has ended. Before that, an empty list may still get rows.
    pub loaded: bool,
    /// True if the cursor must stay on its row, even if another instance of the program adds rows
    /// above it. A key press then acts on the row that the user saw.
    pub keeps_row: bool,
    /// A row that was just created. As soon as this row is loaded, the cursor moves to it.
    pub created: Option<T>,
}

impl<T> Default for List<T> {
    fn default() -> Self {
        List {
            page: ListPage::default(),
            cursor: 0,
            top: 0,
            query: TextField::default(),
            reading: Reading::default(),
            searching: false,
            pending_ticket: None,
            counting: None,
            has_stale_rows: false,
            loaded: false,
            keeps_row: false,
            created: None,
        }
    }
}

/// A request to load a window (a part) of a list's rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageRequest {
    pub ticket: Ticket,
    /// The search text as the user typed it. If it is empty, all rows are requested.
    pub query: Arc<str>,
    /// The parsed search text, which the database uses.
    pub search: Search,
    /// The position in the whole list of the first requested row.
    pub first: u64,
    /// The number of requested rows.
    pub rows: u64,
    /// The position of the requested rows. Used only by lists whose rows are found by row id.
    pub place: PagePosition,
}

/// A movement of the cursor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Move {
    /// Move by this number of rows. A negative number moves up.
    By(i64),
    First,
    Last,
    /// Move to this position in the whole list.
    To(u64),
}

impl<T> List<T> {
    /// The search field of the list. `is_personal` is true if users search this list for personal
    /// data, such as names.
    pub fn field(&self, is_personal: bool) -> SearchField<'_> {
        SearchField {
            query: &self.query,
            searching: self.searching,
            is_personal,
        }
    }

    /// A request for the rows around the cursor.
    ///
    /// A row count that is still pending for an earlier request is dropped, because the new request
    /// gets its own count.
    pub fn request_rows(&mut self, ticket: Ticket) -> PageRequest {
        (self.pending_ticket, self.counting) = (Some(ticket), None);
        self.keeps_row = false;
        let first = self.cursor.saturating_sub(WINDOW_ROWS / 2);
        let query: Arc<str> = self.query.value().into();
        let search = Search::from(&*query);
        PageRequest {
            ticket,
            query,
            search,
            first,
            rows: WINDOW_ROWS,
            place: PagePosition::Top,
        }
    }

    /// A request for the rows around the cursor. The database finds these rows by the id of a row
    /// that is already loaded.
    pub fn request_near_row(&mut self, ticket: Ticket, id: impl Fn(&T) -> RowId) -> PageRequest {
        let request = self.request_rows(ticket);
        let first = request.first;
        let ListPage {
            rows,
            first: window_start,
            ..
        } = &self.page;
        let loaded_index =
            usize::try_from(self.cursor.saturating_sub(*window_start)).unwrap_or(usize::MAX);
        let loaded_index = loaded_index.min(rows.len().saturating_sub(1));
        let place = match rows.get(loaded_index) {
            _ if first == 0 => PagePosition::Top,
            _ if self.cursor >= self.last().min(u64::MAX / 2) => PagePosition::End,
            Some(row) if !self.has_stale_rows => PagePosition::Near {
                id: id(row),
                position: window_start + loaded_index as u64,
                first,
            },
            _ => PagePosition::Top,
        };
        PageRequest { place, ..request }
    }

    /// True if it is known that the list has no rows.
    pub fn is_empty(&self) -> bool {
        self.page.total == Some(0)
    }

    /// True while it is unknown whether the list has rows. This is the case until the first load
    /// has ended, and during a reload for the same search.
    ///
    /// During the reload, a list must not be reported as empty, because its first row may have just
    /// been created.
    pub fn is_reading(&self) -> bool {
        !self.loaded || self.pending_ticket.is_some() && !self.has_stale_rows
    }

    /// Starts a new search or filter, and moves the cursor to the first row.
    pub fn restart_search(&mut self) {
        (self.cursor, self.has_stale_rows) = (0, true);
    }

    /// Stores the rows of a response and returns true. If it is not the response to the pending
    /// request, does nothing and returns false.
    pub fn take(&mut self, ticket: Ticket, page: ListPage<T>) -> bool {
        if self.pending_ticket != Some(ticket) {
            return false;
        }
        self.pending_ticket = None;
        self.loaded = true;
        self.has_stale_rows = false;
        self.counting = page.total.is_none().then_some(ticket);
        self.page = page;
        self.cursor = self.cursor.min(self.last());
        // Rows may have been added after the request, so the cursor may be outside the loaded rows.
        if let Some(last_loaded) = (self.page.rows.len() as u64).checked_sub(1) {
            let first = self.page.first;
            self.cursor = self.cursor.clamp(first, first + last_loaded);
        }
        true
    }

    /// Stores the rows of a response like [`take`](Self::take). Then moves the cursor to a row that
    /// was just created, or keeps it on its row if [`keeps_row`](Self::keeps_row) is set.
    /// `is_same_row` returns true if two values are the same row.
    pub fn store_page_keeping_row(
        &mut self,
        ticket: Ticket,
        page: ListPage<T>,
        is_same_row: impl Fn(&T, &T) -> bool,
    ) -> bool {
        if self.pending_ticket != Some(ticket) {
            return false;
        }
        let find_row = |item: &T| page.rows.iter().position(|row| is_same_row(item, row));
        let created = self.created.take();
        let row = created.as_ref().and_then(find_row).or_else(|| {
            self.selected()
                .filter(|_| self.keeps_row)
                .and_then(find_row)
        });
        let row = row.map(|row| page.first + row as u64);
        self.take(ticket, page);
        if let Some(row) = row {
            self.cursor = row;
        }
        true
    }

    /// Replaces a loaded row by its new version, so that the screens show the change before the
    /// rows are loaded again. `is_same_row` returns true if two values are the same row.
    pub fn replace(&mut self, new: &T, is_same_row: impl Fn(&T, &T) -> bool)
    where
        T: Clone,
    {
        self.page.rows = self
            .page
            .rows
            .iter()
            .map(|row| {
                if is_same_row(row, new) {
                    new.clone()
                } else {
                    row.clone()
                }
            })
            .collect();
    }

    /// The visible lines: the rows, and a heading above the first row of each day or group.
    ///
    /// Only rows within a screen height of the top row and the cursor are examined. This function
    /// runs for every key press, and far more rows are loaded than fit on the screen.
    pub fn shown(&self, area: Area, heading: impl Fn(&T) -> ListLine) -> ShownRows {
        let ListPage {
            rows,
            first: window_start,
            ..
        } = &self.page;
        let height = usize::from(area.height);
        // If the row under the cursor is not loaded yet, show the cursor in the nearest loaded row.
        let last_loaded = window_start + (rows.len() as u64).saturating_sub(1);
        let top = self.top;
        let cursor = self.cursor.clamp(*window_start, last_loaded);
        let index =
            |row: u64| usize::try_from(row.saturating_sub(*window_start)).unwrap_or(usize::MAX);
        let first = index(top.min(cursor)).saturating_sub(height);
        let end = index(top.max(cursor))
            .saturating_add(height + 1)
            .min(rows.len());
        let mut last = first.checked_sub(1).map(|above| heading(&rows[above]));
        let mut lines = vec![];
        for (row, item) in (window_start + first as u64..).zip(&rows[first..end]) {
            let heading = Some(heading(item));
            if heading != last {
                lines.extend(heading);
                last = heading;
            }
            lines.push(ListLine::Row(row));
        }
        let lines = visible_lines(lines, top, cursor, area.height);
        ShownRows {
            area,
            lines,
            foot: area.split_bottom(0).1,
        }
    }

    /// The row under the cursor, if it is loaded.
    pub fn selected(&self) -> Option<&T> {
        let at = self.cursor.checked_sub(self.page.first)?;
        self.page.rows.get(usize::try_from(at).ok()?)
    }
}

/// The maximum length of a search text, in characters.
pub const MAX_SEARCHED: usize = 80;

/// The functions of a list that do not depend on the type of its rows.
pub trait AnyList {
    /// True if the search field has the focus.
    fn is_searching(&self) -> bool;
    /// True if the list has no row on which the cursor could be.
    fn has_no_row(&self) -> bool;
    /// Moves the focus to the search field (if `on` is true) or away from it.
    fn search(&mut self, on: bool);
    /// Applies a key press to the search field.
    fn type_key(&mut self, key: Key) -> Edited;
    /// Ends the search and clears the search text. Returns true if there was a search text. In that
    /// case the rows must be loaded again.
    fn leave_search(&mut self) -> bool;
    /// The period and the amounts that were read in the search text.
    fn reading(&self) -> Reading {
        Reading::default()
    }
    /// Puts quotes around the periods and amounts of the search text, so that they are words.
    fn quote_readings(&mut self, _today: i64) {}
    /// Sets the position of the first visible row.
    fn set_top(&mut self, row: u64);
    /// The position of the row under the cursor.
    fn cursor(&self) -> u64;
    /// The position of the last row. While the number of rows is unknown, returns `u64::MAX`.
    fn last(&self) -> u64;
    /// Moves the cursor. Returns true if other rows must be loaded.
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
        let edited = edit_text(&mut self.query, MAX_SEARCHED, key);
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
            // The cursor's position in the search results means nothing in the whole list, so start
            // at the top.
            self.restart_search();
        }
        was_filtered
    }

    fn reading(&self) -> Reading {
        self.reading
    }

    fn quote_readings(&mut self, today: i64) {
        self.query = reading::quote_all(self.query.value(), today).into();
        self.restart_search();
    }

    fn set_top(&mut self, row: u64) {
        self.top = row;
    }

    fn cursor(&self) -> u64 {
        self.cursor
    }

    fn last(&self) -> u64 {
        self.page
            .total
            .map_or(u64::MAX, |total| total.saturating_sub(1))
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

/// Moves the cursor in a list of `last + 1` rows. Returns the new position of the cursor.
pub fn moved_cursor(cursor: usize, last: usize, to: Move) -> usize {
    match to {
        Move::By(rows) => cursor.saturating_add_signed(rows as isize).min(last),
        Move::First => 0,
        Move::Last => last,
        Move::To(row) => usize::try_from(row).unwrap_or(usize::MAX).min(last),
    }
}

/// Moves the cursor in a list that has scrollable text below it. Returns `None` if the key press
/// should scroll the text instead.
pub fn moved_above_text(cursor: usize, last: usize, scroll: u16, to: Move) -> Option<usize> {
    let scrolls_text = match to {
        Move::By(lines) => lines < 0 && scroll > 0 || lines > 0 && cursor >= last,
        Move::Last => cursor >= last,
        Move::First | Move::To(_) => false,
    };
    (!scrolls_text).then(|| moved_cursor(cursor, last, to))
}

/// A visible line of a list: a heading or a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListLine {
    /// The heading above the rows of a day. The number counts days since the epoch in the seller's
    /// time zone.
    Day(i64),
    /// The heading above a group of withdrawals, such as the open withdrawals.
    Group(Group),
    /// A row. The number is its position in the whole list.
    Row(u64),
}

impl ListLine {
    /// The position of the row in the whole list, or `None` for a heading.
    pub fn row(self) -> Option<u64> {
        match self {
            ListLine::Row(n) => Some(n),
            ListLine::Day(_) | ListLine::Group(_) => None,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Group {
    /// Open withdrawals: they may have moved money, but their outcome is unknown.
    Open,
    /// Withdrawals that the service has not accepted yet.
    Prepared,
    /// Withdrawals with a final outcome.
    Decided,
}

/// The lines that are visible if the row `top` and its heading come first. If the cursor would not
/// be visible, returns later lines.
fn visible_lines(lines: Vec<ListLine>, top: u64, cursor: u64, height: u16) -> Vec<ListLine> {
    let height = usize::from(height);
    let line_index = |row| lines.iter().position(|line| *line == ListLine::Row(row));
    let with_heading = |index: usize| {
        index
            .checked_sub(1)
            .filter(|index| lines[*index].row().is_none())
            .unwrap_or(index)
    };
    let cursor_line = line_index(cursor).unwrap_or(0);
    let first = with_heading(line_index(top).unwrap_or(cursor_line).min(cursor_line));
    let first = first.max((cursor_line + 1).saturating_sub(height));
    let first = first.min(lines.len().saturating_sub(height));
    lines.into_iter().skip(first).take(height).collect()
}

/// The visible rows of a short list that is fully loaded. The cursor is near the middle. If not all
/// rows fit, the last row of the area is reserved for the number of hidden rows.
pub fn short_list(count: usize, cursor: usize, area: Area) -> ShownRows {
    let has_more = count > usize::from(area.height) && area.height > 1;
    let (area, foot) = area.split_bottom(u16::from(has_more));
    let height = usize::from(area.height);
    let first = cursor
        .saturating_sub(height / 2)
        .min(count.saturating_sub(height));
    let lines = (first..count)
        .take(height)
        .map(|n| ListLine::Row(n as u64))
        .collect();
    ShownRows { area, lines, foot }
}

/// The visible rows of a list, and their areas.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownRows {
    /// The area of the rows.
    pub area: Area,
    /// The visible lines, from top to bottom.
    pub lines: Vec<ListLine>,
    /// The row below the list that shows the number of hidden rows. The area is empty if no rows
    /// are hidden.
    pub foot: Area,
}

impl ShownRows {
    /// The positions of the visible rows in the whole list, from top to bottom.
    pub fn rows(&self) -> impl Iterator<Item = usize> {
        self.lines
            .iter()
            .filter_map(|line| usize::try_from(line.row()?).ok())
    }

    /// Returns how many rows of a list are hidden above and below the visible rows. The list has
    /// `count` rows.
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
        ListPage {
            rows: (first..first + rows).collect(),
            total: Some(total),
            first,
        }
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
            let mut full_layout = vec![];
            for (row, day) in days.iter().enumerate() {
                if row == 0 || days[row - 1] != *day {
                    full_layout.push(ListLine::Day(*day));
                }
                full_layout.push(ListLine::Row(before + row as u64));
            }
            let total = Some(before + days.len() as u64);
            let page = ListPage { rows: days.into(), total, first: before };
            let list = List { page, cursor, top, ..List::default() };
            let area = Area { height, ..Area::default() };
            let visible = list.shown(area, |day| ListLine::Day(*day)).lines;
            prop_assert_eq!(&visible, &visible_lines(full_layout, top, cursor, height));
            prop_assert!(height == 1 || visible.contains(&ListLine::Row(cursor)));
        }
    }

    #[test]
    fn hidden_count_row_only_if_rows_are_hidden() {
        let row_counts = |count, cursor, height| {
            let visible = short_list(
                count,
                cursor,
                Area {
                    height,
                    ..Area::default()
                },
            );
            (
                visible.lines.len(),
                visible.foot.height,
                visible.hidden(count),
            )
        };
        assert_eq!(row_counts(6, 0, 6), (6, 0, (0, 0)));
        assert_eq!(row_counts(7, 0, 6), (5, 1, (0, 2)));
        assert_eq!(row_counts(20, 10, 6), (5, 1, (8, 7)));
        assert_eq!(row_counts(20, 19, 6), (5, 1, (15, 0)));
        assert_eq!(row_counts(20, 0, 1), (1, 0, (0, 19)), "no row to give away");
    }

    #[test]
    fn cursor_on_unloaded_rows_shows_edge_of_loaded_ones() {
        let mut list = List {
            page: page(0, 200, 1_000),
            top: 190,
            ..List::default()
        };
        list.cursor = 200;
        let visible = list.shown(
            Area {
                height: 3,
                ..Area::default()
            },
            |_| ListLine::Day(1),
        );
        assert_eq!(visible.lines, [197, 198, 199].map(ListLine::Row));
    }

    #[test]
    fn new_window_requested_only_at_the_edge() {
        let mut list = List::default();
        let request = list.request_rows(Ticket(1));
        assert_eq!((request.first, request.rows), (0, 200));
        assert!(list.take(Ticket(1), page(0, 200, 1_000)));
        assert!(!list.go(Move::By(199)));
        assert!(list.go(Move::By(1)));
        assert_eq!(list.request_rows(Ticket(2)).first, 100);
        assert!(list.take(Ticket(2), page(100, 200, 1_000)));
        assert_eq!(list.selected(), Some(&200));
        assert!(list.go(Move::Last));
        assert_eq!(list.cursor, 999);
    }

    #[test]
    fn stale_page_dropped_and_cursor_kept_within_list() {
        let mut list = List::default();
        list.request_rows(Ticket(1));
        list.request_rows(Ticket(2));
        assert!(!list.take(Ticket(1), page(0, 5, 5)));
        assert!(list.take(Ticket(2), page(0, 5, 5)));
        list.go(Move::Last);
        list.request_rows(Ticket(3));
        list.take(Ticket(3), page(0, 2, 2));
        assert_eq!(list.selected(), Some(&1));
    }
}
