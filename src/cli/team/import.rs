//! `balcao team import`: takes this computer's journal along into an empty team.
//!
//! The events are appended to the team's log, then the directory of the journal becomes the mirror,
//! then its markers are deleted, then the history is shared, then the profile becomes a member. If
//! the command is interrupted, the next one continues after the last step.

use std::fs;
use std::path::PathBuf;

use super::connect::Progress;
use super::join::Candidate;
use super::{JoinArgs, lock_windows_out, mirror_error};
use crate::cli::complaint::Complaint;
use crate::cli::journal::{dir_name, require_typed};
use crate::cli::output::print_line;
use crate::cli::{GlobalArgs, block_on, path_text};
use crate::journal::journal_dir;
use crate::journal::money::{
    EventLookup, Files, JournalOverview, LogContents, MoneyJournal, NotImported, ReadOnlyJournal,
};
use crate::runtime::journal_location::{JournalLocation, LiveJournal};
use crate::team::TeamConnection;
use crate::trade::JournalTrouble;

/// The part of the import that remains.
#[derive(Debug, PartialEq, Eq)]
enum Remaining {
    /// Everything, or everything after some events.
    All,
    /// The directory is the mirror's already.
    Membership,
    /// This computer has no journal with events.
    Nothing,
}

/// The part of the import that remains. The arguments are the numbers of the events of the live
/// journal and of the mirror, or `None` if it does not exist.
fn remaining(live: Option<i64>, mirror: Option<i64>) -> Remaining {
    match (live, mirror) {
        (Some(1..), _) => Remaining::All,
        (_, Some(1..)) => Remaining::Membership,
        _ => Remaining::Nothing,
    }
}

pub fn run(args: &GlobalArgs, join: &JoinArgs) -> Result<(), Complaint> {
    let candidate = Candidate::examine(args, join)?;
    let words = candidate.words;
    if candidate.chosen.profile.team.is_some() {
        return Err(Complaint::refused(words.text("team-import-member")));
    }
    let import = Import::new(candidate);
    let complain = |files: &Files| {
        let dir = files.dir().to_owned();
        move |trouble| mirror_error(words, &dir, &trouble)
    };
    let mirror = import.candidate.files();
    let own = open_if_any(&import.own).map_err(complain(&import.own))?;
    let mirrored = open_if_any(&mirror).map_err(complain(&mirror))?;
    let last = |journal: &Option<JournalOverview>| {
        let journal = journal.as_ref();
        journal.map(|journal| journal.last_event().n)
    };
    let connection = match (remaining(last(&own), last(&mirrored)), own, mirrored) {
        (Remaining::All, Some(own), _) => {
            let connection = import.candidate.connect()?;
            import.confirm(&own, &connection)?;
            drop(own);
            import.append_and_move(&connection)?;
            connection
        }
        (Remaining::Membership, _, Some(mirrored)) => {
            import.check_moved(&mirrored)?;
            import.candidate.connect()?
        }
        _ => return Err(Complaint::refused(words.text("team-import-nothing"))),
    };
    let deleted = block_on(import.location.delete_markers_of_set_aside())?;
    deleted.map_err(complain(&import.own))?;
    let journal = import.candidate.pull(&connection)?;
    import.candidate.share_history(&connection)?;
    import.candidate.become_member()?;
    import.candidate.report(&journal)
}

struct Import {
    candidate: Candidate,
    /// The live journal of this computer.
    own: Files,
    location: JournalLocation,
}

impl Import {
    fn new(candidate: Candidate) -> Import {
        let live = LiveJournal::new(&candidate.chosen.settings.dirs);
        let own = Files::new(live.dir());
        let location = JournalLocation::live(live, candidate.vault.clone());
        Import {
            candidate,
            own,
            location,
        }
    }

    fn error(&self, trouble: &JournalTrouble) -> Complaint {
        mirror_error(self.candidate.words, self.own.dir(), trouble)
    }

    /// Checks that this is the live journal and that the team contains no other events. Then asks
    /// the user.
    fn confirm(&self, own: &JournalOverview, connection: &TeamConnection) -> Result<(), Complaint> {
        let words = self.candidate.words;
        let liveness = block_on(self.location.liveness())?;
        let checked = liveness.and_then(|liveness| liveness.check(Some(own)));
        checked.map_err(|trouble| self.error(&trouble))?;
        if connection.needs_approval() {
            return Err(Complaint::refused(words.text("team-import-approvals")));
        }
        let found = self.own.compare_with_log(&mut connection.log());
        let done = match found.map_err(|trouble| self.error(&trouble))? {
            LogContents::FirstEvents(n) => n,
            LogContents::Others => return Err(self.not_imported(&NotImported::Occupied)),
        };
        let withdrawals = own.contents().withdrawals;
        let count = words.count("team-withdrawals", withdrawals, &[]);
        let dir = path_text(self.own.dir()).shown();
        let values = [("dir", &*dir), ("count", &count)];
        print_line(&words.with("team-import-means", &values))?;
        if done > 0 {
            print_line(&words.count("team-import-goes-on", done.unsigned_abs(), &[]))?;
        }
        require_typed(words, &dir_name(self.own.dir()))
    }

    /// Appends the events to the team's log, and moves the directory. No process may have the live
    /// journal open meanwhile.
    fn append_and_move(&self, connection: &TeamConnection) -> Result<(), Complaint> {
        let words = self.candidate.words;
        let locked = journal_dir::lock_exclusive(self.own.dir());
        let _lock = locked.map_err(|trouble| self.error(&trouble))?;
        let is_sending = self.own.is_sending();
        if is_sending.map_err(|trouble| self.error(&trouble))? {
            return Err(Complaint::refused(words.text("set-aside-in-flight")));
        }
        // Refuse before anything is sent. The lock is taken again later, because reading the
        // journal needs it too.
        drop(lock_windows_out(words, &self.own)?);
        let mut progress = Progress::new(words);
        let appended = self.own.append_to_log(&mut connection.log(), &mut |n| {
            progress.show("team-import-progress", n);
        });
        progress.end();
        appended.map_err(|error| self.not_imported(&error))?;
        if let Some(to) = self.set_mirror_aside()? {
            let to = path_text(&to).shown();
            print_line(&words.with("team-import-aside", &[("to", &to)]))?;
        }
        let _unused = lock_windows_out(words, &self.own)?;
        let moved = self.own.move_to(self.candidate.files().dir());
        let moved =
            moved.and_then(|files| MoneyJournal::become_mirror(&files, self.candidate.settings.id));
        moved.map_err(|trouble| self.error(&trouble))
    }

    /// Renames the directory of an earlier mirror. It contains no event that the live journal
    /// lacks, but maybe a history.
    fn set_mirror_aside(&self) -> Result<Option<PathBuf>, Complaint> {
        let files = self.candidate.files();
        if !files.dir().exists() {
            return Ok(None);
        }
        let _unused = lock_windows_out(self.candidate.words, &files)?;
        let name = dir_name(files.dir());
        let unused = (1..).map(|n| files.dir().with_file_name(format!("{name}.aside-{n}")));
        let Some(to) = unused.into_iter().find(|path| !path.exists()) else {
            return Ok(None);
        };
        fs::rename(files.dir(), &to).map_err(Complaint::from_error)?;
        Ok(Some(to))
    }

    /// Checks that the mirror is the journal that was the live one, according to the markers of the
    /// latter, and makes it a mirror.
    fn check_moved(&self, mirrored: &JournalOverview) -> Result<(), Complaint> {
        let marked = block_on(self.location.marked_events())?;
        let checked = marked
            .and_then(|marked| mirrored.check_contains_all(&marked))
            // The journal that is missing is not the one that was moved.
            .map_err(|_| JournalTrouble::Missing);
        let files = self.candidate.files();
        let id = self.candidate.settings.id;
        let made = checked.and_then(|()| MoneyJournal::become_mirror(&files, id));
        made.map_err(|trouble| self.error(&trouble))
    }

    fn not_imported(&self, error: &NotImported) -> Complaint {
        match error {
            NotImported::Occupied => {
                Complaint::refused(self.candidate.words.text("team-import-occupied"))
            }
            NotImported::Trouble(trouble) => self.error(trouble),
        }
    }
}

/// Opens a journal for reading, or returns `None` if the directory contains none.
fn open_if_any(files: &Files) -> Result<Option<JournalOverview>, JournalTrouble> {
    match ReadOnlyJournal::open(files) {
        Ok(opened) => Ok(Some(opened.journal)),
        Err(JournalTrouble::Missing) => Ok(None),
        Err(trouble) => Err(trouble),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn import_continues_after_its_last_step() {
        for (live, mirror, expected) in [
            (None, None, Remaining::Nothing),
            (Some(0), None, Remaining::Nothing),
            (Some(0), Some(0), Remaining::Nothing),
            (Some(4), None, Remaining::All),
            (Some(4), Some(0), Remaining::All),
            (Some(4), Some(2), Remaining::All),
            (None, Some(4), Remaining::Membership),
            (Some(0), Some(4), Remaining::Membership),
        ] {
            assert_eq!(remaining(live, mirror), expected, "{live:?} {mirror:?}");
        }
    }
}
