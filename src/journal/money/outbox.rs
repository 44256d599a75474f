//! The outbox of a team's mirror: the ends of attempts that the log does not contain yet.
//!
//! The outbox is a small file beside `money.db`, and is on disk before the end is reported. It is
//! flushed before anything else is written to the log.

use serde::{Deserialize, Serialize};

use super::chain::EventRow;
use super::log::NotAppended;
use super::team::MAX_TRIES;
use super::write::NotWritten;
use super::{Files, MoneyJournal, Storage};
use crate::trade::withdrawal::{AttemptEnd, Class, NotSent};
use crate::trade::{Clocks, IdempotencyKey, JournalTrouble};

/// The end of an attempt that is not in the log yet.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct UnwrittenEnd {
    key: IdempotencyKey,
    n: u32,
    end: AttemptEnd,
    /// The row with the start of the attempt, if it is in doubt whether the log contains the row.
    begin: Option<EventRow>,
}

impl UnwrittenEnd {
    /// The end of attempt `n`, which was not sent because its start, `row`, is in doubt.
    pub fn of_begin_in_doubt(row: &EventRow, n: u32, began: &Clocks) -> UnwrittenEnd {
        let end = AttemptEnd {
            at: began.wall,
            boot_ms: began.boot_ms,
            class: Class::NotSent(NotSent::Journal),
            status: None,
            server_date: None,
            message: None,
            hint: None,
        };
        UnwrittenEnd {
            key: row.key,
            n,
            end,
            begin: Some(row.clone()),
        }
    }
}

impl Files {
    /// The number of ends of attempts that the log of the team does not contain yet.
    pub fn unwritten_ends(&self) -> Result<usize, JournalTrouble> {
        let ends = parse_ends(&self.outbox()?);
        ends.map(|ends| ends.len()).map_err(JournalTrouble::Damaged)
    }
}

fn parse_ends(text: &str) -> Result<Vec<UnwrittenEnd>, String> {
    if text.is_empty() {
        return Ok(Vec::new());
    }
    serde_json::from_str(text).map_err(|error| format!("money.outbox beside it: {error}"))
}

impl MoneyJournal {
    /// Stores the outcome of an attempt in the outbox. Does nothing without a team.
    ///
    /// Errors are ignored, because the caller already reports that the outcome is not recorded.
    pub(super) fn keep_end(&mut self, key: IdempotencyKey, n: u32, end: &AttemptEnd) {
        if self.team.is_none() {
            return;
        }
        if let Ok(_lock) = self.storage.lock_journal() {
            let _ = self.keep_in_outbox(UnwrittenEnd {
                key,
                n,
                end: end.clone(),
                begin: None,
            });
        }
    }

    /// Adds an end to the outbox. The caller holds the journal's lock.
    pub(super) fn keep_in_outbox(&self, end: UnwrittenEnd) -> Result<(), JournalTrouble> {
        let mut ends = self.read_outbox()?;
        if ends.contains(&end) {
            return Ok(());
        }
        ends.push(end);
        let text = serde_json::to_string(&ends);
        let text = text.map_err(|error| JournalTrouble::Io(error.to_string()))?;
        self.storage.replace_outbox(&text)
    }

    fn read_outbox(&self) -> Result<Vec<UnwrittenEnd>, JournalTrouble> {
        parse_ends(&self.storage.outbox()?).map_err(|text| self.file.damaged(&text))
    }

    /// Writes the ends in the outbox to the journal, and empties the outbox. The caller holds the
    /// journal's lock.
    pub(super) fn flush_outbox(&mut self) -> Result<(), JournalTrouble> {
        if self.team.is_none() {
            return Ok(());
        }
        let ends = self.read_outbox()?;
        if ends.is_empty() {
            return Ok(());
        }
        for UnwrittenEnd { key, n, end, begin } in &ends {
            if let Some(row) = begin
                && !self.settle_begin_in_doubt(row)?
            {
                continue;
            }
            match self.append_locked(end.at, |journal| journal.settled_event(*key, *n, end)) {
                Ok(_) | Err(NotWritten::AlreadyStored(_)) => {}
                Err(NotWritten::Journal(trouble)) => return Err(trouble),
            }
        }
        self.storage.replace_outbox("")
    }

    /// Finds out whether the log contains a row, by appending it again with the same number. If the
    /// log has another row with this number, it refuses the row forever, and the result is false.
    fn settle_begin_in_doubt(&mut self, row: &EventRow) -> Result<bool, JournalTrouble> {
        for _ in 0..MAX_TRIES {
            self.begin_write()?;
            if self.index.last.n >= row.n {
                self.file.roll_back();
                return Ok(self.file.sum(row.n)? == Some(row.sum));
            }
            let result = self.write_row(row);
            if result.is_err() {
                self.file.roll_back();
            }
            match result {
                Ok(_) => return Ok(true),
                Err(NotAppended::Outrun) => self.pull_locked()?,
                Err(error) => return Err(error.into_trouble()),
            }
        }
        Err(NotAppended::Outrun.into_trouble())
    }
}
