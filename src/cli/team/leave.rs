//! `balcao team leave`: ends the membership of a profile in a team. The mirror stays.

use std::path::Path;

use super::join::vault_error;
use super::{lock_windows_out, mirror_error};
use crate::cli::complaint::Complaint;
use crate::cli::journal::require_typed;
use crate::cli::output::print_line;
use crate::cli::{ChosenProfile, GlobalArgs, block_on, invalid_file, path_text};
use crate::config::edit::{self, without_table};
use crate::journal::history::History;
use crate::journal::money::{EventLookup, Files, MoneyJournal};
use crate::runtime::clocks::MachineClocks;
use crate::team::TeamDatabase;
use crate::trade::{Author, JournalTrouble, Untrusted, VaultTrouble};
use crate::words::Catalogue;

pub fn run(args: &GlobalArgs) -> Result<(), Complaint> {
    let chosen = args.chosen_profile()?;
    let words = chosen.words()?;
    let team = chosen.required_team(words)?;
    let database = chosen.team_database(team)?;
    let files = Files::new(chosen.settings.dirs.team_journal(team.id));
    let profile = Untrusted::shown_of(&chosen.name);
    let withdrawals = check_nothing_waits(words, &files, &database)?;
    print_line(&words.with("team-leave-means", &[("profile", &profile)]))?;
    let unsent = unsent_changes(files.dir());
    if unsent > 0 {
        print_line(&words.count("team-leave-unsent", unsent, &[]))?;
    }
    require_typed(words, &chosen.name)?;
    // Nothing may be sent from the mirror any more, so no window may have it open.
    let lock = lock_windows_out(words, &files)?;
    // Another window may have sent something meanwhile.
    check_nothing_waits(words, &files, &database)?;
    forget_password(&chosen, words, &team.database)?;
    let file = chosen.settings.dirs.config_file();
    let removed = edit::edit_file(&file, |text| {
        without_table(text, &["profiles", &chosen.name, "team"])
    });
    removed.map_err(|error| invalid_file(&file, error))?;
    drop(lock);
    let count = words.count("team-withdrawals", withdrawals, &[]);
    let values = [
        ("profile", &*profile),
        ("count", &count),
        ("dir", &path_text(files.dir()).shown()),
        ("role", &Untrusted::shown_of(database.url.user())),
    ];
    print_line(&words.with("team-leave-done", &values))
}

/// Checks that no withdrawal of this operator on this machine waits for its result. Returns the
/// number of withdrawals in the mirror.
fn check_nothing_waits(
    words: &Catalogue,
    files: &Files,
    database: &TeamDatabase,
) -> Result<u64, Complaint> {
    if !files.journal_exists() {
        return Ok(0);
    }
    let found = find_waiting(files, &database.author());
    let (waiting, withdrawals) =
        found.map_err(|trouble| mirror_error(words, files.dir(), &trouble))?;
    match waiting {
        Waiting::Nothing => Ok(withdrawals),
        Waiting::Attempt => Err(Complaint::refused(words.text("set-aside-in-flight"))),
        Waiting::Ends(n) => Err(Complaint::refused(words.count("team-leave-ends", n, &[]))),
        Waiting::Unfinished(n) => Err(Complaint::refused(words.count("team-leave-open", n, &[]))),
    }
}

/// The number of changes of the history that the team does not have. No reason not to leave: a
/// history that cannot be read has none.
fn unsent_changes(dir: &Path) -> u64 {
    let opened = History::open_if_any(dir, MachineClocks::new().now().wall);
    let count = opened.map(|history| history.map(|history| history.count_pending()));
    count.ok().flatten().and_then(Result::ok).unwrap_or(0)
}

/// The withdrawals of this machine that wait for their results.
#[derive(Debug, PartialEq, Eq)]
enum Waiting {
    Nothing,
    /// An attempt is being sent.
    Attempt,
    /// This number of ends is not in the log yet.
    Ends(u64),
    /// This number of own attempts has no end.
    Unfinished(u64),
}

fn find_waiting(files: &Files, author: &Author) -> Result<(Waiting, u64), JournalTrouble> {
    let read_only = JournalTrouble::ReadOnly(String::new());
    let journal = MoneyJournal::open_to_read(files, read_only)?.journal;
    let ends = files.unwritten_ends()?;
    let unfinished = journal.unfinished_by(author).len();
    let waiting = if files.is_sending()? {
        Waiting::Attempt
    } else if ends > 0 {
        Waiting::Ends(ends as u64)
    } else if unfinished > 0 {
        Waiting::Unfinished(unfinished as u64)
    } else {
        Waiting::Nothing
    };
    Ok((waiting, journal.contents().withdrawals))
}

fn forget_password(
    chosen: &ChosenProfile,
    words: &Catalogue,
    database: &str,
) -> Result<(), Complaint> {
    let vault = chosen.vault(chosen.base_url()?.origin())?;
    let mut others = chosen.settings.config.file.profiles.iter();
    let is_used = others.any(|(name, profile)| {
        let team = profile.team.as_ref().filter(|_| *name != chosen.name);
        team.is_some_and(|team| team.database == database)
    });
    if is_used || !vault.kind().outlives_the_program() {
        return Ok(());
    }
    match block_on(vault.delete_team_password(database))? {
        // A vault that does not exist contains no password.
        Ok(()) | Err(VaultTrouble::Absent | VaultTrouble::Denied) => Ok(()),
        Err(trouble) => Err(vault_error(words, trouble)),
    }
}
