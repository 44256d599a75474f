//! The history of payment links and direct payments, newest first and searchable.
//!
//! `history.db` may be pruned and can be lost without losing money. Unlike the money journal, a
//! damaged one is moved aside, under a name that has the date, and a new one is begun.

mod domains;
mod file;
mod marks;
mod nicknames;
mod record;
mod search_filter;
mod table;

use std::path::Path;

use rusqlite::{Connection, TransactionBehavior, params};

use super::trouble::sql_trouble;
use crate::trade::{
    Account, Charge, ChargeOutcome, ChargeRequest, CheckoutDomain, DayTotal, FoundTotals,
    JournalTrouble, LinkFigures, LinkOutcome, LinkRequest, ListPage, Nickname, Nicknames,
    PaymentLink, PixKey, RowId, Search, Wall,
};

pub use file::{MovedAside, SCHEMA, schema_on_disk, set_aside};
use table::{CHARGES, LINKS};

/// The history of one directory; several may be open at once.
pub struct History {
    path: std::path::PathBuf,
    connection: Connection,
    /// SQLite's `data_version`, which changes when another connection writes, and only then.
    version: i64,
}

fn version(connection: &Connection) -> rusqlite::Result<i64> {
    connection.query_row("PRAGMA data_version", [], |row| row.get(0))
}

impl History {
    /// Opens the history of a directory, or begins one.
    ///
    /// A damaged one is moved aside, and the notice says where to. One that a newer version of
    /// the program wrote is left alone.
    pub fn open(dir: &Path, now: Wall) -> Result<(History, Option<MovedAside>), JournalTrouble> {
        match History::open_as_it_is(dir) {
            Err(JournalTrouble::Damaged(why)) => {
                let moved = set_aside(dir, now, why)?;
                Ok((History::open_as_it_is(dir)?, Some(moved)))
            }
            opened => opened.map(|history| (history, None)),
        }
    }

    fn open_as_it_is(dir: &Path) -> Result<History, JournalTrouble> {
        let path = file::path(dir);
        let connection = file::open(dir)?;
        let version = version(&connection).map_err(|error| sql_trouble(&path, &error))?;
        let history = History { path, connection, version };
        // A glance at both lists finds most damage now rather than when the seller looks.
        history.links(None, "", 0, 1)?;
        history.charges(None, "", 0, 1)?;
        Ok(history)
    }

    /// Returns true when a directory has a history with any row in it, or one that cannot be read.
    pub fn holds_anything(dir: &Path) -> bool {
        let path = file::path(dir);
        let is_there = std::fs::metadata(&path).is_ok_and(|file| file.len() > 0);
        is_there && file::holds_rows(&path).unwrap_or(true)
    }

    /// Returns true when another window changed the history since the last call, or since the
    /// opening.
    pub fn changed_elsewhere(&mut self) -> Result<bool, JournalTrouble> {
        let version = version(&self.connection).map_err(|error| self.wrong(&error))?;
        Ok(std::mem::replace(&mut self.version, version) != version)
    }

    /// Returns true while there is nothing in it.
    pub fn is_empty(&self) -> Result<bool, JournalTrouble> {
        Ok(self.links(None, "", 0, 1)?.total == 0 && self.charges(None, "", 0, 1)?.total == 0)
    }

    /// Begins a history that has nothing in it yet with these rows, oldest first.
    pub fn begin_with(
        &mut self,
        links: &[PaymentLink],
        charges: &[Charge],
    ) -> Result<(), JournalTrouble> {
        if !self.is_empty()? {
            return Ok(());
        }
        let rows = links.iter().map(|link| {
            let (account, amount) = (&link.request.account, link.request.amount);
            (table::CommonColumns { at: link.at, account, amount }, &link.request, &link.outcome)
        });
        let put = LINKS.put_all(&mut self.connection, rows);
        let ids = put.map_err(|error| self.wrong(&error))?;
        for (link, id) in links.iter().zip(ids).filter(|(link, _)| link.paid.is_some()) {
            self.mark_link(&PaymentLink { id, ..link.clone() }, link.paid)?;
        }
        let rows = charges.iter().map(|one| {
            let (account, amount) = (&one.request.account, one.request.amount);
            (table::CommonColumns { at: one.at, account, amount }, &one.request, &one.outcome)
        });
        let put = CHARGES.put_all(&mut self.connection, rows);
        put.map(|_| ()).map_err(|error| self.wrong(&error))
    }

    /// Notes a link before it is asked for, so that one without an answer is remembered.
    pub fn begin_link(&mut self, link: &LinkRequest, at: Wall) -> Result<RowId, JournalTrouble> {
        let entry = table::CommonColumns { at, account: &link.account, amount: link.amount };
        let begun = LINKS.begin(&mut self.connection, &entry, link, &LinkOutcome::Unknown);
        begun.map_err(|error| self.wrong(&error))
    }

    /// Notes what came of asking for a link.
    pub fn settle_link(
        &mut self,
        id: RowId,
        outcome: &LinkOutcome,
    ) -> Result<PaymentLink, JournalTrouble> {
        let settled = LINKS.settle(&mut self.connection, id, outcome);
        settled.map_err(|error| self.wrong(&error))
    }

    /// Some of the links, newest first.
    ///
    /// Each term must be found in the description, the amount, the domain or the url, without
    /// regard to case and accents, or in what the row is called or when it was asked for.
    pub fn links(
        &self,
        account: Option<&Account>,
        search: impl Into<Search>,
        first: u64,
        n: u64,
    ) -> Result<ListPage<PaymentLink>, JournalTrouble> {
        LINKS
            .page(&self.connection, account, &search.into(), first, n)
            .map_err(|error| self.wrong(&error))
    }

    /// Returns the number of links that the service made on each of these days, and their sum.
    ///
    /// A day begins with its first moment and ends before its last, which is midnight. One whose
    /// sum cannot be held exactly is left out.
    pub fn day_totals(
        &self,
        account: Option<&Account>,
        days: &[(Wall, Wall)],
    ) -> Result<Vec<DayTotal>, JournalTrouble> {
        let total = |day: &(Wall, Wall)| LINKS.total(&self.connection, account, *day);
        let totals: rusqlite::Result<Vec<_>> =
            days.iter().filter_map(|day| total(day).transpose()).collect();
        totals.map_err(|error| self.wrong(&error))
    }

    /// Returns what the links that a search finds come to, marked as paid and not; nothing where
    /// that cannot be held exactly.
    pub fn found_totals(&self, search: &Search) -> Result<Option<FoundTotals>, JournalTrouble> {
        marks::found_totals(&self.connection, search).map_err(|error| self.wrong(&error))
    }

    /// Returns what the links of the last weeks come to; nothing where that cannot be held exactly.
    pub fn link_figures(
        &self,
        now: Wall,
        utc_offset_s: i32,
    ) -> Result<Option<LinkFigures>, JournalTrouble> {
        let figures = marks::figures(&self.connection, now, utc_offset_s);
        figures.map_err(|error| self.wrong(&error))
    }

    /// Marks a link as paid at this moment, or takes the mark away; returns it as it is then.
    pub fn mark_link(
        &mut self,
        link: &PaymentLink,
        paid: Option<Wall>,
    ) -> Result<PaymentLink, JournalTrouble> {
        marks::mark(&self.connection, link, paid).map_err(|error| self.wrong(&error))?;
        Ok(PaymentLink { paid, ..link.clone() })
    }

    /// Notes the domains that the service lists now; returns since when each of them has been seen
    /// in its state.
    pub fn seen_domains(
        &mut self,
        account: &Account,
        listed: &[CheckoutDomain],
        now: Wall,
    ) -> Result<Vec<(CheckoutDomain, Wall)>, JournalTrouble> {
        let seen = domains::seen(&mut self.connection, account, listed, now);
        seen.map_err(|error| self.wrong(&error))
    }

    /// Returns what destinations of withdrawals are called.
    pub fn nicknames(&self) -> Result<Nicknames, JournalTrouble> {
        nicknames::read(&self.connection).map_err(|error| self.wrong(&error))
    }

    /// Gives a destination this nickname, or takes its nickname away; returns all of them then.
    pub fn nickname(
        &mut self,
        account: &Account,
        key: &PixKey,
        name: Option<&Nickname>,
        at: Wall,
    ) -> Result<Nicknames, JournalTrouble> {
        nicknames::give(&self.connection, account, key, name, at)
            .map_err(|error| self.wrong(&error))?;
        self.nicknames()
    }

    /// Notes a direct payment before it is asked for.
    pub fn begin_charge(
        &mut self,
        charge: &ChargeRequest,
        at: Wall,
    ) -> Result<RowId, JournalTrouble> {
        let entry = table::CommonColumns { at, account: &charge.account, amount: charge.amount };
        let begun = CHARGES.begin(&mut self.connection, &entry, charge, &ChargeOutcome::Unknown);
        begun.map_err(|error| self.wrong(&error))
    }

    /// Notes what came of asking for a direct payment.
    pub fn settle_charge(
        &mut self,
        id: RowId,
        outcome: &ChargeOutcome,
    ) -> Result<Charge, JournalTrouble> {
        let settled = CHARGES.settle(&mut self.connection, id, outcome);
        settled.map_err(|error| self.wrong(&error))
    }

    /// Some of the direct payments, newest first; searched as the links are.
    pub fn charges(
        &self,
        account: Option<&Account>,
        search: impl Into<Search>,
        first: u64,
        n: u64,
    ) -> Result<ListPage<Charge>, JournalTrouble> {
        CHARGES
            .page(&self.connection, account, &search.into(), first, n)
            .map_err(|error| self.wrong(&error))
    }

    /// Counts the rows that are older than this.
    pub fn older_than(&self, before: Wall) -> Result<u64, JournalTrouble> {
        let count = self.connection.query_row(
            "SELECT (SELECT count(*) FROM link WHERE at < ?1)
                  + (SELECT count(*) FROM charge WHERE at < ?1)
                  + (SELECT count(*) FROM nickname WHERE at < ?1)",
            [before.0],
            |row| row.get::<_, i64>(0),
        );
        count.map(i64::unsigned_abs).map_err(|error| self.wrong(&error))
    }

    /// Writes the files anew, so that nothing that was deleted is left in them.
    ///
    /// The search keeps words of deleted rows until it is merged, and the log keeps old pages until
    /// it is cut; `false` when another window held the files, so that some of it may remain.
    pub fn overwrite_deleted(&mut self) -> Result<bool, JournalTrouble> {
        let overwrite = |connection: &Connection| {
            connection.execute_batch(
                "INSERT INTO link_words (link_words) VALUES ('optimize');
                 INSERT INTO charge_words (charge_words) VALUES ('optimize');
                 VACUUM;",
            )?;
            let cut = "PRAGMA wal_checkpoint(TRUNCATE)";
            connection.query_row(cut, [], |row| Ok(row.get::<_, i64>(0)? == 0))
        };
        match overwrite(&self.connection).map_err(|error| self.wrong(&error)) {
            Err(JournalTrouble::Busy(_)) => Ok(false),
            done => done,
        }
    }

    /// Forgets what is older than this; how many rows that were.
    pub fn prune(&mut self, before: Wall) -> Result<u64, JournalTrouble> {
        let prune = |connection: &mut Connection| {
            let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let mut gone = 0;
            for table in ["link", "charge"] {
                tx.execute(
                    &format!(
                        "DELETE FROM {table}_words WHERE rowid IN
                         (SELECT id FROM {table} WHERE at < ?)"
                    ),
                    params![before.0],
                )?;
                gone +=
                    tx.execute(&format!("DELETE FROM {table} WHERE at < ?"), params![before.0])?;
            }
            gone += tx.execute("DELETE FROM nickname WHERE at < ?", params![before.0])?;
            tx.commit()?;
            Ok(gone as u64)
        };
        prune(&mut self.connection).map_err(|error| self.wrong(&error))
    }

    fn wrong(&self, error: &rusqlite::Error) -> JournalTrouble {
        sql_trouble(&self.path, error)
    }
}

#[cfg(test)]
mod tests;
