//! Tests of reading a journal whose last write was interrupted because the process was killed. No
//! process has opened the journal for writing after that.

use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{fs, io};

use rusqlite::Connection;
use rustix::process::{Resource, Rlimit, setrlimit};

use crate::journal::disk::{Disk, DiskStep};
use crate::journal::money::Files;
use crate::journal::money::samples::*;
use crate::journal::money::{Export, MoneyJournal};
use crate::trade::Agreement;

fn read_export(dir: &Path) -> (bool, usize) {
    let mut export = Export::open(&Files::new(dir)).unwrap();
    let (records, trouble) = export.read_more();
    assert_eq!(trouble, None);
    (export.is_copy, records.len())
}

/// A disk on which the operating system kills the process during a commit. At that moment, SQLite's
/// rollback file is on disk, but not all new pages of the database are.
struct KillsDuringCommit(PathBuf);

impl Disk for KillsDuringCommit {
    fn step(&self, step: DiskStep, act: &mut dyn FnMut() -> io::Result<()>) -> io::Result<()> {
        if step == DiskStep::Commit {
            // Limit the file size to the current size. The operating system kills a process that
            // grows a file beyond this limit.
            let current_size = Some(fs::metadata(self.0.join("money.db"))?.len());
            setrlimit(
                Resource::Fsize,
                Rlimit {
                    current: current_size,
                    maximum: current_size,
                },
            )?;
        }
        act()
    }
}

/// Does nothing, unless [`kill_during_write`] runs this test in a child process.
#[test]
fn process_that_dies_inside_a_commit() {
    let Some(dir) = std::env::var_os("BALCAO_TEST_DIES_IN") else {
        return;
    };
    let dir = PathBuf::from(dir);
    let mut journal =
        MoneyJournal::open(Files::on_disk(&dir, KillsDuringCommit(dir.clone())), true).unwrap();
    let agreement_2 = agreement(2, 200);
    let body = format!("{}{}", agreement_2.body, " ".repeat(20_000)).into();
    journal
        .prepare(
            Agreement {
                body,
                ..agreement_2
            },
            None,
        )
        .unwrap();
}

/// Creates a journal with one event, then kills the process while it writes the second.
fn kill_during_write(dir: &Path) {
    open(dir).prepare(agreement(1, 100), None).unwrap();
    run_until_killed(
        "process_that_dies_inside_a_commit",
        "BALCAO_TEST_DIES_IN",
        dir,
    );
    assert!(fs::metadata(dir.join("money.db-journal")).unwrap().len() > 0);
}

fn run_until_killed(test: &str, variable: &str, dir: &Path) {
    let name = format!("journal::money::tests::cut_short::{test}");
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", &name]).env(variable, dir);
    let status = command
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .unwrap();
    assert!(status.signal().is_some(), "{status}");
}

#[test]
fn journal_killed_during_write_is_read_from_a_copy() {
    let dir = tempfile::tempdir().unwrap();
    kill_during_write(dir.path());
    let before = file_contents(dir.path());
    let opened = MoneyJournal::open_to_read(&Files::new(dir.path()), read_only_error()).unwrap();
    let mut journal = opened.journal;
    assert!(opened.is_copy && !opened.is_ahead);
    assert_eq!(journal.last_event().n, 1);
    assert_eq!(
        journal.get(key(1)).unwrap().unwrap().agreement,
        agreement(1, 100)
    );
    assert_eq!(read_export(dir.path()), (true, 1));
    assert_eq!(
        file_contents(dir.path()),
        before,
        "not a byte of the original"
    );
    // Opening the journal for writing rolls back the interrupted write. After that, reading needs
    // no copy.
    drop(open(dir.path()));
    let opened = MoneyJournal::open_to_read(&Files::new(dir.path()), read_only_error()).unwrap();
    assert_eq!((opened.is_copy, opened.journal.last_event().n), (false, 1));
}

/// Starts a transaction that changes many pages. SQLite writes some of these pages before the
/// commit.
fn begin_large_write(dir: &Path) -> Connection {
    let connection = Connection::open(dir.join("money.db")).unwrap();
    let batch = "PRAGMA cache_size = 1; PRAGMA cache_spill = 1; BEGIN IMMEDIATE;
                 UPDATE event SET personal = hex(randomblob(2000));
                 UPDATE event SET at = at + 1;";
    connection.execute_batch(batch).unwrap();
    connection
}

/// Does nothing, unless the test below runs this test in a child process.
#[test]
fn process_that_dies_with_pages_written() {
    let Some(dir) = std::env::var_os("BALCAO_TEST_SPILLS_IN") else {
        return;
    };
    let _held = begin_large_write(Path::new(&dir));
    std::process::abort();
}

#[test]
fn pages_written_early_are_rolled_back_in_copy() {
    let (dir, mut journal) = new_journal();
    for n in 0..40 {
        journal.prepare(agreement(n, 100 + n as i64), None).unwrap();
    }
    drop(journal);
    let original = fs::read(dir.path().join("money.db")).unwrap();
    run_until_killed(
        "process_that_dies_with_pages_written",
        "BALCAO_TEST_SPILLS_IN",
        dir.path(),
    );
    let before = file_contents(dir.path());
    assert_ne!(
        fs::read(dir.path().join("money.db")).unwrap(),
        original,
        "it is half of another one"
    );
    let opened = MoneyJournal::open_to_read(&Files::new(dir.path()), read_only_error()).unwrap();
    assert_eq!(
        (
            opened.is_copy,
            opened.is_ahead,
            opened.journal.last_event().n
        ),
        (true, false, 40)
    );
    assert_eq!(read_export(dir.path()), (true, 40));
    assert_eq!(file_contents(dir.path()), before);
}

#[test]
fn unfinished_write_of_live_writer_needs_no_copy() {
    let dir = tempfile::tempdir().unwrap();
    open(dir.path()).prepare(agreement(1, 100), None).unwrap();
    let writer = Connection::open(dir.path().join("money.db")).unwrap();
    writer
        .execute_batch("BEGIN IMMEDIATE; UPDATE event SET at = at + 1;")
        .unwrap();
    assert!(
        fs::metadata(dir.path().join("money.db-journal"))
            .unwrap()
            .len()
            > 0
    );
    let opened = MoneyJournal::open_to_read(&Files::new(dir.path()), read_only_error()).unwrap();
    assert_eq!((opened.is_copy, opened.journal.last_event().n), (false, 1));
    writer.execute_batch("ROLLBACK").unwrap();
}

#[test]
fn copy_is_private_and_removed_after_reading() {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempfile::tempdir().unwrap();
    kill_during_write(dir.path());
    let files = Files::new(dir.path());
    let copy = crate::journal::money::copy::copy_journal(&files)
        .unwrap()
        .unwrap();
    let path = copy.path_to_read("");
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&path), mode(&path.join("money.db"))), (0o700, 0o600));
    drop(copy);
    assert!(!path.exists());
    // The interrupted write has been rolled back, so the original file can be read without a copy.
    drop(open(dir.path()));
    assert!(
        crate::journal::money::copy::copy_journal(&files)
            .unwrap()
            .is_none()
    );
}
