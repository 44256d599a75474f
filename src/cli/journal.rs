//! `balcao journal`: reports on the journal (the database of withdrawals), and repairs it on
//! request.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Subcommand;
use serde_json::{Value, json};

use super::complaint::{Complaint, REFUSED};
use super::output::{create_output, print_line, print_note, prompt, write_lines};
use super::{ChosenProfile, GlobalArgs, block_on, complaint, path_text};
use crate::config::Dirs;
use crate::contract::Contract;
use crate::journal::money::{
    EventLookup, EventRow, Export, Files, JournalOverview, NotSetAside, ReadOnlyJournal,
};
use crate::rows::json_line::{self, format_utc};
use crate::runtime::clocks::{self, MachineClocks};
use crate::runtime::journal_location::{JournalLocation, LiveJournal};
use crate::runtime::team::TeamMirror;
use crate::service::{self, Limits};
use crate::trade::withdrawal::WithdrawalState;
use crate::trade::{JournalContents, JournalTrouble, Origin, Untrusted, Withdrawal};
use crate::vault::VaultHandle;
use crate::words::{Catalogue, failure};

#[derive(Debug, Clone, Subcommand)]
pub enum JournalCommand {
    Verify {
        #[arg(long, value_name = "DIR")]
        journal: Option<PathBuf>,
    },
    Export {
        #[arg(long, value_name = "DIR")]
        journal: Option<PathBuf>,
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
    },
    ForgetMissing {
        #[arg(long, value_name = "DIR")]
        journal: Option<PathBuf>,
    },
    MakeLive,
    SetAside {
        #[arg(long, value_name = "DIR")]
        journal: Option<PathBuf>,
    },
}

pub fn run(args: &GlobalArgs, command: JournalCommand) -> Result<ExitCode, Complaint> {
    match command {
        JournalCommand::Verify { journal } => verify(&CommandContext::find(args, journal)?),
        JournalCommand::Export { journal, out } => {
            args.reject_redact()?;
            return export(&CommandContext::find(args, journal)?, out);
        }
        JournalCommand::ForgetMissing { journal } => {
            forget_missing(&CommandContext::for_missing_dir(args, journal)?)
        }
        JournalCommand::MakeLive => make_live(&CommandContext::find(args, None)?),
        JournalCommand::SetAside { journal } => set_aside(&CommandContext::find(args, journal)?),
    }
    .map(|()| ExitCode::SUCCESS)
}

/// The journal directory on which a command works, with the API contract and the message texts in
/// the language of the command's output.
pub(super) struct CommandContext {
    pub dir: PathBuf,
    pub words: &'static Catalogue,
    pub contract: Contract,
    pub dirs: Dirs,
    vault: VaultHandle,
    /// The mirror of the profile's team, if it has one.
    team: Option<TeamMirror>,
}

impl CommandContext {
    /// The context for the journal in the directory `dir`, which must exist. Without `dir`, uses
    /// the journal of the profile's service.
    pub fn find(args: &GlobalArgs, dir: Option<PathBuf>) -> Result<CommandContext, Complaint> {
        let chosen = args.chosen_profile()?;
        let context = CommandContext::without_vault(&chosen, dir)?;
        // A profile without a base URL is allowed if the user named a directory. The vault is then
        // opened with an empty origin.
        let base = chosen.base_url();
        let origin = base.map_or(Origin("".into()), |base| base.origin().clone());
        let vault = chosen.vault(&origin)?;
        Ok(CommandContext {
            team: chosen.team_mirror(&vault)?,
            vault,
            ..context
        })
    }

    /// Like [`find`](Self::find), but opens no vault, because opening one may show a prompt.
    pub fn without_vault(
        chosen: &ChosenProfile,
        dir: Option<PathBuf>,
    ) -> Result<CommandContext, Complaint> {
        let contract = chosen.contract()?;
        let words = chosen.words()?;
        let dir = match dir {
            None => chosen.journal_dir(words)?,
            Some(dir) if dir.is_dir() => dir,
            Some(dir) => {
                return Err(Complaint::about(
                    "complaint-no-folder",
                    [("folder", path_text(&dir))],
                ));
            }
        };
        let dirs = chosen.settings.dirs.clone();
        let vault = VaultHandle::memory();
        Ok(CommandContext {
            dir: absolute_path(dir)?,
            words,
            contract,
            dirs,
            vault,
            team: None,
        })
    }

    /// Like [`find`](CommandContext::find), but the directory may be missing.
    fn for_missing_dir(
        args: &GlobalArgs,
        dir: Option<PathBuf>,
    ) -> Result<CommandContext, Complaint> {
        let Some(dir) = dir else {
            return CommandContext::find(args, None);
        };
        let context = CommandContext::find(args, Some(PathBuf::from(".")))?;
        Ok(CommandContext {
            dir: absolute_path(dir)?,
            ..context
        })
    }

    /// The mirror of the profile's team, if the directory is its directory.
    pub fn own_mirror(&self) -> Option<&TeamMirror> {
        self.team
            .as_ref()
            .filter(|mirror| mirror.files().dir() == self.dir)
    }

    /// An error if the directory is the mirror of a team's journal, which is never the live journal
    /// and is copied again if it is lost.
    fn reject_mirror(&self) -> Result<(), Complaint> {
        if self.own_mirror().is_some() || self.files().is_mirror() {
            return Err(refuse(self, "team-mirror-only"));
        }
        Ok(())
    }

    /// The files of the journal of withdrawals.
    pub fn files(&self) -> Files {
        Files::new(&self.dir)
    }

    pub fn dir_text(&self) -> Untrusted {
        path_text(&self.dir)
    }

    /// Checks a journal against its markers, which are small files and an entry in the vault. The
    /// markers record which journal is live, and its last event. `opened` is the result of opening
    /// the journal.
    ///
    /// If the journal exists but could not be read, the markers are not checked, because the caller
    /// already reports the read error.
    pub fn check_markers(
        &self,
        opened: Result<&JournalOverview, &JournalTrouble>,
    ) -> Result<Result<(), JournalTrouble>, Complaint> {
        let journal = match opened {
            Ok(journal) => Some(journal as &dyn EventLookup),
            Err(JournalTrouble::Missing) => None,
            Err(_) => return Ok(Ok(())),
        };
        let liveness = block_on(self.location().liveness())?;
        Ok(liveness.and_then(|liveness| liveness.check(journal)))
    }

    /// Checks only the markers, without reading the journal. Returns an error if they show that the
    /// journal must not be used.
    pub fn check_only_markers(&self) -> Result<Result<(), JournalTrouble>, Complaint> {
        let liveness = block_on(self.location().liveness())?;
        Ok(liveness.and_then(|liveness| liveness.check_unopened()))
    }

    pub fn open(&self) -> Result<ReadOnlyJournal, JournalTrouble> {
        ReadOnlyJournal::open(&self.files())
    }

    /// A function that computes the state of a withdrawal of this journal now.
    pub fn state_now(
        &self,
        journal: &JournalOverview,
    ) -> Result<impl Fn(&Withdrawal) -> WithdrawalState + use<>, JournalTrouble> {
        let now = MachineClocks::for_journal(&self.dir).now();
        // Pass no consent, because reading it from the vault might show a prompt. Without consent,
        // the seller's own settings of the API contract count as not agreed to.
        let window = service::agreed_window(&self.contract, None, &Limits::default());
        let in_flight = journal.in_flight()?;
        Ok(move |withdrawal: &Withdrawal| {
            withdrawal.state(&now, &window, in_flight.contains(&withdrawal.agreement.key))
        })
    }

    /// The location of the journal: its directory, and the vault that may store a copy of its
    /// marker.
    ///
    /// If the user named the live journal's directory, this is the location of the live journal.
    pub fn location(&self) -> JournalLocation {
        let live = LiveJournal::new(&self.dirs);
        let vault = self.vault.clone();
        if live.dir() == self.dir {
            JournalLocation::live(live, vault)
        } else {
            JournalLocation::fixed(self.files(), vault)
        }
    }

    /// An error that describes a problem with the journal and the remedy.
    pub fn error(&self, trouble: &JournalTrouble) -> Complaint {
        Complaint::refused(self.describe(trouble))
    }

    /// An error that describes a problem with the history and the remedy.
    pub fn history_error(&self, trouble: &JournalTrouble) -> Complaint {
        complaint::history_error(self.words, &self.dir_text(), trouble)
    }

    /// Describes a problem with the journal and the remedy.
    pub fn describe(&self, trouble: &JournalTrouble) -> String {
        complaint::describe_journal_trouble(self.words, &self.dir_text(), trouble)
    }

    /// Summarizes the journal in one line.
    fn describe_contents(&self, contents: &JournalContents) -> String {
        let offset = contents.last.map_or(0, clocks::utc_offset_s);
        let label = self.words.text("journal-contents.label");
        format!(
            "  {label} {}",
            failure::journal_contents(self.words, contents, offset)
        )
    }

    /// The error for a directory that contains no journal and that no marker mentions.
    pub fn no_journal_error(&self) -> Complaint {
        let [text, folder] = ["verify-none-here", "locked-folder"].map(|id| self.words.text(id));
        Complaint::refused(format!("{text}\n  {folder} {}", self.dir_text().shown()))
    }
}

/// The absolute path without a trailing slash, the form in which the app stores journal paths.
fn absolute_path(dir: PathBuf) -> Result<PathBuf, Complaint> {
    Ok(std::path::absolute(dir)
        .map_err(Complaint::from_error)?
        .components()
        .collect())
}

/// Reads the whole journal, compares it with its markers, and prints a report.
fn verify(context: &CommandContext) -> Result<(), Complaint> {
    let opened = context.open();
    let checked = context.check_markers(opened.as_ref().map(|it| &it.journal))?;
    checked.map_err(|trouble| context.error(&trouble))?;
    match opened.and_then(|opened| report(context, opened)) {
        Ok(report) => print_line(&report),
        Err(JournalTrouble::Missing) => Err(context.no_journal_error()),
        Err(trouble) => Err(context.error(&trouble)),
    }
}

/// The error for a missing journal, with the reason if the markers show it.
fn missing_journal_error(context: &CommandContext) -> Complaint {
    match context.check_markers(Err(&JournalTrouble::Missing)) {
        Err(complaint) => complaint,
        Ok(Err(trouble)) => context.error(&trouble),
        Ok(Ok(())) => context.no_journal_error(),
    }
}

/// Summarizes an undamaged journal in a few lines of text.
fn report(context: &CommandContext, opened: ReadOnlyJournal) -> Result<String, JournalTrouble> {
    let words = context.words;
    let ReadOnlyJournal {
        journal,
        is_ahead,
        is_copy,
    } = opened;
    let mut states: Vec<(&'static str, u64)> = Vec::new();
    for name in journal.state_names(context.state_now(&journal)?) {
        match states.iter_mut().find(|(known, _)| *known == name) {
            Some((_, count)) => *count += 1,
            None => states.push((name, 1)),
        }
    }
    let states: Vec<_> = states
        .iter()
        .map(|(name, count)| words.count(&format!("verify-{name}"), *count, &[]))
        .collect();
    let states = if states.is_empty() {
        String::new()
    } else {
        format!(": {}", states.join(", "))
    };
    let last = journal.last_event();
    let mut lines = vec![words.text("verify-healthy")];
    for (label, value) in [
        (
            "verify-file",
            path_text(&context.dir.join("money.db")).shown(),
        ),
        ("verify-last", last.n.to_string()),
        ("verify-sum", hex(&last.sum)),
        (
            "verify-count",
            format!("{}{states}", journal.contents().withdrawals),
        ),
    ] {
        lines.push(format!("  {:<20}  {value}", words.text(label)));
    }
    lines.extend(is_ahead.then(|| words.text("verify-ahead")));
    lines.extend(is_copy.then(|| words.text("journal-copy")));
    Ok(lines.join("\n"))
}

fn hex(sum: &[u8]) -> String {
    sum.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Writes all events of the journal. If the journal is damaged, writes only the events before the
/// damage.
fn export(context: &CommandContext, out: Option<PathBuf>) -> Result<ExitCode, Complaint> {
    let mut events = match Export::open(&context.files()) {
        Ok(events) => events,
        Err(JournalTrouble::Missing) => return Err(missing_journal_error(context)),
        Err(trouble) => return Ok(report_partial_export(context, 0, &trouble)),
    };
    let out = create_output(out)?;
    if events.is_copy {
        print_note(&context.words.text("journal-copy"));
    }
    print_note(&context.words.text("export-personal"));
    let mut trouble = None;
    let pages = std::iter::from_fn(|| {
        if trouble.is_some() {
            return None;
        }
        let (records, error) = events.read_more();
        trouble = error;
        (!records.is_empty()).then_some(records)
    });
    let lines = pages
        .flatten()
        .map(|record| Ok(json_line::to_line(&event_json(&record))));
    let Some(count) = write_lines(out, lines)? else {
        return Ok(ExitCode::SUCCESS);
    };
    if let Some(trouble) = trouble {
        return Ok(report_partial_export(context, count, &trouble));
    }
    print_note(&context.words.count("export-whole", count, &[]));
    // The exported events have no gaps, but events may be missing at the end. Only the file
    // `money.head`, which records the last event, shows this. So open the journal to check.
    match context.open() {
        Ok(_) => Ok(ExitCode::SUCCESS),
        Err(trouble) => {
            print_note(&context.describe(&trouble));
            Ok(ExitCode::from(REFUSED))
        }
    }
}

fn report_partial_export(
    context: &CommandContext,
    count: u64,
    trouble: &JournalTrouble,
) -> ExitCode {
    print_note(&context.words.count("export-until", count, &[]));
    print_note(&context.describe(trouble));
    ExitCode::from(REFUSED)
}

fn event_json(record: &EventRow) -> Value {
    json!({
        "n": record.n,
        "at": format_utc(record.at),
        "atMs": record.at.0,
        "key": record.key.to_string(),
        "kind": record.kind,
        "plain": record.plain,
        "personal": record.personal,
        "personalSum": record.personal_sum.map(|sum| hex(&sum)),
        "sum": hex(&record.sum),
    })
}

/// Asks the user to confirm that the missing live journal is given up. If the given directory
/// contains a different journal, that one becomes the live journal.
fn forget_missing(context: &CommandContext) -> Result<(), Complaint> {
    context.reject_mirror()?;
    let has_journal = context.files().journal_exists();
    let opened = context.open();
    match context.check_markers(opened.as_ref().map(|it| &it.journal))? {
        Err(JournalTrouble::Missing) => {}
        Err(trouble) => return Err(context.error(&trouble)),
        Ok(()) if has_journal => return Err(refuse(context, "forget-there")),
        Ok(()) => return Err(refuse(context, "forget-nothing")),
    }
    let (consequence, done) = if has_journal {
        ("forget-replace", "make-live-done")
    } else {
        ("forget-means", "forget-done")
    };
    print_line(&about_dir(context, consequence))?;
    confirm_make_live(context, &dir_name(&context.dir), done)
}

/// Makes the journal in the given directory the live one, in place of the current live journal.
fn make_live(context: &CommandContext) -> Result<(), Complaint> {
    context.reject_mirror()?;
    // Check only the markers, which record the live journal, because the journal in this directory
    // may be damaged.
    let markers = context.check_only_markers()?;
    let opened = context.open();
    let contents = opened.as_ref().ok().map(|opened| opened.journal.contents());
    let checked = match markers {
        Ok(()) => {
            let checked = context.check_markers(opened.as_ref().map(|it| &it.journal))?;
            checked.and(opened.map(|_| ()))
        }
        Err(trouble) => Err(trouble),
    };
    let consequence = match checked {
        Err(JournalTrouble::Elsewhere(other)) => {
            let other = Untrusted::from(other.display().to_string());
            let values = [
                ("dir", &*context.dir_text().shown()),
                ("other", &other.shown()),
            ];
            context.words.with("make-live-means", &values)
        }
        Err(JournalTrouble::Unmarked(_)) => about_dir(context, "make-live-means.unmarked"),
        Err(JournalTrouble::OtherMachine(_)) => about_dir(context, "make-live-means.other-machine"),
        Err(trouble) => return Err(context.error(&trouble)),
        Ok(()) => return Err(refuse(context, "make-live-is")),
    };
    print_line(&consequence)?;
    if let Some(contents) = contents {
        print_line(&context.describe_contents(&contents))?;
    }
    confirm_make_live(
        context,
        &context.dir.display().to_string(),
        "make-live-done",
    )
}

/// Makes the journal in the given directory the live one, after the user has confirmed by typing
/// `text`.
fn confirm_make_live(context: &CommandContext, text: &str, done: &str) -> Result<(), Complaint> {
    require_typed(context.words, text)?;
    let result = block_on(context.location().make_live())?;
    result.map_err(|trouble| context.error(&trouble))?;
    print_line(&about_dir(context, done))
}

fn set_aside(context: &CommandContext) -> Result<(), Complaint> {
    context.reject_mirror()?;
    let files = context.files();
    if !files.journal_exists() {
        return Err(missing_journal_error(context));
    }
    // Stop if the live journal is in another directory, because then no new journal may be created
    // here.
    context
        .check_only_markers()?
        .map_err(|trouble| context.error(&trouble))?;
    let complain = |error| match error {
        NotSetAside::Healthy => refuse(context, "set-aside-healthy"),
        NotSetAside::InFlight => refuse(context, "set-aside-in-flight"),
        NotSetAside::Trouble(trouble) => context.error(&trouble),
    };
    let marked = block_on(context.location().marked_events())?;
    let marked = marked.map_err(|trouble| context.error(&trouble))?;
    files.check_damaged(&marked).map_err(complain)?;
    print_line(&about_dir(context, "set-aside-means"))?;
    require_typed(context.words, &dir_name(&context.dir))?;
    let now = MachineClocks::new().now().wall;
    let new_path = files.set_aside(&marked, now).map_err(complain)?;
    let new_path = Untrusted::from(new_path.display().to_string());
    print_line(
        &context
            .words
            .with("set-aside-done", &[("to", &new_path.shown())]),
    )?;
    if block_on(context.location().delete_markers_of_set_aside())?.is_err() {
        print_line(&context.words.text("set-aside-marked"))?;
    }
    Ok(())
}

/// The text of the message `id`, with the path of the journal's directory filled in.
fn about_dir(context: &CommandContext, id: &str) -> String {
    context
        .words
        .with(id, &[("dir", &context.dir_text().shown())])
}

fn refuse(context: &CommandContext, id: &str) -> Complaint {
    Complaint::refused(about_dir(context, id))
}

/// The name of a directory, which the user types to confirm.
pub(super) fn dir_name(dir: &Path) -> String {
    dir.file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

/// Prompts the user to type `text`, and returns an error if the input differs.
///
/// To confirm, the user types the name or the path of the journal's directory.
pub(super) fn require_typed(words: &Catalogue, text: &str) -> Result<(), Complaint> {
    let name = Untrusted::from(text).shown();
    let typed = prompt(&words.with("type-name", &[("name", &name)]))?;
    if !text.is_empty() && typed.is_some_and(|typed| typed == text) {
        Ok(())
    } else {
        Err(Complaint::refused(words.text("given-up")))
    }
}
