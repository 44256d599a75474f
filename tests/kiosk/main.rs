//! Tests of the kiosk over SSH. They use the files in `assets/kiosk`, and a real sshd and ssh on
//! the loopback interface.

#![allow(
    clippy::too_many_lines,
    reason = "tests have long tables and scenarios; `tests/tidy` has a limit of its own"
)]

#[path = "../support/mod.rs"]
mod support;

mod needs_tools;
#[allow(dead_code, reason = "other tests use the rest")]
#[path = "../terminal/seller.rs"]
mod seller;
mod sshd;
