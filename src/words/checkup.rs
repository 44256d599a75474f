//! The sentences about what a checkup found: what is so, and what to do where something is not.

mod host;
mod kept;

use super::Words;
use crate::trade::checkup::{
    Checkup, CheckupFinding, ColourSource, CopyWay, FindingGroup, LetterSet, ProgramFound,
    TerminalFound, Verdict, WindowFound,
};
use crate::trade::{CredentialKind, Untrusted, Wall};

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

impl FindingText {
    fn new(what: String) -> FindingText {
        FindingText { what, ..FindingText::default() }
    }

    /// The message `id`, and below it the message `id-next` that says what to do.
    fn advised(words: &Words, id: &str, values: &[(&str, &str)]) -> FindingText {
        let next = words.with(&format!("{id}-next"), values);
        FindingText::new(words.with(id, values)).next(next)
    }

    fn next(self, next: String) -> FindingText {
        FindingText { next, ..self }
    }
}

/// The sentences about a finding.
pub fn describe(words: &Words, finding: &CheckupFinding, at: ReadAt) -> FindingText {
    let (label, text) = match finding {
        CheckupFinding::Window(found) => ("doctor-window", window(words, *found)),
        CheckupFinding::Terminal(found) => ("doctor-terminal", terminal(words, found)),
        CheckupFinding::Colours(source) => ("doctor-colours", colours(words, *source)),
        CheckupFinding::Letters(letters) => ("doctor-letters", letter_set(words, letters)),
        CheckupFinding::TimeZone(named) => {
            let values = [("value", &*named.shown_within(40))];
            ("doctor-time-zone", FindingText::advised(words, "doctor-time-zone.unread", &values))
        }
        CheckupFinding::Copying(way) => ("doctor-copying", copying(words, *way)),
        CheckupFinding::Place(found) => (kept::place_label(found.kind), kept::place(words, found)),
        CheckupFinding::Settings { profiles } => {
            let what = words.count("doctor-settings.profiles", *profiles as u64, &[]);
            ("doctor-settings", FindingText::new(what))
        }
        CheckupFinding::SettingsFault(fault) => ("doctor-settings", kept::fault(words, fault)),
        CheckupFinding::Contract(found) => ("doctor-contract", kept::contract(words, found)),
        CheckupFinding::Vault(found) => ("doctor-vault", kept::vault(words, found)),
        CheckupFinding::Credential(kind, found) => {
            let label = match kind {
                CredentialKind::ApiToken => "doctor-api-token",
                CredentialKind::Jwt => "doctor-jwt",
            };
            (label, kept::credential(words, *kind, *found, at))
        }
        CheckupFinding::Journal(found) => ("doctor-journal", kept::journal(words, found)),
        CheckupFinding::History(found) => ("doctor-history", kept::history(words, found)),
        CheckupFinding::Address(found) => ("doctor-address", host::address(words, found)),
        CheckupFinding::Name(found) => ("doctor-name", host::name(words, *found)),
        CheckupFinding::Host(found) => ("doctor-host", host::reply(words, *found)),
        CheckupFinding::Clock(found) => ("doctor-clock", host::clock(words, *found)),
        CheckupFinding::Program(found) => {
            ("doctor-program", FindingText::new(program(words, found)))
        }
    };
    FindingText { label: words.text(label), ..text }
}

fn window(words: &Words, found: WindowFound) -> FindingText {
    let WindowFound::Size { columns, rows, least_columns, least_rows } = found else {
        return FindingText::advised(words, "doctor-window.none", &[]);
    };
    let [columns, rows] = [columns, rows].map(|n| n.to_string());
    let size = [("columns", columns.as_str()), ("rows", rows.as_str())];
    if CheckupFinding::Window(found).verdict() == Verdict::Fine {
        return FindingText::new(words.with("doctor-window.size", &size));
    }
    let least = [least_columns, least_rows].map(|n| n.to_string());
    let least = [("columns", least[0].as_str()), ("rows", least[1].as_str())];
    let what = words.with("doctor-window.small", &size);
    FindingText::new(what).next(words.with("doctor-window.small-next", &least))
}

fn terminal(words: &Words, found: &TerminalFound) -> FindingText {
    if found.is_dumb() {
        return FindingText::advised(words, "doctor-terminal.dumb", &[]);
    }
    let name = found.name.as_ref().map_or_else(
        || words.text("doctor-terminal.unnamed"),
        |name| words.with("doctor-terminal.named", &[("name", &name.shown_within(40))]),
    );
    let tmux = found.tmux.then(|| words.text("doctor-terminal.tmux"));
    let ssh = found.ssh.then(|| words.text("doctor-terminal.ssh"));
    let all: Vec<String> = [Some(name), tmux, ssh].into_iter().flatten().collect();
    FindingText::new(all.join(", "))
}

fn colours(words: &Words, source: ColourSource) -> FindingText {
    match source {
        ColourSource::Many => FindingText::new(words.text("doctor-colours.many")),
        ColourSource::NoColour => FindingText::new(words.text("doctor-colours.none")),
        ColourSource::Few => FindingText::advised(words, "doctor-colours.few", &[]),
    }
}

fn letter_set(words: &Words, letters: &LetterSet) -> FindingText {
    match letters {
        LetterSet::All => FindingText::new(words.text("doctor-letters.all")),
        LetterSet::ByChoice => FindingText::new(words.text("doctor-letters.choice")),
        LetterSet::Console => FindingText::advised(words, "doctor-letters.console", &[]),
        LetterSet::Locale(locale) => {
            let locale = locale.shown_within(40);
            FindingText::advised(words, "doctor-letters.locale", &[("locale", &locale)])
        }
    }
}

fn copying(words: &Words, way: CopyWay) -> FindingText {
    let what = match way.program {
        Some(program) => words.with("doctor-copying.program", &[("program", program)]),
        None => words.text("doctor-copying.terminal"),
    };
    let missing = |missing| words.with("doctor-copying.missing-next", &[("missing", missing)]);
    FindingText::new(what).next(way.missing.map(missing).unwrap_or_default())
}

fn program(words: &Words, found: &ProgramFound) -> String {
    let (money, history) = (found.money_schema.to_string(), found.history_schema.to_string());
    words.with(
        "doctor-program.what",
        &[
            ("version", found.version),
            ("os", found.os),
            ("arch", found.arch),
            ("sqlite", &found.sqlite),
            ("money", &money),
            ("history", &history),
        ],
    )
}

/// The name of a subject.
pub fn group(words: &Words, group: FindingGroup) -> String {
    words.text(match group {
        FindingGroup::Terminal => "doctor-group-terminal",
        FindingGroup::Configuration => "doctor-group-configuration",
        FindingGroup::Contract => "doctor-group-contract",
        FindingGroup::Vault => "doctor-group-vault",
        FindingGroup::Journals => "doctor-group-journals",
        FindingGroup::Network => "doctor-group-network",
        FindingGroup::Program => "doctor-group-program",
    })
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
    let (mut lines, mut subject) = (Vec::new(), None);
    for finding in checkup.findings() {
        if subject != Some(finding.group()) {
            subject = Some(finding.group());
            lines.push(group(words, finding.group()));
        }
        let told = match with_quotes {
            true => describe(words, finding, at),
            false => describe(words, &finding.for_others(), at),
        };
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
