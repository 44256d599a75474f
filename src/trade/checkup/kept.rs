//! The findings about what is kept: settings, contract, credentials, journals.

use super::{Fact, Finding, FoundTrouble, Verdict};
use crate::trade::{CredentialKind, JournalTrouble, Untrusted, VaultKind, VaultTrouble, Wall};

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
    /// Returns true when the settings name it: then it must be there.
    fn is_named(self) -> bool {
        matches!(self, PlaceKind::ThemeFile | PlaceKind::ContractFile | PlaceKind::CaFile)
    }

    /// Its name for scripts, and the message that names it.
    fn told(self) -> [&'static str; 2] {
        match self {
            PlaceKind::ConfigDir => ["configuration.directory", "doctor-config-dir"],
            PlaceKind::ConfigFile => ["configuration.file", "doctor-config-file"],
            PlaceKind::KeysFile => ["configuration.keys", "doctor-keys-file"],
            PlaceKind::ThemeFile => ["configuration.theme", "doctor-theme-file"],
            PlaceKind::ContractFile => ["configuration.contract", "doctor-contract-file"],
            PlaceKind::CaFile => ["configuration.ca-file", "doctor-ca-file"],
            PlaceKind::StateDir => ["configuration.state", "doctor-state-dir"],
            PlaceKind::VaultsFile => ["configuration.vaults", "doctor-vaults-file"],
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

/// A file or a directory that the program uses, by its path without the home directory.
pub fn place(kind: PlaceKind, path: Untrusted, state: PlaceState) -> Finding {
    use PlaceState::{Absent, There, Unseen};
    let (verdict, message) = match state {
        Absent if kind.is_named() => (Verdict::Broken, "doctor-place.missing"),
        Absent => (Verdict::Fine, "doctor-place.absent"),
        Unseen => (Verdict::Broken, "doctor-place.unseen"),
        There { owner: FileOwner::Other, .. } => (Verdict::Broken, "doctor-place.other"),
        There { mode, .. } if mode & 0o002 != 0 => (Verdict::Broken, "doctor-place.others"),
        // Many systems give each person a group of their own, with nobody else in it.
        There { mode, .. } if mode & 0o020 != 0 => (Verdict::Note, "doctor-place.group"),
        There { owner: FileOwner::Root, .. } => (Verdict::Fine, "doctor-place.root"),
        There { owner: FileOwner::Own, .. } => (Verdict::Fine, "doctor-place"),
    };
    let [id, label] = kind.told();
    let found = Finding::new(id, label, verdict).fact("path", path_for_others(kind, &path));
    let found = match state {
        Absent => found.fact("state", "absent"),
        Unseen => found.fact("state", "unseen"),
        There { owner, mode } => {
            let owner = match owner {
                FileOwner::Own => "own",
                FileOwner::Root => "root",
                FileOwner::Other => "other",
            };
            let found = found.fact("state", "there").fact("owner", owner);
            found.fact("mode", format!("{mode:04o}"))
        }
    };
    Finding { own_path: Some(path), ..found.states(message) }
}

/// The path for other people: a file that the seller named may be called after a shop or a person,
/// and only its directory and its ending are told.
fn path_for_others(kind: PlaceKind, path: &Untrusted) -> String {
    let path = path.shown();
    if !kind.is_named() {
        return path;
    }
    let (dir, name) = path.rsplit_once('/').unwrap_or_default();
    let ending = name.rsplit_once('.').map_or(String::new(), |(_, ending)| format!(".{ending}"));
    format!("{dir}/…{ending}")
}

/// Settings that could be read, with so many profiles in them.
pub fn settings(profiles: usize) -> Finding {
    Finding::new("configuration.settings", "doctor-settings", Verdict::Fine)
        .fact("read", true)
        .number("profiles", profiles)
        .counts("doctor-settings.profiles", profiles as u64)
}

/// A part of the settings that could not be used, by the name that its message has; and the fault
/// as every other command reports it.
pub fn settings_fault(part: &'static str, fault: Untrusted) -> Finding {
    Finding::new("configuration.settings", "doctor-settings", Verdict::Broken)
        .fact("read", false)
        .fact("part", part)
        .says(format!("doctor-settings.{part}"))
        .next_if(true, "doctor-settings.next")
        .trouble(FoundTrouble::Settings(fault))
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

/// The contract in force.
pub fn contract(found: ContractFound) -> Finding {
    let ContractFound { presets, files, differing, pending } = found;
    let waiting = pending.filter(|lines| *lines > 0);
    let is_own = presets.is_empty() && files == 0;
    let verdict = if waiting.is_some() { Verdict::Note } else { Verdict::Fine };
    Finding::new("contract.lines", "doctor-contract", verdict)
        .says_if(!presets.is_empty(), "doctor-contract.presets")
        .fact("presets", Fact::Texts(presets))
        .number("files", files)
        .number("differing", differing)
        .fact("pending", pending)
        .counts_if(files > 0, "doctor-contract.files", files)
        .says_if(differing == 0 && is_own, "doctor-contract.own")
        .says_if(differing == 0 && !is_own, "doctor-contract.same")
        .counts_if(differing > 0, "doctor-contract.differing", differing)
        .counts_if(waiting.is_some(), "doctor-contract.pending", waiting.unwrap_or(0))
        .next_if(waiting.is_some(), "doctor-contract.pending-next")
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

/// The vault of the credentials, who chose it, what it does or why it cannot be used; and the
/// seller's command, if the vault is one.
///
/// Its words are put together in more than one way: they are not among the messages.
pub fn vault(
    kind: VaultKind,
    source: VaultSource,
    state: Result<VaultUse, VaultTrouble>,
    command: Option<Untrusted>,
) -> Finding {
    let verdict = if state.is_ok() { Verdict::Fine } else { Verdict::Broken };
    let mut found = Finding::new("vault.kind", "doctor-vault", verdict)
        .fact("kind", kind.name())
        .fact("chosenBy", source.name())
        .fact("works", state.is_ok())
        .fact("stores", state == Ok(VaultUse::Stores))
        .fact("trouble", state.as_ref().err().map(|trouble| trouble.name()));
    found.values.extend(command.map(|command| ("command", command)));
    Finding { trouble: state.err().map(FoundTrouble::Vault), ..found }
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
}

/// A credential.
pub fn credential(kind: CredentialKind, found: CredentialFound) -> Finding {
    let (id, label, word) = match kind {
        CredentialKind::ApiToken => ("vault.api-token", "doctor-api-token", "token"),
        CredentialKind::Jwt => ("vault.jwt", "doctor-jwt", "jwt"),
    };
    let told = |verdict, state, end: Option<Wall>| {
        Finding::new(id, label, verdict).fact("state", state).fact("expires", end)
    };
    let next = |what| format!("doctor-credential.{what}-{word}-next");
    match found {
        CredentialFound::Unknown => {
            told(Verdict::Note, "unknown", None).states("doctor-credential.unknown")
        }
        CredentialFound::Absent => told(Verdict::Note, "absent", None)
            .says("doctor-credential.absent")
            .next_if(true, next("absent")),
        CredentialFound::Good(end) => told(Verdict::Fine, "good", end)
            .says_if(end.is_none(), "doctor-credential")
            .says_if(end.is_some(), "doctor-credential.until"),
        CredentialFound::Expired(end) => told(Verdict::Note, "expired", Some(end))
            .says("doctor-credential.expired")
            .next_if(true, next("expired")),
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

/// The journal of the withdrawals. The words about a trouble are those of the screens.
pub fn journal(found: JournalFound) -> Finding {
    let told = |verdict, state| {
        Finding::new("journals.withdrawals", "doctor-journal", verdict).fact("state", state)
    };
    match found {
        JournalFound::None => told(Verdict::Fine, "none").states("doctor-journal.none"),
        JournalFound::Late => told(Verdict::Note, "late").states("doctor-journal.late"),
        JournalFound::Whole { schema, withdrawals, open, is_copy, is_marked } => {
            let is_fine = !is_copy && is_marked;
            told(if is_fine { Verdict::Fine } else { Verdict::Note }, "whole")
                .number("schema", schema)
                .number("withdrawals", withdrawals)
                .number("open", open)
                .fact("cutShort", is_copy)
                .fact("marked", is_marked)
                .counts("doctor-journal.whole", withdrawals)
                .counts_if(open > 0, "doctor-journal.open", open)
                .says("doctor-schema")
                .says_if(is_copy, "doctor-journal.copy")
                .says_if(!is_marked, "doctor-journal.unmarked")
                .next_if(is_copy, "doctor-journal.copy-next")
                .next_if(!is_marked, "doctor-journal.unmarked-next")
        }
        JournalFound::Trouble(trouble) => {
            let verdict = if trouble.may_pass() { Verdict::Note } else { Verdict::Broken };
            let told = told(verdict, "trouble").fact("trouble", trouble.name());
            told.trouble(FoundTrouble::Journal(trouble))
        }
    }
}

/// The history of links and charges, where there is one: its schema, which a window that has it
/// open may keep to itself. The words about a trouble are those of the screens.
pub fn history(schema: Result<Option<Option<u32>>, JournalTrouble>) -> Finding {
    let told = |verdict, state| {
        Finding::new("journals.history", "doctor-history", verdict).fact("state", state)
    };
    match schema {
        Ok(None) => told(Verdict::Fine, "none").says("doctor-history.none"),
        Ok(Some(schema)) => told(Verdict::Fine, "there")
            .fact("schema", schema.map(u64::from))
            .says("doctor-history.there")
            .says_if(schema.is_some(), "doctor-schema"),
        Err(trouble) => {
            let told = told(Verdict::Broken, "trouble").fact("trouble", trouble.name());
            told.trouble(FoundTrouble::History(trouble))
        }
    }
}
