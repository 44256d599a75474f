//! Links and charges of this run that the history could not write down: they are shown from here.
//!
//! The history has a row of it that says "unknown", for it was asked for; with the program ends
//! what is known beyond that, so the screen says so.

use std::collections::VecDeque;

use crate::trade::{Charge, ListPage, PaymentLink};

/// The most of each that are kept; the newest stay.
const MOST: usize = 200;

/// Something the service made that is in no file.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "each is named as what was made")]
pub enum NotSaved {
    Link(PaymentLink),
    Charge(Charge),
}

/// Everything of this run that is in no file.
#[derive(Debug, Clone, Default)]
#[expect(missing_docs, reason = "a field is its name")]
pub struct Unsaved {
    pub links: UnsavedRecords<PaymentLink>,
    pub charges: UnsavedRecords<Charge>,
}

/// Records of one kind, newest first.
#[derive(Debug, Clone)]
pub struct UnsavedRecords<T>(VecDeque<T>);

impl<T> Default for UnsavedRecords<T> {
    fn default() -> UnsavedRecords<T> {
        UnsavedRecords(VecDeque::new())
    }
}

/// A record of which the history has a row.
pub trait Noted: Clone {
    /// Returns true when both are the same row: a number alone may be another history's.
    fn is_same(&self, other: &Self) -> bool;
}

impl Noted for PaymentLink {
    fn is_same(&self, other: &Self) -> bool {
        (self.id, self.at) == (other.id, other.at) && self.request == other.request
    }
}

impl Noted for Charge {
    fn is_same(&self, other: &Self) -> bool {
        (self.id, self.at) == (other.id, other.at) && self.request == other.request
    }
}

impl Unsaved {
    /// Returns true when every record of this run is in a file.
    pub fn is_empty(&self) -> bool {
        self.links.0.is_empty() && self.charges.0.is_empty()
    }

    /// Keeps what the history could not write down.
    pub fn keep(&mut self, not_saved: NotSaved) {
        match not_saved {
            NotSaved::Link(link) => self.links.keep(link),
            NotSaved::Charge(charge) => self.charges.keep(charge),
        }
    }
}

impl<T: Noted> UnsavedRecords<T> {
    fn keep(&mut self, record: T) {
        self.0.push_front(record);
        self.0.truncate(MOST);
    }

    /// Returns true when this record is in no file.
    pub fn has(&self, record: &T) -> bool {
        self.0.iter().any(|kept| kept.is_same(record))
    }

    /// Puts the kept ones in the place of their rows, which do not know it.
    pub fn put(&self, page: &mut ListPage<T>) {
        if !self.0.is_empty() {
            let known =
                |row: &T| self.0.iter().find(|kept| kept.is_same(row)).unwrap_or(row).clone();
            page.rows = page.rows.iter().map(known).collect();
        }
    }

    /// Puts those that are not on it before a page that could not be read anew.
    pub fn put_before(&self, page: &mut ListPage<T>) {
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
