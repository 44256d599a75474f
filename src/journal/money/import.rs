//! Imports a journal into the empty log of a team: appends its events unchanged, and then makes its
//! directory the mirror of the log.
//!
//! Every step can be interrupted. The log then contains the first events of the journal and nothing
//! else, and the next import continues after them.

use std::fs;
use std::path::Path;

use super::chain::{self, ChainLink, EventRow};
use super::log::{Log, NotAppended};
use super::team::MAX_TRIES;
use super::{Export, Files};
use crate::journal::directory;
use crate::journal::trouble::io_trouble;
use crate::trade::JournalTrouble;

/// The relation of a team's log to a journal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogContents {
    /// The log contains the first events of the journal, up to this number, and nothing else.
    FirstEvents(i64),
    /// The log contains other events.
    Others,
}

/// The reason why a journal was not imported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotImported {
    /// The log contains other events.
    Occupied,
    /// The journal or the log cannot be used. The next import continues.
    Trouble(JournalTrouble),
}

impl From<JournalTrouble> for NotImported {
    fn from(trouble: JournalTrouble) -> NotImported {
        NotImported::Trouble(trouble)
    }
}

impl Files {
    /// Compares a team's log with this journal, without changing either.
    pub fn compare_with_log(&self, log: &mut dyn Log) -> Result<LogContents, JournalTrouble> {
        let mut last = chain::start();
        let mut export = Export::open(self)?;
        while let Some(rows) = next_rows(&mut export)? {
            let Some(common) = common_rows(&rows, last, log)? else {
                return Ok(LogContents::Others);
            };
            if common < rows.len() {
                return Ok(LogContents::FirstEvents(last.n + common as i64));
            }
            last = rows.last().map_or(last, EventRow::link);
        }
        if log.after(last.n, 1)?.is_empty() {
            Ok(LogContents::FirstEvents(last.n))
        } else {
            Ok(LogContents::Others)
        }
    }

    /// Appends all events of this journal that a team's log lacks, and calls `report` with the
    /// number of the last one after each group.
    ///
    /// # Errors
    ///
    /// Fails if the log contains other events, or another machine appends some meanwhile.
    pub fn append_to_log(
        &self,
        log: &mut dyn Log,
        report: &mut dyn FnMut(i64),
    ) -> Result<(), NotImported> {
        let mut last = chain::start();
        let mut export = Export::open(self)?;
        while let Some(rows) = next_rows(&mut export)? {
            append_rows(&rows, last, log)?;
            last = rows.last().map_or(last, EventRow::link);
            report(last.n);
        }
        if log.after(last.n, 1)?.is_empty() {
            Ok(())
        } else {
            Err(NotImported::Occupied)
        }
    }

    /// Moves the whole directory of this journal to the path `to`, which must not exist yet. The
    /// journal must not be open.
    ///
    /// # Errors
    ///
    /// Fails if a withdrawal is being sent, or if the directory cannot be moved.
    pub fn move_to(&self, to: &Path) -> Result<Files, JournalTrouble> {
        if self.is_sending()? {
            let text = format!("{}: a withdrawal is being sent", self.dir.display());
            return Err(JournalTrouble::Busy(text));
        }
        let parents = [self.dir.parent(), to.parent()];
        let moved = parents[1]
            .map_or(Ok(()), directory::create)
            .and_then(|()| fs::rename(&self.dir, to))
            .and_then(|()| {
                let mut parents = parents.into_iter().flatten();
                parents.try_for_each(|parent| self.sync_dir(parent))
            });
        moved.map_err(|error| io_trouble(to, &error))?;
        Ok(Files {
            dir: to.to_owned(),
            ..self.clone()
        })
    }
}

/// The next rows of the journal, or `None` at its end.
fn next_rows(export: &mut Export) -> Result<Option<Vec<EventRow>>, JournalTrouble> {
    let (rows, error) = export.read_more();
    match error {
        Some(trouble) => Err(trouble),
        None => Ok(Some(rows).filter(|rows| !rows.is_empty())),
    }
}

/// The number of these rows, which follow `last`, that the log contains. Returns `None` if it
/// contains another row in the place of one of them.
fn common_rows(
    rows: &[EventRow],
    last: ChainLink,
    log: &mut dyn Log,
) -> Result<Option<usize>, JournalTrouble> {
    let found = log.after(last.n, rows.len() as i64)?;
    let is_same = found.len() <= rows.len()
        && found
            .iter()
            .zip(rows)
            .all(|(found, row)| found.link() == row.link());
    Ok(is_same.then_some(found.len()))
}

/// Appends the rows that the log lacks.
fn append_rows(rows: &[EventRow], last: ChainLink, log: &mut dyn Log) -> Result<(), NotImported> {
    for _ in 0..MAX_TRIES {
        let common = common_rows(rows, last, log)?.ok_or(NotImported::Occupied)?;
        let (before, missing) = rows.split_at(common);
        if missing.is_empty() {
            return Ok(());
        }
        let before = before.last().map_or(last, EventRow::link);
        match log.append(missing, &before.sum) {
            Ok(()) => return Ok(()),
            // Another machine appended, or rows of an interrupted import arrived late.
            Err(NotAppended::Outrun) => {}
            Err(error) => return Err(error.into_trouble().into()),
        }
    }
    Err(NotImported::Occupied)
}
