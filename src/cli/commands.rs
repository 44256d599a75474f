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
        lines.push(words.text("journal-copy"));
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

/// The trouble with a journal, and the ways out.
pub fn trouble(words: &Words, dir: &Untrusted, trouble: &JournalTrouble) -> String {
    let FailureText { what, quotes, .. } = failure::journal(words, trouble);
    let mut lines = vec![what, format!("  {} {}", words.text("locked-folder"), dir.shown())];
    lines.extend(quotes.iter().map(|(label, text)| format!("  {label} {}", text.shown())));
    lines.extend(failure::ways_out(words, trouble));
    lines.push(words.text("verify-backup"));
    lines.join("\n")
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

/// The sentence about a field of the login that the service would not take.
pub fn login_field(words: &Words, label: &str, fault: &FieldFault) -> String {
    match fault {
        FieldFault::Missing => words.with("login-blank", &[("label", label)]),
        fault => format!("{label}: {}.", field_error(words, &FieldError::Fault(fault.clone()))),
    }
}

/// The sentence for a login that is done, with where it is kept.
pub fn logged_in(words: &Words, identity: &str, vault: VaultKind) -> String {
    let identity = personal::name(words, identity).shown();
    let place = words.text(&format!("keeper-{}", vault.name()));
    words.with("login-done", &[("identity", &identity), ("place", &place)])
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
