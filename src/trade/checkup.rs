//! The findings of `balcao doctor`, which checks this computer, the program's files and the
//! service.
//!
//! A [`Finding`] contains facts without secrets, and a [`Verdict`] that depends only on these
//! facts. Text quoted from other programs and files is kept separate, because it may contain
//! personal data. The messages for findings are in `words::checkup`.

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
    ContractFound, CredentialFound, DatabaseFound, FileOwner, JournalFound, PathKind, PathState,
    VaultSource, VaultUse, contract, credential, history, journal, place, requests, settings,
    settings_fault, vault,
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

    /// Returns the name of the verdict in the JSON output, such as `fine`.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Fine => "fine",
            Verdict::Note => "note",
            Verdict::Broken => "broken",
        }
    }
}

/// The groups of findings, in the order of the doctor report.
const SUBJECTS: [&str; 7] =
    ["terminal", "configuration", "contract", "vault", "journals", "network", "program"];

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
}

/// The result of one check of the doctor command: facts for scripts, and the ids of the messages
/// that describe them to people.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// The stable id for scripts, made of a subject and an item, such as `terminal.size`.
    pub id: &'static str,
    /// The id of the message that names the examined item.
    pub label: &'static str,
    /// The verdict, which depends only on the facts.
    pub verdict: Verdict,
    /// The facts with their names, in the order of the output.
    pub facts: Vec<(&'static str, Fact)>,
    /// Values that are inserted into the messages but are not facts for scripts.
    pub values: Vec<(&'static str, Untrusted)>,
    /// The full path of the examined file, which only the user may see. The facts contain a
    /// shortened path.
    pub full_path: Option<Untrusted>,
    /// The ids of the messages that describe the result, each with the number to insert, if any.
    pub messages: Vec<(String, Option<u64>)>,
    /// The ids of the messages that tell the user what to do.
    pub advice: Vec<String>,
    /// The problem, if other screens or commands also report it.
    pub trouble: Option<FoundTrouble>,
}

impl Finding {
    /// Returns the subject, which is the part of the id before the dot: `terminal` for
    /// `terminal.size`.
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
            full_path: None,
            messages: vec![],
            advice: vec![],
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

    fn message(mut self, id: impl Into<String>) -> Finding {
        self.messages.push((id.into(), None));
        self
    }

    fn message_if(self, condition: bool, id: &str) -> Finding {
        if condition { self.message(id) } else { self }
    }

    fn counted_message(mut self, id: &str, number: u64) -> Finding {
        self.messages.push((id.to_owned(), Some(number)));
        self
    }

    fn counted_message_if(self, condition: bool, id: &str, number: u64) -> Finding {
        if condition { self.counted_message(id, number) } else { self }
    }

    fn trouble(self, trouble: FoundTrouble) -> Finding {
        Finding { trouble: Some(trouble), ..self }
    }

    fn advice_if(mut self, condition: bool, id: impl Into<String>) -> Finding {
        self.advice.extend(condition.then(|| id.into()));
        self
    }

    /// Adds the message with this id. If the verdict is not `Fine`, also adds the message
    /// `<id>-next`, which tells the user what to do.
    fn message_with_advice(self, id: &str) -> Finding {
        let is_fine = self.verdict == Verdict::Fine;
        self.message(id).advice_if(!is_fine, format!("{id}-next"))
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
        let position =
            |finding: &Finding| SUBJECTS.iter().position(|subject| *subject == finding.subject());
        findings.sort_by_key(position);
        Checkup { findings }
    }

    /// Returns all findings.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// Returns the worst verdict of all findings. Returns `Fine` if there are no findings.
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
