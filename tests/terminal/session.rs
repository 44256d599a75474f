//! Tests of the commands `balcao login`, `logout` and `whoami`.

use std::fs;
use std::process::Output;

use rustix::process::{Pid, Signal, kill_process};

use super::helper_vault::{Helper, bank};
use super::support::bank::Bank;
use super::support::place::TestHome;
use super::support::pty::{Launch, Tui};
use super::support::run;

/// Runs `balcao`, with `input` as its standard input.
fn piped(place: &TestHome, args: &[&str], input: impl AsRef<[u8]>) -> Output {
    run::fed(&mut run::command(place, args), input)
}

/// Returns a command's exit code and its output. The output is standard output, followed by
/// standard error.
fn said(output: &Output) -> (i32, String) {
    let text = [&output.stdout[..], &output.stderr].concat();
    (output.status.code().unwrap(), String::from_utf8(text).unwrap())
}

fn login(place: &TestHome, bank: &Bank, password: &str) -> (i32, String) {
    let (user, _) = bank.credentials();
    let args = ["login", "--vault", "helper", "--user", &user, "--password-stdin"];
    said(&piped(place, &args, format!("{password}\n")))
}

#[test]
fn a_session_begins_is_told_is_the_apps_own_and_ends() {
    let place = TestHome::new();
    let (bank, _) = bank(&place);
    let helper = Helper::of(&place, &bank);
    let (user, password) = bank.credentials();
    let (code, text) = login(&place, &bank, &password);
    assert_eq!(code, 0, "{text}");
    assert!(text.contains(&format!("Você entrou como {user}. O acesso fica com o comando")));
    assert_eq!(helper.entries(), 1);

    // `--vault` is not needed, because the app remembers the vault of the last login.
    let (code, text) = said(&run::run(&place, &["whoami"]));
    assert_eq!(code, 0, "{text}");
    for part in ["Perfil          loja", &*bank.url(), "fica com o comando", "vale até"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(text.contains(&format!("Token da API    {user}; pronto para usar")), "{text}");
    assert!(text.contains("JWT             não há"), "{text}");
    let (_, masked) = said(&run::run(&place, &["whoami", "--redact"]));
    assert!(masked.contains("Token da API") && !masked.contains(&*user), "{masked}");
    let (code, english) = said(&run::run(&place, &["whoami", "--lang", "en"]));
    assert_eq!(code, 0, "{english}");
    assert!(english.contains("ready to use; valid until"), "{english}");

    let mut tui = Launch::new(&place).start();
    // The login is valid, but the JWT is missing, because the reply to the login contains no JWT.
    tui.wait_for("falta o JWT");
    tui.leave();

    let (code, text) = said(&run::run(&place, &["logout"]));
    assert_eq!((code, &*text), (0, "Você saiu da conta: as credenciais foram apagadas daqui.\n"));
    assert_eq!(helper.entries(), 0);
    assert_eq!(said(&run::run(&place, &["whoami"])).0, 1);
    let (code, text) = said(&run::run(&place, &["logout"]));
    assert_eq!(code, 0, "out is out");
    assert!(text.starts_with("Ninguém estava na conta"), "{text}");
}

#[test]
fn whoami_without_a_profile_says_that_nobody_is_in() {
    let place = TestHome::new();
    let (code, text) = said(&run::run(&place, &["whoami"]));
    assert!(code == 1 && text.contains("--base-url"), "{code}: {text}");
    let (code, text) = said(&run::run(&place, &["whoami", "--profile", "loja"]));
    assert_eq!(code, 2, "a wrong name is a wrong argument: {text}");
}

#[test]
fn refused_or_unstored_login_stores_nothing() {
    let place = TestHome::new();
    let (bank, _) = bank(&place);
    let helper = Helper::of(&place, &bank);
    let (code, text) = login(&place, &bank, "wrong");
    assert_eq!(code, 1, "{text}");
    assert!(text.contains("E-mail ou senha incorretos."), "{text}");
    fs::write(helper.folder.join("full"), "").unwrap();
    let (code, text) = login(&place, &bank, &bank.credentials().1);
    assert_eq!(code, 2, "{text}");
    assert!(text.contains("informou um erro") && text.contains("disk full"), "{text}");
    assert_eq!(helper.entries(), 0);
    assert!(!place.state().join("vaults.toml").exists());
}

#[test]
fn login_with_nothing_to_send_says_what_is_missing() {
    let place = TestHome::new();
    let (bank, _) = bank(&place);
    let helper = Helper::of(&place, &bank);
    let (long, given_out) = ("x".repeat(16 * 1024 + 1), bank.control().stored_tokens());
    for (user, input, wanted, english) in [
        ("ana@loja.example", &b""[..], "Senha: em branco.", "Password: empty."),
        ("ana@loja.example", b"\xef\xbb\xbf\r\n", "Senha: em branco.", "Password: empty."),
        ("ana@loja.example", b"a\0b\n", "Senha: tem um caractere que não", "not accepted here"),
        ("ana@loja.example", b"\xff\xfea\0\n", "não está em UTF-8", "not in UTF-8"),
        ("ana@loja.example", long.as_bytes(), "passa de 16 KiB", "longer than 16 KiB"),
        ("", b"secret-4711\n", "E-mail: em branco.", "E-mail: empty."),
        ("ana", b"secret-4711\n", "E-mail: não é um e-mail.", "not an e-mail address."),
    ] {
        let args = ["login", "--vault", "helper", "--user", user, "--password-stdin"];
        let (code, text) = said(&piped(&place, &args, input));
        assert!(code == 2 && text.contains(wanted), "{text}");
        assert!(!text.contains("entrar na conta") && !text.contains("secret-4711"), "{text}");
        let (code, text) = said(&piped(&place, &[&args[..], &["--lang", "en"]].concat(), input));
        assert!(code == 2 && text.contains(english), "{text}");
    }
    assert_eq!((helper.entries(), bank.control().stored_tokens()), (0, given_out));
    // The command reports an invalid e-mail address before it asks for the password.
    for (typed, wanted) in [("\r", "E-mail: em branco."), ("ana\r", "E-mail: não é um e-mail.")] {
        let mut tui = Launch::new(&place).args(&["login", "--vault", "helper"]).start();
        tui.wait_for("E-mail:");
        tui.type_text(typed);
        assert_eq!(tui.wait_exit().exit_code(), 2);
        let text = tui.text();
        assert!(text.contains(wanted) && !text.contains("Senha"), "{text}");
    }
}

#[test]
fn byte_order_mark_before_a_piped_password_is_dropped() {
    let place = TestHome::new();
    let (bank, _) = bank(&place);
    let helper = Helper::of(&place, &bank);
    let password = bank.credentials().1;
    let (code, text) = login(&place, &bank, &format!("\u{feff}{password}\r"));
    assert_eq!((code, helper.entries()), (0, 1), "{text}");
    // A byte order mark in any other position is part of the password, so this login must fail.
    let (code, text) = login(&place, &bank, &format!("{password}\u{feff}"));
    assert_eq!(code, 1, "{text}");
}

#[test]
fn command_names_no_place_of_the_screen() {
    let place = TestHome::new();
    let (bank, _) = bank(&place);
    Helper::of(&place, &bank);
    // The API contract `snake-case` looks for the token in another place, so the app does not find
    // the token in the reply.
    let config = fs::read_to_string(place.config().join("config.toml")).unwrap();
    place.configure("config.toml", &format!("{config}contract = 'snake-case'\n"));
    let (code, text) = login(&place, &bank, &bank.credentials().1);
    assert!(code == 1 && text.contains("Não achei o token da API"), "{text}");
    assert!(text.contains("Abra o balcão e entre por lá"), "{text}");
    for screens in ["Requisições", "Ensine onde", "em Conta"] {
        assert!(!text.contains(screens), "{text}");
    }
    let absent = said(&run::run(&place, &["whoami", "--vault", "keyring"])).1;
    assert!(absent.contains("escolha outro lugar com --vault"), "{absent}");
}

#[test]
fn login_without_terminal_or_vault_shows_a_way_out() {
    let place = TestHome::new();
    let (bank, _) = bank(&place);
    Helper::of(&place, &bank);
    for (args, wanted) in [
        (&["login", "--vault", "helper"][..], "--password-stdin"),
        (&["login", "--vault", "helper", "--password-stdin"], "--user"),
        (&["login", "--vault", "memory"], "--vault keyring"),
        (&["login", "--vault", "env"], "vêm do ambiente"),
        (&["login", "--vault", "keyring"], "Não há chaveiro disponível"),
        (&["logout", "--vault", "env"], "vêm do ambiente"),
    ] {
        let (code, text) = said(&run::run(&place, args));
        assert_eq!(code, 2, "{args:?}: {text}");
        assert!(text.contains(wanted), "{args:?}: {text}");
    }
}

#[test]
fn password_prompt_does_not_echo_letters() {
    let place = TestHome::new();
    let (bank, _) = bank(&place);
    let helper = Helper::of(&place, &bank);
    let (user, password) = bank.credentials();
    let args = ["login", "--vault", "helper", "--lang", "en"];
    let mut tui = Launch::new(&place).args(&args).start();
    tui.wait_for("E-mail:");
    tui.type_text(&format!("{user}\r"));
    tui.wait_for("not shown while you type");
    // A single Backspace must remove the whole letter, although it has two bytes.
    tui.type_text(&format!("{password}ç\x7f\r"));
    tui.wait_for(&format!("You are logged in as {user}."));
    assert!(tui.wait_exit().success());
    let written = String::from_utf8_lossy(&tui.written()).into_owned();
    assert!(!written.contains(&password), "{written}");
    assert_eq!(helper.entries(), 1);

    let mut tui = Launch::new(&place).args(&args).start();
    tui.wait_for("E-mail:");
    tui.type_text(&format!("{user}\r"));
    tui.wait_for("not shown while you type");
    tui.press("\x03");
    assert_eq!(tui.wait_exit().exit_code(), 1);
    assert_eq!(tui.still_asked(), Vec::<&str>::new());
}

/// Starts `balcao login` in a shell script, which prints the terminal modes afterwards.
///
/// When a file named `cook` appears, the script turns the terminal's echo on. An interactive shell
/// does this while a command is suspended.
fn asked_for_password(place: &TestHome, bank: &Bank) -> Tui {
    let program = env!("CARGO_BIN_EXE_balcao");
    let (user, _) = bank.credentials();
    let login = format!("{program} login --user {user} --vault helper --lang en");
    let script = format!(
        "trap : INT QUIT HUP TERM; exec 3<&0; \
         (while ! [ -e cook ]; do sleep 0.05; done; stty echo icanon isig <&3; echo cooked) & \
         sh -c 'echo $$ > pid; exec {login}'; echo; stty -a; touch cook; wait"
    );
    let shell = Launch::program("/bin/sh", place).env("PATH", "/usr/bin:/bin");
    let tui = shell.args(&["-c", &script]).start();
    tui.wait_for("not shown while you type");
    tui
}

fn signal_login(place: &TestHome, signal: Signal) {
    let pid = fs::read_to_string(place.home().join("pid")).unwrap();
    let pid = pid.trim().parse().ok().and_then(Pid::from_raw).expect("a process id");
    kill_process(pid, signal).expect("it is there");
}

#[test]
fn signal_at_the_password_gives_the_terminal_back() {
    for signal in [Signal::TERM, Signal::HUP, Signal::INT, Signal::QUIT] {
        let place = TestHome::new();
        let (bank, _) = bank(&place);
        let _helper = Helper::of(&place, &bank);
        let tui = asked_for_password(&place, &bank);
        signal_login(&place, signal);
        tui.wait_exit();
        let text = tui.text();
        let modes: Vec<&str> = text.split_whitespace().collect();
        for mode in ["isig", "icanon", "echo"] {
            assert!(modes.contains(&mode), "{signal:?}, {mode}: {text}");
        }
    }
}

#[test]
fn password_typed_after_a_stop_is_not_shown() {
    for signal in [Signal::STOP, Signal::TSTP] {
        let place = TestHome::new();
        let (bank, _) = bank(&place);
        let helper = Helper::of(&place, &bank);
        let (user, password) = bank.credentials();
        let mut tui = asked_for_password(&place, &bank);
        tui.type_text("abc");
        signal_login(&place, signal);
        fs::write(place.home().join("cook"), "").unwrap();
        tui.wait_for("cooked");
        signal_login(&place, Signal::CONT);
        tui.wait_until("the question again", |screen| {
            screen.contents().matches("not shown while you type").count() == 2
        });
        // Arrow keys add nothing to the password. Both codes that terminals send for Backspace
        // remove a letter.
        tui.type_text(&format!("{password}\x1b[D\x1bOCx\x08ç\x7f\r"));
        tui.wait_for(&format!("You are logged in as {user}."));
        assert!(tui.wait_exit().success());
        let written = String::from_utf8_lossy(&tui.written()).into_owned();
        assert!(!written.contains(&password), "{written}");
        assert_eq!(helper.entries(), 1);
    }
}

#[test]
fn ctrl_d_at_the_email_gives_up() {
    let place = TestHome::new();
    let (bank, _) = bank(&place);
    let _helper = Helper::of(&place, &bank);
    let args = ["login", "--vault", "helper", "--lang", "en"];
    let mut tui = Launch::new(&place).args(&args).start();
    tui.wait_for("E-mail:");
    tui.type_text("\x04");
    assert_eq!(tui.wait_exit().exit_code(), 1);
    assert!(!tui.text().contains("not shown"), "{}", tui.text());
}
