//! Tests of `demo --share`. It explains what sharing means, and opens the shared port only after
//! the user has confirmed.

use std::net::TcpStream;

use serde_json::json;

use super::support::http::send_request;
use super::support::place::TestHome;
use super::support::pty::{Launch, Tui};

fn start_sharing(home: &TestHome) -> (Tui, String) {
    let arguments = ["demo", "--share", "127.0.0.2"];
    let tui = Launch::new(home).args(&arguments).size(100, 30).start();
    tui.wait_for("Enter abre o balcão");
    let text = tui.text();
    let (_, after) = text.split_once("http://").expect("where it is shared");
    let address: String = after
        .chars()
        .take_while(|c| c.is_ascii_digit() || ".:".contains(*c))
        .collect();
    (tui, address)
}

#[test]
fn sharing_is_explained_before_it_starts() {
    let home = TestHome::new();
    let (mut tui, address) = start_sharing(&home);
    let text = tui.text().replace('\n', " ");
    for word in [
        "nem o login, nem os saques",
        "Nenhum dinheiro de verdade",
        "só este computador",
    ] {
        assert!(text.contains(word), "{word:?}: {text}");
    }
    assert!(
        !tui.shows_alternate_screen() && address.starts_with("127.0.0.2:"),
        "{address}: {text}"
    );
    assert!(TcpStream::connect(&address).is_err(), "somebody is let in");

    tui.press("\r");
    tui.wait_for("[ Entrar ]");
    assert!(tui.shows_alternate_screen());
    tui.wait_for(&format!("Compartilhado em http://{address}"));
    let login = json!({ "email": "ana@loja-da-ana.example", "password": "doce-de-leite" });
    for (method, path, body) in [
        ("POST", "/api/v1/api-auth/login", Some(&login)),
        ("GET", "/_sandbox/ledger", None),
        ("GET", "/", None),
    ] {
        let (status, text) = send_request(&address, method, path, None, body);
        assert_eq!((status, text), (404, json!(404)), "{path}");
    }
    tui.quit();
    assert!(
        TcpStream::connect(&address).is_err(),
        "it ends with the demo"
    );
}

#[test]
fn refused_consent_shares_nothing() {
    for answer in ["não\r", "\x04"] {
        let home = TestHome::new();
        let (mut tui, _) = start_sharing(&home);
        tui.press(answer);
        assert_eq!(tui.wait_exit().exit_code(), 2);
        assert!(tui.text().contains("Nada mudou"), "{}", tui.text());
        assert!(!tui.shows_alternate_screen());
    }
}
