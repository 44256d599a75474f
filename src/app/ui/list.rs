//! A list on the screen: a window of rows on a longer list in the database, a cursor, a search.

use std::sync::Arc;

use tui_input::Input as TextField;

use crate::app::ui::Area;
use crate::app::ui::form::{Edited, edit_text};
use crate::app::ui::input::Key;
use crate::app::ui::parts::SearchField;
use crate::trade::{ListPage, PagePlace, RowId, Search, Ticket};

/// The rows a window holds at the most.
pub const WINDOW_ROWS: u64 = 200;

/// A window on a list that may be far longer.
#[derive(Debug, Clone)]
pub struct List<T> {
    /// The rows that are here.
    pub page: ListPage<T>,
    /// The row under the cursor, counted in the whole list.
    pub cursor: u64,
    /// The row at the top of the screen, counted in the whole list: it moves only at the edges.
    pub top: u64,
    /// The text that is searched for.
    pub query: TextField,
    /// True while the search field has the focus.
    pub searching: bool,
    /// The question that is under way; an answer to another one is dropped.
    pub asked: Option<Ticket>,
    /// The question whose rows are here and whose totals are still being counted.
    pub counting: Option<Ticket>,
    /// True while the rows are those of another search or filter than the one that is asked for.
    pub is_other_search: bool,
    /// True once it was loaded: before that an empty list says nothing.
    pub loaded: bool,
    /// True while the cursor stays on its row, however many rows another window adds above it: what
    /// a key is pressed for must not move away.
    pub keeps_row: bool,
    /// The row that was just made: the cursor goes to it as soon as it is among the rows.
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
            is_other_search: false,
            loaded: false,
            keeps_row: false,
            made: None,
        }
    }
}

/// A question for the rows of a window.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageRequest {
    /// The question's number.
    pub ticket: Ticket,
    /// The text that was typed to search for; empty for everything.
    pub query: Arc<str>,
    /// The meaning of that text, as the database searches for it.
    pub search: Search,
    /// The first row wanted.
    pub first: u64,
    /// The number of rows wanted.
    pub rows: u64,
    /// The place of these rows, for a list that is read by the numbers of its rows.
    pub place: PagePlace,
}

/// A movement of the cursor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Move {
    /// A number of rows; up is negative.
    By(i64),
    /// The first row.
    First,
    /// The last row.
    Last,
    /// This row of the whole list.
    To(u64),
}

impl<T> List<T> {
    /// The field of its search; `is_personal` where people are looked for by it.
    pub fn field(&self, is_personal: bool) -> SearchField<'_> {
        SearchField { query: &self.query, searching: self.searching, is_personal }
    }

    /// Asks for the window around the cursor.
    ///
    /// Totals that are still being counted are dropped: those of this question follow its rows.
    pub fn ask(&mut self, ticket: Ticket) -> PageRequest {
        (self.asked, self.counting) = (Some(ticket), None);
        self.keeps_row = false;
        let first = self.cursor.saturating_sub(WINDOW_ROWS / 2);
        let query: Arc<str> = self.query.value().into();
        let search = Search::from(&*query);
        PageRequest { ticket, query, search, first, rows: WINDOW_ROWS, place: PagePlace::Top }
    }

    /// Asks for the same window by the number of a row that is here, near the cursor.
    pub fn ask_near(&mut self, ticket: Ticket, id: impl Fn(&T) -> RowId) -> PageRequest {
        let ask = self.ask(ticket);
        let first = ask.first;
        let ListPage { rows, first: before, .. } = &self.page;
        let near = usize::try_from(self.cursor.saturating_sub(*before)).unwrap_or(usize::MAX);
        let near = near.min(rows.len().saturating_sub(1));
        let place = match rows.get(near) {
            _ if first == 0 => PagePlace::Top,
            _ if self.cursor >= self.last().min(u64::MAX / 2) => PagePlace::End,
            Some(row) if !self.is_other_search => {
                PagePlace::Near { id: id(row), place: before + near as u64, first }
            }
            _ => PagePlace::Top,
        };
        PageRequest { place, ..ask }
    }

    /// The place of the last row; beyond all of them until they are counted.
    fn last(&self) -> u64 {
        self.page.total.map_or(u64::MAX, |total| total.saturating_sub(1))
    }

    /// Returns true if the list has no row at all.
    pub fn is_empty(&self) -> bool {
        self.page.total == Some(0)
    }

    /// Notes that another search or filter is asked for; its first row is wanted.
    pub fn search_anew(&mut self) {
        (self.cursor, self.is_other_search) = (0, true);
    }

    /// Takes a window, if it is the one that was asked for last.
    pub fn take(&mut self, ticket: Ticket, page: ListPage<T>) -> bool {
        if self.asked != Some(ticket) {
            return false;
        }
        self.asked = None;
        self.loaded = true;
        self.is_other_search = false;
        self.counting = page.total.is_none().then_some(ticket);
        self.page = page;
        self.cursor = self.cursor.min(self.last());
        // A list that is read by its rows may have other places by now than the cursor counted.
        if let Some(more) = (self.page.rows.len() as u64).checked_sub(1) {
            let first = self.page.first;
            self.cursor = self.cursor.clamp(first, first + more);
        }
        true
    }

    /// The same; the cursor goes to the row that was just made, or stays on its own where it is to,
    /// both found again by `same`.
    pub fn take_row(
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

    /// The rows that this area shows, each heading above the first row that has it.
    ///
    /// This is asked for with every key, and the window has far more rows than the screen: those
    /// that are further than its height from the top and the cursor are left out from the start.
    pub fn shown(&self, area: Area, heading: impl Fn(&T) -> ListLine) -> ShownRows {
        let ListPage { rows, first: before, .. } = &self.page;
        let height = usize::from(area.height);
        // A cursor whose rows are on their way stands at the edge of those that are here.
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

    /// The row under the cursor, if it is here.
    pub fn selected(&self) -> Option<&T> {
        let at = self.cursor.checked_sub(self.page.first)?;
        self.page.rows.get(usize::try_from(at).ok()?)
    }
}

/// The most characters that are searched for in a list.
pub const MOST_SEARCHED: usize = 80;

/// A list whatever its rows are: what the search field and the cursor need of it.
pub trait AnyList {
    /// Returns true when the search field has the focus.
    fn is_searching(&self) -> bool;
    /// Returns true when there is no row to move to.
    fn has_no_row(&self) -> bool;
    /// Gives the search field the focus, or takes it away.
    fn search(&mut self, on: bool);
    /// Types a key into the search field.
    fn type_key(&mut self, key: Key) -> Edited;
    /// Leaves the search; true when rows were left out by it.
    fn leave_search(&mut self) -> bool;
    /// Makes this row the one at the top of the screen.
    fn set_top(&mut self, row: u64);
    /// The row under the cursor.
    fn cursor(&self) -> u64;
    /// Moves the cursor; true when other rows must be asked for.
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
            self.search_anew();
        }
        edited
    }

    fn leave_search(&mut self) -> bool {
        let was_filtered = !self.query.value().is_empty();
        self.searching = false;
        self.query.reset();
        if was_filtered {
            // The row had this number among those found, which says nothing about the whole list.
            self.search_anew();
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

/// Moves a cursor on a short list, and returns its new place.
pub fn moved(cursor: usize, last: usize, to: Move) -> usize {
    match to {
        Move::By(rows) => cursor.saturating_add_signed(rows as isize).min(last),
        Move::First => 0,
        Move::Last => last,
        Move::To(row) => usize::try_from(row).unwrap_or(usize::MAX).min(last),
    }
}

/// Moves a cursor in a text that is scrolled from its row on; `None` while the text is scrolled.
pub fn moved_in_text(cursor: usize, last: usize, scroll: u16, to: Move) -> Option<usize> {
    let goes_on = match to {
        Move::By(lines) => lines < 0 && scroll > 0 || lines > 0 && cursor >= last,
        Move::Last => cursor >= last,
        Move::First | Move::To(_) => false,
    };
    (!goes_on).then(|| moved(cursor, last, to))
}

/// One line of a list on the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListLine {
    /// The name of a day, as days since the epoch where the seller is.
    Day(i64),
    /// The heading of the withdrawals below it.
    Group(Group),
    /// A row, counted in the whole list.
    Row(u64),
}

impl ListLine {
    /// Returns the number of its row, counted in the whole list; a heading has none.
    pub fn row(self) -> Option<u64> {
        match self {
            ListLine::Row(n) => Some(n),
            ListLine::Day(_) | ListLine::Group(_) => None,
        }
    }
}

/// A group of withdrawals in a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Group {
    /// Money may have left, and it is not known whether it did.
    Open,
    /// Nothing was taken yet.
    Prepared,
    /// Nothing further can happen.
    Decided,
}

/// The lines from the row at the top and its heading on, and further down to show the cursor.
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

/// The rows of a list that is here as a whole, the one under the cursor kept in the middle; where
/// not all of them have room, a row below them says how many have none.
pub fn in_the_middle(count: usize, cursor: usize, area: Area) -> ShownRows {
    let has_more = count > usize::from(area.height) && area.height > 1;
    let (area, foot) = area.split_bottom(u16::from(has_more));
    let height = usize::from(area.height);
    let first = cursor.saturating_sub(height / 2).min(count.saturating_sub(height));
    let lines = (first..count).take(height).map(|n| ListLine::Row(n as u64)).collect();
    ShownRows { area, lines, foot }
}

/// The rows of a list that are on the screen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownRows {
    /// The area they stand in.
    pub area: Area,
    /// The lines, from its top.
    pub lines: Vec<ListLine>,
    /// The row below them that says how many are not here; empty where nothing need be said.
    pub foot: Area,
}

impl ShownRows {
    /// The numbers of the rows, from the top.
    pub fn rows(&self) -> impl Iterator<Item = usize> {
        self.lines.iter().filter_map(|line| usize::try_from(line.row()?).ok())
    }

    /// Counts the rows above these and below them, of a list of so many.
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
            let shown = in_the_middle(count, cursor, Area { height, ..Area::default() });
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
