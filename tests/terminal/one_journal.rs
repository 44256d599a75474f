//! One live journal, whatever the address: what earlier builds left, and what is no place for one.

use std::fs;
use std::path::{Path, PathBuf};

use super::support::journal::{key, of_march};
use super::support::place::Place;
use super::support::pty::Launch;
use super::support::run::{self, json_lines};

/// Never asked for anything: nobody logs in.
const SERVICE: &str = "https://pay.example";

/// A journal that an earlier build kept for an address.
fn earlier(place: &Place, name: &str) -> PathBuf {
    let beside = place.home().join(name);
    let dir = place.state().join("live").join(name);
    fs::create_dir_all(dir.parent().unwrap()).unwrap();
    fs::rename(of_march(&beside), &dir).unwrap();
    dir
}

fn keys(place: &Place, address: &str) -> Vec<String> {
    let args = ["--base-url", address, "withdrawals", "list", "--json"];
    let listed = json_lines(place, &args);
    listed.iter().map(|one| one["key"].as_str().unwrap().to_owned()).collect()
}

fn live(place: &Place) -> PathBuf {
    place.state().join("journal")
}

#[test]
fn the_only_earlier_journal_is_seen_at_every_address() {
    let place = Place::new();
    let old = earlier(&place, "https-pay.example");
    assert_eq!(keys(&place, SERVICE).len(), 2, "also before the app was opened once");
    assert!(old.exists() && !live(&place).exists(), "a list moves nothing");
    for address in ["https://pay.example:8443", "https://pay.example.", "https://other.example"] {
        let args = ["--base-url", address, "--vault", "memory"];
        let mut tui = Launch::new(&place).args(&args).start();
        tui.wait_for("Saque de R$ 200,00: confira");
        tui.press("\x1b");
        tui.wait_gone("E-mail");
        tui.press("3");
        tui.wait_for("R$ 200,00");
        tui.press("q");
        assert!(tui.wait_exit().success());
        assert!(!old.exists() && live(&place).join("money.db").exists());
        assert!(keys(&place, address).contains(&key(2).to_string()));
    }
}

#[test]
fn of_several_the_seller_picks_one_and_the_other_one_holds_back() {
    let place = Place::new();
    let (one, two) = (earlier(&place, "https-a.example"), earlier(&place, "https-b.example"));
    let listed = run::run(&place, &["--base-url", SERVICE, "withdrawals", "list"]);
    let said = String::from_utf8(listed.stderr).unwrap();
    assert!(!listed.status.success() && said.contains("https-a.example"), "{said}");

    let args = ["--base-url", SERVICE, "--vault", "memory"];
    let mut tui = Launch::new(&place).args(&args).size(100, 30).start();
    tui.wait_for("Saques bloqueados");
    tui.press("\x1b");
    tui.wait_gone("E-mail");
    tui.press("3");
    tui.wait_for("mais de um registro de saques");
    tui.press("R");
    tui.wait_for("https-b.example");
    tui.press("\r");
    tui.wait_for("Usar este registro?");
    tui.press("\t");
    tui.wait_until("the button has the focus", |screen| {
        screen.contents().contains("[ Usar este ]")
    });
    tui.press("\r");
    // What is open in it is shown first; the same words stand beside the list before that.
    tui.wait_for("CONFIRA NA SUA CONTA");
    tui.wait_for("f achei  y copiar");
    tui.press("\x1b");
    tui.wait_gone("Esc voltar");
    tui.wait_for("Outro registro tem saques em aberto");
    assert!(!one.exists() && two.exists() && live(&place).join("money.db").exists());
    tui.press("q");
    assert!(tui.wait_exit().success());
    assert!(keys(&place, SERVICE).contains(&key(2).to_string()));
}

#[test]
fn an_empty_variable_is_one_that_is_not_set_and_a_relative_one_is_refused() {
    let place = Place::new();
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
    let place = Place::new();
    earlier(&place, "https-pay.example");
    fs::rename(place.state().join("live/https-pay.example"), live(&place)).unwrap();
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
