//! Tests of the commands `balcao login`, `logout` and `whoami`.

use std::fs;
use std::process::Output;

use rustix::process::{Pid, Signal, kill_process};

use super::consent::contract_checksum;
use super::helper_vault::{Helper, start_bank};
use super::support::bank::Bank;
use super::support::place::TestHome;
use super::support::pty::{Launch, Tui};
use super::support::run;

/// Runs `balcao`, with `input` as its standard input.
fn run_with_input(home: &TestHome, args: &[&str], input: impl AsRef<[u8]>) -> Output {
    run::output_with_input(&mut run::command(home, args), input)
}

/// Returns a command's exit code and its output. The output is standard output, followed by
/// standard error.
fn code_and_output(output: &Output) -> (i32, String) {
    let text = [&output.stdout[..], &output.stderr].concat();
    (
        output.status.code().unwrap(),
        String::from_utf8(text).unwrap(),
    )
}

fn login(home: &TestHome, bank: &Bank, password: &str) -> (i32, String) {
    login_with(home, bank, password, &[])
}

/// Logs in with additional arguments.
fn login_with(home: &TestHome, bank: &Bank, password: &str, more: &[&str]) -> (i32, String) {
    let (user, _) = bank.credentials();
    let args = [
        "login",
        "--vault",
        "helper",
        "--user",
        &user,
        "--password-stdin",
    ];
    let args = [&args[..], more].concat();
    code_and_output(&run_with_input(home, &args, format!("{password}\n")))
}

#[test]
fn session_is_shared_with_the_app_until_logout() {
    let home = TestHome::new();
    let (bank, _) = start_bank(&home);
    let helper = Helper::of(&home, &bank);
    let (user, password) = bank.credentials();
    let (code, text) = login(&home, &bank, &password);
    assert_eq!(code, 0, "{text}");
    assert!(text.contains(&format!(
        "Você entrou como {user}. O acesso fica com o comando"
    )));
    assert_eq!(helper.entry_count(), 1);

    // `--vault` is not needed, because the app remembers the vault of the last login.
    let (code, text) = code_and_output(&run::run(&home, &["whoami"]));
    assert_eq!(code, 0, "{text}");
    for part in [
        "Perfil          loja",
        &*bank.url(),
        "fica com o comando",
        "vale até",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(
        text.contains(&format!("Token da API    {user}; pronto para usar")),
        "{text}"
    );
    assert!(text.contains("JWT             não há"), "{text}");
    let (_, masked) = code_and_output(&run::run(&home, &["whoami", "--redact"]));
    assert!(
        masked.contains("Token da API") && !masked.contains(&*user),
        "{masked}"
    );
    let (code, english) = code_and_output(&run::run(&home, &["whoami", "--lang", "en"]));
    assert_eq!(code, 0, "{english}");
    assert!(english.contains("ready to use; valid until"), "{english}");

    let mut tui = Launch::new(&home).start();
    // The login is valid, but the JWT is missing, because the reply to the login contains no JWT.
    tui.wait_for("falta o JWT");
    tui.quit();

    let (code, text) = code_and_output(&run::run(&home, &["logout"]));
    assert_eq!(
        (code, &*text),
        (
            0,
            "Você saiu da conta: as credenciais foram apagadas daqui.\n"
        )
    );
    assert_eq!(helper.entry_count(), 0);
    assert_eq!(code_and_output(&run::run(&home, &["whoami"])).0, 1);
    let (code, text) = code_and_output(&run::run(&home, &["logout"]));
    assert_eq!(code, 0, "out is out");
    assert!(text.starts_with("Ninguém estava na conta"), "{text}");
}

#[test]
fn whoami_without_a_profile_reports_no_login() {
    let home = TestHome::new();
    let (code, text) = code_and_output(&run::run(&home, &["whoami"]));
    assert!(code == 1 && text.contains("--base-url"), "{code}: {text}");
    let (code, text) = code_and_output(&run::run(&home, &["whoami", "--profile", "loja"]));
    assert_eq!(code, 2, "a wrong name is a wrong argument: {text}");
}

#[test]
fn refused_or_unstored_login_stores_nothing() {
    let home = TestHome::new();
    let (bank, _) = start_bank(&home);
    let helper = Helper::of(&home, &bank);
    let (code, text) = login(&home, &bank, "wrong");
    assert_eq!(code, 1, "{text}");
    assert!(text.contains("E-mail ou senha incorretos."), "{text}");
    fs::write(helper.folder.join("full"), "").unwrap();
    let (code, text) = login(&home, &bank, &bank.credentials().1);
    assert_eq!(code, 2, "{text}");
    assert!(
        text.contains("informou um erro") && text.contains("disk full"),
        "{text}"
    );
    assert_eq!(helper.entry_count(), 0);
    assert!(!home.state_dir().join("vaults.toml").exists());
}

#[test]
fn login_with_nothing_to_send_says_what_is_missing() {
    let home = TestHome::new();
    let (bank, _) = start_bank(&home);
    let helper = Helper::of(&home, &bank);
    let long = "x".repeat(16 * 1024 + 1);
    let issued_tokens = bank.control().stored_tokens();
    for (user, input, expected, english) in [
        (
            "ana@loja.example",
            &b""[..],
            "Senha: em branco.",
            "Password: empty.",
        ),
        (
            "ana@loja.example",
            b"\xef\xbb\xbf\r\n",
            "Senha: em branco.",
            "Password: empty.",
        ),
        (
            "ana@loja.example",
            b"a\0b\n",
            "Senha: tem um caractere que não",
            "not accepted here",
        ),
        (
            "ana@loja.example",
            b"\xff\xfea\0\n",
            "não está em UTF-8",
            "not in UTF-8",
        ),
        (
            "ana@loja.example",
            long.as_bytes(),
            "passa de 16 KiB",
            "longer than 16 KiB",
        ),
        ("", b"secret-4711\n", "E-mail: em branco.", "E-mail: empty."),
        (
            "ana",
            b"secret-4711\n",
            "E-mail: não é um e-mail.",
            "not an e-mail address.",
        ),
    ] {
        let args = [
            "login",
            "--vault",
            "helper",
            "--user",
            user,
            "--password-stdin",
        ];
        let (code, text) = code_and_output(&run_with_input(&home, &args, input));
        assert!(code == 2 && text.contains(expected), "{text}");
        assert!(
            !text.contains("entrar na conta") && !text.contains("secret-4711"),
            "{text}"
        );
        let (code, text) = code_and_output(&run_with_input(
            &home,
            &[&args[..], &["--lang", "en"]].concat(),
            input,
        ));
        assert!(code == 2 && text.contains(english), "{text}");
    }
    assert_eq!(
        (helper.entry_count(), bank.control().stored_tokens()),
        (0, issued_tokens)
    );
    // The command reports an invalid e-mail address before it asks for the password.
    for (typed, expected) in [
        ("\r", "E-mail: em branco."),
        ("ana\r", "E-mail: não é um e-mail."),
    ] {
        let mut tui = Launch::new(&home)
            .args(&["login", "--vault", "helper"])
            .start();
        tui.wait_for("E-mail:");
        tui.type_text(typed);
        assert_eq!(tui.wait_exit().exit_code(), 2);
        let text = tui.text();
        assert!(text.contains(expected) && !text.contains("Senha"), "{text}");
    }
}

#[test]
fn byte_order_mark_before_a_piped_password_is_dropped() {
    let home = TestHome::new();
    let (bank, _) = start_bank(&home);
    let helper = Helper::of(&home, &bank);
    let password = bank.credentials().1;
    let (code, text) = login(&home, &bank, &format!("\u{feff}{password}\r"));
    assert_eq!((code, helper.entry_count()), (0, 1), "{text}");
    // A byte order mark in any other position is part of the password, so this login must fail.
    let (code, text) = login(&home, &bank, &format!("{password}\u{feff}"));
    assert_eq!(code, 1, "{text}");
}

#[test]
fn command_names_no_place_of_the_screen() {
    let home = TestHome::new();
    let (bank, _) = start_bank(&home);
    Helper::of(&home, &bank);
    // The API contract `snake-case` looks for the token in another place, so the app does not find
    // the token in the reply.
    let config = fs::read_to_string(home.config_dir().join("config.toml")).unwrap();
    home.write_config("config.toml", &format!("{config}contract = 'snake-case'\n"));
    let checksum = contract_checksum(&home);
    let agree = ["--agree", &checksum];
    let (code, text) = login_with(&home, &bank, &bank.credentials().1, &agree);
    assert!(
        code == 1 && text.contains("Não achei o token da API"),
        "{text}"
    );
    assert!(text.contains("Abra o balcão e entre por lá"), "{text}");
    for screens in ["Solicitações", "Ensine onde", "em Conta"] {
        assert!(!text.contains(screens), "{text}");
    }
    let absent = code_and_output(&run::run(&home, &["whoami", "--vault", "keyring"])).1;
    assert!(
        absent.contains("escolha outro lugar com --vault"),
        "{absent}"
    );
}

#[test]
fn login_without_terminal_or_vault_shows_a_way_out() {
    let home = TestHome::new();
    let (bank, _) = start_bank(&home);
    Helper::of(&home, &bank);
    for (args, expected) in [
        (&["login", "--vault", "helper"][..], "--password-stdin"),
        (
            &["login", "--vault", "helper", "--password-stdin"],
            "--user",
        ),
        (&["login", "--vault", "memory"], "--vault keyring"),
        (&["login", "--vault", "env"], "BALCAO_ORIGIN"),
        (
            &["login", "--vault", "keyring"],
            "Não há chaveiro disponível",
        ),
        (&["logout", "--vault", "env"], "BALCAO_ORIGIN"),
    ] {
        let (code, text) = code_and_output(&run::run(&home, args));
        assert_eq!(code, 2, "{args:?}: {text}");
        assert!(text.contains(expected), "{args:?}: {text}");
    }
}

#[test]
fn password_prompt_does_not_echo_letters() {
    let home = TestHome::new();
    let (bank, _) = start_bank(&home);
    let helper = Helper::of(&home, &bank);
    let (user, password) = bank.credentials();
    let args = ["login", "--vault", "helper", "--lang", "en"];
    let mut tui = Launch::new(&home).args(&args).start();
    tui.wait_for("E-mail:");
    tui.type_text(&format!("{user}\r"));
    tui.wait_for("not shown while you type");
    // A single Backspace must remove the whole letter, although it has two bytes.
    tui.type_text(&format!("{password}ç\x7f\r"));
    tui.wait_for(&format!("You are logged in as {user}."));
    assert!(tui.wait_exit().success());
    let written = String::from_utf8_lossy(&tui.output_bytes()).into_owned();
    assert!(!written.contains(&password), "{written}");
    assert_eq!(helper.entry_count(), 1);

    let mut tui = Launch::new(&home).args(&args).start();
    tui.wait_for("E-mail:");
    tui.type_text(&format!("{user}\r"));
    tui.wait_for("not shown while you type");
    tui.press("\x03");
    assert_eq!(tui.wait_exit().exit_code(), 1);
    assert_eq!(tui.active_modes(), Vec::<&str>::new());
}

/// Starts `balcao login` in a shell script, which prints the terminal modes afterwards.
///
/// When a file named `cook` appears, the script turns the terminal's echo on. An interactive shell
/// does this while a command is suspended.
fn start_at_password_prompt(home: &TestHome, bank: &Bank) -> Tui {
    let program = env!("CARGO_BIN_EXE_balcao");
    let (user, _) = bank.credentials();
    let login = format!("{program} login --user {user} --vault helper --lang en");
    let script = format!(
        "trap : INT QUIT HUP TERM; exec 3<&0; \
         (while ! [ -e cook ]; do sleep 0.05; done; stty echo icanon isig <&3; echo cooked) & \
         sh -c 'echo $$ > pid; exec {login}'; echo; stty -a; touch cook; wait"
    );
    let shell = Launch::program("/bin/sh", home).env("PATH", "/usr/bin:/bin");
    let tui = shell.args(&["-c", &script]).start();
    tui.wait_for("not shown while you type");
    tui
}

fn signal_login(home: &TestHome, signal: Signal) {
    let pid = fs::read_to_string(home.home_dir().join("pid")).unwrap();
    let pid = pid
        .trim()
        .parse()
        .ok()
        .and_then(Pid::from_raw)
        .expect("a process id");
    kill_process(pid, signal).expect("it is there");
}

#[test]
fn signal_at_the_password_gives_the_terminal_back() {
    for signal in [Signal::TERM, Signal::HUP, Signal::INT, Signal::QUIT] {
        let home = TestHome::new();
        let (bank, _) = start_bank(&home);
        let _helper = Helper::of(&home, &bank);
        let tui = start_at_password_prompt(&home, &bank);
        signal_login(&home, signal);
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
        let home = TestHome::new();
        let (bank, _) = start_bank(&home);
        let helper = Helper::of(&home, &bank);
        let (user, password) = bank.credentials();
        let mut tui = start_at_password_prompt(&home, &bank);
        tui.type_text("abc");
        signal_login(&home, signal);
        fs::write(home.home_dir().join("cook"), "").unwrap();
        tui.wait_for("cooked");
        signal_login(&home, Signal::CONT);
        tui.wait_until("the question again", |screen| {
            screen
                .contents()
                .matches("not shown while you type")
                .count()
                == 2
        });
        // Arrow keys add nothing to the password. Both codes that terminals send for Backspace
        // remove a letter.
        tui.type_text(&format!("{password}\x1b[D\x1bOCx\x08ç\x7f\r"));
        tui.wait_for(&format!("You are logged in as {user}."));
        assert!(tui.wait_exit().success());
        let written = String::from_utf8_lossy(&tui.output_bytes()).into_owned();
        assert!(!written.contains(&password), "{written}");
        assert_eq!(helper.entry_count(), 1);
    }
}

#[test]
fn ctrl_d_at_the_email_gives_up() {
    let home = TestHome::new();
    let (bank, _) = start_bank(&home);
    let _helper = Helper::of(&home, &bank);
    let args = ["login", "--vault", "helper", "--lang", "en"];
    let mut tui = Launch::new(&home).args(&args).start();
    tui.wait_for("E-mail:");
    tui.type_text("\x04");
    assert_eq!(tui.wait_exit().exit_code(), 1);
    assert!(!tui.text().contains("not shown"), "{}", tui.text());
}
