//! `balcao journal`: reports on the journal of the withdrawals, and deliberate ways out of trouble.

mod export;
mod recovery;
mod verify;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Subcommand;

use super::complaint::Complaint;
use super::{ChosenProfile, GlobalArgs, block_on, commands, journal_location, shown};
use crate::config::Dirs;
use crate::contract::Contract;
use crate::journal::money::{MoneyJournal, ReadOnlyJournal};
use crate::runtime::clocks::MachineClocks;
use crate::runtime::journal_location::JournalLocation;
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
        JournalCommand::Verify { journal } => verify::verify(&CommandContext::find(args, journal)?),
        JournalCommand::Export { journal, out } => {
            args.must_not_mask()?;
            return export::export(&CommandContext::find(args, journal)?, out);
        }
        JournalCommand::ForgetMissing { journal } => {
            recovery::forget(&CommandContext::lost(args, journal)?)
        }
        JournalCommand::MakeLive => recovery::make_live(&CommandContext::find(args, None)?),
        JournalCommand::SetAside { journal } => {
            recovery::set_aside(&CommandContext::find(args, journal)?)
        }
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
    pub fn location(&self) -> JournalLocation {
        journal_location::named(&self.places, &self.dir, self.vault.clone())
    }

    /// The trouble with the journal, and the ways out of it.
    pub fn trouble(&self, trouble: &JournalTrouble) -> Complaint {
        Complaint::refused(commands::trouble(self.words, &self.shown(), trouble))
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
