//! The keys for scripts: README tells them all, and they hold no words of anybody's.

use super::*;
use crate::trade::checkup::{
    AddressFound, CertificateFault, ClockFound, ColourSource, ContractFound, CopyWay,
    CredentialFound, FileOwner, HistoryFound, HostFault, HostReply, JournalFound, LetterSet,
    NameFound, PlaceFound, PlaceKind, PlaceState, ProgramFound, SettingsPart, TerminalFound,
    VaultFound, VaultSource, VaultUse, WindowFound,
};
use crate::trade::{CredentialKind, JournalTrouble, Origin, VaultKind, VaultTrouble, Wall};

/// Words of a file or another program, which may name somebody.
const THEIRS: &str = "canary@loja.example";

fn place(kind: PlaceKind, state: PlaceState) -> CheckupFinding {
    CheckupFinding::Place(PlaceFound { kind, path: "~/x".into(), state })
}

fn places() -> Vec<CheckupFinding> {
    use PlaceKind::*;
    let there = PlaceState::There { owner: FileOwner::Own, mode: 0o644 };
    let kinds = [ConfigDir, ConfigFile, KeysFile, ThemeFile, ContractFile, CaFile, StateDir];
    let mut all: Vec<_> = kinds.map(|kind| place(kind, there)).into();
    all.extend([place(VaultsFile, PlaceState::Absent), place(CaFile, PlaceState::Unseen)]);
    all
}

fn vault(state: Result<VaultUse, VaultTrouble>) -> CheckupFinding {
    let (kind, source) = (VaultKind::Keyring, VaultSource::Profile);
    CheckupFinding::Vault(VaultFound { kind, source, state, command: None })
}

fn network() -> Vec<CheckupFinding> {
    use CheckupFinding::{Address, Clock, Host, Name};
    let origin = || Origin("https://api.example.com".into());
    vec![
        Address(AddressFound::None),
        Address(AddressFound::ThisMachine(origin())),
        Address(AddressFound::Secured(origin())),
        Name(NameFound::NotNeeded),
        Name(NameFound::ByProxy),
        Name(NameFound::Found { v4: 1, v6: 0 }),
        Name(NameFound::Unknown),
        Name(NameFound::Late),
        Host(HostReply::Answered { status: 200, is_encrypted: true }),
        Host(HostReply::Failed(HostFault::Connect)),
        Host(HostReply::Failed(HostFault::Certificate(CertificateFault::Expired))),
        Clock(ClockFound::Ahead(-3)),
        Clock(ClockFound::Unknown),
    ]
}

/// A finding of every kind, in each of its shapes.
fn all() -> Vec<CheckupFinding> {
    use CheckupFinding::*;
    let fault =
        crate::trade::checkup::SettingsFault { part: SettingsPart::Files, told: THEIRS.into() };
    let damaged = || JournalTrouble::Damaged(THEIRS.into());
    let mut all = vec![
        Window(WindowFound::NoTerminal),
        Window(WindowFound::Size { columns: 80, rows: 24, least_columns: 60, least_rows: 18 }),
        Terminal(TerminalFound { name: Some("xterm".into()), tmux: true, ssh: false }),
        Colours(ColourSource::Many),
        Letters(LetterSet::All),
        Letters(LetterSet::ByChoice),
        Letters(LetterSet::Console),
        Letters(LetterSet::Locale("C".into())),
        Copying(CopyWay { program: None, missing: Some("xclip") }),
        Settings { profiles: 2 },
        SettingsFault(fault),
        Contract(ContractFound {
            presets: vec!["centavos"],
            files: 1,
            differing: 3,
            pending: None,
        }),
        vault(Ok(VaultUse::Stores)),
        vault(Err(VaultTrouble::Other(THEIRS.into()))),
        Credential(CredentialKind::ApiToken, CredentialFound::Good(Some(Wall(0)))),
        Credential(CredentialKind::Jwt, CredentialFound::Absent),
        Journal(JournalFound::None),
        Journal(JournalFound::Late),
        Journal(JournalFound::Whole {
            schema: 2,
            withdrawals: 48,
            open: 1,
            is_copy: false,
            is_marked: true,
        }),
        Journal(JournalFound::Trouble(damaged())),
        History(HistoryFound::None),
        History(HistoryFound::There(Some(3))),
        History(HistoryFound::Trouble(damaged())),
        Program(ProgramFound {
            version: "0.1.0",
            os: "linux",
            arch: "x86_64",
            sqlite: "3.50.4".into(),
            money_schema: 2,
            history_schema: 3,
        }),
    ];
    all.extend(places());
    all.extend(network());
    all
}

#[test]
fn every_key_for_scripts_stands_in_the_readme() {
    let readme = include_str!("../../../../README.md");
    let told = checkup(&Checkup::of(all()));
    for key in told.as_object().unwrap().keys() {
        assert!(readme.contains(&format!("`{key}`")), "{key}");
    }
    for one in told["findings"].as_array().unwrap() {
        let id = format!("`{}`", one["id"].as_str().unwrap());
        let is_row = |line: &&str| line.starts_with("| `") && line.contains(&id);
        let row = readme.lines().find(is_row).unwrap_or_else(|| panic!("{id}"));
        let (_, facts) = row.split_once("` | ").unwrap();
        for key in one["facts"].as_object().unwrap().keys() {
            assert!(facts.contains(&format!("`{key}`")), "{key} of {id}");
        }
    }
}

#[test]
fn the_words_of_files_and_programs_are_left_out() {
    let told = checkup(&Checkup::of(all())).to_string();
    assert!(!told.contains("canary"), "{told}");
    assert!(told.contains(r#""trouble":"damaged""#), "{told}");
}

#[test]
fn a_credential_is_told_by_its_state_and_its_end() {
    let end = Wall(1_000);
    for (found, wanted) in [
        (CredentialFound::Unknown, json!({ "state": "unknown", "expires": null })),
        (CredentialFound::Absent, json!({ "state": "absent", "expires": null })),
        (CredentialFound::Good(None), json!({ "state": "good", "expires": null })),
        (CredentialFound::Expired(end), json!({ "state": "expired", "expires": moment(end) })),
    ] {
        let told = finding(&CheckupFinding::Credential(CredentialKind::Jwt, found));
        assert_eq!(told["facts"], wanted);
    }
}
