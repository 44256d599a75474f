//! Whole-program stories: the real loop, the real HTTP client, real SQLite files and the real
//! sandbox; only the terminal is a buffer, and the clock can be moved.

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
