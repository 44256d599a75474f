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

use super::{CredentialKind, Untrusted};

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
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "a subject is its name")]
pub enum FindingGroup {
    Terminal,
    Configuration,
    Contract,
    Vault,
    Journals,
    Network,
    Program,
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
    /// Its name for scripts, which never changes.
    pub fn id(&self) -> &'static str {
        match self {
            CheckupFinding::Window(_) => "terminal.size",
            CheckupFinding::Terminal(_) => "terminal.kind",
            CheckupFinding::Colours(_) => "terminal.colours",
            CheckupFinding::Letters(_) => "terminal.letters",
            CheckupFinding::TimeZone(_) => "terminal.time-zone",
            CheckupFinding::Copying(_) => "terminal.clipboard",
            CheckupFinding::Place(place) => place.kind.id(),
            CheckupFinding::Settings { .. } | CheckupFinding::SettingsFault(_) => {
                "configuration.settings"
            }
            CheckupFinding::Contract(_) => "contract.lines",
            CheckupFinding::Vault(_) => "vault.kind",
            CheckupFinding::Credential(CredentialKind::ApiToken, _) => "vault.api-token",
            CheckupFinding::Credential(CredentialKind::Jwt, _) => "vault.jwt",
            CheckupFinding::Journal(_) => "journals.withdrawals",
            CheckupFinding::History(_) => "journals.history",
            CheckupFinding::Address(_) => "network.address",
            CheckupFinding::Name(_) => "network.name",
            CheckupFinding::Host(_) => "network.service",
            CheckupFinding::Clock(_) => "network.clock",
            CheckupFinding::Program(_) => "program.versions",
        }
    }

    /// Returns the subject it belongs to.
    pub fn group(&self) -> FindingGroup {
        match self {
            CheckupFinding::Window(_)
            | CheckupFinding::Terminal(_)
            | CheckupFinding::Colours(_)
            | CheckupFinding::Letters(_)
            | CheckupFinding::TimeZone(_)
            | CheckupFinding::Copying(_) => FindingGroup::Terminal,
            CheckupFinding::Place(_)
            | CheckupFinding::Settings { .. }
            | CheckupFinding::SettingsFault(_) => FindingGroup::Configuration,
            CheckupFinding::Contract(_) => FindingGroup::Contract,
            CheckupFinding::Vault(_) | CheckupFinding::Credential(..) => FindingGroup::Vault,
            CheckupFinding::Journal(_) | CheckupFinding::History(_) => FindingGroup::Journals,
            CheckupFinding::Address(_)
            | CheckupFinding::Name(_)
            | CheckupFinding::Host(_)
            | CheckupFinding::Clock(_) => FindingGroup::Network,
            CheckupFinding::Program(_) => FindingGroup::Program,
        }
    }

    /// The same for other people, without what the seller chose to call things.
    pub fn for_others(&self) -> CheckupFinding {
        match self {
            CheckupFinding::Place(found) => CheckupFinding::Place(found.for_others()),
            finding => finding.clone(),
        }
    }

    /// Judges it by its facts.
    pub fn verdict(&self) -> Verdict {
        match self {
            CheckupFinding::Window(found) => found.verdict(),
            CheckupFinding::Terminal(found) => found.verdict(),
            CheckupFinding::Colours(found) => found.verdict(),
            CheckupFinding::Letters(found) => found.verdict(),
            CheckupFinding::TimeZone(_) => Verdict::Note,
            CheckupFinding::Copying(found) => found.verdict(),
            CheckupFinding::Place(found) => found.verdict(),
            CheckupFinding::Settings { .. } | CheckupFinding::Program(_) => Verdict::Fine,
            CheckupFinding::SettingsFault(_) => Verdict::Broken,
            CheckupFinding::Contract(found) => found.verdict(),
            CheckupFinding::Vault(found) => found.verdict(),
            CheckupFinding::Credential(_, found) => found.verdict(),
            CheckupFinding::Journal(found) => found.verdict(),
            CheckupFinding::History(found) => found.verdict(),
            CheckupFinding::Address(found) => found.verdict(),
            CheckupFinding::Name(found) => found.verdict(),
            CheckupFinding::Host(found) => found.verdict(),
            CheckupFinding::Clock(found) => found.verdict(),
        }
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
        findings.sort_by_key(CheckupFinding::group);
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
