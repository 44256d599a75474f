//! `money.team`: a small text file that makes a journal the mirror of a team's log.
//!
//! Without its log, such a journal can only be read. A mirror takes events from its log many at a
//! time, so `money.head` may be more than one event behind after the process was killed. The log
//! still contains all events, so none can be lost unnoticed.

use uuid::Uuid;

use super::Files;
use super::small_file::MAX_BYTES;
use crate::trade::JournalTrouble;

const NAME: &str = "money.team";

const TITLE: &str = "balcao money.team 1";

/// The team whose log a mirror follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MirroredTeam {
    /// The id of the team's log.
    pub id: Uuid,
    /// The timeline of the log when this machine last wrote to it, or `None` before that.
    pub timeline: Option<u32>,
}

impl MirroredTeam {
    fn format(&self) -> String {
        let timeline = self.timeline.unwrap_or_default();
        format!("{TITLE}\n{} {timeline}\n", self.id)
    }

    /// Parses the text of the file. Returns `None` if a single byte differs from what
    /// [`format`](Self::format) writes.
    fn parse(text: &str) -> Option<MirroredTeam> {
        let line = text.strip_prefix(TITLE)?.trim();
        let (id, timeline) = line.split_once(' ')?;
        let team = MirroredTeam {
            id: Uuid::parse_str(id).ok()?,
            timeline: Some(timeline.parse().ok()?).filter(|timeline| *timeline > 0),
        };
        (team.format() == text).then_some(team)
    }
}

impl Files {
    /// True if the directory contains the mirror of a team's log.
    pub fn is_mirror(&self) -> bool {
        self.path(NAME).exists()
    }
}

/// Reads the team of a mirror. Returns `None` if the journal is not a mirror.
pub(super) fn read(files: &Files) -> Result<Option<MirroredTeam>, JournalTrouble> {
    let Some(text) = files.read_small(NAME, MAX_BYTES)? else {
        return Ok(None);
    };
    match text.as_deref().and_then(MirroredTeam::parse) {
        Some(team) => Ok(Some(team)),
        None => Err(JournalTrouble::Damaged(format!(
            "{}: not the name of a team",
            files.path_to_read(NAME).display()
        ))),
    }
}

/// Replaces the file atomically and durably.
pub(super) fn write(files: &Files, team: &MirroredTeam) -> Result<(), JournalTrouble> {
    files.replace_small(NAME, &team.format())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changed_name_of_a_team_is_not_read() {
        let team = MirroredTeam {
            id: Uuid::from_u128(7),
            timeline: Some(3),
        };
        let text = team.format();
        assert_eq!(MirroredTeam::parse(&text), Some(team));
        let new = MirroredTeam {
            timeline: None,
            ..team
        };
        assert_eq!(MirroredTeam::parse(&new.format()), Some(new));
        for i in 0..text.len() {
            let mut changed = text.clone().into_bytes();
            changed[i] ^= 1;
            let changed = String::from_utf8(changed).unwrap();
            assert_ne!(MirroredTeam::parse(&changed), Some(team), "{changed:?}");
        }
    }
}
