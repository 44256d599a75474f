//! The checkup for scripts and support: facts alone, and nothing that names a person.
//!
//! The words of files and other programs are left out, for they may quote anything.

use serde_json::{Value, json};

use super::super::history_json::moment;
use crate::trade::checkup::{
    AddressFound, Checkup, CheckupFinding, ClockFound, ColourSource, CredentialFound, FileOwner,
    HistoryFound, HostFault, HostReply, JournalFound, LetterSet, NameFound, PlaceState, VaultUse,
    Verdict, WindowFound,
};
use crate::trade::{JournalTrouble, Wall};

/// The shape of the object; a key is only ever added without a new number.
const FORMAT: u32 = 1;

/// All of it as one object.
pub fn checkup(checkup: &Checkup) -> Value {
    let count = |verdict: Verdict| (verdict.name().to_owned(), checkup.count(verdict).into());
    json!({
        "format": FORMAT,
        "verdict": checkup.verdict().name(),
        "counts": Value::Object(Verdict::ALL.into_iter().map(count).collect()),
        "findings": checkup.findings().iter().map(finding).collect::<Vec<_>>(),
    })
}

fn finding(finding: &CheckupFinding) -> Value {
    json!({
        "id": finding.id(),
        "verdict": finding.verdict().name(),
        "facts": facts(finding),
    })
}

fn facts(finding: &CheckupFinding) -> Value {
    match finding {
        CheckupFinding::Window(WindowFound::NoTerminal) => json!({ "terminal": false }),
        CheckupFinding::Window(WindowFound::Size { columns, rows, least_columns, least_rows }) => {
            json!({
                "terminal": true, "columns": columns, "rows": rows,
                "leastColumns": least_columns, "leastRows": least_rows,
            })
        }
        CheckupFinding::Terminal(found) => json!({
            "term": found.name.as_ref().map(|name| name.shown()),
            "tmux": found.tmux, "ssh": found.ssh,
        }),
        CheckupFinding::Colours(source) => json!({ "colours": match source {
            ColourSource::NoColour => "none",
            ColourSource::Many => "256",
            ColourSource::Few => "16",
        } }),
        CheckupFinding::Letters(letters) => match letters {
            LetterSet::All => json!({ "letters": "all" }),
            LetterSet::ByChoice => json!({ "letters": "plain", "because": "settings" }),
            LetterSet::Console => json!({ "letters": "plain", "because": "console" }),
            LetterSet::Locale(locale) => {
                json!({ "letters": "plain", "because": "locale", "locale": locale.shown() })
            }
        },
        CheckupFinding::TimeZone(_) => json!({ "read": false }),
        CheckupFinding::Copying(way) => {
            json!({ "way": way.program.unwrap_or("terminal"), "missing": way.missing })
        }
        CheckupFinding::Place(found) => place(&found.for_others().path.shown(), found.state),
        CheckupFinding::Settings { profiles } => json!({ "read": true, "profiles": profiles }),
        CheckupFinding::SettingsFault(fault) => json!({ "read": false, "part": fault.part.name() }),
        CheckupFinding::Contract(found) => json!({
            "presets": found.presets, "files": found.files,
            "differing": found.differing, "pending": found.pending,
        }),
        CheckupFinding::Vault(found) => json!({
            "kind": found.kind.name(), "chosenBy": found.source.name(),
            "works": found.state.is_ok(),
            "stores": found.state == Ok(VaultUse::Stores),
            "trouble": found.state.as_ref().err().map(|trouble| trouble.name()),
        }),
        CheckupFinding::Credential(_, found) => credential(*found),
        CheckupFinding::Journal(found) => journal(found),
        CheckupFinding::History(found) => history(found),
        CheckupFinding::Program(found) => json!({
            "balcao": found.version, "os": found.os, "arch": found.arch, "sqlite": found.sqlite,
            "moneySchema": found.money_schema, "historySchema": found.history_schema,
        }),
        CheckupFinding::Address(_)
        | CheckupFinding::Name(_)
        | CheckupFinding::Host(_)
        | CheckupFinding::Clock(_) => network(finding),
    }
}

fn place(path: &str, state: PlaceState) -> Value {
    match state {
        PlaceState::Absent => json!({ "path": path, "state": "absent" }),
        PlaceState::Unseen => json!({ "path": path, "state": "unseen" }),
        PlaceState::There { owner, mode } => {
            let owner = match owner {
                FileOwner::Own => "own",
                FileOwner::Root => "root",
                FileOwner::Other => "other",
            };
            json!({ "path": path, "state": "there", "owner": owner, "mode": format!("{mode:04o}") })
        }
    }
}

fn credential(found: CredentialFound) -> Value {
    let of = |state: &str, end: Option<Wall>| json!({ "state": state, "expires": end.map(moment) });
    match found {
        CredentialFound::Unknown => of("unknown", None),
        CredentialFound::Absent => of("absent", None),
        CredentialFound::Good(end) => of("good", end),
        CredentialFound::Expired(end) => of("expired", Some(end)),
    }
}

fn journal(found: &JournalFound) -> Value {
    match found {
        JournalFound::None => json!({ "state": "none" }),
        JournalFound::Late => json!({ "state": "late" }),
        JournalFound::Whole { schema, withdrawals, open, is_copy, is_marked } => json!({
            "state": "whole", "schema": schema, "withdrawals": withdrawals, "open": open,
            "cutShort": is_copy, "marked": is_marked,
        }),
        JournalFound::Trouble(why) => json!({ "state": "trouble", "trouble": trouble(why) }),
    }
}

fn history(found: &HistoryFound) -> Value {
    match found {
        HistoryFound::None => json!({ "state": "none" }),
        HistoryFound::There(schema) => json!({ "state": "there", "schema": schema }),
        HistoryFound::Trouble(why) => json!({ "state": "trouble", "trouble": trouble(why) }),
    }
}

fn trouble(trouble: &JournalTrouble) -> &'static str {
    match trouble {
        JournalTrouble::Damaged(_) => "damaged",
        JournalTrouble::Missing => "missing",
        JournalTrouble::MaybeMissing(_) => "maybe-missing",
        JournalTrouble::Elsewhere(_) => "elsewhere",
        JournalTrouble::Older { .. } => "older",
        JournalTrouble::OtherVersion { .. } => "other-version",
        JournalTrouble::ReadOnly(_) => "read-only",
        JournalTrouble::Full(_) => "full",
        JournalTrouble::NotPrivate(_) => "not-private",
        JournalTrouble::Network(_) => "network",
        JournalTrouble::Busy(_) => "busy",
        JournalTrouble::Io(_) => "io",
    }
}

fn network(finding: &CheckupFinding) -> Value {
    match finding {
        CheckupFinding::Address(AddressFound::ThisMachine(origin)) => {
            json!({ "origin": &*origin.0, "thisMachine": true })
        }
        CheckupFinding::Address(AddressFound::Secured(origin)) => {
            json!({ "origin": &*origin.0, "thisMachine": false })
        }
        CheckupFinding::Name(NameFound::NotNeeded) => json!({ "lookup": "not-needed" }),
        CheckupFinding::Name(NameFound::Found { v4, v6 }) => {
            json!({ "lookup": "found", "ipv4": v4, "ipv6": v6 })
        }
        CheckupFinding::Name(NameFound::ByProxy) => json!({ "lookup": "by-proxy" }),
        CheckupFinding::Name(NameFound::Unknown) => json!({ "lookup": "unknown" }),
        CheckupFinding::Name(NameFound::Late) => json!({ "lookup": "late" }),
        CheckupFinding::Host(HostReply::Answered { status, is_encrypted }) => {
            json!({ "answered": true, "status": status, "tls": is_encrypted })
        }
        CheckupFinding::Host(HostReply::Failed(fault)) => {
            let certificate = match fault {
                HostFault::Certificate(fault) => Some(fault.name()),
                _ => None,
            };
            json!({ "answered": false, "fault": fault.name(), "certificate": certificate })
        }
        CheckupFinding::Clock(ClockFound::Ahead(seconds)) => json!({ "secondsAhead": seconds }),
        CheckupFinding::Clock(ClockFound::Unknown) => json!({ "secondsAhead": null }),
        // An address that is not named.
        _ => json!({ "origin": null, "thisMachine": false }),
    }
}

#[cfg(test)]
mod tests;
