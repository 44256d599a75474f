//! Tests that need sshd and other programs of the operating system.

mod copying;
mod crowd;
mod limits;
mod refused;
mod slow;
