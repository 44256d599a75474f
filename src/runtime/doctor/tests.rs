//! Tests of the doctor command, which examines the service, the vault and the journal. They use the
//! sandbox, a vault that hangs, and journals on disk.

use std::os::unix::fs::PermissionsExt;
use std::sync::Mutex;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use super::*;
use crate::config::Dirs;
use crate::journal::history::History;
use crate::journal::money::samples::agreement;
use crate::journal::money::{Files, MoneyJournal};
use crate::runtime::clocks::MachineClocks;
use crate::runtime::journal_location::LiveJournal;
use crate::service::{Client, Limits, NetworkSettings, no_consent};
use crate::trade::checkup::{Fact, Verdict};
use crate::trade::{CredentialKind, Secret};
use crate::vault::{MemoryVault, StoredCredential, Vault};

fn now() -> Wall {
    MachineClocks::new().now().wall
}

fn service(base: &str) -> Service {
    let clocks = MachineClocks::new();
    let connection = NetworkSettings::default();
    let clocks = Arc::new(move || clocks.now());
    let client = Client::new(
        Limits::default(),
        connection,
        Arc::new(no_consent),
        clocks,
        Arc::new(|_| ()),
    );
    Service::new(
        BaseUrl::parse(base).unwrap(),
        Arc::new(Contract::built_in()),
        client,
    )
}

fn targets(base: &str, dir: &std::path::Path, vault: VaultHandle) -> CheckupTargets {
    CheckupTargets {
        profile: "loja".into(),
        contract: Some(Arc::new(Contract::built_in())),
        agreement: None,
        base: Some(BaseUrl::parse(base).unwrap()),
        service: Some(service(base)),
        location: Some(Arc::new(JournalLocation::fixed(
            Files::new(dir),
            vault.clone(),
        ))),
        vault: Some(vault),
    }
}

async fn run_checkup(source: VaultSource, targets: &CheckupTargets) -> Checkup {
    let examiner = Examiner {
        vault_source: source,
        ..Examiner::default()
    };
    examiner
        .examine(checkup::terminal_size(None, [60, 18]), targets, now())
        .await
}

fn credential(expires: Option<Wall>) -> Arc<StoredCredential> {
    let secret = Secret::new("canary-token".into());
    let identity = "canary@loja.example".into();
    Arc::new(StoredCredential {
        identity,
        secret,
        since: None,
        expires,
        note: None,
    })
}

fn date(at: Wall) -> String {
    let since_1970 = Duration::from_millis(at.0.unsigned_abs());
    httpdate::fmt_http_date(std::time::SystemTime::UNIX_EPOCH + since_1970)
}

/// Starts a local server that replies 404 with the current date. Returns its address, and a buffer
/// with the bytes that it has received.
async fn host() -> (String, Arc<Mutex<Vec<u8>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let received = Arc::new(Mutex::new(Vec::new()));
    let buffer = received.clone();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut bytes = Vec::new();
            while !bytes.ends_with(b"\r\n\r\n") && stream.read_buf(&mut bytes).await.unwrap() > 0 {}
            buffer.lock().unwrap().extend(bytes);
            let date = date(now());
            let reply =
                format!("HTTP/1.1 404 Not Found\r\ndate: {date}\r\ncontent-length: 0\r\n\r\n");
            let _ = stream.write_all(reply.as_bytes()).await;
        }
    });
    (address, received)
}

#[tokio::test]
async fn working_setup_is_reported_and_nothing_created() {
    let (host, received) = host().await;
    let dir = tempfile::tempdir().unwrap();
    let vault = VaultHandle::memory();
    let all_targets = targets(&host, dir.path(), vault.clone());
    let origin = all_targets
        .service
        .as_ref()
        .unwrap()
        .base()
        .origin()
        .clone();
    let kind = CredentialKind::ApiToken;
    let name = CredentialName {
        profile: "loja".into(),
        origin: origin.clone(),
        kind,
    };
    let expiry = now().plus(Duration::from_secs(3_600));
    vault.put(name, credential(Some(expiry))).await.unwrap();
    let report = run_checkup(VaultSource::Flag, &all_targets).await;
    for expected in [
        checkup::credential(kind, CredentialFound::Good(Some(expiry))),
        checkup::credential(CredentialKind::Jwt, CredentialFound::Absent),
        checkup::journal(JournalFound::None),
        checkup::history(DatabaseFound::None, &[]),
        checkup::address(Some(&origin), true),
        checkup::dns_lookup(DnsLookup::NotNeeded),
    ] {
        assert!(
            report.findings().contains(&expected),
            "{expected:?} in {report:#?}"
        );
    }
    let has_fact = |predicate: fn(&(&str, Fact)) -> bool| {
        report
            .findings()
            .iter()
            .any(|finding| finding.facts.iter().any(predicate))
    };
    assert!(has_fact(|fact| matches!(
        fact,
        ("answered", Fact::Flag(true))
    )));
    assert!(has_fact(|fact| matches!(
        fact,
        ("secondsAhead", Fact::Number(-5..=5))
    )));
    assert_eq!(report.verdict(), Verdict::Note, "the JWT is missing");
    assert!(!format!("{report:?}").contains("canary"), "{report:?}");
    let received = String::from_utf8(received.lock().unwrap().clone()).unwrap();
    assert!(received.starts_with("HEAD / HTTP/1.1\r\n"), "{received}");
    assert_eq!(received.matches("HTTP/1.1").count(), 1, "{received}");
    assert!(!received.contains("canary"), "{received}");
    assert_eq!(
        std::fs::read_dir(dir.path()).unwrap().count(),
        0,
        "nothing is written"
    );
}

#[tokio::test]
async fn journal_open_in_a_window_is_read_unchanged() {
    let dir = tempfile::tempdir().unwrap();
    let mut journal = MoneyJournal::open(Files::new(dir.path()), false).unwrap();
    journal.prepare(agreement(1, 10_000), None).unwrap();
    let (history, _) = History::open(dir.path(), Wall(0)).unwrap();
    let files = || {
        let names = std::fs::read_dir(dir.path())
            .unwrap()
            .map(|entry| entry.unwrap().path());
        let mut files: Vec<_> = names
            .map(|path| (path.clone(), std::fs::read(path).unwrap()))
            .collect();
        files.sort();
        files
    };
    let before = files();
    let location = Arc::new(JournalLocation::fixed(
        Files::new(dir.path()),
        VaultHandle::memory(),
    ));
    let findings = examine_journals(Some(location), now()).await;
    let intact = JournalFound::Readable {
        schema: money::SCHEMA,
        withdrawals: 1,
        open: 0,
        is_copy: false,
        is_marked: true,
    };
    let requests = checkup::requests(DatabaseFound::None, &[]);
    let rows = vec![("links", 0), ("charges", 0)];
    let contents = DatabaseContents {
        schema: history::SCHEMA,
        rows,
    };
    assert_eq!(
        findings,
        [
            checkup::journal(intact),
            checkup::history(DatabaseFound::Whole(contents.clone()), &[]),
            requests
        ]
    );
    assert_eq!(files(), before);
    drop((journal, history));
    assert_eq!(history::examine(dir.path(), now()), Ok(Some(contents)));
}

#[tokio::test]
async fn copies_from_before_an_update_are_named() {
    let dir = tempfile::tempdir().unwrap();
    for name in ["history-before-update.db", "money-before-update.db.new"] {
        std::fs::write(dir.path().join(name), "").unwrap();
    }
    let location = Arc::new(JournalLocation::fixed(
        Files::new(dir.path()),
        VaultHandle::memory(),
    ));
    let findings = examine_journals(Some(location), now()).await;
    let names = ["money-before-update.db.new", "history-before-update.db"].map(str::to_owned);
    assert_eq!(findings.last(), Some(&checkup::copies(&names)));
}

#[tokio::test]
async fn journal_that_nothing_can_mark_is_reported() {
    let dir = tempfile::tempdir().unwrap();
    let dirs = Dirs {
        config: dir.path().join("config"),
        state: dir.path().join("state"),
    };
    std::fs::write(&dirs.config, "no directory").unwrap();
    MoneyJournal::open(Files::new(dirs.state.join("journal")), false).unwrap();
    for (vault, is_marked) in [(VaultHandle::memory(), false), (keyring(None).0, true)] {
        let location = JournalLocation::live(LiveJournal::new(&dirs), vault);
        let findings = examine_journals(Some(Arc::new(location)), now()).await;
        assert!(
            findings[0].facts.contains(&("marked", is_marked.into())),
            "{:?}",
            findings[0]
        );
        let verdict = if is_marked {
            Verdict::Fine
        } else {
            Verdict::Note
        };
        assert_eq!(findings[0].verdict, verdict);
    }
}

#[tokio::test]
async fn damaged_journal_is_reported() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir(dir.path().join("requests")).unwrap();
    let moved_file = "requests/requests-damaged-2026-11-21T054219Z.db";
    std::fs::write(dir.path().join(moved_file), "x").unwrap();
    for name in [
        "money.db",
        "money.head",
        "history.db",
        "requests/requests.db",
    ] {
        std::fs::write(dir.path().join(name), vec![b'x'; 4_096]).unwrap();
    }
    let location = Arc::new(JournalLocation::fixed(
        Files::new(dir.path()),
        VaultHandle::memory(),
    ));
    let findings = examine_journals(Some(location), now()).await;
    assert_eq!(findings.len(), 3);
    let values = &findings[2].values;
    assert_eq!(
        values,
        &[("file", moved_file.strip_prefix("requests/").unwrap().into())]
    );
    for finding in findings {
        assert!(
            finding.facts.contains(&("trouble", "damaged".into())),
            "{finding:?}"
        );
    }
}

/// A vault that counts its writes. If `hangs` is set, reads block.
struct StubKeyring {
    inside: MemoryVault,
    stored: Arc<Mutex<u32>>,
    hangs: Option<std::sync::mpsc::Receiver<()>>,
}

impl Vault for StubKeyring {
    fn value(&mut self, service: &str, user: &str) -> Result<Option<Vec<u8>>, VaultTrouble> {
        if let Some(hangs) = &self.hangs {
            let _ = hangs.recv();
        }
        self.inside.value(service, user)
    }

    fn set(&mut self, service: &str, user: &str, value: &[u8]) -> Result<(), VaultTrouble> {
        *self.stored.lock().unwrap() += 1;
        self.inside.set(service, user, value)
    }

    fn remove(&mut self, service: &str, user: &str) -> Result<(), VaultTrouble> {
        self.inside.remove(service, user)
    }
}

fn keyring(hangs: Option<std::sync::mpsc::Receiver<()>>) -> (VaultHandle, Arc<Mutex<u32>>) {
    let stored = Arc::new(Mutex::new(0));
    let inside = MemoryVault::default();
    let stub = StubKeyring {
        inside,
        stored: stored.clone(),
        hangs,
    };
    (
        VaultHandle::on_thread(VaultKind::Keyring, move || Box::new(stub)),
        stored,
    )
}

#[tokio::test]
async fn only_a_chosen_vault_stores_a_test_entry() {
    for (source, expected_use, expected_writes) in [
        (VaultSource::Default, VaultUse::Reads, 0),
        (VaultSource::LastLogin, VaultUse::Stores, 1),
    ] {
        let (vault, stored) = keyring(None);
        let dir = tempfile::tempdir().unwrap();
        let all_targets = CheckupTargets {
            location: None,
            ..targets("http://127.0.0.1:1", dir.path(), vault)
        };
        let findings = examine_vault(source, None, &all_targets, Wall(0)).await;
        assert_eq!(
            findings[0],
            checkup::vault(VaultKind::Keyring, source, Ok(expected_use), None)
        );
        assert_eq!(*stored.lock().unwrap(), expected_writes, "{source:?}");
    }
}

#[tokio::test]
async fn hanging_vault_is_reported_without_delay() {
    let (unblock, hangs) = std::sync::mpsc::sync_channel(0);
    let (vault, _) = keyring(Some(hangs));
    let dir = tempfile::tempdir().unwrap();
    let all_targets = CheckupTargets {
        location: None,
        ..targets("http://127.0.0.1:1", dir.path(), vault)
    };
    let source = VaultSource::Flag;
    let findings = examine_vault(source, None, &all_targets, Wall(0)).await;
    let hangs = Err(VaultTrouble::Hangs);
    assert_eq!(
        findings[0],
        checkup::vault(VaultKind::Keyring, source, hangs, None)
    );
    for kind in [CredentialKind::ApiToken, CredentialKind::Jwt] {
        let expected = checkup::credential(kind, CredentialFound::Unknown);
        assert!(findings.contains(&expected), "{findings:?}");
    }
    drop(unblock);
}

#[tokio::test]
async fn demo_counts_no_contract_files() {
    let custom = Contract::with(&[("own.toml", "withdrawal.unit = 'centavos'")]).unwrap();
    for (source, files) in [(VaultSource::Demo, 0), (VaultSource::Flag, 1)] {
        let all_targets = CheckupTargets {
            contract: Some(Arc::new(custom.clone())),
            ..CheckupTargets::default()
        };
        let report = run_checkup(source, &all_targets).await;
        let contract = report
            .findings()
            .iter()
            .find(|finding| finding.id == "contract.lines");
        let files = ("files", Fact::Number(files));
        assert!(
            contract.is_some_and(|finding| finding.facts.contains(&files)),
            "{source:?}"
        );
    }
}

#[test]
fn contract_is_reported_by_presets_and_file_count() {
    let preset = crate::contract::Preset::named("centavos").unwrap();
    let custom_file = ("loja.toml", "withdrawal.unit = 'reais'");
    let contract = Contract::with(&[(preset.file, preset.text), custom_file]).unwrap();
    let found = summarize_contract(&contract, None);
    assert_eq!((&found.presets[..], found.files), (&["centavos"][..], 1));
    assert_eq!(
        found.agreement.differing,
        contract.differences().len() as u64
    );
    let built_in = summarize_contract(&Contract::built_in(), None);
    assert_eq!(
        (
            built_in.presets,
            built_in.files,
            built_in.agreement.differing
        ),
        (vec![], 0, 0)
    );
}

#[test]
fn shown_path_hides_home_and_user_name() {
    let variable = |name: &str| match name {
        "HOME" => Some("/data/people/ana".to_owned()),
        "LOGNAME" => Some("ana".to_owned()),
        _ => None,
    };
    let home = PathRedactor::from_variables(variable);
    for (path, expected) in [
        ("/data/people/ana/.config/balcao", "~/.config/balcao"),
        ("/data/people/ana", "~"),
        ("/data/people/anabela/x", "/data/people/anabela/x"),
        ("/srv/ana/balcao", "/srv/…/balcao"),
        ("/data/people/ana/shop/ana", "~/shop/…"),
        ("/data/people/ana/ana.toml", "~/….toml"),
        ("/etc/balcao", "/etc/balcao"),
    ] {
        assert_eq!(home.redact(Path::new(path)), expected);
    }
    for homes in HOME_PARENTS {
        let another = Path::new(homes).join("bia/.config/balcao");
        assert_eq!(home.redact(&another), format!("{homes}/…/.config/balcao"));
        assert_eq!(home.redact(Path::new(homes)), homes);
    }
    // With `/` as the home directory, every path is inside it, so paths are not shortened.
    let root = PathRedactor::from_variables(|name| (name == "HOME").then(|| "/".to_owned()));
    assert_eq!(root.redact(Path::new("/etc/balcao")), "/etc/balcao");
}

#[tokio::test]
async fn link_is_reported_with_its_targets_mode() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    fs::write(at("file"), "").unwrap();
    fs::set_permissions(at("file"), fs::Permissions::from_mode(0o666)).unwrap();
    std::os::unix::fs::symlink(at("file"), at("link")).unwrap();
    let kind = PathKind::ConfigFile;
    let places = ["link", "nothing"].map(|name| (kind, at(name))).to_vec();
    let home = PathRedactor {
        home: Some(dir.path().into()),
        user: None,
    };
    let states = [
        (
            "~/link",
            PathState::Exists {
                owner: FileOwner::Own,
                mode: 0o666,
            },
        ),
        ("~/nothing", PathState::Absent),
    ];
    let expected = states.map(|(path, state)| checkup::place(kind, path.into(), state));
    assert_eq!(examine_places(places, home).await, expected);
}

#[test]
fn foreign_owner_and_denied_access_are_distinguished() {
    let dir = tempfile::tempdir().unwrap();
    let metadata = || fs::metadata(dir.path());
    let own_uid = metadata().unwrap().uid();
    let owner = |own_uid| match place_state(metadata(), own_uid) {
        PathState::Exists { owner, .. } => owner,
        state => panic!("{state:?}"),
    };
    assert_eq!(owner(own_uid), FileOwner::Own);
    let expected = if own_uid == 0 {
        FileOwner::Root
    } else {
        FileOwner::Other
    };
    assert_eq!(owner(own_uid + 1), expected);
    let denied = Err(io::Error::from(ErrorKind::PermissionDenied));
    assert_eq!(place_state(denied, own_uid), PathState::Unreadable);
}

#[tokio::test]
async fn name_lookup_is_skipped_for_ip_and_proxy() {
    for (base, has_proxy, expected) in [
        ("http://127.0.0.1:1", false, DnsLookup::NotNeeded),
        ("http://localhost:1", true, DnsLookup::NotNeeded),
        ("https://[2001:db8::1]", false, DnsLookup::NotNeeded),
        ("https://host.invalid", true, DnsLookup::ByProxy),
    ] {
        assert_eq!(look_up(base, has_proxy).await, expected, "{base}");
    }
}

async fn look_up(base: &str, has_proxy: bool) -> DnsLookup {
    look_up_name(&BaseUrl::parse(base).unwrap(), has_proxy).await
}

#[test]
fn addresses_are_counted_once_and_by_their_kind() {
    let addresses = [
        "192.0.2.1:443",
        "192.0.2.1:443",
        "[2001:db8::1]:443",
        "192.0.2.2:443",
    ];
    let found = count_addresses(addresses.iter().map(|address| address.parse().unwrap()));
    assert_eq!(found, DnsLookup::Found { v4: 2, v6: 1 });
    assert_eq!(
        count_addresses(std::iter::empty()),
        DnsLookup::Found { v4: 0, v6: 0 }
    );
}
