//! The machines: long-running tests that check that a withdrawal is never paid twice.
//!
//! Each machine runs the production cashier, `settle`, `classify` and journal through the traits
//! `Clock`, `Wire` and `Disk`, and compares the journal with a bank's ledger. A plain `cargo test`
//! runs a small part of each. `BALCAO_MACHINES=usual` runs as much as CI does, and
//! `BALCAO_MACHINES=long` runs more. Use `.ci/machine` for both: it compiles with optimisation and
//! keeps every assertion.
//!
//! The script `.ci/coverage` measures which lines of the cashier, `settle`, `classify` and the
//! resend window the simulation reaches. Start reading at `model.rs`, the simplest machine.

mod bank;
mod chance;
mod death;
mod effort;
#[cfg(target_os = "linux")]
mod hangups;
mod headless;
mod io_errors;
#[allow(dead_code, reason = "the tests of the terminal use the rest")]
#[path = "../terminal/seller.rs"]
mod keyboard;
mod kill_9;
mod memory;
mod model;
mod process;
mod reopened;
mod samples;
mod scene;
#[cfg(target_os = "linux")]
mod screen_kills;
mod seller;
mod simulation;
mod socket_bank;
#[path = "../support/mod.rs"]
mod support;
mod trace;
mod windows;
mod wires;
