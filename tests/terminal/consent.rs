//! Tests that commands such as `login` send nothing until the seller has agreed to the API
//! contract, which describes how the app uses the service's API.

use std::io::ErrorKind;
use std::net::TcpListener;
use std::process::Output;

use super::helper_vault::{Helper, bank};
use super::support::place::TestHome;
use super::support::pty::Launch;
use super::support::run;

const LOGIN: [&str; 5] = ["login", "--vault", "helper", "--user", "ana@loja.example"];

/// A server that accepts connections but never replies. Tests can check whether a client has
/// connected.
struct Silent(TcpListener);

impl Silent {
    fn open() -> Silent {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        Silent(listener)
    }

    fn url(&self) -> String {
        format!("http://{}", self.0.local_addr().unwrap())
    }

    fn assert_untouched(&self) {
        let came = self.0.accept().map(drop).map_err(|error| error.kind());
        assert_eq!(came, Err(ErrorKind::WouldBlock), "a request was sent");
    }
}

/// Configures a profile with a service address, additional settings and an API contract file.
fn configure(place: &TestHome, url: &str, more: &str, contract: &str) {
    Helper::at(place, url, &format!("contract = 'loja.toml'\n{more}"));
    place.configure("loja.toml", contract);
}

fn code_and_text(output: &Output) -> (i32, String) {
    let text = [&output.stdout[..], &output.stderr].concat();
    (output.status.code().unwrap(), String::from_utf8(text).unwrap())
}

fn said(place: &TestHome, args: &[&str]) -> (i32, String) {
    code_and_text(&run::run(place, args))
}

/// Returns the checksum of the API contract. `contract show` prints it as the argument for
/// `--agree`.
fn sum(place: &TestHome) -> String {
    let (code, text) = said(place, &["contract", "show"]);
    assert_eq!(code, 0, "{text}");
    let (_, sum) = text.rsplit_once("--agree: ").expect(&text);
    // Take only the first line, because standard error may contain a note after it.
    sum.lines().next().unwrap_or_default().to_owned()
}

#[test]
fn commands_send_nothing_without_agreement() {
    let (place, service) = (TestHome::new(), Silent::open());
    configure(&place, &service.url(), "", "login.field.password.name = 'memo'\n");
    let login = [&LOGIN[..], &["--password-stdin"]].concat();
    let check = ["contract", "check", "--vault", "helper"];
    let other = "0".repeat(32);
    for args in [&login[..], &check] {
        for named in [&[][..], &["--agree", &other], &["--agree", ""]] {
            let (code, text) = said(&place, &[args, named].concat());
            assert_eq!(code, 2, "{text}");
            for part in [
                "login.field.password.name",
                "A sua senha é enviada com o nome “memo”",
                "balcao contract show",
                "Nada foi enviado",
            ] {
                assert!(text.contains(part), "{part} in {text}");
            }
        }
    }
    service.assert_untouched();
}

#[test]
fn sum_of_the_lines_agrees_until_they_change() {
    let place = TestHome::new();
    let (bank, _) = bank(&place);
    let certificate =
        || rcgen::generate_simple_self_signed(vec!["x.example".into()]).unwrap().cert.pem();
    place.configure("ca.pem", &certificate());
    let label = "withdrawal.field.key.label.en = 'Key'\n";
    configure(&place, &bank.url(), "ca-file = 'ca.pem'\n", label);
    let agreed = sum(&place);
    let (user, password) = bank.credentials();
    let login = |more: &[&str]| {
        let args = ["login", "--vault", "helper", "--user", &user, "--password-stdin"];
        let mut command = run::command(&place, &[&args[..], more].concat());
        code_and_text(&run::fed(&mut command, format!("{password}\n")))
    };
    assert_eq!(login(&[]).0, 2);
    let (code, text) = login(&["--agree", &agreed]);
    assert_eq!(code, 0, "{text}");
    // `login` and `contract check` work without `--agree` now, because the consent is stored.
    assert_eq!(login(&[]).0, 0);
    let (code, text) = said(&place, &["contract", "check"]);
    assert_eq!(code, 1, "only the JWT is missing: {text}");

    // The checksum of the API contract includes the configured certificate file, so another
    // certificate changes it.
    place.configure("ca.pem", &certificate());
    assert_ne!(sum(&place), agreed);
    for more in [&[][..], &["--agree", &agreed]] {
        let (code, text) = login(more);
        assert_eq!(code, 2, "{text}");
        assert!(text.contains("profile.ca-file") && text.contains("mudou desde a última vez"));
    }
}

#[test]
fn login_at_a_terminal_asks_for_agreement() {
    let (place, service) = (TestHome::new(), Silent::open());
    configure(&place, &service.url(), "", "withdrawal.field.key.label.en = 'Key'\n");
    let start = || Launch::new(&place).args(&LOGIN).size(100, 40).start();
    let mut tui = start();
    tui.wait_for("Qualquer outra coisa cancela");
    tui.press("s\r");
    assert_eq!(tui.wait_exit().exit_code(), 2);
    assert!(tui.text().contains("Nada foi enviado"), "{}", tui.text());
    let mut tui = start();
    tui.wait_for("Qualquer outra coisa cancela");
    tui.press("sim\r");
    tui.wait_for("Senha");
    tui.press("\x03");
    tui.wait_exit();
    service.assert_untouched();
    // The app shows the login form instead of asking for consent, because the consent is stored.
    let mut tui = start();
    tui.wait_for("Senha");
    assert!(!tui.text().contains("Qualquer outra coisa cancela"), "{}", tui.text());
    tui.press("\x03");
    tui.wait_exit();
}
