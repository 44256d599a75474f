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
#[path = "machines/effort.rs"]
mod effort;
#[path = "machines/memory.rs"]
mod memory;
#[path = "machines/model.rs"]
mod model;
#[path = "machines/seller.rs"]
mod seller;
#[path = "machines/simulation.rs"]
mod simulation;
#[path = "machines/wires.rs"]
mod wires;
