//! Tests of the markers that record which journal is the live one: with a second journal, a moved
//! journal, an older copy, or a missing journal.

use std::fs;

use super::*;
use crate::journal::money::samples::{
    WINDOW, agreement, attempted, clocks, confirmed, end, key, lost, open,
};
use crate::trade::{VaultKind, VaultTrouble};
use crate::vault::Vault;

/// Returns an inbox without a receiver, which drops all messages.
fn closed_inbox() -> Inbox {
    Inbox::new(tokio::sync::mpsc::channel(1).0)
}

/// A simulated machine with its own directories.
struct Machine {
    dir: tempfile::TempDir,
}

impl Machine {
    fn new() -> Machine {
        Machine { dir: tempfile::tempdir().unwrap() }
    }

    fn at(&self, name: &str) -> PathBuf {
        self.dir.path().canonicalize().unwrap().join(name)
    }

    /// Returns the location of the live journal when the simulated machine uses these directories.
    fn with(&self, config: &str, state: &str, vault: &VaultHandle) -> JournalLocation {
        let places = Dirs { config: self.at(config), state: self.at(state) };
        JournalLocation::live(LiveJournal::on_a_machine(&places, "this one"), vault.clone())
    }

    fn location(&self, vault: &VaultHandle) -> JournalLocation {
        self.with("config", "state", vault)
    }

    /// Records a withdrawal with number `n` in the journal at this location, as the app does.
    async fn uses(location: &JournalLocation, n: u128) {
        let mut journal = location.open(&closed_inbox()).await.unwrap();
        attempted(&mut journal, n, 100 * n as i64, confirmed());
        location.remember_in_vault().await;
    }

    fn copies(&self, from: &str, to: &str) {
        for dir in ["", "journal"] {
            fs::create_dir_all(self.at(to).join(dir)).unwrap();
            for entry in fs::read_dir(self.at(from).join(dir)).unwrap() {
                let path = entry.unwrap().path();
                if path.is_file() {
                    fs::copy(&path, self.at(to).join(dir).join(path.file_name().unwrap())).unwrap();
                }
            }
        }
    }

    fn deletes(&self, name: &str) {
        fs::remove_dir_all(self.at(name)).unwrap();
    }

    fn moves(&self, from: &str, to: &str) {
        fs::rename(self.at(from), self.at(to)).unwrap();
    }

    fn entry(&self) -> Option<marker::MarkerEntry> {
        MarkerFile::new(&self.at("config"), "this one").entry().unwrap()
    }
}

/// A keyring for which every call fails with this error.
struct Fails(VaultTrouble);

impl Vault for Fails {
    fn value(&mut self, _: &str, _: &str) -> Result<Option<Vec<u8>>, VaultTrouble> {
        Err(self.0.clone())
    }

    fn set(&mut self, _: &str, _: &str, _: &[u8]) -> Result<(), VaultTrouble> {
        Err(self.0.clone())
    }

    fn remove(&mut self, _: &str, _: &str) -> Result<(), VaultTrouble> {
        Err(self.0.clone())
    }
}

fn fails(trouble: VaultTrouble) -> VaultHandle {
    VaultHandle::over(VaultKind::Keyring, move || Box::new(Fails(trouble.clone())))
}

fn no_keyring() -> VaultHandle {
    fails(VaultTrouble::Absent)
}

async fn trouble(location: &JournalLocation) -> JournalTrouble {
    location.open(&closed_inbox()).await.map(|_| ()).unwrap_err()
}

async fn check(
    location: &JournalLocation,
    journal: Option<&MoneyJournal>,
) -> Result<(), JournalTrouble> {
    location.liveness().await?.check(journal)
}

#[tokio::test]
async fn emptied_state_directory_is_missed_without_keyring() {
    let machine = Machine::new();
    Machine::uses(&machine.location(&no_keyring()), 1).await;
    machine.deletes("state");
    assert_eq!(trouble(&machine.location(&no_keyring())).await, JournalTrouble::Missing);
    // On another machine, a missing journal is not an error, even with a copied configuration.
    let places = Dirs { config: machine.at("config"), state: machine.at("state") };
    let other = LiveJournal::on_a_machine(&places, "another one");
    assert!(JournalLocation::live(other, no_keyring()).open(&closed_inbox()).await.is_ok());
}

#[tokio::test]
async fn journal_is_remembered_before_its_first_event() {
    let machine = Machine::new();
    let location = machine.location(&no_keyring());
    let mut journal = location.open(&closed_inbox()).await.unwrap();
    assert_eq!(machine.entry(), None, "there is nothing to lose");
    // Make the write of `money.head` fail, as if the app was killed just before it.
    fs::create_dir(machine.at("state/journal/money.head.new")).unwrap();
    journal.prepare(agreement(1, 100), None).unwrap_err();
    assert_eq!(machine.entry().unwrap().event.n, 0);
    drop((journal, location));
    machine.deletes("state");
    assert_eq!(trouble(&machine.location(&no_keyring())).await, JournalTrouble::Missing);
}

#[tokio::test]
async fn missing_journal_is_given_up_by_hand_only() {
    for vault in [VaultHandle::memory(), no_keyring()] {
        let machine = Machine::new();
        Machine::uses(&machine.location(&vault), 1).await;
        machine.deletes("state");
        let location = machine.location(&vault);
        assert_eq!(trouble(&location).await, JournalTrouble::Missing);
        assert_eq!(check(&location, None).await, Err(JournalTrouble::Missing));
        assert_eq!(location.make_live().await, Ok(()));
        assert_eq!(check(&location, None).await, Ok(()));
        assert!(machine.location(&vault).open(&closed_inbox()).await.is_ok());
    }
}

/// Returns a machine with a live journal and an older copy of it, which lacks withdrawal 2.
async fn with_a_copy(vault: &VaultHandle) -> Machine {
    let machine = Machine::new();
    Machine::uses(&machine.location(vault), 1).await;
    machine.copies("state", "copy");
    Machine::uses(&machine.location(vault), 2).await;
    machine
}

#[tokio::test]
async fn copied_state_directory_is_no_second_live_journal() {
    for (config, vault) in [
        ("config", no_keyring()),
        ("config", VaultHandle::memory()),
        // The configuration directory is new, so only the vault contains a marker of the live
        // journal.
        ("config-2", VaultHandle::memory()),
    ] {
        let machine = with_a_copy(&vault).await;
        let before = machine.entry();
        let copy = machine.with(config, "copy", &vault);
        let elsewhere = JournalTrouble::Elsewhere(machine.at("state/journal"));
        assert_eq!(trouble(&copy).await, elsewhere);
        let read = MoneyJournal::open_to_read(&copy.named_dir(), elsewhere.clone()).unwrap();
        assert_eq!(check(&copy, Some(&read.journal)).await, Err(elsewhere));
        assert_eq!(machine.entry(), before, "the marker names the live one as before");
        assert!(machine.location(&vault).open(&closed_inbox()).await.is_ok());
    }
}

#[tokio::test]
async fn copy_becomes_live_by_hand_and_the_other_is_locked() {
    let vault = VaultHandle::memory();
    let machine = with_a_copy(&vault).await;
    let window = machine.location(&vault);
    let mut journal = window.open(&closed_inbox()).await.unwrap();
    let copy = machine.with("config", "copy", &vault);
    let refused = copy.make_live().await;
    assert!(matches!(refused, Err(JournalTrouble::Busy(_))), "a window has it open: {refused:?}");
    journal.prepare(agreement(3, 300), None).unwrap();
    drop((journal, window));
    assert_eq!(copy.make_live().await, Ok(()));
    assert!(copy.open(&closed_inbox()).await.is_ok());
    let elsewhere = JournalTrouble::Elsewhere(machine.at("copy/journal"));
    assert_eq!(trouble(&machine.location(&vault)).await, elsewhere);
    assert_eq!(trouble(&machine.with("config-2", "state", &vault)).await, elsewhere);
}

#[tokio::test]
async fn open_window_stops_once_another_journal_is_live() {
    let machine = with_a_copy(&no_keyring()).await;
    let mut journal = machine.location(&no_keyring()).open(&closed_inbox()).await.unwrap();
    journal.prepare(agreement(3, 300), None).unwrap();
    let lock = journal.lock(key(3)).unwrap();
    let permit = journal.begin(lock, key(3), None, &clocks(3), &WINDOW).unwrap();
    let other =
        marker::MarkerEntry { journal: machine.at("copy/journal"), ..machine.entry().unwrap() };
    MarkerFile::new(&machine.at("config"), "this one").put(&other).unwrap();
    // The outcome of the running attempt is still written, although another journal is now the live
    // one.
    journal.settle(permit.spend().0, &end(3, lost())).unwrap();
    let refused = journal.prepare(agreement(4, 400), None);
    let elsewhere = JournalTrouble::Elsewhere(machine.at("copy/journal"));
    assert_eq!(refused, Err(elsewhere.clone().into()));
    assert_eq!(journal.trouble(), Some(&elsewhere));
    assert_eq!(machine.entry(), Some(other));
}

#[tokio::test]
async fn moved_directory_is_followed() {
    for vault in [VaultHandle::memory(), no_keyring()] {
        let machine = Machine::new();
        Machine::uses(&machine.location(&vault), 1).await;
        machine.moves("state", "moved");
        let location = machine.with("config", "moved", &vault);
        let mut journal = location.open(&closed_inbox()).await.unwrap();
        assert_eq!(machine.entry().unwrap().journal, machine.at("moved/journal"));
        journal.prepare(agreement(2, 200), None).unwrap();
        drop((journal, location));
        // Both markers name the directory "moved", so the copy in the original directory is not the
        // live journal.
        machine.copies("moved", "state");
        let elsewhere = JournalTrouble::Elsewhere(machine.at("moved/journal"));
        assert_eq!(trouble(&machine.location(&vault)).await, elsewhere);
    }
}

#[tokio::test]
async fn older_copy_elsewhere_is_not_the_moved_journal() {
    for vault in [VaultHandle::memory(), no_keyring()] {
        let machine = with_a_copy(&vault).await;
        machine.deletes("state");
        let copy = machine.with("config", "copy", &vault);
        assert_eq!(trouble(&copy).await, JournalTrouble::Missing);
        assert_eq!(copy.make_live().await, Ok(()), "by hand it takes the place");
        assert!(copy.open(&closed_inbox()).await.is_ok());
        assert_eq!(machine.entry().unwrap().journal, machine.at("copy/journal"));
    }
}

#[tokio::test]
async fn older_copy_put_back_is_trouble_until_set_aside() {
    let machine = with_a_copy(&no_keyring()).await;
    machine.deletes("state");
    machine.moves("copy", "state");
    let location = machine.location(&no_keyring());
    let older = JournalTrouble::Older { missing: 3 };
    assert_eq!(trouble(&location).await, older);
    let dir = location.named_dir();
    let read = MoneyJournal::open_to_read(&dir, older.clone()).unwrap();
    assert_eq!(check(&location, Some(&read.journal)).await, Err(older));
    drop(read);
    let event = location.remembered_event().unwrap();
    let aside = crate::journal::money::set_aside(&dir, event, crate::trade::Wall(0)).unwrap();
    assert!(aside.join("money.db").exists());
    assert_eq!(location.make_live().await, Ok(()));
    Machine::uses(&machine.location(&no_keyring()), 1).await;
}

#[tokio::test]
async fn journal_with_another_event_there_is_damaged() {
    let machine = with_a_copy(&no_keyring()).await;
    // Add withdrawal 9 to the copy, so that its events differ from those of the live journal. Then
    // replace the live journal with the copy.
    attempted(&mut open(&machine.at("copy/journal")), 9, 900, confirmed());
    machine.deletes("state");
    machine.moves("copy", "state");
    let found = trouble(&machine.location(&no_keyring())).await;
    assert!(
        matches!(&found, JournalTrouble::Damaged(text) if text.contains("event 6")),
        "{found:?}"
    );
}

#[tokio::test]
async fn older_copy_that_is_followed_takes_nothing() {
    let machine = with_a_copy(&no_keyring()).await;
    // Open the older copy, to simulate a process that has not read the newer events.
    machine.moves("state", "newer");
    machine.copies("copy", "state");
    let mut idle = open(&machine.at("state/journal"));
    let marker = marker::JournalMarker {
        file: MarkerFile::new(&machine.at("config"), "this one"),
        journal: machine.at("state/journal"),
        moved_from: None,
    };
    assert_eq!(idle.follow(Box::new(marker)), Err(JournalTrouble::Older { missing: 3 }));
    let refused = idle.prepare(agreement(2, 200), None);
    assert_eq!(refused, Err(JournalTrouble::Older { missing: 3 }.into()));
    assert_eq!(machine.entry().unwrap().event.n, 6, "the marker stays as it is");
}

#[tokio::test]
async fn unwritable_marker_lags_and_catches_up() {
    let machine = Machine::new();
    fs::write(machine.at("config"), "no directory").unwrap();
    let location = machine.location(&no_keyring());
    Machine::uses(&location, 1).await;
    assert!(!location.can_mark());
    drop(location);
    fs::remove_file(machine.at("config")).unwrap();
    let location = machine.location(&no_keyring());
    let journal = location.open(&closed_inbox()).await.unwrap();
    assert!(location.can_mark());
    assert_eq!(machine.entry().unwrap().event, journal.last());
    assert_eq!(journal.last().n, 3);
}

#[tokio::test]
async fn marker_follows_the_writes_of_both_windows() {
    let machine = Machine::new();
    let (one, two) = (machine.location(&no_keyring()), machine.location(&no_keyring()));
    let mut left = one.open(&closed_inbox()).await.unwrap();
    let mut right = two.open(&closed_inbox()).await.unwrap();
    for n in 1..=3 {
        attempted(&mut left, 2 * n, 200 * n as i64, confirmed());
        attempted(&mut right, 2 * n + 1, 200 * n as i64 + 100, confirmed());
        assert_eq!(machine.entry().unwrap().event, right.last());
    }
}

#[tokio::test]
async fn locked_keyring_needs_a_matching_line_of_the_file() {
    for doubt in [VaultTrouble::Locked, VaultTrouble::Hangs] {
        let machine = Machine::new();
        Machine::uses(&machine.location(&no_keyring()), 1).await;
        let vault = fails(doubt.clone());
        assert!(machine.location(&vault).open(&closed_inbox()).await.is_ok());
        machine.copies("state", "copy");
        let maybe = JournalTrouble::MaybeMissing(doubt);
        assert_eq!(trouble(&machine.with("config-2", "copy", &vault)).await, maybe);
        let elsewhere = JournalTrouble::Elsewhere(machine.at("state/journal"));
        assert_eq!(trouble(&machine.with("config", "copy", &vault)).await, elsewhere);
        machine.deletes("state");
        assert_eq!(trouble(&machine.with("config", "copy", &vault)).await, maybe);
    }
}

#[tokio::test]
async fn state_directory_behind_a_link_is_the_same_journal() {
    let machine = Machine::new();
    let vault = VaultHandle::memory();
    std::os::unix::fs::symlink(machine.at("state"), machine.at("link")).unwrap();
    fs::create_dir(machine.at("state")).unwrap();
    Machine::uses(&machine.with("config", "link", &vault), 1).await;
    Machine::uses(&machine.location(&vault), 2).await;
    // Let the symbolic link point to the copy of the state directory.
    machine.copies("state", "copy");
    fs::remove_file(machine.at("link")).unwrap();
    std::os::unix::fs::symlink(machine.at("copy"), machine.at("link")).unwrap();
    let elsewhere = JournalTrouble::Elsewhere(machine.at("state/journal"));
    assert_eq!(trouble(&machine.with("config", "link", &vault)).await, elsewhere);
}

#[tokio::test]
async fn unreadable_marker_file_locks_the_journal() {
    let machine = Machine::new();
    Machine::uses(&machine.location(&no_keyring()), 1).await;
    fs::write(machine.at("config/live-journal.toml"), "not what we wrote").unwrap();
    let location = machine.location(&no_keyring());
    let journal = location.open(&closed_inbox()).await.unwrap();
    let why = journal.trouble().cloned();
    assert!(
        matches!(&why, Some(JournalTrouble::Io(text)) if text.contains("live-journal.toml")),
        "{why:?}"
    );
}

/// Starts a local service that replies to each request with the result of `says`. Returns the
/// service's address.
fn service(says: impl Fn(&str, &str) -> String + Send + 'static) -> BaseUrl {
    use std::io::{BufRead, BufReader, Write};
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let base = BaseUrl::parse(&format!("http://{address}")).unwrap();
    std::thread::spawn(move || {
        while let Ok((mut stream, _)) = listener.accept() {
            let mut line = String::new();
            BufReader::new(&stream).read_line(&mut line).unwrap();
            let body = says(line.split(['=', ' ']).nth(2).unwrap_or_default(), &address);
            let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", body.len());
            let _ = stream.write_all(format!("{head}{body}").as_bytes());
        }
    });
    base
}

fn proof_of(secret: &str, nonce: &str, address: &str) -> String {
    use hmac::{Hmac, KeyInit, Mac};
    let mut proof = Hmac::<sha2::Sha256>::new_from_slice(secret.as_bytes()).unwrap();
    proof.update(format!("balcao sandbox proof 1\n{nonce}\n{address}").as_bytes());
    proof.finalize().into_bytes().iter().map(|byte| format!("{byte:02x}")).collect()
}

#[tokio::test]
async fn proven_sandbox_has_a_journal_without_marker() {
    let machine = Machine::new();
    let places = Dirs { config: machine.at("config"), state: machine.at("state") };
    let secret = crate::runtime::sandbox_secret::leave(&places.state).unwrap();
    let base = service(move |nonce, address| proof_of(secret.expose(), nonce, address));
    let vault = VaultHandle::memory();
    let location = JournalLocation::for_service(&base, &places, vault.clone());
    assert_eq!(location.named_dir(), places.state.join("journal"), "live until it is proved");
    let (sender, mut inbox) = tokio::sync::mpsc::channel(9);
    let told = Inbox::new(sender);
    let (one, two) = tokio::join!(location.resolve(&told), location.resolve(&told));
    assert_eq!((&one, &two), (&Ok(places.sandbox_journal(&base.origin().0)), &one));
    for _ in 0..2 {
        let Some(Msg::Proven { sandbox: true, journal }) = inbox.recv().await else { panic!() };
        assert_eq!(journal.raw(), location.named_dir().display().to_string());
    }
    Machine::uses(&location, 1).await;
    assert!(!places.state.join("journal").exists());
    assert!(!places.config.exists(), "play money is not missed");
    assert!(location.live_journal().is_none() && location.can_mark());
}

#[tokio::test]
async fn unproven_service_uses_the_live_journal() {
    let machine = Machine::new();
    let places = Dirs { config: machine.at("config"), state: machine.at("state") };
    let base = service(|_, _| "{}".into());
    // A journal in the directory of a sandbox address always counts as a sandbox journal.
    let play = places.sandbox_journal(&base.origin().0);
    attempted(&mut open(&play), 2, 200, lost());
    let location = JournalLocation::for_service(&base, &places, VaultHandle::memory());
    assert_eq!(location.dir_to_read().await, places.state.join("journal"));
    assert_eq!(location.unproven_sandbox(), Some(&*play));
    assert!(location.open(&closed_inbox()).await.is_ok());
    let far = BaseUrl::parse("https://api.example").unwrap();
    let far = JournalLocation::for_service(&far, &places, VaultHandle::memory());
    assert_eq!(
        (far.dir_to_read().await, far.unproven_sandbox()),
        (places.state.join("journal"), None)
    );
}
