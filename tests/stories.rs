//! Whole-program stories: the real loop, the real HTTP client, real SQLite files and the real
//! sandbox; only the terminal is a buffer, and the clock can be moved.

#[path = "stories/charges.rs"]
mod charges;
#[path = "stories/consent.rs"]
mod consent;
#[path = "stories/counter.rs"]
mod counter;
#[path = "stories/demo.rs"]
mod demo;
#[path = "stories/dialects.rs"]
mod dialects;
#[path = "stories/doctor.rs"]
mod doctor;
#[path = "stories/duplicates.rs"]
mod duplicates;
#[path = "stories/faults.rs"]
mod faults;
#[path = "stories/glass.rs"]
mod glass;
#[path = "stories/history.rs"]
mod history;
#[path = "stories/keystrokes.rs"]
mod keystrokes;
#[path = "stories/leftovers.rs"]
mod leftovers;
#[path = "stories/links.rs"]
mod links;
#[path = "stories/login.rs"]
mod login;
#[path = "stories/nicknames.rs"]
mod nicknames;
#[path = "stories/panics.rs"]
mod panics;
#[path = "stories/person.rs"]
mod person;
#[path = "stories/receipts.rs"]
mod receipts;
#[path = "stories/recorded.rs"]
mod recorded;
#[path = "support/recorder.rs"]
mod recorder;
#[path = "stories/remembered.rs"]
mod remembered;
#[path = "stories/reopened.rs"]
mod reopened;
#[path = "support/secrets.rs"]
mod secrets;
#[path = "stories/share.rs"]
mod share;
#[path = "stories/shop.rs"]
mod shop;
#[path = "stories/tap.rs"]
mod tap;
#[path = "stories/trouble.rs"]
mod trouble;
#[path = "stories/two_accounts.rs"]
mod two_accounts;
#[path = "stories/walk.rs"]
mod walk;
#[path = "stories/windows.rs"]
mod windows;
#[path = "stories/withdrawals.rs"]
mod withdrawals;
