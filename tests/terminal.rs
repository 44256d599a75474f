//! The real program in a real terminal.

mod support;

#[path = "terminal/answers.rs"]
mod answers;
#[path = "terminal/asleep.rs"]
mod asleep;
#[path = "terminal/background.rs"]
mod background;
#[path = "terminal/cheap.rs"]
mod cheap;
#[path = "terminal/clipboard.rs"]
mod clipboard;
#[path = "terminal/complaints.rs"]
mod complaints;
#[path = "terminal/consent.rs"]
mod consent;
#[path = "terminal/cut_short.rs"]
mod cut_short;
#[path = "terminal/disks.rs"]
mod disks;
#[path = "terminal/doctor.rs"]
mod doctor;
#[path = "terminal/ends.rs"]
mod ends;
#[path = "terminal/environment.rs"]
mod environment;
#[path = "terminal/first_run.rs"]
mod first_run;
#[path = "terminal/graphemes.rs"]
mod graphemes;
#[path = "terminal/harness.rs"]
mod harness;
#[path = "terminal/help.rs"]
mod help;
#[path = "terminal/helper_vault.rs"]
mod helper_vault;
#[path = "terminal/in_flight.rs"]
mod in_flight;
#[path = "terminal/journal.rs"]
mod journal;
#[path = "terminal/lists.rs"]
mod lists;
#[path = "terminal/memory.rs"]
mod memory;
#[path = "terminal/needs_tools.rs"]
mod needs_tools;
#[path = "terminal/one_journal.rs"]
mod one_journal;
#[path = "terminal/pictures.rs"]
mod pictures;
#[path = "terminal/profiles.rs"]
mod profiles;
#[path = "terminal/proof.rs"]
mod proof;
#[path = "terminal/proxies.rs"]
mod proxies;
#[path = "terminal/read_only.rs"]
mod read_only;
#[path = "terminal/redact.rs"]
mod redact;
#[path = "terminal/sandbox.rs"]
mod sandbox;
#[path = "terminal/seller.rs"]
mod seller;
#[path = "terminal/session.rs"]
mod session;
#[path = "terminal/share.rs"]
mod share;
#[path = "terminal/sight.rs"]
mod sight;
#[path = "terminal/taught.rs"]
mod taught;
#[path = "terminal/two_windows.rs"]
mod two_windows;
