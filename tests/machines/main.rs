//! The machines that prove that a withdrawal never leaves twice.
//!
//! Each drives the production cashier, `settle`, `classify` and journal through the traits `Clock`,
//! `Wire` and `Disk`, and holds what the journal says against a bank's ledger. A plain `cargo test`
//! runs a little of each; `BALCAO_MACHINES=usual` what CI runs, `BALCAO_MACHINES=long` more. Both
//! want `.ci/machine`, which optimises this crate and keeps every assertion.
//!
//! Together they reach 100% of the lines of cashier, `settle`, `classify` and window, measured by
//! `.ci/coverage` with as much of them as a plain `cargo test` runs.

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
mod paper;
mod process;
mod reopened;
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
