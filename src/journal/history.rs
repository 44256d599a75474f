//! The history of payment links and direct payments, which is searchable and sorted from newest to
//! oldest.
//!
//! Losing `history.db` loses no money, so a damaged history is automatically renamed and replaced
//! with a new one. The journal of withdrawals is never replaced automatically.

mod apply;
mod authors;
mod batches;
mod buyers;
mod descriptions;
mod domains;
mod file;
mod find;
mod log;
mod marks;
mod nicknames;
mod report;
mod search_filter;
mod shared;
mod statements;
mod table;

use std::collections::BTreeMap;
use std::path::Path;
use std::slice;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rusqlite::{Connection, TransactionBehavior, params};

use self::authors::read_authors;
use super::trouble::sql_trouble;
use crate::trade::{
    Account, Charge, ChargeRequest, CheckoutDomain, JournalTrouble, KnownBuyer, KnownLink,
    LinkRequest, ListPage, ListTotals, Origin, Outcome, PagePosition, Paid, PaidSource,
    PaymentLink, RecentTotals, RowId, Sale, SaleAuthors, SaleOf, Search, SearchTotals, Untrusted,
    Wall,
};

pub use super::database::RenamedFile;
pub use apply::Applied;
pub use batches::TakenLine;
#[cfg(test)]
pub(super) use file::STEPS;
pub use file::{SCHEMA, examine, is_missing, list_renamed_files};
pub use log::{HistoryLog, MAX_AUTHOR_BYTES, MAX_STATE_BYTES, Record};
pub use report::GroupText;
pub use table::SaleTable;

/// An open `history.db`. Several processes may have the same file open.
pub struct History {
    path: std::path::PathBuf,
    connection: Connection,
    /// SQLite's `data_version`. Its value changes only when another connection writes to the file.
    version: i64,
    cache: TotalsCache,
}

/// A cache of the latest totals. It is valid until the file changes.
#[derive(Debug, Default)]
struct TotalsCache {
    /// The state of the file for which the cache is valid. It consists of SQLite's `data_version`
    /// and the number of rows that this connection has changed.
    state: (i64, u64),
    /// The totals of the latest search of each table, by the name of the table.
    found: BTreeMap<&'static str, FoundTotals>,
    recent: Option<Recent>,
}

/// The totals of the last weeks.
#[derive(Debug)]
struct Recent {
    /// The day on which they were computed.
    day: LocalDay,
    figures: Option<Box<RecentTotals>>,
    marking_accounts: Vec<Account>,
}

/// The totals of a search of one table.
#[derive(Debug, Clone)]
struct FoundTotals {
    search: Search,
    total: u64,
    sums: Option<SearchTotals>,
}

/// A day in the seller's time zone: the number of days since 1970-01-01, and the offset from UTC in
/// seconds.
type LocalDay = (i64, i32);

fn version(connection: &Connection) -> rusqlite::Result<i64> {
    connection.query_row("PRAGMA data_version", [], |row| row.get(0))
}

/// The time for which a mark shows that the seller marks links, in milliseconds: 30 days.
const MARKS_MS: i64 = 30 * 24 * 60 * 60 * 1_000;

/// When the whole table is read, each query reads this number of rows.
const ROWS_PER_READ: u64 = 200;

/// A query checks for cancellation after this number of SQLite instructions, about every 0.1 ms.
const STEPS_PER_CHECK: i32 = 1_000;

impl History {
    /// Opens the history in a directory, and creates it if it does not exist.
    ///
    /// A damaged history is renamed and replaced. The returned [`RenamedFile`] has its new path.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be opened. A file with a different schema version is not changed.
    pub fn open(dir: &Path, now: Wall) -> Result<(History, Option<RenamedFile>), JournalTrouble> {
        file::FILE.open_replacing_damaged(dir, now, || History::open_without_recovery(dir, false))
    }

    /// Opens a history that is deleted when the program ends. Its writes need not be durable.
    pub fn open_temporary(dir: &Path) -> Result<History, JournalTrouble> {
        History::open_without_recovery(dir, true)
    }

    fn open_without_recovery(dir: &Path, is_temporary: bool) -> Result<History, JournalTrouble> {
        History::with_connection(dir, file::open(dir, is_temporary)?)
    }

    fn with_connection(dir: &Path, connection: Connection) -> Result<History, JournalTrouble> {
        let path = file::FILE.path(dir);
        let version = map_error(&path, version(&connection))?;
        let history = History {
            path,
            connection,
            version,
            cache: TotalsCache::default(),
        };
        // Read a row of both tables now, to find most damage before the seller opens a list.
        history.is_empty()?;
        Ok(history)
    }

    /// True if another connection has changed the history since the last call, or since it was
    /// opened.
    pub fn changed_elsewhere(&mut self) -> Result<bool, JournalTrouble> {
        let version = map_error(&self.path, version(&self.connection))?;
        Ok(std::mem::replace(&mut self.version, version) != version)
    }

    /// True if the history has no payment links and no direct payments.
    pub fn is_empty(&self) -> Result<bool, JournalTrouble> {
        Ok(self.has_no_row::<LinkRequest>()? && self.has_no_row::<ChargeRequest>()?)
    }

    fn has_no_row<R: SaleTable>(&self) -> Result<bool, JournalTrouble> {
        let top = RowId(i64::MAX);
        let rows = table::read_period::<R>(&self.connection, table::ALL_TIME, top, 1);
        map_error(&self.path, rows).map(|rows| rows.is_empty())
    }

    /// Runs a query, and cancels it as soon as `is_cancelled` returns true. SQLite calls
    /// `is_cancelled` repeatedly. Returns `None` if the query was cancelled.
    ///
    /// SQLite's `interrupt` is not used, because it could arrive late and cancel the next
    /// statement, which may be a write.
    pub fn run_cancellable<R>(
        &mut self,
        mut is_cancelled: impl FnMut() -> bool + Send + 'static,
        query: impl FnOnce(&mut History) -> Result<R, JournalTrouble>,
    ) -> Option<Result<R, JournalTrouble>> {
        let was_cancelled = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&was_cancelled);
        let check = Some(move || {
            let must_stop = is_cancelled();
            flag.fetch_or(must_stop, Ordering::Relaxed);
            must_stop
        });
        let installed = self.connection.progress_handler(STEPS_PER_CHECK, check);
        if let Err(trouble) = map_error(&self.path, installed) {
            return Some(Err(trouble));
        }
        let result = query(self);
        let removed = self.connection.progress_handler(0, None::<fn() -> bool>);
        match result {
            Err(_) if was_cancelled.load(Ordering::Relaxed) => None,
            result => Some(result.and_then(|value| map_error(&self.path, removed).map(|()| value))),
        }
    }

    /// Fills an empty history with example payments, oldest first. Does nothing if the history has
    /// rows.
    pub fn seed(
        &mut self,
        links: &[PaymentLink],
        charges: &[Charge],
    ) -> Result<(), JournalTrouble> {
        if !self.is_empty()? {
            return Ok(());
        }
        map_error(&self.path, table::insert_rows(&mut self.connection, links))?;
        map_error(
            &self.path,
            table::insert_rows(&mut self.connection, charges),
        )
        .map(drop)
    }

    /// Stores a payment link or direct payment before its request is sent. It is then recorded even
    /// if no response arrives.
    pub fn begin<R: SaleTable>(&mut self, request: &R, at: Wall) -> Result<RowId, JournalTrouble> {
        self.begin_with_note(request, None, at)
    }

    /// Stores a request like [`History::begin`], with the seller's note about it.
    pub fn begin_with_note<R: SaleTable>(
        &mut self,
        request: &R,
        note: Option<String>,
        at: Wall,
    ) -> Result<RowId, JournalTrouble> {
        let request = request.clone();
        let outcome = Outcome::Unknown;
        let sale = SaleOf {
            id: RowId(0),
            at,
            request,
            outcome,
            paid: None,
            note,
            put_away: None,
            authors: SaleAuthors::default(),
        };
        let ids = table::insert_rows(&mut self.connection, &[sale]);
        map_error(&self.path, ids).map(|ids| ids[0])
    }

    /// Stores the outcome of a request for a payment link or direct payment.
    pub fn settle<R: SaleTable>(
        &mut self,
        id: RowId,
        outcome: &Outcome<R::Created>,
    ) -> Result<SaleOf<R>, JournalTrouble> {
        map_error(&self.path, table::settle(&mut self.connection, id, outcome))
    }

    /// A page of payment links or direct payments, newest first. The page includes the number of
    /// all found rows if it is cached, or if this is the last page.
    ///
    /// Each search term must match a text of the row, such as its description, amount or URL, or
    /// the status or time in its table row. Case and accents are ignored.
    pub fn sales<R: SaleTable>(
        &mut self,
        search: impl Into<Search>,
        place: PagePosition,
        n: u64,
    ) -> Result<ListPage<SaleOf<R>>, JournalTrouble> {
        let search = search.into();
        let cached_total = self
            .valid_cache()?
            .found_by::<R>(&search)
            .map(|found| found.total);
        map_error(
            &self.path,
            table::page(&self.connection, &search, place, n, cached_total),
        )
    }

    /// Up to `n` rows that a search finds and that are older than the row `below`, newest first.
    pub fn sales_below<R: SaleTable>(
        &self,
        search: &Search,
        below: RowId,
        n: u64,
    ) -> Result<Vec<SaleOf<R>>, JournalTrouble> {
        let rows = table::read_below(&self.connection, search, below, n);
        map_error(&self.path, rows)
    }

    /// The number of put-away links that match a search, which the list of its links lacks.
    pub fn count_put_away(&self, search: &Search) -> Result<u64, JournalTrouble> {
        let mut search = search.clone();
        search.filter.put_away = true;
        let count = table::total::<LinkRequest>(&self.connection, &search);
        map_error(&self.path, count)
    }

    /// All payment links or direct payments, newest first.
    pub fn all<R: SaleTable>(
        &self,
    ) -> impl Iterator<Item = Result<SaleOf<R>, JournalTrouble>> + '_ {
        self.between(table::ALL_TIME)
    }

    /// The payment links or direct payments from the first time until before the second, newest
    /// first. They are read in batches, and the file is not locked between two batches.
    pub fn between<R: SaleTable>(
        &self,
        period: [Wall; 2],
    ) -> impl Iterator<Item = Result<SaleOf<R>, JournalTrouble>> + '_ {
        let mut below = Some(RowId(i64::MAX));
        let pages = std::iter::from_fn(move || {
            let page = table::read_period(&self.connection, period, below.take()?, ROWS_PER_READ);
            let page = map_error(&self.path, page);
            // After an error, stop the iteration.
            let last = page.as_ref().ok().and_then(|rows| rows.last());
            below = last.map(|row: &SaleOf<R>| row.id);
            Some(match page {
                Ok(rows) => rows.into_iter().map(Ok).collect(),
                Err(trouble) => vec![Err(trouble)],
            })
        });
        pages.flatten()
    }

    /// The totals of the rows that a search finds. For payment links, the sums and separate totals
    /// for each of the given days are included.
    ///
    /// A day is a pair of times: its start, and its end at midnight (exclusive). A day is omitted
    /// if its sum is not exact. All days are omitted if the search has a filter or terms.
    pub fn totals<R: SaleTable>(
        &mut self,
        search: &Search,
        days: &[[Wall; 2]],
        (now, utc_offset_s): (Wall, i32),
    ) -> Result<ListTotals, JournalTrouble> {
        self.valid_cache()?;
        let History {
            path,
            connection,
            cache,
            ..
        } = self;
        let mut count = || -> rusqlite::Result<ListTotals> {
            let FoundTotals {
                total, sums: found, ..
            } = match cache.found_by::<R>(search) {
                Some(found) => found.clone(),
                None => {
                    let total = table::total::<R>(connection, search)?;
                    let sums = if search.is_narrowed() {
                        marks::found_totals::<R>(connection, search)?
                    } else {
                        None
                    };
                    let found = FoundTotals {
                        search: search.clone(),
                        total,
                        sums,
                    };
                    cache.found.insert(R::TABLE, found.clone());
                    found
                }
            };
            if !R::HAS_SUMS {
                return Ok(ListTotals {
                    total,
                    found,
                    ..ListTotals::default()
                });
            }
            let today = (now.local_day(utc_offset_s), utc_offset_s);
            let recent = match &cache.recent {
                Some(recent) if recent.day == today => recent,
                _ => {
                    let figures = marks::recent_totals(connection, now, utc_offset_s)?;
                    let since = Wall(now.0.saturating_sub(MARKS_MS));
                    cache.recent.insert(Recent {
                        day: today,
                        figures: figures.map(Box::new),
                        marking_accounts: marks::marking_accounts(connection, since)?,
                    })
                }
            };
            let days = if search.is_narrowed() { &[] } else { days };
            let days = marks::day_totals(connection, days)?;
            Ok(ListTotals {
                total,
                days,
                found,
                figures: recent.figures.clone(),
                marking_accounts: recent.marking_accounts.clone(),
            })
        };
        map_error(path, count())
    }

    /// True if the totals of this search are cached.
    pub fn has_cached_totals<R: SaleTable>(
        &mut self,
        search: &Search,
    ) -> Result<bool, JournalTrouble> {
        let cache = self.valid_cache()?;
        let has_recent = !R::HAS_SUMS || cache.recent.is_some();
        Ok(cache.found_by::<R>(search).is_some() && has_recent)
    }

    /// The cached totals. The cache is cleared first if the file has changed.
    fn valid_cache(&mut self) -> Result<&mut TotalsCache, JournalTrouble> {
        let version = map_error(&self.path, version(&self.connection))?;
        let state = (version, self.connection.total_changes());
        if self.cache.state != state {
            self.cache = TotalsCache {
                state,
                ..TotalsCache::default()
            };
        }
        Ok(&mut self.cache)
    }

    /// Marks a payment link or direct payment as paid at this time, or removes the mark if `paid`
    /// is `None`. A mark also brings a put-away link back to the list. Returns the changed record.
    ///
    /// # Errors
    ///
    /// Fails if the row is gone, if the service has not confirmed its creation, or if the sandbox
    /// reported the payment.
    pub fn mark_paid(&mut self, sale: &Sale, paid: Option<Wall>) -> Result<Sale, JournalTrouble> {
        let marked = match sale {
            Sale::Link(link) => marks::mark(&mut self.connection, link, paid),
            Sale::Charge(charge) => marks::mark(&mut self.connection, charge, paid),
        };
        map_error(&self.path, marked)?;
        let paid = paid.map(|at| Paid {
            at,
            source: PaidSource::Seller,
        });
        let mut sale = sale.clone().with_paid(paid);
        let authors = match &mut sale {
            Sale::Link(link) => read_authors(&self.connection, slice::from_mut(link)),
            Sale::Charge(charge) => read_authors(&self.connection, slice::from_mut(charge)),
        };
        map_error(&self.path, authors).map(|()| sale)
    }

    /// Puts a payment link away since this time, or brings it back if `since` is `None`. A put-away
    /// link stays valid, but is only listed with the filter for such links, and is not part of any
    /// other total. Returns the changed record.
    ///
    /// # Errors
    ///
    /// Fails if the row is gone, or if the service has not confirmed its creation.
    pub fn put_away(
        &mut self,
        link: &PaymentLink,
        since: Option<Wall>,
    ) -> Result<PaymentLink, JournalTrouble> {
        let changed = table::put_away(&mut self.connection, link, since);
        map_error(&self.path, changed)
    }

    /// Stores the seller's note about a payment link, or removes it if `note` is `None`. Returns
    /// the changed record.
    ///
    /// # Errors
    ///
    /// Fails if the row is gone.
    pub fn set_note(
        &mut self,
        link: &PaymentLink,
        note: Option<&str>,
    ) -> Result<PaymentLink, JournalTrouble> {
        let changed = table::set_note(&mut self.connection, link, note);
        map_error(&self.path, changed)
    }

    /// Marks the payment links with these URLs as paid, as the sandbox at `origin` reported, and
    /// brings put-away links among them back to the list. Links that are already marked keep their
    /// time of payment. Links of other services are not changed.
    pub fn record_sandbox_payments(
        &mut self,
        origin: &Origin,
        urls: &[Untrusted],
        at: Wall,
    ) -> Result<(), JournalTrouble> {
        map_error(
            &self.path,
            marks::record_sandbox_payments(&self.connection, origin, urls, at),
        )
    }

    /// The newest payment link that the service at `origin` created with this URL.
    pub fn link_at(
        &self,
        origin: &Origin,
        url: &Untrusted,
    ) -> Result<Option<PaymentLink>, JournalTrouble> {
        map_error(&self.path, marks::link_at(&self.connection, origin, url))
    }

    /// Stores the checkout domains that the service lists now. Returns each domain with the time
    /// when it entered its current state, such as usable.
    pub fn record_domains(
        &mut self,
        account: &Account,
        listed: &[CheckoutDomain],
        now: Wall,
    ) -> Result<Vec<(CheckoutDomain, Wall)>, JournalTrouble> {
        map_error(
            &self.path,
            domains::record(&mut self.connection, account, listed, now),
        )
    }

    /// Stores the outcome of a payment link or direct payment after the seller has looked it up at
    /// the service. Returns the stored record.
    ///
    /// # Errors
    ///
    /// Fails if the row was deleted, or if the service has already confirmed the creation.
    pub fn settle_after_lookup(&mut self, sale: &Sale) -> Result<Sale, JournalTrouble> {
        let connection = &mut self.connection;
        let result = match sale {
            Sale::Link(link) => table::settle_uncreated(connection, link).map(Sale::Link),
            Sale::Charge(charge) => table::settle_uncreated(connection, charge).map(Sale::Charge),
        };
        map_error(&self.path, result)
    }

    /// Deletes the row of a payment link or direct payment that may not exist at the service.
    ///
    /// # Errors
    ///
    /// Fails if the row is gone, or if the service has confirmed its creation.
    pub fn remove_sale(&mut self, sale: &Sale) -> Result<(), JournalTrouble> {
        let connection = &mut self.connection;
        let result = match sale {
            Sale::Link(link) => table::delete_uncreated(connection, link),
            Sale::Charge(charge) => table::delete_uncreated(connection, charge),
        };
        map_error(&self.path, result)
    }

    /// The buyers of this account's latest direct payments, the most frequent first.
    pub fn buyers(&self, account: &Account) -> Result<Vec<KnownBuyer>, JournalTrouble> {
        map_error(&self.path, buyers::read(&self.connection, account))
    }

    /// The descriptions of this account's latest payment links, the most frequent first.
    pub fn known_links(&self, account: &Account) -> Result<Vec<KnownLink>, JournalTrouble> {
        map_error(&self.path, descriptions::read(&self.connection, account))
    }

    /// The numbers of payment links, direct payments, nicknames and batches that are older than
    /// `before`.
    pub fn count_older_than(&self, before: Wall) -> Result<[u64; 4], JournalTrouble> {
        let counts = self.connection.query_row(
            "SELECT (SELECT count(*) FROM link WHERE at < ?1),
                    (SELECT count(*) FROM charge WHERE at < ?1),
                    (SELECT count(*) FROM nickname WHERE at < ?1),
                    (SELECT count(*) FROM batch WHERE at < ?1)",
            [before.0],
            |row| Ok([row.get::<_, i64>(0)?, row.get(1)?, row.get(2)?, row.get(3)?]),
        );
        map_error(
            &self.path,
            counts.map(|counts| counts.map(i64::unsigned_abs)),
        )
    }

    /// Rewrites the database, because its search index and write-ahead log still contain deleted
    /// texts. Returns false if some deleted texts may remain, because another connection was using
    /// the files.
    pub fn overwrite_deleted(&mut self) -> Result<bool, JournalTrouble> {
        match map_error(&self.path, overwrite_deleted(&self.connection)) {
            Err(JournalTrouble::Busy(_)) => Ok(false),
            result => result,
        }
    }

    /// Deletes payment links, direct payments, nicknames and batches older than `before`. Returns
    /// their number.
    pub fn prune(&mut self, before: Wall) -> Result<u64, JournalTrouble> {
        map_error(&self.path, prune(&mut self.connection, before))
    }
}

impl TotalsCache {
    /// The totals of this search, if they are cached.
    fn found_by<R: SaleTable>(&self, search: &Search) -> Option<&FoundTotals> {
        self.found
            .get(R::TABLE)
            .filter(|found| found.search == *search)
    }
}

/// Converts an SQLite error to a [`JournalTrouble`] that names the file.
fn map_error<T>(path: &Path, result: rusqlite::Result<T>) -> Result<T, JournalTrouble> {
    result.map_err(|error| sql_trouble(path, &error))
}

fn overwrite_deleted(connection: &Connection) -> rusqlite::Result<bool> {
    connection.execute_batch(
        "INSERT INTO link_words (link_words) VALUES ('optimize');
         INSERT INTO charge_words (charge_words) VALUES ('optimize');
         VACUUM;",
    )?;
    let truncate = "PRAGMA wal_checkpoint(TRUNCATE)";
    connection.query_row(truncate, [], |row| Ok(row.get::<_, i64>(0)? == 0))
}

fn prune(connection: &mut Connection, before: Wall) -> rusqlite::Result<u64> {
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let mut deleted_rows = 0;
    for table in ["link", "charge"] {
        tx.execute(
            &format!(
                "DELETE FROM {table}_words WHERE rowid IN
                 (SELECT id FROM {table} WHERE at < ?)"
            ),
            params![before.0],
        )?;
        tx.execute(
            &format!(
                "DELETE FROM statement_line WHERE sale = '{table}' AND row IN
                 (SELECT id FROM {table} WHERE at < ?)"
            ),
            params![before.0],
        )?;
        deleted_rows += tx.execute(
            &format!("DELETE FROM {table} WHERE at < ?"),
            params![before.0],
        )?;
    }
    deleted_rows += tx.execute("DELETE FROM nickname WHERE at < ?", params![before.0])?;
    tx.execute(
        "DELETE FROM batch_line WHERE batch IN (SELECT id FROM batch WHERE at < ?)",
        params![before.0],
    )?;
    deleted_rows += tx.execute("DELETE FROM batch WHERE at < ?", params![before.0])?;
    tx.commit()?;
    Ok(deleted_rows as u64)
}

#[cfg(test)]
mod tests;
