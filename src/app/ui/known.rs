//! Values from earlier requests that a form offers to fill in, such as destinations or buyers. They
//! are listed below the form.

use std::sync::Arc;

use crate::app::ui::block::Block;
use crate::app::ui::list::short_list;
use crate::app::ui::parts::wrapped;
use crate::app::ui::table::{self, Column};
use crate::app::ui::{Area, Line, Role, form_page, list_pane};
use crate::trade::Ticket;
use crate::trade::search::searchable;
use crate::words::Catalogue;

/// A value from an earlier request that a form offers to fill in, such as a destination.
pub trait KnownValue: Clone {
    /// The data that is needed to compare values and to show them.
    type Store;

    /// True if the value matches the text that the seller typed. Only such values are offered.
    fn fits(&self, store: &Self::Store, typed: &str) -> bool;
}

/// The values from earlier requests that a form offers to fill in. The most frequently used value
/// is first.
#[derive(Debug, Clone, PartialEq)]
pub struct Known<T> {
    /// The ticket of the request that loads the values.
    pub ticket: Option<Ticket>,
    /// All values for this form, even if they do not match the typed text.
    pub all: Arc<[T]>,
    /// The text that the seller typed. Only values that match this text are offered.
    pub typed: String,
    /// The index of the value that was filled into the form. The index counts only the offered
    /// values.
    pub chosen: Option<usize>,
    /// The index of the offered value that the cursor marks. It is not filled in yet.
    pub cursor: Option<usize>,
}

impl<T> Default for Known<T> {
    fn default() -> Known<T> {
        Known {
            ticket: None,
            all: Arc::new([]),
            typed: String::new(),
            chosen: None,
            cursor: None,
        }
    }
}

impl<T: KnownValue> Known<T> {
    /// Creates a list of known values for tests.
    pub fn new(all: Vec<T>, chosen: Option<usize>) -> Known<T> {
        Known {
            all: all.into(),
            chosen,
            ..Known::default()
        }
    }

    /// The values that match the typed text.
    pub fn offered<'a>(&'a self, store: &'a T::Store) -> impl Iterator<Item = &'a T> {
        self.all
            .iter()
            .filter(|known| known.fits(store, &self.typed))
    }

    /// The offered value after (or before) the value that was filled in, with its index.
    pub fn next(&self, store: &T::Store, forward: bool) -> Option<(usize, T)> {
        let count = self.offered(store).count();
        let last = count.checked_sub(1)?;
        let index = match (self.chosen, forward) {
            (None, true) => 0,
            (None, false) => last,
            (Some(index), true) => (index + 1) % count,
            (Some(index), false) => index.checked_sub(1).unwrap_or(last),
        };
        self.offered(store)
            .nth(index)
            .map(|value| (index, value.clone()))
    }

    /// The list of offered values for below a form. If there are too few rows, a shorter version
    /// with fewer values is used.
    pub fn block(
        &self,
        (store, words): (&T::Store, &Catalogue),
        columns: &[Column<T::Store, T>],
        title: &str,
        width: usize,
    ) -> Block {
        let alternatives = (3..=MAX_ROWS)
            .rev()
            .map(|rows| self.lines((store, words), columns, (title, width), rows))
            .collect();
        Block {
            alternatives,
            ..Block::cut(form_page::BELOW_PRIORITY + 2, 1, vec![])
        }
    }

    /// The lines of the list of offered values, in at most `rows` rows. The value that was filled
    /// into the form, or the value under the cursor, is highlighted.
    fn lines(
        &self,
        (store, words): (&T::Store, &Catalogue),
        columns: &[Column<T::Store, T>],
        (title, width): (&str, usize),
        rows: usize,
    ) -> Vec<Line> {
        let mut lines = wrapped(Role::Dim, title, width);
        let offered: Vec<_> = self.offered(store).collect();
        let height = u16::try_from(rows.saturating_sub(lines.len())).unwrap_or(u16::MAX);
        let area = Area {
            height,
            width: width.try_into().unwrap_or(u16::MAX),
            ..Area::default()
        };
        let marked = self.cursor.or(self.chosen);
        let visible = short_list(offered.len(), marked.unwrap_or(0), area);
        let rows: Vec<_> = visible
            .rows()
            .map(|index| (offered[index], marked == Some(index)))
            .collect();
        lines.extend(table::lines(store, columns, &rows, width));
        if visible.foot.height > 0 {
            lines.push(list_pane::hidden_counts_line(words, &visible, offered.len()).indented(1));
        }
        lines
    }
}

const MAX_ROWS: usize = 14;

/// The text without punctuation, case and accents, so that values which are written differently can
/// be compared.
pub fn normalize(text: &str) -> String {
    searchable(text)
        .chars()
        .filter(|c| c.is_alphanumeric() || *c == '@')
        .collect()
}
