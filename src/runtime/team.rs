//! The withdrawals of a team on this machine: the mirror of the team's journal, and the connection
//! to the team's database.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use uuid::Uuid;

use super::clocks::MachineClocks;
use super::watch::ChangeNotifier;
use crate::journal::money::{BootClock, Files, MoneyJournal, TAKEOVER_WAIT};
use crate::locked::Locked;
use crate::team::{
    Change, OfflineReason, Presence, TeamAccess, TeamConnection, TeamDatabase, TeamRecords,
    WallClock, wait_until_connected,
};
use crate::trade::{Author, JournalTrouble, Secret, Team, TeamStatus, VaultTrouble};
use crate::vault::VaultHandle;

/// This machine's mirror of a team's journal.
pub struct TeamMirror {
    /// The team's id.
    id: Uuid,
    files: Files,
    database: TeamDatabase,
    password: TeamPassword,
    /// The connection, once the mirror was opened with a password.
    connection: Locked<Option<TeamConnection>>,
    /// The state of the connection. It is being made until the mirror was opened.
    presence: watch::Sender<Presence>,
}

/// Where the password of the team's database is.
pub struct TeamPassword {
    /// The password, if an environment variable contained it.
    pub from_environment: Option<Secret>,
    pub vault: VaultHandle,
}

/// The connection to a team's database, on which the sending of a batch depends.
#[derive(Clone)]
pub struct TeamPresence(watch::Receiver<Presence>);

impl TeamPresence {
    /// The connection with this state.
    pub fn new(presence: watch::Receiver<Presence>) -> TeamPresence {
        TeamPresence(presence)
    }

    /// True if the database is connected. If the first connection is being made, waits for it.
    pub async fn is_connected(&self) -> bool {
        wait_until_connected(self.0.clone()).await.is_ok()
    }
}

/// Reads the time since this machine started, for a mirror.
pub fn boot_clock() -> BootClock {
    Box::new(|| Duration::from_millis(MachineClocks::boot_ms()))
}

/// Reads this machine's clock, which is compared with the clock of the database.
pub fn wall_clock() -> WallClock {
    let clocks = MachineClocks::new();
    Arc::new(move || clocks.now().wall)
}

impl TeamPassword {
    /// The password for this database, or `None` if nobody stored one.
    pub async fn read(&self, database: &TeamDatabase) -> Result<Option<Secret>, VaultTrouble> {
        match &self.from_environment {
            Some(password) => Ok(Some(password.duplicate())),
            None => self.vault.team_password(&database.url.to_string()).await,
        }
    }
}

impl TeamMirror {
    /// The mirror of the team with this id in a directory. Opens nothing yet.
    pub fn new(
        id: Uuid,
        files: Files,
        database: TeamDatabase,
        password: TeamPassword,
    ) -> TeamMirror {
        TeamMirror {
            id,
            files,
            database,
            password,
            connection: Locked::new(None),
            presence: watch::channel(Presence::Connecting).0,
        }
    }

    /// The files of the mirror.
    pub fn files(&self) -> &Files {
        &self.files
    }

    /// The state of the connection to the team's database.
    pub fn status(&self) -> TeamStatus {
        match &*self.presence.borrow() {
            Presence::Connected { .. } => TeamStatus::Connected,
            Presence::Offline { since, .. } => TeamStatus::Offline(*since),
            Presence::Connecting => TeamStatus::Connecting,
        }
    }

    /// The team, as this machine knows it.
    pub fn team(&self) -> Team {
        let connection = self.connection.lock();
        let needs_approval = connection
            .as_ref()
            .is_some_and(TeamConnection::needs_approval);
        drop(connection);
        Team {
            status: self.status(),
            own_role: self.database.author().role,
            needs_approval,
        }
    }

    /// The reason why nothing can be written to the team's log now, if the connection is lost.
    pub fn trouble(&self) -> Option<JournalTrouble> {
        match &*self.presence.borrow() {
            Presence::Offline { reason, .. } => Some(JournalTrouble::Offline(reason.to_string())),
            Presence::Connecting | Presence::Connected { .. } => None,
        }
    }

    /// A channel with the state of the connection.
    pub fn presence(&self) -> watch::Receiver<Presence> {
        self.presence.subscribe()
    }

    /// The person and the machine that use the mirror.
    pub fn author(&self) -> Author {
        self.database.author()
    }

    /// The log of the team's history, or `None` before the mirror was opened.
    pub fn records(&self) -> Option<TeamRecords> {
        let connection = self.connection.lock();
        connection.as_ref().map(TeamConnection::records)
    }

    /// Opens the mirror, and starts to connect to the team's database. Does not wait for the
    /// connection: until then, the journal can only be read.
    ///
    /// Without a password, the journal can only be read, until it is opened again.
    pub async fn open(
        &self,
        changes: &Arc<ChangeNotifier>,
        report: &mut dyn FnMut(u8),
    ) -> Result<MoneyJournal, JournalTrouble> {
        MoneyJournal::become_mirror(&self.files, self.id)?;
        let mut journal = MoneyJournal::open_reporting(self.files.clone(), false, report)?;
        let is_connected = self.connection.lock().is_some();
        if !is_connected && let Err(why) = self.begin_connecting(changes).await {
            journal.stay_offline(&why.to_string());
            return Ok(journal);
        }
        if let Some(connection) = &*self.connection.lock() {
            journal.attach_log(connection.log(), boot_clock(), TAKEOVER_WAIT);
        }
        Ok(journal)
    }

    /// Starts to connect to the team's database, without opening the mirror.
    ///
    /// # Errors
    ///
    /// Fails if the password cannot be read.
    pub async fn begin_connecting(
        &self,
        changes: &Arc<ChangeNotifier>,
    ) -> Result<(), OfflineReason> {
        let why = match self.password.read(&self.database).await {
            Ok(Some(password)) => {
                self.connect(password, changes.clone());
                return Ok(());
            }
            Ok(None) => "nobody stored one".to_owned(),
            Err(trouble) => format!("the vault: {}", trouble.name()),
        };
        let reason = OfflineReason::NoPassword(why);
        self.presence.send_if_modified(|presence| {
            let is_new = !matches!(presence, Presence::Offline { .. });
            if is_new {
                *presence = Presence::Offline {
                    since: wall_clock()(),
                    reason: reason.clone(),
                };
            }
            is_new
        });
        Err(reason)
    }

    /// Opens the mirror like [`open`](Self::open), and waits until the database is connected.
    ///
    /// # Errors
    ///
    /// Fails if the mirror cannot be opened, or if the database is not connected in time.
    pub async fn open_connected(&self) -> Result<MoneyJournal, JournalTrouble> {
        let changes = Arc::<ChangeNotifier>::default();
        let journal = self.open(&changes, &mut |_| ()).await?;
        let connected = wait_until_connected(self.presence()).await;
        connected.map_err(|reason| JournalTrouble::Offline(reason.to_string()))?;
        Ok(journal)
    }

    fn connect(&self, password: Secret, changes: Arc<ChangeNotifier>) {
        let access = TeamAccess {
            database: self.database.clone(),
            password,
            team: Some(self.id),
            wall: wall_clock(),
        };
        let on_change = move |change| {
            if change != Change::Records {
                changes.team.notify_one();
            }
            if matches!(change, Change::Connected | Change::Records) {
                changes.records.notify_one();
            }
        };
        self.presence.send_replace(Presence::Connecting);
        // A task that is notified at once waits here until the connection is stored.
        let mut connection = self.connection.lock();
        let presence = self.presence.clone();
        *connection = Some(TeamConnection::open_with(access, presence, on_change));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::money::LEASH;
    use crate::service::Limits;

    #[test]
    fn wait_is_longer_than_any_send_and_slow_clocks() {
        // A first byte at the end of the leash, and the longest request. The system gives up
        // sending what was not received after the same time.
        let longest = LEASH + Limits::default().request_timeout;
        assert!(TAKEOVER_WAIT >= longest + longest / 4);
    }
}
