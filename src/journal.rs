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
pub mod history;
mod lock;
pub mod money;
mod permit;
mod trouble;

pub use disk::{Disk, OsDisk, Step};
pub use lock::{AccountLock, FlightEnd, Held};
pub use permit::{Permit, Request, Spent};
