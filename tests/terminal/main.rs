//! Tests the real app in a pseudo-terminal, together with real programs of the operating system:
//! keyrings, `pass`, tmux and a browser.

#![allow(
    clippy::too_many_lines,
    reason = "tests have long tables and scenarios; `tests/tidy` has a limit of its own"
)]

#[path = "../support/mod.rs"]
mod support;

mod accessible;
mod background;
mod browser;
mod clipboard;
mod consent;
mod cut_short;
mod damage;
mod disks;
mod display;
mod doctor;
mod ends;
mod environment;
mod first_run;
mod harness;
mod help;
mod helper_vault;
mod idle;
mod import;
mod in_flight;
mod journal;
mod json;
mod keyring;
#[cfg(target_os = "linux")]
mod kiosk;
mod lists;
mod log;
mod manual;
mod memory;
mod needs_tools;
mod one_journal;
mod output_bytes;
mod pictures;
mod play;
mod profiles;
mod proof;
mod proxies;
mod reconcile;
mod redact;
mod replay;
mod report;
mod requests;
mod sandbox;
mod seller;
mod session;
mod share;
mod slow_lines;
mod startup_errors;
mod support_file;
mod taught;
mod team;
mod terminal_replies;
mod two_windows;
mod widths;
