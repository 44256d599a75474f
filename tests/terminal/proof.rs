//! What bears the name sandbox: what this program plays itself, or what proves itself.

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::PathBuf;

use rustix::process::Signal;

use super::support::gate::Gate;
use super::support::place::Place;
use super::support::pty::{Launch, Tui};
use super::support::run::{self, Running};

const LIVE: &str = "CONTA REAL · este computador";

/// The sandbox of this user, and its address.
pub fn sandbox(place: &Place) -> (Running, String) {
    let start = run::command(place, &["sandbox", "--listen", "127.0.0.1:0"]);
    let mut sandbox = Running::start(start);
    let first = sandbox.lines.next().expect("a line").expect("text");
    let url = first.strip_prefix("url ").expect("the address").trim().to_owned();
    // It is asked to end only once it listens for that.
    while !sandbox.lines.next().expect("a line").expect("text").starts_with("ledger ") {}
    (sandbox, url)
}

fn open(place: &Place, url: &str) -> Tui {
    Launch::new(place).args(&["--base-url", url, "--vault", "memory"]).start()
}

/// Leaves, once the journal was read.
fn leave(mut tui: Tui) {
    tui.press("\x1b");
    tui.wait_for("Nenhum link por aqui ainda");
    tui.press("q");
    assert!(tui.wait_exit().success());
}

fn secret(place: &Place) -> PathBuf {
    place.state().join("sandbox/secret")
}

/// The journals of sandboxes.
fn sandboxes(place: &Place) -> Vec<String> {
    let Ok(all) = fs::read_dir(place.state().join("sandbox/journals")) else { return Vec::new() };
    let dirs = all.map(|one| one.unwrap()).filter(|one| one.path().is_dir());
    dirs.map(|one| one.file_name().into_string().unwrap()).collect()
}

fn directory(url: &str) -> String {
    url.replace("://", "-").replace(':', "-")
}

#[test]
fn a_sandbox_of_this_user_proves_itself_and_bears_the_name() {
    let place = Place::new();
    let (_sandbox, url) = sandbox(&place);
    assert_eq!(fs::metadata(secret(&place)).unwrap().permissions().mode() & 0o777, 0o600);
    let tui = open(&place, &url);
    tui.wait_for("SANDBOX");
    assert!(!tui.text().contains("este computador"), "{}", tui.text());
    leave(tui);
    assert_eq!(sandboxes(&place), [directory(&url)]);
    assert!(!place.state().join("journal").exists());
}

#[test]
fn another_users_sandbox_and_a_forwarded_port_are_live() {
    let (place, other) = (Place::new(), Place::new());
    let (_own, own) = sandbox(&place);
    let (_others, others) = sandbox(&other);
    // Its answers are true, and prove the address behind the forwarded port and not this one.
    let forwarded = Gate::to(own.strip_prefix("http://").unwrap().to_owned());
    // The name may lead to whoever listens at the other number of this machine.
    let by_name = own.replace("127.0.0.1", "localhost");
    for url in [others, forwarded.url(), by_name] {
        let tui = open(&place, &url);
        tui.wait_for(LIVE);
        tui.wait_for("(este computador)");
        assert!(!tui.text().contains("SANDBOX"), "{}", tui.text());
        leave(tui);
        assert!(place.state().join("journal/money.db").exists());
    }
    assert_eq!(sandboxes(&place), Vec::<String>::new());
}

#[test]
fn what_does_not_answer_keeps_nobody_waiting_and_is_live() {
    let place = Place::new();
    // The secret is here, and what listens takes the question and says nothing.
    drop(sandbox(&place));
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", silent.local_addr().unwrap());
    let tui = open(&place, &url);
    tui.wait_for(LIVE);
    leave(tui);
    assert!(place.state().join("journal/money.db").exists());
}

#[test]
fn a_secret_that_is_not_private_stops_the_sandbox() {
    let place = Place::new();
    drop(sandbox(&place));
    let secret = secret(&place);
    let refused = |why: &str| {
        let output = run::run(&place, &["sandbox", "--listen", "127.0.0.1:0"]);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains("sandbox/secret") && said.contains(why), "{said}");
    };
    fs::set_permissions(&secret, fs::Permissions::from_mode(0o644)).unwrap();
    refused("outros usuários");
    let moved = place.home().join("secret");
    fs::rename(&secret, &moved).unwrap();
    fs::set_permissions(&moved, fs::Permissions::from_mode(0o600)).unwrap();
    symlink(&moved, &secret).unwrap();
    refused("é um link");
    fs::remove_file(&secret).unwrap();
    fs::write(&secret, "").unwrap();
    fs::set_permissions(&secret, fs::Permissions::from_mode(0o600)).unwrap();
    refused("não é o de um sandbox");
}

#[test]
fn lists_ask_for_the_proof_too() {
    let place = Place::new();
    let (mut sandbox, url) = sandbox(&place);
    leave(open(&place, &url));
    let journal = place.state().join("sandbox/journals").join(directory(&url));
    let verify = || {
        let output =
            run::run(&place, &["--base-url", &url, "--vault", "memory", "journal", "verify"]);
        let said = String::from_utf8(output.stdout).unwrap();
        (said + &String::from_utf8(output.stderr).unwrap()).replace('\n', " ")
    };
    let said = verify();
    assert!(!said.contains("--journal") && said.contains("sandbox/journals"), "{said}");
    // One that is gone proves nothing: what is listed is live, and where the rest is is told.
    sandbox.signal(Signal::TERM);
    assert!(sandbox.wait().success());
    let said = verify();
    let wanted = format!("--journal {}", journal.display());
    assert!(said.contains(&wanted) && said.contains("conta real"), "{said}");
}
