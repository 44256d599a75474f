//! Reads the password of a team's database, and connects to the database.

use std::io::{self, IsTerminal, Write};

use uuid::Uuid;

use super::mirror_error;
use super::words::offline_error;
use crate::cli::complaint::Complaint;
use crate::cli::session::secret_error;
use crate::cli::{GlobalArgs, block_on, hidden_input};
use crate::journal::money::{Files, MoneyJournal, TAKEOVER_WAIT};
use crate::runtime::team::{boot_clock, wall_clock};
use crate::team::{TeamAccess, TeamConnection, TeamDatabase, wait_until_connected};
use crate::trade::{Secret, Untrusted};
use crate::words::Catalogue;

/// The number of events between two lines about the progress, if they are not drawn over each
/// other.
const EVENTS_PER_LINE: i64 = 10_000;

/// A password that the user gave.
pub(super) struct GivenPassword {
    pub secret: Secret,
    /// True if an environment variable contained it. It is then not stored.
    pub is_from_environment: bool,
}

/// Reads the password of a role: from standard input if `piped` is true, or else from the
/// environment variable or a hidden prompt. Returns `None` if the user cancels.
pub(super) fn read_password(
    args: &GlobalArgs,
    words: &Catalogue,
    database: &TeamDatabase,
    piped: bool,
) -> Result<Option<GivenPassword>, Complaint> {
    let io_error = |error: io::Error| secret_error(words, &error);
    let from_environment = args.environment.team_password().filter(|_| !piped);
    let is_from_environment = from_environment.is_some();
    let secret = if let Some(secret) = from_environment {
        Some(secret)
    } else if piped {
        Some(hidden_input::read_piped().map_err(io_error)?)
    } else if io::stdin().is_terminal() {
        let role = Untrusted::shown_of(database.url.user());
        let question = words.with("team-password", &[("role", &role)]);
        hidden_input::read_typed(&question).map_err(io_error)?
    } else {
        return Err(Complaint::text(words.text("team-password-terminal")));
    };
    match secret {
        Some(secret) if secret.is_empty() => {
            Err(Complaint::text(words.text("team-password-empty")))
        }
        secret => Ok(secret.map(|secret| GivenPassword {
            secret,
            is_from_environment,
        })),
    }
}

/// Connects to a team's database, and waits until it is connected.
pub(super) fn connect(
    words: &Catalogue,
    database: &TeamDatabase,
    password: &Secret,
    team: Uuid,
) -> Result<TeamConnection, Complaint> {
    let access = TeamAccess {
        database: database.clone(),
        password: password.duplicate(),
        team: Some(team),
        wall: wall_clock(),
    };
    let connection = TeamConnection::open(access, |_| ());
    let connected = block_on(wait_until_connected(connection.presence()))?;
    connected.map_err(|reason| offline_error(words, &reason))?;
    Ok(connection)
}

/// Makes the journal in these files the mirror of a team's log, and reads all events of the log
/// into it. The events of an interrupted read stay.
pub(super) fn pull(
    words: &Catalogue,
    files: &Files,
    team: Uuid,
    connection: &TeamConnection,
) -> Result<MoneyJournal, Complaint> {
    let mut progress = Progress::new(words);
    let mut pull = || {
        MoneyJournal::become_mirror(files, team)?;
        let mut journal = MoneyJournal::open(files.clone(), false)?;
        journal.attach_log(connection.log(), boot_clock(), TAKEOVER_WAIT);
        journal.pull_reporting(&mut |n| progress.show("team-progress", n))?;
        Ok(journal)
    };
    let pulled = pull();
    progress.end();
    pulled.map_err(|trouble| mirror_error(words, files.dir(), &trouble))
}

/// The progress of reading or writing events, on standard error. On a terminal, each text is drawn
/// over the one before it.
pub(super) struct Progress<'w> {
    words: &'w Catalogue,
    is_terminal: bool,
    last_line: i64,
    is_drawn: bool,
}

impl<'w> Progress<'w> {
    pub fn new(words: &'w Catalogue) -> Progress<'w> {
        Progress {
            words,
            is_terminal: io::stderr().is_terminal(),
            last_line: 0,
            is_drawn: false,
        }
    }

    /// Shows the message `id` with the number of the last event.
    pub fn show(&mut self, id: &str, n: i64) {
        if !self.is_terminal && n - self.last_line < EVENTS_PER_LINE {
            return;
        }
        self.last_line = n;
        let text = self.words.count(id, n.unsigned_abs(), &[]);
        // Ignore errors: nothing depends on this text.
        let _ = if self.is_terminal {
            self.is_drawn = true;
            write!(io::stderr(), "\r{text}")
        } else {
            writeln!(io::stderr(), "{text}")
        };
    }

    /// Ends the line that was drawn.
    pub fn end(&mut self) {
        if std::mem::take(&mut self.is_drawn) {
            let _ = writeln!(io::stderr());
        }
    }
}
