//! Tests that need sshd or other programs of the operating system.

mod copying;
mod crowd;
mod limits;
mod refused;
mod slow;
