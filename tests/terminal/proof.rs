//! Tests that a server counts as the sandbox only if this app runs the server, or if the server
//! proves that it is the sandbox.

use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::PathBuf;

use rustix::process::Signal;

use super::seller::{create_link, submit_login};
use super::support::gate::Gate;
use super::support::http::send_request;
use super::support::place::TestHome;
use super::support::pty::{Launch, Tui};
use super::support::run::{self, BackgroundProgram};

const LIVE: &str = "CONTA REAL · este computador";

/// Starts `balcao sandbox`. Returns the process and the URL of the sandbox.
pub fn start_sandbox(home: &TestHome) -> (BackgroundProgram, String) {
    let (sandbox, printed_lines) = start_sandbox_with_output(home);
    let url = printed_value("url", &printed_lines);
    (sandbox, url)
}

/// Starts `balcao sandbox`. Returns the process and the lines that it has printed.
fn start_sandbox_with_output(home: &TestHome) -> (BackgroundProgram, Vec<String>) {
    let start = run::command(home, &["sandbox", "--listen", "127.0.0.1:0"]);
    let mut sandbox = BackgroundProgram::start(start);
    let mut printed_lines: Vec<String> = Vec::new();
    // Wait for the last line, because the process handles SIGTERM only after printing it.
    while !printed_lines
        .last()
        .is_some_and(|line| line.starts_with("ledger "))
    {
        printed_lines.push(sandbox.lines.next().expect("a line").expect("text"));
    }
    (sandbox, printed_lines)
}

fn printed_value(name: &str, printed_lines: &[String]) -> String {
    let line = printed_lines
        .iter()
        .find_map(|line| line.strip_prefix(name));
    line.unwrap_or_else(|| panic!("no {name} in {printed_lines:?}"))
        .trim()
        .to_owned()
}

fn open_app(home: &TestHome, url: &str) -> Tui {
    Launch::new(home)
        .args(&["--base-url", url, "--vault", "memory"])
        .start()
}

/// Waits for the list of payment links, and quits. The list appears when the app has read the
/// journal.
fn quit_from_list(mut tui: Tui) {
    tui.press("\x1b");
    tui.wait_for("Nenhum link por aqui ainda");
    tui.press("q");
    assert!(tui.wait_exit().success());
}

fn secret_path(home: &TestHome) -> PathBuf {
    home.state_dir().join("sandbox/secret")
}

/// Returns the names of the directories in which sandboxes have their journals.
fn sandbox_journals(home: &TestHome) -> Vec<String> {
    let Ok(entries) = fs::read_dir(home.state_dir().join("sandbox/journals")) else {
        return Vec::new();
    };
    let dirs = entries
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.path().is_dir());
    dirs.map(|entry| entry.file_name().into_string().unwrap())
        .collect()
}

fn journal_name(url: &str) -> String {
    url.replace("://", "-").replace(':', "-")
}

#[test]
fn own_sandbox_proves_itself_and_is_named() {
    let home = TestHome::new();
    let (_sandbox, url) = start_sandbox(&home);
    assert_eq!(
        fs::metadata(secret_path(&home))
            .unwrap()
            .permissions()
            .mode()
            & 0o777,
        0o600
    );
    let tui = open_app(&home, &url);
    tui.wait_for("SANDBOX");
    assert!(!tui.text().contains("este computador"), "{}", tui.text());
    quit_from_list(tui);
    assert_eq!(sandbox_journals(&home), [journal_name(&url)]);
    assert!(!home.state_dir().join("journal").exists());
}

#[test]
fn foreign_sandbox_and_forwarded_port_are_live() {
    let home = TestHome::new();
    let other_home = TestHome::new();
    let (_own, own_url) = start_sandbox(&home);
    let (_others, other_url) = start_sandbox(&other_home);
    // This server forwards requests to the sandbox. It must not count as the sandbox, because the
    // sandbox's proof is valid only for the sandbox's own port.
    let forwarded = Gate::open(own_url.strip_prefix("http://").unwrap().to_owned());
    // The name `localhost` may lead to another server, so it does not count as the sandbox.
    let by_name = own_url.replace("127.0.0.1", "localhost");
    for url in [other_url, forwarded.url(), by_name] {
        let tui = open_app(&home, &url);
        tui.wait_for(LIVE);
        tui.wait_for("(este computador)");
        assert!(!tui.text().contains("SANDBOX"), "{}", tui.text());
        quit_from_list(tui);
        assert!(home.state_dir().join("journal/money.db").exists());
    }
    assert_eq!(sandbox_journals(&home), Vec::<String>::new());
}

#[test]
fn silent_service_is_live_and_delays_nothing() {
    let home = TestHome::new();
    // Run the sandbox once, so that its secret exists. Then start another server, which accepts
    // connections but never replies.
    drop(start_sandbox(&home));
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", silent.local_addr().unwrap());
    let tui = open_app(&home, &url);
    tui.wait_for(LIVE);
    quit_from_list(tui);
    assert!(home.state_dir().join("journal/money.db").exists());
}

#[test]
fn a_secret_that_is_not_private_stops_the_sandbox() {
    let home = TestHome::new();
    drop(start_sandbox(&home));
    let secret_path = secret_path(&home);
    let assert_refused = |reason: &str| {
        let output = run::run(&home, &["sandbox", "--listen", "127.0.0.1:0"]);
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{stderr}");
        assert!(
            stderr.contains("sandbox/secret") && stderr.contains(reason),
            "{stderr}"
        );
    };
    fs::set_permissions(&secret_path, fs::Permissions::from_mode(0o644)).unwrap();
    assert_refused("outros usuários");
    let moved = home.home_dir().join("secret");
    fs::rename(&secret_path, &moved).unwrap();
    fs::set_permissions(&moved, fs::Permissions::from_mode(0o600)).unwrap();
    symlink(&moved, &secret_path).unwrap();
    assert_refused("é um link");
    fs::remove_file(&secret_path).unwrap();
    fs::write(&secret_path, "").unwrap();
    fs::set_permissions(&secret_path, fs::Permissions::from_mode(0o600)).unwrap();
    assert_refused("não é o de um sandbox");
}

#[test]
fn commands_request_the_proof_too() {
    let home = TestHome::new();
    let (mut sandbox, url) = start_sandbox(&home);
    quit_from_list(open_app(&home, &url));
    let journal = home
        .state_dir()
        .join("sandbox/journals")
        .join(journal_name(&url));
    let verify = || {
        let output = run::run(
            &home,
            &["--base-url", &url, "--vault", "memory", "journal", "verify"],
        );
        let output_text = String::from_utf8(output.stdout).unwrap();
        (output_text + &String::from_utf8(output.stderr).unwrap()).replace('\n', " ")
    };
    let output_text = verify();
    assert!(
        !output_text.contains("--journal") && output_text.contains("sandbox/journals"),
        "{output_text}"
    );
    // A stopped sandbox cannot prove its identity. The command therefore reads the live journal,
    // and prints the path of the sandbox's journal as a hint.
    sandbox.signal(Signal::TERM);
    assert!(sandbox.wait().success());
    let output_text = verify();
    let expected = format!("--journal {}", journal.display());
    assert!(
        output_text.contains(&expected) && output_text.contains("conta real"),
        "{output_text}"
    );
}

#[test]
fn service_on_the_port_of_a_sandbox_gets_no_password() {
    let home = TestHome::new();
    let (mut sandbox, printed_lines) = start_sandbox_with_output(&home);
    let url = printed_value("url", &printed_lines);
    let mut tui = open_app(&home, &url);
    tui.wait_for("SANDBOX");
    sandbox.signal(Signal::TERM);
    assert!(sandbox.wait().success());
    let live = TcpListener::bind(url.strip_prefix("http://").unwrap()).unwrap();
    let request = std::thread::spawn(move || {
        let (mut stream, _) = live.accept().unwrap();
        stream
            .write_all(b"HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n")
            .unwrap();
        let mut request = String::new();
        stream.read_to_string(&mut request).unwrap();
        request
    });
    let email = printed_value("email", &printed_lines);
    let password = printed_value("password", &printed_lines);
    submit_login(&mut tui, (email.clone(), password.clone()));
    tui.wait_for("BLOQUEADO · não é mais o sandbox");
    tui.wait_for("Este endereço não é mais o do sandbox");
    let request = request.join().unwrap();
    assert!(
        request.starts_with("GET /_sandbox/proof?nonce="),
        "{request}"
    );
    assert!(
        !request.contains(&email) && !request.contains(&password),
        "{request}"
    );
    assert_eq!(request.matches("HTTP/1.1").count(), 1, "{request}");
}

/// Pays a payment link. The button on the link's checkout page sends the same request.
fn pay_link(address: &str, link: &str) {
    let (host, path) = link
        .strip_prefix("http://")
        .unwrap()
        .split_once('/')
        .unwrap();
    let mut socket = TcpStream::connect(address).unwrap();
    let head = format!("POST /{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n");
    socket
        .write_all(format!("{head}Content-Length: 0\r\n\r\n").as_bytes())
        .unwrap();
    let mut reply = String::new();
    socket.read_to_string(&mut reply).unwrap();
    assert!(reply.starts_with("HTTP/1.1 303"), "{reply}");
}

/// Every running instance of the app must show a payment. The sandbox notifies the instances,
/// because the app does not poll.
#[test]
fn payment_at_proven_sandbox_is_marked_in_each_window() {
    const PAID: &str = "✓ pago (sandbox)";
    let home = TestHome::new();
    let (mut sandbox, printed_lines) = start_sandbox_with_output(&home);
    let url = printed_value("url", &printed_lines);
    let mut tui = open_app(&home, &url);
    submit_login(
        &mut tui,
        (
            printed_value("email", &printed_lines),
            printed_value("password", &printed_lines),
        ),
    );
    tui.wait_for("Você entrou na conta.");
    tui.press("6");
    tui.wait_for("JWT");
    tui.press("J");
    tui.wait_for("JWT dos links");
    tui.paste(&printed_value("jwt", &printed_lines));
    tui.wait_for("••••••");
    tui.press("\x13");
    tui.wait_for("JWT salvo.");
    create_link(&mut tui, "Camiseta azul M");
    tui.press("\x1b");
    let mut other = open_app(&home, &url);
    other.wait_for("SANDBOX");
    other.press("\x1b");
    other.wait_for("Camiseta azul M");
    #[cfg(target_os = "linux")]
    other.wait_idle_for(std::time::Duration::from_secs(2));
    assert!(!tui.text().contains(PAID) && !other.text().contains(PAID));
    let address = url.strip_prefix("http://").unwrap();
    let (_, ledger) = send_request(address, "GET", "/_sandbox/ledger", None, None);
    pay_link(address, ledger["links"][0]["url"].as_str().unwrap());
    for window in [&tui, &other] {
        window.wait_for(PAID);
    }
    // An instance of the app that starts after the payment must show it too, even if the sandbox
    // was stopped.
    let mut restarted = open_app(&home, &url);
    restarted.wait_for("SANDBOX");
    restarted.press("\x1b");
    restarted.wait_for(PAID);
    sandbox.signal(Signal::TERM);
    assert!(sandbox.wait().success());
    #[cfg(target_os = "linux")]
    restarted.wait_idle_for(std::time::Duration::from_secs(2));
    assert!(restarted.text().contains(PAID), "{}", restarted.text());
}
