//! Tests of the whole app ("stories"), with the real main loop, HTTP client, SQLite files and
//! sandbox. Only two parts are replaced: the terminal by a buffer, and the clock by a clock that a
//! test can move forward.
//!
//! The module `test_env` creates the environment of the app. The module `app` contains the app and
//! its simulated user.

#![allow(
    clippy::too_many_lines,
    reason = "tests have long tables and scenarios; `tests/tidy` has a limit of its own"
)]

mod app;
mod charges;
mod consent;
mod demo;
mod dialects;
mod doctor;
mod duplicates;
mod exports;
mod faults;
mod guarded_vault;
mod history;
mod hostile;
mod imports;
mod keystrokes;
mod leftovers;
mod links;
mod login;
mod nicknames;
mod panics;
mod person;
#[path = "../support/postgres.rs"]
mod postgres;
mod receipts;
mod reconcile;
mod recordings;
#[allow(dead_code, reason = "the machine of a team uses the rest")]
#[path = "../support/relay.rs"]
mod relay;
mod remembered;
mod reopened;
mod replays;
mod screen_recorder;
#[path = "../support/secrets.rs"]
mod secrets;
mod shapes;
mod share;
mod tap;
mod teaching;
mod team;
mod test_env;
#[path = "../support/tools.rs"]
mod tools;
mod trouble;
mod two_accounts;
mod unattended;
mod walk;
mod windows;
mod withdrawals;
