//! The findings about what is kept: settings, contract, credentials, journals.

use super::Verdict;
use crate::trade::{JournalTrouble, Untrusted, VaultKind, VaultTrouble, Wall};

/// A file or a directory of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is named as what it is")]
pub enum PlaceKind {
    ConfigDir,
    ConfigFile,
    KeysFile,
    ThemeFile,
    ContractFile,
    CaFile,
    StateDir,
    VaultsFile,
}

impl PlaceKind {
    /// Its name for scripts.
    pub(super) fn id(self) -> &'static str {
        match self {
            PlaceKind::ConfigDir => "configuration.directory",
            PlaceKind::ConfigFile => "configuration.file",
            PlaceKind::KeysFile => "configuration.keys",
            PlaceKind::ThemeFile => "configuration.theme",
            PlaceKind::ContractFile => "configuration.contract",
            PlaceKind::CaFile => "configuration.ca-file",
            PlaceKind::StateDir => "configuration.state",
            PlaceKind::VaultsFile => "configuration.vaults",
        }
    }
}

/// The owner of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileOwner {
    /// The person who runs the program.
    Own,
    /// The system's administrator.
    Root,
    /// Somebody else.
    Other,
}

/// The state of a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlaceState {
    /// There is none.
    Absent,
    /// It cannot be looked at, or not in time.
    Unseen,
    /// It is there.
    There {
        /// Its owner.
        owner: FileOwner,
        /// The rights of owner, group and others, as the system writes them.
        mode: u32,
    },
}

/// A file or a directory that the program uses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlaceFound {
    /// Its part.
    pub kind: PlaceKind,
    /// Its path, without the home directory.
    pub path: Untrusted,
    /// Its state.
    pub state: PlaceState,
}

impl PlaceFound {
    /// Returns true when the settings name it: then it must be there.
    pub fn is_named(&self) -> bool {
        matches!(self.kind, PlaceKind::ThemeFile | PlaceKind::ContractFile | PlaceKind::CaFile)
    }

    /// The same for other people: a file that the seller named may be called after a shop or a
    /// person, and only its directory and its ending are told.
    pub fn for_others(&self) -> PlaceFound {
        let path = self.path.shown();
        let (dir, name) = path.rsplit_once('/').unwrap_or_default();
        let ending =
            name.rsplit_once('.').map_or(String::new(), |(_, ending)| format!(".{ending}"));
        let path = if self.is_named() { format!("{dir}/…{ending}").into() } else { path.into() };
        PlaceFound { path, ..self.clone() }
    }

    /// Returns true when another person can change it.
    pub fn others_can_write(&self) -> bool {
        matches!(self.state, PlaceState::There { mode, .. } if mode & 0o002 != 0)
    }

    /// Returns true when the members of its group can change it.
    pub fn group_can_write(&self) -> bool {
        matches!(self.state, PlaceState::There { mode, .. } if mode & 0o020 != 0)
    }

    pub(super) fn verdict(&self) -> Verdict {
        match self.state {
            PlaceState::Absent if self.is_named() => Verdict::Broken,
            PlaceState::Absent => Verdict::Fine,
            PlaceState::Unseen | PlaceState::There { owner: FileOwner::Other, .. } => {
                Verdict::Broken
            }
            PlaceState::There { .. } if self.others_can_write() => Verdict::Broken,
            // Many systems give each person a group of their own, with nobody else in it.
            PlaceState::There { .. } if self.group_can_write() => Verdict::Note,
            PlaceState::There { .. } => Verdict::Fine,
        }
    }
}

/// The part of the settings that could not be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is named as what it is")]
pub enum SettingsPart {
    Directories,
    Files,
    Keys,
    Appearance,
    Profile,
    Address,
    Contract,
    Network,
    Vault,
}

impl SettingsPart {
    /// Its name for scripts.
    pub fn name(self) -> &'static str {
        match self {
            SettingsPart::Directories => "directories",
            SettingsPart::Files => "files",
            SettingsPart::Keys => "keys",
            SettingsPart::Appearance => "appearance",
            SettingsPart::Profile => "profile",
            SettingsPart::Address => "address",
            SettingsPart::Contract => "contract",
            SettingsPart::Network => "network",
            SettingsPart::Vault => "vault",
        }
    }
}

/// Settings that could not be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettingsFault {
    /// The part.
    pub part: SettingsPart,
    /// The fault, as every other command tells it: it quotes the seller's own file.
    pub told: Untrusted,
}

/// The contract in force.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ContractFound {
    /// The contracts of the program that the profile names.
    pub presets: Vec<&'static str>,
    /// The number of the seller's own files.
    pub files: u64,
    /// The number of lines about money that differ from the program's own.
    pub differing: u64,
    /// The number of lines that wait to be agreed to; unknown where the vault does not say.
    pub pending: Option<u64>,
}

impl ContractFound {
    pub(super) fn verdict(&self) -> Verdict {
        if self.pending.is_some_and(|lines| lines > 0) { Verdict::Note } else { Verdict::Fine }
    }
}

/// The source that chose the vault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum VaultSource {
    /// The flag.
    Flag,
    /// The profile.
    Profile,
    /// The last login.
    LastLogin,
    /// Nobody: it is the one for all.
    #[default]
    Nobody,
    /// The demo, which keeps nothing.
    Demo,
}

impl VaultSource {
    /// Its name for scripts.
    pub fn name(self) -> &'static str {
        match self {
            VaultSource::Flag => "flag",
            VaultSource::Profile => "profile",
            VaultSource::LastLogin => "last-login",
            VaultSource::Nobody => "default",
            VaultSource::Demo => "demo",
        }
    }
}

/// What a vault was seen to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VaultUse {
    /// It stored something of no value.
    Stores,
    /// It was read; nothing was stored, for nobody chose it or it stores nothing.
    Reads,
}

/// The vault of the credentials.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VaultFound {
    /// Its kind.
    pub kind: VaultKind,
    /// Who chose it.
    pub source: VaultSource,
    /// What it does, or why it cannot be used.
    pub state: Result<VaultUse, VaultTrouble>,
    /// The seller's command, if the vault is one.
    pub command: Option<Untrusted>,
}

impl VaultFound {
    pub(super) fn verdict(&self) -> Verdict {
        if self.state.is_ok() { Verdict::Fine } else { Verdict::Broken }
    }
}

/// A credential, as far as the vault says; never the credential itself, nor whose it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CredentialFound {
    /// The vault does not say.
    Unknown,
    /// There is none.
    Absent,
    /// It is good until then, where its end is known.
    Good(Option<Wall>),
    /// Its time ended then.
    Expired(Wall),
}

impl CredentialFound {
    /// A credential that is kept, with its end, as of now.
    pub fn kept(expires: Option<Wall>, now: Wall) -> CredentialFound {
        match expires {
            Some(end) if end <= now => CredentialFound::Expired(end),
            expires => CredentialFound::Good(expires),
        }
    }

    pub(super) fn verdict(self) -> Verdict {
        match self {
            CredentialFound::Good(_) => Verdict::Fine,
            CredentialFound::Unknown | CredentialFound::Absent | CredentialFound::Expired(_) => {
                Verdict::Note
            }
        }
    }
}

/// The journal of the withdrawals.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "a field is its name")]
pub enum JournalFound {
    /// There is none yet.
    None,
    /// It was read whole. A copy was read where its last write was cut short. Unless it is marked,
    /// the configuration cannot remember its last event.
    Whole { schema: u32, withdrawals: u64, open: u64, is_copy: bool, is_marked: bool },
    /// It cannot be used, or not now.
    Trouble(JournalTrouble),
    /// It was not read in time.
    Late,
}

impl JournalFound {
    pub(super) fn verdict(&self) -> Verdict {
        match self {
            JournalFound::None | JournalFound::Whole { is_copy: false, is_marked: true, .. } => {
                Verdict::Fine
            }
            JournalFound::Whole { .. } | JournalFound::Late => Verdict::Note,
            JournalFound::Trouble(trouble) if trouble.may_pass() => Verdict::Note,
            JournalFound::Trouble(_) => Verdict::Broken,
        }
    }
}

/// The history of links and charges.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HistoryFound {
    /// There is none yet.
    None,
    /// It is there, and has this schema; a window that has it open may keep that to itself.
    There(Option<u32>),
    /// It cannot be used.
    Trouble(JournalTrouble),
}

impl HistoryFound {
    pub(super) fn verdict(&self) -> Verdict {
        match self {
            HistoryFound::None | HistoryFound::There(_) => Verdict::Fine,
            HistoryFound::Trouble(_) => Verdict::Broken,
        }
    }
}
