//! Tests of the whole program ("stories"), with the real main loop, HTTP client, SQLite files and
//! sandbox. Only two parts are replaced: the terminal by a buffer, and the clock by a clock that
//! tests can move.
//!
//! The module `shop` is the environment of the app, and `counter` is the app with its simulated
//! user.

mod charges;
mod consent;
mod counter;
mod demo;
mod dialects;
mod doctor;
mod duplicates;
mod faults;
mod glass;
mod guarded_vault;
mod history;
mod keystrokes;
mod leftovers;
mod links;
mod login;
mod nicknames;
mod panics;
mod person;
mod receipts;
mod remembered;
mod reopened;
#[path = "../support/secrets.rs"]
mod secrets;
mod share;
mod shop;
mod tap;
mod trouble;
mod two_accounts;
mod walk;
mod windows;
mod withdrawals;
