//! Values from earlier requests that a form offers, such as destinations or buyers: their state,
//! and the list below the form.

use std::sync::Arc;

use crate::app::ui::block::Block;
use crate::app::ui::list::short_list;
use crate::app::ui::parts::wrapped;
use crate::app::ui::table::{self, Column};
use crate::app::ui::{Area, Line, Role, form_page, list_pane};
use crate::trade::Ticket;
use crate::trade::search::searchable;
use crate::words::Catalogue;

/// A value from an earlier request, such as a destination, that a form offers to fill in.
pub trait KnownValue: Clone {
    /// The context for comparing and displaying the value.
    type Store;

    /// Returns true if the value matches the typed text, so that the form offers it.
    fn fits(&self, store: &Self::Store, typed: &str) -> bool;
}

/// The values from earlier requests that a form offers, the most frequently used first.
#[derive(Debug, Clone, PartialEq)]
pub struct Known<T> {
    /// The ticket of the request that loads the values.
    pub asked: Option<Ticket>,
    /// All values for this form, whatever the seller typed.
    pub all: Arc<[T]>,
    /// The text that the seller typed. Only values that match it are offered.
    pub typed: String,
    /// The index, among the offered values, of the value that was filled into the form.
    pub chosen: Option<usize>,
}

impl<T> Default for Known<T> {
    fn default() -> Known<T> {
        Known { asked: None, all: Arc::new([]), typed: String::new(), chosen: None }
    }
}

impl<T: KnownValue> Known<T> {
    /// Creates a list of known values for tests.
    pub fn new(all: Vec<T>, chosen: Option<usize>) -> Known<T> {
        Known { all: all.into(), chosen, ..Known::default() }
    }

    /// Returns the values that match the typed text.
    pub fn offered<'a>(&'a self, store: &'a T::Store) -> impl Iterator<Item = &'a T> {
        self.all.iter().filter(|known| known.fits(store, &self.typed))
    }

    /// Returns the next or the previous offered value, with its index.
    pub fn next(&self, store: &T::Store, forward: bool) -> Option<(usize, T)> {
        let count = self.offered(store).count();
        let last = count.checked_sub(1)?;
        let at = match (self.chosen, forward) {
            (None, true) => 0,
            (None, false) => last,
            (Some(at), true) => (at + 1) % count,
            (Some(at), false) => at.checked_sub(1).unwrap_or(last),
        };
        self.offered(store).nth(at).map(|value| (at, value.clone()))
    }

    /// Lays out the offered values below a form. If there are too few rows, shorter versions list
    /// fewer values.
    pub fn block(
        &self,
        (store, say): (&T::Store, &Catalogue),
        columns: &[Column<T::Store, T>],
        title: &str,
        width: usize,
    ) -> Block {
        let lines = |rows| self.lines((store, say), columns, (title, width), rows);
        let alternatives = (3..=MOST_ROWS).rev().map(lines).collect();
        Block { alternatives, ..Block::cut(form_page::BELOW + 2, 1, vec![]) }
    }

    /// Lays out the offered values in at most `rows` rows. A mark shows the value that is filled
    /// into the form.
    fn lines(
        &self,
        (store, say): (&T::Store, &Catalogue),
        columns: &[Column<T::Store, T>],
        (title, width): (&str, usize),
        rows: usize,
    ) -> Vec<Line> {
        let mut lines = wrapped(Role::Dim, title, width);
        let offered: Vec<_> = self.offered(store).collect();
        let height = u16::try_from(rows.saturating_sub(lines.len())).unwrap_or(u16::MAX);
        let place = Area { height, width: width.try_into().unwrap_or(u16::MAX), ..Area::default() };
        let shown = short_list(offered.len(), self.chosen.unwrap_or(0), place);
        let rows: Vec<_> = shown.rows().map(|at| (offered[at], self.chosen == Some(at))).collect();
        lines.extend(table::lines(store, columns, &rows, width));
        if shown.foot.height > 0 {
            lines.push(list_pane::hidden_counts_line(say, &shown, offered.len()).indented(1));
        }
        lines
    }
}

/// The maximum number of rows for the offered values, including their title.
const MOST_ROWS: usize = 14;

/// Removes punctuation, case and accents, so that differently written values match.
pub fn letters(text: &str) -> String {
    searchable(text).chars().filter(|c| c.is_alphanumeric() || *c == '@').collect()
}
