//! Batches of payment links: stores their lines, and takes one line after another for sending.

use rusqlite::{
    Connection, OptionalExtension, Row, ToSql, Transaction, TransactionBehavior, params,
};

use super::authors::batch_author;
use super::shared::{is_foreign_batch, is_shared, new_row};
use super::table::{insert, parse_json, settle_in_transaction, to_json};
use super::{History, map_error};
use crate::trade::{
    Account, Batch, BatchCounts, BatchId, BatchLine, BatchSource, FailedLine, JournalTrouble,
    LineResult, LineState, LinkOutcome, LinkRequest, Origin, PaymentLink, RowId, SaleAuthors,
    SaleOf, Untrusted, Wall,
};

/// A line that was taken for sending. Its link is in the history with an unknown outcome.
#[derive(Debug, Clone, PartialEq)]
pub struct TakenLine {
    /// The number of the line in the file.
    pub number: u64,
    /// The row of the link in the history.
    pub row: RowId,
    /// The link to create.
    pub request: LinkRequest,
}

impl History {
    /// Stores a new batch with its lines. No line may be in the state `Sending`.
    ///
    /// # Errors
    ///
    /// Returns an error if the batch could not be written. Nothing of it is stored then.
    pub fn begin_batch(
        &mut self,
        account: &Account,
        source: &BatchSource,
        lines: &[BatchLine],
        at: Wall,
    ) -> Result<Batch, JournalTrouble> {
        let id = map_error(
            &self.path,
            begin(&mut self.connection, account, source, lines, at),
        )?;
        let author = batch_author(&self.connection, id.0);
        Ok(Batch {
            id,
            at,
            account: account.clone(),
            source: source.clone(),
            author: map_error(&self.path, author)?,
            is_foreign: false,
        })
    }

    /// The newest batch of this file and account that this machine began. The file is given by its
    /// absolute path.
    ///
    /// # Errors
    ///
    /// Returns an error if the history could not be read.
    pub fn newest_batch(
        &self,
        account: &Account,
        file: &str,
    ) -> Result<Option<Batch>, JournalTrouble> {
        map_error(&self.path, newest(&self.connection, account, file))
    }

    /// The batch with this id, if it was not deleted.
    ///
    /// # Errors
    ///
    /// Returns an error if the history could not be read.
    pub fn batch(&self, id: BatchId) -> Result<Option<Batch>, JournalTrouble> {
        map_error(&self.path, with_id(&self.connection, id))
    }

    /// The newest batch of this account, on any machine.
    ///
    /// # Errors
    ///
    /// Returns an error if the history could not be read.
    pub fn newest_batch_of(&self, account: &Account) -> Result<Option<Batch>, JournalTrouble> {
        map_error(&self.path, newest_of(&self.connection, account))
    }

    /// The next lines of a batch after the line with this number, in the order of the file. All
    /// lines come after line 0.
    ///
    /// # Errors
    ///
    /// Returns an error if the history could not be read.
    pub fn batch_lines(
        &self,
        batch: BatchId,
        after: u64,
        limit: usize,
    ) -> Result<Vec<BatchLine>, JournalTrouble> {
        map_error(&self.path, lines(&self.connection, batch, after, limit))
    }

    /// The first unknown lines of a batch, and then the first refused ones.
    ///
    /// # Errors
    ///
    /// Returns an error if the history could not be read.
    pub fn failed_lines(
        &self,
        batch: BatchId,
        limit: usize,
    ) -> Result<Vec<FailedLine>, JournalTrouble> {
        map_error(&self.path, failed_lines(&self.connection, batch, limit))
    }

    /// The URLs of the links that the service created for a batch, in the order of the file. Stops
    /// after the first URL with which they have more than `max_bytes` bytes.
    ///
    /// # Errors
    ///
    /// Returns an error if the history could not be read.
    pub fn batch_urls(
        &self,
        batch: BatchId,
        max_bytes: usize,
    ) -> Result<Vec<Untrusted>, JournalTrouble> {
        map_error(&self.path, urls(&self.connection, batch, max_bytes))
    }

    /// The number of lines of a batch in each state.
    ///
    /// # Errors
    ///
    /// Returns an error if the history could not be read.
    pub fn batch_counts(&self, batch: BatchId) -> Result<BatchCounts, JournalTrouble> {
        map_error(&self.path, counts(&self.connection, batch))
    }

    /// Takes the next waiting line for sending, and records its link with an unknown outcome.
    /// Returns `None` if no line is waiting, or if another machine began the batch.
    ///
    /// # Errors
    ///
    /// Returns an error if the line could not be written. It must not be sent then.
    pub fn take_line(
        &mut self,
        batch: BatchId,
        at: Wall,
    ) -> Result<Option<TakenLine>, JournalTrouble> {
        map_error(&self.path, take(&mut self.connection, batch, at))
    }

    /// Stores the result of a line that was taken. `reason` is the text for the result file.
    ///
    /// # Errors
    ///
    /// Returns an error if the result could not be written. The line stays in the state `Sending`
    /// then, and counts as unknown later.
    pub fn settle_line(
        &mut self,
        batch: BatchId,
        line: &TakenLine,
        result: &LineResult,
        reason: &str,
    ) -> Result<(), JournalTrouble> {
        let settled = settle(&mut self.connection, batch, line, result, reason);
        map_error(&self.path, settled)
    }

    /// Marks the lines as unknown that were in flight when an earlier process ended. Only the
    /// process that holds the lock of the batch may call this.
    ///
    /// # Errors
    ///
    /// Returns an error if the lines could not be written.
    pub fn end_lost_lines(&mut self, batch: BatchId) -> Result<u64, JournalTrouble> {
        let end = "UPDATE batch_line SET state = 'unknown' WHERE batch = ?1 AND state = 'sending'";
        self.change_lines(batch, end, params![batch.0])
    }

    /// Lets an unknown line wait again, because the seller decided to send it once more. Returns
    /// false if the line is not unknown.
    ///
    /// # Errors
    ///
    /// Returns an error if the line could not be written.
    pub fn send_line_again(&mut self, batch: BatchId, number: u64) -> Result<bool, JournalTrouble> {
        let send_again = "UPDATE batch_line SET state = 'waiting', link = NULL
             WHERE batch = ? AND number = ? AND state = 'unknown'";
        let changed = self.change_lines(batch, send_again, params![batch.0, number.cast_signed()]);
        changed.map(|count| count == 1)
    }

    /// Ends a batch: its waiting lines are not sent, for this reason. Returns their number.
    ///
    /// # Errors
    ///
    /// Returns an error if the lines could not be written.
    pub fn end_batch(&mut self, batch: BatchId, reason: &str) -> Result<u64, JournalTrouble> {
        let end = "UPDATE batch_line SET state = 'skipped', reason = ?
             WHERE batch = ? AND state = 'waiting'";
        self.change_lines(batch, end, params![reason, batch.0])
    }

    /// Changes lines of a batch, and returns their number. Changes nothing if another machine began
    /// the batch.
    fn change_lines(
        &self,
        batch: BatchId,
        update: &str,
        values: &[&dyn ToSql],
    ) -> Result<u64, JournalTrouble> {
        let change = || {
            if is_foreign_batch(&self.connection, batch.0)? {
                return Ok(0);
            }
            self.connection.execute(update, values)
        };
        map_error(&self.path, change().map(|count| count as u64))
    }

    /// The links of an account since this time that the service created, or may have created, with
    /// one of these amounts in centavos.
    ///
    /// # Errors
    ///
    /// Returns an error if the history could not be read.
    pub fn links_with_amounts(
        &self,
        account: &Account,
        since: Wall,
        centavos: &[i64],
    ) -> Result<Vec<PaymentLink>, JournalTrouble> {
        let links = links_with_amounts(&self.connection, account, since, centavos);
        map_error(&self.path, links)
    }
}

fn begin(
    connection: &mut Connection,
    account: &Account,
    source: &BatchSource,
    lines: &[BatchLine],
    at: Wall,
) -> rusqlite::Result<BatchId> {
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    tx.execute(
        "INSERT INTO batch (id, at, origin, identity, source) VALUES (?, ?, ?, ?, ?)",
        params![
            new_row(&tx, "batch", at)?,
            at.0,
            &*account.origin.0,
            &*account.identity,
            to_json(source)?
        ],
    )?;
    let batch = tx.last_insert_rowid();
    let mut insert = tx.prepare(
        "INSERT INTO batch_line (batch, number, state, cells, request, note, reason)
         VALUES (?, ?, ?, ?, ?, ?, ?)",
    )?;
    for line in lines {
        insert.execute(params![
            batch,
            line.number.cast_signed(),
            line.state.name(),
            to_json(&line.cells)?,
            line.request.as_ref().map(to_json).transpose()?,
            line.note,
            line.reason,
        ])?;
    }
    drop(insert);
    tx.commit()?;
    Ok(BatchId(batch))
}

fn newest(
    connection: &Connection,
    account: &Account,
    file: &str,
) -> rusqlite::Result<Option<Batch>> {
    let is_ours = if is_shared(connection)? {
        "AND id NOT IN (SELECT row FROM shared_row WHERE kind = 'batch' AND is_foreign
             AND row IS NOT NULL)"
    } else {
        ""
    };
    let mut statement = connection.prepare_cached(&format!(
        "SELECT id, at, origin, identity, source FROM batch
         WHERE origin = ? AND identity = ? AND source ->> '$.file' = ? {is_ours}
         ORDER BY id DESC LIMIT 1"
    ))?;
    let values = params![&*account.origin.0, &*account.identity, file];
    let batch = statement.query_row(values, read_batch).optional()?;
    with_author(connection, batch)
}

fn with_id(connection: &Connection, id: BatchId) -> rusqlite::Result<Option<Batch>> {
    let mut statement = connection
        .prepare_cached("SELECT id, at, origin, identity, source FROM batch WHERE id = ?")?;
    let batch = statement.query_row([id.0], read_batch).optional()?;
    with_author(connection, batch)
}

fn newest_of(connection: &Connection, account: &Account) -> rusqlite::Result<Option<Batch>> {
    let mut statement = connection.prepare_cached(
        "SELECT id, at, origin, identity, source FROM batch
         WHERE origin = ? AND identity = ? ORDER BY id DESC LIMIT 1",
    )?;
    let account = params![&*account.origin.0, &*account.identity];
    let batch = statement.query_row(account, read_batch).optional()?;
    with_author(connection, batch)
}

fn with_author(connection: &Connection, batch: Option<Batch>) -> rusqlite::Result<Option<Batch>> {
    let Some(mut batch) = batch else {
        return Ok(None);
    };
    batch.author = batch_author(connection, batch.id.0)?;
    batch.is_foreign = is_foreign_batch(connection, batch.id.0)?;
    Ok(Some(batch))
}

fn read_batch(row: &Row<'_>) -> rusqlite::Result<Batch> {
    let source: BatchSource = parse_json(row.get_ref(4)?.as_str()?)?;
    Ok(Batch {
        id: BatchId(row.get(0)?),
        at: Wall(row.get(1)?),
        account: Account {
            origin: Origin(row.get::<_, String>(2)?.into()),
            identity: row.get::<_, String>(3)?.into(),
        },
        source,
        author: None,
        is_foreign: false,
    })
}

fn lines(
    connection: &Connection,
    batch: BatchId,
    after: u64,
    limit: usize,
) -> rusqlite::Result<Vec<BatchLine>> {
    let mut statement = connection.prepare_cached(
        "SELECT line.number, line.state, line.cells, line.request, line.reason, line.link,
                l.outcome ->> '$.created.url', line.note
         FROM batch_line line LEFT JOIN link l ON l.id = line.link
         WHERE line.batch = ? AND line.number > ? ORDER BY line.number LIMIT ?",
    )?;
    let values = params![batch.0, after.cast_signed(), to_limit(limit)];
    statement.query_map(values, read_line)?.collect()
}

fn to_limit(limit: usize) -> i64 {
    i64::try_from(limit).unwrap_or(i64::MAX)
}

fn read_line(row: &Row<'_>) -> rusqlite::Result<BatchLine> {
    let request = row.get_ref(3)?.as_str_or_null()?;
    Ok(BatchLine {
        number: row.get::<_, i64>(0)?.cast_unsigned(),
        state: read_state(row, 1)?,
        cells: parse_json(row.get_ref(2)?.as_str()?)?,
        request: request.map(parse_json).transpose()?,
        note: row.get(7)?,
        reason: row.get(4)?,
        row: row.get::<_, Option<i64>>(5)?.map(RowId),
        url: row.get::<_, Option<String>>(6)?.map(Into::into),
    })
}

fn failed_lines(
    connection: &Connection,
    batch: BatchId,
    limit: usize,
) -> rusqlite::Result<Vec<FailedLine>> {
    let mut statement = connection.prepare_cached(
        "SELECT number, state, request, reason FROM batch_line
         WHERE batch = ? AND state IN ('unknown', 'refused') AND request IS NOT NULL
         ORDER BY state DESC, number LIMIT ?",
    )?;
    let lines = statement.query_map(params![batch.0, to_limit(limit)], |row| {
        let request: LinkRequest = parse_json(row.get_ref(2)?.as_str()?)?;
        Ok(FailedLine {
            number: row.get::<_, i64>(0)?.cast_unsigned(),
            amount: request.amount,
            description: request.description,
            state: read_state(row, 1)?,
            reason: row.get(3)?,
        })
    })?;
    lines.collect()
}

fn urls(
    connection: &Connection,
    batch: BatchId,
    max_bytes: usize,
) -> rusqlite::Result<Vec<Untrusted>> {
    let mut statement = connection.prepare_cached(
        "SELECT l.outcome ->> '$.created.url'
         FROM batch_line line JOIN link l ON l.id = line.link
         WHERE line.batch = ? AND line.state = 'made' ORDER BY line.number",
    )?;
    let mut rows = statement.query([batch.0])?;
    let mut urls = Vec::new();
    let mut bytes = 0;
    while let Some(row) = rows.next()? {
        let url: String = row.get(0)?;
        bytes += url.len();
        urls.push(url.into());
        if bytes > max_bytes {
            break;
        }
    }
    Ok(urls)
}

/// A state that this version of the program does not know is an error, and not some other state.
fn read_state(row: &Row<'_>, column: usize) -> rusqlite::Result<LineState> {
    LineState::named(row.get_ref(column)?.as_str()?).ok_or(rusqlite::Error::InvalidQuery)
}

fn counts(connection: &Connection, batch: BatchId) -> rusqlite::Result<BatchCounts> {
    let mut statement = connection
        .prepare_cached("SELECT state, count(*) FROM batch_line WHERE batch = ? GROUP BY state")?;
    let mut rows = statement.query([batch.0])?;
    let mut counts = BatchCounts::default();
    while let Some(row) = rows.next()? {
        counts.add(read_state(row, 0)?, row.get::<_, i64>(1)?.unsigned_abs());
    }
    Ok(counts)
}

fn take(
    connection: &mut Connection,
    batch: BatchId,
    at: Wall,
) -> rusqlite::Result<Option<TakenLine>> {
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    if is_foreign_batch(&tx, batch.0)? {
        return Ok(None);
    }
    let next = tx
        .prepare_cached(
            "SELECT number, request, note FROM batch_line WHERE batch = ? AND state = 'waiting'
             ORDER BY number LIMIT 1",
        )?
        .query_row([batch.0], |row| {
            let request: LinkRequest = parse_json(row.get_ref(1)?.as_str()?)?;
            Ok((row.get::<_, i64>(0)?, request, row.get(2)?))
        })
        .optional()?;
    let Some((number, request, note)) = next else {
        return Ok(None);
    };
    let link: PaymentLink = SaleOf {
        id: RowId(0),
        at,
        request,
        outcome: LinkOutcome::Unknown,
        paid: None,
        note,
        put_away: None,
        authors: SaleAuthors::default(),
    };
    let row = insert(&tx, &link)?;
    let taken = tx.execute(
        "UPDATE batch_line SET state = 'sending', link = ?
         WHERE batch = ? AND number = ? AND state = 'waiting'",
        params![row.0, batch.0, number],
    )?;
    if taken != 1 {
        return Err(rusqlite::Error::QueryReturnedNoRows);
    }
    tx.commit()?;
    Ok(Some(TakenLine {
        number: number.cast_unsigned(),
        row,
        request: link.request,
    }))
}

fn settle(
    connection: &mut Connection,
    batch: BatchId,
    line: &TakenLine,
    result: &LineResult,
    reason: &str,
) -> rusqlite::Result<()> {
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    match result {
        LineResult::Ended(outcome) => {
            settle_in_transaction::<LinkRequest>(&tx, line.row, outcome)?;
        }
        // The line itself remembers the link, so the history needs no row of a link that was
        // certainly not created.
        LineResult::PutBack => delete_row(&tx, line.row)?,
    }
    let row = match result {
        LineResult::Ended(_) => Some(line.row.0),
        LineResult::PutBack => None,
    };
    let settled = tx.execute(
        "UPDATE batch_line SET state = ?, reason = ?, link = ?
         WHERE batch = ? AND number = ? AND state = 'sending'",
        params![
            result.state().name(),
            reason,
            row,
            batch.0,
            line.number.cast_signed()
        ],
    )?;
    if settled != 1 {
        return Err(rusqlite::Error::QueryReturnedNoRows);
    }
    tx.commit()
}

fn delete_row(tx: &Transaction<'_>, row: RowId) -> rusqlite::Result<()> {
    // A link that was found at the service in the meantime is kept, with its words.
    if tx.execute("DELETE FROM link WHERE id = ? AND NOT created", [row.0])? > 0 {
        tx.execute("DELETE FROM link_words WHERE rowid = ?", [row.0])?;
    }
    Ok(())
}

fn links_with_amounts(
    connection: &Connection,
    account: &Account,
    since: Wall,
    centavos: &[i64],
) -> rusqlite::Result<Vec<PaymentLink>> {
    let mut statement = connection.prepare_cached(&format!(
        "SELECT {} FROM link l
         WHERE l.at >= ? AND l.origin = ? AND l.identity = ?
           AND l.centavos IN (SELECT value FROM json_each(?))
           AND (l.created OR l.outcome = '\"unknown\"')
         ORDER BY l.id",
        super::table::COLUMNS
    ))?;
    let values = params![
        since.0,
        &*account.origin.0,
        &*account.identity,
        to_json(&centavos)?
    ];
    statement.query_map(values, super::table::read)?.collect()
}
