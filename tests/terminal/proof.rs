//! Tests that a server counts as the sandbox only if this app runs the server, or if the server
//! proves that it is the sandbox.

use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::PathBuf;

use rustix::process::Signal;

use super::seller::{make_link, submit_login};
use super::support::gate::Gate;
use super::support::http::exchange;
use super::support::place::TestHome;
use super::support::pty::{Launch, Tui};
use super::support::run::{self, Running};

const LIVE: &str = "CONTA REAL · este computador";

/// Starts `balcao sandbox`. Returns the process and the URL of the sandbox.
pub fn sandbox(place: &TestHome) -> (Running, String) {
    let (sandbox, said) = sandbox_that_says(place);
    let url = said_of("url", &said);
    (sandbox, url)
}

/// Starts `balcao sandbox`. Returns the process and the lines that it has printed.
fn sandbox_that_says(place: &TestHome) -> (Running, Vec<String>) {
    let start = run::command(place, &["sandbox", "--listen", "127.0.0.1:0"]);
    let mut sandbox = Running::start(start);
    let mut said: Vec<String> = Vec::new();
    // Wait for the last line, because the process handles SIGTERM only after printing it.
    while !said.last().is_some_and(|line| line.starts_with("ledger ")) {
        said.push(sandbox.lines.next().expect("a line").expect("text"));
    }
    (sandbox, said)
}

fn said_of(name: &str, said: &[String]) -> String {
    let line = said.iter().find_map(|line| line.strip_prefix(name));
    line.unwrap_or_else(|| panic!("no {name} in {said:?}")).trim().to_owned()
}

fn open(place: &TestHome, url: &str) -> Tui {
    Launch::new(place).args(&["--base-url", url, "--vault", "memory"]).start()
}

/// Waits for the list of payment links, and quits. The list appears when the app has read the
/// journal.
fn leave(mut tui: Tui) {
    tui.press("\x1b");
    tui.wait_for("Nenhum link por aqui ainda");
    tui.press("q");
    assert!(tui.wait_exit().success());
}

fn secret(place: &TestHome) -> PathBuf {
    place.state().join("sandbox/secret")
}

/// Returns the names of the directories in which sandboxes have their journals.
fn sandboxes(place: &TestHome) -> Vec<String> {
    let Ok(all) = fs::read_dir(place.state().join("sandbox/journals")) else { return Vec::new() };
    let dirs = all.map(|one| one.unwrap()).filter(|one| one.path().is_dir());
    dirs.map(|one| one.file_name().into_string().unwrap()).collect()
}

fn directory(url: &str) -> String {
    url.replace("://", "-").replace(':', "-")
}

#[test]
fn own_sandbox_proves_itself_and_is_named() {
    let place = TestHome::new();
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
fn foreign_sandbox_and_forwarded_port_are_live() {
    let (place, other) = (TestHome::new(), TestHome::new());
    let (_own, own) = sandbox(&place);
    let (_others, others) = sandbox(&other);
    // This server forwards requests to the sandbox. It must not count as the sandbox, because the
    // sandbox's proof is valid only for the sandbox's own port.
    let forwarded = Gate::to(own.strip_prefix("http://").unwrap().to_owned());
    // The name `localhost` may lead to another server, so it does not count as the sandbox.
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
fn silent_service_is_live_and_delays_nothing() {
    let place = TestHome::new();
    // Run the sandbox once, so that its secret exists. Then start another server, which accepts
    // connections but never replies.
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
    let place = TestHome::new();
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
    let place = TestHome::new();
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
    // A stopped sandbox cannot prove its identity. The command therefore reads the live journal,
    // and prints the path of the sandbox's journal as a hint.
    sandbox.signal(Signal::TERM);
    assert!(sandbox.wait().success());
    let said = verify();
    let wanted = format!("--journal {}", journal.display());
    assert!(said.contains(&wanted) && said.contains("conta real"), "{said}");
}

#[test]
fn service_on_the_port_of_a_sandbox_gets_no_password() {
    let place = TestHome::new();
    let (mut sandbox, said) = sandbox_that_says(&place);
    let url = said_of("url", &said);
    let mut tui = open(&place, &url);
    tui.wait_for("SANDBOX");
    sandbox.signal(Signal::TERM);
    assert!(sandbox.wait().success());
    let live = TcpListener::bind(url.strip_prefix("http://").unwrap()).unwrap();
    let asked = std::thread::spawn(move || {
        let (mut stream, _) = live.accept().unwrap();
        stream.write_all(b"HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n").unwrap();
        let mut asked = String::new();
        stream.read_to_string(&mut asked).unwrap();
        asked
    });
    let (email, password) = (said_of("email", &said), said_of("password", &said));
    submit_login(&mut tui, (email.clone(), password.clone()));
    tui.wait_for("BLOQUEADO · não é mais o sandbox");
    tui.wait_for("Este endereço não é mais o do sandbox");
    let asked = asked.join().unwrap();
    assert!(asked.starts_with("GET /_sandbox/proof?nonce="), "{asked}");
    assert!(!asked.contains(&email) && !asked.contains(&password), "{asked}");
    assert_eq!(asked.matches("HTTP/1.1").count(), 1, "{asked}");
}

/// Pays a payment link. The button on the link's checkout page sends the same request.
fn pay(address: &str, link: &str) {
    let (host, path) = link.strip_prefix("http://").unwrap().split_once('/').unwrap();
    let mut socket = TcpStream::connect(address).unwrap();
    let head = format!("POST /{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n");
    socket.write_all(format!("{head}Content-Length: 0\r\n\r\n").as_bytes()).unwrap();
    let mut answer = String::new();
    socket.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 303"), "{answer}");
}

/// Every running instance of the app must show a payment. The sandbox notifies the instances,
/// because the app does not poll.
#[test]
fn payment_at_proven_sandbox_is_marked_in_each_window() {
    const PAID: &str = "✓ pago (sandbox)";
    let place = TestHome::new();
    let (mut sandbox, said) = sandbox_that_says(&place);
    let url = said_of("url", &said);
    let mut tui = open(&place, &url);
    submit_login(&mut tui, (said_of("email", &said), said_of("password", &said)));
    tui.wait_for("Você entrou na conta.");
    tui.press("6");
    tui.wait_for("JWT");
    tui.press("J");
    tui.wait_for("JWT dos links");
    tui.paste(&said_of("jwt", &said));
    tui.wait_for("••••••");
    tui.press("\x13");
    tui.wait_for("JWT salvo.");
    make_link(&mut tui, "Camiseta azul M");
    tui.press("\x1b");
    let mut other = open(&place, &url);
    other.wait_for("SANDBOX");
    other.press("\x1b");
    other.wait_for("Camiseta azul M");
    #[cfg(target_os = "linux")]
    other.wait_asleep(std::time::Duration::from_secs(2));
    assert!(!tui.text().contains(PAID) && !other.text().contains(PAID));
    let address = url.strip_prefix("http://").unwrap();
    let (_, ledger) = exchange(address, "GET", "/_sandbox/ledger", None, None);
    pay(address, ledger["links"][0]["url"].as_str().unwrap());
    for window in [&tui, &other] {
        window.wait_for(PAID);
    }
    // An instance of the app that starts after the payment must show it too, even if the sandbox
    // was stopped.
    let mut late = open(&place, &url);
    late.wait_for("SANDBOX");
    late.press("\x1b");
    late.wait_for(PAID);
    sandbox.signal(Signal::TERM);
    assert!(sandbox.wait().success());
    #[cfg(target_os = "linux")]
    late.wait_asleep(std::time::Duration::from_secs(2));
    assert!(late.text().contains(PAID), "{}", late.text());
}
