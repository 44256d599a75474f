//! The sentences of the commands about the journal, in the seller's language.
//!
//! All text from outside, a path too, is shown in a form that cannot command a terminal.

use crate::app::ui::failure::field_error;
use crate::app::ui::form::FieldError;
use crate::contract::FieldFault;
use crate::trade::withdrawal::{NotSent, WithdrawalState};
use crate::trade::{
    CredentialKind, Failure, JournalTrouble, Untrusted, VaultKind, VaultTrouble, Wall,
};
use crate::words::failure::{self, Doing, FailureText};
use crate::words::{Words, dates, personal};

/// The content of a journal that was found whole.
pub struct VerifyReport {
    /// The database's path.
    pub file: Untrusted,
    /// The number of its last event.
    pub events: u64,
    /// The checksum of all of them, in hexadecimal.
    pub sum: String,
    /// The number of withdrawals in each state that there is.
    pub states: Vec<(WithdrawalState, u64)>,
    /// Set where its head is one event behind.
    pub is_ahead: bool,
    /// Set where a copy was read, in which a write that was cut short is undone.
    pub is_copy: bool,
}

/// A whole journal, in a few lines.
pub fn verify_report(words: &Words, report: &VerifyReport) -> String {
    let mut lines = vec![words.text("verify-healthy")];
    let total: u64 = report.states.iter().map(|(_, count)| count).sum();
    let states: Vec<String> = report
        .states
        .iter()
        .map(|(state, count)| words.count(counted(state), *count, &[]))
        .collect();
    let states = if states.is_empty() { String::new() } else { format!(": {}", states.join(", ")) };
    for (label, value) in [
        ("verify-file", report.file.shown()),
        ("verify-last", report.events.to_string()),
        ("verify-sum", report.sum.clone()),
        ("verify-count", format!("{total}{states}")),
    ] {
        lines.push(format!("  {:<20}  {value}", words.text(label)));
    }
    if report.is_ahead {
        lines.push(words.text("verify-ahead"));
    }
    if report.is_copy {
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

/// The note that a write was cut short, and that a copy was read.
pub fn read_on_copy(words: &Words) -> String {
    words.text("journal-copy")
}

/// The note that the history was damaged and moved aside.
pub fn moved_aside(words: &Words, why: &Untrusted, to: &Untrusted) -> String {
    words.with("history-moved", &[("why", &why.shown()), ("to", &to.shown())])
}

/// The note that a service of this machine did not prove to be the sandbox with a journal here.
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

/// The sentence for no journal, where no marker remembers one.
pub fn none_here(words: &Words, dir: &Untrusted) -> String {
    let folder = words.text("locked-folder");
    format!("{}\n  {folder} {}", words.text("verify-none-here"), dir.shown())
}

/// The note that an export holds personal data.
pub fn personal(words: &Words) -> String {
    words.text("export-personal")
}

/// The number of exported events, as all of them or as those before the damage.
pub fn exported(words: &Words, events: u64, is_whole: bool) -> String {
    words.count(if is_whole { "export-whole" } else { "export-until" }, events, &[])
}

/// The number of exported links, charges and nicknames.
pub fn exported_rows(words: &Words, rows: u64) -> String {
    words.count("export-rows", rows, &[])
}

/// A step of forgetting a journal that is gone, or of setting a damaged one aside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecoveryStep {
    /// The meaning of forgetting one, before it is done.
    ForgetMeans,
    /// It is forgotten.
    Forgotten,
    /// There was none to forget.
    NotKnown,
    /// There is one.
    StillThere,
    /// The meaning of taking the journal here in place of one that is gone, before it is done.
    ReplaceMeans,
    /// The journal here is the live one now.
    MadeLive,
    /// The journal here is the live one already.
    IsLive,
    /// The meaning of setting one aside, before it is done.
    AsideMeans,
    /// It stands aside.
    Aside,
    /// It is whole.
    Healthy,
    /// A withdrawal is being sent.
    InFlight,
}

/// The words of a step, about this directory.
pub fn recovery_step(words: &Words, step: RecoveryStep, dir: &Untrusted) -> String {
    let with = |id, name| words.with(id, &[(name, &dir.shown())]);
    match step {
        RecoveryStep::ForgetMeans => with("forget-means", "dir"),
        RecoveryStep::Forgotten => words.text("forget-done"),
        RecoveryStep::NotKnown => with("forget-nothing", "dir"),
        RecoveryStep::StillThere => with("forget-there", "dir"),
        RecoveryStep::ReplaceMeans => with("forget-replace", "dir"),
        RecoveryStep::MadeLive => with("make-live-done", "dir"),
        RecoveryStep::IsLive => with("make-live-is", "dir"),
        RecoveryStep::AsideMeans => with("set-aside-means", "dir"),
        RecoveryStep::Aside => with("set-aside-done", "to"),
        RecoveryStep::Healthy => with("set-aside-healthy", "dir"),
        RecoveryStep::InFlight => words.text("set-aside-in-flight"),
    }
}

/// The meaning of making the journal here the live one in the place of another.
pub fn make_live_means(words: &Words, dir: &Untrusted, other: &Untrusted) -> String {
    words.with("make-live-means", &[("dir", &dir.shown()), ("other", &other.shown())])
}

/// The note that a marker still remembers a journal that was set aside.
pub fn still_marked(words: &Words) -> String {
    words.text("set-aside-marked")
}

/// The question that wants a name typed.
pub fn type_name(words: &Words, name: &Untrusted) -> String {
    words.with("type-name", &[("name", &name.shown())])
}

/// The sentence for a command that was given up.
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

/// The sentence for a purge that found nothing.
pub fn purge_nothing(words: &Words, date: &str) -> String {
    words.with("purge-nothing", &[("date", date)])
}

/// The question before a purge, and the word that confirms it.
pub fn purge_ask(words: &Words) -> (String, String) {
    (words.text("purge-ask"), words.text("purge-yes"))
}

/// The sentence for a purge without a terminal on which to ask.
pub fn purge_wants_yes(words: &Words) -> String {
    words.text("purge-wants-yes")
}

/// The sentence for a purge that is done; with the number of verified events of the journal.
pub fn purge_done(words: &Words, events: Option<u64>) -> String {
    match events {
        Some(events) => words.count("purge-done", events, &[]),
        None => words.text("purge-done-history"),
    }
}

/// The sentence for a history that another window kept from being written anew.
pub fn purge_held(words: &Words) -> String {
    words.text("purge-held")
}

/// The note that names a file which a purge does not open.
pub fn purge_aside(words: &Words, name: &Untrusted) -> String {
    words.with("purge-aside", &[("name", &name.shown())])
}

/// The sentences about a failure, one below the other.
pub fn failure(words: &Words, failed: &Failure, doing: Doing) -> String {
    let FailureText { what, moved, next, quotes } = failure::describe(words, failed, doing);
    let next = next_in_command(failed).map_or(next, |id| words.text(id));
    let quotes = quotes.iter().map(|(label, text)| format!("  {label} {}", text.shown()));
    let lines = [what].into_iter().chain(quotes).chain([moved, next]);
    lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}

/// The advice for a command, if that for a screen names a place that commands do not have.
fn next_in_command(failed: &Failure) -> Option<&'static str> {
    match failed {
        Failure::NotSent(NotSent::Dns) => Some("not-sent-dns.command"),
        Failure::Redirected { .. } => Some("redirected.command"),
        Failure::Unreadable { .. } => Some("unreadable.command"),
        Failure::Vault(
            VaultTrouble::Absent
            | VaultTrouble::Locked
            | VaultTrouble::Hangs
            | VaultTrouble::Other(_),
        ) => Some("vault-next.command"),
        _ => None,
    }
}

/// The question for a secret, which is not shown while it is typed.
pub fn login_hidden(words: &Words, label: &str) -> String {
    words.with("login-hidden", &[("label", label)])
}

/// The sentence about a field of the login that the service would not take.
pub fn login_field(words: &Words, label: &str, fault: &FieldFault) -> String {
    match fault {
        FieldFault::Missing => words.with("login-blank", &[("label", label)]),
        fault => format!("{label}: {}.", field_error(words, &FieldError::Fault(fault.clone()))),
    }
}

/// The sentence for a login with neither a terminal to ask on nor all that it needs.
pub fn login_wants_terminal(words: &Words) -> String {
    words.text("login-wants-terminal")
}

/// The sentence for a login whose credentials would end with the command.
pub fn login_into_memory(words: &Words) -> String {
    words.text("login-into-memory")
}

/// The sentence for a login that is done, with where it is kept.
pub fn logged_in(words: &Words, identity: &str, vault: VaultKind) -> String {
    let identity = personal::name(words, identity).shown();
    let place = words.text(&format!("keeper-{}", vault.name()));
    words.with("login-done", &[("identity", &identity), ("place", &place)])
}

/// The sentence for a logout that is done.
pub fn logged_out(words: &Words) -> String {
    words.text("logout-done")
}

/// The profile, the service and the vault that a session is about.
pub fn whoami_place(words: &Words, (profile, base, vault): (&str, &str, VaultKind)) -> String {
    let shown = |text: &str| Untrusted::from(text).shown();
    [
        ("account-profile", shown(profile)),
        ("account-service", shown(base)),
        ("account-kept", words.text(&format!("keeper-{}", vault.name()))),
    ]
    .map(|(label, value)| whoami_line(words, label, &value))
    .join("\n")
}

/// A credential: whose it is, and until when it is good.
pub fn whoami(
    words: &Words,
    kind: CredentialKind,
    known: Option<(&str, Option<Wall>)>,
    (now, utc_offset_s): (Wall, i32),
) -> String {
    let label = match kind {
        CredentialKind::ApiToken => "credential-api-token",
        CredentialKind::Jwt => "credential-jwt",
    };
    let Some((identity, expires)) = known else {
        return whoami_line(words, label, &words.text("whoami-none"));
    };
    let when = |at: Wall| dates::moment(words, (now, utc_offset_s), at);
    let until = match expires {
        None => words.text("credential-here"),
        Some(at) if now < at => words.with("credential-here-until", &[("when", &when(at))]),
        Some(at) => words.with("credential-expired", &[("when", &when(at))]),
    };
    let identity = personal::name(words, identity).shown();
    let value = if identity.is_empty() { until } else { format!("{identity}; {until}") };
    whoami_line(words, label, &value)
}

fn whoami_line(words: &Words, label: &str, value: &str) -> String {
    format!("{:<14}  {value}", words.text(label))
}
