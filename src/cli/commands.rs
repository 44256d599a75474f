//! The sentences of the commands about the journal, in the seller's language.
//!
//! Whatever comes from outside, a path too, is shown so that it cannot command a terminal.

use crate::trade::withdrawal::WithdrawalState;
use crate::trade::{JournalTrouble, Untrusted};
use crate::words::Words;
use crate::words::failure::{self, FailureText};

/// What a journal holds that was found whole.
pub struct Whole {
    /// The database's path.
    pub file: Untrusted,
    /// The number of its last event.
    pub events: u64,
    /// The checksum of all of them, in hexadecimal.
    pub sum: String,
    /// How many withdrawals are in each state that there is.
    pub states: Vec<(WithdrawalState, u64)>,
    /// Whether its head is one event behind.
    pub is_ahead: bool,
    /// Whether a copy was read, in which a write that was cut short is undone.
    pub is_copy: bool,
}

/// A whole journal, in a few lines.
pub fn whole(words: &Words, whole: &Whole) -> String {
    let mut lines = vec![words.text("verify-healthy")];
    let total: u64 = whole.states.iter().map(|(_, count)| count).sum();
    let states: Vec<String> = whole
        .states
        .iter()
        .map(|(state, count)| words.count(counted(state), *count, &[]))
        .collect();
    let states = if states.is_empty() { String::new() } else { format!(": {}", states.join(", ")) };
    for (label, value) in [
        ("verify-file", whole.file.shown()),
        ("verify-last", whole.events.to_string()),
        ("verify-sum", whole.sum.clone()),
        ("verify-count", format!("{total}{states}")),
    ] {
        lines.push(format!("  {:<20}  {value}", words.text(label)));
    }
    if whole.is_ahead {
        lines.push(words.text("verify-ahead"));
    }
    if whole.is_copy {
        lines.push(read_on_copy(words));
    }
    lines.join("\n")
}

/// The message that counts the withdrawals in a state.
fn counted(state: &WithdrawalState) -> &'static str {
    match state {
        WithdrawalState::Prepared => "verify-prepared",
        WithdrawalState::Sending(_) => "verify-sending",
        WithdrawalState::Unknown => "verify-unknown",
        WithdrawalState::Accepted => "verify-accepted",
        WithdrawalState::Rejected => "verify-rejected",
        WithdrawalState::NeedsPerson(_) => "verify-needs-person",
        WithdrawalState::Mismatch(_) => "verify-mismatch",
        WithdrawalState::Discarded => "verify-discarded",
        WithdrawalState::ResolvedPaid => "verify-resolved-paid",
        WithdrawalState::ResolvedNotPaid => "verify-resolved-not-paid",
    }
}

/// Says that a write was cut short, and that a copy was read.
pub fn read_on_copy(words: &Words) -> String {
    words.text("journal-copy")
}

/// Says that the history was damaged and stands aside.
pub fn moved_aside(words: &Words, why: &Untrusted, to: &Untrusted) -> String {
    words.with("history-moved", &[("why", &why.shown()), ("to", &to.shown())])
}

/// Says that what is on this machine did not prove to be the sandbox, whose journal lies here too.
pub fn unproven(words: &Words, address: &str, folder: &Untrusted) -> String {
    let values = [("address", &*Untrusted::from(address).shown()), ("folder", &*folder.shown())];
    words.with("unproven-loopback", &values)
}

/// The trouble with a journal, and the ways out.
pub fn trouble(words: &Words, dir: &Untrusted, trouble: &JournalTrouble) -> String {
    let FailureText { what, quotes, .. } = failure::journal(words, trouble);
    let mut lines = vec![what, format!("  {} {}", words.text("locked-folder"), dir.shown())];
    lines.extend(quotes.iter().map(|(label, text)| format!("  {label} {}", text.shown())));
    lines.extend(failure::ways_out(words, trouble));
    lines.push(words.text("verify-backup"));
    lines.join("\n")
}

/// Says that there is no journal, and that nothing says there should be one.
pub fn none_here(words: &Words, dir: &Untrusted) -> String {
    let folder = words.text("locked-folder");
    format!("{}\n  {folder} {}", words.text("verify-none-here"), dir.shown())
}

/// Says that an export holds personal data.
pub fn personal(words: &Words) -> String {
    words.text("export-personal")
}

/// The number of exported events, and whether they are all.
pub fn exported(words: &Words, events: u64, is_whole: bool) -> String {
    words.count(if is_whole { "export-whole" } else { "export-until" }, events, &[])
}

/// A step of forgetting a journal that is gone, or of setting a damaged one aside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GoOn {
    /// What it means to forget one.
    ForgetMeans,
    /// It is forgotten.
    Forgotten,
    /// There was none to forget.
    NotKnown,
    /// There is one.
    StillThere,
    /// What it means to set one aside.
    AsideMeans,
    /// It stands aside.
    Aside,
    /// It is whole.
    Healthy,
    /// Something is being sent.
    InFlight,
}

/// The words of a step, about this directory.
pub fn go_on(words: &Words, step: GoOn, dir: &Untrusted) -> String {
    let with = |id, name| words.with(id, &[(name, &dir.shown())]);
    match step {
        GoOn::ForgetMeans => with("forget-means", "dir"),
        GoOn::Forgotten => words.text("forget-done"),
        GoOn::NotKnown => with("forget-nothing", "dir"),
        GoOn::StillThere => with("forget-there", "dir"),
        GoOn::AsideMeans => with("set-aside-means", "dir"),
        GoOn::Aside => with("set-aside-done", "to"),
        GoOn::Healthy => with("set-aside-healthy", "dir"),
        GoOn::InFlight => words.text("set-aside-in-flight"),
    }
}

/// Says that something still remembers a journal that was set aside.
pub fn still_marked(words: &Words) -> String {
    words.text("set-aside-marked")
}

/// Asks for a name to be typed.
pub fn type_name(words: &Words, name: &Untrusted) -> String {
    words.with("type-name", &[("name", &name.shown())])
}

/// Says that nothing was done.
pub fn given_up(words: &Words) -> String {
    words.text("given-up")
}

/// The things that a purge will take away.
pub fn purge_will(words: &Words, date: &str, withdrawals: u64, rows: u64) -> String {
    let mut lines = vec![words.with("purge-will", &[("date", date)])];
    for (id, count) in [("purge-withdrawals", withdrawals), ("purge-history", rows)] {
        if count > 0 {
            lines.push(format!("  {}", words.count(id, count, &[])));
        }
    }
    lines.push(words.text("purge-kept"));
    lines.join("\n")
}

/// Says that there is nothing to purge.
pub fn purge_nothing(words: &Words, date: &str) -> String {
    words.with("purge-nothing", &[("date", date)])
}

/// Asks whether to purge, and the word that says so.
pub fn purge_ask(words: &Words) -> (String, String) {
    (words.text("purge-ask"), words.text("purge-yes"))
}

/// Says that there is no terminal on which to ask.
pub fn purge_wants_yes(words: &Words) -> String {
    words.text("purge-wants-yes")
}

/// Says that it is done; with how many events the journal was verified, where there is one.
pub fn purge_done(words: &Words, events: Option<u64>) -> String {
    match events {
        Some(events) => words.count("purge-done", events, &[]),
        None => words.text("purge-done-history"),
    }
}

/// Says that a window kept the history from being written anew.
pub fn purge_held(words: &Words) -> String {
    words.text("purge-held")
}

/// Names what a purge does not look into.
pub fn purge_aside(words: &Words, name: &Untrusted) -> String {
    words.with("purge-aside", &[("name", &name.shown())])
}
