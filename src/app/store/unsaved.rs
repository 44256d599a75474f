//! Links and direct payments of this run that could not be written to the history. The screens show
//! them from memory.
//!
//! The history contains only the row written before the request, with the state "unknown". The rest
//! is lost when the program ends, and the screens warn about that.

use std::collections::VecDeque;

use crate::trade::{Charge, ListPage, PaymentLink, Sale};

/// The maximum number of unsaved records of each kind. If there are more, the oldest are dropped.
const MOST: usize = 200;

/// The links and direct payments of this run that could not be saved to a file.
#[derive(Debug, Clone, Default)]
pub struct Unsaved {
    pub links: UnsavedRecords<PaymentLink>,
    pub charges: UnsavedRecords<Charge>,
}

/// Unsaved records of one kind, newest first.
#[derive(Debug, Clone)]
pub struct UnsavedRecords<T>(VecDeque<T>);

impl<T> Default for UnsavedRecords<T> {
    fn default() -> UnsavedRecords<T> {
        UnsavedRecords(VecDeque::new())
    }
}

/// A record that is stored as a row of the history.
pub trait HistoryRecord: Clone {
    /// Returns true if both records belong to the same row of the history. The row id is not
    /// enough, because another history file may use the same id.
    fn is_same(&self, other: &Self) -> bool;
}

impl HistoryRecord for PaymentLink {
    fn is_same(&self, other: &Self) -> bool {
        (self.id, self.at) == (other.id, other.at) && self.request == other.request
    }
}

impl HistoryRecord for Charge {
    fn is_same(&self, other: &Self) -> bool {
        (self.id, self.at) == (other.id, other.at) && self.request == other.request
    }
}

impl Unsaved {
    /// Returns true if there are no unsaved records.
    pub fn is_empty(&self) -> bool {
        self.links.0.is_empty() && self.charges.0.is_empty()
    }

    /// Returns true if this record is one of the unsaved records.
    pub fn has(&self, sale: &Sale) -> bool {
        match sale {
            Sale::Link(link) => self.links.has(link),
            Sale::Charge(charge) => self.charges.has(charge),
        }
    }

    /// Adds a record that could not be written to the history.
    pub fn keep(&mut self, sale: Sale) {
        match sale {
            Sale::Link(link) => self.links.keep(link),
            Sale::Charge(charge) => self.charges.keep(charge),
        }
    }
}

impl<T: HistoryRecord> UnsavedRecords<T> {
    fn keep(&mut self, record: T) {
        self.0.push_front(record);
        self.0.truncate(MOST);
    }

    /// Returns the unsaved records, newest first.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.0.iter()
    }

    /// Returns true if this record is one of the unsaved records.
    pub fn has(&self, record: &T) -> bool {
        self.0.iter().any(|kept| kept.is_same(record))
    }

    /// Replaces rows of a page with their unsaved records, which are more complete than the rows.
    pub fn put(&self, page: &mut ListPage<T>) {
        if !self.0.is_empty() {
            let known =
                |row: &T| self.0.iter().find(|kept| kept.is_same(row)).unwrap_or(row).clone();
            page.rows = page.rows.iter().map(known).collect();
        }
    }

    /// Inserts unsaved records above the rows of the first page, except the records that the page
    /// already contains. Call this if the history could not be read.
    pub fn prepend_missing(&self, page: &mut ListPage<T>) {
        let is_new = |kept: &&T| !page.rows.iter().any(|row| row.is_same(kept));
        let mut rows: Vec<T> = self.0.iter().filter(is_new).cloned().collect();
        if page.first > 0 || rows.is_empty() {
            return;
        }
        page.total = page.total.map(|total| total + rows.len() as u64);
        rows.extend(page.rows.iter().cloned());
        page.rows = rows.into();
    }
}
