//! The keys for scripts: CONTRIBUTING documents them all, and they hold no words of anybody's.

use super::*;
use crate::trade::checkup::{
    self as found, CertificateFault, ColourSource, ContractFound, CopyWay, CredentialFound,
    FileOwner, HostFault, HostReply, JournalFound, LetterSet, NameFound, PlaceKind, PlaceState,
    VaultSource, VaultUse,
};
use crate::trade::{CredentialKind, JournalTrouble, Origin, VaultKind, VaultTrouble, Wall};

/// Words of a file or another program, which may name somebody.
const THEIRS: &str = "canary@loja.example";

fn network() -> Vec<Finding> {
    let fault = HostFault::Certificate(CertificateFault::Expired);
    vec![
        found::address(None, false),
        found::address(Some(&Origin("https://api.example.com".into())), false),
        found::name(NameFound::NotNeeded),
        found::name(NameFound::Found { v4: 1, v6: 0 }),
        found::service(HostReply::Answered { status: 200, is_encrypted: true }),
        found::service(HostReply::Failed(fault)),
        found::clock(Some(-3)),
        found::clock(None),
    ]
}

/// A finding of every kind, in each of its shapes.
fn all() -> Vec<Finding> {
    use PlaceKind::*;
    let damaged = || JournalTrouble::Damaged(THEIRS.into());
    let vault = |state| found::vault(VaultKind::Keyring, VaultSource::Profile, state, None);
    let mut all = vec![
        found::window(None, [60, 18]),
        found::window(Some([80, 24]), [60, 18]),
        found::terminal(Some("xterm".into()), true, false),
        found::colours(ColourSource::Many),
        found::letters(&LetterSet::All),
        found::letters(&LetterSet::Locale("C".into())),
        found::copying(CopyWay { program: None, missing: Some("xclip") }),
        found::settings(2),
        found::settings_fault("files", THEIRS.into()),
        found::contract(ContractFound { presets: vec!["centavos"], ..Default::default() }),
        vault(Ok(VaultUse::Stores)),
        vault(Err(VaultTrouble::Other(THEIRS.into()))),
        found::credential(CredentialKind::ApiToken, CredentialFound::Good(Some(Wall(0)))),
        found::credential(CredentialKind::Jwt, CredentialFound::Absent),
        found::journal(JournalFound::None),
        found::journal(JournalFound::Whole {
            schema: 2,
            withdrawals: 48,
            open: 1,
            is_copy: false,
            is_marked: true,
        }),
        found::journal(JournalFound::Trouble(damaged())),
        found::history(Ok(Some(Some(3)))),
        found::history(Err(damaged())),
        found::program(["0.1.0", "linux", "x86_64", "3.50.4"], [2, 3]),
    ];
    let there = PlaceState::There { owner: FileOwner::Own, mode: 0o644 };
    let kinds = [ConfigDir, ConfigFile, KeysFile, ThemeFile, ContractFile, CaFile, StateDir];
    all.extend(kinds.map(|kind| found::place(kind, "~/x".into(), there)));
    all.push(found::place(VaultsFile, "~/x".into(), PlaceState::Absent));
    all.extend(network());
    all
}

#[test]
fn every_key_for_scripts_is_documented() {
    let documented = include_str!("../../../../CONTRIBUTING.md");
    let told = checkup(&Checkup::of(all()));
    for key in told.as_object().unwrap().keys() {
        assert!(documented.contains(&format!("`{key}`")), "{key}");
    }
    for one in told["findings"].as_array().unwrap() {
        let id = format!("`{}`", one["id"].as_str().unwrap());
        let is_row = |line: &&str| line.starts_with("| `") && line.contains(&id);
        let row = documented.lines().find(is_row).unwrap_or_else(|| panic!("{id}"));
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
        let told = finding(&found::credential(CredentialKind::Jwt, found));
        assert_eq!(told["facts"], wanted);
    }
}
