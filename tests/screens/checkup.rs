//! App models of the checkup screen, with sample findings. This screen diagnoses the installation.

use std::sync::Arc;

use balcao::app::Model;
use balcao::app::screens::Layer;
use balcao::app::screens::doctor::Doctor;
use balcao::trade::checkup::{
    self as finding, Agreement, CertificateFault, CharacterSet, Checkup, ClipboardMethod,
    ColourSource, ContractFound, CredentialFound, DatabaseContents, DatabaseFound, DnsLookup,
    FileOwner, Finding, HostFault, HostReply, JournalFound, PathKind, PathState, VaultSource,
    VaultUse,
};
use balcao::trade::{CredentialKind, JournalTrouble, Origin, VaultKind, VaultTrouble, Wall};
use balcao::words::{Catalogue, Lang, checkup};

use crate::models::{NOW, OFFSET, model};
use crate::words::SETTING_GROUPS;

const EXPIRES_LATER: Wall = Wall(NOW.0 + 5 * 3_600_000);
const EXPIRED_YESTERDAY: Wall = Wall(NOW.0 - 26 * 3_600_000);

fn place(kind: PathKind, path: &str, owner: FileOwner, mode: u32) -> Finding {
    finding::place(kind, path.into(), PathState::Exists { owner, mode })
}

fn size(columns: u16, rows: u16) -> Finding {
    finding::terminal_size(Some([columns, rows]), [60, 18])
}

fn vault(state: Result<VaultUse, VaultTrouble>) -> Finding {
    finding::vault(VaultKind::Keyring, VaultSource::LastLogin, state, None)
}

fn address(origin: &str, is_here: bool) -> Finding {
    finding::address(Some(&Origin(origin.into())), is_here)
}

/// The findings of a checkup that found no problems.
fn findings_without_problems() -> Vec<Finding> {
    vec![
        size(80, 24),
        finding::terminal(Some("xterm-256color".into()), true, false),
        finding::colours(ColourSource::Many),
        finding::character_set(&CharacterSet::All),
        finding::clipboard(ClipboardMethod {
            program: Some("wl-copy"),
            missing: None,
        }),
        place(
            PathKind::ConfigDir,
            "~/.config/balcao",
            FileOwner::Own,
            0o700,
        ),
        place(
            PathKind::ConfigFile,
            "~/.config/balcao/config.toml",
            FileOwner::Own,
            0o644,
        ),
        finding::settings(2),
        finding::contract(ContractFound {
            presets: vec!["centavos"],
            files: 1,
            agreement: agreement(3, Some(0)),
        }),
        vault(Ok(VaultUse::Stores)),
        finding::credential(
            CredentialKind::ApiToken,
            CredentialFound::Good(Some(EXPIRES_LATER)),
        ),
        finding::credential(CredentialKind::Jwt, CredentialFound::Good(None)),
        finding::journal(JournalFound::Readable {
            schema: 2,
            withdrawals: 48,
            open: 0,
            is_copy: false,
            is_marked: true,
        }),
        finding::history(whole(3, &[("links", 61), ("charges", 4)]), &[]),
        finding::requests(whole(1, &[("requests", 312)]), &[]),
        address("https://api.example.com", false),
        finding::dns_lookup(DnsLookup::Found { v4: 2, v6: 1 }),
        finding::service(HostReply::Answered {
            status: 404,
            is_encrypted: true,
        }),
        finding::clock(Some(-2)),
        finding::program(["0.1.0", "linux", "x86_64", "3.50.4"], [2, 3]),
    ]
}

fn whole(schema: u32, rows: &[(&'static str, u64)]) -> DatabaseFound {
    DatabaseFound::Whole(DatabaseContents {
        schema,
        rows: rows.to_vec(),
    })
}

fn agreement(differing: u64, pending: Option<u64>) -> Agreement {
    Agreement {
        differing,
        pending,
        is_kept: true,
        is_sandbox: false,
    }
}

/// The findings of a checkup that found many problems.
fn findings_with_problems() -> Vec<Finding> {
    let parse_error = "/srv/loja/config.toml, line 3: unknown field `theem`, expected `theme`";
    let fault = HostFault::Certificate(CertificateFault::UnknownIssuer);
    vec![
        size(80, 24),
        finding::character_set(&CharacterSet::Locale("C".into())),
        place(
            PathKind::ConfigFile,
            "~/.config/balcao/config.toml",
            FileOwner::Own,
            0o666,
        ),
        finding::settings_fault("files", parse_error.into()),
        vault(Err(VaultTrouble::Other(
            "org.freedesktop.Secret: no reply".into(),
        ))),
        finding::credential(CredentialKind::ApiToken, CredentialFound::Unknown),
        finding::journal(JournalFound::None),
        address("https://api.example.com", false),
        finding::dns_lookup(DnsLookup::Found { v4: 1, v6: 0 }),
        finding::service(HostReply::Failed(fault)),
    ]
}

/// Returns the message ids of all findings that a checkup can have.
pub fn message_ids() -> impl Iterator<Item = String> {
    // The texts of these findings refer to texts of other findings.
    let referring = vec![
        finding::credential(CredentialKind::ApiToken, CredentialFound::Good(None)),
        finding::credential(
            CredentialKind::Jwt,
            CredentialFound::Good(Some(EXPIRES_LATER)),
        ),
        finding::credential(CredentialKind::Jwt, CredentialFound::Unknown),
        finding::requests(DatabaseFound::Late, &[]),
    ];
    let findings = [
        findings_without_problems(),
        findings_with_problems(),
        other_findings(),
        referring,
    ]
    .concat()
    .into_iter();
    findings.flat_map(|finding| {
        let label = [
            checkup::label_id(&finding),
            format!("doctor-group-{}", finding.subject()),
        ];
        let ids = checkup::message_ids(Catalogue::of(Lang::Pt), &finding);
        ids.into_iter().map(|(id, _)| id).chain(label)
    })
}

/// Returns app models of the checkup screen in every state.
pub fn checkup_models(lang: Lang) -> Vec<(&'static str, Model)> {
    let page = |findings: Option<Vec<Finding>>, is_waiting: bool| {
        let mut model = model(lang);
        let checkup = findings.map(|findings| Arc::new(Checkup::of(findings)));
        let wait = is_waiting.then(|| model.store.wait());
        model.layers.push(Layer::Doctor(Doctor { checkup, wait }));
        model
    };
    vec![
        ("doctor-waiting", page(None, true)),
        (
            "doctor-fine",
            page(Some(findings_without_problems()), false),
        ),
        (
            "doctor-problems",
            page(Some(findings_with_problems()), true),
        ),
    ]
}

/// Returns findings whose texts do not occur in the other two lists. Together, the three lists
/// contain every text of the checkup screen.
fn other_findings() -> Vec<Finding> {
    let contract = |files, agreement| {
        let presets = Vec::new();
        finding::contract(ContractFound {
            presets,
            files,
            agreement,
        })
    };
    let trouble = |trouble| finding::journal(JournalFound::Trouble(trouble));
    let answered = |status, is_encrypted| {
        finding::service(HostReply::Answered {
            status,
            is_encrypted,
        })
    };
    let mut findings = vec![
        finding::terminal_size(None, [60, 18]),
        size(40, 10),
        finding::terminal(Some("dumb".into()), false, false),
        finding::terminal(None, false, true),
        finding::colours(ColourSource::NoColour),
        finding::colours(ColourSource::Few),
        finding::character_set(&CharacterSet::ByChoice),
        finding::character_set(&CharacterSet::Console),
        finding::time_zone(":/dev/zero"),
        finding::clipboard(ClipboardMethod {
            program: None,
            missing: Some("xclip"),
        }),
        contract(0, agreement(0, None)),
        contract(2, agreement(0, Some(1))),
        contract(0, agreement(1, Some(2))),
        contract(1, agreement(2, None)),
        contract(
            1,
            Agreement {
                is_kept: false,
                ..agreement(2, Some(0))
            },
        ),
        contract(
            1,
            Agreement {
                is_sandbox: true,
                ..agreement(2, Some(0))
            },
        ),
        finding::journal(JournalFound::Readable {
            schema: 1,
            withdrawals: 2,
            open: 1,
            is_copy: true,
            is_marked: false,
        }),
        finding::journal(JournalFound::Late),
        trouble(JournalTrouble::Busy("a window".into())),
        trouble(JournalTrouble::Missing),
        finding::history(DatabaseFound::None, &[]),
        finding::requests(DatabaseFound::None, &[]),
        finding::requests(
            DatabaseFound::None,
            &["requests-damaged-2026-11-21T133000Z.db".into()],
        ),
        finding::copies(&[
            "history-before-update.db".into(),
            "money-before-update.db".into(),
        ]),
        finding::requests(
            DatabaseFound::Trouble(JournalTrouble::OtherVersion { found: 9, known: 1 }),
            &[],
        ),
        finding::requests(
            DatabaseFound::Trouble(JournalTrouble::Damaged("bytes".into())),
            &[],
        ),
        finding::history(
            DatabaseFound::Late,
            &["history-damaged-2026-11-21T133000Z.db".into()],
        ),
        finding::history(
            DatabaseFound::Trouble(JournalTrouble::OtherVersion { found: 9, known: 3 }),
            &[],
        ),
        finding::address(None, false),
        address("http://127.0.0.1:8787", true),
    ];
    let names = [
        DnsLookup::NotNeeded,
        DnsLookup::ByProxy,
        DnsLookup::Unknown,
        DnsLookup::Late,
    ];
    findings.extend(names.map(finding::dns_lookup));
    findings.extend([answered(200, false), answered(503, true)]);
    let clocks = [75, -75, 600, -7_200, 86_400, -172_800].map(Some);
    findings.extend([None].into_iter().chain(clocks).map(finding::clock));
    findings.extend([0, 1].map(finding::settings));
    findings.extend(path_findings());
    // Skip "files", because [`findings_with_problems`] already contains a fault of this part.
    let parts = SETTING_GROUPS.into_iter().filter(|part| *part != "files");
    findings.extend(parts.map(|part| finding::settings_fault(part, "…".into())));
    findings.extend(vault_findings());
    for kind in [CredentialKind::ApiToken, CredentialKind::Jwt] {
        let states = [
            CredentialFound::Absent,
            CredentialFound::Expired(EXPIRED_YESTERDAY),
        ];
        findings.extend(states.map(|state| finding::credential(kind, state)));
    }
    findings.extend(finding::ignored_variables(vec![
        "SSL_CERT_FILE",
        "SSL_CERT_DIR",
    ]));
    findings.extend(host_faults().map(|fault| finding::service(HostReply::Failed(fault))));
    findings
}

fn path_findings() -> Vec<Finding> {
    let finding_for = |kind, state| finding::place(kind, "~/balcao/x".into(), state);
    vec![
        finding_for(PathKind::KeysFile, PathState::Absent),
        finding_for(PathKind::ThemeFile, PathState::Unreadable),
        place(
            PathKind::ContractFile,
            "/etc/balcao/loja.toml",
            FileOwner::Root,
            0o644,
        ),
        finding_for(PathKind::CaFile, PathState::Absent),
        place(PathKind::StateDir, "~/balcao", FileOwner::Other, 0o700),
        place(
            PathKind::VaultsFile,
            "~/balcao/vaults.toml",
            FileOwner::Own,
            0o664,
        ),
        finding_for(PathKind::LogFile, PathState::Absent),
        finding::log_level("off"),
        finding::log_level("error"),
        finding::log_level("info"),
        finding::log_level("debug"),
    ]
}

fn vault_findings() -> impl Iterator<Item = Finding> {
    [
        (VaultKind::Keyutils, VaultSource::Flag, Ok(VaultUse::Reads)),
        (
            VaultKind::Helper,
            VaultSource::Profile,
            Err(VaultTrouble::HelperHangs),
        ),
        (
            VaultKind::Environment,
            VaultSource::Flag,
            Ok(VaultUse::Reads),
        ),
        (VaultKind::Memory, VaultSource::Demo, Ok(VaultUse::Stores)),
        (
            VaultKind::Keyring,
            VaultSource::Default,
            Err(VaultTrouble::Absent),
        ),
    ]
    .into_iter()
    .map(|(kind, source, state)| finding::vault(kind, source, state, None))
}

fn host_faults() -> impl Iterator<Item = HostFault> {
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
    certificates
        .map(HostFault::Certificate)
        .into_iter()
        .chain(others)
}

#[test]
fn every_finding() {
    let words = Catalogue::of(Lang::Pt);
    let report =
        |findings| checkup::report(words, &Checkup::of(findings), (NOW, OFFSET), true).join("\n");
    let reports = [
        findings_without_problems(),
        findings_with_problems(),
        other_findings(),
    ]
    .map(report)
    .join("\n\n");
    insta::assert_snapshot!("checkup-pt-BR", reports);
}

#[test]
fn shared_report_quotes_no_foreign_text() {
    let words = Catalogue::of(Lang::En);
    let checkup = Checkup::of(findings_with_problems());
    let report = |quotes| checkup::report(words, &checkup, (NOW, OFFSET), quotes).join("\n");
    for foreign_text in ["theem", "org.freedesktop"] {
        assert!(report(true).contains(foreign_text), "{foreign_text}");
        assert!(!report(false).contains(foreign_text), "{foreign_text}");
    }
    assert!(report(false).contains("a file of the configuration has an error"));
}
