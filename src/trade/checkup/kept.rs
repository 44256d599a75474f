//! Findings about files: settings, API contract, vault, credentials, journal and history.

use super::{Fact, Finding, FoundTrouble, Verdict};
use crate::trade::{CredentialKind, JournalTrouble, Untrusted, VaultKind, VaultTrouble, Wall};

/// The kind of a file or directory that the program uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is named as what it is")]
pub enum PathKind {
    ConfigDir,
    ConfigFile,
    KeysFile,
    ThemeFile,
    ContractFile,
    CaFile,
    StateDir,
    VaultsFile,
}

impl PathKind {
    /// Returns true if the seller's settings contain the path of this file. Such a file must exist,
    /// so a missing one is reported as an error.
    fn is_named_in_settings(self) -> bool {
        matches!(self, PathKind::ThemeFile | PathKind::ContractFile | PathKind::CaFile)
    }

    /// Returns the id of the finding, and the id of the message that names the file.
    fn id_and_label(self) -> [&'static str; 2] {
        match self {
            PathKind::ConfigDir => ["configuration.directory", "doctor-config-dir"],
            PathKind::ConfigFile => ["configuration.file", "doctor-config-file"],
            PathKind::KeysFile => ["configuration.keys", "doctor-keys-file"],
            PathKind::ThemeFile => ["configuration.theme", "doctor-theme-file"],
            PathKind::ContractFile => ["configuration.contract", "doctor-contract-file"],
            PathKind::CaFile => ["configuration.ca-file", "doctor-ca-file"],
            PathKind::StateDir => ["configuration.state", "doctor-state-dir"],
            PathKind::VaultsFile => ["configuration.vaults", "doctor-vaults-file"],
        }
    }
}

/// The owner of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileOwner {
    /// The user who runs the program.
    Own,
    /// The administrator, `root`.
    Root,
    /// Any other user.
    Other,
}

/// The state of a file or directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathState {
    /// The path does not exist.
    Absent,
    /// The path could not be examined, or the examination took too long.
    Unreadable,
    /// The path exists.
    Exists {
        /// The owner of the file.
        owner: FileOwner,
        /// The Unix permission bits.
        mode: u32,
    },
}

/// Returns the finding about a file or directory. `path` begins with `~` if it is in the home
/// directory.
pub fn place(kind: PathKind, path: Untrusted, state: PathState) -> Finding {
    use PathState::{Absent, Exists, Unreadable};
    let (verdict, message) = match state {
        Absent if kind.is_named_in_settings() => (Verdict::Broken, "doctor-place.missing"),
        Absent => (Verdict::Fine, "doctor-place.absent"),
        Unreadable => (Verdict::Broken, "doctor-place.unseen"),
        Exists { owner: FileOwner::Other, .. } => (Verdict::Broken, "doctor-place.other"),
        Exists { mode, .. } if mode & 0o002 != 0 => (Verdict::Broken, "doctor-place.others"),
        // If the file's group can write to the file, report only a note, because on many systems
        // each group contains a single user.
        Exists { mode, .. } if mode & 0o020 != 0 => (Verdict::Note, "doctor-place.group"),
        Exists { owner: FileOwner::Root, .. } => (Verdict::Fine, "doctor-place.root"),
        Exists { owner: FileOwner::Own, .. } => (Verdict::Fine, "doctor-place"),
    };
    let [id, label] = kind.id_and_label();
    let finding = Finding::new(id, label, verdict).fact("path", path_for_others(kind, &path));
    let finding = match state {
        Absent => finding.fact("state", "absent"),
        Unreadable => finding.fact("state", "unseen"),
        Exists { owner, mode } => {
            let owner = match owner {
                FileOwner::Own => "own",
                FileOwner::Root => "root",
                FileOwner::Other => "other",
            };
            let finding = finding.fact("state", "there").fact("owner", owner);
            finding.fact("mode", format!("{mode:04o}"))
        }
    };
    Finding { full_path: Some(path), ..finding.message_with_advice(message) }
}

/// Returns the path as it appears in the output for scripts. A file name that the seller chose is
/// left out, because it may identify a shop or a person.
fn path_for_others(kind: PathKind, path: &Untrusted) -> String {
    let path = path.shown();
    if !kind.is_named_in_settings() {
        return path;
    }
    let (dir, name) = path.rsplit_once('/').unwrap_or_default();
    let extension =
        name.rsplit_once('.').map_or(String::new(), |(_, extension)| format!(".{extension}"));
    format!("{dir}/…{extension}")
}

/// Returns the finding about settings that were read successfully.
pub fn settings(profiles: usize) -> Finding {
    Finding::new("configuration.settings", "doctor-settings", Verdict::Fine)
        .fact("read", true)
        .number("profiles", profiles)
        .counted_message("doctor-settings.profiles", profiles as u64)
}

/// Returns the finding about settings that cannot be used. `part` selects the message to show, and
/// `fault` is the error message that other commands print.
pub fn settings_fault(part: &'static str, fault: Untrusted) -> Finding {
    Finding::new("configuration.settings", "doctor-settings", Verdict::Broken)
        .fact("read", false)
        .fact("part", part)
        .message(format!("doctor-settings.{part}"))
        .advice_if(true, "doctor-settings.next")
        .trouble(FoundTrouble::Settings(fault))
}

/// Facts about the API contract that is in use.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ContractFound {
    /// The names of the built-in presets that the profile uses in its API contract.
    pub presets: Vec<&'static str>,
    /// The number of contract files that the seller provides.
    pub files: u64,
    /// The number of settings about money in which the seller's API contract differs from the
    /// built-in contract.
    pub differing: u64,
    /// The number of settings of the API contract that the seller has not agreed to yet; `None` if
    /// the vault could not be read.
    pub pending: Option<u64>,
}

/// Returns the finding about the API contract that is in use.
pub fn contract(found: ContractFound) -> Finding {
    let ContractFound { presets, files, differing, pending } = found;
    let unconfirmed = pending.filter(|lines| *lines > 0);
    let is_own = presets.is_empty() && files == 0;
    let verdict = if unconfirmed.is_some() { Verdict::Note } else { Verdict::Fine };
    Finding::new("contract.lines", "doctor-contract", verdict)
        .message_if(!presets.is_empty(), "doctor-contract.presets")
        .fact("presets", Fact::Texts(presets))
        .number("files", files)
        .number("differing", differing)
        .fact("pending", pending)
        .counted_message_if(files > 0, "doctor-contract.files", files)
        .message_if(differing == 0 && is_own, "doctor-contract.own")
        .message_if(differing == 0 && !is_own, "doctor-contract.same")
        .counted_message_if(differing > 0, "doctor-contract.differing", differing)
        .counted_message_if(
            unconfirmed.is_some(),
            "doctor-contract.pending",
            unconfirmed.unwrap_or(0),
        )
        .advice_if(unconfirmed.is_some(), "doctor-contract.pending-next")
}

/// The reason why the program uses this vault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum VaultSource {
    /// A command-line flag names the vault.
    Flag,
    /// The profile in the settings names the vault.
    Profile,
    /// The vault was used at the last login.
    LastLogin,
    /// No setting names a vault, so the default is used.
    #[default]
    Default,
    /// The demo uses its own vault, which stores no credentials.
    Demo,
}

impl VaultSource {
    /// Returns the name of the source in the output for scripts, such as `flag`.
    pub fn name(self) -> &'static str {
        match self {
            VaultSource::Flag => "flag",
            VaultSource::Profile => "profile",
            VaultSource::LastLogin => "last-login",
            VaultSource::Default => "default",
            VaultSource::Demo => "demo",
        }
    }
}

/// The way in which the doctor command tested the vault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VaultUse {
    /// A test value was stored in the vault.
    Stores,
    /// The vault was only read, because it already contains credentials, cannot store any, or was
    /// not chosen by the seller.
    Reads,
}

/// Returns the finding about the vault: its kind, the reason why it is used, and its state.
/// `command` is the seller's own vault command, if there is one.
///
/// The finding contains no message ids, because `words::checkup` builds its text.
pub fn vault(
    kind: VaultKind,
    source: VaultSource,
    state: Result<VaultUse, VaultTrouble>,
    command: Option<Untrusted>,
) -> Finding {
    let verdict = if state.is_ok() { Verdict::Fine } else { Verdict::Broken };
    let mut finding = Finding::new("vault.kind", "doctor-vault", verdict)
        .fact("kind", kind.name())
        .fact("chosenBy", source.name())
        .fact("works", state.is_ok())
        .fact("stores", state == Ok(VaultUse::Stores))
        .fact("trouble", state.as_ref().err().map(|trouble| trouble.name()));
    finding.values.extend(command.map(|command| ("command", command)));
    Finding { trouble: state.err().map(FoundTrouble::Vault), ..finding }
}

/// The state of a stored credential. It contains neither the credential nor its owner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CredentialFound {
    /// The vault could not be read.
    Unknown,
    /// No credential is stored.
    Absent,
    /// The credential is valid until this time; `None` if its expiry is unknown.
    Good(Option<Wall>),
    /// The credential expired at this time.
    Expired(Wall),
}

impl CredentialFound {
    /// Returns the state of a stored credential at the time `now`. `expires` is its expiry, if
    /// known.
    pub fn from_expiry(expires: Option<Wall>, now: Wall) -> CredentialFound {
        match expires {
            Some(end) if end <= now => CredentialFound::Expired(end),
            expires => CredentialFound::Good(expires),
        }
    }
}

/// Returns the finding about the stored credential of this kind.
pub fn credential(kind: CredentialKind, found: CredentialFound) -> Finding {
    let (id, label, word) = match kind {
        CredentialKind::ApiToken => ("vault.api-token", "doctor-api-token", "token"),
        CredentialKind::Jwt => ("vault.jwt", "doctor-jwt", "jwt"),
    };
    let finding = |verdict, state, end: Option<Wall>| {
        Finding::new(id, label, verdict).fact("state", state).fact("expires", end)
    };
    let advice_id = |state| format!("doctor-credential.{state}-{word}-next");
    match found {
        CredentialFound::Unknown => {
            finding(Verdict::Note, "unknown", None).message_with_advice("doctor-credential.unknown")
        }
        CredentialFound::Absent => finding(Verdict::Note, "absent", None)
            .message("doctor-credential.absent")
            .advice_if(true, advice_id("absent")),
        CredentialFound::Good(end) => finding(Verdict::Fine, "good", end)
            .message_if(end.is_none(), "doctor-credential")
            .message_if(end.is_some(), "doctor-credential.until"),
        CredentialFound::Expired(end) => finding(Verdict::Note, "expired", Some(end))
            .message("doctor-credential.expired")
            .advice_if(true, advice_id("expired")),
    }
}

/// The state of the journal of withdrawals.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "a field is its name")]
pub enum JournalFound {
    /// The journal does not exist yet.
    None,
    /// The journal was read completely. `is_copy` is true if the last write was interrupted, so
    /// that a copy was read instead. `is_marked` is false if neither the configuration directory
    /// nor the vault can record an event of the journal.
    Readable { schema: u32, withdrawals: u64, open: u64, is_copy: bool, is_marked: bool },
    /// The journal cannot be used. The problem may be temporary.
    Trouble(JournalTrouble),
    /// Reading the journal took longer than the time limit.
    Late,
}

/// Returns the finding about the journal of withdrawals. A problem with the journal is described by
/// the same message as on the screens.
pub fn journal(found: JournalFound) -> Finding {
    let finding = |verdict, state| {
        Finding::new("journals.withdrawals", "doctor-journal", verdict).fact("state", state)
    };
    match found {
        JournalFound::None => {
            finding(Verdict::Fine, "none").message_with_advice("doctor-journal.none")
        }
        JournalFound::Late => {
            finding(Verdict::Note, "late").message_with_advice("doctor-journal.late")
        }
        JournalFound::Readable { schema, withdrawals, open, is_copy, is_marked } => {
            let is_fine = !is_copy && is_marked && open == 0;
            finding(if is_fine { Verdict::Fine } else { Verdict::Note }, "whole")
                .number("schema", schema)
                .number("withdrawals", withdrawals)
                .number("open", open)
                .fact("cutShort", is_copy)
                .fact("marked", is_marked)
                .counted_message("doctor-journal.whole", withdrawals)
                .counted_message_if(open > 0, "doctor-journal.open", open)
                .message("doctor-schema")
                .message_if(is_copy, "doctor-journal.copy")
                .message_if(!is_marked, "doctor-journal.unmarked")
                .advice_if(open > 0, "doctor-journal.open-next")
                .advice_if(is_copy, "doctor-journal.copy-next")
                .advice_if(!is_marked, "doctor-journal.unmarked-next")
        }
        JournalFound::Trouble(trouble) => {
            // A journal elsewhere can be read and listed.
            let is_usable =
                matches!(trouble, JournalTrouble::Elsewhere(_) | JournalTrouble::MaybeMissing(_));
            let verdict = if is_usable { Verdict::Note } else { Verdict::Broken };
            let finding = finding(verdict, "trouble").fact("trouble", trouble.name());
            finding.trouble(FoundTrouble::Journal(trouble))
        }
    }
}

/// The state of the history or of the stored HTTP requests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DatabaseFound {
    /// There is no file yet.
    None,
    /// The file is undamaged. The value is its schema version.
    Whole(u32),
    /// The file cannot be used.
    Trouble(JournalTrouble),
    /// Reading the file took longer than the time limit.
    Late,
}

impl DatabaseFound {
    /// Returns the state as the result of examining the file.
    pub fn from_result(result: Result<Option<u32>, JournalTrouble>) -> DatabaseFound {
        match result {
            Ok(None) => DatabaseFound::None,
            Ok(Some(schema)) => DatabaseFound::Whole(schema),
            Err(trouble) => DatabaseFound::Trouble(trouble),
        }
    }

    fn finding(&self, id: &'static str, label: &'static str, has_aside: bool) -> Finding {
        let (verdict, state) = match self {
            DatabaseFound::Trouble(_) => (Verdict::Broken, "trouble"),
            DatabaseFound::Late => (Verdict::Note, "late"),
            DatabaseFound::None => (Verdict::Fine, "none"),
            DatabaseFound::Whole(_) => (Verdict::Fine, "there"),
        };
        let verdict = if has_aside && verdict == Verdict::Fine { Verdict::Note } else { verdict };
        let finding = Finding::new(id, label, verdict).fact("state", state);
        match self {
            DatabaseFound::None => finding.message(format!("{label}.none")),
            DatabaseFound::Whole(schema) => finding
                .fact("schema", Some(u64::from(*schema)))
                .message(format!("{label}.there"))
                .message("doctor-schema"),
            DatabaseFound::Trouble(trouble) => finding.fact("trouble", trouble.name()),
            DatabaseFound::Late => finding.message("doctor-journal.late"),
        }
    }
}

impl Finding {
    /// Adds the names of damaged files that were renamed, the newest last.
    fn moved_aside(self, names: &[String]) -> Finding {
        let finding = self
            .number("aside", names.len() as u64)
            .advice_if(!names.is_empty(), "doctor-requests.aside-next")
            .message_if(!names.is_empty(), "doctor-requests.aside");
        match names.last() {
            Some(newest) => finding.value("file", newest.as_str()),
            None => finding,
        }
    }
}

/// Returns the finding about the history of payment links and direct payments. `moved_aside`
/// contains the names of damaged files, the newest last.
///
/// A problem with the history is described by the same message as on the screens.
pub fn history(found: DatabaseFound, moved_aside: &[String]) -> Finding {
    let has_aside = !moved_aside.is_empty();
    let finding = found.finding("journals.history", "doctor-history", has_aside);
    let finding = finding.moved_aside(moved_aside);
    match found {
        DatabaseFound::Trouble(trouble) => finding.trouble(FoundTrouble::History(trouble)),
        _ => finding,
    }
}

/// Returns the finding about the stored HTTP requests. `moved_aside` contains the names of damaged
/// files, the newest last.
pub fn requests(found: DatabaseFound, moved_aside: &[String]) -> Finding {
    let has_aside = !moved_aside.is_empty();
    let finding = found.finding("journals.requests", "doctor-requests", has_aside);
    let finding = match &found {
        // A damaged file is replaced when the program next stores or reads a request.
        DatabaseFound::Trouble(JournalTrouble::Damaged(_)) => {
            finding.message("doctor-requests.damaged")
        }
        DatabaseFound::Trouble(trouble) => finding
            .message("doctor-requests.trouble")
            .message(format!("said-history.{}", trouble.name()))
            .advice_if(true, "doctor-requests.trouble-next"),
        _ => finding,
    };
    finding.moved_aside(moved_aside)
}
