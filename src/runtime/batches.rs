//! Batches of links for the app and the commands: reads and checks a file, stores a batch, sends
//! its lines and writes its result file.

use std::fs::{self, OpenOptions};
use std::future::Future;
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use super::batch_sender::{BatchSender, Ending, SentLine};
use super::clocks::MachineClocks;
use super::history::{HistoryWorker, in_history};
use super::team::TeamPresence;
use crate::batch::{BatchCheck, Pace, REPEAT_WINDOW, ResultWords, ResultWriter, Skip};
use crate::config::read_at_most;
use crate::csv_files::{FileFault, LinkFile, MAX_FILE_BYTES, TextFault};
use crate::journal::history::{History, TakenLine};
use crate::journal::{LockGuard, batch_process, lock_batch};
use crate::trade::amount::Unit;
use crate::trade::{
    Account, Batch, BatchCounts, BatchSource, CreatedLink, Failure, JournalTrouble, Wall,
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

/// The absolute path of a file of links, without symbolic links in its directory. It is the same
/// in each window, so that an unfinished batch of the file is found.
pub fn absolute_path(path: &Path) -> io::Result<PathBuf> {
    let path = std::path::absolute(path)?;
    let (Some(dir), Some(name)) = (path.parent(), path.file_name()) else {
        return Ok(path);
    };
    let dir = fs::canonicalize(dir).unwrap_or_else(|_| dir.to_owned());
    Ok(dir.join(name))
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
    /// The connection that sending needs, if the seller is in a team.
    pub team: Option<TeamPresence>,
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
        let _lock = self.lock().await?;
        let words = self.words;
        let sender = BatchSender {
            history: self.history.clone(),
            batch: self.batch.id,
            pace: Pace::new(self.per_second),
            now: || MachineClocks::new().now().wall,
            describe: Box::new(move |failure| batch::failure_reason(words, failure)),
            team: self.team.clone(),
        };
        // If the result file cannot be written, the request in flight is still finished.
        let (is_writable, cannot_write) = oneshot::channel::<()>();
        let stop = async {
            tokio::select! {
                () = stop => {}
                _ = cannot_write => {}
            }
        };
        let (is_sending, has_ended) = oneshot::channel::<()>();
        let sending = async {
            let ending = sender.send(create, stop, report).await;
            drop(is_sending);
            ending
        };
        let writing = async {
            let written = self.write_results(has_ended).await;
            drop(is_writable);
            written
        };
        let (ending, written) = tokio::join!(sending, writing);
        let ending = ending?;
        written.map(|()| ending)
    }

    /// Skips the waiting lines for this reason, and writes the result file for the last time.
    pub async fn end(&self, reason: String) -> Result<(), RunFault> {
        let _lock = self.lock().await?;
        let id = self.batch.id;
        let end = move |history: &mut History| {
            history.end_lost_lines(id)?;
            history.end_batch(id, &reason)
        };
        in_history(&self.history, end).await?;
        self.write_result().await
    }

    /// Takes the lock of the batch, so that no other process sends or ends it.
    async fn lock(&self) -> Result<LockGuard, RunFault> {
        let dir = self.dir.clone();
        let id = self.batch.id;
        let lock = spawn_blocking(move || {
            let lock = lock_batch(&dir, id, std::process::id())?;
            lock.ok_or_else(|| RunFault::Busy(batch_process(&dir, id)))
        });
        lock.await
            .unwrap_or_else(|error| Err(RunFault::Result(error.into())))
    }

    /// Writes the result file from time to time, and for the last time once sending has ended. No
    /// write is given up, because an earlier one could then replace a later one.
    async fn write_results(&self, mut has_ended: oneshot::Receiver<()>) -> Result<(), RunFault> {
        loop {
            let ended = timeout(REWRITE_INTERVAL, &mut has_ended).await;
            self.write_result().await?;
            if ended.is_ok() {
                return Ok(());
            }
        }
    }

    /// Replaces the result file by a new one, so that it is whole at any time.
    async fn write_result(&self) -> Result<(), RunFault> {
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
            let id = self.batch.id;
            let page = in_history(&self.history, move |history| {
                history.batch_lines(id, last, RESULT_PAGE)
            });
            let lines = page.await?;
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
}

/// Replaces a file of this batch. A symbolic link in its place is replaced too, and not the file
/// that it names, because the batch did not write that one.
fn replace_file(path: &Path, text: &[u8]) -> io::Result<()> {
    let dir = path.parent().unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(dir)?;
    io::Write::write_all(&mut file, text)?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;
    use crate::trade::{BatchLine, LineState, LinkRequest, Money, Origin};

    /// A stored batch of two lines. The first one was lost in flight, and the other one waits.
    fn interrupted(dir: &Path) -> BatchRun {
        let account = Account {
            origin: Origin("https://pay.example".into()),
            identity: "ana".into(),
        };
        let line = |number: u64| BatchLine {
            number,
            cells: vec!["49,90".into()],
            request: Some(LinkRequest {
                account: account.clone(),
                amount: Money::from_centavos(4_990),
                description: format!("Boné {number}"),
                domain: None,
            }),
            note: None,
            state: LineState::Waiting,
            reason: String::new(),
            row: None,
            url: None,
        };
        let source = BatchSource {
            file: "/srv/precos.csv".into(),
            result: dir.join("resultado.csv").display().to_string(),
            header: vec!["valor".into()],
            delimiter: b';',
        };
        let mut history = History::open(dir, Wall(0)).unwrap().0;
        let lines = [line(2), line(3)];
        let batch = history.begin_batch(&account, &source, &lines, Wall(0));
        let batch = batch.unwrap();
        history.take_line(batch.id, Wall(1)).unwrap().unwrap();
        BatchRun {
            history: HistoryWorker::with_owned("history", 8, move || Ok(history)),
            dir: dir.to_owned(),
            batch,
            per_second: 5,
            words: Catalogue::of(crate::words::Lang::Pt),
            team: None,
        }
    }

    async fn counts(run: &BatchRun) -> BatchCounts {
        let id = run.batch.id;
        let counts = in_history(&run.history, move |history| history.batch_counts(id));
        counts.await.unwrap()
    }

    #[tokio::test]
    async fn ended_batch_has_no_line_in_flight() {
        let dir = tempfile::tempdir().unwrap();
        let run = interrupted(dir.path());
        run.end("encerrado".into()).await.unwrap();
        let counts = counts(&run).await;
        assert_eq!((counts.unknown, counts.skipped, counts.open()), (1, 1, 0));
        let text = fs::read_to_string(dir.path().join("resultado.csv")).unwrap();
        assert!(text.contains("encerrado"), "{text}");
    }

    #[tokio::test]
    async fn batch_that_another_process_sends_is_not_ended() {
        let dir = tempfile::tempdir().unwrap();
        let run = interrupted(dir.path());
        let lock = lock_batch(dir.path(), run.batch.id, 77).unwrap();
        assert!(lock.is_some());
        let ended = run.end("encerrado".into()).await;
        assert!(matches!(ended, Err(RunFault::Busy(Some(77)))), "{ended:?}");
        assert_eq!(counts(&run).await.waiting, 1);
    }

    #[test]
    fn file_has_one_path_through_links_and_parents() {
        let dir = tempfile::tempdir().unwrap();
        let real = fs::canonicalize(dir.path()).unwrap();
        fs::create_dir(real.join("lista")).unwrap();
        symlink(real.join("lista"), real.join("atalho")).unwrap();
        let expected = real.join("lista/precos.csv");
        for path in [
            "lista/precos.csv",
            "atalho/precos.csv",
            "atalho/../lista/precos.csv",
        ] {
            assert_eq!(absolute_path(&real.join(path)).unwrap(), expected, "{path}");
        }
    }
}
