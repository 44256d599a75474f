//! The markers of the live journal, and the journals that they make missing.

use super::*;
use crate::journal::money::samples::{agreement, attempted, lost, open};
use crate::trade::{VaultKind, VaultTrouble};
use crate::vault::{StoredCredential, Vault};

const NOW: Wall = Wall(48 * 60 * 60 * 1_000);

/// A loop that has ended: messages are dropped.
fn closed_inbox() -> Inbox {
    Inbox::new(tokio::sync::mpsc::channel(1).0)
}

/// A machine with directories of its own.
struct Machine {
    dir: tempfile::TempDir,
}

impl Machine {
    fn new() -> Machine {
        Machine { dir: tempfile::tempdir().unwrap() }
    }

    fn places(&self) -> Dirs {
        Dirs { config: self.dir.path().join("config"), state: self.dir.path().join("state") }
    }

    fn place_in(&self, places: &Dirs, vault: VaultHandle) -> JournalLocation {
        let addresses = ["https://pay.example".to_owned()];
        let mut live = LiveJournal::new(places, &addresses, None);
        live.marker = Some(MarkerFile::new(&places.config, "this one"));
        JournalLocation::live(live, vault)
    }

    fn location(&self, vault: VaultHandle) -> JournalLocation {
        self.place_in(&self.places(), vault)
    }

    /// A withdrawal is prepared, as the money thread does it.
    async fn uses(&self, vault: VaultHandle) {
        let location = self.location(vault);
        let mut journal = location.open(NOW, &closed_inbox()).await.unwrap();
        location.remember().unwrap();
        journal.prepare(agreement(1, 100), None).unwrap();
    }

    fn loses_everything(&self) {
        std::fs::remove_dir_all(self.places().state).unwrap();
    }
}

/// A machine without a keyring.
struct NoKeyring;

impl Vault for NoKeyring {
    fn kind(&self) -> VaultKind {
        VaultKind::Keyring
    }

    fn probe(&mut self) -> Result<(), VaultTrouble> {
        Err(VaultTrouble::Absent)
    }

    fn get(
        &mut self,
        _: &crate::trade::CredentialName,
    ) -> Result<Option<std::sync::Arc<StoredCredential>>, VaultTrouble> {
        Err(VaultTrouble::Absent)
    }

    fn put(
        &mut self,
        _: &crate::trade::CredentialName,
        _: &std::sync::Arc<StoredCredential>,
    ) -> Result<(), VaultTrouble> {
        Err(VaultTrouble::Absent)
    }

    fn delete(&mut self, _: &crate::trade::CredentialName) -> Result<(), VaultTrouble> {
        Err(VaultTrouble::Absent)
    }

    fn put_text(&mut self, _: &str, _: &str) -> Result<(), VaultTrouble> {
        Err(VaultTrouble::Absent)
    }

    fn get_text(&mut self, _: &str) -> Result<Option<String>, VaultTrouble> {
        Err(VaultTrouble::Absent)
    }

    fn delete_text(&mut self, _: &str) -> Result<(), VaultTrouble> {
        Err(VaultTrouble::Absent)
    }

    fn put_marker(&mut self, _: &str) -> Result<(), VaultTrouble> {
        Err(VaultTrouble::Absent)
    }

    fn has_marker(&mut self, _: &str) -> Result<bool, VaultTrouble> {
        Err(VaultTrouble::Absent)
    }

    fn delete_marker(&mut self, _: &str) -> Result<(), VaultTrouble> {
        Err(VaultTrouble::Absent)
    }
}

fn no_keyring() -> VaultHandle {
    VaultHandle::over(VaultKind::Keyring, || Box::new(NoKeyring))
}

async fn trouble(location: &JournalLocation) -> JournalTrouble {
    location.open(NOW, &closed_inbox()).await.map(|_| ()).unwrap_err()
}

#[tokio::test]
async fn without_a_keyring_an_emptied_state_directory_is_missed() {
    let machine = Machine::new();
    machine.uses(no_keyring()).await;
    machine.loses_everything();
    assert_eq!(trouble(&machine.location(no_keyring())).await, JournalTrouble::Missing);
    assert_eq!(machine.location(no_keyring()).is_missing().await, Ok(true));
    // Another machine with the same configuration never had one.
    let other = {
        let places = machine.places();
        let mut live = LiveJournal::new(&places, &[], None);
        live.marker = Some(MarkerFile::new(&places.config, "another one"));
        JournalLocation::live(live, no_keyring())
    };
    assert!(other.open(NOW, &closed_inbox()).await.is_ok());
}

#[tokio::test]
async fn a_kill_before_the_first_withdrawal_is_on_disk_is_missed_too() {
    let machine = Machine::new();
    let location = machine.location(no_keyring());
    drop(location.open(NOW, &closed_inbox()).await.unwrap());
    // Remembered first, then written: whatever comes in between, nothing begins anew.
    location.remember().unwrap();
    drop(location);
    machine.loses_everything();
    assert_eq!(trouble(&machine.location(no_keyring())).await, JournalTrouble::Missing);
}

#[tokio::test]
async fn a_person_can_go_on_and_both_markers_are_gone() {
    for vault in [VaultHandle::memory(), no_keyring()] {
        let machine = Machine::new();
        machine.uses(vault.clone()).await;
        let location = machine.location(vault.clone());
        let _ = vault.put_marker(&location.names()[0]).await;
        assert_eq!(
            location.forget_missing().await,
            Ok(crate::runtime::marker::Forgotten::StillThere)
        );
        machine.loses_everything();
        assert_eq!(location.forget_missing().await, Ok(crate::runtime::marker::Forgotten::Done));
        assert_eq!(location.is_missing().await, Ok(false));
        assert!(machine.location(vault).open(NOW, &closed_inbox()).await.is_ok());
    }
}

#[tokio::test]
async fn what_an_earlier_build_kept_for_a_configured_address_is_missed_and_never_new() {
    let machine = Machine::new();
    let vault = VaultHandle::memory();
    let old = machine.places().earlier_journal("https://pay.example");
    vault.put_marker(&format!("journal {}", old.display())).await.unwrap();
    assert_eq!(trouble(&machine.location(vault.clone())).await, JournalTrouble::Missing);
    // Brought back, it becomes the live one.
    attempted(&mut open(&old), 1, 100, lost());
    let mut journal = machine.location(vault).open(NOW, &closed_inbox()).await.unwrap();
    assert_eq!(journal.open_ones().unwrap().len(), 1);
    assert!(!old.exists());
}

#[tokio::test]
async fn a_moved_state_directory_offers_the_journal_that_was_left_behind() {
    let machine = Machine::new();
    machine.uses(no_keyring()).await;
    let elsewhere = Dirs { state: machine.dir.path().join("other"), ..machine.places() };
    let location = machine.place_in(&elsewhere, no_keyring());
    let JournalTrouble::Several(offered) = trouble(&location).await else { panic!("offered") };
    assert_eq!(offered[0].dir, machine.places().state.join("journal"));
    location.begin_move();
    location.pick(&offered[0].dir, NOW).unwrap();
    let mut journal = location.open(NOW, &closed_inbox()).await.unwrap();
    assert_eq!(journal.page(None, "", 0, 9).unwrap().total, 1);
    drop((journal, location));
    // From now on it is expected there.
    let back = trouble(&machine.location(no_keyring())).await;
    assert!(matches!(back, JournalTrouble::Several(_)), "{back:?}");
    std::fs::remove_dir_all(&elsewhere.state).unwrap();
    assert_eq!(trouble(&machine.location(no_keyring())).await, JournalTrouble::Missing);
}

#[tokio::test]
async fn a_marker_that_cannot_be_read_is_no_leave_to_begin() {
    let machine = Machine::new();
    let config = machine.places().config;
    std::fs::create_dir_all(&config).unwrap();
    std::fs::write(config.join("live-journal.toml"), "not what we wrote").unwrap();
    let why = trouble(&machine.location(no_keyring())).await;
    assert!(
        matches!(&why, JournalTrouble::Io(text) if text.contains("live-journal.toml")),
        "{why}"
    );
}

#[tokio::test]
async fn nothing_is_opened_while_another_journal_takes_the_place() {
    let machine = Machine::new();
    let location = machine.location(VaultHandle::memory());
    location.begin_move();
    assert!(matches!(location.dir(NOW), Err(JournalTrouble::Busy(_))));
}

/// A service on this machine that answers every request like this.
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
async fn a_sandbox_that_proves_itself_has_a_journal_of_its_own_and_the_app_hears_of_it_first() {
    let machine = Machine::new();
    let places = machine.places();
    let secret = crate::runtime::sandbox_secret::leave(&places.state).unwrap();
    let base = service(move |nonce, address| proof_of(secret.expose(), nonce, address));
    let old = places.earlier_sandbox_journal(&base.origin().0);
    attempted(&mut open(&old), 1, 100, lost());
    let location = JournalLocation::for_service(&base, &places, &[], VaultHandle::memory());
    assert_eq!(location.named_dir(), places.state.join("journal"), "live until it is proved");
    let (sender, mut inbox) = tokio::sync::mpsc::channel(9);
    let told = Inbox::new(sender);
    let (one, two) = tokio::join!(location.resolve(NOW, &told), location.resolve(NOW, &told));
    assert_eq!((&one, &two), (&Ok(places.sandbox_journal(&base.origin().0)), &one));
    for _ in 0..2 {
        let Some(Msg::Proven { sandbox: true, journal }) = inbox.recv().await else { panic!() };
        assert_eq!(journal.raw(), location.named_dir().display().to_string());
    }
    let mut journal = location.open(NOW, &told).await.unwrap();
    assert_eq!(journal.open_ones().unwrap().len(), 1, "what an earlier build kept for it");
    assert!(!old.exists());
    assert!(!places.state.join("journal").exists());
    assert_eq!(location.marker_file().map(|_| ()), None, "play money is not missed");
}

#[tokio::test]
async fn what_proves_nothing_is_live_and_what_an_earlier_build_kept_for_it_too() {
    let machine = Machine::new();
    let places = machine.places();
    let base = service(|_, _| "{}".into());
    let old = places.earlier_sandbox_journal(&base.origin().0);
    attempted(&mut open(&old), 1, 100, lost());
    // What stands where only a sandbox that proved itself has its journal is play money for ever.
    let play = places.sandbox_journal(&base.origin().0);
    attempted(&mut open(&play), 2, 200, lost());
    let location = JournalLocation::for_service(&base, &places, &[], VaultHandle::memory());
    assert_eq!(location.dir_to_read(NOW).await, Ok(old.clone()));
    assert_eq!(location.unproven(), Some(&*play));
    let mut journal = location.open(NOW, &closed_inbox()).await.unwrap();
    assert_eq!(journal.open_ones().unwrap().len(), 1);
    assert!(!old.exists() && play.exists() && places.state.join("journal").exists());
    let far = BaseUrl::parse("https://api.example").unwrap();
    let far = JournalLocation::for_service(&far, &places, &[], VaultHandle::memory());
    assert_eq!(
        (far.dir_to_read(NOW).await, far.unproven()),
        (Ok(places.state.join("journal")), None)
    );
}
