//! Applies the records of a team's log to a mirror.
//!
//! Each part of a row gets the state of its last record in the log. If a part has a change that is
//! not in the log yet, records of other machines do not change it, because its own record will come
//! later. A deleted link, charge or batch stays deleted.
//!
//! Another machine may write anything into the log. A record that this program cannot have written
//! is skipped, on every machine alike.

use rusqlite::types::Value;
use rusqlite::{
    Connection, ErrorCode, OptionalExtension, Transaction, TransactionBehavior, params,
};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use uuid::Uuid;

use super::log::{MAX_AUTHOR_BYTES, MAX_STATE_BYTES, Record};
use super::shared::{
    DELETED, TABLES, add_row, confirm, forget_lost, last, line_id, nickname_id, remember,
};
use super::table::{self, SaleTable, parse_json, to_json};
use super::{History, map_error};
use crate::trade::{
    Author, BatchSource, ChargeRequest, JournalTrouble, LineState, LinkRequest, Nickname, Origin,
    Outcome, PixKey, RowId, SaleAuthors, SaleOf, Wall, parse_note,
};

/// The numbers of the records that were applied.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Applied {
    /// The records of other machines that changed this history.
    pub applied: u64,
    /// The records that this program cannot have written.
    pub skipped: u64,
}

/// The effect of one record.
enum Effect {
    Changed,
    /// The record is of this machine, is about a deleted row, or is followed by a later one.
    Nothing,
    /// This program cannot have written the record.
    Unreadable,
}

impl History {
    /// Applies the next records of the log, in order. Records that were applied before are ignored.
    ///
    /// # Errors
    ///
    /// Fails if the history is not a mirror, cannot be written, or if a record before the first one
    /// is missing. Nothing is changed then.
    pub fn apply_records(&mut self, records: &[Record]) -> Result<Applied, JournalTrouble> {
        match apply_all(&mut self.connection, records) {
            Ok(Some(applied)) => Ok(applied),
            // Another process may have begun to read the log again.
            Ok(None) => Err(JournalTrouble::Busy(
                "the log of the team's history has a gap".to_owned(),
            )),
            Err(error) => map_error(&self.path, Err(error)),
        }
    }
}

/// `None` if the records do not follow the last one.
fn apply_all(connection: &mut Connection, records: &[Record]) -> rusqlite::Result<Option<Applied>> {
    if records.is_empty() {
        return Ok(Some(Applied::default()));
    }
    let mut tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    tx.execute("UPDATE shared_log SET is_applying = 1", [])?;
    let mut n = last(&tx)?;
    let mut count = Applied::default();
    for record in records {
        if record.n <= n {
            continue;
        }
        if record.n != n + 1 {
            return Ok(None);
        }
        n = record.n;
        if remember(&tx, record)? {
            continue;
        }
        match apply_guarded(&mut tx, record)? {
            Effect::Unreadable => {
                count.skipped += 1;
                continue;
            }
            Effect::Changed => count.applied += 1,
            Effect::Nothing => {}
        }
        forget_lost(&tx, record)?;
    }
    tx.execute("UPDATE shared_log SET is_applying = 0", [])?;
    tx.commit()?;
    Ok(Some(count))
}

/// Applies a record, all or nothing. Only trouble with the file is an error.
fn apply_guarded(tx: &mut Transaction<'_>, record: &Record) -> rusqlite::Result<Effect> {
    let savepoint = tx.savepoint()?;
    match apply(&savepoint, record) {
        Ok(effect) => savepoint.commit().map(|()| effect),
        Err(error) if is_of_file(&error) => Err(error),
        // Dropping the savepoint undoes what the record has changed so far.
        Err(_) => Ok(Effect::Unreadable),
    }
}

/// True if the file cannot be read or written, whatever the record is.
fn is_of_file(error: &rusqlite::Error) -> bool {
    let of_value = [
        ErrorCode::ConstraintViolation,
        ErrorCode::TypeMismatch,
        ErrorCode::TooBig,
        ErrorCode::Unknown,
    ];
    match error {
        rusqlite::Error::SqliteFailure(failure, _) => !of_value.contains(&failure.code),
        _ => false,
    }
}

fn apply(tx: &Connection, record: &Record) -> rusqlite::Result<Effect> {
    if confirm(tx, record)? {
        return Ok(Effect::Nothing);
    }
    let Some(who) = author(record)? else {
        return Ok(Effect::Unreadable);
    };
    let state = match &record.state {
        _ if record.part == DELETED => return delete(tx, record),
        // A purge erased the state. The deletion of the row follows.
        None => return Ok(Effect::Nothing),
        Some(state) if state.len() > MAX_STATE_BYTES => return Ok(Effect::Unreadable),
        Some(state) => state,
    };
    match (&*record.kind, &*record.part) {
        ("link", part) => apply_sale::<LinkRequest>(tx, record, part, state, &who),
        ("charge", part) => apply_sale::<ChargeRequest>(tx, record, part, state, &who),
        ("batch", "batch") => apply_batch(tx, record, state, &who),
        ("batch_line", "batch_line") => apply_line(tx, record, state),
        ("nickname", "nickname") => apply_nickname(tx, record, state),
        ("statement_line", "statement_line") => apply_statement(tx, record, state),
        _ => Ok(Effect::Unreadable),
    }
}

/// The author of a record as JSON, with the role that the database confirmed.
fn author(record: &Record) -> rusqlite::Result<Option<String>> {
    let role = record.written_by.as_ref().map_or(0, String::len);
    if record.who.len() + role > MAX_AUTHOR_BYTES {
        return Ok(None);
    }
    let mut author: Author = parse_json(&record.who)?;
    if let Some(role) = &record.written_by {
        author.role = role.as_str().into();
    }
    to_json(&author).map(Some)
}

fn store_author(
    tx: &Connection,
    kind: &str,
    row: i64,
    part: &str,
    who: &str,
) -> rusqlite::Result<()> {
    tx.prepare_cached(
        "INSERT INTO shared_author VALUES (?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET who = excluded.who",
    )?
    .execute(params![kind, row, part, who])
    .map(drop)
}

/// The place of a global id in this file.
enum Place {
    Unknown,
    Deleted,
    Row(i64),
}

/// Finds a link, charge or batch. A global id of another kind is an error.
fn place_of(tx: &Connection, kind: &str, id: Uuid) -> rusqlite::Result<Place> {
    let found: Option<(String, Option<i64>)> = tx
        .prepare_cached("SELECT kind, row FROM shared_row WHERE id = ?")?
        .query_row([id.as_bytes().as_slice()], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })
        .optional()?;
    match found {
        None => Ok(Place::Unknown),
        Some((found, _)) if found != kind => Err(rusqlite::Error::InvalidQuery),
        Some((_, None)) => Ok(Place::Deleted),
        Some((_, Some(row))) => Ok(Place::Row(row)),
    }
}

/// The database role of the person who uses this machine.
fn own_role(tx: &Connection) -> rusqlite::Result<Option<String>> {
    let select = "SELECT who ->> 'role' FROM shared_log";
    tx.query_row(select, [], |row| row.get(0))
}

/// True if this part of a row has a change that is not in the log yet.
fn is_pending(tx: &Connection, kind: &str, row: &Value, part: &str) -> rusqlite::Result<bool> {
    tx.prepare_cached(
        "SELECT EXISTS (SELECT 1 FROM shared_pending WHERE kind = ? AND row = ? AND part = ?)",
    )?
    .query_row(params![kind, row, part], |row| row.get(0))
}

/// True if a row that can be deleted and made again has a change that is not in the log yet.
fn is_row_pending(tx: &Connection, kind: &str, row: &str, id: Uuid) -> rusqlite::Result<bool> {
    let row = Value::Text(row.to_owned());
    // A deletion that the log has lost is pending with the global id.
    let id = Value::Blob(id.as_bytes().to_vec());
    Ok(is_pending(tx, kind, &row, kind)?
        || is_pending(tx, kind, &row, DELETED)?
        || is_pending(tx, kind, &id, DELETED)?)
}

/// The times that a row may have, in milliseconds: until the year 9999.
fn is_time(at: i64) -> bool {
    (0..=253_402_300_799_999).contains(&at)
}

/// The days that a statement may have, as days since 1970: about 2,700 years before and after it.
const DAYS: std::ops::Range<i64> = -1_000_000..1_000_000;

#[derive(Deserialize)]
#[serde(bound(deserialize = "R: DeserializeOwned, C: DeserializeOwned"))]
struct SaleState<R, C> {
    at: i64,
    request: R,
    outcome: Outcome<C>,
}

#[derive(Deserialize)]
struct PaidState {
    paid_at: Option<i64>,
    sandbox: bool,
    day: Option<i64>,
}

fn apply_sale<R: SaleTable>(
    tx: &Connection,
    record: &Record,
    part: &str,
    state: &str,
    who: &str,
) -> rusqlite::Result<Effect> {
    let kind = R::TABLE;
    let row = match place_of(tx, kind, record.row)? {
        Place::Unknown if part == "sale" => return insert_sale::<R>(tx, record, state, who),
        Place::Unknown | Place::Deleted => return Ok(Effect::Nothing),
        Place::Row(row) => row,
    };
    if is_pending(tx, kind, &Value::Integer(row), part)? {
        return Ok(Effect::Nothing);
    }
    match part {
        "sale" => {
            let state: SaleState<R, R::Created> = parse_json(state)?;
            table::settle_in_transaction::<R>(tx, RowId(row), &state.outcome)?;
            return Ok(Effect::Changed);
        }
        "paid" => {
            let state: PaidState = parse_json(state)?;
            let is_day = state.day.is_none_or(|day| DAYS.contains(&day));
            if !state.paid_at.is_none_or(is_time) || !is_day {
                return Ok(Effect::Unreadable);
            }
            tx.prepare_cached(&format!(
                "UPDATE {kind} SET paid_at = ?, sandbox_paid = ?, statement_day = ? WHERE id = ?"
            ))?
            .execute(params![
                state.paid_at,
                state.sandbox && state.paid_at.is_some(),
                state.day.filter(|_| state.paid_at.is_some()),
                row
            ])?;
        }
        "note" => {
            let note: Option<String> = parse_json(state)?;
            if note
                .as_ref()
                .is_some_and(|note| parse_note(note).as_ref() != Some(note))
            {
                return Ok(Effect::Unreadable);
            }
            table::set_note_in_transaction::<R>(tx, RowId(row), note.as_deref())?;
        }
        "put_away" if R::HAS_PUT_AWAY => {
            let since: Option<i64> = parse_json(state)?;
            if !since.is_none_or(is_time) {
                return Ok(Effect::Unreadable);
            }
            tx.prepare_cached(&format!("UPDATE {kind} SET put_away_at = ? WHERE id = ?"))?
                .execute(params![since, row])?;
        }
        _ => return Ok(Effect::Unreadable),
    }
    store_author(tx, kind, row, part, who)?;
    Ok(Effect::Changed)
}

fn insert_sale<R: SaleTable>(
    tx: &Connection,
    record: &Record,
    state: &str,
    who: &str,
) -> rusqlite::Result<Effect> {
    let state: SaleState<R, R::Created> = parse_json(state)?;
    if !is_time(state.at) {
        return Ok(Effect::Unreadable);
    }
    let sale = SaleOf {
        id: RowId(0),
        at: Wall(state.at),
        request: state.request,
        outcome: state.outcome,
        paid: None,
        note: None,
        put_away: None,
        authors: SaleAuthors::default(),
    };
    let Some(row) = add_row(tx, R::TABLE, record.row, sale.at, true)? else {
        return Ok(Effect::Unreadable);
    };
    table::insert_with_id(tx, Some(row), &sale)?;
    store_author(tx, R::TABLE, row, "sale", who)?;
    Ok(Effect::Changed)
}

#[derive(Deserialize)]
struct BatchState {
    at: i64,
    origin: Origin,
    identity: String,
    source: BatchSource,
}

/// Stores a batch of another machine. A batch never changes.
fn apply_batch(
    tx: &Connection,
    record: &Record,
    state: &str,
    who: &str,
) -> rusqlite::Result<Effect> {
    let Place::Unknown = place_of(tx, "batch", record.row)? else {
        return Ok(Effect::Nothing);
    };
    let state: BatchState = parse_json(state)?;
    if !is_time(state.at) {
        return Ok(Effect::Unreadable);
    }
    let Some(row) = add_row(tx, "batch", record.row, Wall(state.at), true)? else {
        return Ok(Effect::Unreadable);
    };
    tx.execute(
        "INSERT INTO batch (id, at, origin, identity, source) VALUES (?, ?, ?, ?, ?)",
        params![
            row,
            state.at,
            &*state.origin.0,
            state.identity,
            to_json(&state.source)?
        ],
    )?;
    store_author(tx, "batch", row, "batch", who)?;
    Ok(Effect::Changed)
}

#[derive(Deserialize)]
struct LineOfBatch {
    batch: Uuid,
    number: i64,
    state: String,
    cells: Vec<String>,
    request: Option<LinkRequest>,
    note: Option<String>,
    reason: String,
    link: Option<Uuid>,
}

/// Stores a line of another machine's batch. Only the machine that began a batch changes it.
///
/// If this machine's history was restored from a copy, lines that were sent since then are still
/// waiting in it. The log has their results, and so they are not sent again.
fn apply_line(tx: &Connection, record: &Record, state: &str) -> rusqlite::Result<Effect> {
    let line: LineOfBatch = parse_json(state)?;
    let is_valid = record.row == line_id(line.batch, line.number)
        && line.number > 0
        && LineState::named(&line.state).is_some();
    if !is_valid {
        return Ok(Effect::Unreadable);
    }
    let Place::Row(batch) = place_of(tx, "batch", line.batch)? else {
        return Ok(Effect::Nothing);
    };
    let is_own = !super::shared::is_foreign_batch(tx, batch)?;
    if is_own && record.written_by != own_role(tx)? {
        return Ok(Effect::Unreadable);
    }
    let link = match line.link {
        Some(link) => match place_of(tx, "link", link)? {
            Place::Row(row) => Some(row),
            Place::Unknown | Place::Deleted => None,
        },
        None => None,
    };
    if is_own {
        let state = params![line.state, line.reason, link, batch, line.number];
        tx.prepare_cached(
            "UPDATE batch_line SET state = ?, reason = ?, link = ?
             WHERE (batch, number, state) = (?, ?, 'waiting')",
        )?
        .execute(state)?;
        return Ok(Effect::Changed);
    }
    tx.prepare_cached(
        "INSERT INTO batch_line (batch, number, state, cells, request, note, reason, link)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET state = excluded.state, reason = excluded.reason,
             link = excluded.link",
    )?
    .execute(params![
        batch,
        line.number,
        line.state,
        to_json(&line.cells)?,
        line.request.as_ref().map(to_json).transpose()?,
        line.note,
        line.reason,
        link,
    ])?;
    Ok(Effect::Changed)
}

#[derive(Deserialize)]
struct NicknameState {
    at: i64,
    origin: String,
    identity: String,
    destination: PixKey,
    name: String,
}

fn apply_nickname(tx: &Connection, record: &Record, state: &str) -> rusqlite::Result<Effect> {
    let state: NicknameState = parse_json(state)?;
    let key = [state.origin, state.identity, to_json(&state.destination)?];
    let is_name = Nickname::parse(&state.name).is_some_and(|name| name.as_str() == state.name);
    if !is_name || !is_time(state.at) || nickname_id(&key)? != record.row {
        return Ok(Effect::Unreadable);
    }
    let row: String = tx.query_row("SELECT json_array(?, ?, ?)", key.each_ref(), |row| {
        row.get(0)
    })?;
    if is_row_pending(tx, "nickname", &row, record.row)? {
        return Ok(Effect::Nothing);
    }
    let [origin, identity, destination] = key;
    tx.execute(
        "INSERT INTO nickname (at, origin, identity, destination, name) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET at = excluded.at, name = excluded.name",
        params![state.at, origin, identity, destination, state.name],
    )?;
    tx.execute(
        "INSERT INTO shared_row VALUES (?, 'nickname', ?, 1) ON CONFLICT DO NOTHING",
        params![record.row.as_bytes().as_slice(), row],
    )?;
    Ok(Effect::Changed)
}

#[derive(Deserialize)]
struct StatementState {
    import: i64,
    sale: String,
    row: Option<Uuid>,
    day: i64,
    centavos: i64,
    paid_at: i64,
}

fn apply_statement(tx: &Connection, record: &Record, state: &str) -> rusqlite::Result<Effect> {
    let state: StatementState = parse_json(state)?;
    let is_valid = ["link", "charge"].contains(&&*state.sale)
        && is_time(state.paid_at)
        && is_time(state.import)
        && DAYS.contains(&state.day);
    if !is_valid {
        return Ok(Effect::Unreadable);
    }
    let id = record.row.simple().to_string();
    let Some(sale) = state.row else {
        return Ok(Effect::Nothing);
    };
    let Place::Row(row) = place_of(tx, &state.sale, sale)? else {
        return Ok(Effect::Nothing);
    };
    if is_row_pending(tx, "statement_line", &id, record.row)? {
        return Ok(Effect::Nothing);
    }
    tx.prepare_cached(
        "INSERT INTO statement_line (id, import, sale, row, day, centavos, paid_at)
         VALUES (?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET import = excluded.import, sale = excluded.sale,
             row = excluded.row, day = excluded.day, centavos = excluded.centavos,
             paid_at = excluded.paid_at",
    )?
    .execute(params![
        id,
        state.import,
        state.sale,
        row,
        state.day,
        state.centavos,
        state.paid_at
    ])?;
    Ok(Effect::Changed)
}

/// Deletes a row with everything that belongs to it.
fn delete(tx: &Connection, record: &Record) -> rusqlite::Result<Effect> {
    let kind = &*record.kind;
    match kind {
        "nickname" => {
            let select = "SELECT row FROM shared_row WHERE id = ? AND kind = 'nickname'";
            let id = record.row.as_bytes().as_slice();
            let row: Option<String> = tx.query_row(select, [id], |row| row.get(0)).optional()?;
            let Some(row) = row else {
                return Ok(Effect::Nothing);
            };
            if is_row_pending(tx, kind, &row, record.row)? {
                return Ok(Effect::Nothing);
            }
            let key: [String; 3] = parse_json(&row)?;
            tx.execute(
                "DELETE FROM nickname WHERE (origin, identity, destination) = (?, ?, ?)",
                key,
            )?;
        }
        "statement_line" => {
            let id = record.row.simple().to_string();
            if is_row_pending(tx, kind, &id, record.row)? {
                return Ok(Effect::Nothing);
            }
            tx.execute("DELETE FROM statement_line WHERE id = ?", [id])?;
        }
        _ if TABLES.contains(&kind) => match place_of(tx, kind, record.row)? {
            Place::Row(row) => delete_row(tx, kind, row)?,
            Place::Deleted => return Ok(Effect::Nothing),
            // Remember the deletion, so that no later record makes the row.
            Place::Unknown => {
                tx.execute(
                    "INSERT INTO shared_row VALUES (?, ?, NULL, 1)",
                    params![record.row.as_bytes().as_slice(), kind],
                )?;
                return Ok(Effect::Nothing);
            }
        },
        _ => return Ok(Effect::Unreadable),
    }
    Ok(Effect::Changed)
}

fn delete_row(tx: &Connection, kind: &str, row: i64) -> rusqlite::Result<()> {
    if kind == "batch" {
        tx.execute("DELETE FROM batch_line WHERE batch = ?", [row])?;
    } else {
        tx.execute(&format!("DELETE FROM {kind}_words WHERE rowid = ?"), [row])?;
        // A line that marked another row until now may still mark it on the other machines.
        tx.execute(
            "UPDATE shared_pending SET part = 'deleted', change = randomblob(16)
             WHERE kind = 'statement_line' AND part <> 'deleted'
                 AND row IN (SELECT id FROM statement_line WHERE sale = ? AND row = ?)",
            params![kind, row],
        )?;
        super::statements::forget_line(tx, kind, row)?;
    }
    tx.execute(&format!("DELETE FROM {kind} WHERE id = ?"), [row])
        .map(drop)
}
