//! Tests that commands such as `login` send nothing until the seller has agreed to the API
//! contract, which describes how the app uses the service's API.

use std::fs;
use std::io::ErrorKind;
use std::net::TcpListener;
use std::process::Output;

use super::helper_vault::{Helper, start_bank};
use super::support::place::TestHome;
use super::support::pty::Launch;
use super::support::run;

const LOGIN: [&str; 5] = ["login", "--vault", "helper", "--user", "ana@loja.example"];

/// A server that accepts connections but never replies. Tests can check whether a client has
/// connected.
struct SilentServer(TcpListener);

impl SilentServer {
    fn open() -> SilentServer {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        SilentServer(listener)
    }

    fn url(&self) -> String {
        format!("http://{}", self.0.local_addr().unwrap())
    }

    fn assert_not_contacted(&self) {
        let connection = self.0.accept().map(drop).map_err(|error| error.kind());
        assert_eq!(connection, Err(ErrorKind::WouldBlock), "a request was sent");
    }
}

/// Configures a profile with a service address, additional settings and an API contract file.
fn configure(home: &TestHome, url: &str, more: &str, contract: &str) {
    Helper::at(home, url, &format!("contract = 'loja.toml'\n{more}"));
    home.write_config("loja.toml", contract);
}

fn code_and_text(output: &Output) -> (i32, String) {
    let text = [&output.stdout[..], &output.stderr].concat();
    (
        output.status.code().unwrap(),
        String::from_utf8(text).unwrap(),
    )
}

fn run_command(home: &TestHome, args: &[&str]) -> (i32, String) {
    code_and_text(&run::run(home, args))
}

/// Returns the checksum of the API contract. `contract show` prints it as the argument for
/// `--agree`.
pub fn contract_checksum(home: &TestHome) -> String {
    let (code, text) = run_command(home, &["contract", "show"]);
    assert_eq!(code, 0, "{text}");
    let (_, sum) = text.rsplit_once("--agree: ").expect(&text);
    // Take only the first line, because standard error may contain a note after it.
    sum.lines().next().unwrap_or_default().to_owned()
}

#[test]
fn commands_send_nothing_without_agreement() {
    let home = TestHome::new();
    let service = SilentServer::open();
    configure(
        &home,
        &service.url(),
        "",
        "login.field.password.name = 'memo'\n",
    );
    let login = [&LOGIN[..], &["--password-stdin"]].concat();
    let check = ["contract", "check", "--vault", "helper"];
    let other = "0".repeat(32);
    for args in [&login[..], &check] {
        for options in [&[][..], &["--agree", &other], &["--agree", ""]] {
            let (code, text) = run_command(&home, &[args, options].concat());
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
    service.assert_not_contacted();
}

#[test]
fn contract_checksum_is_valid_until_contract_changes() {
    let home = TestHome::new();
    let (bank, _) = start_bank(&home);
    let certificate = || {
        rcgen::generate_simple_self_signed(vec!["x.example".into()])
            .unwrap()
            .cert
            .pem()
    };
    home.write_config("ca.pem", &certificate());
    let label = "withdrawal.field.key.label.en = 'Key'\n";
    configure(&home, &bank.url(), "ca-file = 'ca.pem'\n", label);
    let checksum = contract_checksum(&home);
    let (user, password) = bank.credentials();
    let login = |more: &[&str]| {
        let args = [
            "login",
            "--vault",
            "helper",
            "--user",
            &user,
            "--password-stdin",
        ];
        let mut command = run::command(&home, &[&args[..], more].concat());
        code_and_text(&run::output_with_input(
            &mut command,
            format!("{password}\n"),
        ))
    };
    assert_eq!(login(&[]).0, 2);
    let (code, text) = login(&["--agree", &checksum]);
    assert_eq!(code, 0, "{text}");
    // `login` and `contract check` work without `--agree` now, because the consent is stored.
    assert_eq!(login(&[]).0, 0);
    let (code, text) = run_command(&home, &["contract", "check"]);
    assert_eq!(code, 1, "only the JWT is missing: {text}");

    // The checksum of the API contract includes the configured certificate file, so another
    // certificate changes it.
    home.write_config("ca.pem", &certificate());
    assert_ne!(contract_checksum(&home), checksum);
    for more in [&[][..], &["--agree", &checksum]] {
        let (code, text) = login(more);
        assert_eq!(code, 2, "{text}");
        assert!(text.contains("profile.ca-file") && text.contains("mudou desde a última vez"));
    }
}

#[test]
fn login_at_a_terminal_asks_for_agreement() {
    let home = TestHome::new();
    let service = SilentServer::open();
    configure(
        &home,
        &service.url(),
        "",
        "withdrawal.field.key.label.en = 'Key'\n",
    );
    let start = || Launch::new(&home).args(&LOGIN).size(100, 40).start();
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
    service.assert_not_contacted();
    // The app shows the login form instead of asking for consent, because the consent is stored.
    let mut tui = start();
    tui.wait_for("Senha");
    assert!(
        !tui.text().contains("Qualquer outra coisa cancela"),
        "{}",
        tui.text()
    );
    tui.press("\x03");
    tui.wait_exit();
}

#[test]
fn added_preset_or_moved_origin_sends_nothing() {
    let home = TestHome::new();
    let service = SilentServer::open();
    let thief = SilentServer::open();
    Helper::at(&home, &service.url(), "");
    let config = fs::read_to_string(home.config_dir().join("config.toml")).unwrap();
    let login = [&LOGIN[..], &["--password-stdin"]].concat();
    let assert_refused = |args: &[&str], variable: Option<&str>, parts: &[&str]| {
        let mut command = run::command(&home, args);
        variable.map(|url| command.env("BALCAO_BASE_URL", url));
        let (code, text) = code_and_text(&run::output(&mut command));
        assert_eq!(code, 2, "{text}");
        for part in parts
            .iter()
            .chain(&["Nada foi enviado", "balcao contract show"])
        {
            assert!(text.contains(part), "{part} in {text}");
        }
    };
    let checksum = contract_checksum(&home);
    let agreed = [&login[..], &["--agree", &checksum]].concat();
    home.write_config("config.toml", &format!("{config}contract = 'centavos'\n"));
    for args in [&login, &agreed] {
        assert_refused(
            args,
            None,
            &["withdrawal.unit", "R$ 49,90 é enviado como 4990"],
        );
    }
    // The agreement of the old origin, and its checksum, are worth nothing at another one.
    home.write_config("config.toml", &config.replace(&service.url(), &thief.url()));
    for args in [&login, &agreed] {
        assert_refused(
            args,
            None,
            &["profile.base-url", &thief.url(), "Confira o endereço"],
        );
    }
    home.write_config("config.toml", &config);
    for args in [&login, &agreed] {
        let args = [args, &["--profile", "loja"][..]].concat();
        assert_refused(
            &args,
            Some(&thief.url()),
            &["profile.base-url", &thief.url()],
        );
    }
    service.assert_not_contacted();
    thief.assert_not_contacted();
}
