//! A table of the history, and beside it the index of the words that rows are found by.

use std::marker::PhantomData;
use std::sync::Arc;

use rusqlite::types::{FromSqlError, Type, Value};
use rusqlite::{Connection, Transaction, TransactionBehavior, params, params_from_iter};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::search_filter::SearchFilter;
use crate::journal::fold::fold;
use crate::trade::search::Called;
use crate::trade::{
    Account, Charge, ChargeOutcome, ChargeRequest, DayTotal, LinkOutcome, LinkRequest, ListPage,
    Money, PaymentLink, RowId, Search, Wall,
};

/// The payment links.
pub(super) const LINKS: Table<PaymentLink> = Table { name: "link", record: PhantomData };

/// The direct payments.
pub(super) const CHARGES: Table<Charge> = Table { name: "charge", record: PhantomData };

/// The table of one kind of record.
pub(super) struct Table<R> {
    pub(super) name: &'static str,
    record: PhantomData<R>,
}

/// A record that a table can hold.
pub(super) trait TableRow: Sized {
    type Request: Serialize + DeserializeOwned;
    type Outcome: Serialize + DeserializeOwned;

    fn put_together(id: RowId, at: Wall, request: Self::Request, outcome: Self::Outcome) -> Self;

    /// Returns true when the service made what was asked for.
    fn is_created(outcome: &Self::Outcome) -> bool;

    /// Returns the label of a row that was not made.
    fn called(outcome: Self::Outcome) -> Option<Called>;

    /// Of what was made, that of which a row says only that; on the table's columns.
    const MADE: &'static str;

    /// The text that a search looks at.
    fn words(request: &Self::Request, outcome: &Self::Outcome) -> String;
}

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

    /// Adds many rows at once, oldest first.
    pub fn put_all<'a>(
        &self,
        connection: &mut Connection,
        rows: impl Iterator<Item = (CommonColumns<'a>, &'a R::Request, &'a R::Outcome)>,
    ) -> rusqlite::Result<()>
    where
        R: 'a,
    {
        let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        for (entry, request, outcome) in rows {
            self.insert(&tx, &entry, request, outcome)?;
        }
        tx.commit()
    }

    fn insert(
        &self,
        tx: &Transaction<'_>,
        entry: &CommonColumns<'_>,
        request: &R::Request,
        outcome: &R::Outcome,
    ) -> rusqlite::Result<RowId> {
        let table = self.name;
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
            params![id, fold(&R::words(request, outcome))],
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
        let table = self.name;
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
            params![fold(&R::words(&request, outcome)), id.0],
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
        let table = self.name;
        // One transaction, so that the count and the rows are of the same moment.
        #[expect(
            clippy::disallowed_methods,
            reason = "it only reads: deferred, it waits for no window that writes"
        )]
        let tx = connection.unchecked_transaction()?;
        let SearchFilter { condition, mut values } = self.filter(&tx, account, search)?;
        let total: i64 = tx
            .prepare_cached(&format!("SELECT count(*) FROM {table} {condition}"))?
            .query_row(params_from_iter(&values), |row| row.get(0))?;
        values.push(Value::Integer(i64::try_from(n).unwrap_or(i64::MAX)));
        values.push(Value::Integer(i64::try_from(first).unwrap_or(i64::MAX)));
        let rows: rusqlite::Result<Vec<R>> = tx
            .prepare_cached(&format!(
                "SELECT id, at, request, outcome FROM {table} {condition}
                 ORDER BY id DESC LIMIT ? OFFSET ?"
            ))?
            .query_map(params_from_iter(&values), |row| {
                let request = parse(row.get_ref(2)?.as_str()?)?;
                let outcome = parse(row.get_ref(3)?.as_str()?)?;
                Ok(R::put_together(RowId(row.get(0)?), Wall(row.get(1)?), request, outcome))
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
        let SearchFilter { condition, mut values } = self.filter(connection, account, &nothing)?;
        let and = if condition.is_empty() { "WHERE" } else { "AND" };
        values.extend([Value::Integer(from.0), Value::Integer(until.0)]);
        let mut statement = connection.prepare_cached(&format!(
            "SELECT amount FROM {} {condition} {and} created AND at >= ? AND at < ?",
            self.name
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

impl TableRow for PaymentLink {
    type Request = LinkRequest;
    type Outcome = LinkOutcome;

    fn put_together(id: RowId, at: Wall, request: LinkRequest, outcome: LinkOutcome) -> Self {
        PaymentLink { id, at, request, outcome: LinkOutcome::of_stored(outcome) }
    }

    fn is_created(outcome: &LinkOutcome) -> bool {
        matches!(outcome, LinkOutcome::Created { .. })
    }

    fn called(outcome: LinkOutcome) -> Option<Called> {
        match LinkOutcome::of_stored(outcome) {
            LinkOutcome::Unknown => Some(Called::MayExist),
            LinkOutcome::Refused(_) => Some(Called::Refused),
            LinkOutcome::NotSent => Some(Called::NotSent),
            LinkOutcome::Created { .. } => None,
        }
    }

    /// No domain was named.
    const MADE: &'static str = "created AND json_extract(request, '$.domain') IS NULL";

    fn words(request: &LinkRequest, outcome: &LinkOutcome) -> String {
        let mut words = format!("{} {}", request.description, amount_words(request.amount));
        if let Some(domain) = &request.domain {
            words.push_str(&format!(" {}", domain.raw()));
        }
        if let LinkOutcome::Created { url } = outcome {
            words.push_str(&format!(" {}", url.raw()));
        }
        words
    }
}

impl TableRow for Charge {
    type Request = ChargeRequest;
    type Outcome = ChargeOutcome;

    fn put_together(id: RowId, at: Wall, request: ChargeRequest, outcome: ChargeOutcome) -> Self {
        Charge { id, at, request, outcome: ChargeOutcome::of_stored(outcome) }
    }

    fn is_created(outcome: &ChargeOutcome) -> bool {
        matches!(outcome, ChargeOutcome::Created { .. })
    }

    fn called(outcome: ChargeOutcome) -> Option<Called> {
        match ChargeOutcome::of_stored(outcome) {
            ChargeOutcome::Unknown => Some(Called::MayExist),
            ChargeOutcome::Refused(_) => Some(Called::Refused),
            ChargeOutcome::NotSent => Some(Called::NotSent),
            ChargeOutcome::Created { .. } => None,
        }
    }

    /// The service gave no status word of its own.
    const MADE: &'static str = "created AND json_extract(outcome, '$.created.status') IS NULL";

    fn words(request: &ChargeRequest, outcome: &ChargeOutcome) -> String {
        let mut words = format!("{} {}", request.description, amount_words(request.amount));
        if let Some(customer) = &request.customer {
            words.push_str(&format!(" {customer}"));
        }
        if let ChargeOutcome::Created { id, status, .. } = outcome {
            for said in [id, status].into_iter().flatten() {
                words.push_str(&format!(" {}", said.raw()));
            }
        }
        words
    }
}

/// An amount as people type it: with its points, without them, and as the wire has it.
fn amount_words(amount: Money) -> String {
    let shown = amount.to_string();
    format!("{shown} {} {}", shown.replace('.', ""), amount.wire())
}

fn json<T: Serialize>(value: &T) -> rusqlite::Result<String> {
    serde_json::to_string(value)
        .map_err(|error| rusqlite::Error::ToSqlConversionFailure(Box::new(error)))
}

pub(super) fn parse<T: DeserializeOwned>(text: &str) -> rusqlite::Result<T> {
    serde_json::from_str(text).map_err(|error| unreadable(Box::new(error)))
}

fn unreadable(error: Box<dyn std::error::Error + Send + Sync>) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(0, Type::Text, Box::new(FromSqlError::Other(error)))
}
