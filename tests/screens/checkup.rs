//! App models of the checkup screen, with sample findings. This screen diagnoses the installation.

use std::sync::Arc;

use balcao::app::Model;
use balcao::app::screens::Layer;
use balcao::app::screens::doctor::Doctor;
use balcao::trade::checkup::{
    self as found, CertificateFault, Checkup, ColourSource, ContractFound, CopyWay,
    CredentialFound, FileOwner, Finding, HostFault, HostReply, JournalFound, LetterSet, NameFound,
    PlaceKind, PlaceState, VaultSource, VaultUse,
};
use balcao::trade::{CredentialKind, JournalTrouble, Origin, VaultKind, VaultTrouble, Wall};
use balcao::words::{Catalogue, Lang, checkup};

use crate::models::{NOW, OFFSET, model};
use crate::words::SETTINGS_PARTS;

const UNTIL: Wall = Wall(NOW.0 + 5 * 3_600_000);
const ENDED: Wall = Wall(NOW.0 - 26 * 3_600_000);

fn place(kind: PlaceKind, path: &str, owner: FileOwner, mode: u32) -> Finding {
    found::place(kind, path.into(), PlaceState::There { owner, mode })
}

fn size(columns: u16, rows: u16) -> Finding {
    found::window(Some([columns, rows]), [60, 18])
}

fn vault(state: Result<VaultUse, VaultTrouble>) -> Finding {
    found::vault(VaultKind::Keyring, VaultSource::LastLogin, state, None)
}

fn address(origin: &str, is_here: bool) -> Finding {
    found::address(Some(&Origin(origin.into())), is_here)
}

/// The findings of a checkup that found no problems.
fn fine() -> Vec<Finding> {
    vec![
        size(80, 24),
        found::terminal(Some("xterm-256color".into()), true, false),
        found::colours(ColourSource::Many),
        found::letters(&LetterSet::All),
        found::copying(CopyWay { program: Some("wl-copy"), missing: None }),
        place(PlaceKind::ConfigDir, "~/.config/balcao", FileOwner::Own, 0o700),
        place(PlaceKind::ConfigFile, "~/.config/balcao/config.toml", FileOwner::Own, 0o644),
        found::settings(2),
        found::contract(ContractFound {
            presets: vec!["centavos"],
            files: 1,
            differing: 3,
            pending: Some(0),
        }),
        vault(Ok(VaultUse::Stores)),
        found::credential(CredentialKind::ApiToken, CredentialFound::Good(Some(UNTIL))),
        found::credential(CredentialKind::Jwt, CredentialFound::Good(None)),
        found::journal(JournalFound::Whole {
            schema: 2,
            withdrawals: 48,
            open: 0,
            is_copy: false,
            is_marked: true,
        }),
        found::history(Ok(Some(Some(3)))),
        found::requests(Ok(Some(Some(1))), &[]),
        address("https://api.example.com", false),
        found::name(NameFound::Found { v4: 2, v6: 1 }),
        found::service(HostReply::Answered { status: 404, is_encrypted: true }),
        found::clock(Some(-2)),
        found::program(["0.1.0", "linux", "x86_64", "3.50.4"], [2, 3]),
    ]
}

/// The findings of a checkup that found many problems.
fn troubled() -> Vec<Finding> {
    let told = "/srv/loja/config.toml, line 3: unknown field `theem`, expected `theme`";
    let fault = HostFault::Certificate(CertificateFault::UnknownIssuer);
    vec![
        size(80, 24),
        found::letters(&LetterSet::Locale("C".into())),
        place(PlaceKind::ConfigFile, "~/.config/balcao/config.toml", FileOwner::Own, 0o666),
        found::settings_fault("files", told.into()),
        vault(Err(VaultTrouble::Other("org.freedesktop.Secret: no reply".into()))),
        found::credential(CredentialKind::ApiToken, CredentialFound::Unknown),
        found::journal(JournalFound::None),
        address("https://api.example.com", false),
        found::name(NameFound::Found { v4: 1, v6: 0 }),
        found::service(HostReply::Failed(fault)),
    ]
}

/// Returns the message ids of all findings that a checkup can have.
pub fn messages() -> impl Iterator<Item = String> {
    let all = [fine(), troubled(), rest()].concat().into_iter();
    all.flat_map(|finding| {
        let label = [finding.label.to_owned(), format!("doctor-group-{}", finding.subject())];
        finding.says.into_iter().map(|(id, _)| id).chain(finding.next).chain(label)
    })
}

/// Returns app models of the checkup screen in every state.
pub fn models(lang: Lang) -> Vec<(&'static str, Model)> {
    let page = |findings: Option<Vec<Finding>>, is_waiting: bool| {
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

/// Returns findings with all texts that occur neither in [`fine`] nor in [`troubled`].
fn rest() -> Vec<Finding> {
    let contract = |files, differing, pending| {
        let presets = Vec::new();
        found::contract(ContractFound { presets, files, differing, pending })
    };
    let trouble = |trouble| found::journal(JournalFound::Trouble(trouble));
    let answered =
        |status, is_encrypted| found::service(HostReply::Answered { status, is_encrypted });
    let mut all = vec![
        found::window(None, [60, 18]),
        size(40, 10),
        found::terminal(Some("dumb".into()), false, false),
        found::terminal(None, false, true),
        found::colours(ColourSource::NoColour),
        found::colours(ColourSource::Few),
        found::letters(&LetterSet::ByChoice),
        found::letters(&LetterSet::Console),
        found::time_zone(":/dev/zero"),
        found::copying(CopyWay { program: None, missing: Some("xclip") }),
        contract(0, 0, None),
        contract(2, 0, Some(1)),
        contract(0, 1, Some(2)),
        found::journal(JournalFound::Whole {
            schema: 1,
            withdrawals: 2,
            open: 1,
            is_copy: true,
            is_marked: false,
        }),
        found::journal(JournalFound::Late),
        trouble(JournalTrouble::Busy("a window".into())),
        trouble(JournalTrouble::Missing),
        found::history(Ok(None)),
        found::requests(Ok(None), &[]),
        found::requests(Ok(None), &["requests-damaged-2026-11-21T133000Z.db".into()]),
        found::requests(Err(JournalTrouble::OtherVersion { found: 9, known: 1 }), &[]),
        found::requests(Err(JournalTrouble::Damaged("bytes".into())), &[]),
        found::history(Ok(Some(None))),
        found::history(Err(JournalTrouble::OtherVersion { found: 9, known: 3 })),
        found::address(None, false),
        address("http://127.0.0.1:8787", true),
    ];
    let names = [NameFound::NotNeeded, NameFound::ByProxy, NameFound::Unknown, NameFound::Late];
    all.extend(names.map(found::name));
    all.extend([answered(200, false), answered(503, true)]);
    let clocks = [75, -75, 600, -7_200, 86_400, -172_800].map(Some);
    all.extend([None].into_iter().chain(clocks).map(found::clock));
    all.extend([0, 1].map(found::settings));
    all.extend(places());
    // Skip "files", because [`troubled`] already contains a fault of this part.
    let parts = SETTINGS_PARTS.into_iter().filter(|part| *part != "files");
    all.extend(parts.map(|part| found::settings_fault(part, "…".into())));
    all.extend(vaults());
    for kind in [CredentialKind::ApiToken, CredentialKind::Jwt] {
        let states = [CredentialFound::Absent, CredentialFound::Expired(ENDED)];
        all.extend(states.map(|state| found::credential(kind, state)));
    }
    all.extend(faults().map(|fault| found::service(HostReply::Failed(fault))));
    all
}

fn places() -> Vec<Finding> {
    let of = |kind, state| found::place(kind, "~/balcao/x".into(), state);
    vec![
        of(PlaceKind::KeysFile, PlaceState::Absent),
        of(PlaceKind::ThemeFile, PlaceState::Unseen),
        place(PlaceKind::ContractFile, "/etc/balcao/loja.toml", FileOwner::Root, 0o644),
        of(PlaceKind::CaFile, PlaceState::Absent),
        place(PlaceKind::StateDir, "~/balcao", FileOwner::Other, 0o700),
        place(PlaceKind::VaultsFile, "~/balcao/vaults.toml", FileOwner::Own, 0o664),
    ]
}

fn vaults() -> impl Iterator<Item = Finding> {
    [
        (VaultKind::Keyutils, VaultSource::Flag, Ok(VaultUse::Reads)),
        (VaultKind::Helper, VaultSource::Profile, Err(VaultTrouble::HelperHangs)),
        (VaultKind::Environment, VaultSource::Flag, Ok(VaultUse::Reads)),
        (VaultKind::Memory, VaultSource::Demo, Ok(VaultUse::Stores)),
        (VaultKind::Keyring, VaultSource::Nobody, Err(VaultTrouble::Absent)),
    ]
    .into_iter()
    .map(|(kind, source, state)| found::vault(kind, source, state, None))
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
fn every_finding() {
    let words = Catalogue::of(Lang::Pt);
    let report =
        |findings| checkup::report(words, &Checkup::of(findings), (NOW, OFFSET), true).join("\n");
    let all = [fine(), troubled(), rest()].map(report).join("\n\n");
    insta::assert_snapshot!("checkup-pt-BR", all);
}

#[test]
fn shared_report_quotes_no_foreign_text() {
    let words = Catalogue::of(Lang::En);
    let checkup = Checkup::of(troubled());
    let told = |quotes| checkup::report(words, &checkup, (NOW, OFFSET), quotes).join("\n");
    for theirs in ["theem", "org.freedesktop"] {
        assert!(told(true).contains(theirs), "{theirs}");
        assert!(!told(false).contains(theirs), "{theirs}");
    }
    assert!(told(false).contains("a file of the configuration has an error"));
}
