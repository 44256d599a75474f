//! The checkup: its page, and every sentence that a finding can have.

use std::sync::Arc;

use balcao::app::Model;
use balcao::app::screens::Layer;
use balcao::app::screens::doctor::Doctor;
use balcao::trade::checkup::{
    AddressFound, CertificateFault, Checkup, CheckupFinding, ClockFound, ColourSource,
    ContractFound, CopyWay, CredentialFound, FileOwner, HistoryFound, HostFault, HostReply,
    JournalFound, LetterSet, NameFound, PlaceFound, PlaceKind, PlaceState, ProgramFound,
    SettingsFault, SettingsPart, TerminalFound, VaultFound, VaultSource, VaultUse, WindowFound,
};
use balcao::trade::{CredentialKind, JournalTrouble, Origin, VaultKind, VaultTrouble, Wall};
use balcao::words::{Lang, Words, checkup};

use crate::models::{NOW, OFFSET, model};
use crate::words::SETTINGS_PARTS;

const UNTIL: Wall = Wall(NOW.0 + 5 * 3_600_000);
const ENDED: Wall = Wall(NOW.0 - 26 * 3_600_000);

fn place(kind: PlaceKind, path: &str, owner: FileOwner, mode: u32) -> CheckupFinding {
    let state = PlaceState::There { owner, mode };
    CheckupFinding::Place(PlaceFound { kind, path: path.into(), state })
}

fn size(columns: u16, rows: u16) -> CheckupFinding {
    let (least_columns, least_rows) = (60, 18);
    CheckupFinding::Window(WindowFound::Size { columns, rows, least_columns, least_rows })
}

fn program() -> CheckupFinding {
    CheckupFinding::Program(ProgramFound {
        version: "0.1.0",
        os: "linux",
        arch: "x86_64",
        sqlite: "3.50.4".into(),
        money_schema: 2,
        history_schema: 3,
    })
}

fn vault(state: Result<VaultUse, VaultTrouble>) -> CheckupFinding {
    let (kind, source) = (VaultKind::Keyring, VaultSource::LastLogin);
    CheckupFinding::Vault(VaultFound { kind, source, state, command: None })
}

/// A computer on which everything is as it should be.
fn fine() -> Vec<CheckupFinding> {
    use CheckupFinding::*;
    vec![
        size(80, 24),
        Terminal(TerminalFound { name: Some("xterm-256color".into()), tmux: true, ssh: false }),
        Colours(ColourSource::Many),
        Letters(LetterSet::All),
        Copying(CopyWay { program: Some("wl-copy"), missing: None }),
        place(PlaceKind::ConfigDir, "~/.config/balcao", FileOwner::Own, 0o700),
        place(PlaceKind::ConfigFile, "~/.config/balcao/config.toml", FileOwner::Own, 0o644),
        Settings { profiles: 2 },
        Contract(ContractFound {
            presets: vec!["centavos"],
            files: 1,
            differing: 3,
            pending: Some(0),
        }),
        vault(Ok(VaultUse::Stores)),
        Credential(CredentialKind::ApiToken, CredentialFound::Good(Some(UNTIL))),
        Credential(CredentialKind::Jwt, CredentialFound::Good(None)),
        Journal(JournalFound::Whole {
            schema: 2,
            withdrawals: 48,
            open: 1,
            is_copy: false,
            is_marked: true,
        }),
        History(HistoryFound::There(Some(3))),
        Address(AddressFound::Secured(Origin("https://api.example.com".into()))),
        Name(NameFound::Found { v4: 2, v6: 1 }),
        Host(HostReply::Answered { status: 404, is_encrypted: true }),
        Clock(ClockFound::Ahead(-2)),
        program(),
    ]
}

/// A computer that lacks much.
fn troubled() -> Vec<CheckupFinding> {
    use CheckupFinding::*;
    let told = "/srv/loja/config.toml, line 3: unknown field `theem`, expected `theme`";
    vec![
        size(80, 24),
        Letters(LetterSet::Locale("C".into())),
        place(PlaceKind::ConfigFile, "~/.config/balcao/config.toml", FileOwner::Own, 0o666),
        SettingsFault(fault(SettingsPart::Files, told)),
        vault(Err(VaultTrouble::Other("org.freedesktop.Secret: no reply".into()))),
        Credential(CredentialKind::ApiToken, CredentialFound::Unknown),
        Journal(JournalFound::None),
        Address(AddressFound::Secured(Origin("https://api.example.com".into()))),
        Name(NameFound::Found { v4: 1, v6: 0 }),
        Host(HostReply::Failed(HostFault::Certificate(CertificateFault::UnknownIssuer))),
    ]
}

fn fault(part: SettingsPart, told: &str) -> SettingsFault {
    SettingsFault { part, told: told.into() }
}

/// The messages of every finding.
pub fn messages() -> impl Iterator<Item = String> {
    let all = [fine(), troubled(), rest()].concat().into_iter();
    all.flat_map(|finding| {
        let told = finding.told();
        let label = [told.label.to_owned(), format!("doctor-group-{}", finding.subject())];
        told.says.into_iter().map(|(id, _)| id).chain(told.next).chain(label)
    })
}

/// The page in each of its states.
pub fn models(lang: Lang) -> Vec<(&'static str, Model)> {
    let page = |findings: Option<Vec<CheckupFinding>>, is_waiting: bool| {
        let mut model = model(lang);
        let checkup = findings.map(|findings| Arc::new(Checkup::of(findings)));
        let wait = is_waiting.then(|| model.store.wait());
        model.layers.push(Layer::Doctor(Doctor { checkup, wait }));
        model
    };
    vec![
        ("doctor-waiting", page(None, true)),
        ("doctor-fine", page(Some(fine()), false)),
        ("doctor-problems", page(Some(troubled()), true)),
    ]
}

/// Every other finding that has a sentence of its own.
fn rest() -> Vec<CheckupFinding> {
    use CheckupFinding::*;
    let dumb = TerminalFound { name: Some("dumb".into()), tmux: false, ssh: false };
    let mut all = vec![
        CheckupFinding::Window(WindowFound::NoTerminal),
        size(40, 10),
        Terminal(dumb),
        Terminal(TerminalFound { name: None, tmux: false, ssh: true }),
        Colours(ColourSource::NoColour),
        Colours(ColourSource::Few),
        Letters(LetterSet::ByChoice),
        Letters(LetterSet::Console),
        TimeZone(":/dev/zero".into()),
        Copying(CopyWay { program: None, missing: Some("xclip") }),
        Contract(ContractFound::default()),
        Contract(ContractFound { files: 2, differing: 0, pending: Some(1), ..Default::default() }),
        Contract(ContractFound { files: 0, differing: 1, pending: Some(2), ..Default::default() }),
        Journal(JournalFound::Whole {
            schema: 1,
            withdrawals: 1,
            open: 0,
            is_copy: true,
            is_marked: false,
        }),
        Journal(JournalFound::Late),
        Journal(JournalFound::Trouble(JournalTrouble::Busy("a window".into()))),
        Journal(JournalFound::Trouble(JournalTrouble::Missing)),
        History(HistoryFound::None),
        History(HistoryFound::There(None)),
        History(HistoryFound::Trouble(JournalTrouble::OtherVersion { found: 9, known: 3 })),
        Address(AddressFound::None),
        Address(AddressFound::ThisMachine(Origin("http://127.0.0.1:8787".into()))),
        Name(NameFound::NotNeeded),
        Name(NameFound::ByProxy),
        Name(NameFound::Unknown),
        Name(NameFound::Late),
        Host(HostReply::Answered { status: 200, is_encrypted: false }),
        Host(HostReply::Answered { status: 503, is_encrypted: true }),
        Clock(ClockFound::Unknown),
    ];
    all.extend([75, -75, 600, -7_200, 86_400, -172_800].map(|s| Clock(ClockFound::Ahead(s))));
    all.extend([0, 1].map(|profiles| Settings { profiles }));
    all.extend(places());
    // That of the files is among the troubles.
    let parts = SETTINGS_PARTS.into_iter().filter(|part| *part != SettingsPart::Files);
    all.extend(parts.map(|part| SettingsFault(fault(part, "…"))));
    all.extend(vaults());
    for kind in [CredentialKind::ApiToken, CredentialKind::Jwt] {
        all.extend([
            Credential(kind, CredentialFound::Absent),
            Credential(kind, CredentialFound::Expired(ENDED)),
        ]);
    }
    all.extend(faults().map(|fault| Host(HostReply::Failed(fault))));
    all
}

fn places() -> Vec<CheckupFinding> {
    let of =
        |kind, state| CheckupFinding::Place(PlaceFound { kind, path: "~/balcao/x".into(), state });
    vec![
        of(PlaceKind::KeysFile, PlaceState::Absent),
        of(PlaceKind::ThemeFile, PlaceState::Unseen),
        place(PlaceKind::ContractFile, "/etc/balcao/loja.toml", FileOwner::Root, 0o644),
        of(PlaceKind::CaFile, PlaceState::Absent),
        place(PlaceKind::StateDir, "~/balcao", FileOwner::Other, 0o700),
        place(PlaceKind::VaultsFile, "~/balcao/vaults.toml", FileOwner::Own, 0o664),
    ]
}

fn vaults() -> impl Iterator<Item = CheckupFinding> {
    [
        (VaultKind::Keyutils, VaultSource::Flag, Ok(VaultUse::Reads)),
        (VaultKind::Helper, VaultSource::Profile, Err(VaultTrouble::HelperHangs)),
        (VaultKind::Environment, VaultSource::Flag, Ok(VaultUse::Reads)),
        (VaultKind::Memory, VaultSource::Demo, Ok(VaultUse::Stores)),
        (VaultKind::Keyring, VaultSource::Nobody, Err(VaultTrouble::Absent)),
    ]
    .into_iter()
    .map(|(kind, source, state)| {
        CheckupFinding::Vault(VaultFound { kind, source, state, command: None })
    })
}

fn faults() -> impl Iterator<Item = HostFault> {
    use CertificateFault::{Expired, NotYetValid, Other, OtherName, Revoked};
    let certificates = [Expired, NotYetValid, OtherName, Revoked, Other];
    let others = [
        HostFault::Name,
        HostFault::Connect,
        HostFault::Encryption,
        HostFault::OwnCertificates,
        HostFault::Late,
        HostFault::Cut,
    ];
    certificates.map(HostFault::Certificate).into_iter().chain(others)
}

#[test]
fn every_finding_in_both_languages() {
    for lang in Lang::ALL {
        let words = Words::of(lang);
        let report = |findings| {
            checkup::report(words, &Checkup::of(findings), (NOW, OFFSET), true).join("\n")
        };
        let all = [fine(), troubled(), rest()].map(report).join("\n\n");
        insta::assert_snapshot!(format!("checkup-{}", lang.tag()), all);
    }
}

#[test]
fn what_is_given_away_quotes_nobody() {
    let words = Words::of(Lang::En);
    let checkup = Checkup::of(troubled());
    let told = |quotes| checkup::report(words, &checkup, (NOW, OFFSET), quotes).join("\n");
    for theirs in ["theem", "org.freedesktop"] {
        assert!(told(true).contains(theirs), "{theirs}");
        assert!(!told(false).contains(theirs), "{theirs}");
    }
    assert!(told(false).contains("a file of the configuration has an error"));
}
