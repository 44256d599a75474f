//! Links and direct payments of this run that could not be written to the history database. The
//! screens show them from memory.
//!
//! The database contains only the row that was written before the request was sent, with the state
//! "unknown". The rest is lost when the program ends, and the screens warn about this.

use std::collections::VecDeque;

use crate::trade::{ListPage, SaleOf, SaleRequest};

/// The maximum number of unsaved links, and of unsaved direct payments. If there are more, the
/// oldest are dropped.
const MAX_RECORDS: usize = 200;

/// Unsaved links or unsaved direct payments, newest first.
#[derive(Debug, Clone)]
pub struct UnsavedRecords<R: SaleRequest>(VecDeque<SaleOf<R>>);

impl<R: SaleRequest> Default for UnsavedRecords<R> {
    fn default() -> UnsavedRecords<R> {
        UnsavedRecords(VecDeque::new())
    }
}

impl<R: SaleRequest> UnsavedRecords<R> {
    pub fn keep(&mut self, record: SaleOf<R>) {
        self.0.push_front(record);
        self.0.truncate(MAX_RECORDS);
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = &SaleOf<R>> {
        self.0.iter()
    }

    /// True if this record is one of the unsaved records.
    pub fn has(&self, record: &SaleOf<R>) -> bool {
        self.0.iter().any(|unsaved| unsaved.is_same(record))
    }

    /// Replaces each row that also exists as an unsaved record by that record. The row in the
    /// database still says that the outcome is unknown.
    pub fn replace_rows(&self, page: &mut ListPage<SaleOf<R>>) {
        if !self.0.is_empty() {
            page.rows = page
                .rows
                .iter()
                .map(|row| {
                    self.0
                        .iter()
                        .find(|unsaved| unsaved.is_same(row))
                        .unwrap_or(row)
                        .clone()
                })
                .collect();
        }
    }

    /// Inserts unsaved records above the rows of the first page, unless the page already contains
    /// them. Needed only if the history database could not be read.
    pub fn prepend_missing(&self, page: &mut ListPage<SaleOf<R>>) {
        let mut rows: Vec<SaleOf<R>> = self
            .0
            .iter()
            .filter(|unsaved| !page.rows.iter().any(|row| row.is_same(unsaved)))
            .cloned()
            .collect();
        if page.first > 0 || rows.is_empty() {
            return;
        }
        page.total = page.total.map(|total| total + rows.len() as u64);
        rows.extend(page.rows.iter().cloned());
        page.rows = rows.into();
    }
}
