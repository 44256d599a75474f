//! Tests that the app ignores proxy variables in the environment, because a proxy could read logins
//! and change replies.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpListener;
use std::sync::mpsc;
use std::thread;

use super::proof::start_sandbox;
use super::seller;
use super::support::bank::Bank;
use super::support::place::TestHome;
use super::support::pty::{Launch, Tui, WAIT_TIMEOUT};

/// A listening socket. All proxy variables contain its address.
///
/// Connections stay in the socket's queue even after the client has exited, so a later check still
/// finds them.
struct Proxy(TcpListener);

impl Proxy {
    /// The environment variables that can contain the address of a proxy.
    const NAMES: [&str; 6] = [
        "http_proxy",
        "https_proxy",
        "HTTP_PROXY",
        "HTTPS_PROXY",
        "all_proxy",
        "ALL_PROXY",
    ];

    fn open() -> Proxy {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        Proxy(listener)
    }

    /// Starts the app with all proxy variables set. Fails if another variable excludes some
    /// addresses from the proxy, because the test would then prove nothing.
    fn start(&self, home: &TestHome, url: &str) -> Tui {
        let exceptions = home.environment().iter().any(|(name, _)| {
            ["no_proxy", "request_method"].contains(&name.to_lowercase().as_str())
        });
        assert!(!exceptions, "a proxy that is not to be used proves nothing");
        let proxy = format!("http://{}", self.0.local_addr().unwrap());
        let launch = Launch::new(home).args(&["--base-url", url, "--vault", "memory"]);
        Proxy::NAMES
            .iter()
            .fold(launch, |launch, name| launch.env(name, &proxy))
            .start()
    }

    #[track_caller]
    fn assert_unused(&self) {
        match self.0.accept() {
            Err(error) if error.kind() == ErrorKind::WouldBlock => {}
            connection => panic!("somebody came to the proxy: {connection:?}"),
        }
    }

    /// Waits until the screen shows this text. Fails immediately if anything connects to the proxy.
    #[track_caller]
    fn wait_for_without_proxy(&self, tui: &Tui, text: &str) {
        tui.wait_until(&format!("{text:?} to appear"), |screen| {
            self.assert_unused();
            screen.contents().contains(text)
        });
    }

    /// Kills the app, and checks that nothing connected to the proxy.
    #[track_caller]
    fn kill_and_assert_unused(&self, tui: &Tui) {
        tui.kill();
        tui.wait_exit();
        self.assert_unused();
    }
}

#[test]
fn logins_and_money_go_to_the_bank_by_no_proxy() {
    let number = |url: &str| url.to_owned();
    let name = |url: &str| url.replace("127.0.0.1", "localhost");
    for address in [number, name] {
        let home = TestHome::new();
        let bank = Bank::open();
        let proxy = Proxy::open();
        let mut tui = proxy.start(&home, &address(&bank.url()));
        seller::submit_login(&mut tui, bank.credentials());
        proxy.wait_for_without_proxy(&tui, "Você entrou na conta.");
        seller::send_withdrawal(&mut tui);
        bank.wait_for_payout();
        let ledger = bank.ledger();
        assert_eq!((ledger.requests.len(), ledger.payouts.len()), (1, 1));
        proxy.kill_and_assert_unused(&tui);
    }
}

#[test]
fn https_goes_to_its_host_by_no_proxy() {
    let home = TestHome::new();
    let proxy = Proxy::open();
    let host = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("https://{}", host.local_addr().unwrap());
    let (sender, receiver) = mpsc::sync_channel(1);
    thread::spawn(move || {
        let (mut stream, _) = host.accept().unwrap();
        let mut head = [0; 5];
        stream.read_exact(&mut head).unwrap();
        // Read the whole message. Closing a connection with unread bytes could discard the reply.
        let mut greeting = vec![0; usize::from(u16::from_be_bytes([head[3], head[4]]))];
        stream.read_exact(&mut greeting).unwrap();
        stream
            .write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n")
            .unwrap();
        sender.send(head[0]).unwrap();
    });
    let mut tui = proxy.start(&home, &url);
    seller::submit_login(&mut tui, ("ana@loja.example".into(), "s3nha-da-ana".into()));
    proxy.wait_for_without_proxy(&tui, "Não foi possível confirmar a identidade do serviço.");
    // The first byte is 22, so the app began a TLS handshake. It did not send `CONNECT` to a proxy.
    assert_eq!(receiver.recv_timeout(WAIT_TIMEOUT), Ok(22));
    proxy.kill_and_assert_unused(&tui);
}

#[test]
fn a_sandbox_is_asked_for_its_proof_by_no_proxy() {
    let home = TestHome::new();
    let proxy = Proxy::open();
    let (_sandbox, url) = start_sandbox(&home);
    let tui = proxy.start(&home, &url);
    proxy.wait_for_without_proxy(&tui, "SANDBOX");
    proxy.kill_and_assert_unused(&tui);
}
