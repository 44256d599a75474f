//! Shares the history of links and direct payments with the profile's team.

use std::mem;
use std::path::Path;

use super::connect::Progress;
use super::mirror_error;
use crate::cli::complaint::{Complaint, history_error};
use crate::cli::{block_on, path_text};
use crate::journal::history::History;
use crate::runtime::clocks::MachineClocks;
use crate::runtime::history::{HistoryWorker, closed_error};
use crate::runtime::shared_history::{Start, exchange};
use crate::team::TeamRecords;
use crate::trade::{Author, JournalTrouble};
use crate::words::Catalogue;

/// The maximum number of queued jobs of the history. There is one at a time.
const QUEUE: usize = 2;

/// Makes the history in the directory of a mirror the team's, and exchanges all changes with its
/// log. The records of an interrupted exchange stay.
pub(super) fn share_history(
    words: &Catalogue,
    dir: &Path,
    author: &Author,
    log: &TeamRecords,
) -> Result<(), Complaint> {
    let opened = History::open(dir, MachineClocks::new().now().wall);
    let shared = opened.and_then(|(mut history, _)| {
        history.share(author)?;
        Ok(history)
    });
    let history = shared.map_err(|trouble| describe(words, dir, &trouble))?;
    exchange_all(words, dir, history, log).map(drop)
}

/// Exchanges all changes with the log, and returns the history.
pub(in crate::cli) fn exchange_all(
    words: &Catalogue,
    dir: &Path,
    history: History,
    log: &TeamRecords,
) -> Result<History, Complaint> {
    let worker = HistoryWorker::with_owned("history", QUEUE, move || Ok(history));
    let mut progress = Progress::new(words);
    let exchanged = block_on(async {
        exchange(&worker, log, Start::Receive, |exchanged| {
            let n = exchanged.received + exchanged.sent;
            progress.show("team-history-progress", n.cast_signed());
        })
        .await?;
        let taken = worker.call(|opened| mem::replace(opened, Err(closed_error())));
        taken.await.unwrap_or_else(|| Err(closed_error()))
    });
    progress.end();
    exchanged?.map_err(|trouble| describe(words, dir, &trouble))
}

/// The error for trouble with the log or with the history in this directory.
fn describe(words: &Catalogue, dir: &Path, trouble: &JournalTrouble) -> Complaint {
    match trouble {
        JournalTrouble::Offline(_) | JournalTrouble::Doubt(_) | JournalTrouble::Refused(_) => {
            mirror_error(words, dir, trouble)
        }
        _ => history_error(words, &path_text(dir), trouble),
    }
}
