//! What the service made in this run and the history could not write down: it is shown from here.
//!
//! The history has a row of it that says "unknown", for it was asked for; with the program ends
//! what is known beyond that, so the screen says so.

use std::collections::VecDeque;

use super::Store;
use crate::trade::{Charge, DayTotal, ListPage, PaymentLink};

/// The most of each that are kept; the newest stay.
const MOST: usize = 200;

/// The milliseconds of a day.
const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

/// Something the service made that is in no file.
#[derive(Debug, Clone, PartialEq)]
pub enum NotSaved {
    /// A link.
    Link(PaymentLink),
    /// A direct payment.
    Charge(Charge),
}

/// Everything of this run that is in no file, newest first.
#[derive(Debug, Clone, Default)]
pub struct Unsaved {
    links: VecDeque<PaymentLink>,
    charges: VecDeque<Charge>,
}

/// A record of which the history has a row.
trait Noted: Clone {
    /// Whether both are the same row: a number alone may be another history's.
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

/// The history could not write down what the service made.
pub fn hear(store: &mut Store, not_saved: NotSaved) {
    match not_saved {
        NotSaved::Link(link) => keep(&mut store.unsaved.links, link),
        NotSaved::Charge(charge) => keep(&mut store.unsaved.charges, charge),
    }
}

fn keep<T>(kept: &mut VecDeque<T>, record: T) {
    kept.push_front(record);
    kept.truncate(MOST);
}

impl Unsaved {
    /// Whether this link is in no file.
    pub fn has_link(&self, link: &PaymentLink) -> bool {
        self.links.iter().any(|kept| kept.is_same(link))
    }

    /// Whether this direct payment is in no file.
    pub fn has_charge(&self, charge: &Charge) -> bool {
        self.charges.iter().any(|kept| kept.is_same(charge))
    }

    /// Puts what is known of links in the place of the rows that do not know it.
    pub fn into_links(&self, page: &mut ListPage<PaymentLink>, days: &mut [DayTotal]) {
        for link in put(&self.links, page) {
            let is_on =
                |day: &&mut DayTotal| (0..DAY_MS).contains(&link.at.0.saturating_sub(day.starts.0));
            let Some(day) = days.iter_mut().find(is_on) else { continue };
            // The history counts what it knows to be made.
            if let Some(sum) = day.sum.checked_add(link.request.amount) {
                (day.count, day.sum) = (day.count + 1, sum);
            }
        }
    }

    /// The same for direct payments.
    pub fn into_charges(&self, page: &mut ListPage<Charge>) {
        put(&self.charges, page);
    }

    /// Links that are not on a page which could not be read anew.
    pub fn before_links(&self, page: &mut ListPage<PaymentLink>) {
        put_before(&self.links, page);
    }

    /// The same for direct payments.
    pub fn before_charges(&self, page: &mut ListPage<Charge>) {
        put_before(&self.charges, page);
    }
}

/// Puts the kept ones in the place of their rows; which ones had a row.
fn put<'k, T: Noted>(kept: &'k VecDeque<T>, page: &mut ListPage<T>) -> Vec<&'k T> {
    if kept.is_empty() {
        return Vec::new();
    }
    let mut found = Vec::new();
    let rows = page.rows.iter().map(|row| match kept.iter().find(|kept| kept.is_same(row)) {
        Some(kept) => {
            found.push(kept);
            kept.clone()
        }
        None => row.clone(),
    });
    page.rows = rows.collect();
    found
}

fn put_before<T: Noted>(kept: &VecDeque<T>, page: &mut ListPage<T>) {
    let is_new = |kept: &&T| !page.rows.iter().any(|row| row.is_same(kept));
    let mut rows: Vec<T> = kept.iter().filter(is_new).cloned().collect();
    if page.first > 0 || rows.is_empty() {
        return;
    }
    page.total += rows.len() as u64;
    rows.extend(page.rows.iter().cloned());
    page.rows = rows.into();
}
