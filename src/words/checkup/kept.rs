//! The sentences about what is kept: settings, contract, credentials, journals.

use super::{FindingText, ReadAt};
use crate::trade::checkup::{
    ContractFound, CredentialFound, FileOwner, HistoryFound, JournalFound, PlaceFound, PlaceKind,
    PlaceState, SettingsFault, VaultFound, VaultSource, VaultUse,
};
use crate::trade::{CredentialKind, Failure, VaultKind};
use crate::words::failure::{self, Doing};
use crate::words::{Words, dates};

/// The message that names a place.
pub fn place_label(kind: PlaceKind) -> &'static str {
    match kind {
        PlaceKind::ConfigDir => "doctor-config-dir",
        PlaceKind::ConfigFile => "doctor-config-file",
        PlaceKind::KeysFile => "doctor-keys-file",
        PlaceKind::ThemeFile => "doctor-theme-file",
        PlaceKind::ContractFile => "doctor-contract-file",
        PlaceKind::CaFile => "doctor-ca-file",
        PlaceKind::StateDir => "doctor-state-dir",
        PlaceKind::VaultsFile => "doctor-vaults-file",
    }
}

/// The sentences about a file or a directory.
pub fn place(words: &Words, found: &PlaceFound) -> FindingText {
    let path = found.path.shown();
    let values = [("path", &*path)];
    let plain = |id: &str| FindingText::new(words.with(id, &values));
    let advised = |id: &str| FindingText::advised(words, id, &values);
    match found.state {
        PlaceState::Absent if found.is_named() => advised("doctor-place.missing"),
        PlaceState::Absent => plain("doctor-place.absent"),
        PlaceState::Unseen => advised("doctor-place.unseen"),
        PlaceState::There { owner: FileOwner::Other, .. } => advised("doctor-place.other"),
        _ if found.others_can_write() => advised("doctor-place.others"),
        _ if found.group_can_write() => advised("doctor-place.group"),
        PlaceState::There { owner: FileOwner::Root, .. } => plain("doctor-place.root"),
        PlaceState::There { owner: FileOwner::Own, .. } => plain("doctor-place"),
    }
}

/// The sentences about settings that cannot be used.
pub fn fault(words: &Words, fault: &SettingsFault) -> FindingText {
    let what = words.text(&format!("doctor-settings.{}", fault.part.name()));
    let quotes = vec![(words.text("doctor-settings.told"), fault.told.clone())];
    FindingText { quotes, ..FindingText::new(what).next(words.text("doctor-settings.next")) }
}

/// The sentences about the contract in force.
pub fn contract(words: &Words, found: &ContractFound) -> FindingText {
    let names = found.presets.join(", ");
    let presets = words.with("doctor-contract.presets", &[("names", &names)]);
    let presets = (!found.presets.is_empty()).then_some(presets);
    let files = (found.files > 0).then(|| words.count("doctor-contract.files", found.files, &[]));
    let is_own = presets.is_none() && files.is_none();
    let differing = match found.differing {
        0 if is_own => words.text("doctor-contract.own"),
        0 => words.text("doctor-contract.same"),
        lines => words.count("doctor-contract.differing", lines, &[]),
    };
    let pending = found.pending.filter(|lines| *lines > 0);
    let waiting = pending.map(|lines| words.count("doctor-contract.pending", lines, &[]));
    let all = [presets, files, Some(differing), waiting].into_iter().flatten();
    let next = pending.map(|_| words.text("doctor-contract.pending-next"));
    FindingText::new(all.collect::<Vec<_>>().join("; ")).next(next.unwrap_or_default())
}

/// The sentences about the vault.
pub fn vault(words: &Words, found: &VaultFound) -> FindingText {
    let mut kind = words.with("doctor-vault.kind", &[("name", found.kind.name())]);
    // Whoever can change the file that names it could keep what is agreed to.
    if let Some(command) = &found.command {
        kind.push_str(&format!(" {}", command.shown()));
    }
    let source = words.text(&format!("doctor-vault.{}", found.source.name()));
    match &found.state {
        // Neither a demo nor variables keep anything: there is no more to say of them.
        Ok(_) if found.source == VaultSource::Demo || found.kind == VaultKind::Environment => {
            FindingText::new(format!("{kind} ({source})"))
        }
        Ok(seen) => {
            let seen = words.text(match seen {
                VaultUse::Stores => "doctor-vault.stores",
                VaultUse::Reads => "doctor-vault.reads",
            });
            FindingText::new(format!("{kind} ({source}); {seen}"))
        }
        Err(trouble) => {
            let told = failure::vault(words, trouble);
            let what = format!("{kind} ({source}). {}", told.what);
            FindingText { quotes: told.quotes, ..FindingText::new(what).next(told.next) }
        }
    }
}

/// The sentences about a credential: never whose it is.
pub fn credential(
    words: &Words,
    kind: CredentialKind,
    found: CredentialFound,
    at: ReadAt,
) -> FindingText {
    let [absent, expired] = match kind {
        CredentialKind::ApiToken => {
            ["doctor-credential.absent-token-next", "doctor-credential.expired-token-next"]
        }
        CredentialKind::Jwt => {
            ["doctor-credential.absent-jwt-next", "doctor-credential.expired-jwt-next"]
        }
    };
    let when = |end| dates::moment(words, at, end);
    match found {
        CredentialFound::Good(None) => FindingText::new(words.text("doctor-credential")),
        CredentialFound::Good(Some(end)) => {
            FindingText::new(words.with("doctor-credential.until", &[("when", &when(end))]))
        }
        CredentialFound::Absent => {
            FindingText::new(words.text("doctor-credential.absent")).next(words.text(absent))
        }
        CredentialFound::Expired(end) => {
            let what = words.with("doctor-credential.expired", &[("when", &when(end))]);
            FindingText::new(what).next(words.text(expired))
        }
        CredentialFound::Unknown => FindingText::advised(words, "doctor-credential.unknown", &[]),
    }
}

/// The sentences about the journal of the withdrawals.
pub fn journal(words: &Words, found: &JournalFound) -> FindingText {
    match found {
        JournalFound::None => FindingText::new(words.text("doctor-journal.none")),
        JournalFound::Late => FindingText::advised(words, "doctor-journal.late", &[]),
        JournalFound::Whole { schema, withdrawals, open, is_copy, is_marked } => {
            let whole = words.count("doctor-journal.whole", *withdrawals, &[]);
            let open = (*open > 0).then(|| words.count("doctor-journal.open", *open, &[]));
            let copy = is_copy.then(|| words.text("doctor-journal.copy"));
            let unmarked = (!is_marked).then(|| words.text("doctor-journal.unmarked"));
            let all = [Some(whole), open, Some(version(words, *schema)), copy, unmarked];
            let what = all.into_iter().flatten().collect::<Vec<_>>().join("; ");
            let copy = is_copy.then(|| words.text("doctor-journal.copy-next"));
            let unmarked = (!is_marked).then(|| words.text("doctor-journal.unmarked-next"));
            let next = [copy, unmarked].into_iter().flatten().collect::<Vec<_>>();
            FindingText::new(what).next(next.join(" "))
        }
        JournalFound::Trouble(trouble) => {
            let told = failure::journal(words, trouble);
            FindingText { quotes: told.quotes, ..FindingText::new(told.what).next(told.next) }
        }
    }
}

/// The sentences about the history of links and charges.
pub fn history(words: &Words, found: &HistoryFound) -> FindingText {
    match found {
        HistoryFound::None => FindingText::new(words.text("doctor-history.none")),
        HistoryFound::There(schema) => {
            let there = words.text("doctor-history.there");
            let all = [Some(there), schema.map(|schema| version(words, schema))];
            FindingText::new(all.into_iter().flatten().collect::<Vec<_>>().join("; "))
        }
        HistoryFound::Trouble(trouble) => {
            let failure = Failure::Journal(trouble.clone());
            let told = failure::describe(words, &failure, Doing::Link);
            FindingText { quotes: told.quotes, ..FindingText::new(told.what).next(told.next) }
        }
    }
}

fn version(words: &Words, schema: u32) -> String {
    words.with("doctor-schema", &[("schema", &schema.to_string())])
}
