//! A table of the history, and beside it the index of the words that rows are found by.

use std::marker::PhantomData;
use std::sync::Arc;

use rusqlite::types::Value;
use rusqlite::{Connection, Transaction, TransactionBehavior, params, params_from_iter};

use super::record::{TableRow, json, parse, unreadable};
use super::search_filter::SearchFilter;
use crate::trade::search::searchable;
use crate::trade::{Account, Charge, DayTotal, ListPage, Money, PaymentLink, RowId, Search, Wall};

/// The payment links.
pub(super) const LINKS: Table<PaymentLink> = Table(PhantomData);

/// The direct payments.
pub(super) const CHARGES: Table<Charge> = Table(PhantomData);

/// The table of one kind of record.
pub(super) struct Table<R>(PhantomData<R>);

/// The columns that every table has.
pub(super) struct CommonColumns<'a> {
    pub at: Wall,
    pub account: &'a Account,
    pub amount: Money,
}

impl<R: TableRow> Table<R> {
    /// Adds a row of which nothing is known yet.
    pub fn begin(
        &self,
        connection: &mut Connection,
        entry: &CommonColumns<'_>,
        request: &R::Request,
        outcome: &R::Outcome,
    ) -> rusqlite::Result<RowId> {
        let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let id = self.insert(&tx, entry, request, outcome)?;
        tx.commit()?;
        Ok(id)
    }

    /// Adds many rows at once, oldest first, and returns their numbers.
    pub fn put_all<'a>(
        &self,
        connection: &mut Connection,
        rows: impl Iterator<Item = (CommonColumns<'a>, &'a R::Request, &'a R::Outcome)>,
    ) -> rusqlite::Result<Vec<RowId>>
    where
        R: 'a,
    {
        let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let put = rows.map(|(entry, request, outcome)| self.insert(&tx, &entry, request, outcome));
        let ids = put.collect::<Result<_, _>>()?;
        tx.commit()?;
        Ok(ids)
    }

    fn insert(
        &self,
        tx: &Transaction<'_>,
        entry: &CommonColumns<'_>,
        request: &R::Request,
        outcome: &R::Outcome,
    ) -> rusqlite::Result<RowId> {
        let table = R::TABLE;
        tx.execute(
            &format!(
                "INSERT INTO {table} (at, origin, identity, amount, created, request, outcome)
                 VALUES (?, ?, ?, ?, ?, ?, ?)"
            ),
            params![
                entry.at.0,
                &*entry.account.origin.0,
                &*entry.account.identity,
                entry.amount.wire(),
                R::is_created(outcome),
                json(request)?,
                json(outcome)?,
            ],
        )?;
        let id = tx.last_insert_rowid();
        tx.execute(
            &format!("INSERT INTO {table}_words (rowid, folded) VALUES (?, ?)"),
            params![id, searchable(&R::words(request, outcome))],
        )?;
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
        tx.execute(
            &format!("UPDATE {table} SET created = ?, outcome = ? WHERE id = ?"),
            params![R::is_created(outcome), json(outcome)?, id.0],
        )?;
        let (at, request): (i64, R::Request) = tx.query_row(
            &format!("SELECT at, request FROM {table} WHERE id = ?"),
            [id.0],
            |row| Ok((row.get(0)?, parse(row.get_ref(1)?.as_str()?)?)),
        )?;
        tx.execute(
            &format!("UPDATE {table}_words SET folded = ? WHERE rowid = ?"),
            params![searchable(&R::words(&request, outcome)), id.0],
        )?;
        tx.commit()?;
        let outcome = parse(&json(outcome)?)?;
        Ok(R::put_together(id, Wall(at), request, outcome))
    }

    /// Some rows of what the query finds, newest first.
    pub fn page(
        &self,
        connection: &Connection,
        account: Option<&Account>,
        search: &Search,
        first: u64,
        n: u64,
    ) -> rusqlite::Result<ListPage<R>> {
        let table = R::TABLE;
        // One transaction, so that the count and the rows are of the same moment.
        #[expect(
            clippy::disallowed_methods,
            reason = "it only reads: deferred, it waits for no window that writes"
        )]
        let tx = connection.unchecked_transaction()?;
        let SearchFilter { condition, mut values } = SearchFilter::of::<R>(&tx, account, search)?;
        let total: i64 = tx
            .prepare_cached(&format!("SELECT count(*) FROM {table} {condition}"))?
            .query_row(params_from_iter(&values), |row| row.get(0))?;
        values.push(Value::Integer(i64::try_from(n).unwrap_or(i64::MAX)));
        values.push(Value::Integer(i64::try_from(first).unwrap_or(i64::MAX)));
        let rows: rusqlite::Result<Vec<R>> = tx
            .prepare_cached(&format!(
                "SELECT id, at, request, outcome, {} FROM {table} {condition}
                 ORDER BY id DESC LIMIT ? OFFSET ?",
                R::PAID_AT
            ))?
            .query_map(params_from_iter(&values), |row| {
                let request = parse(row.get_ref(2)?.as_str()?)?;
                let outcome = parse(row.get_ref(3)?.as_str()?)?;
                let row_id = RowId(row.get(0)?);
                let record = R::put_together(row_id, Wall(row.get(1)?), request, outcome);
                Ok(record.marked(row.get::<_, Option<i64>>(4)?.map(Wall)))
            })?
            .collect();
        Ok(ListPage { rows: Arc::from(rows?), total: total.unsigned_abs(), first })
    }

    /// Returns the number of links made on a day, and their sum; nothing when that cannot be held
    /// exactly.
    pub fn total(
        &self,
        connection: &Connection,
        account: Option<&Account>,
        (from, until): (Wall, Wall),
    ) -> rusqlite::Result<Option<DayTotal>> {
        let nothing = Search::default();
        let SearchFilter { condition, mut values } =
            SearchFilter::of::<R>(connection, account, &nothing)?;
        let and = if condition.is_empty() { "WHERE" } else { "AND" };
        values.extend([Value::Integer(from.0), Value::Integer(until.0)]);
        let mut statement = connection.prepare_cached(&format!(
            "SELECT amount FROM {} {condition} {and} created AND at >= ? AND at < ?",
            R::TABLE
        ))?;
        let mut rows = statement.query(params_from_iter(&values))?;
        let (mut count, mut sum) = (0, Some(Money::ZERO));
        // Added up here: SQLite would make floats of it.
        while let Some(row) = rows.next()? {
            let amount = Money::parse_wire(row.get_ref(0)?.as_str()?);
            let amount = amount.ok_or_else(|| unreadable("not an amount".into()))?;
            count += 1;
            sum = sum.and_then(|sum| sum.checked_add(amount));
        }
        Ok(sum.map(|sum| DayTotal { starts: from, count, sum }))
    }
}
