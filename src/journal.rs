//! What the program remembers: withdrawals so that none is forgotten, the rest so that it is found.
//!
//! [`money`] is the journal money depends on: `money.db` with `money.head` beside it, append-only,
//! chained, durable before a byte leaves. [`history`] keeps links and direct payments in
//! `history.db`, which can be lost without losing money.
//!
//! Everything here is synchronous. A [`Permit`] to send is made here and nowhere else, and only
//! after the attempt it permits is on disk.

mod disk;
mod fold;
mod ground;
pub mod history;
pub mod home;
mod lock;
pub mod money;
mod permit;
pub mod plain;
mod trouble;

use std::path::Path;

use crate::trade::JournalTrouble;

pub use disk::{Disk, OsDisk, Step};
pub use lock::{AccountLock, FlightEnd, Held};
pub use permit::{Permit, Request, Spent};

/// Makes a directory for its owner alone, or sees that the one that is there is ours to write and
/// nobody else's; its rights are never changed.
pub fn make_dir(dir: &Path) -> Result<(), JournalTrouble> {
    let made = ground::make(dir).and_then(|()| ground::is_ours(dir));
    made.map_err(|error| trouble::io_trouble(dir, &error))
}
