//! Tests that all service addresses share one live journal. Also tests journals that were copied,
//! restored or lost.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use balcao::journal::money::{Files, MoneyJournal};
use balcao::trade::withdrawal::Retyped;

use super::support::journal::{
    DISCARDED_CPF, agreement, create_live_journal, create_sample_journal, key,
};
use super::support::place::TestHome;
use super::support::pty::Launch;
use super::support::run::{self, run_json_lines};

/// The service address in all tests here. The app never contacts it, because no test logs in.
const SERVICE: &str = "https://pay.example";

fn live_journal_dir(home: &TestHome) -> PathBuf {
    home.state_dir().join("journal")
}

/// Creates a home directory in which the live journal is the sample journal
/// [`create_sample_journal`].
fn home_with_sample_journal() -> TestHome {
    let home = TestHome::new();
    create_live_journal(&home);
    home
}

/// Starts and quits the app, which records the last event of the live journal in a marker file.
fn open_and_quit(home: &TestHome) {
    let mut tui = Launch::new(home)
        .args(&["--base-url", SERVICE, "--vault", "memory"])
        .start();
    tui.wait_for("Saque de R$ 200,00: confira");
    tui.press("\x1b");
    tui.wait_until_gone("E-mail");
    tui.press("3");
    tui.wait_for("R$ 200,00");
    tui.press("q");
    assert!(tui.wait_exit().success());
}

/// Adds another withdrawal to the live journal.
fn add_withdrawal(home: &TestHome) {
    let mut journal = MoneyJournal::open(Files::new(live_journal_dir(home)), true).unwrap();
    let third = agreement(3, 300, DISCARDED_CPF);
    let retyped = Retyped {
        amount: third.amount,
        shown_keys: vec![key(2)],
    };
    journal.prepare(third, Some(retyped)).unwrap();
}

/// Runs a subcommand of `balcao journal` with this state directory. `line` is its standard input.
/// Returns the exit code and the output.
fn run_journal_command(
    home: &TestHome,
    state: &Path,
    subcommand: &str,
    line: &str,
) -> (i32, String) {
    let args = [
        "--base-url",
        SERVICE,
        "--vault",
        "memory",
        "journal",
        subcommand,
    ];
    let mut command = run::command(home, &args);
    let Output { status, stdout, .. } =
        run::output_with_input(command.env("BALCAO_STATE_DIR", state), line);
    (status.code().unwrap(), String::from_utf8(stdout).unwrap())
}

fn copy_journal(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for name in ["money.db", "money.head"] {
        fs::copy(from.join(name), to.join(name)).unwrap();
    }
}

#[test]
fn same_journal_is_used_at_every_address() {
    let home = home_with_sample_journal();
    for address in [
        "https://pay.example:8443",
        "https://pay.example.",
        "https://other.example",
    ] {
        let listed = run_json_lines(
            &home,
            &["--base-url", address, "withdrawals", "list", "--json"],
        );
        assert!(
            listed.iter().any(|one| one["key"] == key(2).to_string()),
            "{address}"
        );
    }
}

#[test]
fn copied_state_is_locked_until_its_path_is_typed() {
    let home = home_with_sample_journal();
    open_and_quit(&home);
    let remembered = fs::read_to_string(home.config_dir().join("live-journal.toml")).unwrap();
    let state = home.home_dir().canonicalize().unwrap().join("copy");
    copy_journal(&live_journal_dir(&home), &state.join("journal"));
    let dirs = [
        live_journal_dir(&home).canonicalize().unwrap(),
        state.join("journal"),
    ];
    let dirs = dirs.map(|dir| dir.display().to_string());
    let (code, output) = run_journal_command(&home, &state, "verify", "");
    assert!(
        code == 1 && dirs.iter().all(|dir| output.contains(dir)),
        "{output}"
    );
    // The command still prints the list, and the path of the journal that it read.
    let args = ["--base-url", SERVICE, "withdrawals", "list"];
    let mut command = run::command(&home, &args);
    let listed = run::output(command.env("BALCAO_STATE_DIR", &state));
    let stderr = String::from_utf8(listed.stderr).unwrap();
    assert!(
        listed.status.success() && stderr.contains(&dirs[0]),
        "{stderr}"
    );

    let args = ["--base-url", SERVICE, "--vault", "memory"];
    let state_dir = state.to_str().unwrap();
    let launch = Launch::new(&home)
        .args(&args)
        .env("BALCAO_STATE_DIR", state_dir)
        .size(100, 30);
    let mut tui = launch.start();
    tui.wait_for("Saques bloqueados");
    tui.press("\x1b");
    tui.wait_until_gone("E-mail");
    tui.press("3");
    tui.wait_for("em uso neste computador");
    tui.press("q");
    assert!(tui.wait_exit().success());
    let after = fs::read_to_string(home.config_dir().join("live-journal.toml")).unwrap();
    assert_eq!(after, remembered, "nothing took its place");

    for line in ["", "\n", "journal\n", &format!("{}\n", dirs[0])] {
        let (code, output) = run_journal_command(&home, &state, "make-live", line);
        assert!(
            code == 1 && output.contains("Nada mudou") && output.contains(&dirs[0]),
            "{output}"
        );
    }
    let (code, output) = run_journal_command(&home, &state, "make-live", &format!("{}\n", dirs[1]));
    assert_eq!(code, 0, "{output}");
    assert_eq!(run_journal_command(&home, &state, "verify", "").0, 0);
    let (code, output) = run_journal_command(&home, &home.state_dir(), "verify", "");
    assert!(code == 1 && output.contains(&dirs[1]), "{output}");
}

#[test]
fn older_copy_put_back_is_trouble_until_set_aside() {
    let home = home_with_sample_journal();
    copy_journal(&live_journal_dir(&home), &home.home_dir().join("older"));
    add_withdrawal(&home);
    open_and_quit(&home);
    assert_eq!(
        run_journal_command(&home, &home.state_dir(), "verify", "").0,
        0
    );
    copy_journal(&home.home_dir().join("older"), &live_journal_dir(&home));
    let (code, output) = run_journal_command(&home, &home.state_dir(), "verify", "");
    assert!(
        code == 1 && output.contains("Falta 1 evento") && output.contains("set-aside"),
        "{output}"
    );
    let listed = run::run(&home, &["--base-url", SERVICE, "withdrawals", "list"]);
    let [stdout, stderr] = [listed.stdout, listed.stderr].map(|it| String::from_utf8(it).unwrap());
    assert!(
        listed.status.code() == Some(1) && stderr.contains("Falta 1 evento"),
        "{stderr}"
    );
    assert!(stdout.contains(&key(2).to_string()), "{stdout}");
    let (code, output) = run_journal_command(&home, &home.state_dir(), "set-aside", "journal\n");
    assert_eq!(code, 0, "{output}");
    assert!(!live_journal_dir(&home).join("money.db").exists());
    let (code, output) = run_journal_command(&home, &home.state_dir(), "verify", "");
    assert!(code == 1 && output.contains("Não há registro"), "{output}");
    let mut tui = Launch::new(&home)
        .args(&["--base-url", SERVICE, "--vault", "memory"])
        .start();
    tui.wait_for("E-mail");
    tui.press("\x1b");
    tui.wait_until_gone("E-mail");
    tui.press("3");
    tui.wait_for("Nenhum saque");
    tui.press("q");
    assert!(tui.wait_exit().success());
}

#[test]
fn unmarked_older_copy_is_locked_until_made_live() {
    let home = home_with_sample_journal();
    copy_journal(&live_journal_dir(&home), &home.home_dir().join("older"));
    add_withdrawal(&home);
    open_and_quit(&home);
    copy_journal(&home.home_dir().join("older"), &live_journal_dir(&home));
    fs::remove_file(home.config_dir().join("live-journal.toml")).unwrap();
    let (code, output) = run_journal_command(&home, &home.state_dir(), "verify", "");
    assert!(
        code == 1 && output.contains("cópia antiga") && output.contains("make-live"),
        "{output}"
    );
    let mut tui = Launch::new(&home)
        .args(&["--base-url", SERVICE, "--vault", "memory"])
        .start();
    tui.wait_for("Saques bloqueados");
    tui.press("\x1b");
    tui.wait_until_gone("E-mail");
    tui.press("3");
    tui.wait_for("2 saques, 1 em aberto");
    tui.press("q");
    assert!(tui.wait_exit().success());
    let (code, output) = run_journal_command(&home, &home.state_dir(), "make-live", "journal\n");
    let summary = "2 saques, 1 em aberto; o último em 01/03/2026 12:00";
    assert!(
        code == 1 && output.contains(summary) && output.contains("Nada mudou"),
        "{output}"
    );
    let typed = format!("{}\n", live_journal_dir(&home).display());
    let (code, output) = run_journal_command(&home, &home.state_dir(), "make-live", &typed);
    assert_eq!(code, 0, "{output}");
    assert_eq!(
        run_journal_command(&home, &home.state_dir(), "verify", "").0,
        0
    );
}

#[test]
fn other_machines_journal_is_locked_until_made_live() {
    let home = home_with_sample_journal();
    open_and_quit(&home);
    let machine = live_journal_dir(&home).join("money.machine");
    let own = fs::read_to_string(&machine).unwrap();
    fs::write(&machine, "balcao money.machine 1\n0123456789abcdef\n").unwrap();
    let (code, output) = run_journal_command(&home, &home.state_dir(), "verify", "");
    assert!(code == 1 && output.contains("outro computador"), "{output}");
    let typed = format!("{}\n", live_journal_dir(&home).display());
    let (code, output) = run_journal_command(&home, &home.state_dir(), "make-live", &typed);
    assert!(
        code == 0 && output.contains("2 saques, 1 em aberto"),
        "{output}"
    );
    assert_eq!(fs::read_to_string(&machine).unwrap(), own);
}

#[test]
fn damaged_copy_of_a_live_journal_is_not_set_aside() {
    let home = home_with_sample_journal();
    open_and_quit(&home);
    let remembered = fs::read_to_string(home.config_dir().join("live-journal.toml")).unwrap();
    let state = home.home_dir().join("copy");
    copy_journal(&live_journal_dir(&home), &state.join("journal"));
    let database = state.join("journal/money.db");
    let bytes = fs::read(&database).unwrap();
    fs::write(&database, &bytes[..bytes.len() / 2]).unwrap();
    let live_path = live_journal_dir(&home)
        .canonicalize()
        .unwrap()
        .display()
        .to_string();
    let (code, output) = run_journal_command(&home, &state, "set-aside", "journal\n");
    assert!(code == 1 && output.contains(&live_path), "{output}");
    assert!(database.exists(), "nothing was moved");
    let typed = format!("{}\n", state.join("journal").display());
    let (code, output) = run_journal_command(&home, &state, "make-live", &typed);
    assert!(
        code == 1 && output.contains("set-aside") && !output.contains("já é"),
        "{output}"
    );
    let after = fs::read_to_string(home.config_dir().join("live-journal.toml")).unwrap();
    assert_eq!(after, remembered);
    assert_eq!(
        run_journal_command(&home, &home.state_dir(), "verify", "").0,
        0
    );
}

#[test]
fn gone_journal_is_given_up_where_another_is() {
    let home = home_with_sample_journal();
    copy_journal(&live_journal_dir(&home), &home.home_dir().join("older"));
    add_withdrawal(&home);
    open_and_quit(&home);
    let state = home.home_dir().join("restored");
    copy_journal(&home.home_dir().join("older"), &state.join("journal"));
    fs::remove_dir_all(live_journal_dir(&home)).unwrap();
    let listed = run::run(
        &home,
        &["--base-url", SERVICE, "withdrawals", "list", "--json"],
    );
    let stderr = String::from_utf8(listed.stderr).unwrap();
    assert!(
        listed.status.code() == Some(1) && stderr.contains("sumiu"),
        "{stderr}"
    );
    assert!(listed.stdout.is_empty(), "the list looks empty");
    let (code, output) = run_journal_command(&home, &state, "verify", "");
    assert!(
        code == 1 && output.contains("sumiu") && output.contains("forget-missing"),
        "{output}"
    );
    let (code, output) = run_journal_command(&home, &state, "forget-missing", "journal\n");
    assert_eq!(code, 0, "{output}");
    assert_eq!(run_journal_command(&home, &state, "verify", "").0, 0);
}

#[test]
fn empty_variable_is_unset_and_relative_is_refused() {
    let home = TestHome::new();
    let args = ["--base-url", SERVICE, "withdrawals", "list"];
    let run_with_state_dir = |state: &str| {
        let mut command = run::command(&home, &args);
        run::output(command.env("BALCAO_STATE_DIR", state))
    };
    assert!(run_with_state_dir("").status.success());
    for relative in [".", "state", "../state"] {
        let output = run_with_state_dir(relative);
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{stderr}");
        assert!(
            stderr.contains("BALCAO_STATE_DIR") && stderr.contains(relative),
            "{stderr}"
        );
    }
    let file_count = fs::read_dir(home.home_dir()).unwrap().count();
    assert_eq!(
        file_count, 0,
        "nothing was made where the program was started"
    );
}

#[test]
fn a_demo_is_never_kept_in_somebodys_own_journal() {
    let home = home_with_sample_journal();
    let journal_copy = create_sample_journal(&home.home_dir());
    let link = home.home_dir().join("link");
    std::os::unix::fs::symlink(live_journal_dir(&home), &link).unwrap();
    for dir in [
        live_journal_dir(&home),
        journal_copy,
        home.state_dir(),
        link,
    ] {
        let before = files(&dir);
        let keep = dir.to_str().unwrap();
        let tui = Launch::new(&home)
            .args(&["demo", "--keep", keep])
            .size(200, 30)
            .start();
        assert_eq!(tui.wait_exit().exit_code(), 2, "{keep}: {}", tui.text());
        assert!(tui.text().contains("--keep"), "{}", tui.text());
        assert_eq!(files(&dir), before);
    }
}

fn files(dir: &Path) -> Vec<PathBuf> {
    let mut files: Vec<_> = fs::read_dir(dir)
        .unwrap()
        .map(|file| file.unwrap().path())
        .collect();
    files.sort();
    files
}
