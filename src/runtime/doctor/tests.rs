//! Tests of the doctor command, which examines the service, the vault and the journal. They use the
//! sandbox, a vault that hangs, and journals on disk.

use std::os::unix::fs::PermissionsExt;
use std::sync::Mutex;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use super::*;
use crate::journal::OsDisk;
use crate::journal::history::History;
use crate::journal::money::MoneyJournal;
use crate::journal::money::samples::agreement;
use crate::runtime::clocks::MachineClocks;
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
    let client =
        Client::new(Limits::default(), connection, Arc::new(no_consent), clocks, Arc::new(|_| ()));
    Service::new(BaseUrl::parse(base).unwrap(), Arc::new(Contract::built_in()), client)
}

fn examined(base: &str, dir: &std::path::Path, vault: VaultHandle) -> Examined {
    Examined {
        profile: "loja".into(),
        contract: Some(Arc::new(Contract::built_in())),
        pending: Some(0),
        base: Some(BaseUrl::parse(base).unwrap()),
        service: Some(service(base)),
        location: Some(Arc::new(JournalLocation::fixed(dir, vault.clone()))),
        vault: Some(vault),
    }
}

async fn checkup(source: VaultSource, all: &Examined) -> Checkup {
    let examiner = Examiner { vault_source: source, ..Examiner::default() };
    examiner.examine(checkup::window(None, [60, 18]), all, now()).await
}

fn credential(expires: Option<Wall>) -> Arc<StoredCredential> {
    let secret = Secret::new("canary-token".into());
    let identity = "canary@loja.example".into();
    Arc::new(StoredCredential { identity, secret, since: None, expires, note: None })
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
    let heard = Arc::new(Mutex::new(Vec::new()));
    let told = heard.clone();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut bytes = Vec::new();
            while !bytes.ends_with(b"\r\n\r\n") && stream.read_buf(&mut bytes).await.unwrap() > 0 {}
            told.lock().unwrap().extend(bytes);
            let date = date(now());
            let reply =
                format!("HTTP/1.1 404 Not Found\r\ndate: {date}\r\ncontent-length: 0\r\n\r\n");
            let _ = stream.write_all(reply.as_bytes()).await;
        }
    });
    (address, heard)
}

#[tokio::test]
async fn working_setup_is_reported_and_nothing_created() {
    let ((host, heard), dir) = (host().await, tempfile::tempdir().unwrap());
    let vault = VaultHandle::memory();
    let all = examined(&host, dir.path(), vault.clone());
    let origin = all.service.as_ref().unwrap().base().origin().clone();
    let kind = CredentialKind::ApiToken;
    let name = CredentialName { profile: "loja".into(), origin: origin.clone(), kind };
    let until = now().plus(Duration::from_secs(3_600));
    vault.put(name, credential(Some(until))).await.unwrap();
    let found = checkup(VaultSource::Flag, &all).await;
    for wanted in [
        checkup::credential(kind, CredentialFound::Good(Some(until))),
        checkup::credential(CredentialKind::Jwt, CredentialFound::Absent),
        checkup::journal(JournalFound::None),
        checkup::history(Ok(None)),
        checkup::address(Some(&origin), true),
        checkup::name(NameFound::NotNeeded),
    ] {
        assert!(found.findings().contains(&wanted), "{wanted:?} in {found:#?}");
    }
    let has = |is: fn(&(&str, Fact)) -> bool| {
        found.findings().iter().any(|finding| finding.facts.iter().any(is))
    };
    assert!(has(|fact| matches!(fact, ("answered", Fact::Flag(true)))));
    assert!(has(|fact| matches!(fact, ("secondsAhead", Fact::Number(-5..=5)))));
    assert_eq!(found.verdict(), Verdict::Note, "the JWT is missing");
    assert!(!format!("{found:?}").contains("canary"), "{found:?}");
    let heard = String::from_utf8(heard.lock().unwrap().clone()).unwrap();
    assert!(heard.starts_with("HEAD / HTTP/1.1\r\n"), "{heard}");
    assert_eq!(heard.matches("HTTP/1.1").count(), 1, "{heard}");
    assert!(!heard.contains("canary"), "{heard}");
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0, "nothing is written");
}

#[tokio::test]
async fn journal_open_in_a_window_is_read_unchanged() {
    let dir = tempfile::tempdir().unwrap();
    let mut journal = MoneyJournal::open(dir.path(), OsDisk, false).unwrap();
    journal.prepare(agreement(1, 10_000), None).unwrap();
    let (history, _) = History::open(dir.path(), Wall(0)).unwrap();
    let files = || {
        let names = std::fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().path());
        let mut files: Vec<_> =
            names.map(|path| (path.clone(), std::fs::read(path).unwrap())).collect();
        files.sort();
        files
    };
    let before = files();
    let location = Arc::new(JournalLocation::fixed(dir.path(), VaultHandle::memory()));
    let found = examine_journals(Some(location)).await;
    let whole = JournalFound::Whole {
        schema: money::SCHEMA,
        withdrawals: 1,
        open: 0,
        is_copy: false,
        is_marked: true,
    };
    let requests = checkup::requests(Ok(None), &[]);
    assert_eq!(found, [checkup::journal(whole), checkup::history(Ok(Some(None))), requests]);
    assert_eq!(files(), before);
    drop((journal, history));
    assert_eq!(history::schema_on_disk(dir.path()), Ok(Some(Some(history::SCHEMA))));
}

#[tokio::test]
async fn a_journal_that_is_damaged_is_said_to_be() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir(dir.path().join("requests")).unwrap();
    let aside = "requests/requests-damaged-2026-11-21T054219Z.db";
    std::fs::write(dir.path().join(aside), "x").unwrap();
    for name in ["money.db", "money.head", "history.db", "requests/requests.db"] {
        std::fs::write(dir.path().join(name), vec![b'x'; 4_096]).unwrap();
    }
    let location = Arc::new(JournalLocation::fixed(dir.path(), VaultHandle::memory()));
    let found = examine_journals(Some(location)).await;
    assert_eq!(found.len(), 3);
    let named = &found[2].values;
    assert_eq!(named, &[("file", aside.strip_prefix("requests/").unwrap().into())]);
    for finding in found {
        assert!(finding.facts.contains(&("trouble", "damaged".into())), "{finding:?}");
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
    let stub = StubKeyring { inside, stored: stored.clone(), hangs };
    (VaultHandle::over(VaultKind::Keyring, move || Box::new(stub)), stored)
}

#[tokio::test]
async fn only_a_vault_that_somebody_chose_stores_something() {
    for (source, seen, stores) in
        [(VaultSource::Nobody, VaultUse::Reads, 0), (VaultSource::LastLogin, VaultUse::Stores, 1)]
    {
        let (vault, stored) = keyring(None);
        let dir = tempfile::tempdir().unwrap();
        let all = Examined { location: None, ..examined("http://127.0.0.1:1", dir.path(), vault) };
        let found = examine_vault(source, None, &all, Wall(0)).await;
        assert_eq!(found[0], checkup::vault(VaultKind::Keyring, source, Ok(seen), None));
        assert_eq!(*stored.lock().unwrap(), stores, "{source:?}");
    }
}

#[tokio::test]
async fn a_vault_that_hangs_is_said_to_and_holds_nothing_up() {
    let (lets_go, hangs) = std::sync::mpsc::sync_channel(0);
    let (vault, _) = keyring(Some(hangs));
    let dir = tempfile::tempdir().unwrap();
    let all = Examined { location: None, ..examined("http://127.0.0.1:1", dir.path(), vault) };
    let source = VaultSource::Flag;
    let found = examine_vault(source, None, &all, Wall(0)).await;
    let hangs = Err(VaultTrouble::Hangs);
    assert_eq!(found[0], checkup::vault(VaultKind::Keyring, source, hangs, None));
    for kind in [CredentialKind::ApiToken, CredentialKind::Jwt] {
        let wanted = checkup::credential(kind, CredentialFound::Unknown);
        assert!(found.contains(&wanted), "{found:?}");
    }
    drop(lets_go);
}

#[tokio::test]
async fn a_demo_says_of_no_file_that_it_is_the_sellers() {
    let own = Contract::with(&[("own.toml", "withdrawal.unit = 'centavos'")]).unwrap();
    for (source, files) in [(VaultSource::Demo, 0), (VaultSource::Flag, 1)] {
        let all = Examined { contract: Some(Arc::new(own.clone())), ..Examined::default() };
        let found = checkup(source, &all).await;
        let contract = found.findings().iter().find(|finding| finding.id == "contract.lines");
        let files = ("files", Fact::Number(files));
        assert!(contract.is_some_and(|it| it.facts.contains(&files)), "{source:?}");
    }
}

#[test]
fn contract_is_reported_by_presets_and_file_count() {
    let preset = crate::contract::Preset::named("centavos").unwrap();
    let own = ("loja.toml", "withdrawal.unit = 'reais'");
    let contract = Contract::with(&[(preset.file, preset.text), own]).unwrap();
    let found = contract_found(&contract, Some(2));
    assert_eq!((&found.presets[..], found.files), (&["centavos"][..], 1));
    assert_eq!(found.differing, contract.differences().len() as u64);
    assert_eq!(contract_found(&Contract::built_in(), None), ContractFound::default());
}

#[test]
fn shown_path_hides_home_and_user_name() {
    let variable = |name: &str| match name {
        "HOME" => Some("/data/people/ana".to_owned()),
        "LOGNAME" => Some("ana".to_owned()),
        _ => None,
    };
    let home = HomeName::from_variables(variable);
    for (path, told) in [
        ("/data/people/ana/.config/balcao", "~/.config/balcao"),
        ("/data/people/ana", "~"),
        ("/data/people/anabela/x", "/data/people/anabela/x"),
        ("/srv/ana/balcao", "/srv/…/balcao"),
        ("/data/people/ana/shop/ana", "~/shop/…"),
        ("/data/people/ana/ana.toml", "~/….toml"),
        ("/etc/balcao", "/etc/balcao"),
    ] {
        assert_eq!(home.shortened(Path::new(path)), told);
    }
    for homes in HOMES {
        let another = Path::new(homes).join("bia/.config/balcao");
        assert_eq!(home.shortened(&another), format!("{homes}/…/.config/balcao"));
        assert_eq!(home.shortened(Path::new(homes)), homes);
    }
    // With `/` as the home directory, every path is inside it, so paths are not shortened.
    let root = HomeName::from_variables(|name| (name == "HOME").then(|| "/".to_owned()));
    assert_eq!(root.shortened(Path::new("/etc/balcao")), "/etc/balcao");
}

#[tokio::test]
async fn owner_and_rights_are_those_of_what_a_link_leads_to() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    fs::write(at("file"), "").unwrap();
    fs::set_permissions(at("file"), fs::Permissions::from_mode(0o666)).unwrap();
    std::os::unix::fs::symlink(at("file"), at("link")).unwrap();
    let kind = PlaceKind::ConfigFile;
    let places = ["link", "nothing"].map(|name| (kind, at(name))).to_vec();
    let home = HomeName { home: Some(dir.path().into()), user: None };
    let states = [
        ("~/link", PlaceState::There { owner: FileOwner::Own, mode: 0o666 }),
        ("~/nothing", PlaceState::Absent),
    ];
    let wanted = states.map(|(path, state)| checkup::place(kind, path.into(), state));
    assert_eq!(look_at_places(places, home).await, wanted);
}

#[test]
fn foreign_owner_and_denied_access_are_distinguished() {
    let dir = tempfile::tempdir().unwrap();
    let there = || fs::metadata(dir.path());
    let own = there().unwrap().uid();
    let owner = |own| match judged(there(), own) {
        PlaceState::There { owner, .. } => owner,
        state => panic!("{state:?}"),
    };
    assert_eq!(owner(own), FileOwner::Own);
    let another = if own == 0 { FileOwner::Root } else { FileOwner::Other };
    assert_eq!(owner(own + 1), another);
    let denied = Err(io::Error::from(ErrorKind::PermissionDenied));
    assert_eq!(judged(denied, own), PlaceState::Unseen);
}

#[tokio::test]
async fn name_lookup_is_skipped_for_ip_and_proxy() {
    for (base, has_proxy, wanted) in [
        ("http://127.0.0.1:1", false, NameFound::NotNeeded),
        ("http://localhost:1", true, NameFound::NotNeeded),
        ("https://[2001:db8::1]", false, NameFound::NotNeeded),
        ("https://host.invalid", true, NameFound::ByProxy),
    ] {
        assert_eq!(name_of(base, has_proxy).await, wanted, "{base}");
    }
}

async fn name_of(base: &str, has_proxy: bool) -> NameFound {
    name_found(&BaseUrl::parse(base).unwrap(), has_proxy).await
}

#[test]
fn addresses_are_counted_once_and_by_their_kind() {
    let all = ["192.0.2.1:443", "192.0.2.1:443", "[2001:db8::1]:443", "192.0.2.2:443"];
    let found = counted(all.iter().map(|one| one.parse().unwrap()));
    assert_eq!(found, NameFound::Found { v4: 2, v6: 1 });
    assert_eq!(counted(std::iter::empty()), NameFound::Found { v4: 0, v6: 0 });
}
