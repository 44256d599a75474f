//! Tests of damaged or suspicious files: a write that was interrupted by a kill, a named pipe
//! instead of a file, and a directory that other users can write to.

use std::fs;
use std::io;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use balcao::journal::money::MoneyJournal;
use balcao::journal::{Disk, DiskStep};
use balcao::trade::Agreement;
use balcao::trade::withdrawal::Retyped;
use rustix::fs::{CWD, FileType, Mode, mknodat};
use rustix::process::{Resource, Rlimit, setrlimit};

use super::journal::on;
use super::support::journal::{OLD, agreement, of_march};
use super::support::place::TestHome;
use super::support::pty::Launch;
use super::support::run::run;

/// A disk on which the operating system kills the process during a commit. SQLite's rollback file
/// is then complete, but the database lacks new pages.
struct Deadly(PathBuf);

impl Disk for Deadly {
    fn step(&self, step: DiskStep, act: &mut dyn FnMut() -> io::Result<()>) -> io::Result<()> {
        if step == DiskStep::Commit {
            // The operating system kills a process that exceeds the limit on file sizes. Set this
            // limit to the database's current size.
            let now = Some(fs::metadata(self.0.join("money.db"))?.len());
            setrlimit(Resource::Fsize, Rlimit { current: now, maximum: now })?;
        }
        act()
    }
}

/// The entry point of the child process that [`killed`] starts. Does nothing in an ordinary test
/// run.
#[test]
fn a_process_that_dies_inside_a_write() {
    let Some(dir) = std::env::var_os("BALCAO_TEST_DIES_IN") else { return };
    let dir = PathBuf::from(dir);
    let mut journal = MoneyJournal::open(&dir, Deadly(dir.clone()), true).expect("a journal");
    let told =
        journal.open_withdrawals().expect("read").iter().map(|one| one.agreement.key).collect();
    let third = agreement(3, 300, OLD);
    let body = format!("{}{}", third.body, " ".repeat(20_000)).into();
    let retyped = Retyped { amount: third.amount, told };
    let _ = journal.prepare(Agreement { body, ..third }, Some(retyped));
}

/// Creates a journal with four events. Then starts a process that is killed while it writes the
/// fifth event.
fn killed(home: &Path) -> PathBuf {
    let dir = of_march(home);
    let mut process = Command::new(std::env::current_exe().expect("this program"));
    process.args(["--exact", "cut_short::a_process_that_dies_inside_a_write"]);
    process.env("BALCAO_TEST_DIES_IN", &dir).stdout(Stdio::null()).stderr(Stdio::null());
    assert!(process.status().expect("it runs").signal().is_some(), "it was killed");
    assert!(fs::metadata(dir.join("money.db-journal")).expect("a write cut short").len() > 0);
    dir
}

fn files(dir: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let all = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = all.map(|path| (path.clone(), fs::read(path).unwrap())).collect();
    files.sort();
    files
}

#[test]
fn journal_cut_short_by_kill_is_read_unchanged() {
    let place = TestHome::new();
    let dir = killed(&place.home());
    let before = files(&dir);
    let copied = "foi lido em uma cópia temporária";

    let (code, said, err) = on(&place, &dir, &["journal", "verify"]);
    assert_eq!(code, 0, "{said}{err}");
    for words in ["íntegro", "último evento         4", "2: 1 a conferir", copied] {
        assert!(said.contains(words), "{words}: {said}");
    }
    let (code, out, err) = on(&place, &dir, &["journal", "export"]);
    assert_eq!((code, out.lines().count()), (0, 4), "{err}");
    assert!(err.contains(copied) && err.contains("4 eventos"), "{err}");
    let (code, out, err) = on(&place, &dir, &["withdrawals", "list", "--json"]);
    assert_eq!((code, out.lines().count()), (0, 2), "{err}");
    assert!(err.contains(copied), "{err}");
    for said in [said, err] {
        assert!(!said.contains("permissão"), "{said}");
    }
    assert_eq!(files(&dir), before, "not a byte of it");
    let left = fs::read_dir(place.temporary()).unwrap().count();
    assert_eq!(left, 0, "the copies are gone");
}

#[test]
fn non_file_journal_is_refused_without_blocking() {
    let reading: [&[&str]; 3] =
        [&["journal", "verify"], &["journal", "export"], &["withdrawals", "list"]];
    for name in ["money.db", "money.db-journal", "money.head"] {
        for args in reading {
            let place = TestHome::new();
            let dir = of_march(&place.home());
            let path = dir.join(name);
            let _ = fs::remove_file(&path);
            mknodat(CWD, &path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
            let (code, out, err) = on(&place, &dir, args);
            let said = format!("{out}{err}");
            assert_ne!(code, 0, "{name} {args:?}: {said}");
            for words in ["danificado", name, "it is no file"] {
                assert!(said.contains(words), "{name} {args:?}: {said}");
            }
        }
    }
}

#[test]
fn non_file_setting_is_refused_without_blocking() {
    for name in ["config.toml", "keys.toml"] {
        let place = TestHome::new();
        let path = place.config().join(name);
        mknodat(CWD, &path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
        let output = run(&place, &["withdrawals", "list"]);
        let said = String::from_utf8(output.stderr).expect("text");
        assert!(!output.status.success() && said.contains(name), "{said}");
        assert!(said.contains("it is no file"), "{said}");
    }
}

/// Returns the permission bits of a file or directory.
fn mode(path: &Path) -> u32 {
    fs::metadata(path).expect("it is there").permissions().mode() & 0o7777
}

#[test]
fn demo_refuses_directory_writable_by_others() {
    let place = TestHome::new();
    let shared = place.home().join("shared");
    fs::create_dir(&shared).unwrap();
    fs::set_permissions(&shared, fs::Permissions::from_mode(0o1777)).unwrap();
    let keep = ["demo", "--keep", shared.to_str().unwrap()];
    let tui = Launch::new(&place).args(&keep).size(100, 30).start();
    let status = tui.wait_exit();
    let text = tui.text().replace('\n', " ");
    assert_ne!(status.exit_code(), 0, "{text}");
    assert!(text.contains("não é só sua") && text.contains("chmod go-w"), "{text}");
    assert_eq!((mode(&shared), fs::read_dir(&shared).unwrap().count()), (0o1777, 0));
}

#[test]
fn demo_files_are_private_and_follow_no_symlink() {
    let place = TestHome::new();
    let (kept, theirs) = (place.home().join("kept"), place.home().join("theirs"));
    fs::write(&theirs, "theirs").unwrap();
    fs::create_dir(&kept).unwrap();
    fs::set_permissions(&kept, fs::Permissions::from_mode(0o755)).unwrap();
    symlink(&theirs, kept.join("port")).unwrap();
    let keep = ["demo", "--keep", kept.to_str().unwrap()];
    let mut tui = Launch::new(&place).args(&keep).size(100, 30).start();
    tui.wait_for("SANDBOX");
    assert_eq!(mode(&kept), 0o755, "its rights are its owner's to choose");
    assert_eq!(mode(&kept.join("bank.json")), 0o600);
    let made = fs::read_dir(place.temporary()).unwrap().map(|entry| entry.unwrap().path());
    let made: Vec<_> = made.filter(|path| path.is_dir()).collect();
    assert!(!made.is_empty() && made.iter().all(|dir| mode(dir) == 0o700), "{made:?}");
    tui.press("\u{3}");
    tui.wait_exit();
    assert_eq!(fs::read_to_string(&theirs).unwrap(), "theirs");
}
