//! The real program in a real terminal.

#[path = "../support/mod.rs"]
mod support;

mod answers;
mod asleep;
mod background;
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
mod graphemes;
mod harness;
mod help;
mod helper_vault;
mod in_flight;
mod journal;
mod lists;
mod memory;
mod needs_tools;
mod one_journal;
mod pictures;
mod profiles;
mod proof;
mod proxies;
mod read_only;
mod redact;
mod sandbox;
mod seller;
mod session;
mod share;
mod sight;
mod taught;
mod two_windows;
