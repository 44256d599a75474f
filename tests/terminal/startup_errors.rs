//! Tests of errors at startup. Each error is explained in plain text without the alternate screen,
//! and the exit code is 2.

use std::fs::OpenOptions;

use super::support::place::TestHome;
use super::support::pty::Launch;
use super::support::run;
use super::support::run::run;

/// Starts the app in a terminal. The app must print these words and exit with code 2.
#[track_caller]
fn assert_refuses(home: &TestHome, args: &[&str], messages: &[&str]) {
    let tui = Launch::new(home).args(args).size(100, 30).start();
    let status = tui.wait_exit();
    // Join the rows, because the terminal may have wrapped the text.
    let text = tui.text().replace('\n', " ");
    assert_eq!(status.exit_code(), 2, "{args:?}: {text}");
    for message in messages {
        assert!(text.contains(message), "{args:?} says {message:?}: {text}");
    }
    let used_alternate_screen =
        String::from_utf8_lossy(&tui.output_bytes()).contains("\x1b[?1049h");
    assert!(!used_alternate_screen, "{args:?} touched the screen");
}

#[test]
fn missing_address_error_names_both_ways_out() {
    let home = TestHome::new();
    // The setup does not open in these two cases: the first command names a profile without an
    // address, and the second command does not run in a terminal.
    assert_refuses(
        &home,
        &["--profile", "default"],
        &["--base-url", "config.toml", "balcao demo"],
    );
    let output = run(&home, &[]);
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        !output.status.success() && stderr.contains("--base-url"),
        "{stderr}"
    );
}

#[test]
fn unshareable_address_is_refused_with_a_way_out() {
    let home = TestHome::new();
    let assert_share_refused = |address: &str, messages: &[&str]| {
        let prefix = format!("--share {address}:");
        let messages = [&[&*prefix], messages].concat();
        assert_refuses(&home, &["demo", "--share", address], &messages);
    };
    assert_share_refused(
        "loja.example",
        &["não é um endereço IP", "192.168.0.10:8080"],
    );
    assert_share_refused("0.0.0.0", &["vale por todos"]);
    assert_share_refused("[::]:8080", &["vale por todos"]);
    assert_share_refused("224.0.0.1", &["de vários computadores"]);
    assert_share_refused("fe80::1", &["não consegue abrir"]);
    assert_share_refused("203.0.113.7", &["não tem este endereço"]);
    let other = std::net::TcpListener::bind("127.0.0.2:0").unwrap();
    assert_share_refused(
        &other.local_addr().unwrap().to_string(),
        &["outro programa já usa esta porta"],
    );
}

#[test]
fn invalid_file_is_named_with_its_line() {
    let home = TestHome::new();
    home.write_config("config.toml", "lang = 'en'\ntheem = 'dark'\n");
    assert_refuses(
        &home,
        &["demo"],
        &["config.toml", "line 2", "theem", "theme"],
    );
    home.write_config("config.toml", "[links]\nmessage = 'Oi! {link}'\n");
    assert_refuses(
        &home,
        &["demo"],
        &["config.toml", "linha 2", "{link}", "{descricao}", "{url}"],
    );
    home.write_config(
        "config.toml",
        "lang = 'pt-BR'\n[charges]\nmessage = '{valor}'\n",
    );
    assert_refuses(
        &home,
        &["demo"],
        &["config.toml", "linha 3", "[charges]", "{codigo}"],
    );
    home.write_config("config.toml", "[reminder]\nmessage = '{nota}'\n");
    assert_refuses(
        &home,
        &["demo"],
        &["config.toml", "linha 2", "[reminder]", "{url}"],
    );
    home.write_config("config.toml", "");
    home.write_config("keys.toml", "[lists]\nnwe = ['i']\n");
    assert_refuses(&home, &["demo"], &["keys.toml", "nwe"]);
    home.write_config("keys.toml", "[lists]\nnew = ['Ctrl-Banana']\n");
    assert_refuses(&home, &["demo"], &["keys.toml", "Ctrl-Banana"]);
    home.write_config("keys.toml", "[dialogs]\npress = ['Enter', 'Esc']\n");
    assert_refuses(
        &home,
        &["demo"],
        &["keys.toml, linha 2", "Esc", "press", "back"],
    );
    home.write_config("keys.toml", "[lists]\nup = ['k']\n\nnew = ['F9', 'k']\n");
    let twice = ["keys.toml, linhas 2 e 4", "k está em new e também em up"];
    assert_refuses(&home, &["demo"], &twice);
    home.write_config("keys.toml", "[lists]\n\nnew = ['k']\n");
    assert_refuses(&home, &["demo"], &["keys.toml, linha 3", "new", "up"]);
    home.write_config("keys.toml", "[lists\n");
    assert_refuses(&home, &["demo"], &["keys.toml", "line 1"]);
    home.write_config("keys.toml", "");
    std::fs::create_dir(home.config_dir().join("themes")).unwrap();
    home.write_config(
        "themes/blank.toml",
        "[dim]\ndim = true\n[text]\nfg = '#111111'\nbg = '16'\n",
    );
    let blank = ["--theme", "blank", "demo"];
    assert_refuses(
        &home,
        &blank,
        &["blank.toml, linha 3", "[text]", "#111111", "4.5"],
    );
    home.write_config("themes/blank.toml", "[dim]\n[text]\nfg = 'reddish'\n");
    let no_colour = ["blank.toml, linha 3", "“reddish” não é uma cor"];
    assert_refuses(&home, &blank, &no_colour);
    home.write_config("themes/blank.toml", "[dim]\n\n[texts]\n");
    assert_refuses(&home, &blank, &["blank.toml", "line 3", "texts"]);
    home.write_config("themes/blank.toml", "[text]\nfg = 'red'\nbg = '1'\n");
    assert_refuses(
        &home,
        &blank,
        &["blank.toml, linha 1", "[text]", "mesma cor"],
    );
    let story = home.home_dir().join("story.toml");
    std::fs::write(&story, "[[step]]\nfault = 'lose-anser'\n").unwrap();
    let story = story.to_str().unwrap();
    assert_refuses(
        &home,
        &["demo", "--script", story],
        &["story.toml", "line 2", "`lose-answer`"],
    );
}

#[test]
fn missing_terminal_error_names_input_or_output() {
    let home = TestHome::new();
    let output = run::run(&home, &["demo"]);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(
        stderr.contains("entrada padrão não é um terminal"),
        "{stderr}"
    );
    assert!(output.stdout.is_empty());

    let script = format!("{} demo | cat", env!("CARGO_BIN_EXE_balcao"));
    let shell = Launch::program("/bin/sh", &home).args(&["-c", &script]);
    let tui = shell.env("PATH", "/usr/bin:/bin").start();
    tui.wait_for("saída padrão não é um terminal");
    tui.wait_exit();
    assert_eq!(tui.active_modes(), Vec::<&str>::new());
}

#[test]
fn a_terminal_that_only_prints_lines_is_refused() {
    let home = TestHome::new();
    let tui = Launch::new(&home)
        .args(&["demo"])
        .env("TERM", "dumb")
        .start();
    assert_eq!(tui.wait_exit().exit_code(), 2);
    assert!(
        tui.text().replace('\n', " ").contains("TERM=dumb"),
        "{}",
        tui.text()
    );
    assert!(!tui.output_bytes().contains(&0x1b), "it is asked nothing");
}

#[test]
fn full_standard_output_is_reported_by_every_command() {
    let home = TestHome::new();
    home.write_config(
        "config.toml",
        "[profiles.loja]\nbase-url = 'https://api.example'\n",
    );
    for args in [
        &["--help"][..],
        &["-h"],
        &["--version"],
        &["help"],
        &["help", "journal"],
        &["links", "--help"],
        &["journal", "verify", "-h"],
        &["contract", "show"],
        &["doctor", "--json"],
    ] {
        let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = run::command(&home, args).stdout(full).output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {stderr}");
        assert!(
            stderr.starts_with("balcao: ") && stderr.contains("os error 28"),
            "{args:?}: {stderr}"
        );
    }
    // Nothing must be printed if the output is a pipe whose reader has closed it, because this is
    // not an error.
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let output = run::command(&home, &["--help"])
        .stdout(writer)
        .output()
        .unwrap();
    assert!(
        output.status.success() && output.stderr.is_empty(),
        "{output:?}"
    );
}

#[test]
fn demo_without_a_temporary_folder_names_the_variable() {
    let home = TestHome::new();
    for (lang, words) in [
        ("pt-BR", "precisa de uma pasta temporária"),
        ("en", "needs a temporary"),
    ] {
        let launch = Launch::new(&home)
            .args(&["demo", "--lang", lang])
            .size(100, 30);
        let tui = launch.env("TMPDIR", "/nonexistent").start();
        assert_eq!(tui.wait_exit().exit_code(), 2);
        let text = tui.text().replace('\n', " ");
        for part in [words, "/nonexistent", "TMPDIR"] {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert!(!text.contains("No such file"), "{text}");
    }
}
