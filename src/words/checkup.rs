//! The sentences about what a checkup found: what is so, and what to do where something is not.

use super::failure::{self, Doing, FailureText};
use super::{Words, dates};
use crate::trade::checkup::{
    Checkup, CheckupFinding, ClockFound, Fact, HistoryFound, JournalFound, VaultFound, VaultSource,
    VaultUse, Verdict,
};
use crate::trade::{Failure, Untrusted, VaultKind, Wall};

/// The sentences about one finding.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FindingText {
    /// The name of what was examined.
    pub label: String,
    /// The words for what was found.
    pub what: String,
    /// The words that say what to do; empty where there is nothing to do.
    pub next: String,
    /// The words of a file or another program about it, each behind a label; they may name
    /// somebody.
    pub quotes: Vec<(String, Untrusted)>,
}

/// The moment at which a report is read: the time, and the seconds east of UTC.
pub type ReadAt = (Wall, i32);

/// The sentences about a finding.
pub fn describe(words: &Words, finding: &CheckupFinding, at: ReadAt) -> FindingText {
    text(words, finding, at, true)
}

/// The same; only the owner of a file is shown its whole path.
fn text(words: &Words, finding: &CheckupFinding, at: ReadAt, is_owner: bool) -> FindingText {
    let told = finding.told();
    let facts = told.facts.iter().map(|(name, fact)| (*name, value(words, fact, at)));
    let values = told.values.iter().map(|(name, text)| (*name, text.shown_within(40)));
    let path = told.own_path.iter().filter(|_| is_owner).map(|path| ("path", path.shown()));
    let span = match finding {
        CheckupFinding::Clock(ClockFound::Ahead(ahead)) => Some(("span", span(words, *ahead))),
        _ => None,
    };
    let values: Vec<_> = facts.chain(values).chain(path).chain(span).collect();
    let values: Vec<_> = values.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let says = told.says.iter().map(|(id, number)| match number {
        Some(number) => words.count(id, *number, &[]),
        None => words.with(id, &values),
    });
    let between = if told.id == "terminal.kind" { ", " } else { "; " };
    let next = told.next.iter().map(|id| words.with(id, &values));
    let text = FindingText {
        label: words.text(told.label),
        what: says.collect::<Vec<_>>().join(between),
        next: next.collect::<Vec<_>>().join(" "),
        quotes: Vec::new(),
    };
    let of_failure = |what: FailureText| FindingText {
        label: text.label.clone(),
        what: what.what,
        next: what.next,
        quotes: what.quotes,
    };
    match finding {
        CheckupFinding::SettingsFault(fault) => {
            let quotes = vec![(words.text("doctor-settings.told"), fault.told.clone())];
            FindingText { quotes, ..text }
        }
        CheckupFinding::Vault(found) => of_failure(vault(words, found)),
        CheckupFinding::Journal(JournalFound::Trouble(trouble)) => {
            of_failure(failure::journal(words, trouble))
        }
        CheckupFinding::History(HistoryFound::Trouble(trouble)) => {
            of_failure(failure::describe(words, &Failure::Journal(trouble.clone()), Doing::Link))
        }
        _ => text,
    }
}

fn value(words: &Words, fact: &Fact, at: ReadAt) -> String {
    match fact {
        Fact::Nothing | Fact::Flag(_) => String::new(),
        Fact::Number(number) => number.to_string(),
        Fact::Text(text) => Untrusted::shown_of(text),
        Fact::Texts(texts) => texts.join(", "),
        Fact::Moment(end) => dates::moment(words, at, *end),
    }
}

/// The sentences about the vault.
fn vault(words: &Words, found: &VaultFound) -> FailureText {
    let mut kind = words.with("doctor-vault.kind", &[("name", found.kind.name())]);
    // Whoever can change the file that names it could keep what is agreed to.
    if let Some(command) = &found.command {
        kind.push_str(&format!(" {}", command.shown()));
    }
    let source = words.text(&format!("doctor-vault.{}", found.source.name()));
    let of = |what| FailureText { what, ..FailureText::default() };
    match &found.state {
        // Neither a demo nor variables keep anything: there is no more to say of them.
        Ok(_) if found.source == VaultSource::Demo || found.kind == VaultKind::Environment => {
            of(format!("{kind} ({source})"))
        }
        Ok(VaultUse::Stores) => {
            of(format!("{kind} ({source}); {}", words.text("doctor-vault.stores")))
        }
        Ok(VaultUse::Reads) => {
            of(format!("{kind} ({source}); {}", words.text("doctor-vault.reads")))
        }
        Err(trouble) => {
            let told = failure::vault(words, trouble);
            FailureText { what: format!("{kind} ({source}). {}", told.what), ..told }
        }
    }
}

/// A span in its largest unit of which there are at least two.
fn span(words: &Words, seconds: i64) -> String {
    let (id, unit) = match seconds.unsigned_abs() {
        0..120 => ("doctor-clock.seconds", 1),
        120..7_200 => ("doctor-clock.minutes", 60),
        7_200..172_800 => ("doctor-clock.hours", 3_600),
        _ => ("doctor-clock.days", 86_400),
    };
    words.count(id, seconds.unsigned_abs() / unit, &[])
}

/// The name of a subject.
pub fn subject(words: &Words, subject: &str) -> String {
    words.text(&format!("doctor-group-{subject}"))
}

/// The word for a verdict.
pub fn verdict(words: &Words, verdict: Verdict) -> String {
    words.text(&format!("doctor-verdict-{}", verdict.name()))
}

/// All in one sentence.
pub fn summary(words: &Words, checkup: &Checkup) -> String {
    match checkup.verdict() {
        Verdict::Fine => words.text("doctor-all-fine"),
        Verdict::Note => words.count("doctor-notes", checkup.count(Verdict::Note), &[]),
        Verdict::Broken => words.count("doctor-broken", checkup.count(Verdict::Broken), &[]),
    }
}

/// The columns before a finding's own words in a report.
pub const INDENT: usize = 14;

/// The whole report as lines of plain text, for a script's reader and for support.
///
/// The words of files and of other programs may name somebody: they are left out of what is given
/// away.
pub fn report(words: &Words, checkup: &Checkup, at: ReadAt, with_quotes: bool) -> Vec<String> {
    let (mut lines, mut last) = (Vec::new(), None);
    for finding in checkup.findings() {
        if last != Some(finding.subject()) {
            last = Some(finding.subject());
            lines.push(subject(words, finding.subject()));
        }
        let told = text(words, finding, at, with_quotes);
        let word = format!("[{}]", verdict(words, finding.verdict()));
        lines.push(format!("  {word:<10}  {}: {}", told.label, told.what));
        let below = " ".repeat(INDENT);
        if !told.next.is_empty() {
            lines.push(format!("{below}{}", told.next));
        }
        let quotes = told.quotes.iter().filter(|_| with_quotes);
        for (label, quote) in quotes {
            let quote = quote.shown_lines();
            let quote = quote.trim_end().replace('\n', &format!("\n{below}"));
            lines.push(format!("{below}{label} {quote}"));
        }
    }
    lines.push(summary(words, checkup));
    lines.push(words.text("doctor-sent-nothing"));
    lines
}
