//! The program's memory: withdrawals so that none is forgotten, the rest so that it is found.
//!
//! [`money`] is the journal money depends on: `money.db` with `money.head` beside it, append-only,
//! chained, durable before a byte leaves. [`history`] keeps links and direct payments in
//! `history.db`, which can be lost without losing money.
//!
//! Everything here is synchronous. A [`Permit`] to send is made here and nowhere else, and only
//! after the attempt it permits is on disk.

mod directory;
mod disk;
pub mod history;
pub mod home;
mod lock;
pub mod money;
mod permit;
pub mod plain;
mod trouble;

use std::path::Path;

use crate::trade::JournalTrouble;

pub use disk::{Disk, DiskStep, OsDisk};
pub use lock::{FlightEnd, LockGuard};
pub use permit::{AccountLock, Permit, PermittedRequest, Spent};

/// Makes a directory for its owner alone, or checks that the one that is there is ours and that
/// only we can write in it; its rights are never changed.
pub fn make_dir(dir: &Path) -> Result<(), JournalTrouble> {
    let made = directory::make(dir).and_then(|()| directory::is_ours(dir));
    made.map_err(|error| trouble::io_trouble(dir, &error))
}
