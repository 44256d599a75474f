//! Tests of credentials in environment variables. The app uses them, but does not store them, and
//! does not pass them on to other programs.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::sync::mpsc;
use std::thread;

use rustix::fs::{CWD, FileType, Mode, mknodat};

use super::seller::{
    SUBMIT, create_link, discard_form, launch_with_bank, log_out, paste_jwt, type_login,
};
use super::support::bank::Bank;
use super::support::place::TestHome;
use super::support::pty::{Launch, WAIT_TIMEOUT};
use super::support::run;

/// A fake token that is easy to find in any output.
const CANARY: &str = "canary-7Qx-4410-token";

/// Prepares to start the app with both credentials (token and JWT) in the environment.
fn launch(home: &TestHome, bank: &Bank) -> Launch {
    let launch = Launch::new(home).args(&["--base-url", &bank.url(), "--vault", "env"]);
    let launch = launch
        .env("BALCAO_TOKEN", CANARY)
        .env("BALCAO_JWT", &bank.jwt());
    launch
        .env("BALCAO_LOGIN", "ana@loja.example")
        .env("BALCAO_ORIGIN", &bank.url())
}

#[test]
fn login_is_refused_naming_the_credential_source() {
    let home = TestHome::new();
    let bank = Bank::open();
    let mut tui = launch(&home, &bank).size(100, 34).start();
    tui.press("6");
    tui.wait_for("vem do ambiente (BALCAO_TOKEN); nada é guardado");
    tui.wait_for("ana@loja.example");
    tui.press("L");
    tui.wait_for("Senha");
    tui.type_text("senha");
    tui.wait_for("•••••");
    tui.press(SUBMIT);
    tui.wait_for("As credenciais vêm do ambiente");
    discard_form(&mut tui, "Senha");
    log_out(&mut tui, "aqui nada é guardado nem apagado");
    assert_eq!(bank.ledger().payouts.len(), 0);
    tui.quit();
    assert!(!home.state_dir().join("vaults.toml").exists());
}

#[test]
fn a_secret_that_is_not_used_is_said_to_be_unused() {
    let home = TestHome::new();
    let bank = Bank::open();
    let launch = Launch::new(&home).args(&["--base-url", &bank.url(), "--vault", "memory"]);
    let mut tui = launch.env("BALCAO_JWT", &bank.jwt()).start();
    let unused = "BALCAO_JWT está definida, mas não é usada agora.";
    tui.wait_for("Senha");
    tui.wait_for(unused);
    tui.press("\x1b");
    tui.wait_until_gone("Senha");
    tui.press("6");
    tui.wait_for("BALCAO_JWT está definida");
    tui.quit();
}

#[test]
fn time_zone_in_a_pipe_is_said_to_be_unreadable() {
    let home = TestHome::new();
    let pipe = home.home_dir().join("zone");
    mknodat(CWD, &pipe, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
    let zone = format!(":{}", pipe.display());
    let tui = Launch::new(&home)
        .args(&["doctor"])
        .size(120, 50)
        .env("TZ", &zone)
        .start();
    tui.wait_for("os horários aparecem");
    tui.wait_exit();
    let mut tui = Launch::new(&home).args(&["demo"]).env("TZ", &zone).start();
    tui.wait_for("1 Links");
    tui.quit();
}

/// Installs a fake desktop program. It writes its input, arguments, environment and inherited file
/// descriptors to files in the home directory.
fn install_fake_program(home: &TestHome, name: &str) {
    let program = home.bin_dir().join(name);
    let prefix = home.home_dir().join(name);
    let text = format!(
        "#!/bin/sh\n/bin/cat >{0}.in\necho \"$@\" >{0}.args\n/usr/bin/env >{0}.env\n\
         /bin/cat /dev/fd/3 /dev/fd/4 /dev/fd/5 >{0}.files 2>/dev/null\necho >{0}.done\n",
        prefix.display()
    );
    fs::write(&program, text).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let done = format!("{}.done", prefix.display());
    mknodat(CWD, done, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
}

/// Waits until a fake desktop program has exited. Returns the environment variables that it
/// recorded.
fn recorded_environment(home: &TestHome, name: &'static str) -> String {
    let (sender, receiver) = mpsc::sync_channel(1);
    let done = home.home_dir().join(format!("{name}.done"));
    thread::spawn(move || sender.send(fs::read(done)));
    receiver.recv_timeout(WAIT_TIMEOUT).expect(name).unwrap();
    fs::read_to_string(home.home_dir().join(format!("{name}.env"))).unwrap()
}

/// Dropping [`TestHome`] searches the home directory for secrets, including the files that the fake
/// desktop programs write there.
#[cfg(target_os = "linux")]
#[test]
fn secrets_are_in_no_process_environment() {
    for is_typed in [false, true] {
        let home = TestHome::new();
        let bank = Bank::open();
        let children = ["wl-copy", "xdg-open"];
        children
            .iter()
            .for_each(|name| install_fake_program(&home, name));
        let launch = if is_typed {
            launch_with_bank(&home, &bank)
        } else {
            launch(&home, &bank)
        };
        let mut tui = launch.env("WAYLAND_DISPLAY", "wayland-0").start();
        if is_typed {
            type_login(&mut tui, &bank);
            paste_jwt(&mut tui, &bank);
        }
        tui.wait_for("1 Links");
        let app_environment = fs::read(format!("/proc/{}/environ", tui.process_id())).unwrap();
        create_link(&mut tui, "Bolo");
        let mut environments = vec![recorded_environment(&home, "wl-copy")];
        tui.press("o");
        environments.push(recorded_environment(&home, "xdg-open"));
        tui.quit();
        let url = &bank.ledger().links[0].url;
        assert_eq!(
            fs::read_to_string(home.home_dir().join("wl-copy.in")).unwrap(),
            *url
        );
        let opened = fs::read_to_string(home.home_dir().join("xdg-open.args")).unwrap();
        assert_eq!(opened.trim_end(), url);
        environments.push(String::from_utf8_lossy(&app_environment).into_owned());
        for text in environments {
            // Check with variables that are not secret that this is really the environment of the
            // process.
            assert!(text.contains("WAYLAND_DISPLAY=wayland-0"), "{text}");
            assert_eq!(
                text.contains("BALCAO_LOGIN=ana@loja.example"),
                !is_typed,
                "{text}"
            );
            assert!(
                !text.contains("BALCAO_TOKEN") && !text.contains("BALCAO_JWT"),
                "{text}"
            );
        }
    }
}

#[test]
fn invalid_or_ownerless_token_is_refused_unquoted() {
    let home = TestHome::new();
    let args = ["--base-url", "https://api.example", "--vault", "env"];
    let long = "x".repeat(16 * 1024 + 1);
    let lines = format!("{CANARY}\n{CANARY}");
    for (value, message) in [
        (CANARY, "Ponha em BALCAO_LOGIN a conta dele"),
        (&*lines, "BALCAO_TOKEN não é um token"),
        (&*long, "BALCAO_TOKEN não é um token"),
        (
            "canary-7Qx 4410-token",
            "BALCAO_TOKEN não é um token: tem espaço",
        ),
        ("canary-7Qx-4410-tokén", "BALCAO_TOKEN não é um token"),
    ] {
        let launch = Launch::new(&home)
            .args(&args)
            .env("BALCAO_ORIGIN", "api.example");
        let tui = launch.env("BALCAO_TOKEN", value).start();
        assert_eq!(tui.wait_exit().exit_code(), 2);
        let text = tui.text().replace('\n', " ");
        assert!(text.contains(message), "{text}");
        assert!(!text.contains(CANARY) && !text.contains("xxxx"), "{text}");
    }
    // A JWT from the environment is checked only if the API contract requires the usual form of a
    // JWT. A pasted JWT is treated in the same way.
    let check = [
        "contract",
        "check",
        "--base-url",
        "http://127.0.0.1:9",
        "--vault",
        "env",
    ];
    for (lang, message) in [
        ("pt-BR", "BALCAO_JWT não é um JWT"),
        ("en", "BALCAO_JWT is not a JWT"),
    ] {
        let mut command = run::command(&home, &[&check[..], &["--lang", lang]].concat());
        command.env("BALCAO_ORIGIN", "http://127.0.0.1:9");
        let output = run::output(command.env("BALCAO_JWT", CANARY));
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(
            output.status.code() == Some(2) && text.contains(message),
            "{text}"
        );
    }
    home.write_config(
        "config.toml",
        "[profiles.default]\ncontract = 'key-headers'\n",
    );
    let show = run::output(&mut run::command(
        &home,
        &["contract", "show", check[2], check[3]],
    ));
    let show = String::from_utf8(show.stdout).unwrap();
    let sum = show.rsplit_once("--agree: ").expect(&show).1.trim_end();
    let mut command = run::command(&home, &[&check[..], &["--agree", sum]].concat());
    command.env("BALCAO_ORIGIN", "http://127.0.0.1:9/");
    let output = run::output(command.env("BALCAO_JWT", CANARY));
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    // `BALCAO_TOKEN` is ignored without `--vault env`. The command therefore succeeds even without
    // `BALCAO_LOGIN`.
    let mut command = run::command(&home, &["--version"]);
    let output = run::output(command.env("BALCAO_TOKEN", CANARY));
    assert!(output.status.success(), "{output:?}");
}

#[test]
fn tokens_are_sent_as_pasted_ones_are() {
    let home = TestHome::new();
    let bank = Bank::open();
    let token = bank.control().api_token().unwrap();
    let check = [
        "contract",
        "check",
        "--base-url",
        &bank.url(),
        "--vault",
        "env",
        "--lang",
        "en",
    ];
    let mut command = run::command(&home, &check);
    command.env("BALCAO_TOKEN", format!("Bearer {token}\n"));
    command.env("BALCAO_JWT", format!("\"Bearer {}\"", bank.jwt()));
    command.env("BALCAO_ORIGIN", format!("\"{}/\"", bank.url()));
    let output = run::output(command.env("BALCAO_LOGIN", "\"ana@loja.example\""));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        output.status.success() && text.contains("read all replies"),
        "{text}"
    );
    assert!(
        text.contains("reads in reais; the unit is not proved"),
        "{text}"
    );
    let whoami = ["whoami", "--base-url", &bank.url(), "--vault", "env"];
    let mut command = run::command(&home, &whoami);
    command
        .env("BALCAO_TOKEN", token)
        .env("BALCAO_LOGIN", "'ana@loja.example'");
    command.env("BALCAO_ORIGIN", bank.url());
    let text = String::from_utf8(run::output(&mut command).stdout).unwrap();
    assert!(text.contains("  ana@loja.example;"), "{text}");
}

#[test]
fn credentials_for_another_origin_are_never_sent() {
    let home = TestHome::new();
    let bank = Bank::open();
    let requests = bank.control().subscribe_requests();
    home.write_config(
        "config.toml",
        &format!("[profiles.loja]\nbase-url = '{}'\n", bank.url()),
    );
    let check = |origin: Option<&str>, lang: &str| {
        let args = ["contract", "check", "--vault", "env", "--lang", lang];
        let mut command = run::command(&home, &args);
        command
            .env("BALCAO_TOKEN", CANARY)
            .env("BALCAO_LOGIN", "ana@loja.example");
        origin.map(|origin| command.env("BALCAO_ORIGIN", origin));
        let output = run::output(&mut command);
        (
            output.status.code(),
            String::from_utf8(output.stderr).unwrap(),
        )
    };
    for (origin, named) in [
        (None, ""),
        (Some(""), ""),
        (
            Some("https://api.loja.example/v1"),
            "https://api.loja.example",
        ),
        (Some("http://127.0.0.1:1"), "http://127.0.0.1:1"),
        (Some("loja"), "loja"),
    ] {
        for (lang, nothing_sent) in [("pt-BR", "Nada foi enviado"), ("en", "Nothing was sent")] {
            let (code, text) = check(origin, lang);
            assert_eq!(code, Some(2), "{text}");
            for part in ["BALCAO_ORIGIN", &bank.url(), named, nothing_sent] {
                assert!(text.contains(part), "{part} in {text}");
            }
        }
    }
    assert!(requests.is_empty(), "something was sent");
    // The right origin is enough, although the address comes from the settings file.
    assert_eq!(
        check(Some(&bank.url()), "en").0,
        Some(1),
        "the credentials are not valid"
    );
}
