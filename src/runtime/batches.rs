//! Batches of links for the app and the commands: reads and checks a file, stores a batch, sends
//! its lines and writes its result file.

use std::fs::{self, OpenOptions};
use std::future::Future;
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::task::spawn_blocking;

use super::batch_sender::{BatchSender, Ending, SentLine};
use super::clocks::MachineClocks;
use super::history::HistoryWorker;
use crate::batch::{BatchCheck, Pace, REPEAT_WINDOW, ResultWords, ResultWriter, Skip};
use crate::config::read_at_most;
use crate::csv_files::{FileFault, LinkFile, MAX_FILE_BYTES, TextFault};
use crate::journal::history::{History, TakenLine};
use crate::journal::{batch_process, lock_batch};
use crate::trade::amount::Unit;
use crate::trade::{
    Account, Batch, BatchCounts, BatchId, BatchLine, BatchSource, CreatedLink, Failure,
    JournalTrouble, Wall,
};
use crate::words::{Catalogue, batch};

/// The time after which the result file is written again.
const REWRITE_INTERVAL: Duration = Duration::from_secs(5);

/// The number of lines that are read from the history at once, for the result file. Other queries
/// run between two of these.
const RESULT_PAGE: usize = 500;

/// The reason why a file could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadFault {
    /// The system's error.
    #[error(transparent)]
    System(#[from] io::Error),
    /// The file is no list of links.
    #[error(transparent)]
    File(#[from] FileFault),
}

/// Reads a file of links. `unit` is the seller's answer for a column of whole numbers.
pub fn read_file(path: &Path, unit: Option<Unit>) -> Result<LinkFile, ReadFault> {
    let bytes = usize::try_from(fs::metadata(path)?.len()).unwrap_or(usize::MAX);
    if bytes > MAX_FILE_BYTES {
        return Err(FileFault::from(TextFault::TooLarge { bytes }).into());
    }
    let bytes = read_at_most(path, MAX_FILE_BYTES as u64 + 1)?;
    Ok(LinkFile::read(&bytes, unit)?)
}

/// Compares the links of a file with each other and with the account's earlier links.
pub fn check(
    history: Option<&History>,
    file: LinkFile,
    account: &Account,
    now: Wall,
) -> Result<BatchCheck, JournalTrouble> {
    let amounts = file.links().filter_map(|(_, link)| link.amount.centavos());
    let amounts: Vec<_> = amounts.collect();
    let window_ms = i64::try_from(REPEAT_WINDOW.as_millis()).unwrap_or(i64::MAX);
    let since = Wall(now.0.saturating_sub(window_ms));
    let recent = history.map_or(Ok(vec![]), |history| {
        history.links_with_amounts(account, since, &amounts)
    })?;
    Ok(BatchCheck::of(file, account, &recent))
}

/// The newest batch of a file, if some of its lines are waiting or in flight.
pub fn unfinished(
    history: &History,
    account: &Account,
    file: &Path,
) -> Result<Option<(Batch, BatchCounts)>, JournalTrouble> {
    let Some(batch) = history.newest_batch(account, &file.display().to_string())? else {
        return Ok(None);
    };
    let counts = history.batch_counts(batch.id)?;
    Ok((!counts.is_finished()).then_some((batch, counts)))
}

/// The path of the result file beside the file of the links, such as `precos-resultado.csv`.
pub fn result_path(file: &Path) -> PathBuf {
    numbered_result_path(file, 1)
}

/// Like [`result_path`], but with a number if the file exists, such as `precos-resultado-2.csv`.
pub fn free_result_path(file: &Path) -> PathBuf {
    let mut paths = (1..).map(|number| numbered_result_path(file, number));
    let free = paths.find(|path| path.symlink_metadata().is_err());
    free.unwrap_or_else(|| result_path(file))
}

fn numbered_result_path(file: &Path, number: u32) -> PathBuf {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let number = match number {
        1 => String::new(),
        number => format!("-{number}"),
    };
    file.with_file_name(format!("{stem}-resultado{number}.csv"))
}

/// A batch to store.
pub struct NewBatch<'p> {
    pub account: &'p Account,
    /// The absolute path of the file.
    pub file: &'p Path,
    /// The absolute path of the result file, which must not exist.
    pub result: &'p Path,
    /// True if links that exist already are created again.
    pub sends_existing: bool,
}

/// The reason why a batch could not be stored.
#[derive(Debug, thiserror::Error)]
pub enum BeginFault {
    /// The result file exists.
    #[error("the result file exists")]
    ResultExists,
    /// The result file could not be created.
    #[error(transparent)]
    Result(io::Error),
    /// The history could not be written.
    #[error(transparent)]
    History(#[from] JournalTrouble),
}

impl NewBatch<'_> {
    /// Creates the result file, so that no other batch writes the same one, and stores the batch.
    /// `describe` returns the reason of a skipped line, as text for the result file.
    pub fn begin(
        &self,
        history: &mut History,
        check: BatchCheck,
        describe: impl Fn(Skip) -> String,
        now: Wall,
    ) -> Result<Batch, BeginFault> {
        let source = BatchSource {
            file: self.file.display().to_string(),
            result: self.result.display().to_string(),
            header: check.header.clone(),
            delimiter: check.delimiter,
        };
        let created = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(self.result);
        match created {
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                return Err(BeginFault::ResultExists);
            }
            Err(error) => return Err(BeginFault::Result(error)),
        }
        let lines = check.into_lines(self.sends_existing, describe);
        let begun = history.begin_batch(self.account, &source, &lines, now);
        if begun.is_err() {
            // Ignore an error: the empty file contains nothing.
            _ = fs::remove_file(self.result);
        }
        Ok(begun?)
    }
}

/// The sending of a batch.
pub struct BatchRun {
    pub history: HistoryWorker,
    /// The directory of the history.
    pub dir: PathBuf,
    pub batch: Batch,
    /// The maximum number of requests per second.
    pub per_second: u32,
    /// The language of the result file.
    pub words: &'static Catalogue,
}

/// The reason why a batch is not sent to its end, apart from an [`Ending`].
#[derive(Debug, thiserror::Error)]
pub enum RunFault {
    /// The process with this id sends the batch.
    #[error("another process sends the batch")]
    Busy(Option<u32>),
    /// The history could not be read or written.
    #[error(transparent)]
    History(#[from] JournalTrouble),
    /// The result file could not be written.
    #[error(transparent)]
    Result(io::Error),
}

impl BatchRun {
    /// Sends the waiting lines of the batch until none is left, the batch pauses, or `stop`
    /// completes. Writes the result file meanwhile and at the end. `create` sends the request of a
    /// line, and `report` is called after each line.
    pub async fn send<F: Future<Output = Result<CreatedLink, Failure>>>(
        &self,
        create: impl Fn(TakenLine) -> F,
        stop: impl Future<Output = ()>,
        report: impl FnMut(SentLine),
    ) -> Result<Ending, RunFault> {
        let id = self.batch.id;
        let lock_dir = self.dir.clone();
        let process = std::process::id();
        let lock = spawn_blocking(move || lock_batch(&lock_dir, id, process)).await;
        let lock = lock.map_err(|error| RunFault::Result(error.into()))??;
        let Some(_lock) = lock else {
            return Err(RunFault::Busy(batch_process(&self.dir, id)));
        };
        let words = self.words;
        let sender = BatchSender {
            history: self.history.clone(),
            batch: id,
            pace: Pace::new(self.per_second),
            now: || MachineClocks::new().now().wall,
            describe: Box::new(move |failure| batch::failure_reason(words, failure)),
        };
        // If the result file cannot be written, the request in flight is still finished.
        let (is_writable, cannot_write) = oneshot::channel::<()>();
        let stop = async {
            tokio::select! {
                () = stop => {}
                _ = cannot_write => {}
            }
        };
        let mut sending = pin!(sender.send(create, stop, report));
        let mut rewriting = pin!(self.rewrite_result());
        let ending = tokio::select! {
            ending = &mut sending => ending?,
            fault = &mut rewriting => {
                drop(is_writable);
                sending.await?;
                return Err(fault);
            }
        };
        self.write_result().await?;
        Ok(ending)
    }

    /// Writes the result file again and again. Returns only after an error.
    async fn rewrite_result(&self) -> RunFault {
        loop {
            tokio::time::sleep(REWRITE_INTERVAL).await;
            if let Err(fault) = self.write_result().await {
                return fault;
            }
        }
    }

    /// Replaces the result file by a new one, so that it is whole at any time.
    pub async fn write_result(&self) -> Result<(), RunFault> {
        let words = self.words;
        let state = move |state| batch::state(words, state);
        let words = ResultWords {
            columns: batch::result_columns(words),
            state: &state,
        };
        let mut text = Vec::new();
        let writer = ResultWriter::new(&mut text, &self.batch.source, &words);
        let mut writer = writer.map_err(RunFault::Result)?;
        let mut last = 0;
        loop {
            let lines = self.lines_after(self.batch.id, last).await?;
            let Some(line) = lines.last() else { break };
            last = line.number;
            writer.write(&lines).map_err(RunFault::Result)?;
        }
        writer.finish().map_err(RunFault::Result)?;
        let path = PathBuf::from(&self.batch.source.result);
        let written = spawn_blocking(move || replace_file(&path, &text)).await;
        let written = written.unwrap_or_else(|error| Err(error.into()));
        written.map_err(RunFault::Result)
    }

    async fn lines_after(
        &self,
        id: BatchId,
        number: u64,
    ) -> Result<Vec<BatchLine>, JournalTrouble> {
        let lines = self.history.call(move |opened| match opened {
            Ok(history) => history.batch_lines(id, number, RESULT_PAGE),
            Err(trouble) => Err(trouble.clone()),
        });
        let closed = || Err(JournalTrouble::Io("the history's thread has ended".into()));
        lines.await.unwrap_or_else(closed)
    }
}

fn replace_file(path: &Path, text: &[u8]) -> io::Result<()> {
    let dir = path.parent().unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(dir)?;
    io::Write::write_all(&mut file, text)?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}
