//! A table of the history, and beside it the index of the words that rows are found by.

use std::collections::BTreeMap;
use std::marker::PhantomData;

use rusqlite::types::Value;
use rusqlite::{Connection, Row, Transaction, TransactionBehavior, params, params_from_iter};

use super::record::{RowColumns, TableRow, json, label_number, parse};
use super::search_filter::SearchFilter;
use crate::trade::search::searchable;
use crate::trade::{Charge, ListPage, Money, PagePlace, PaymentLink, RowId, Search, Wall};

/// The payment links.
pub(super) const LINKS: Table<PaymentLink> = Table(PhantomData);

/// The direct payments.
pub(super) const CHARGES: Table<Charge> = Table(PhantomData);

/// The table of one kind of record.
pub(super) struct Table<R>(PhantomData<R>);

/// Where reading begins, and in which direction it goes.
#[derive(Debug, Clone, Copy)]
pub(super) enum Start {
    Newest,
    Oldest,
    /// Older than this row.
    Below(RowId),
    /// This row and what is older.
    From(RowId),
    /// Newer than this row; the oldest of those first.
    Above(RowId),
}

impl Start {
    /// Returns how a row's number is compared, with which number, and the order of the rows.
    fn sql(self) -> (&'static str, i64, &'static str) {
        match self {
            Start::Newest => ("<=", i64::MAX, "DESC"),
            Start::Oldest => (">=", i64::MIN, "ASC"),
            Start::Below(RowId(id)) => ("<", id, "DESC"),
            Start::From(RowId(id)) => ("<=", id, "DESC"),
            Start::Above(RowId(id)) => (">", id, "ASC"),
        }
    }
}

/// The largest amount that is added up: nine million of them fit into SQLite's numbers.
const MOST_CENTAVOS: i64 = 1_000_000_000_000;

fn centavos(amount: Money) -> Option<i64> {
    amount.centavos().filter(|centavos| (0..=MOST_CENTAVOS).contains(centavos))
}

/// Returns the text of a row as the index has it.
fn folded(words: &str) -> String {
    searchable(words) + "  "
}

impl<R: TableRow> Table<R> {
    /// Adds a row of which nothing is known yet.
    pub fn begin(
        &self,
        connection: &mut Connection,
        at: Wall,
        request: &R::Request,
        outcome: &R::Outcome,
    ) -> rusqlite::Result<RowId> {
        let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let id = self.insert(&tx, at, request, outcome)?;
        tx.commit()?;
        Ok(id)
    }

    /// Adds many rows at once, oldest first, and returns their numbers.
    pub fn put_all<'a>(
        &self,
        connection: &mut Connection,
        rows: impl Iterator<Item = (Wall, &'a R::Request, &'a R::Outcome)>,
    ) -> rusqlite::Result<Vec<RowId>>
    where
        R: 'a,
    {
        let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let put = rows.map(|(at, request, outcome)| self.insert(&tx, at, request, outcome));
        let ids = put.collect::<Result<_, _>>()?;
        tx.commit()?;
        Ok(ids)
    }

    fn insert(
        &self,
        tx: &Transaction<'_>,
        at: Wall,
        request: &R::Request,
        outcome: &R::Outcome,
    ) -> rusqlite::Result<RowId> {
        let (table, (account, amount)) = (R::TABLE, R::of_whom(request));
        let insert = format!(
            "INSERT INTO {table}
                 (at, origin, identity, centavos, created, label, host, request, outcome)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
        );
        tx.prepare_cached(&insert)?.execute(params![
            at.0,
            &*account.origin.0,
            &*account.identity,
            centavos(amount),
            R::is_created(outcome),
            R::label(request, outcome).and_then(label_number),
            R::host(request, outcome),
            json(request)?,
            json(outcome)?,
        ])?;
        let id = tx.last_insert_rowid();
        tx.prepare_cached(&format!("INSERT INTO {table}_words (rowid, folded) VALUES (?, ?)"))?
            .execute(params![id, folded(&R::words(request, outcome))])?;
        Ok(RowId(id))
    }

    /// Writes down what came of it, and gives the whole record.
    pub fn settle(
        &self,
        connection: &mut Connection,
        id: RowId,
        outcome: &R::Outcome,
    ) -> rusqlite::Result<R> {
        let table = R::TABLE;
        let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let (at, request): (i64, R::Request) = tx.query_row(
            &format!("SELECT at, request FROM {table} WHERE id = ?"),
            [id.0],
            |row| Ok((row.get(0)?, parse(row.get_ref(1)?.as_str()?)?)),
        )?;
        tx.execute(
            &format!(
                "UPDATE {table} SET created = ?, label = ?, host = ?, outcome = ? WHERE id = ?"
            ),
            params![
                R::is_created(outcome),
                R::label(&request, outcome).and_then(label_number),
                R::host(&request, outcome),
                json(outcome)?,
                id.0
            ],
        )?;
        tx.execute(
            &format!("UPDATE {table}_words SET folded = ? WHERE rowid = ?"),
            params![folded(&R::words(&request, outcome)), id.0],
        )?;
        tx.commit()?;
        let outcome = parse(&json(outcome)?)?;
        Ok(R::put_together(RowColumns { id, at: Wall(at), paid: None }, request, outcome))
    }

    /// Returns a page of what a search finds, newest first.
    ///
    /// `known` is the total, if it was counted. Otherwise only a page at the end counts: the places
    /// of its rows depend on that.
    pub fn page(
        &self,
        connection: &Connection,
        search: &Search,
        place: PagePlace,
        n: u64,
        known: Option<u64>,
    ) -> rusqlite::Result<ListPage<R>> {
        // One transaction, so that all rows of a page are of the same moment.
        #[expect(
            clippy::disallowed_methods,
            reason = "it only reads: deferred, it waits for no window that writes"
        )]
        let tx = connection.unchecked_transaction()?;
        let filter = SearchFilter::of::<R>(&tx, search)?;
        let near = match place {
            PagePlace::Near { id, place, first } => {
                self.near(&tx, &filter, (id, place, first), n)?
            }
            PagePlace::Top | PagePlace::End => None,
        };
        if let Some(mut page) = near {
            page.total = known;
            return Ok(page);
        }
        let is_end = place == PagePlace::End;
        let start = if is_end { Start::Oldest } else { Start::Newest };
        let mut rows = self.rows(&tx, &filter, start, n, 0)?;
        let len = rows.len() as u64;
        if is_end {
            rows.reverse();
        }
        let total = match known {
            _ if len < n => Some(len),
            None if is_end => Some(self.total(&tx, search)?),
            known => known,
        };
        let first = if is_end { total.unwrap_or(len).saturating_sub(len) } else { 0 };
        Ok(ListPage { rows: rows.into(), total, first })
    }

    /// Returns the page that begins at the place `first`, found from a row whose place is known;
    /// `None` if the list ends before it, because the places have changed.
    fn near(
        &self,
        connection: &Connection,
        filter: &SearchFilter,
        (id, place, first): (RowId, u64, u64),
        n: u64,
    ) -> rusqlite::Result<Option<ListPage<R>>> {
        let (above, skipped) = (place.saturating_sub(first), first.saturating_sub(place));
        let wanted = above.min(n);
        let mut rows = self.rows(connection, filter, Start::Above(id), wanted, above - wanted)?;
        if (rows.len() as u64) < wanted {
            return Ok(None);
        }
        rows.reverse();
        rows.extend(self.rows(connection, filter, Start::From(id), n - wanted, skipped)?);
        let page = ListPage { rows: rows.into(), total: None, first };
        Ok((!page.rows.is_empty()).then_some(page))
    }

    /// Returns some rows in the order of reading, after skipping a few.
    ///
    /// Each way to the rows gives its first ones, and the first of all of them are the answer.
    fn rows(
        &self,
        connection: &Connection,
        filter: &SearchFilter,
        start: Start,
        n: u64,
        skipped: u64,
    ) -> rusqlite::Result<Vec<R>> {
        if n == 0 {
            return Ok(vec![]);
        }
        let (is, id, order) = start.sql();
        let most = Value::Integer(i64::try_from(n.saturating_add(skipped)).unwrap_or(i64::MAX));
        let mut found = BTreeMap::new();
        for way in &filter.ways {
            let sql = way.rows(R::TABLE, is, order);
            let values = way.values().chain([Value::Integer(id), most.clone()]);
            let mut statement = connection.prepare_cached(&sql)?;
            let mut rows = statement.query(params_from_iter(values))?;
            while let Some(row) = rows.next()? {
                found.insert(row.get::<_, i64>(0)?, read(row)?);
            }
        }
        let rows: Box<dyn Iterator<Item = R>> = match order {
            "ASC" => Box::new(found.into_values()),
            _ => Box::new(found.into_values().rev()),
        };
        let skipped = usize::try_from(skipped).unwrap_or(usize::MAX);
        Ok(rows.skip(skipped).take(usize::try_from(n).unwrap_or(usize::MAX)).collect())
    }

    /// Returns the rows below one, or the newest, for who reads all of them.
    pub fn below(
        &self,
        connection: &Connection,
        id: Option<RowId>,
        n: u64,
    ) -> rusqlite::Result<Vec<R>> {
        let filter = SearchFilter::of::<R>(connection, &Search::default())?;
        self.rows(connection, &filter, id.map_or(Start::Newest, Start::Below), n, 0)
    }

    /// Counts what a search finds.
    pub fn total(&self, connection: &Connection, search: &Search) -> rusqlite::Result<u64> {
        let filter = SearchFilter::of::<R>(connection, search)?;
        let mut statement = connection.prepare_cached(&filter.all.count(R::TABLE))?;
        let count = statement.query_row(params_from_iter(filter.all.values()), |row| row.get(0));
        count.map(i64::unsigned_abs)
    }
}

fn read<R: TableRow>(row: &Row<'_>) -> rusqlite::Result<R> {
    let columns = RowColumns {
        id: RowId(row.get(0)?),
        at: Wall(row.get(1)?),
        paid: row.get::<_, Option<i64>>(4)?.map(Wall),
    };
    let request = parse(row.get_ref(2)?.as_str()?)?;
    Ok(R::put_together(columns, request, parse(row.get_ref(3)?.as_str()?)?))
}
