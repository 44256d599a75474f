//! Marks of links and charges from the lines of bank statements.
//!
//! A line is used as long as the row that it marked is marked. It then marks nothing else, also if
//! another file contains it again.

use std::collections::HashSet;

use rusqlite::{Connection, OptionalExtension, ToSql, Transaction, TransactionBehavior, params};

use super::table::{COLUMNS, SAME_ROW, SaleTable, read, to_json};
use super::{History, map_error};
use crate::trade::{
    ChargeRequest, EntryId, JournalTrouble, LinkRequest, Operation, SaleOf, StatementMark,
    StatementMarks, UndoneMarks, Wall,
};

impl History {
    /// Marks sales as paid that lines of a statement show, and stores the checksums of these lines.
    /// Returns the number of new marks.
    ///
    /// A line that was used before marks nothing. A row is not changed if it is marked already, if
    /// its amount differs from the line's, or if it is gone.
    ///
    /// # Errors
    ///
    /// Returns an error if the history could not be written. Nothing is marked then.
    pub fn mark_from_statement(&mut self, marks: &StatementMarks) -> Result<u64, JournalTrouble> {
        map_error(&self.path, mark_all(&mut self.connection, marks))
    }

    /// Undoes the newest import: removes the marks that it made and that nobody changed since.
    /// Returns `None` if no import has such a mark.
    ///
    /// # Errors
    ///
    /// Returns an error if the history could not be written. Nothing is undone then.
    pub fn undo_statement(&mut self) -> Result<Option<UndoneMarks>, JournalTrouble> {
        map_error(&self.path, undo_newest(&mut self.connection))
    }

    /// The lines among these that already marked a sale.
    ///
    /// # Errors
    ///
    /// Returns an error if the history could not be read.
    pub fn used_lines(&self, lines: &[EntryId]) -> Result<HashSet<EntryId>, JournalTrouble> {
        map_error(&self.path, used_lines(&self.connection, lines))
    }

    /// The created links of a period without a mark that have one of these amounts in
    /// centavos, oldest first. The end of the period is exclusive.
    ///
    /// # Errors
    ///
    /// Returns an error if the history could not be read.
    pub fn unpaid_links_with_amounts(
        &self,
        [since, until]: [Wall; 2],
        centavos: &[i64],
    ) -> Result<Vec<SaleOf<LinkRequest>>, JournalTrouble> {
        let in_period = "AND l.paid_at IS NULL AND l.at >= ?2 AND l.at < ?3";
        let values = params![json(centavos), since.0, until.0];
        map_error(
            &self.path,
            with_amounts(&self.connection, in_period, values),
        )
    }

    /// The created charges that have one of these amounts in centavos, oldest first.
    ///
    /// # Errors
    ///
    /// Returns an error if the history could not be read.
    pub fn charges_with_amounts(
        &self,
        centavos: &[i64],
    ) -> Result<Vec<SaleOf<ChargeRequest>>, JournalTrouble> {
        let values = params![json(centavos)];
        map_error(&self.path, with_amounts(&self.connection, "", values))
    }
}

fn json(centavos: &[i64]) -> String {
    serde_json::Value::from(centavos).to_string()
}

/// The created rows with one of the amounts in the first value.
fn with_amounts<R: SaleTable>(
    connection: &Connection,
    condition: &str,
    values: &[&dyn ToSql],
) -> rusqlite::Result<Vec<SaleOf<R>>> {
    let mut statement = connection.prepare_cached(&format!(
        "SELECT {COLUMNS} FROM {} l
         WHERE l.created AND l.centavos IN (SELECT value FROM json_each(?1)) {condition}
         ORDER BY l.id",
        R::TABLE
    ))?;
    statement.query_map(values, read)?.collect()
}

fn table_of(operation: Operation) -> Option<&'static str> {
    match operation {
        Operation::CreateLink => Some(LinkRequest::TABLE),
        Operation::DirectPayment => Some(ChargeRequest::TABLE),
        _ => None,
    }
}

fn mark_all(connection: &mut Connection, marks: &StatementMarks) -> rusqlite::Result<u64> {
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let mut count = 0;
    for mark in &marks.marks {
        count += u64::from(mark_row(&tx, marks, mark)?);
    }
    tx.commit()?;
    Ok(count)
}

/// Marks one row. Returns false if nothing was changed.
fn mark_row(
    tx: &Transaction<'_>,
    marks: &StatementMarks,
    mark: &StatementMark,
) -> rusqlite::Result<bool> {
    let (Some(table), Some(centavos)) = (table_of(mark.sale.operation), mark.amount.centavos())
    else {
        return Ok(false);
    };
    let line = id_text(mark.line);
    if tx
        .prepare_cached(IS_USED)?
        .query_row([&line], |row| row.get(0))?
    {
        return Ok(false);
    }
    let update = format!(
        "UPDATE {table} SET paid_at = ?, statement_day = ?, put_away_at = NULL
         WHERE {SAME_ROW} AND created AND paid_at IS NULL AND centavos = ?"
    );
    let changed = tx.prepare_cached(&update)?.execute(params![
        marks.at.0,
        mark.day,
        mark.sale.id.0,
        mark.sale.at.0,
        &*mark.sale.account.origin.0,
        &*mark.sale.account.identity,
        centavos,
    ])?;
    if changed == 0 {
        return Ok(false);
    }
    tx.prepare_cached(
        "INSERT INTO statement_line (id, import, sale, row, day, centavos, paid_at)
         VALUES (?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET import = excluded.import, sale = excluded.sale,
             row = excluded.row, day = excluded.day, centavos = excluded.centavos,
             paid_at = excluded.paid_at",
    )?
    .execute(params![
        line,
        marks.read_at.0,
        table,
        mark.sale.id.0,
        mark.day,
        centavos,
        marks.at.0,
    ])?;
    Ok(true)
}

/// True if a line is used. In a team, another machine may have removed the mark that the line made
/// without knowing the line.
const IS_USED: &str = "SELECT EXISTS (SELECT 1 FROM statement_line s WHERE s.id = ? AND (
    s.sale = 'link' AND s.row IN (SELECT id FROM link WHERE paid_at IS NOT NULL)
    OR s.sale = 'charge' AND s.row IN (SELECT id FROM charge WHERE paid_at IS NOT NULL)))";

/// The SQL condition that a row still has the mark that the line `s` made.
fn is_unchanged(table: &str) -> String {
    format!(
        "EXISTS (SELECT 1 FROM {table} t WHERE t.id = s.row AND s.sale = '{table}'
           AND t.paid_at = s.paid_at AND t.statement_day = s.day AND NOT t.sandbox_paid)"
    )
}

fn undo_newest(connection: &mut Connection) -> rusqlite::Result<Option<UndoneMarks>> {
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let tables = [LinkRequest::TABLE, ChargeRequest::TABLE];
    let unchanged = tables.map(is_unchanged).join(" OR ");
    // The statement whose marks were made last. It may have been read before another one.
    let newest = format!(
        "SELECT import FROM statement_line s WHERE {unchanged} ORDER BY s.paid_at DESC LIMIT 1"
    );
    let import = tx.query_row(&newest, [], |row| row.get::<_, i64>(0));
    let Some(import) = import.optional()? else {
        return Ok(None);
    };
    let mut removed = 0;
    for table in tables {
        let unchanged = is_unchanged(table);
        let lines = format!("FROM statement_line AS s WHERE import = ?1 AND {unchanged}");
        let unmark = format!(
            "UPDATE {table} SET paid_at = NULL, statement_day = NULL
             WHERE id IN (SELECT s.row {lines}) RETURNING id"
        );
        let rows: Vec<i64> = tx
            .prepare(&unmark)?
            .query_map([import], |row| row.get(0))?
            .collect::<Result<_, _>>()?;
        removed += rows.len() as u64;
        tx.execute(
            "DELETE FROM statement_line
             WHERE import = ? AND sale = ? AND row IN (SELECT value FROM json_each(?))",
            params![import, table, to_json(&rows)?],
        )?;
    }
    let kept = "SELECT count(*) FROM statement_line WHERE import = ?";
    let kept: i64 = tx.query_row(kept, [import], |row| row.get(0))?;
    tx.commit()?;
    Ok(Some(UndoneMarks {
        removed,
        kept: kept.unsigned_abs(),
    }))
}

/// Forgets the line that marked a row, because its mark was removed. The line can then be proposed
/// again.
pub(super) fn forget_line(connection: &Connection, table: &str, row: i64) -> rusqlite::Result<()> {
    connection
        .execute(
            "DELETE FROM statement_line WHERE sale = ? AND row = ?",
            params![table, row],
        )
        .map(drop)
}

fn used_lines(connection: &Connection, lines: &[EntryId]) -> rusqlite::Result<HashSet<EntryId>> {
    let mut is_used = connection.prepare(IS_USED)?;
    let mut used = HashSet::new();
    for line in lines {
        if is_used.query_row([id_text(*line)], |row| row.get(0))? {
            used.insert(*line);
        }
    }
    Ok(used)
}

fn id_text(line: EntryId) -> String {
    format!("{:032x}", u128::from_be_bytes(line.0))
}
