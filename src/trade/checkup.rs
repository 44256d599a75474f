//! The findings of `balcao doctor`, which checks this computer, the program's files and the
//! service.
//!
//! A [`Finding`] contains facts without secrets, and a [`Verdict`] that depends only on these
//! facts. Text quoted from other programs and files is kept separate, because it may contain
//! personal data. The messages about a finding follow from its id, in `words::checkup`.

mod computer;
mod host;
mod kept;

pub use computer::{
    CharacterSet, ClipboardMethod, ColourSource, character_set, clipboard, colours, program,
    terminal, terminal_size, time_zone,
};
pub use host::{
    CertificateFault, DnsLookup, HostFault, HostReply, address, clock, dns_lookup,
    ignored_variables, service,
};
pub use kept::{
    Agreement, ContractFound, CredentialFound, DatabaseContents, DatabaseFound, FileOwner,
    JournalFound, PathKind, PathState, VaultSource, VaultUse, contract, copies, credential,
    history, journal, log_level, place, requests, settings, settings_fault, vault,
};

use super::{JournalTrouble, Untrusted, VaultTrouble, Wall};

/// The verdict about one examined item, such as a file. The variants are ordered from best to
/// worst.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// Nothing is wrong.
    Fine,
    /// The item works or could not be examined, but the user should read the message about it.
    Note,
    /// The item does not work or is not safe, so the user must act.
    Broken,
}

impl Verdict {
    /// All verdicts.
    pub const ALL: [Verdict; 3] = [Verdict::Fine, Verdict::Note, Verdict::Broken];

    /// The name of the verdict in the JSON output, such as `fine`.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Fine => "fine",
            Verdict::Note => "note",
            Verdict::Broken => "broken",
        }
    }
}

/// The groups of findings, in the order of the doctor report.
const SUBJECTS: [&str; 7] = [
    "terminal",
    "configuration",
    "contract",
    "vault",
    "journals",
    "network",
    "program",
];

/// The value of a fact in the JSON output of `balcao doctor`. It never contains personal data.
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
    fn from(time: Wall) -> Fact {
        Fact::Moment(time)
    }
}

impl<T: Into<Fact>> From<Option<T>> for Fact {
    fn from(fact: Option<T>) -> Fact {
        fact.map_or(Fact::Nothing, T::into)
    }
}

/// A setting of the seller that differs from the default.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedSetting {
    /// The name of the setting in the settings file, such as `requests.keep`.
    pub name: &'static str,
    /// The value, if the setting has a fixed list of values.
    pub value: Option<String>,
}

/// A problem that other screens or commands also report. The doctor report describes it with the
/// same message.
#[derive(Debug, Clone, PartialEq)]
pub enum FoundTrouble {
    /// The settings cannot be used. The text is the error message that other commands print. It
    /// quotes the seller's settings file.
    Settings(Untrusted),
    /// The vault, which stores the credentials, cannot be used.
    Vault(VaultTrouble),
    /// The journal of withdrawals cannot be used. The problem may be temporary.
    Journal(JournalTrouble),
    /// The history database of links and direct payments cannot be used.
    History(JournalTrouble),
    /// The database of stored HTTP requests cannot be used.
    Requests(JournalTrouble),
}

/// The result of one check of the doctor command.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// The stable id for scripts, made of a subject and an item, such as `terminal.size`.
    pub id: &'static str,
    /// The verdict, which depends only on the facts.
    pub verdict: Verdict,
    /// The facts with their names, in the order of the output.
    pub facts: Vec<(&'static str, Fact)>,
    /// Values that are inserted into the messages but are not facts for scripts.
    pub values: Vec<(&'static str, Untrusted)>,
    /// The full path of the examined file, which only the user may see. The facts contain a
    /// shortened path.
    pub full_path: Option<Untrusted>,
    /// The names of the cases that apply, such as `small`, each with its number, if any.
    pub cases: Vec<(&'static str, Option<u64>)>,
    /// The problem, if other screens or commands also report it.
    pub trouble: Option<FoundTrouble>,
}

impl Finding {
    /// The subject, which is the part of the id before the dot: `terminal` for `terminal.size`.
    pub fn subject(&self) -> &'static str {
        self.id.split('.').next().unwrap_or_default()
    }

    fn new(id: &'static str, verdict: Verdict) -> Finding {
        Finding {
            id,
            verdict,
            facts: vec![],
            values: vec![],
            full_path: None,
            cases: vec![],
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

    fn case(self, name: &'static str) -> Finding {
        self.case_if(true, name)
    }

    fn case_if(mut self, applies: bool, name: &'static str) -> Finding {
        self.cases.extend(applies.then_some((name, None)));
        self
    }

    fn counted_case(mut self, name: &'static str, number: u64) -> Finding {
        self.cases.push((name, Some(number)));
        self
    }

    fn trouble(self, trouble: FoundTrouble) -> Finding {
        Finding {
            trouble: Some(trouble),
            ..self
        }
    }
}

/// All findings of one run of `balcao doctor`, in the order of the report.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Checkup {
    findings: Vec<Finding>,
}

impl Checkup {
    /// Creates the result of a run from its findings, sorted by subject. Findings with the same
    /// subject keep their order.
    pub fn of(mut findings: Vec<Finding>) -> Checkup {
        findings.sort_by_key(|finding| {
            SUBJECTS
                .iter()
                .position(|subject| *subject == finding.subject())
        });
        Checkup { findings }
    }

    /// All findings.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// The worst verdict of all findings. Returns `Fine` if there are no findings.
    pub fn verdict(&self) -> Verdict {
        self.findings
            .iter()
            .map(|finding| finding.verdict)
            .max()
            .unwrap_or(Verdict::Fine)
    }

    /// The number of findings with this verdict.
    pub fn count(&self, verdict: Verdict) -> u64 {
        self.findings
            .iter()
            .filter(|finding| finding.verdict == verdict)
            .count() as u64
    }
}

#[cfg(test)]
mod tests;
