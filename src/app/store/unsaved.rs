//! Links and direct payments of this run that could not be written to the history database. The
//! screens show them from memory.
//!
//! The database contains only the row that was written before the request was sent, with the state
//! "unknown". The rest is lost when the program ends, and the screens warn about this.

use std::collections::VecDeque;

use crate::trade::{Charge, ListPage, PaymentLink, Sale};

/// The maximum number of unsaved links, and of unsaved direct payments. If there are more, the
/// oldest are dropped.
const MAX_RECORDS: usize = 200;

/// The links and direct payments of this run that could not be written to the history database.
#[derive(Debug, Clone, Default)]
pub struct Unsaved {
    pub links: UnsavedRecords<PaymentLink>,
    pub charges: UnsavedRecords<Charge>,
}

/// Unsaved links or unsaved direct payments, newest first.
#[derive(Debug, Clone)]
pub struct UnsavedRecords<T>(VecDeque<T>);

impl<T> Default for UnsavedRecords<T> {
    fn default() -> UnsavedRecords<T> {
        UnsavedRecords(VecDeque::new())
    }
}

/// A link or direct payment, which is stored as one row of the history database.
pub trait HistoryRecord: Clone {
    /// Returns true if both values are the same row of the history database. Comparing row ids is
    /// not enough, because a damaged database that was replaced may use the same ids again.
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
    pub fn is_empty(&self) -> bool {
        self.links.0.is_empty() && self.charges.0.is_empty()
    }

    /// Returns true if this link or direct payment could not be saved in the history database.
    pub fn has(&self, sale: &Sale) -> bool {
        match sale {
            Sale::Link(link) => self.links.has(link),
            Sale::Charge(charge) => self.charges.has(charge),
        }
    }

    /// Remembers a link or direct payment that could not be written to the history database.
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
        self.0.truncate(MAX_RECORDS);
    }

    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.0.iter()
    }

    /// Returns true if this record is one of the unsaved records.
    pub fn has(&self, record: &T) -> bool {
        self.0.iter().any(|unsaved| unsaved.is_same(record))
    }

    /// Replaces each row that also exists as an unsaved record by that record. The row in the
    /// database still says that the outcome is unknown.
    pub fn replace_rows(&self, page: &mut ListPage<T>) {
        if !self.0.is_empty() {
            let newest =
                |row: &T| self.0.iter().find(|unsaved| unsaved.is_same(row)).unwrap_or(row).clone();
            page.rows = page.rows.iter().map(newest).collect();
        }
    }

    /// Inserts unsaved records above the rows of the first page, unless the page already contains
    /// them. Needed only if the history database could not be read.
    pub fn prepend_missing(&self, page: &mut ListPage<T>) {
        let is_missing = |unsaved: &&T| !page.rows.iter().any(|row| row.is_same(unsaved));
        let mut rows: Vec<T> = self.0.iter().filter(is_missing).cloned().collect();
        if page.first > 0 || rows.is_empty() {
            return;
        }
        page.total = page.total.map(|total| total + rows.len() as u64);
        rows.extend(page.rows.iter().cloned());
        page.rows = rows.into();
    }
}
