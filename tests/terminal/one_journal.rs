//! Tests that all service addresses share one live journal. Also tests journals that were copied,
//! restored or lost.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use balcao::journal::OsDisk;
use balcao::journal::money::MoneyJournal;
use balcao::trade::withdrawal::Retyped;

use super::support::journal::{OLD, agreement, key, of_march};
use super::support::place::TestHome;
use super::support::pty::Launch;
use super::support::run::{self, json_lines};

/// The service address in all tests here. The app never contacts it, because no test logs in.
const SERVICE: &str = "https://pay.example";

fn live(place: &TestHome) -> PathBuf {
    place.state().join("journal")
}

/// Creates a home directory in which the live journal is the sample journal [`of_march`].
fn with_march() -> TestHome {
    let place = TestHome::new();
    fs::rename(of_march(&place.home()), live(&place)).unwrap();
    place
}

/// Starts and quits the app. The app records the path of the live journal in its marker file.
fn opens(place: &TestHome) {
    let mut tui = Launch::new(place).args(&["--base-url", SERVICE, "--vault", "memory"]).start();
    tui.wait_for("Saque de R$ 200,00: confira");
    tui.press("\x1b");
    tui.wait_gone("E-mail");
    tui.press("3");
    tui.wait_for("R$ 200,00");
    tui.press("q");
    assert!(tui.wait_exit().success());
}

/// Adds another withdrawal to the live journal.
fn grows(place: &TestHome) {
    let mut journal = MoneyJournal::open(&live(place), OsDisk, true).unwrap();
    let new = agreement(3, 300, OLD);
    let retyped = Retyped { amount: new.amount, told: vec![key(2)] };
    journal.prepare(new, Some(retyped)).unwrap();
}

/// Runs a subcommand of `balcao journal` with this state directory. `line` is its standard input.
/// Returns the exit code and the output.
fn journal(place: &TestHome, state: &Path, subcommand: &str, line: &str) -> (i32, String) {
    let args = ["--base-url", SERVICE, "--vault", "memory", "journal", subcommand];
    let mut command = run::command(place, &args);
    let Output { status, stdout, .. } = run::fed(command.env("BALCAO_STATE_DIR", state), line);
    (status.code().unwrap(), String::from_utf8(stdout).unwrap())
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for name in ["money.db", "money.head"] {
        fs::copy(from.join(name), to.join(name)).unwrap();
    }
}

#[test]
fn same_journal_is_used_at_every_address() {
    let place = with_march();
    for address in ["https://pay.example:8443", "https://pay.example.", "https://other.example"] {
        let listed = json_lines(&place, &["--base-url", address, "withdrawals", "list", "--json"]);
        assert!(listed.iter().any(|one| one["key"] == key(2).to_string()), "{address}");
    }
}

#[test]
fn copied_state_is_locked_until_its_path_is_typed() {
    let place = with_march();
    opens(&place);
    let remembered = fs::read_to_string(place.config().join("live-journal.toml")).unwrap();
    let state = place.home().canonicalize().unwrap().join("copy");
    copy(&live(&place), &state.join("journal"));
    let both = [live(&place).canonicalize().unwrap(), state.join("journal")];
    let both = both.map(|dir| dir.display().to_string());
    let (code, said) = journal(&place, &state, "verify", "");
    assert!(code == 1 && both.iter().all(|dir| said.contains(dir)), "{said}");
    // The command still prints the list, and the path of the journal that it read.
    let args = ["--base-url", SERVICE, "withdrawals", "list"];
    let mut command = run::command(&place, &args);
    let listed = run::output(command.env("BALCAO_STATE_DIR", &state));
    let noted = String::from_utf8(listed.stderr).unwrap();
    assert!(listed.status.success() && noted.contains(&both[0]), "{noted}");

    let args = ["--base-url", SERVICE, "--vault", "memory"];
    let state_dir = state.to_str().unwrap();
    let launch = Launch::new(&place).args(&args).env("BALCAO_STATE_DIR", state_dir).size(100, 30);
    let mut tui = launch.start();
    tui.wait_for("Saques bloqueados");
    tui.press("\x1b");
    tui.wait_gone("E-mail");
    tui.press("3");
    tui.wait_for("em uso neste computador");
    tui.press("q");
    assert!(tui.wait_exit().success());
    let after = fs::read_to_string(place.config().join("live-journal.toml")).unwrap();
    assert_eq!(after, remembered, "nothing took its place");

    for line in ["", "\n", "journal\n", &format!("{}\n", both[0])] {
        let (code, said) = journal(&place, &state, "make-live", line);
        assert!(code == 1 && said.contains("Nada mudou") && said.contains(&both[0]), "{said}");
    }
    let (code, said) = journal(&place, &state, "make-live", &format!("{}\n", both[1]));
    assert_eq!(code, 0, "{said}");
    assert_eq!(journal(&place, &state, "verify", "").0, 0);
    let (code, said) = journal(&place, &place.state(), "verify", "");
    assert!(code == 1 && said.contains(&both[1]), "{said}");
}

#[test]
fn older_copy_put_back_is_trouble_until_set_aside() {
    let place = with_march();
    copy(&live(&place), &place.home().join("older"));
    grows(&place);
    opens(&place);
    assert_eq!(journal(&place, &place.state(), "verify", "").0, 0);
    copy(&place.home().join("older"), &live(&place));
    let (code, said) = journal(&place, &place.state(), "verify", "");
    assert!(code == 1 && said.contains("Falta 1 evento") && said.contains("set-aside"), "{said}");
    let (code, said) = journal(&place, &place.state(), "set-aside", "journal\n");
    assert_eq!(code, 0, "{said}");
    assert!(!live(&place).join("money.db").exists());
    let (code, said) = journal(&place, &place.state(), "verify", "");
    assert!(code == 1 && said.contains("Não há registro"), "{said}");
    let mut tui = Launch::new(&place).args(&["--base-url", SERVICE, "--vault", "memory"]).start();
    tui.wait_for("E-mail");
    tui.press("\x1b");
    tui.wait_gone("E-mail");
    tui.press("3");
    tui.wait_for("Nenhum saque");
    tui.press("q");
    assert!(tui.wait_exit().success());
}

#[test]
fn damaged_copy_of_a_live_journal_is_not_set_aside() {
    let place = with_march();
    opens(&place);
    let remembered = fs::read_to_string(place.config().join("live-journal.toml")).unwrap();
    let state = place.home().join("copy");
    copy(&live(&place), &state.join("journal"));
    let database = state.join("journal/money.db");
    let whole = fs::read(&database).unwrap();
    fs::write(&database, &whole[..whole.len() / 2]).unwrap();
    let real = live(&place).canonicalize().unwrap().display().to_string();
    let (code, said) = journal(&place, &state, "set-aside", "journal\n");
    assert!(code == 1 && said.contains(&real), "{said}");
    assert!(database.exists(), "nothing was moved");
    let typed = format!("{}\n", state.join("journal").display());
    let (code, said) = journal(&place, &state, "make-live", &typed);
    assert!(code == 1 && said.contains("set-aside") && !said.contains("já é"), "{said}");
    let after = fs::read_to_string(place.config().join("live-journal.toml")).unwrap();
    assert_eq!(after, remembered);
    assert_eq!(journal(&place, &place.state(), "verify", "").0, 0);
}

#[test]
fn gone_journal_is_given_up_where_another_is() {
    let place = with_march();
    copy(&live(&place), &place.home().join("older"));
    grows(&place);
    opens(&place);
    let state = place.home().join("restored");
    copy(&place.home().join("older"), &state.join("journal"));
    fs::remove_dir_all(live(&place)).unwrap();
    let (code, said) = journal(&place, &state, "verify", "");
    assert!(code == 1 && said.contains("sumiu") && said.contains("forget-missing"), "{said}");
    let (code, said) = journal(&place, &state, "forget-missing", "journal\n");
    assert_eq!(code, 0, "{said}");
    assert_eq!(journal(&place, &state, "verify", "").0, 0);
}

#[test]
fn empty_variable_is_unset_and_relative_is_refused() {
    let place = TestHome::new();
    let args = ["--base-url", SERVICE, "withdrawals", "list"];
    let with = |state: &str| {
        let mut command = run::command(&place, &args);
        run::output(command.env("BALCAO_STATE_DIR", state))
    };
    assert!(with("").status.success());
    for relative in [".", "state", "../state"] {
        let refused = with(relative);
        let said = String::from_utf8(refused.stderr).unwrap();
        assert_eq!(refused.status.code(), Some(2), "{said}");
        assert!(said.contains("BALCAO_STATE_DIR") && said.contains(relative), "{said}");
    }
    let home = fs::read_dir(place.home()).unwrap().count();
    assert_eq!(home, 0, "nothing was made where the program was started");
}

#[test]
fn a_demo_is_never_kept_in_somebodys_own_journal() {
    let place = with_march();
    let copy = of_march(&place.home());
    let link = place.home().join("link");
    std::os::unix::fs::symlink(live(&place), &link).unwrap();
    for dir in [live(&place), copy, place.state(), link] {
        let before = files(&dir);
        let keep = dir.to_str().unwrap();
        let tui = Launch::new(&place).args(&["demo", "--keep", keep]).size(200, 30).start();
        assert_eq!(tui.wait_exit().exit_code(), 2, "{keep}: {}", tui.text());
        assert!(tui.text().contains("--keep"), "{}", tui.text());
        assert_eq!(files(&dir), before);
    }
}

fn files(dir: &Path) -> Vec<PathBuf> {
    let mut files: Vec<_> = fs::read_dir(dir).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    files
}
