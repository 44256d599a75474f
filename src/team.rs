//! The shared journal of a team, in a PostgreSQL database.
//!
//! The journal of each machine mirrors the log of its team. This module is that log
//! ([`TeamLog`]) on a server. The log consists of append-only events. A database role that belongs
//! to an operator can only read events and append them, and each append names the event before it,
//! so it is a compare-and-swap. There are no locks. The records of the history are a second log
//! ([`TeamRecords`]) with the same kind of append.
//!
//! [`TeamConnection`] keeps two connections on a thread of its own: one for calls, and one on which
//! the server announces the events of other machines. The thread connects again after a loss. A
//! call never waits for that: without a connection it fails at once.
//!
//! [`check()`] examines a database for an operator, and [`init()`] creates the journal in it. The
//! SQL is in the directory `sql`. Only this module uses PostgreSQL.

#![warn(missing_docs)]

mod calls;
mod check;
mod connection;
mod failure;
mod init;
mod log;
mod loopback;
mod presence;
mod records;
mod session;
mod sql;
mod tls;
mod url;

use std::sync::Arc;

use uuid::Uuid;

use crate::trade::{Author, Secret, Wall};

pub use check::{Finding, Report, check};
pub use connection::TeamConnection;
pub use init::{InitError, Initialised, Members, init, init_sql};
pub use log::TeamLog;
pub use presence::{OfflineReason, Presence, wait_until_connected};
pub use records::{MAX_RECORD_BYTES, MAX_RECORDS, TeamRecords};
pub use session::Change;
pub use url::{DatabaseUrl, UrlError};

/// The format of the events that this program appends, and the newest format of the database that
/// it knows.
pub use crate::journal::money::LOG_FORMAT as FORMAT;

/// A function that returns the contents of the files with the system's certificates, in PEM.
pub type ReadSystemRoots = fn() -> Vec<Vec<u8>>;

/// A function that reads the wall clock.
pub type WallClock = Arc<dyn Fn() -> Wall + Send + Sync>;

/// A team's database, as one operator on one machine uses it.
#[derive(Debug, Clone)]
pub struct TeamDatabase {
    /// The address of the database, with the operator's role.
    pub url: DatabaseUrl,
    /// The team's own certificate authority, in PEM. It is trusted in addition to the system's.
    pub ca: Option<Vec<u8>>,
    /// Reads the system's certificates. `None` trusts only [`ca`](TeamDatabase::ca).
    pub system_roots: Option<ReadSystemRoots>,
    /// The operator's name. It is only a label: the role in the address is the identity.
    pub operator: Arc<str>,
    /// The name of this machine. It is only a label.
    pub machine: Arc<str>,
}

impl TeamDatabase {
    /// The operator and the machine that use the database.
    pub fn author(&self) -> Author {
        Author {
            role: self.url.user().into(),
            operator: (&*self.operator).into(),
            machine: (&*self.machine).into(),
        }
    }
}

/// The values that a connection to a team's database needs.
pub struct TeamAccess {
    /// The database.
    pub database: TeamDatabase,
    /// The password of the operator's role.
    pub password: Secret,
    /// The team's id, if this machine knows it. Another team's database is refused.
    pub team: Option<Uuid>,
    /// Reads the clock of this machine, which is compared with the clock of the database.
    pub wall: WallClock,
}
