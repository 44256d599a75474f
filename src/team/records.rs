//! The log of a team's history on a server.

use std::sync::mpsc::{self, RecvTimeoutError, SyncSender};

use tokio::sync::mpsc as tokio_mpsc;
use tokio::time::Instant;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, Error, Row};

use super::log::{CALL_LIMIT, Call, GRACE, NoReply, Request};
use super::{FORMAT, calls, sql};
use crate::journal::history::{HistoryLog, Record};
use crate::journal::money::NotAppended;
use crate::trade::JournalTrouble;

/// The number of records that are read or appended at once, so that no call takes long.
pub const MAX_RECORDS: usize = 512;

/// Records that are read or appended at once end with the one whose state exceeds this number of
/// bytes.
pub const MAX_RECORD_BYTES: usize = 64 * 1024;

/// The number of records among which one call erases.
const ERASED_RECORDS: i64 = 20_000;

/// The text before the number of a record in a notification.
pub(super) const RECORD_PREFIX: &str = "record ";

/// The log of a team's history on a server. A call blocks for at most 15 seconds. Without a
/// connection it fails at once.
#[derive(Clone)]
pub struct TeamRecords {
    pub(super) requests: tokio_mpsc::Sender<Request>,
}

/// A call of the history's log.
pub(super) enum RecordCall {
    After {
        n: i64,
        most: i64,
        reply: SyncSender<Result<Vec<Record>, JournalTrouble>>,
    },
    Append {
        records: Vec<Record>,
        reply: SyncSender<Result<(), NotAppended>>,
    },
    EraseDeleted {
        after: i64,
        up_to: i64,
        reply: SyncSender<Result<(), JournalTrouble>>,
    },
}

impl RecordCall {
    /// Lets the call fail. It was not sent. Returns false if the caller no longer waits.
    pub fn refuse(self, offline: JournalTrouble) -> bool {
        match self {
            RecordCall::After { reply, .. } => reply.try_send(Err(offline)).is_ok(),
            RecordCall::Append { reply, .. } => reply.try_send(Err(offline.into())).is_ok(),
            RecordCall::EraseDeleted { reply, .. } => reply.try_send(Err(offline)).is_ok(),
        }
    }
}

impl TeamRecords {
    /// Deletes the states of all rows that were deleted, which may contain personal data, up to
    /// the record with number `last`. Deletes a range of records at a time, so that no call takes
    /// long.
    ///
    /// # Errors
    ///
    /// Returns [`JournalTrouble::Refused`] if the role may not erase data.
    pub fn erase_deleted(&mut self, last: i64) -> Result<(), JournalTrouble> {
        let mut after = 0;
        while after < last {
            let up_to = last.min(after + ERASED_RECORDS);
            let erased = self.call(|reply| RecordCall::EraseDeleted {
                after,
                up_to,
                reply,
            });
            erased.unwrap_or_else(|no_reply| Err(no_reply.into_trouble()))?;
            after = up_to;
        }
        Ok(())
    }

    /// Makes a call and waits for its reply.
    fn call<R>(&self, call: impl FnOnce(SyncSender<R>) -> RecordCall) -> Result<R, NoReply> {
        let (reply, replies) = mpsc::sync_channel(1);
        let request = Request {
            deadline: Instant::now() + CALL_LIMIT,
            call: Call::Records(call(reply)),
        };
        let enqueued = self.requests.try_send(request);
        enqueued.map_err(|_| NoReply::NotSent)?;
        replies
            .recv_timeout(CALL_LIMIT + GRACE)
            .map_err(|error| match error {
                RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected => NoReply::Late,
            })
    }
}

impl HistoryLog for TeamRecords {
    fn records_after(&mut self, n: i64, most: i64) -> Result<Vec<Record>, JournalTrouble> {
        self.call(|reply| RecordCall::After { n, most, reply })
            .unwrap_or_else(|no_reply| Err(no_reply.into_trouble()))
    }

    fn append_records(&mut self, records: &[Record]) -> Result<(), NotAppended> {
        if records.is_empty() {
            return Ok(());
        }
        let replied = self.call(|reply| RecordCall::Append {
            records: records.to_vec(),
            reply,
        });
        replied.unwrap_or_else(|no_reply| match no_reply {
            NoReply::NotSent => Err(no_reply.into_trouble().into()),
            NoReply::Late => Err(NotAppended::Doubt(no_reply.into_trouble().to_string())),
        })
    }
}

/// Appends records, and announces the last of them.
pub(super) async fn append(client: &Client, records: &[Record]) -> Result<(), Error> {
    let last = records.last().map_or(0, |record| record.n);
    let announcement = format!("{RECORD_PREFIX}{last}");
    calls::announced(client, &announcement, send(client, records)).await
}

async fn send(client: &Client, records: &[Record]) -> Result<(), Error> {
    let columns: [(&(dyn ToSql + Sync), Type); 8] = [
        (&calls::column(records, |it| it.n), Type::INT8_ARRAY),
        (&calls::column(records, |it| it.change), Type::UUID_ARRAY),
        (&calls::column(records, |it| &*it.kind), Type::TEXT_ARRAY),
        (&calls::column(records, |it| it.row), Type::UUID_ARRAY),
        (&calls::column(records, |it| &*it.part), Type::TEXT_ARRAY),
        (&calls::column(records, |it| &*it.who), Type::TEXT_ARRAY),
        (
            &calls::column(records, |it| it.state.as_deref()),
            Type::TEXT_ARRAY,
        ),
        (&FORMAT, Type::INT4),
    ];
    let appended = client.execute_typed(sql::APPEND_RECORDS, &columns).await;
    appended.map(drop)
}

/// The records after number `n`, in order, at most `most` of them. There are fewer if their states
/// are long.
pub(super) async fn after(client: &Client, n: i64, most: i64) -> Result<Vec<Record>, Error> {
    let most = most.min(MAX_RECORDS as i64);
    let bytes = MAX_RECORD_BYTES as i64;
    let parameters: [(&(dyn ToSql + Sync), Type); 3] =
        [(&n, Type::INT8), (&most, Type::INT8), (&bytes, Type::INT8)];
    let rows = client.query_typed(sql::RECORDS_AFTER, &parameters).await?;
    rows.iter().map(read_record).collect()
}

fn read_record(row: &Row) -> Result<Record, Error> {
    Ok(Record {
        n: row.try_get(0)?,
        change: row.try_get(1)?,
        kind: row.try_get(2)?,
        row: row.try_get(3)?,
        part: row.try_get(4)?,
        who: row.try_get(5)?,
        state: row.try_get(6)?,
        written_by: row.try_get(7)?,
    })
}

/// Deletes the states of all rows that have a `deleted` record, among the records after number
/// `after`, up to number `up_to`.
pub(super) async fn erase_deleted(client: &Client, after: i64, up_to: i64) -> Result<(), Error> {
    let range: [(&(dyn ToSql + Sync), Type); 2] = [(&after, Type::INT8), (&up_to, Type::INT8)];
    let erased = client.execute_typed(sql::ERASE_DELETED, &range).await;
    erased.map(drop)
}
