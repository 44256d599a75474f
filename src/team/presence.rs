//! The state of the connection to a team's database.

use std::time::Duration;

use tokio::sync::watch;
use tokio::time::timeout;

use crate::trade::Wall;

/// The time limit for the first connection. It is longer than the limit for opening a session.
const CONNECT_LIMIT: Duration = Duration::from_secs(30);

/// The state of the connection to a team's database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Presence {
    /// The first connection is being made.
    Connecting,
    /// Both connections are usable.
    Connected {
        /// The time since which they are usable.
        since: Wall,
    },
    /// There is no connection. The program keeps trying to connect.
    Offline {
        /// The time at which the connection was lost, or at which connecting first failed.
        since: Wall,
        /// The reason of the last failure.
        reason: OfflineReason,
    },
}

/// The reason there is no connection to a team's database.
///
/// The `Display` text is English, for scripts and logs. Texts of the server are untrusted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OfflineReason {
    /// The server's name is unknown, or no connection to it can be made.
    #[error("the server cannot be reached: {0}")]
    Unreachable(String),
    /// The server did not answer in time.
    #[error("the server does not answer")]
    TimedOut,
    /// A connection ended.
    #[error("the connection ended: {0}")]
    Lost(String),
    /// The server has no TLS, or its certificate is not trusted.
    #[error("the connection is not safe: {0}")]
    Tls(String),
    /// The program has no password: nobody stored one, or it cannot be read.
    #[error("no password: {0}")]
    NoPassword(String),
    /// The password is wrong, or the role does not exist.
    #[error("the server refused the password")]
    WrongPassword,
    /// The server asks for the password itself, on a connection without TLS. It may be another
    /// program than the server.
    #[error("the server asks for the password itself, on a connection without TLS")]
    PlainPassword,
    /// The server does not let this role in.
    #[error("the server does not let this role in: {0}")]
    NotAllowed(String),
    /// The database does not exist.
    #[error("the database does not exist")]
    NoDatabase,
    /// The server is starting or stopping, or has too many connections.
    #[error("the server is not available now: {0}")]
    Unavailable(String),
    /// The database contains no journal.
    #[error("the database contains no journal of a team")]
    NoJournal,
    /// The database contains the journal of another team than before.
    #[error("the database contains the journal of another team")]
    OtherTeam,
    /// The journal has a newer format, or no longer accepts events of this program's format.
    #[error("another version of balcao is needed (format {needed}; this one uses {known})")]
    OtherFormat {
        /// The format that is needed.
        needed: i32,
        /// The format that this program uses.
        known: i32,
    },
    /// The server is a standby, which accepts no events.
    #[error("the server is a standby")]
    Standby,
    /// The database does not store texts as UTF-8, but in this encoding.
    #[error("the database stores texts as {0}, not as UTF-8")]
    Encoding(String),
    /// The clocks of this machine and the database differ too much.
    #[error("the clocks of this machine and the database differ by {difference_ms} ms")]
    Clock {
        /// By how many milliseconds the database's clock is ahead. Negative if it is behind.
        difference_ms: i64,
    },
    /// A pooler between this machine and the server swallows notifications. It may be in
    /// transaction mode.
    #[error("a pooler does not pass on notifications")]
    Pooler,
    /// The server refused a query.
    #[error("the server refused: {0}")]
    Refused(String),
}

/// Waits for the first connection, for a limited time.
///
/// # Errors
///
/// Fails if the first try to connect fails.
pub async fn wait_until_connected(
    mut presence: watch::Receiver<Presence>,
) -> Result<(), OfflineReason> {
    let tried = presence.wait_for(|presence| *presence != Presence::Connecting);
    match timeout(CONNECT_LIMIT, tried).await {
        Ok(Ok(presence)) => match &*presence {
            Presence::Offline { reason, .. } => Err(reason.clone()),
            Presence::Connecting | Presence::Connected { .. } => Ok(()),
        },
        Ok(Err(_)) | Err(_) => Err(OfflineReason::TimedOut),
    }
}
