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
    LogFile,
}

impl PathKind {
    /// True if the seller's settings contain the path of this file. Such a file must exist, so a
    /// missing one is reported as an error.
    fn is_named_in_settings(self) -> bool {
        matches!(
            self,
            PathKind::ThemeFile | PathKind::ContractFile | PathKind::CaFile
        )
    }

    /// The id of the finding.
    fn id(self) -> &'static str {
        match self {
            PathKind::ConfigDir => "configuration.directory",
            PathKind::ConfigFile => "configuration.file",
            PathKind::KeysFile => "configuration.keys",
            PathKind::ThemeFile => "configuration.theme",
            PathKind::ContractFile => "configuration.contract",
            PathKind::CaFile => "configuration.ca-file",
            PathKind::StateDir => "configuration.state",
            PathKind::VaultsFile => "configuration.vaults",
            PathKind::LogFile => "configuration.log",
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

/// The finding about a file or directory. `path` begins with `~` if it is in the home directory.
pub fn place(kind: PathKind, path: Untrusted, state: PathState) -> Finding {
    use PathState::{Absent, Exists, Unreadable};
    let (verdict, case) = match state {
        Absent if kind.is_named_in_settings() => (Verdict::Broken, "missing"),
        Absent => (Verdict::Fine, "absent"),
        Unreadable => (Verdict::Broken, "unseen"),
        Exists {
            owner: FileOwner::Other,
            ..
        } => (Verdict::Broken, "other"),
        Exists { mode, .. } if mode & 0o002 != 0 => (Verdict::Broken, "others"),
        // If the file's group can write to the file, report only a note, because on many systems
        // each group contains a single user.
        Exists { mode, .. } if mode & 0o020 != 0 => (Verdict::Note, "group"),
        Exists {
            owner: FileOwner::Root,
            ..
        } => (Verdict::Fine, "root"),
        Exists {
            owner: FileOwner::Own,
            ..
        } => (Verdict::Fine, "own"),
    };
    let finding = Finding::new(kind.id(), verdict).fact("path", path_for_others(kind, &path));
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
    Finding {
        full_path: Some(path),
        ..finding.case(case)
    }
}

/// The path as it appears in the output for scripts. A file name that the seller chose is left out,
/// because it may identify a shop or a person.
fn path_for_others(kind: PathKind, path: &Untrusted) -> String {
    let path = path.shown();
    if !kind.is_named_in_settings() {
        return path;
    }
    let (dir, name) = path.rsplit_once('/').unwrap_or_default();
    let extension = name
        .rsplit_once('.')
        .map_or(String::new(), |(_, extension)| format!(".{extension}"));
    format!("{dir}/…{extension}")
}

/// The finding about the level of the log, such as `error`.
pub fn log_level(level: &'static str) -> Finding {
    Finding::new("configuration.log-level", Verdict::Fine)
        .fact("level", level)
        .case(level)
}

/// The finding about settings that were read successfully.
pub fn settings(profiles: usize) -> Finding {
    Finding::new("configuration.settings", Verdict::Fine)
        .fact("read", true)
        .number("profiles", profiles)
        .counted_case("profiles", profiles as u64)
}

/// The finding about settings that cannot be used. `fault` is the error message that other commands
/// print.
pub fn settings_fault(part: &'static str, fault: Untrusted) -> Finding {
    Finding::new("configuration.settings", Verdict::Broken)
        .fact("read", false)
        .fact("part", part)
        .case(part)
        .case("fault")
        .trouble(FoundTrouble::Settings(fault))
}

/// Whether the seller has agreed to the API contract. The account pane, the consent page and
/// `balcao doctor` all use this answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Agreement {
    /// The number of settings that differ from the built-in contract.
    pub differing: u64,
    /// The number of settings that the seller has not agreed to yet; `None` if that is not known.
    pub pending: Option<u64>,
    /// True if the vault keeps the agreement after the program ends.
    pub is_kept: bool,
    /// True at this user's sandbox, which needs no agreement.
    pub is_sandbox: bool,
}

impl Agreement {
    /// True if the seller is asked again at each start, because no vault keeps the agreement.
    pub fn is_asked_each_time(&self) -> bool {
        let differs = self.differing > 0 || self.pending.is_some_and(|pending| pending > 0);
        differs && !self.is_kept && !self.is_sandbox
    }

    /// The name of the answer, and the number of settings that it is about.
    pub fn answer(&self) -> (&'static str, u64) {
        let name = match self.pending {
            Some(pending) if pending > 0 => return ("pending", pending),
            _ if self.differing == 0 => "own",
            _ if self.is_sandbox => "sandbox",
            _ if self.is_asked_each_time() => "for-run",
            Some(_) => "accepted",
            None => "differing",
        };
        (name, self.differing)
    }
}

/// Facts about the API contract that is in use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContractFound {
    /// The names of the built-in presets that the profile uses in its API contract.
    pub presets: Vec<&'static str>,
    /// The number of contract files that the seller provides.
    pub files: u64,
    /// Whether the seller has agreed to the contract.
    pub agreement: Agreement,
}

/// The finding about the API contract that is in use.
pub fn contract(found: ContractFound) -> Finding {
    let ContractFound {
        presets,
        files,
        agreement,
    } = found;
    let is_pending = agreement.pending.is_some_and(|pending| pending > 0);
    let is_noted = is_pending || agreement.is_asked_each_time();
    let verdict = if is_noted {
        Verdict::Note
    } else {
        Verdict::Fine
    };
    let (answer, count) = agreement.answer();
    let mut finding = Finding::new("contract.lines", verdict)
        .case_if(!presets.is_empty(), "presets")
        .fact("presets", Fact::Texts(presets))
        .number("files", files)
        .number("differing", agreement.differing)
        .fact("pending", agreement.pending)
        .fact("kept", agreement.is_kept);
    if files > 0 {
        finding = finding.counted_case("files", files);
    }
    finding
        .counted_case(answer, count)
        .case_if(agreement.is_asked_each_time(), "each-time")
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
    /// The name of the source in the output for scripts, such as `flag`.
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

/// The finding about the vault: its kind, the reason why it is used, and its state. `command` is
/// the seller's own vault command, if there is one.
///
/// The finding has no cases, because `words::checkup` builds its text from the facts.
pub fn vault(
    kind: VaultKind,
    source: VaultSource,
    state: Result<VaultUse, VaultTrouble>,
    command: Option<Untrusted>,
) -> Finding {
    let verdict = if state.is_ok() {
        Verdict::Fine
    } else {
        Verdict::Broken
    };
    let mut finding = Finding::new("vault.kind", verdict)
        .fact("kind", kind.name())
        .fact("chosenBy", source.name())
        .fact("works", state.is_ok())
        .fact("stores", state == Ok(VaultUse::Stores))
        .fact(
            "trouble",
            state.as_ref().err().map(|trouble| trouble.name()),
        );
    finding
        .values
        .extend(command.map(|command| ("command", command)));
    Finding {
        trouble: state.err().map(FoundTrouble::Vault),
        ..finding
    }
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
    /// The state of a stored credential at the time `now`. `expires` is its expiry, if known.
    pub fn from_expiry(expires: Option<Wall>, now: Wall) -> CredentialFound {
        match expires {
            Some(end) if end <= now => CredentialFound::Expired(end),
            expires => CredentialFound::Good(expires),
        }
    }
}

/// The finding about the stored credential of this kind.
pub fn credential(kind: CredentialKind, found: CredentialFound) -> Finding {
    let id = match kind {
        CredentialKind::ApiToken => "vault.api-token",
        CredentialKind::Jwt => "vault.jwt",
    };
    let (verdict, state, end) = match found {
        CredentialFound::Unknown => (Verdict::Note, "unknown", None),
        CredentialFound::Absent => (Verdict::Note, "absent", None),
        CredentialFound::Good(end) => (Verdict::Fine, "good", end),
        CredentialFound::Expired(end) => (Verdict::Note, "expired", Some(end)),
    };
    let is_until = matches!(found, CredentialFound::Good(Some(_)));
    let case = if is_until { "until" } else { state };
    Finding::new(id, verdict)
        .fact("state", state)
        .fact("expires", end)
        .case(case)
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
    Readable {
        schema: u32,
        withdrawals: u64,
        open: u64,
        is_copy: bool,
        is_marked: bool,
    },
    /// The journal cannot be used. The problem may be temporary.
    Trouble(JournalTrouble),
    /// Reading the journal took longer than the time limit.
    Late,
}

/// The finding about the journal of withdrawals. A problem with the journal is described by the
/// same message as on the screens.
pub fn journal(found: JournalFound) -> Finding {
    let finding =
        |verdict, state| Finding::new("journals.withdrawals", verdict).fact("state", state);
    match found {
        JournalFound::None => finding(Verdict::Fine, "none").case("none"),
        JournalFound::Late => finding(Verdict::Note, "late").case("late"),
        JournalFound::Readable {
            schema,
            withdrawals,
            open,
            is_copy,
            is_marked,
        } => {
            let is_fine = !is_copy && is_marked && open == 0;
            let mut finding = finding(
                if is_fine {
                    Verdict::Fine
                } else {
                    Verdict::Note
                },
                "whole",
            )
            .number("schema", schema)
            .number("withdrawals", withdrawals)
            .number("open", open)
            .fact("cutShort", is_copy)
            .fact("marked", is_marked)
            .counted_case("whole", withdrawals);
            if open > 0 {
                finding = finding.counted_case("open", open);
            }
            finding
                .case("schema")
                .case_if(is_copy, "copy")
                .case_if(!is_marked, "unmarked")
        }
        JournalFound::Trouble(trouble) => {
            // A journal elsewhere can be read and listed.
            let is_usable = matches!(
                trouble,
                JournalTrouble::Elsewhere(_) | JournalTrouble::MaybeMissing(_)
            );
            let verdict = if is_usable {
                Verdict::Note
            } else {
                Verdict::Broken
            };
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
    /// The file is undamaged.
    Whole(DatabaseContents),
    /// The file cannot be used.
    Trouble(JournalTrouble),
    /// Reading the file took longer than the time limit.
    Late,
}

/// The contents of an undamaged database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DatabaseContents {
    /// The schema version of the file.
    pub schema: u32,
    /// The number of rows of each kind, such as `links`.
    pub rows: Vec<(&'static str, u64)>,
}

impl DatabaseFound {
    /// The state as the result of examining the file.
    pub fn from_result(result: Result<Option<DatabaseContents>, JournalTrouble>) -> DatabaseFound {
        match result {
            Ok(None) => DatabaseFound::None,
            Ok(Some(contents)) => DatabaseFound::Whole(contents),
            Err(trouble) => DatabaseFound::Trouble(trouble),
        }
    }

    /// The finding about this database. `moved_aside` contains the names of damaged files, the
    /// newest last.
    fn finding(&self, id: &'static str, moved_aside: &[String]) -> Finding {
        let has_aside = !moved_aside.is_empty();
        let (verdict, state) = match self {
            DatabaseFound::Trouble(_) => (Verdict::Broken, "trouble"),
            DatabaseFound::Late => (Verdict::Note, "late"),
            DatabaseFound::None => (Verdict::Fine, "none"),
            DatabaseFound::Whole(_) => (Verdict::Fine, "there"),
        };
        let verdict = if has_aside {
            verdict.max(Verdict::Note)
        } else {
            verdict
        };
        let finding = Finding::new(id, verdict).fact("state", state);
        let finding = match self {
            DatabaseFound::None | DatabaseFound::Late => finding.case(state),
            DatabaseFound::Whole(contents) => {
                let finding = finding.number("schema", contents.schema).case("whole");
                let rows = contents.rows.iter();
                rows.fold(finding, |finding, (name, count)| {
                    finding.number(name, *count)
                })
            }
            DatabaseFound::Trouble(trouble) => {
                let finding = finding.fact("trouble", trouble.name());
                // A damaged file is replaced when the program uses the database again.
                let is_damaged = matches!(trouble, JournalTrouble::Damaged(_));
                finding.case(if is_damaged { "damaged" } else { "trouble" })
            }
        };
        let finding = finding
            .number("aside", moved_aside.len())
            .case_if(has_aside, "aside");
        match moved_aside.last() {
            Some(newest) => finding.value("file", newest.as_str()),
            None => finding,
        }
    }
}

/// The finding about the history of payment links and direct payments. `moved_aside` contains the
/// names of damaged files, the newest last.
///
/// A problem with the history is described by the same message as on the screens.
pub fn history(found: DatabaseFound, moved_aside: &[String]) -> Finding {
    let finding = found.finding("journals.history", moved_aside);
    match found {
        DatabaseFound::Trouble(trouble) => finding.trouble(FoundTrouble::History(trouble)),
        _ => finding,
    }
}

/// The finding about the copies that were kept before a database was updated, if there are any.
pub fn copies(names: &[String]) -> Finding {
    Finding::new("journals.copies", Verdict::Note)
        .fact("copies", names.join(", "))
        .case("kept")
}

/// The finding about the stored HTTP requests. `moved_aside` contains the names of damaged files,
/// the newest last.
pub fn requests(found: DatabaseFound, moved_aside: &[String]) -> Finding {
    let finding = found.finding("journals.requests", moved_aside);
    match found {
        DatabaseFound::Trouble(trouble) => finding.trouble(FoundTrouble::Requests(trouble)),
        _ => finding,
    }
}
