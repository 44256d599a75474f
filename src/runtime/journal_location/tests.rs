//! Tests of the markers that record which journal is the live one: with a second journal, a moved
//! journal, an older copy, or a missing journal.

mod lost_marker;
mod other_machine;

use std::fs;

use super::*;
use crate::journal::money::samples::{
    WINDOW, agreement, attempt_end, clocks, confirmed, key, open, prepare_and_attempt, timed_out,
    write_long_journal,
};
use crate::trade::{VaultKind, VaultTrouble};
use crate::vault::Vault;

/// An inbox without a receiver, which drops all messages.
fn closed_inbox() -> Inbox {
    Inbox::new(tokio::sync::mpsc::channel(1).0)
}

/// A simulated machine with its own directories.
struct Machine {
    dir: tempfile::TempDir,
}

impl Machine {
    fn new() -> Machine {
        Machine {
            dir: tempfile::tempdir().unwrap(),
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().canonicalize().unwrap().join(name)
    }

    /// The location of the live journal when the simulated machine uses these directories.
    fn location_in(&self, config: &str, state: &str, vault: &VaultHandle) -> JournalLocation {
        let dirs = Dirs {
            config: self.path(config),
            state: self.path(state),
        };
        JournalLocation::live(LiveJournal::for_machine(&dirs, "this one"), vault.clone())
    }

    fn location(&self, vault: &VaultHandle) -> JournalLocation {
        self.location_in("config", "state", vault)
    }

    /// Records a withdrawal with number `n` in the journal at this location, as the app does.
    async fn record_withdrawal(location: &JournalLocation, n: u128) {
        let mut journal = location
            .open(&closed_inbox(), &Arc::default())
            .await
            .unwrap();
        prepare_and_attempt(&mut journal, n, 100 * n as i64, confirmed());
        Machine::mark_in_vault(location, &journal).await;
    }

    /// Stores the journal's last event in the vault's marker, as the money thread does.
    async fn mark_in_vault(location: &JournalLocation, journal: &MoneyJournal) {
        let (sender, events) = tokio::sync::watch::channel(journal.last_event());
        drop(sender);
        location.follow_in_vault(events).await;
    }

    fn copy_dir(&self, from: &str, to: &str) {
        for dir in ["", "journal"] {
            fs::create_dir_all(self.path(to).join(dir)).unwrap();
            for entry in fs::read_dir(self.path(from).join(dir)).unwrap() {
                let path = entry.unwrap().path();
                if path.is_file() {
                    fs::copy(
                        &path,
                        self.path(to).join(dir).join(path.file_name().unwrap()),
                    )
                    .unwrap();
                }
            }
        }
    }

    fn delete_dir(&self, name: &str) {
        fs::remove_dir_all(self.path(name)).unwrap();
    }

    fn move_dir(&self, from: &str, to: &str) {
        fs::rename(self.path(from), self.path(to)).unwrap();
    }

    fn marker_entry(&self) -> Option<marker::MarkerEntry> {
        MarkerFile::new(&self.path("config"), "this one")
            .entry()
            .unwrap()
    }
}

/// A keyring for which every call fails with this error.
struct FailingVault(VaultTrouble);

impl Vault for FailingVault {
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

fn failing_vault(trouble: VaultTrouble) -> VaultHandle {
    VaultHandle::on_thread(VaultKind::Keyring, move || {
        Box::new(FailingVault(trouble.clone()))
    })
}

fn no_keyring() -> VaultHandle {
    failing_vault(VaultTrouble::Absent)
}

async fn open_error(location: &JournalLocation) -> JournalTrouble {
    location
        .open(&closed_inbox(), &Arc::default())
        .await
        .map(|_| ())
        .unwrap_err()
}

async fn check(
    location: &JournalLocation,
    journal: Option<&MoneyJournal>,
) -> Result<(), JournalTrouble> {
    location
        .liveness()
        .await?
        .check(journal.map(|journal| journal as _))
}

#[tokio::test]
async fn emptied_state_directory_is_missed_without_keyring() {
    let machine = Machine::new();
    Machine::record_withdrawal(&machine.location(&no_keyring()), 1).await;
    machine.delete_dir("state");
    assert_eq!(
        open_error(&machine.location(&no_keyring())).await,
        JournalTrouble::Missing
    );
    // On another machine, a missing journal is not an error, even with a copied configuration.
    let dirs = Dirs {
        config: machine.path("config"),
        state: machine.path("state"),
    };
    let other = LiveJournal::for_machine(&dirs, "another one");
    assert!(
        JournalLocation::live(other, no_keyring())
            .open(&closed_inbox(), &Arc::default())
            .await
            .is_ok()
    );
}

#[tokio::test]
async fn journal_is_remembered_before_its_first_event() {
    let machine = Machine::new();
    let location = machine.location(&no_keyring());
    let mut journal = location
        .open(&closed_inbox(), &Arc::default())
        .await
        .unwrap();
    assert_eq!(machine.marker_entry(), None, "there is nothing to lose");
    // Make the write of `money.head` fail, as if the app was killed just before it.
    fs::create_dir(machine.path("state/journal/money.head.new")).unwrap();
    journal.prepare(agreement(1, 100), None).unwrap_err();
    assert_eq!(machine.marker_entry().unwrap().event.n, 0);
    drop((journal, location));
    machine.delete_dir("state");
    assert_eq!(
        open_error(&machine.location(&no_keyring())).await,
        JournalTrouble::Missing
    );
}

#[tokio::test]
async fn missing_journal_is_replaced_only_on_request() {
    for vault in [VaultHandle::memory(), no_keyring()] {
        let machine = Machine::new();
        Machine::record_withdrawal(&machine.location(&vault), 1).await;
        machine.delete_dir("state");
        let location = machine.location(&vault);
        assert_eq!(open_error(&location).await, JournalTrouble::Missing);
        assert_eq!(check(&location, None).await, Err(JournalTrouble::Missing));
        assert_eq!(location.make_live().await, Ok(()));
        assert_eq!(check(&location, None).await, Ok(()));
        assert!(
            machine
                .location(&vault)
                .open(&closed_inbox(), &Arc::default())
                .await
                .is_ok()
        );
    }
}

/// A machine with a live journal and an older copy of it, which lacks withdrawal 2.
async fn machine_with_older_copy(vault: &VaultHandle) -> Machine {
    let machine = Machine::new();
    Machine::record_withdrawal(&machine.location(vault), 1).await;
    machine.copy_dir("state", "copy");
    Machine::record_withdrawal(&machine.location(vault), 2).await;
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
        let machine = machine_with_older_copy(&vault).await;
        let before = machine.marker_entry();
        let copy = machine.location_in(config, "copy", &vault);
        let elsewhere = JournalTrouble::Elsewhere(machine.path("state/journal"));
        assert_eq!(open_error(&copy).await, elsewhere);
        let read_only = MoneyJournal::open_to_read(&copy.files(), elsewhere.clone()).unwrap();
        assert_eq!(check(&copy, Some(&read_only.journal)).await, Err(elsewhere));
        assert_eq!(
            machine.marker_entry(),
            before,
            "the marker names the live one as before"
        );
        assert!(
            machine
                .location(&vault)
                .open(&closed_inbox(), &Arc::default())
                .await
                .is_ok()
        );
    }
}

#[tokio::test]
async fn copy_made_live_on_request_locks_the_other() {
    let vault = VaultHandle::memory();
    let machine = machine_with_older_copy(&vault).await;
    let window = machine.location(&vault);
    let mut journal = window.open(&closed_inbox(), &Arc::default()).await.unwrap();
    let copy = machine.location_in("config", "copy", &vault);
    let result = copy.make_live().await;
    assert!(
        matches!(result, Err(JournalTrouble::Busy(_))),
        "a window has it open: {result:?}"
    );
    journal.prepare(agreement(3, 300), None).unwrap();
    drop((journal, window));
    assert_eq!(copy.make_live().await, Ok(()));
    assert!(copy.open(&closed_inbox(), &Arc::default()).await.is_ok());
    let elsewhere = JournalTrouble::Elsewhere(machine.path("copy/journal"));
    assert_eq!(open_error(&machine.location(&vault)).await, elsewhere);
    assert_eq!(
        open_error(&machine.location_in("config-2", "state", &vault)).await,
        elsewhere
    );
}

#[tokio::test]
async fn open_window_stops_once_another_journal_is_live() {
    let machine = machine_with_older_copy(&no_keyring()).await;
    let mut journal = machine
        .location(&no_keyring())
        .open(&closed_inbox(), &Arc::default())
        .await
        .unwrap();
    journal.prepare(agreement(3, 300), None).unwrap();
    let lock = journal.lock(key(3)).unwrap();
    let permit = journal
        .begin(lock, key(3), None, &clocks(3), &WINDOW)
        .unwrap();
    let other = marker::MarkerEntry {
        journal: machine.path("copy/journal"),
        ..machine.marker_entry().unwrap()
    };
    MarkerFile::new(&machine.path("config"), "this one")
        .put(&other)
        .unwrap();
    // The outcome of the running attempt is still written, although another journal is now the live
    // one.
    journal
        .settle(permit.spend().0, &attempt_end(3, timed_out()))
        .unwrap();
    let result = journal.prepare(agreement(4, 400), None);
    let elsewhere = JournalTrouble::Elsewhere(machine.path("copy/journal"));
    assert_eq!(result, Err(elsewhere.clone().into()));
    assert_eq!(journal.trouble(), Some(&elsewhere));
    assert_eq!(machine.marker_entry(), Some(other));
}

#[tokio::test]
async fn moved_directory_is_followed() {
    for vault in [VaultHandle::memory(), no_keyring()] {
        let machine = Machine::new();
        Machine::record_withdrawal(&machine.location(&vault), 1).await;
        machine.move_dir("state", "moved");
        let location = machine.location_in("config", "moved", &vault);
        let mut journal = location
            .open(&closed_inbox(), &Arc::default())
            .await
            .unwrap();
        assert_eq!(
            machine.marker_entry().unwrap().journal,
            machine.path("moved/journal")
        );
        journal.prepare(agreement(2, 200), None).unwrap();
        drop((journal, location));
        // Both markers name the directory "moved", so the copy in the original directory is not the
        // live journal.
        machine.copy_dir("moved", "state");
        let elsewhere = JournalTrouble::Elsewhere(machine.path("moved/journal"));
        assert_eq!(open_error(&machine.location(&vault)).await, elsewhere);
    }
}

#[tokio::test]
async fn older_copy_elsewhere_is_not_the_moved_journal() {
    for vault in [VaultHandle::memory(), no_keyring()] {
        let machine = machine_with_older_copy(&vault).await;
        machine.delete_dir("state");
        let copy = machine.location_in("config", "copy", &vault);
        assert_eq!(open_error(&copy).await, JournalTrouble::Missing);
        assert_eq!(copy.make_live().await, Ok(()), "by hand it takes the place");
        assert!(copy.open(&closed_inbox(), &Arc::default()).await.is_ok());
        assert_eq!(
            machine.marker_entry().unwrap().journal,
            machine.path("copy/journal")
        );
    }
}

#[tokio::test]
async fn older_copy_put_back_is_trouble_until_set_aside() {
    let machine = machine_with_older_copy(&no_keyring()).await;
    machine.delete_dir("state");
    machine.move_dir("copy", "state");
    let location = machine.location(&no_keyring());
    let older = JournalTrouble::Older { missing: 3 };
    assert_eq!(open_error(&location).await, older);
    let files = location.files();
    let read_only = MoneyJournal::open_to_read(&files, older.clone()).unwrap();
    assert_eq!(check(&location, Some(&read_only.journal)).await, Err(older));
    drop(read_only);
    let marked = location.marked_events().await.unwrap();
    let aside = files.set_aside(&marked, crate::trade::Wall(0)).unwrap();
    assert!(aside.join("money.db").exists());
    assert_eq!(location.make_live().await, Ok(()));
    Machine::record_withdrawal(&machine.location(&no_keyring()), 1).await;
}

#[tokio::test]
async fn replaced_journal_with_other_events_is_damaged() {
    let machine = machine_with_older_copy(&no_keyring()).await;
    // Add withdrawal 9 to the copy, so that its events differ from those of the live journal. Then
    // replace the live journal with the copy.
    prepare_and_attempt(
        &mut open(&machine.path("copy/journal")),
        9,
        900,
        confirmed(),
    );
    machine.delete_dir("state");
    machine.move_dir("copy", "state");
    let error = open_error(&machine.location(&no_keyring())).await;
    assert!(
        matches!(&error, JournalTrouble::Damaged(text) if text.contains("event 6")),
        "{error:?}"
    );
}

#[tokio::test]
async fn older_copy_with_marker_accepts_no_event() {
    let machine = machine_with_older_copy(&no_keyring()).await;
    // Open the older copy, to simulate a process that has not read the newer events.
    machine.move_dir("state", "newer");
    machine.copy_dir("copy", "state");
    let mut outdated = open(&machine.path("state/journal"));
    let marker = marker::JournalMarker {
        file: MarkerFile::new(&machine.path("config"), "this one"),
        journal: machine.path("state/journal"),
        moved_from: None,
    };
    assert_eq!(
        outdated.attach_marker(Box::new(marker)),
        Err(JournalTrouble::Older { missing: 3 })
    );
    let result = outdated.prepare(agreement(2, 200), None);
    assert_eq!(result, Err(JournalTrouble::Older { missing: 3 }.into()));
    assert_eq!(
        machine.marker_entry().unwrap().event.n,
        6,
        "the marker stays as it is"
    );
}

#[tokio::test]
async fn unwritable_marker_lags_and_catches_up() {
    let machine = Machine::new();
    Machine::record_withdrawal(&machine.location(&no_keyring()), 1).await;
    machine.move_dir("config", "config-aside");
    fs::write(machine.path("config"), "no directory").unwrap();
    let location = machine.location(&no_keyring());
    Machine::record_withdrawal(&location, 2).await;
    assert!(!location.liveness().await.unwrap().can_be_marked);
    drop(location);
    fs::remove_file(machine.path("config")).unwrap();
    machine.move_dir("config-aside", "config");
    assert_eq!(machine.marker_entry().unwrap().event.n, 3);
    let location = machine.location(&no_keyring());
    let journal = location
        .open(&closed_inbox(), &Arc::default())
        .await
        .unwrap();
    assert!(location.liveness().await.unwrap().can_be_marked);
    assert_eq!(machine.marker_entry().unwrap().event, journal.last_event());
    assert_eq!(journal.last_event().n, 6);
}

#[tokio::test]
async fn marker_follows_the_writes_of_both_windows() {
    let machine = Machine::new();
    let one = machine.location(&no_keyring());
    let two = machine.location(&no_keyring());
    let mut left = one.open(&closed_inbox(), &Arc::default()).await.unwrap();
    let mut right = two.open(&closed_inbox(), &Arc::default()).await.unwrap();
    for n in 1..=3 {
        prepare_and_attempt(&mut left, 2 * n, 200 * n as i64, confirmed());
        prepare_and_attempt(&mut right, 2 * n + 1, 200 * n as i64 + 100, confirmed());
        assert_eq!(machine.marker_entry().unwrap().event, right.last_event());
    }
}

#[tokio::test]
async fn locked_keyring_needs_a_matching_marker_file() {
    for vault_trouble in [VaultTrouble::Locked, VaultTrouble::Hangs] {
        let machine = Machine::new();
        Machine::record_withdrawal(&machine.location(&no_keyring()), 1).await;
        let vault = failing_vault(vault_trouble.clone());
        assert!(
            machine
                .location(&vault)
                .open(&closed_inbox(), &Arc::default())
                .await
                .is_ok()
        );
        machine.copy_dir("state", "copy");
        let maybe_missing = JournalTrouble::MaybeMissing(vault_trouble);
        assert_eq!(
            open_error(&machine.location_in("config-2", "copy", &vault)).await,
            maybe_missing
        );
        let elsewhere = JournalTrouble::Elsewhere(machine.path("state/journal"));
        assert_eq!(
            open_error(&machine.location_in("config", "copy", &vault)).await,
            elsewhere
        );
        machine.delete_dir("state");
        assert_eq!(
            open_error(&machine.location_in("config", "copy", &vault)).await,
            maybe_missing
        );
    }
}

#[tokio::test]
async fn state_directory_behind_a_link_is_the_same_journal() {
    let machine = Machine::new();
    let vault = VaultHandle::memory();
    std::os::unix::fs::symlink(machine.path("state"), machine.path("link")).unwrap();
    fs::create_dir(machine.path("state")).unwrap();
    Machine::record_withdrawal(&machine.location_in("config", "link", &vault), 1).await;
    Machine::record_withdrawal(&machine.location(&vault), 2).await;
    // Let the symbolic link point to the copy of the state directory.
    machine.copy_dir("state", "copy");
    fs::remove_file(machine.path("link")).unwrap();
    std::os::unix::fs::symlink(machine.path("copy"), machine.path("link")).unwrap();
    let elsewhere = JournalTrouble::Elsewhere(machine.path("state/journal"));
    assert_eq!(
        open_error(&machine.location_in("config", "link", &vault)).await,
        elsewhere
    );
}

#[tokio::test]
async fn unreadable_marker_file_locks_the_journal() {
    let machine = Machine::new();
    Machine::record_withdrawal(&machine.location(&no_keyring()), 1).await;
    fs::write(
        machine.path("config/live-journal.toml"),
        "not what we wrote",
    )
    .unwrap();
    let location = machine.location(&no_keyring());
    let journal = location
        .open(&closed_inbox(), &Arc::default())
        .await
        .unwrap();
    let trouble = journal.trouble().cloned();
    assert!(
        matches!(&trouble, Some(JournalTrouble::Io(text)) if text.contains("live-journal.toml")),
        "{trouble:?}"
    );
}

/// Starts a local service and returns its address. The reply to each request is the result of
/// `body_for`.
fn service(body_for: impl Fn(&str, &str) -> String + Send + 'static) -> BaseUrl {
    use std::io::{BufRead, BufReader, Write};
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let base = BaseUrl::parse(&format!("http://{address}")).unwrap();
    std::thread::spawn(move || {
        while let Ok((mut stream, _)) = listener.accept() {
            let mut line = String::new();
            BufReader::new(&stream).read_line(&mut line).unwrap();
            let body = body_for(line.split(['=', ' ']).nth(2).unwrap_or_default(), &address);
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
    proof
        .finalize()
        .into_bytes()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

#[tokio::test]
async fn proven_sandbox_has_a_journal_without_marker() {
    let machine = Machine::new();
    let dirs = Dirs {
        config: machine.path("config"),
        state: machine.path("state"),
    };
    let secret = crate::runtime::sandbox_secret::read_or_create(&dirs.state).unwrap();
    let base = service(move |nonce, address| proof_of(secret.expose(), nonce, address));
    let vault = VaultHandle::memory();
    let location = JournalLocation::for_service(&base, &dirs, vault.clone(), None);
    assert_eq!(
        location.files().dir(),
        dirs.state.join("journal"),
        "live until it is proved"
    );
    let (sender, mut inbox) = tokio::sync::mpsc::channel(9);
    let inbox_sender = Inbox::new(sender);
    let (one, two) = tokio::join!(
        location.resolve(&inbox_sender),
        location.resolve(&inbox_sender)
    );
    for files in [one, two] {
        assert_eq!(files.unwrap().dir(), dirs.sandbox_journal(&base.origin().0));
    }
    for _ in 0..2 {
        let Some(Msg::Proven {
            sandbox: true,
            journal,
        }) = inbox.recv().await
        else {
            panic!()
        };
        assert_eq!(journal.raw(), location.files().dir().display().to_string());
    }
    Machine::record_withdrawal(&location, 1).await;
    assert!(!dirs.state.join("journal").exists());
    assert!(!dirs.config.exists(), "play money is not missed");
    assert!(location.live_journal().is_none());
    assert!(location.liveness().await.unwrap().can_be_marked);
    assert!(!location.files().dir().join("money.machine").exists());
}

#[tokio::test]
async fn unproven_service_uses_the_live_journal() {
    let machine = Machine::new();
    let dirs = Dirs {
        config: machine.path("config"),
        state: machine.path("state"),
    };
    let base = service(|_, _| "{}".into());
    // A journal in the directory of a sandbox address always counts as a sandbox journal.
    let sandbox_dir = dirs.sandbox_journal(&base.origin().0);
    prepare_and_attempt(&mut open(&sandbox_dir), 2, 200, timed_out());
    let location = JournalLocation::for_service(&base, &dirs, VaultHandle::memory(), None);
    assert_eq!(
        location.proven_files().await.dir(),
        dirs.state.join("journal")
    );
    assert_eq!(location.unproven_sandbox(), Some(&*sandbox_dir));
    assert!(
        location
            .open(&closed_inbox(), &Arc::default())
            .await
            .is_ok()
    );
    let remote = BaseUrl::parse("https://api.example").unwrap();
    let remote = JournalLocation::for_service(&remote, &dirs, VaultHandle::memory(), None);
    assert_eq!(
        (remote.proven_files().await.dir(), remote.unproven_sandbox()),
        (&*dirs.state.join("journal"), None)
    );
}

#[tokio::test]
async fn long_journal_sends_its_progress_to_the_app() {
    let dir = tempfile::tempdir().unwrap();
    write_long_journal(dir.path(), 1_250);
    let (sender, mut inbox) = tokio::sync::mpsc::channel(8);
    let location = JournalLocation::fixed(Files::new(dir.path()), VaultHandle::memory());
    assert_eq!(
        location
            .open(&Inbox::new(sender), &Arc::default())
            .await
            .unwrap()
            .events(),
        1_250
    );
    assert!(matches!(
        inbox.recv().await,
        Some(Msg::JournalVerifying { percent: 80 })
    ));
    assert!(inbox.recv().await.is_none());
}
