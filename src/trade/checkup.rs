//! The findings of a checkup: what the program found of this computer, its files and the service.
//!
//! They are facts; a verdict follows from the facts alone. No secret is among them. What another
//! program or a file says in its own words is kept apart, for the words may name somebody.

mod computer;
mod host;
mod kept;

pub use computer::{
    ColourSource, CopyWay, LetterSet, colours, copying, letters, program, terminal, time_zone,
    window,
};
pub use host::{CertificateFault, HostFault, HostReply, NameFound, address, clock, name, service};
pub use kept::{
    ContractFound, CredentialFound, FileOwner, JournalFound, PlaceKind, PlaceState, VaultSource,
    VaultUse, contract, credential, history, journal, place, settings, settings_fault, vault,
};

use super::{JournalTrouble, Untrusted, VaultTrouble, Wall};

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

impl From<u64> for Fact {
    fn from(number: u64) -> Fact {
        Fact::Number(i64::try_from(number).unwrap_or(i64::MAX))
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

/// A trouble whose words are not among the messages of the checkup.
#[derive(Debug, Clone, PartialEq)]
pub enum FoundTrouble {
    /// The settings cannot be used. Other commands report it in these words, which quote the
    /// seller's own file.
    Settings(Untrusted),
    /// The vault cannot be used.
    Vault(VaultTrouble),
    /// The journal of the withdrawals cannot be used, or not now.
    Journal(JournalTrouble),
    /// The history cannot be used.
    History(JournalTrouble),
}

/// One thing that was examined: for scripts its facts, for people messages with the facts in them.
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
    /// The trouble, where one has words of its own.
    pub trouble: Option<FoundTrouble>,
}

impl Finding {
    /// Returns the subject it belongs to.
    pub fn subject(&self) -> &'static str {
        self.id.split('.').next().unwrap_or_default()
    }

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
            trouble: None,
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

    fn trouble(self, trouble: FoundTrouble) -> Finding {
        Finding { trouble: Some(trouble), ..self }
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

/// Everything that was found, in the order in which it is told.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Checkup {
    findings: Vec<Finding>,
}

impl Checkup {
    /// These findings, by their subjects; those of one subject stay in their order.
    pub fn of(mut findings: Vec<Finding>) -> Checkup {
        let place =
            |finding: &Finding| SUBJECTS.iter().position(|subject| *subject == finding.subject());
        findings.sort_by_key(place);
        Checkup { findings }
    }

    /// All findings.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// The worst verdict of all; fine where nothing was found.
    pub fn verdict(&self) -> Verdict {
        self.findings.iter().map(|finding| finding.verdict).max().unwrap_or(Verdict::Fine)
    }

    /// Returns the number of findings with this verdict.
    pub fn count(&self, verdict: Verdict) -> u64 {
        self.findings.iter().filter(|finding| finding.verdict == verdict).count() as u64
    }
}

#[cfg(test)]
mod tests;
