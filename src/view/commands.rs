//! What the commands about the journal say, outside the screen, in the seller's language.
//!
//! Whatever comes from outside, a path too, is shown so that it cannot command a terminal.

use super::failure::{self, Told};
use super::{Look, links, locked};
use crate::trade::withdrawal::WithdrawalState;
use crate::trade::{JournalTrouble, PaymentLink, Untrusted, VaultTrouble};
use crate::words::names;

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
pub fn whole(look: &Look, whole: &Whole) -> String {
    let mut lines = vec![look.say("verify-healthy")];
    let total: u64 = whole.states.iter().map(|(_, count)| count).sum();
    let states: Vec<String> = whole
        .states
        .iter()
        .map(|(state, count)| look.words.count(counted(state), *count, &[]))
        .collect();
    let states = if states.is_empty() { String::new() } else { format!(": {}", states.join(", ")) };
    for (label, value) in [
        ("verify-file", whole.file.shown()),
        ("verify-last", whole.events.to_string()),
        ("verify-sum", whole.sum.clone()),
        ("verify-count", format!("{total}{states}")),
    ] {
        lines.push(format!("  {:<20}  {value}", look.say(label)));
    }
    if whole.is_ahead {
        lines.push(look.say("verify-ahead"));
    }
    if whole.is_copy {
        lines.push(read_on_copy(look));
    }
    lines.join("\n")
}

/// How many withdrawals are in a state.
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

/// That a write was cut short, and that a copy was read.
pub fn read_on_copy(look: &Look) -> String {
    look.say("journal-copy")
}

/// The state of a withdrawal.
pub fn state(look: &Look, state: &WithdrawalState) -> String {
    names::state(look.words, state)
}

/// What became of a link, where there is no address to show for it.
pub fn no_link(look: &Look, link: &PaymentLink) -> String {
    links::tag(look, link).0
}

/// That the history was damaged and stands aside.
pub fn moved_aside(look: &Look, why: &Untrusted, to: &Untrusted) -> String {
    look.words.with("history-moved", &[("why", &why.shown()), ("to", &to.shown())])
}

/// That what is on this machine did not prove to be the sandbox, whose journal lies here too.
pub fn unproven(look: &Look, address: &str, folder: &Untrusted) -> String {
    let values = [("address", &*Untrusted::from(address).shown()), ("folder", &*folder.shown())];
    look.words.with("unproven-loopback", &values)
}

/// What is wrong with a journal, and the ways out.
pub fn trouble(look: &Look, dir: &Untrusted, trouble: &JournalTrouble) -> String {
    let Told { what, quotes, .. } = failure::journal(look, trouble);
    let mut lines = vec![what, format!("  {} {}", look.say("locked-folder"), dir.shown())];
    lines.extend(quotes.iter().map(|(label, words)| format!("  {label} {}", words.shown())));
    lines.extend(locked::ways(look, trouble));
    lines.push(look.say("verify-backup"));
    lines.join("\n")
}

/// What the vault answered instead.
pub fn vault(look: &Look, trouble: &VaultTrouble) -> String {
    failure::vault(look, trouble).what
}

/// That there is no journal, and that nothing says there should be one.
pub fn none_here(look: &Look, dir: &Untrusted) -> String {
    let folder = look.say("locked-folder");
    format!("{}\n  {folder} {}", look.say("verify-none-here"), dir.shown())
}

/// That an export holds personal data.
pub fn personal(look: &Look) -> String {
    look.say("export-personal")
}

/// How many events were exported; whether they are all.
pub fn exported(look: &Look, events: u64, is_whole: bool) -> String {
    look.words.count(if is_whole { "export-whole" } else { "export-until" }, events, &[])
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
pub fn go_on(look: &Look, step: GoOn, dir: &Untrusted) -> String {
    let with = |id, name| look.words.with(id, &[(name, &dir.shown())]);
    match step {
        GoOn::ForgetMeans => with("forget-means", "dir"),
        GoOn::Forgotten => look.say("forget-done"),
        GoOn::NotKnown => with("forget-nothing", "dir"),
        GoOn::StillThere => with("forget-there", "dir"),
        GoOn::AsideMeans => with("set-aside-means", "dir"),
        GoOn::Aside => with("set-aside-done", "to"),
        GoOn::Healthy => with("set-aside-healthy", "dir"),
        GoOn::InFlight => look.say("set-aside-in-flight"),
    }
}

/// That something still remembers a journal that was set aside.
pub fn still_marked(look: &Look) -> String {
    look.say("set-aside-marked")
}

/// Asks for a name to be typed.
pub fn type_name(look: &Look, name: &Untrusted) -> String {
    look.words.with("type-name", &[("name", &name.shown())])
}

/// That nothing was done.
pub fn given_up(look: &Look) -> String {
    look.say("given-up")
}

/// What a purge will take away.
pub fn purge_will(look: &Look, date: &str, withdrawals: u64, rows: u64) -> String {
    let mut lines = vec![look.words.with("purge-will", &[("date", date)])];
    for (id, count) in [("purge-withdrawals", withdrawals), ("purge-history", rows)] {
        if count > 0 {
            lines.push(format!("  {}", look.words.count(id, count, &[])));
        }
    }
    lines.push(look.say("purge-kept"));
    lines.join("\n")
}

/// That there is nothing to purge.
pub fn purge_nothing(look: &Look, date: &str) -> String {
    look.words.with("purge-nothing", &[("date", date)])
}

/// Asks whether to purge, and the word that says so.
pub fn purge_ask(look: &Look) -> (String, String) {
    (look.say("purge-ask"), look.say("purge-yes"))
}

/// That nobody can be asked.
pub fn purge_wants_yes(look: &Look) -> String {
    look.say("purge-wants-yes")
}

/// That it is done; with how many events the journal was verified, where there is one.
pub fn purge_done(look: &Look, events: Option<u64>) -> String {
    match events {
        Some(events) => look.words.count("purge-done", events, &[]),
        None => look.say("purge-done-history"),
    }
}

/// That a window kept the history from being written anew.
pub fn purge_held(look: &Look) -> String {
    look.say("purge-held")
}

/// What a purge does not look into.
pub fn purge_aside(look: &Look, name: &Untrusted) -> String {
    look.words.with("purge-aside", &[("name", &name.shown())])
}
