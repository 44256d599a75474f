//! The findings of a checkup: what the program found of this computer, its files and the service.
//!
//! They are facts; a verdict follows from the facts alone. No secret is among them. What another
//! program or a file says in its own words is kept apart, for the words may name somebody.

mod computer;
mod host;
mod kept;

pub use computer::{ColourSource, CopyWay, LetterSet, ProgramFound, TerminalFound, WindowFound};
pub use host::{AddressFound, CertificateFault, ClockFound, HostFault, HostReply, NameFound};
pub use kept::{
    ContractFound, CredentialFound, FileOwner, HistoryFound, JournalFound, PlaceFound, PlaceKind,
    PlaceState, SettingsFault, SettingsPart, VaultFound, VaultSource, VaultUse,
};

use super::{CredentialKind, Untrusted, Wall};

/// The standing of one finding, the mildest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// It is as it should be.
    Fine,
    /// It works, or was not examined; there is something to know.
    Note,
    /// It does not work, or is not safe: something is to be done.
    Broken,
}

impl Verdict {
    /// All of them.
    pub const ALL: [Verdict; 3] = [Verdict::Fine, Verdict::Note, Verdict::Broken];

    /// Its name for scripts.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Fine => "fine",
            Verdict::Note => "note",
            Verdict::Broken => "broken",
        }
    }
}

/// The subjects of findings, in the order in which they are told.
const SUBJECTS: [&str; 7] =
    ["terminal", "configuration", "contract", "vault", "journals", "network", "program"];

/// A fact for scripts. It names no person.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "a kind of fact is its name")]
pub enum Fact {
    Nothing,
    Flag(bool),
    Number(i64),
    Text(String),
    Texts(Vec<&'static str>),
    Moment(Wall),
}

impl From<bool> for Fact {
    fn from(flag: bool) -> Fact {
        Fact::Flag(flag)
    }
}

impl From<&str> for Fact {
    fn from(text: &str) -> Fact {
        Fact::Text(text.to_owned())
    }
}

impl From<String> for Fact {
    fn from(text: String) -> Fact {
        Fact::Text(text)
    }
}

impl From<Wall> for Fact {
    fn from(at: Wall) -> Fact {
        Fact::Moment(at)
    }
}

impl<T: Into<Fact>> From<Option<T>> for Fact {
    fn from(fact: Option<T>) -> Fact {
        fact.map_or(Fact::Nothing, T::into)
    }
}

/// A finding as it is told: to scripts by its facts, to people by messages with the facts in them.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// Its name for scripts, which never changes: the subject, a dot and what was examined.
    pub id: &'static str,
    /// The message that names what was examined.
    pub label: &'static str,
    /// The verdict, which follows from the facts.
    pub verdict: Verdict,
    /// The facts, in their order.
    pub facts: Vec<(&'static str, Fact)>,
    /// Other values of the messages.
    pub values: Vec<(&'static str, Untrusted)>,
    /// The whole path, which only its owner is shown; among the facts it is shortened.
    pub own_path: Option<Untrusted>,
    /// The messages that say what was found, some with a number.
    pub says: Vec<(String, Option<u64>)>,
    /// The messages that say what to do.
    pub next: Vec<String>,
}

impl Finding {
    fn new(id: &'static str, label: &'static str, verdict: Verdict) -> Finding {
        Finding {
            id,
            label,
            verdict,
            facts: vec![],
            values: vec![],
            own_path: None,
            says: vec![],
            next: vec![],
        }
    }

    fn fact(mut self, name: &'static str, fact: impl Into<Fact>) -> Finding {
        self.facts.push((name, fact.into()));
        self
    }

    fn number(self, name: &'static str, number: impl TryInto<i64>) -> Finding {
        self.fact(name, Fact::Number(number.try_into().unwrap_or(i64::MAX)))
    }

    fn value(mut self, name: &'static str, value: impl Into<Untrusted>) -> Finding {
        self.values.push((name, value.into()));
        self
    }

    fn says(mut self, message: impl Into<String>) -> Finding {
        self.says.push((message.into(), None));
        self
    }

    fn says_if(self, is_so: bool, message: &str) -> Finding {
        if is_so { self.says(message) } else { self }
    }

    fn counts(mut self, message: &str, number: u64) -> Finding {
        self.says.push((message.to_owned(), Some(number)));
        self
    }

    fn counts_if(self, is_so: bool, message: &str, number: u64) -> Finding {
        if is_so { self.counts(message, number) } else { self }
    }

    fn next_if(mut self, is_so: bool, message: impl Into<String>) -> Finding {
        self.next.extend(is_so.then(|| message.into()));
        self
    }

    /// Says a message, and, unless all is fine, the message below it that says what to do.
    fn states(self, message: &str) -> Finding {
        let is_fine = self.verdict == Verdict::Fine;
        self.says(message).next_if(!is_fine, format!("{message}-next"))
    }
}

/// One thing that was examined.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "each is named as what was examined")]
pub enum CheckupFinding {
    Window(WindowFound),
    Terminal(TerminalFound),
    Colours(ColourSource),
    Letters(LetterSet),
    /// `TZ` has this value, which names no time zone that can be read.
    TimeZone(Untrusted),
    Copying(CopyWay),
    Place(PlaceFound),
    /// The settings could be read, with so many profiles in them.
    Settings {
        profiles: usize,
    },
    SettingsFault(SettingsFault),
    Contract(ContractFound),
    Vault(VaultFound),
    Credential(CredentialKind, CredentialFound),
    Journal(JournalFound),
    History(HistoryFound),
    Address(AddressFound),
    Name(NameFound),
    Host(HostReply),
    Clock(ClockFound),
    Program(ProgramFound),
}

impl CheckupFinding {
    /// The finding as it is told.
    pub fn told(&self) -> Finding {
        match self {
            CheckupFinding::Window(found) => found.told(),
            CheckupFinding::Terminal(found) => found.told(),
            CheckupFinding::Colours(found) => found.told(),
            CheckupFinding::Letters(found) => found.told(),
            CheckupFinding::TimeZone(named) => {
                Finding::new("terminal.time-zone", "doctor-time-zone", Verdict::Note)
                    .fact("read", false)
                    .value("value", named.clone())
                    .states("doctor-time-zone.unread")
            }
            CheckupFinding::Copying(found) => found.told(),
            CheckupFinding::Place(found) => found.told(),
            CheckupFinding::Settings { profiles } => {
                Finding::new("configuration.settings", "doctor-settings", Verdict::Fine)
                    .fact("read", true)
                    .number("profiles", *profiles)
                    .counts("doctor-settings.profiles", *profiles as u64)
            }
            CheckupFinding::SettingsFault(found) => found.told(),
            CheckupFinding::Contract(found) => found.told(),
            CheckupFinding::Vault(found) => found.told(),
            CheckupFinding::Credential(kind, found) => found.told(*kind),
            CheckupFinding::Journal(found) => found.told(),
            CheckupFinding::History(found) => found.told(),
            CheckupFinding::Address(found) => found.told(),
            CheckupFinding::Name(found) => found.told(),
            CheckupFinding::Host(found) => found.told(),
            CheckupFinding::Clock(found) => found.told(),
            CheckupFinding::Program(found) => found.told(),
        }
    }

    /// Its name for scripts, which never changes.
    pub fn id(&self) -> &'static str {
        self.told().id
    }

    /// Returns the subject it belongs to.
    pub fn subject(&self) -> &'static str {
        self.id().split('.').next().unwrap_or_default()
    }

    /// Judges it by its facts.
    pub fn verdict(&self) -> Verdict {
        self.told().verdict
    }
}

/// Everything that was found, in the order in which it is told.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Checkup {
    findings: Vec<CheckupFinding>,
}

impl Checkup {
    /// These findings, by their subjects; those of one subject stay in their order.
    pub fn of(mut findings: Vec<CheckupFinding>) -> Checkup {
        let place = |finding: &CheckupFinding| {
            SUBJECTS.iter().position(|subject| *subject == finding.subject())
        };
        findings.sort_by_key(place);
        Checkup { findings }
    }

    /// All findings.
    pub fn findings(&self) -> &[CheckupFinding] {
        &self.findings
    }

    /// The worst verdict of all; fine where nothing was found.
    pub fn verdict(&self) -> Verdict {
        self.findings.iter().map(CheckupFinding::verdict).max().unwrap_or(Verdict::Fine)
    }

    /// Returns the number of findings with this verdict.
    pub fn count(&self, verdict: Verdict) -> u64 {
        self.findings.iter().filter(|finding| finding.verdict() == verdict).count() as u64
    }
}

#[cfg(test)]
mod tests;
