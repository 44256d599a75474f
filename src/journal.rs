//! Persistent storage: the journal of withdrawals, the history of payment links and direct
//! payments, and a record of HTTP requests.
//!
//! [`money`] is the journal of withdrawals. It ensures that no withdrawal is paid twice. It
//! consists of `money.db` and `money.head`. Its events are append-only, chained by checksums, and
//! on disk before a request is sent. [`history`] stores payment links and direct payments in
//! `history.db`, and [`requests`] stores HTTP requests in `requests/requests.db`. Both can be lost
//! without losing money.
//!
//! The operators of a team, at several machines, share the events of the money journal. Each
//! machine then has a mirror of the team's [log](money::Log), and appends to the log before it
//! commits to `money.db`.
//!
//! All functions are synchronous. Only this module can create a [`Permit`] to send a withdrawal,
//! and only after the attempt is on disk.

#![warn(missing_docs)]

mod database;
mod directory;
mod disk;
pub mod history;
pub mod journal_dir;
mod lock;
pub mod money;
mod permit;
pub mod requests;
mod run_dir;
pub mod safe_open;
mod trouble;
mod update;

use std::path::Path;

use crate::trade::JournalTrouble;

pub use disk::{Disk, DiskStep, OsDisk};
pub use lock::{AttemptWaiter, LockGuard, batch_process, lock_batch};
pub use permit::{AccountLock, Permit, PermittedRequest, SendLimit, Spent};
pub use run_dir::RunDir;
pub use update::kept_copies;

/// Creates a directory with mode 0700. An existing directory must belong to the current user, and
/// other users must not be able to write to it. Its permissions are never changed.
///
/// # Errors
///
/// Fails if the directory cannot be created or does not pass these checks.
pub fn make_dir(dir: &Path) -> Result<(), JournalTrouble> {
    let result = directory::create(dir).and_then(|()| directory::check_private(dir));
    result.map_err(|error| trouble::io_trouble(dir, &error))
}
