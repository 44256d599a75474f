//! `balcao journal`: reports on the journal of the withdrawals, and deliberate ways out of trouble.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Subcommand;
use serde_json::{Value, json};

use super::complaint::{Complaint, REFUSED};
use super::json_line::{self, moment};
use super::output::{new_output, print_line, print_note, prompt, write_lines};
use super::{ChosenProfile, GlobalArgs, block_on, complaint, shown};
use crate::config::Dirs;
use crate::contract::Contract;
use crate::journal::money::{self, EventRow, Export, MoneyJournal, NotSetAside, ReadOnlyJournal};
use crate::runtime::clocks::MachineClocks;
use crate::runtime::journal_location::{JournalLocation, LiveJournal};
use crate::service::{self, Limits};
use crate::trade::withdrawal::WithdrawalState;
use crate::trade::{JournalTrouble, Origin, Untrusted, Withdrawal};
use crate::vault::VaultHandle;
use crate::words::Words;

/// The subcommands of `balcao journal`.
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

/// Runs a subcommand; returns the exit code.
pub fn run(args: &GlobalArgs, command: JournalCommand) -> Result<ExitCode, Complaint> {
    match command {
        JournalCommand::Verify { journal } => verify(&CommandContext::find(args, journal)?),
        JournalCommand::Export { journal, out } => {
            args.must_not_mask()?;
            return export(&CommandContext::find(args, journal)?, out);
        }
        JournalCommand::ForgetMissing { journal } => forget(&CommandContext::lost(args, journal)?),
        JournalCommand::MakeLive => make_live(&CommandContext::find(args, None)?),
        JournalCommand::SetAside { journal } => set_aside(&CommandContext::find(args, journal)?),
    }
    .map(|()| ExitCode::SUCCESS)
}

/// The journal that a command works on, its contract, and the words of its language.
pub(super) struct CommandContext {
    pub dir: PathBuf,
    pub words: &'static Words,
    contract: Contract,
    places: Dirs,
    vault: VaultHandle,
}

impl CommandContext {
    /// The journal of a named directory, which must be there, or that of the named service.
    pub fn find(args: &GlobalArgs, named: Option<PathBuf>) -> Result<CommandContext, Complaint> {
        let chosen = args.chosen()?;
        let context = CommandContext::to_list(&chosen, named)?;
        // A directory can be named without an address: then the vault is the one of none.
        let base = chosen.base_url();
        let origin = base.map_or(Origin("".into()), |base| base.origin().clone());
        Ok(CommandContext { vault: chosen.vault(&origin)?, ..context })
    }

    /// The same for a list. No vault is read: that may raise a window.
    pub fn to_list(
        chosen: &ChosenProfile,
        named: Option<PathBuf>,
    ) -> Result<CommandContext, Complaint> {
        let (contract, words) = (chosen.contract()?, chosen.words()?);
        let dir = match named {
            None => chosen.journal_dir(words)?,
            Some(dir) if dir.is_dir() => dir,
            Some(dir) => {
                return Err(Complaint::about("complaint-no-folder", [("folder", shown(&dir))]));
            }
        };
        let (places, vault) = (chosen.settings.places.clone(), VaultHandle::memory());
        Ok(CommandContext { dir: whole_path(dir)?, words, contract, places, vault })
    }

    /// The journal of a named directory that may be gone, or that of the named service.
    fn lost(args: &GlobalArgs, named: Option<PathBuf>) -> Result<CommandContext, Complaint> {
        let Some(dir) = named else { return CommandContext::find(args, None) };
        let here = CommandContext::find(args, Some(PathBuf::from(".")))?;
        Ok(CommandContext { dir: whole_path(dir)?, ..here })
    }

    /// The directory as it can be shown.
    pub fn shown(&self) -> Untrusted {
        shown(&self.dir)
    }

    /// Compares a journal that was opened, or could not be, with the markers of the live one.
    ///
    /// What cannot be read has its own trouble: it is compared only when it is not there.
    pub fn check(
        &self,
        looked: Result<&MoneyJournal, &JournalTrouble>,
    ) -> Result<Result<(), JournalTrouble>, Complaint> {
        let journal = match looked {
            Ok(journal) => Some(journal),
            Err(JournalTrouble::Missing) => None,
            Err(_) => return Ok(Ok(())),
        };
        let liveness = block_on(self.location().liveness())?;
        Ok(liveness.and_then(|liveness| liveness.check(journal)))
    }

    /// Checks what the markers of the live journal tell without this one being read.
    pub fn check_unopened(&self) -> Result<Result<(), JournalTrouble>, Complaint> {
        let liveness = block_on(self.location().liveness())?;
        Ok(liveness.and_then(|liveness| liveness.check_unopened()))
    }

    /// Opens the journal for reading only.
    pub fn open(&self) -> Result<ReadOnlyJournal, JournalTrouble> {
        ReadOnlyJournal::open(&self.dir)
    }

    /// Every withdrawal with its state, in the order of the list.
    pub fn withdrawals(
        &self,
        journal: &mut MoneyJournal,
    ) -> Result<Vec<(Withdrawal, WithdrawalState)>, JournalTrouble> {
        let now = MachineClocks::new().now();
        // No vault is read: a contract file counts as not agreed to, and raises no window.
        let window = service::window_agreed(&self.contract, None, &Limits::default());
        let all = journal.page(None, "", 0, u64::MAX)?;
        let sending = journal.in_flight_among(&all.rows)?;
        let state =
            |one: &Withdrawal| one.state(&now, &window, sending.contains(&one.agreement.key));
        Ok(all.rows.iter().map(|one| (one.clone(), state(one))).collect())
    }

    /// The journal's location, with the vault that may remember it.
    ///
    /// A directory that was named may be the live journal's.
    pub fn location(&self) -> JournalLocation {
        let (live, vault) = (LiveJournal::new(&self.places), self.vault.clone());
        match live.dir() == self.dir {
            true => JournalLocation::live(live, vault),
            false => JournalLocation::fixed(&self.dir, vault),
        }
    }

    /// The trouble with the journal, and the ways out of it.
    pub fn trouble(&self, trouble: &JournalTrouble) -> Complaint {
        Complaint::refused(self.describe(trouble))
    }

    /// The same as a text.
    pub fn describe(&self, trouble: &JournalTrouble) -> String {
        complaint::trouble(self.words, &self.shown(), trouble)
    }

    /// The complaint that there is no journal, where no marker remembers one.
    pub fn none_here(&self) -> Complaint {
        let [none, folder] = ["verify-none-here", "locked-folder"].map(|id| self.words.text(id));
        Complaint::refused(format!("{none}\n  {folder} {}", self.shown().shown()))
    }
}

/// The path as the app names a journal: from the root on, without a slash at its end.
fn whole_path(dir: PathBuf) -> Result<PathBuf, Complaint> {
    Ok(std::path::absolute(dir).map_err(Complaint::of)?.components().collect())
}

/// Reads the whole journal, compares it with its markers, and prints a report.
fn verify(context: &CommandContext) -> Result<(), Complaint> {
    let looked = context.open();
    let checked = context.check(looked.as_ref().map(|look| &look.journal))?;
    checked.map_err(|trouble| context.trouble(&trouble))?;
    match looked.and_then(|look| report(context, look)) {
        Ok(report) => print_line(&report),
        Err(JournalTrouble::Missing) => Err(context.none_here()),
        Err(trouble) => Err(context.trouble(&trouble)),
    }
}

/// The complaint that there is no journal, or why there is none.
fn nothing(context: &CommandContext) -> Complaint {
    match context.check(Err(&JournalTrouble::Missing)) {
        Err(complaint) => complaint,
        Ok(Err(trouble)) => context.trouble(&trouble),
        Ok(Ok(())) => context.none_here(),
    }
}

/// A whole journal, in a few lines.
fn report(context: &CommandContext, look: ReadOnlyJournal) -> Result<String, JournalTrouble> {
    let words = context.words;
    let ReadOnlyJournal { mut journal, is_ahead, is_copy } = look;
    let all = context.withdrawals(&mut journal)?;
    let mut states: Vec<(&'static str, u64)> = Vec::new();
    for (_, state) in &all {
        match states.iter_mut().find(|(known, _)| *known == state.name()) {
            Some((_, count)) => *count += 1,
            None => states.push((state.name(), 1)),
        }
    }
    let counted = |(name, count): &(&str, u64)| words.count(&format!("verify-{name}"), *count, &[]);
    let states: Vec<_> = states.iter().map(counted).collect();
    let states = if states.is_empty() { String::new() } else { format!(": {}", states.join(", ")) };
    let last = journal.last();
    let mut lines = vec![words.text("verify-healthy")];
    for (label, value) in [
        ("verify-file", shown(&context.dir.join("money.db")).shown()),
        ("verify-last", last.n.to_string()),
        ("verify-sum", hex(&last.sum)),
        ("verify-count", format!("{}{states}", all.len())),
    ] {
        lines.push(format!("  {:<20}  {value}", words.text(label)));
    }
    lines.extend(is_ahead.then(|| words.text("verify-ahead")));
    lines.extend(is_copy.then(|| words.text("journal-copy")));
    Ok(lines.join("\n"))
}

/// A checksum in hexadecimal.
fn hex(sum: &[u8]) -> String {
    sum.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Writes every event; of a damaged journal those before the damage.
fn export(context: &CommandContext, out: Option<PathBuf>) -> Result<ExitCode, Complaint> {
    let mut events = match Export::open(&context.dir) {
        Ok(events) => events,
        Err(JournalTrouble::Missing) => return Err(nothing(context)),
        Err(trouble) => return Ok(stopped(context, 0, &trouble)),
    };
    let out = new_output(out)?;
    if events.is_copy {
        print_note(&context.words.text("journal-copy"));
    }
    print_note(&context.words.text("export-personal"));
    let mut trouble = None;
    let pages = std::iter::from_fn(|| {
        if trouble.is_some() {
            return None;
        }
        let (records, why) = events.read_more();
        trouble = why;
        (!records.is_empty()).then_some(records)
    });
    let lines = pages.flatten().map(|record| Ok(json_line::of(&line(&record))));
    let Some(count) = write_lines(out, lines)? else { return Ok(ExitCode::SUCCESS) };
    if let Some(trouble) = trouble {
        return Ok(stopped(context, count, &trouble));
    }
    print_note(&context.words.count("export-whole", count, &[]));
    // All rows came, and each follows the one before; only the head shows if one is missing.
    match context.open() {
        Ok(_) => Ok(ExitCode::SUCCESS),
        Err(trouble) => {
            print_note(&context.describe(&trouble));
            Ok(ExitCode::from(REFUSED))
        }
    }
}

fn stopped(context: &CommandContext, count: u64, trouble: &JournalTrouble) -> ExitCode {
    print_note(&context.words.count("export-until", count, &[]));
    print_note(&context.describe(trouble));
    ExitCode::from(REFUSED)
}

fn line(record: &EventRow) -> Value {
    json!({
        "n": record.n,
        "at": moment(record.at),
        "atMs": record.at.0,
        "key": record.key.to_string(),
        "kind": record.kind,
        "plain": record.plain,
        "personal": record.personal,
        "personalSum": record.personal_sum.map(|sum| hex(&sum)),
        "sum": hex(&record.sum),
    })
}

/// Gives up a journal that is gone. One that is here takes its place.
fn forget(context: &CommandContext) -> Result<(), Complaint> {
    let is_there = money::is_there(&context.dir);
    let looked = context.open();
    match context.check(looked.as_ref().map(|look| &look.journal))? {
        Err(JournalTrouble::Missing) => {}
        Err(trouble) => return Err(context.trouble(&trouble)),
        Ok(()) if is_there => return Err(refused(context, "forget-there")),
        Ok(()) => return Err(refused(context, "forget-nothing")),
    }
    let (means, done) = match is_there {
        true => ("forget-replace", "make-live-done"),
        false => ("forget-means", "forget-done"),
    };
    print_line(&about_dir(context, means))?;
    take_place(context, &dir_name(context), done)
}

/// Makes the journal here the live one, in the place of another.
fn make_live(context: &CommandContext) -> Result<(), Complaint> {
    // Not that it is damaged: whether it is the live one is decided by the markers.
    match context.check_unopened()? {
        Err(JournalTrouble::Elsewhere(other)) => {
            let other = Untrusted::from(other.display().to_string());
            let values = [("dir", &*context.shown().shown()), ("other", &other.shown())];
            print_line(&context.words.with("make-live-means", &values))?;
        }
        Err(trouble) => return Err(context.trouble(&trouble)),
        Ok(()) => {
            let looked = context.open();
            let checked = context.check(looked.as_ref().map(|look| &look.journal))?;
            let checked = checked.and(looked.map(|_| ()));
            return match checked {
                Ok(()) => Err(refused(context, "make-live-is")),
                Err(trouble) => Err(context.trouble(&trouble)),
            };
        }
    }
    take_place(context, &context.dir.display().to_string(), "make-live-done")
}

/// Makes the journal here the live one once this text is typed.
fn take_place(context: &CommandContext, text: &str, done: &str) -> Result<(), Complaint> {
    require_typed(context, text)?;
    let taken = block_on(context.location().make_live())?;
    taken.map_err(|trouble| context.trouble(&trouble))?;
    print_line(&about_dir(context, done))
}

/// Moves a damaged journal aside.
fn set_aside(context: &CommandContext) -> Result<(), Complaint> {
    if !money::is_there(&context.dir) {
        return Err(nothing(context));
    }
    // Where another journal is the live one, none may begin here.
    context.check_unopened()?.map_err(|trouble| context.trouble(&trouble))?;
    let not_set_aside = |why| match why {
        NotSetAside::Healthy => refused(context, "set-aside-healthy"),
        NotSetAside::InFlight => refused(context, "set-aside-in-flight"),
        NotSetAside::Trouble(trouble) => context.trouble(&trouble),
    };
    let event = context.location().remembered_event();
    let event = event.map_err(|trouble| context.trouble(&trouble))?;
    money::is_damaged(&context.dir, event).map_err(not_set_aside)?;
    print_line(&about_dir(context, "set-aside-means"))?;
    require_typed(context, &dir_name(context))?;
    let now = MachineClocks::new().now().wall;
    let to = money::set_aside(&context.dir, event, now).map_err(not_set_aside)?;
    let to = Untrusted::from(to.display().to_string());
    print_line(&context.words.with("set-aside-done", &[("to", &to.shown())]))?;
    if block_on(context.location().forget_set_aside())?.is_err() {
        print_line(&context.words.text("set-aside-marked"))?;
    }
    Ok(())
}

/// A sentence about the journal's directory.
fn about_dir(context: &CommandContext, id: &str) -> String {
    context.words.with(id, &[("dir", &context.shown().shown())])
}

fn refused(context: &CommandContext, id: &str) -> Complaint {
    Complaint::refused(about_dir(context, id))
}

fn dir_name(context: &CommandContext) -> String {
    context.dir.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Gives up unless a text is typed as it is asked for.
///
/// Going on without the journal that was the live one wants its directory typed, by its name or by
/// its path.
fn require_typed(context: &CommandContext, text: &str) -> Result<(), Complaint> {
    let name = Untrusted::from(text).shown();
    let typed = prompt(&context.words.with("type-name", &[("name", &name)]))?;
    match !text.is_empty() && typed.is_some_and(|typed| typed == text) {
        true => Ok(()),
        false => Err(Complaint::refused(context.words.text("given-up"))),
    }
}
