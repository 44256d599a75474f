//! The operators of a team, and the connection to their shared log.

use serde::{Deserialize, Serialize};

use super::{Untrusted, Wall};

/// The person and the machine that wrote an event of a team's journal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Author {
    /// The role with which the person logs in to the database.
    pub role: Untrusted,
    /// The person's name, as the person wrote it. The database does not check it.
    pub operator: Untrusted,
    /// The name of the machine.
    pub machine: Untrusted,
}

/// The team, as this machine knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Team {
    /// The state of the connection.
    pub status: TeamStatus,
    /// The database role of the person who uses this program.
    pub own_role: Untrusted,
    /// True if the team requires that a second person approves each withdrawal.
    pub needs_approval: bool,
}

/// The state of the connection to a team's log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TeamStatus {
    /// The first connection is being made.
    Connecting,
    /// The log is connected.
    Connected,
    /// There is no connection since this time.
    Offline(Wall),
}
