//! Texts about the findings of `balcao doctor`: the state of each checked item, and advice.

use super::failure::{self, Activity, FailureText};
use super::{Catalogue, dates};
use crate::trade::checkup::{Agreement, Checkup, Fact, Finding, FoundTrouble, Verdict};
use crate::trade::{Failure, Untrusted, VaultKind, Wall};

/// The time of the report, and the reader's UTC offset in seconds east.
pub type ReadAt = (Wall, i32);

/// The end of the ids of advice.
const ADVICE: &str = "-next";

/// The id of the message that names the examined item.
pub fn label_id(finding: &Finding) -> String {
    format!("doctor-{}", finding.id.replace('.', "-"))
}

/// The ids of the messages about a finding, each with the number to insert, if any. If something is
/// not fine, they include the advice, whose ids end with `-next`.
pub fn message_ids(words: &Catalogue, finding: &Finding) -> Vec<(String, Option<u64>)> {
    let base = match finding.full_path {
        Some(_) => "doctor-place".to_owned(),
        None => label_id(finding),
    };
    let mut ids = vec![];
    for (case, number) in &finding.cases {
        let id = format!("{base}.{case}");
        ids.push((format!("{id}{ADVICE}"), None));
        ids.push((id, *number));
        if let ("trouble", Some(FoundTrouble::Requests(trouble))) = (*case, &finding.trouble) {
            ids.push((format!("said-history.{}", trouble.name()), None));
        }
    }
    let is_fine = finding.verdict == Verdict::Fine;
    ids.retain(|(id, _)| words.has_message(id) && !(is_fine && id.ends_with(ADVICE)));
    ids
}

/// The text about the seller's agreement to the API contract.
pub fn agreement(words: &Catalogue, agreement: &Agreement) -> String {
    let (answer, count) = agreement.answer();
    words.count(&format!("doctor-contract-lines.{answer}"), count, &[])
}

/// The texts about a finding of `balcao doctor`. They include the full path of a file only if
/// `is_owner` is true, because other readers should not see it.
pub fn describe(words: &Catalogue, finding: &Finding, at: ReadAt, is_owner: bool) -> FailureText {
    let values = inserted_values(words, finding, at, is_owner);
    let values: Vec<_> = values
        .iter()
        .map(|(name, value)| (*name, value.as_str()))
        .collect();
    let mut sentences = vec![];
    let mut next = vec![];
    for (id, number) in message_ids(words, finding) {
        let text = match number {
            Some(number) => words.count(&id, number, &[]),
            None => words.with(&id, &values),
        };
        if id.ends_with(ADVICE) {
            next.push(text)
        } else {
            sentences.push(text)
        }
    }
    let next = next.join(" ");
    let what = match finding.id {
        "vault.kind" => vault(words, finding, &values),
        "terminal.kind" => sentences.join(", "),
        _ => sentences.join("; "),
    };
    match &finding.trouble {
        None | Some(FoundTrouble::Requests(_)) => FailureText {
            what,
            next,
            ..FailureText::default()
        },
        Some(FoundTrouble::Settings(fault)) => FailureText {
            what,
            next,
            quotes: vec![(
                words.text("doctor-configuration-settings.told"),
                fault.clone(),
            )],
            ..FailureText::default()
        },
        Some(FoundTrouble::Vault(trouble)) => {
            let text = failure::vault(words, trouble);
            FailureText {
                what: format!("{what}. {}", text.what),
                ..text
            }
        }
        Some(FoundTrouble::Journal(trouble)) => failure::journal(words, trouble),
        Some(FoundTrouble::History(trouble)) => {
            failure::describe(words, &Failure::Journal(trouble.clone()), Activity::Link)
        }
    }
}

/// The values for the messages about a finding, each with its name.
fn inserted_values(
    words: &Catalogue,
    finding: &Finding,
    at: ReadAt,
    is_owner: bool,
) -> Vec<(&'static str, String)> {
    let facts = finding
        .facts
        .iter()
        .map(|(name, fact)| (*name, value(words, name, fact, at)));
    let values = finding
        .values
        .iter()
        .map(|(name, text)| (*name, text.shown_within(40)));
    let path = finding
        .full_path
        .iter()
        .filter(|_| is_owner)
        .map(|path| ("path", path.shown()));
    let time_span = match finding.facts[..] {
        [("secondsAhead", Fact::Number(ahead))] => Some(("span", span(words, ahead))),
        _ => None,
    };
    facts.chain(values).chain(path).chain(time_span).collect()
}

fn value(words: &Catalogue, name: &str, fact: &Fact, at: ReadAt) -> String {
    match fact {
        // A message can choose the noun for one number only, so each comes with its noun.
        Fact::Number(number) if matches!(name, "links" | "charges" | "requests") => {
            words.count(&format!("rows-{name}"), number.unsigned_abs(), &[])
        }
        Fact::Nothing | Fact::Flag(_) => String::new(),
        Fact::Number(number) => number.to_string(),
        Fact::Text(text) => Untrusted::shown_of(text),
        Fact::Texts(texts) => texts.join(", "),
        Fact::Moment(end) => dates::moment(words, at, *end),
    }
}

/// The text about the vault (the store for credentials): its kind, the reason why it is used, and
/// whether it stores credentials.
fn vault(words: &Catalogue, finding: &Finding, facts: &[(&str, &str)]) -> String {
    let fact = |expected_name| {
        facts
            .iter()
            .find(|(name, _)| *name == expected_name)
            .map_or("", |fact| fact.1)
    };
    let mut kind = words.with("doctor-vault-kind.kind", &[("name", fact("kind"))]);
    // Show the vault command, so that the user notices a command configured by another person. Such
    // a command could forge the user's consent to the API contract.
    if let Some((_, command)) = finding.values.first() {
        kind.push_str(&format!(" {}", command.shown()));
    }
    let source = words.text(&format!("doctor-vault-kind.{}", fact("chosenBy")));
    // Do not mention storing credentials for the demo and for environment variables, which never
    // store any.
    let stores_credentials =
        fact("chosenBy") != "demo" && fact("kind") != VaultKind::Environment.name();
    let ability = if !stores_credentials || finding.trouble.is_some() {
        return format!("{kind} ({source})");
    } else if finding.facts.contains(&("stores", Fact::Flag(true))) {
        words.text("doctor-vault-kind.stores")
    } else {
        words.text("doctor-vault-kind.reads")
    };
    format!("{kind} ({source}); {ability}")
}

/// Formats a time span in seconds, minutes, hours or days. A unit larger than seconds is used only
/// for at least two of it, so 90 seconds are not shown as minutes.
fn span(words: &Catalogue, seconds: i64) -> String {
    let (id, unit_seconds) = match seconds.unsigned_abs() {
        0..120 => ("doctor-network-clock.seconds", 1),
        120..7_200 => ("doctor-network-clock.minutes", 60),
        7_200..172_800 => ("doctor-network-clock.hours", 3_600),
        _ => ("doctor-network-clock.days", 86_400),
    };
    words.count(id, seconds.unsigned_abs() / unit_seconds, &[])
}

/// The heading of a group of findings, such as the findings about the network.
pub fn subject(words: &Catalogue, subject: &str) -> String {
    words.text(&format!("doctor-group-{subject}"))
}

/// The name of a verdict in the user's language.
pub fn verdict(words: &Catalogue, verdict: Verdict) -> String {
    words.text(&format!("doctor-verdict-{}", verdict.name()))
}

/// A summary of all findings in one sentence.
pub fn summary(words: &Catalogue, checkup: &Checkup) -> String {
    match checkup.verdict() {
        Verdict::Fine => words.text("doctor-all-fine"),
        Verdict::Note => words.count("doctor-notes", checkup.count(Verdict::Note), &[]),
        Verdict::Broken => words.count("doctor-broken", checkup.count(Verdict::Broken), &[]),
    }
}

/// The number of columns by which the advice below a finding is indented.
pub const INDENT: usize = 14;

/// The report of `balcao doctor` as lines of plain text, for terminals and support requests.
///
/// If `with_quotes` is true, the report includes quotes from files and other programs, which may
/// contain personal data.
pub fn report(words: &Catalogue, checkup: &Checkup, at: ReadAt, with_quotes: bool) -> Vec<String> {
    let mut lines = Vec::new();
    let mut last_subject = None;
    for finding in checkup.findings() {
        if last_subject != Some(finding.subject()) {
            last_subject = Some(finding.subject());
            lines.push(subject(words, finding.subject()));
        }
        let text = describe(words, finding, at, with_quotes);
        let word = format!("[{}]", verdict(words, finding.verdict));
        lines.push(format!(
            "  {word:<10}  {}: {}",
            words.text(&label_id(finding)),
            text.what
        ));
        let indent = " ".repeat(INDENT);
        if !text.next.is_empty() {
            lines.push(format!("{indent}{}", text.next));
        }
        let quotes = text.quotes.iter().filter(|_| with_quotes);
        for (label, quote) in quotes {
            let quote = quote.shown_lines();
            let quote = quote.trim_end().replace('\n', &format!("\n{indent}"));
            lines.push(format!("{indent}{label} {quote}"));
        }
    }
    lines.push(summary(words, checkup));
    lines.push(words.text("doctor-sent-nothing"));
    lines
}
