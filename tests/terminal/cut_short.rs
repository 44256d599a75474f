//! Tests of damaged or suspicious files: a write that was interrupted by a kill, a named pipe
//! instead of a file, and a directory that other users can write to.

use std::fs;
use std::io;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use balcao::journal::money::{Files, MoneyJournal};
use balcao::journal::{Disk, DiskStep};
use balcao::trade::Agreement;
use balcao::trade::withdrawal::Retyped;
use rustix::fs::{CWD, FileType, Mode, mknodat};
use rustix::process::{Resource, Rlimit, setrlimit};

use super::journal::run_on_journal;
use super::support::journal::{DISCARDED_CPF, agreement, create_sample_journal};
use super::support::place::TestHome;
use super::support::pty::Launch;
use super::support::run::run;

/// A disk on which the operating system kills the process during a commit. SQLite's rollback file
/// is then complete, but the database lacks new pages.
struct KillingDisk(PathBuf);

impl Disk for KillingDisk {
    fn step(&self, step: DiskStep, write: &mut dyn FnMut() -> io::Result<()>) -> io::Result<()> {
        if step == DiskStep::Commit {
            // The operating system kills a process that exceeds the limit on file sizes. Set this
            // limit to the database's current size.
            let size = Some(fs::metadata(self.0.join("money.db"))?.len());
            setrlimit(
                Resource::Fsize,
                Rlimit {
                    current: size,
                    maximum: size,
                },
            )?;
        }
        write()
    }
}

/// The entry point of the child process that [`create_interrupted_journal`] starts. Does nothing in
/// an ordinary test run.
#[test]
fn a_process_that_dies_inside_a_write() {
    let Some(dir) = std::env::var_os("BALCAO_TEST_DIES_IN") else {
        return;
    };
    let dir = PathBuf::from(dir);
    let mut journal = MoneyJournal::open(Files::on_disk(&dir, KillingDisk(dir.clone())), true)
        .expect("a journal");
    let shown_keys = journal
        .open_withdrawals()
        .expect("read")
        .iter()
        .map(|withdrawal| withdrawal.agreement.key)
        .collect();
    let third = agreement(3, 300, DISCARDED_CPF);
    let body = format!("{}{}", third.body, " ".repeat(20_000)).into();
    let retyped = Retyped {
        amount: third.amount,
        shown_keys,
    };
    let _ = journal.prepare(Agreement { body, ..third }, Some(retyped));
}

/// Creates a journal with four events. Then starts a process that is killed while it writes the
/// fifth event.
fn create_interrupted_journal(home: &Path) -> PathBuf {
    let dir = create_sample_journal(home);
    let mut process = Command::new(std::env::current_exe().expect("this program"));
    process.args(["--exact", "cut_short::a_process_that_dies_inside_a_write"]);
    process
        .env("BALCAO_TEST_DIES_IN", &dir)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    assert!(
        process.status().expect("it runs").signal().is_some(),
        "it was killed"
    );
    assert!(
        fs::metadata(dir.join("money.db-journal"))
            .expect("a write cut short")
            .len()
            > 0
    );
    dir
}

fn files(dir: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let all = fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = all
        .map(|path| (path.clone(), fs::read(path).unwrap()))
        .collect();
    files.sort();
    files
}

#[test]
fn journal_cut_short_by_kill_is_read_unchanged() {
    let home = TestHome::new();
    let dir = create_interrupted_journal(&home.home_dir());
    let before = files(&dir);
    let copied = "foi lido em uma cópia temporária";

    let (code, output, err) = run_on_journal(&home, &dir, &["journal", "verify"]);
    assert_eq!(code, 0, "{output}{err}");
    for words in [
        "íntegro",
        "último evento         4",
        "2: 1 a conferir",
        copied,
    ] {
        assert!(output.contains(words), "{words}: {output}");
    }
    let (code, out, err) = run_on_journal(&home, &dir, &["journal", "export"]);
    assert_eq!((code, out.lines().count()), (0, 4), "{err}");
    assert!(err.contains(copied) && err.contains("4 eventos"), "{err}");
    let (code, out, err) = run_on_journal(&home, &dir, &["withdrawals", "list", "--json"]);
    assert_eq!((code, out.lines().count()), (0, 2), "{err}");
    assert!(err.contains(copied), "{err}");
    for output in [output, err] {
        assert!(!output.contains("permissão"), "{output}");
    }
    assert_eq!(files(&dir), before, "not a byte of it");
    let copy_count = fs::read_dir(home.temp_dir()).unwrap().count();
    assert_eq!(copy_count, 0, "the copies are gone");
}

#[test]
fn non_file_journal_is_refused_without_blocking() {
    let commands: [&[&str]; 3] = [
        &["journal", "verify"],
        &["journal", "export"],
        &["withdrawals", "list"],
    ];
    for name in ["money.db", "money.db-journal", "money.head"] {
        for args in commands {
            let home = TestHome::new();
            let dir = create_sample_journal(&home.home_dir());
            let path = dir.join(name);
            let _ = fs::remove_file(&path);
            mknodat(CWD, &path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
            let (code, out, err) = run_on_journal(&home, &dir, args);
            let output = format!("{out}{err}");
            assert_ne!(code, 0, "{name} {args:?}: {output}");
            for words in ["danificado", name, "it is no file"] {
                assert!(output.contains(words), "{name} {args:?}: {output}");
            }
        }
    }
}

#[test]
fn non_file_setting_is_refused_without_blocking() {
    for name in ["config.toml", "keys.toml"] {
        let home = TestHome::new();
        let path = home.config_dir().join(name);
        mknodat(CWD, &path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
        let output = run(&home, &["withdrawals", "list"]);
        let stderr = String::from_utf8(output.stderr).expect("text");
        assert!(
            !output.status.success() && stderr.contains(name),
            "{stderr}"
        );
        assert!(stderr.contains("it is no file"), "{stderr}");
    }
}

/// Returns the permission bits of a file or directory.
fn mode(path: &Path) -> u32 {
    fs::metadata(path)
        .expect("it is there")
        .permissions()
        .mode()
        & 0o7777
}

#[test]
fn demo_refuses_directory_writable_by_others() {
    let home = TestHome::new();
    let shared = home.home_dir().join("shared");
    fs::create_dir(&shared).unwrap();
    fs::set_permissions(&shared, fs::Permissions::from_mode(0o1777)).unwrap();
    let keep = ["demo", "--keep", shared.to_str().unwrap()];
    let tui = Launch::new(&home).args(&keep).size(100, 30).start();
    let status = tui.wait_exit();
    let text = tui.text().replace('\n', " ");
    assert_ne!(status.exit_code(), 0, "{text}");
    assert!(
        text.contains("não é só sua") && text.contains("chmod go-w"),
        "{text}"
    );
    assert_eq!(
        (mode(&shared), fs::read_dir(&shared).unwrap().count()),
        (0o1777, 0)
    );
}

#[test]
fn demo_files_are_private_and_follow_no_symlink() {
    let home = TestHome::new();
    let demo_dir = home.home_dir().join("kept");
    let link_target = home.home_dir().join("theirs");
    fs::write(&link_target, "theirs").unwrap();
    fs::create_dir(&demo_dir).unwrap();
    fs::set_permissions(&demo_dir, fs::Permissions::from_mode(0o755)).unwrap();
    symlink(&link_target, demo_dir.join("port")).unwrap();
    let keep = ["demo", "--keep", demo_dir.to_str().unwrap()];
    let mut tui = Launch::new(&home).args(&keep).size(100, 30).start();
    tui.wait_for("SANDBOX");
    assert_eq!(
        mode(&demo_dir),
        0o755,
        "its rights are its owner's to choose"
    );
    assert_eq!(mode(&demo_dir.join("bank.json")), 0o600);
    let temporary_dirs = fs::read_dir(home.temp_dir())
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let temporary_dirs: Vec<_> = temporary_dirs.filter(|path| path.is_dir()).collect();
    assert!(
        !temporary_dirs.is_empty() && temporary_dirs.iter().all(|dir| mode(dir) == 0o700),
        "{temporary_dirs:?}"
    );
    tui.press("\u{3}");
    tui.wait_exit();
    assert_eq!(fs::read_to_string(&link_target).unwrap(), "theirs");
}
