//! The machines that prove that a withdrawal never leaves twice.
//!
//! Each drives the production cashier, `settle`, `classify` and journal through the traits `Clock`,
//! `Wire` and `Disk`, and holds what the journal says against a bank's ledger. A plain `cargo test`
//! runs a little of each; `BALCAO_MACHINES=usual` what CI runs, `BALCAO_MACHINES=long` more. Both
//! want `--profile machines`, which is optimised and keeps every assertion.
//!
//! Together they reach 100% of the lines of cashier, `settle`, `classify` and window, measured by
//! `.ci/coverage` with as much of them as a plain `cargo test` runs.

#[path = "machines/bank.rs"]
mod bank;
#[path = "machines/chance.rs"]
mod chance;
#[path = "machines/clocks.rs"]
mod clocks;
#[path = "machines/damage.rs"]
mod damage;
#[path = "machines/death.rs"]
mod death;
#[path = "machines/effort.rs"]
mod effort;
#[cfg(target_os = "linux")]
#[path = "machines/hangups.rs"]
mod hangups;
#[path = "machines/headless.rs"]
mod headless;
#[path = "machines/io_errors.rs"]
mod io_errors;
#[allow(dead_code, reason = "the tests of the terminal use the rest")]
#[path = "terminal/seller.rs"]
mod keyboard;
#[path = "machines/kill_9.rs"]
mod kill_9;
#[path = "machines/memory.rs"]
mod memory;
#[path = "machines/model.rs"]
mod model;
#[path = "machines/paper.rs"]
mod paper;
#[path = "machines/process.rs"]
mod process;
#[path = "machines/reopened.rs"]
mod reopened;
#[path = "machines/scene.rs"]
mod scene;
#[cfg(target_os = "linux")]
#[path = "machines/screen_kills.rs"]
mod screen_kills;
#[path = "machines/seller.rs"]
mod seller;
#[path = "machines/simulation.rs"]
mod simulation;
#[path = "machines/socket_bank.rs"]
mod socket_bank;
mod support;
#[path = "machines/trace.rs"]
mod trace;
#[cfg(target_os = "linux")]
#[path = "machines/upgrade.rs"]
mod upgrade;
#[path = "machines/windows.rs"]
mod windows;
#[path = "machines/wires.rs"]
mod wires;
