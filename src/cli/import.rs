//! `balcao links import`: creates the payment links that a file lists.
//!
//! The file is checked before the first request. Then the batch is stored in the history, and its
//! lines are sent one after another. A batch that was interrupted is continued with `--resume`.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use clap::{Args, ValueEnum};
use serde_json::json;

use super::complaint::{Complaint, REFUSED};
use super::links::{LinkCredential, open_history, refuse_if_read_only};
use super::output::{print_line, print_note, prompt};
use super::sandbox::termination_signal;
use super::session::CommandSession;
use super::{GlobalArgs, block_on, path_text, unreadable_file};
use crate::batch::{
    BatchCheck, BatchProgress, CheckReport, Excerpt, Figures, MAX_PER_SECOND, Skip,
};
use crate::csv_files::{FileFault, LinkFile};
use crate::journal::history::{History, TakenLine};
use crate::rows::json_line::{FORMAT, to_line};
use crate::runtime::batch_sender::{Ending, SentLine};
use crate::runtime::batches::{self, BatchRun, BeginFault, NewBatch, ReadFault, RunFault};
use crate::runtime::clocks::{self, MachineClocks};
use crate::runtime::history::HistoryWorker;
use crate::runtime::shared_history::{Start, exchange};
use crate::runtime::team::{TeamMirror, TeamPresence};
use crate::service::{Limits, Service};
use crate::trade::amount::{ColumnFault, Unit};
use crate::trade::{Account, Batch, BatchCounts, JournalTrouble, Untrusted, Wall};
use crate::words::{Catalogue, batch, dates};

/// The exit code of a command that stopped before the end of its batch.
const INTERRUPTED: u8 = 3;

/// The exit code of a command whose file has faulty lines.
const FAULTY: u8 = 2;

/// The number of faulty or existing lines that are printed. The result file has all of them.
const MAX_LISTED: usize = 20;

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
    let path = batches::absolute_path(&import.file).map_err(Complaint::from_error)?;
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
        Some(file) if import.dry_run => importer.dry_run(file),
        Some(file) => importer.begin(file),
    }
}

/// True if somebody sits at the terminal and can answer.
fn can_ask() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal()
}

/// Reads the file. If the unit of its amounts is not clear, asks at a terminal.
fn read_links(words: &Catalogue, path: &Path, unit: Option<Unit>) -> Result<LinkFile, Complaint> {
    let complain = |fault| match fault {
        ReadFault::System(error) => unreadable_file(path, error),
        ReadFault::File(fault) => Complaint::text(batch::file_fault(words, &fault)),
    };
    match batches::read_file(path, unit) {
        Err(ReadFault::File(FileFault::Amounts(ColumnFault::UnitUnknown { line, readings })))
            if can_ask() =>
        {
            print_line(&batch::unit_question(words, "file-unit", line, readings))?;
            let unit = match prompt(&words.text("file-unit.ask"))?.as_deref() {
                Some("r" | "R") => Unit::Reais,
                Some("c" | "C") => Unit::Centavos,
                _ => return Err(Complaint::refused(words.text("given-up"))),
            };
            batches::read_file(path, Some(unit)).map_err(complain)
        }
        read => read.map_err(complain),
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

    fn dry_run(&self, file: LinkFile) -> Result<ExitCode, Complaint> {
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
        let report = self.check(file, &account, history.as_ref())?.report();
        self.print_check(&report)?;
        Ok(if report.faults.total > 0 {
            ExitCode::from(FAULTY)
        } else {
            ExitCode::SUCCESS
        })
    }

    /// Checks the file, asks, stores a new batch and sends it.
    fn begin(&self, file: LinkFile) -> Result<ExitCode, Complaint> {
        let credential = LinkCredential::read(self.session)?;
        let account = &credential.account;
        let mut history = self.open_history()?;
        if let Some((earlier, counts)) = self.unfinished_batch(&history, account)? {
            let when = dates::moment(self.words, self.local_now(), earlier.at);
            let values = [("when", &*when)];
            let text = self
                .words
                .count("batch-unfinished", counts.waiting, &values);
            return Err(Complaint::text(text));
        }
        let check = self.check(file, account, Some(&history))?;
        let report = check.report();
        self.print_check(&report)?;
        if report.faults.total > 0 && !self.import.skip_faults {
            print_note(&self.words.text("batch-fix"));
            return Ok(ExitCode::from(FAULTY));
        }
        if self.figures(&report).count == 0 {
            return Ok(ExitCode::SUCCESS);
        }
        let result = match &self.import.result {
            Some(path) => std::path::absolute(path).unwrap_or_else(|_| path.clone()),
            None => batches::result_path(&self.path),
        };
        if result.symlink_metadata().is_ok() {
            return Err(self.result_exists(&result));
        }
        let service = self.service()?;
        if can_ask() && !self.confirm(account)? {
            return Err(Complaint::refused(self.words.text("given-up")));
        }
        let new = NewBatch {
            account,
            file: &self.path,
            result: &result,
            sends_existing: self.import.again,
        };
        let describe = |skip| batch::skip(self.words, skip, self.local_now());
        let batch = new.begin(&mut history, check, describe, self.now);
        let batch = batch.map_err(|fault| match fault {
            BeginFault::ResultExists => self.result_exists(&result),
            BeginFault::Result(error) => unreadable_file(&result, error),
            BeginFault::History(trouble) => self.history_error(&trouble),
        })?;
        self.send(&credential, &service, history, batch)
    }

    /// Continues the batch of the file that was begun last.
    fn resume(&self) -> Result<ExitCode, Complaint> {
        let credential = LinkCredential::read(self.session)?;
        let history = self.open_history()?;
        match self.unfinished_batch(&history, &credential.account)? {
            Some((batch, _)) => self.send(&credential, &self.service()?, history, batch),
            None => Err(Complaint::about("batch-no-unfinished", [])),
        }
    }

    fn unfinished_batch(
        &self,
        history: &History,
        account: &Account,
    ) -> Result<Option<(Batch, BatchCounts)>, Complaint> {
        let unfinished = batches::unfinished(history, account, &self.path);
        unfinished.map_err(|trouble| self.history_error(&trouble))
    }

    fn counts(&self, history: &History, batch: &Batch) -> Result<BatchCounts, Complaint> {
        let counts = history.batch_counts(batch.id);
        counts.map_err(|trouble| self.history_error(&trouble))
    }

    fn check(
        &self,
        file: LinkFile,
        account: &Account,
        history: Option<&History>,
    ) -> Result<BatchCheck, Complaint> {
        let check = batches::check(history, file, account, self.now);
        check.map_err(|trouble| self.history_error(&trouble))
    }

    fn figures<'r>(&self, report: &'r CheckReport) -> &'r Figures {
        if self.import.again {
            &report.all
        } else {
            &report.new
        }
    }

    /// Prints the figures of the file, and the lines that are not sent. With `--json`, standard
    /// output is for the links, so they are printed as notes.
    fn print_check(&self, report: &CheckReport) -> Result<(), Complaint> {
        let words = self.words;
        let file = path_text(&self.import.file).shown();
        let mut rows = vec![
            words.count("batch-file", report.lines, &[("file", &file)]),
            batch::figures(words, self.figures(report)),
        ];
        let existing = Some(&report.existing).filter(|_| !self.import.again);
        let skipped = [
            ("batch-faults", Some(&report.faults)),
            ("batch-existing", existing),
        ];
        for (id, lines) in skipped {
            if let Some(lines) = lines.filter(|lines| lines.total > 0) {
                rows.push(words.count(id, lines.total, &[]));
                rows.extend(self.listed_lines(lines));
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
    fn listed_lines(&self, lines: &Excerpt<Skip>) -> Vec<String> {
        let words = self.words;
        let listed = lines.first.iter().take(MAX_LISTED);
        let mut rows: Vec<String> = listed
            .map(|(number, skip)| {
                let text = batch::skip(words, *skip, self.local_now());
                let values = [("line", &*number.to_string()), ("text", &text)];
                format!("  {}", words.with("line-number", &values))
            })
            .collect();
        let more = lines.total.saturating_sub(rows.len() as u64);
        if more > 0 {
            rows.push(format!("  {}", words.count("batch-more", more, &[])));
        }
        rows
    }

    fn local_now(&self) -> (Wall, i32) {
        (self.now, clocks::utc_offset_s(self.now))
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

    fn result_exists(&self, result: &Path) -> Complaint {
        let file = path_text(result).shown();
        Complaint::text(self.words.with("batch-result-there", &[("file", &file)]))
    }

    /// The client of the service, which records its requests.
    fn service(&self) -> Result<Service, Complaint> {
        let agree = self.import.agree.as_deref();
        let service = block_on(self.session.service(Limits::default(), agree))??;
        Ok(match self.session.batch_recorder(&self.dir, self.now) {
            Some(recorder) => service.with_tracer(recorder),
            None => service,
        })
    }

    /// Sends the waiting lines of a batch, and writes its result file.
    fn send(
        &self,
        credential: &LinkCredential,
        service: &Service,
        history: History,
        batch: Batch,
    ) -> Result<ExitCode, Complaint> {
        let counts = self.counts(&history, &batch)?;
        let progress = BatchProgress::at_rest(batch.clone().into(), counts, vec![]);
        let mut progress = Progress::new(self.words, progress, self.import.json);
        let team = self.session.team_mirror(&self.dir)?;
        if let Some(team) = &team {
            // Without a password there is no connection, so the batch pauses.
            let _ = block_on(team.begin_connecting(&Arc::default()))?;
        }
        let run = BatchRun {
            history: HistoryWorker::with_owned("history", 8, move || Ok(history)),
            dir: self.dir.clone(),
            batch,
            per_second: self.import.rate,
            words: self.words,
            team: team.as_ref().map(|team| TeamPresence::new(team.presence())),
        };
        let ending = block_on(async {
            let create =
                async |line: TakenLine| credential.create(service, line.row, &line.request).await;
            let stop = termination_signal();
            run.send(create, stop, |line| progress.add(&line)).await
        })?;
        progress.clear();
        if let Some(log) = team.as_ref().and_then(TeamMirror::records) {
            let shared = block_on(exchange(&run.history, &log, Start::Receive, |_| ()))?;
            // What could not be sent is sent by the next window.
            if shared.is_err() {
                print_note(&self.words.text("batch-not-shared"));
            }
        }
        if let Some(thread) = run.history.close_queue() {
            thread.wait();
        }
        let ending = ending.map_err(|fault| self.run_error(&run.batch, fault))?;
        let counts = self.counts(&self.open_history()?, &run.batch)?;
        self.print_ending(&run.batch, ending, counts)
    }

    fn run_error(&self, batch: &Batch, fault: RunFault) -> Complaint {
        match fault {
            RunFault::Busy(process) => {
                let process = process.map_or_else(
                    || self.words.text("batch-busy.unknown"),
                    |process| process.to_string(),
                );
                let text = self.words.with("batch-busy", &[("process", &process)]);
                Complaint::refused(text)
            }
            RunFault::History(trouble) => self.history_error(&trouble),
            RunFault::Result(error) => unreadable_file(Path::new(&batch.source.result), error),
        }
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

/// The progress of a batch: a line on a terminal's standard error, or a JSON object for each line.
struct Progress {
    words: &'static Catalogue,
    progress: BatchProgress,
    /// The time of the boot clock at which sending began.
    began_ms: u64,
    is_terminal: bool,
    json: bool,
}

impl Progress {
    fn new(words: &'static Catalogue, progress: BatchProgress, json: bool) -> Progress {
        Progress {
            words,
            progress,
            began_ms: MachineClocks::new().now().boot_ms,
            is_terminal: io::stderr().is_terminal(),
            json,
        }
    }

    fn add(&mut self, line: &SentLine) {
        let elapsed_ms = MachineClocks::new().now().boot_ms - self.began_ms;
        let elapsed = Duration::from_millis(elapsed_ms);
        self.progress.add(line.state, None, elapsed);
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
            let text = batch::progress(self.words, &self.progress);
            let _ = write!(io::stderr(), "\r\x1b[2K{text}");
        }
    }

    fn clear(&self) {
        if self.is_terminal && self.progress.sent > 0 {
            let _ = write!(io::stderr(), "\r\x1b[2K");
        }
    }
}
