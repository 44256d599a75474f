//! Long-running tests, called machines, which check that a withdrawal is never paid twice.
//!
//! Each machine runs the production code: the cashier (which sends withdrawals), `settle`,
//! `classify` and the journal. Faults are injected through the traits `Clock`, `Wire` and `Disk`.
//! Then the journal is compared with the ledger of a simulated bank.
//!
//! A plain `cargo test` runs a small part of each machine. `.ci/machine` builds the tests with
//! optimization and runs more: as much as CI with `BALCAO_MACHINES=usual`, and still more with
//! `long`.
//!
//! `.ci/coverage` lists the money code that the machine `simulation` does not reach. Start reading
//! at `model.rs`, which is the simplest machine.

#![allow(
    clippy::too_many_lines,
    reason = "tests have long tables and scenarios; `tests/tidy` has a limit of its own"
)]

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
#[allow(dead_code, reason = "the stories of a team use the rest")]
#[path = "../support/relay.rs"]
mod relay;
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
mod team;
mod trace;
mod windows;
mod wires;

use support::postgres;
