//! `balcao journal`: looking at the journal of the withdrawals, and the deliberate ways on.

mod export;
mod go_on;
mod verify;

use std::io::{self, BufRead, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Subcommand;

use super::complaint::Complaint;
use super::lists::gone;
use super::{Common, VaultChoice, commands, place};
use crate::config::Places;
use crate::contract::Contract;
use crate::runtime::journal_location::JournalLocation;
use crate::trade::{JournalTrouble, Untrusted};
use crate::vault::VaultHandle;
use crate::words::Words;

/// What is wrong, or was not done: the code that is neither success nor a mistake in the command.
const TROUBLE: u8 = 1;

/// What to do with the journal.
#[derive(Debug, Clone, Subcommand)]
pub enum Order {
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
    SetAside {
        #[arg(long, value_name = "DIR")]
        journal: Option<PathBuf>,
    },
}

/// Does it; the code the program ends with.
pub fn run(common: &Common, order: Order) -> Result<ExitCode, Complaint> {
    match order {
        Order::Verify { journal } => verify::verify(&Ground::find(common, journal)?),
        Order::Export { journal, out } => export::export(&Ground::find(common, journal)?, out),
        Order::ForgetMissing { journal } => go_on::forget(&Ground::lost(common, journal)?),
        Order::SetAside { journal } => go_on::set_aside(&Ground::find(common, journal)?),
    }
}

/// Where a command works, and the words of its language.
pub(super) struct Ground {
    pub dir: PathBuf,
    pub contract: Contract,
    pub words: &'static Words,
    places: Places,
    vault: VaultHandle,
}

impl Ground {
    /// The journal of a named directory, which must be there, or that of the named service.
    pub fn find(common: &Common, named: Option<PathBuf>) -> Result<Ground, Complaint> {
        let (dir, contract) = common.journal(named)?;
        let settings = common.settings()?;
        let words = common.words(&settings)?;
        let vault = match common.vault {
            Some(VaultChoice::Memory) => VaultHandle::memory(),
            Some(VaultChoice::Keyring) | None => VaultHandle::keyring(),
        };
        Ok(Ground { dir: whole_path(dir)?, contract, words, places: settings.places, vault })
    }

    /// The same for a named directory that may be gone with what was in it.
    fn lost(common: &Common, named: Option<PathBuf>) -> Result<Ground, Complaint> {
        let Some(dir) = named else { return Ground::find(common, None) };
        let here = Ground::find(common, Some(PathBuf::from(".")))?;
        Ok(Ground { dir: whole_path(dir)?, ..here })
    }

    /// The directory as it can be shown.
    pub fn shown(&self) -> Untrusted {
        self.dir.display().to_string().into()
    }

    /// The journal's place, with the vault that remembers it.
    pub fn place(&self) -> JournalLocation {
        place::named(&self.places, &self.dir, self.vault.clone())
    }

    /// Says what is wrong and what to do.
    pub fn trouble(&self, trouble: &JournalTrouble) -> Result<ExitCode, Complaint> {
        self.not_done(&commands::trouble(self.words, &self.shown(), trouble))
    }

    /// Says something, and that it is not what was hoped for.
    pub fn not_done(&self, text: &str) -> Result<ExitCode, Complaint> {
        say(text)?;
        Ok(ExitCode::from(TROUBLE))
    }

    /// Waits for the vault's answer.
    pub fn ask<T>(&self, question: impl Future<Output = T>) -> Result<T, Complaint> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        Ok(runtime.map_err(Complaint::of)?.block_on(question))
    }
}

/// The path as the app names a journal: from the root on, without a slash at its end.
fn whole_path(dir: PathBuf) -> Result<PathBuf, Complaint> {
    Ok(std::path::absolute(dir).map_err(Complaint::of)?.components().collect())
}

/// Says something on standard output; that nobody reads it is no error.
pub(super) fn say(text: &str) -> Result<(), Complaint> {
    gone(writeln!(io::stdout(), "{text}")).map(drop)
}

/// Says something beside what is printed for a script.
pub(super) fn remark(text: &str) {
    // Nobody reads a closed standard error; the exit code still says it.
    let _ = writeln!(io::stderr(), "balcao: {text}");
}

/// Asks, and reads one line; nothing when there is none.
pub(super) fn answer(question: &str) -> Result<String, Complaint> {
    say(question)?;
    let mut line = String::new();
    io::stdin().lock().read_line(&mut line).map_err(Complaint::of)?;
    Ok(line.trim().to_owned())
}
