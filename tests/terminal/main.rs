//! The real program in a real terminal, and what it works with on a real system: a keyring, `pass`,
//! a buyer's browser.

#[path = "../support/mod.rs"]
mod support;

mod answers;
mod asleep;
mod background;
mod browser;
mod cheap;
mod clipboard;
mod complaints;
mod consent;
mod cut_short;
mod disks;
mod doctor;
mod ends;
mod environment;
mod first_run;
mod harness;
mod help;
mod helper_vault;
mod in_flight;
mod journal;
mod keyring;
mod lists;
mod memory;
mod needs_tools;
mod one_journal;
mod pictures;
mod profiles;
mod proof;
mod proxies;
mod sandbox;
mod seller;
mod session;
mod share;
mod sight;
mod taught;
mod two_windows;
