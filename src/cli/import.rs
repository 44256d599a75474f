//! `balcao links import`: creates the payment links that a file lists.
//!
//! The file is checked before the first request. Then the batch is stored in the history, and its
//! lines are sent one after another. A batch that was interrupted is continued with `--resume`.

use std::fs::{self, File, OpenOptions};
use std::io::{self, IsTerminal, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, ValueEnum};
use serde_json::json;

use super::complaint::{Complaint, REFUSED};
use super::json_line::{FORMAT, to_line};
use super::links::{LinkCredential, open_history, refuse_if_read_only};
use super::output::{print_line, print_note, prompt};
use super::sandbox::termination_signal;
use super::session::CommandSession;
use super::{GlobalArgs, block_on, path_text, unreadable_file};
use crate::batch::{BatchCheck, MAX_PER_SECOND, Pace, REPEAT_WINDOW, ResultWords, write_result};
use crate::csv_files::{FileFault, LinkFile, MAX_FILE_BYTES, TextFault};
use crate::journal::history::{History, TakenLine};
use crate::journal::{batch_process, lock_batch};
use crate::runtime::batch_sender::{BatchSender, Ending, SentLine};
use crate::runtime::clocks::{self, MachineClocks};
use crate::runtime::history::HistoryWorker;
use crate::service::Limits;
use crate::trade::amount::{ColumnFault, Unit};
use crate::trade::{
    Account, Batch, BatchCounts, BatchLine, BatchSource, Failure, JournalTrouble, LineState,
    PaymentLink, Untrusted, Wall,
};
use crate::words::failure::{self, Activity};
use crate::words::{Catalogue, batch, dates};

/// The exit code of a command that stopped before the end of its batch.
const INTERRUPTED: u8 = 3;

/// The exit code of a command whose file has faulty lines.
const FAULTY: u8 = 2;

/// The number of faulty or existing lines that are printed. The result file has all of them.
const MAX_LISTED: usize = 20;

/// The time after which the result file is written again.
const REWRITE_INTERVAL: Duration = Duration::from_secs(5);

#[derive(Debug, Clone, Args)]
pub struct ImportArgs {
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[arg(long)]
    dry_run: bool,
    #[arg(long, value_name = "FILE")]
    result: Option<PathBuf>,
    #[arg(long, conflicts_with_all = ["dry_run", "again", "result"])]
    resume: bool,
    #[arg(long)]
    skip_faults: bool,
    #[arg(long)]
    again: bool,
    #[arg(long, value_name = "reais|centavos")]
    unit: Option<UnitArg>,
    #[arg(long, value_name = "N", default_value_t = MAX_PER_SECOND)]
    rate: u32,
    #[arg(long)]
    json: bool,
    #[arg(long, value_name = "SUM")]
    agree: Option<String>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum UnitArg {
    Reais,
    Centavos,
}

impl From<UnitArg> for Unit {
    fn from(unit: UnitArg) -> Unit {
        match unit {
            UnitArg::Reais => Unit::Reais,
            UnitArg::Centavos => Unit::Centavos,
        }
    }
}

pub fn run(args: &GlobalArgs, import: &ImportArgs) -> Result<ExitCode, Complaint> {
    refuse_if_read_only(args)?;
    let path = std::path::absolute(&import.file).map_err(Complaint::from_error)?;
    let file = if import.resume {
        None
    } else {
        let words = args.chosen_profile()?.words()?;
        Some(read_links(words, &path, import.unit.map(Unit::from))?)
    };
    let session = CommandSession::open(args)?;
    let importer = Importer {
        words: session.words,
        dir: session.journal_dir()?,
        now: MachineClocks::new().now().wall,
        session: &session,
        import,
        path,
    };
    match file {
        None => importer.resume(),
        Some(file) if import.dry_run => importer.dry_run(&file),
        Some(file) => importer.begin(&file),
    }
}

/// True if somebody sits at the terminal and can answer.
fn can_ask() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal()
}

/// Reads the file. If the unit of its amounts is not clear, asks at a terminal.
fn read_links(words: &Catalogue, path: &Path, unit: Option<Unit>) -> Result<LinkFile, Complaint> {
    let size = fs::metadata(path)
        .map_err(|error| unreadable_file(path, error))?
        .len();
    let complain = |fault: &FileFault| Complaint::text(batch::file_fault(words, fault));
    if let Some(bytes) = usize::try_from(size)
        .ok()
        .filter(|bytes| *bytes > MAX_FILE_BYTES)
    {
        return Err(complain(&TextFault::TooLarge { bytes }.into()));
    }
    let bytes = fs::read(path).map_err(|error| unreadable_file(path, error))?;
    match LinkFile::read(&bytes, unit) {
        Ok(file) => Ok(file),
        Err(FileFault::Amounts(ColumnFault::UnitUnknown { line, readings })) if can_ask() => {
            print_line(&batch::unit_question(words, "file-unit", line, readings))?;
            let unit = match prompt(&words.text("file-unit.ask"))?.as_deref() {
                Some("r" | "R") => Unit::Reais,
                Some("c" | "C") => Unit::Centavos,
                _ => return Err(Complaint::refused(words.text("given-up"))),
            };
            LinkFile::read(&bytes, Some(unit)).map_err(|fault| complain(&fault))
        }
        Err(fault) => Err(complain(&fault)),
    }
}

struct Importer<'s> {
    session: &'s CommandSession,
    words: &'static Catalogue,
    import: &'s ImportArgs,
    /// The absolute path of the file.
    path: PathBuf,
    /// The directory of the history.
    dir: PathBuf,
    now: Wall,
}

impl Importer<'_> {
    fn history_error(&self, trouble: &JournalTrouble) -> Complaint {
        self.session.history_error(&self.dir, trouble)
    }

    fn open_history(&self) -> Result<History, Complaint> {
        open_history(&self.dir, self.now).map_err(|trouble| self.history_error(&trouble))
    }

    fn dry_run(&self, file: &LinkFile) -> Result<ExitCode, Complaint> {
        let credential = LinkCredential::find(self.session)?;
        let history = History::open_if_any(&self.dir, self.now);
        let history = history.map_err(|trouble| self.history_error(&trouble))?;
        let account = match &credential {
            Some(credential) => credential.account.clone(),
            None => {
                print_note(&self.words.text("batch-not-compared"));
                Account {
                    origin: self.session.base.origin().clone(),
                    identity: "".into(),
                }
            }
        };
        let check = self.check(file, &account, history.as_ref())?;
        self.print_check(&check)?;
        Ok(if check.faults().next().is_some() {
            ExitCode::from(FAULTY)
        } else {
            ExitCode::SUCCESS
        })
    }

    /// Checks the file, asks, stores a new batch and sends it.
    fn begin(&self, file: &LinkFile) -> Result<ExitCode, Complaint> {
        let credential = LinkCredential::read(self.session)?;
        let account = &credential.account;
        let mut history = self.open_history()?;
        if let Some(earlier) = self.unfinished_batch(&history, account)? {
            let waiting = self.counts(&history, &earlier)?.waiting;
            let when = self.moment(earlier.at);
            let text = self
                .words
                .count("batch-unfinished", waiting, &[("when", &when)]);
            return Err(Complaint::text(text));
        }
        let check = self.check(file, account, Some(&history))?;
        self.print_check(&check)?;
        if check.faults().next().is_some() && !self.import.skip_faults {
            print_note(&self.words.text("batch-fix"));
            return Ok(ExitCode::from(FAULTY));
        }
        if check.to_create().next().is_none() {
            return Ok(ExitCode::SUCCESS);
        }
        let result = self.result_path();
        if result.symlink_metadata().is_ok() {
            return Err(self.result_exists(&result));
        }
        if can_ask() && !self.confirm(account)? {
            return Err(Complaint::refused(self.words.text("given-up")));
        }
        let source = BatchSource {
            file: self.path.display().to_string(),
            result: result.display().to_string(),
            header: file.header.clone(),
            delimiter: file.delimiter,
        };
        self.create_result(&result)?;
        let lines = self.batch_lines(&check);
        let batch = history
            .begin_batch(account, &source, &lines, self.now)
            .map_err(|trouble| self.history_error(&trouble))?;
        self.send(&credential, history, &batch)
    }

    /// Continues the batch of the file that was begun last.
    fn resume(&self) -> Result<ExitCode, Complaint> {
        let credential = LinkCredential::read(self.session)?;
        let history = self.open_history()?;
        match self.unfinished_batch(&history, &credential.account)? {
            Some(batch) => self.send(&credential, history, &batch),
            None => Err(Complaint::about("batch-no-unfinished", [])),
        }
    }

    /// The newest batch of the file, if some of its lines are waiting or in flight.
    fn unfinished_batch(
        &self,
        history: &History,
        account: &Account,
    ) -> Result<Option<Batch>, Complaint> {
        let newest = history.newest_batch(account, &self.path.display().to_string());
        let Some(batch) = newest.map_err(|trouble| self.history_error(&trouble))? else {
            return Ok(None);
        };
        let is_finished = self.counts(history, &batch)?.is_finished();
        Ok((!is_finished).then_some(batch))
    }

    fn counts(&self, history: &History, batch: &Batch) -> Result<BatchCounts, Complaint> {
        let counts = history.batch_counts(batch.id);
        counts.map_err(|trouble| self.history_error(&trouble))
    }

    fn check(
        &self,
        file: &LinkFile,
        account: &Account,
        history: Option<&History>,
    ) -> Result<BatchCheck, Complaint> {
        let amounts = file.links().filter_map(|(_, link)| link.amount.centavos());
        let amounts: Vec<_> = amounts.collect();
        let window_ms = i64::try_from(REPEAT_WINDOW.as_millis()).unwrap_or(i64::MAX);
        let since = Wall(self.now.0.saturating_sub(window_ms));
        let recent = history.map_or(Ok(vec![]), |history| {
            history.links_with_amounts(account, since, &amounts)
        });
        let recent: Vec<PaymentLink> = recent.map_err(|trouble| self.history_error(&trouble))?;
        Ok(BatchCheck::of(file, account, &recent, self.import.again))
    }

    /// Prints the figures of the file, and the lines that are not sent. With `--json`, standard
    /// output is for the links, so they are printed as notes.
    fn print_check(&self, check: &BatchCheck) -> Result<(), Complaint> {
        let words = self.words;
        let file = path_text(&self.import.file).shown();
        let lines = check.lines.len() as u64;
        let mut rows = vec![words.count("batch-file", lines, &[("file", &file)])];
        let count = check.to_create().count() as u64;
        rows.push(match check.sum().zip(check.range()) {
            None => words.text("batch-none"),
            Some((sum, [least, most])) => {
                let [sum, least, most] = [sum, least, most].map(|amount| amount.to_string());
                let values = [("sum", &*sum), ("least", &least), ("most", &most)];
                words.count("batch-will", count, &values)
            }
        });
        let faults: Vec<_> = check.faults().map(|(number, _)| number).collect();
        let existing: Vec<_> = check.existing().map(|(number, _)| number).collect();
        for (id, numbers) in [("batch-faults", faults), ("batch-existing", existing)] {
            if !numbers.is_empty() {
                rows.push(words.count(id, numbers.len() as u64, &[]));
                rows.extend(self.listed_lines(check, &numbers));
            }
        }
        let text = rows.join("\n");
        if self.import.json {
            print_note(&text);
            return Ok(());
        }
        print_line(&text)
    }

    /// The first of these lines, each with the reason why it is not sent.
    fn listed_lines(&self, check: &BatchCheck, numbers: &[u64]) -> Vec<String> {
        let words = self.words;
        let lines = check
            .lines
            .iter()
            .filter(|line| numbers.contains(&line.number));
        let mut rows: Vec<String> = lines
            .take(MAX_LISTED)
            .filter_map(|line| {
                let text = batch::skip(words, line.skip?, self.local_now());
                let number = line.number.to_string();
                let values = [("line", &*number), ("text", &text)];
                Some(format!("  {}", words.with("line-number", &values)))
            })
            .collect();
        if let Some(more) = numbers
            .len()
            .checked_sub(MAX_LISTED)
            .filter(|more| *more > 0)
        {
            rows.push(format!("  {}", words.count("batch-more", more as u64, &[])));
        }
        rows
    }

    fn local_now(&self) -> (Wall, i32) {
        (self.now, clocks::utc_offset_s(self.now))
    }

    fn moment(&self, at: Wall) -> String {
        dates::moment(self.words, self.local_now(), at)
    }

    fn confirm(&self, account: &Account) -> Result<bool, Complaint> {
        let words = self.words;
        let identity = crate::words::personal::name(words, &account.identity).shown();
        let origin = Untrusted::shown_of(&account.origin.0);
        let values = [("identity", &*identity), ("origin", &origin)];
        print_line(&words.with("batch-account", &values))?;
        let word = words.text("purge-yes");
        let answer = prompt(&words.with("batch-ask", &[("word", &word)]))?;
        Ok(answer.is_some_and(|answer| answer == word))
    }

    /// The lines of the new batch.
    fn batch_lines(&self, check: &BatchCheck) -> Vec<BatchLine> {
        let lines = check.lines.iter().map(|line| BatchLine {
            number: line.number,
            cells: line.cells.clone(),
            request: line.request.clone(),
            state: if line.skip.is_some() {
                LineState::Skipped
            } else {
                LineState::Waiting
            },
            reason: line.skip.map_or_else(String::new, |skip| {
                batch::skip(self.words, skip, self.local_now())
            }),
            row: None,
            url: None,
        });
        lines.collect()
    }

    /// The path of the result file, such as `precos-resultado.csv`.
    fn result_path(&self) -> PathBuf {
        if let Some(path) = &self.import.result {
            return std::path::absolute(path).unwrap_or_else(|_| path.clone());
        }
        let stem = self.path.file_stem().unwrap_or_default().to_string_lossy();
        self.path.with_file_name(format!("{stem}-resultado.csv"))
    }

    fn result_exists(&self, result: &Path) -> Complaint {
        let file = path_text(result).shown();
        Complaint::text(self.words.with("batch-result-there", &[("file", &file)]))
    }

    /// Creates the result file, so that no other batch writes the same one.
    fn create_result(&self, result: &Path) -> Result<(), Complaint> {
        let created = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(result);
        match created {
            Ok(_) => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                Err(self.result_exists(result))
            }
            Err(error) => Err(unreadable_file(result, error)),
        }
    }

    /// Sends the waiting lines of a batch, and writes its result file.
    fn send(
        &self,
        credential: &LinkCredential,
        history: History,
        batch: &Batch,
    ) -> Result<ExitCode, Complaint> {
        let complain = |trouble| self.history_error(&trouble);
        let Some(_lock) = lock_batch(&self.dir, batch.id, std::process::id()).map_err(complain)?
        else {
            let process = batch_process(&self.dir, batch.id).map_or_else(
                || self.words.text("batch-busy.unknown"),
                |process| process.to_string(),
            );
            let text = self.words.with("batch-busy", &[("process", &process)]);
            return Err(Complaint::refused(text));
        };
        let service = block_on(self.session.service(Limits::default(), self.agree()))??;
        let before = self.counts(&history, batch)?;
        let worker = HistoryWorker::with_owned("history", 8, move || Ok(history));
        let words = self.words;
        let sender = BatchSender {
            history: worker.clone(),
            batch: batch.id,
            pace: Pace::new(self.import.rate),
            now: || MachineClocks::new().now().wall,
            describe: Box::new(move |failure| failure_reason(words, failure)),
        };
        let mut progress = Progress::new(words, before, self.import.json);
        let ending = block_on(async {
            let create =
                async |line: &TakenLine| credential.create(&service, line.row, &line.request).await;
            let stop = termination_signal();
            let sending = sender.send(create, stop, |line| progress.add(&line));
            tokio::select! {
                ending = sending => ending.map_err(complain),
                error = self.rewrite_result(&worker, batch) => Err(error),
            }
        })??;
        progress.clear();
        if let Some(thread) = worker.close_queue() {
            thread.wait();
        }
        let history = self.open_history()?;
        let lines = history.batch_lines(batch.id).map_err(complain)?;
        self.write_result(batch, &lines)?;
        let counts = self.counts(&history, batch)?;
        self.print_ending(batch, ending, counts)
    }

    /// Writes the result file again and again while the batch is sent. Returns only after an error.
    async fn rewrite_result(&self, worker: &HistoryWorker, batch: &Batch) -> Complaint {
        let id = batch.id;
        loop {
            tokio::time::sleep(REWRITE_INTERVAL).await;
            let lines = worker.call(move |opened| opened.as_ref().ok()?.batch_lines(id).ok());
            // The sender reports an error of the history.
            if let Some(lines) = lines.await.flatten()
                && let Err(error) = self.write_result(batch, &lines)
            {
                return error;
            }
        }
    }

    fn agree(&self) -> Option<&str> {
        self.import.agree.as_deref()
    }

    /// Replaces the result file by a new one, so that it is whole at any time.
    fn write_result(&self, batch: &Batch, lines: &[BatchLine]) -> Result<(), Complaint> {
        let path = Path::new(&batch.source.result);
        let words = ResultWords {
            columns: batch::result_columns(self.words),
            state: &|state| batch::state(self.words, state),
        };
        let dir = path.parent().unwrap_or(Path::new("."));
        let written = tempfile::NamedTempFile::new_in(dir).and_then(|file| {
            write_result(io::BufWriter::new(&file), batch, lines, &words)?;
            file.as_file().sync_all()?;
            Ok(file.persist(path)?)
        });
        written
            .map(drop::<File>)
            .map_err(|error| unreadable_file(path, error))
    }

    fn print_ending(
        &self,
        batch: &Batch,
        ending: Ending,
        counts: BatchCounts,
    ) -> Result<ExitCode, Complaint> {
        let words = self.words;
        let file = Untrusted::shown_of(&batch.source.result);
        let mut rows = vec![words.count("batch-done", counts.made, &[("file", &file)])];
        for (id, count) in [
            ("batch-failed", counts.refused),
            ("batch-unsure", counts.unknown),
        ] {
            if count > 0 {
                rows.push(words.count(id, count, &[]));
            }
        }
        let why = match ending {
            Ending::Finished => None,
            Ending::Stopped => Some(words.text("batch-paused.stopped")),
            Ending::Paused(reason) => Some(batch::pause_reason(words, reason)),
        };
        if let Some(why) = &why {
            rows.push(words.count("batch-paused", counts.waiting, &[("why", why)]));
            let file = path_text(&self.import.file).shown();
            let command = format!("balcao links import {file} --resume");
            rows.push(words.with("batch-resume", &[("command", &command)]));
        }
        let text = rows.join("\n");
        if self.import.json {
            print_note(&text);
        } else {
            print_line(&text)?;
        }
        Ok(match ending {
            Ending::Finished if counts.refused + counts.unknown == 0 => ExitCode::SUCCESS,
            Ending::Finished => ExitCode::from(REFUSED),
            Ending::Stopped | Ending::Paused(_) => ExitCode::from(INTERRUPTED),
        })
    }
}

/// The reason of a failed line, for the result file: the service's own words if there are any.
fn failure_reason(words: &Catalogue, failed: &Failure) -> String {
    let text = failure::describe(words, failed, Activity::Link);
    let quotes = text.quotes.iter().map(|(_, quote)| quote.shown_within(200));
    [text.what]
        .into_iter()
        .chain(quotes)
        .collect::<Vec<_>>()
        .join(" ")
}

/// The progress of a batch: a line on a terminal's standard error, or a JSON object for each line.
struct Progress {
    words: &'static Catalogue,
    counts: BatchCounts,
    all: u64,
    sent: u64,
    /// The time of the boot clock at which sending began.
    began_ms: u64,
    is_terminal: bool,
    json: bool,
}

impl Progress {
    fn new(words: &'static Catalogue, counts: BatchCounts, json: bool) -> Progress {
        Progress {
            words,
            all: counts.to_create(),
            counts,
            sent: 0,
            began_ms: MachineClocks::new().now().boot_ms,
            is_terminal: io::stderr().is_terminal(),
            json,
        }
    }

    fn add(&mut self, line: &SentLine) {
        self.counts.add(line.state, 1);
        self.sent += 1;
        if self.json {
            let row = json!({
                "format": FORMAT,
                "line": line.number,
                "state": line.state.name(),
                "url": line.url.as_ref().map(Untrusted::raw),
                "reason": line.reason,
            });
            // Ignore errors: the batch goes on even if its output was closed.
            let _ = writeln!(io::stdout(), "{}", to_line(&row));
        }
        if self.is_terminal {
            let _ = write!(io::stderr(), "\r\x1b[2K{}", self.text());
        }
    }

    /// The text such as `120 of 5000 · 4,9/s · 16 min left`.
    fn text(&self) -> String {
        let failed = self.counts.refused + self.counts.unknown;
        let done = self.counts.made + failed;
        let elapsed_ms = MachineClocks::new().now().boot_ms - self.began_ms;
        let seconds = (elapsed_ms / 1_000).max(1);
        let left = self.all.saturating_sub(done).saturating_mul(seconds) / self.sent.max(1);
        let values = [
            ("done", &*done.to_string()),
            ("all", &self.all.to_string()),
            ("rate", &(self.sent / seconds).to_string()),
            ("left", &dates::spelled(Duration::from_secs(left))),
        ];
        let text = self.words.with("batch-progress", &values);
        if failed == 0 {
            return text;
        }
        let values = [("text", &*text), ("failed", &failed.to_string())];
        self.words.with("batch-progress.failed", &values)
    }

    fn clear(&self) {
        if self.is_terminal && self.sent > 0 {
            let _ = write!(io::stderr(), "\r\x1b[2K");
        }
    }
}
