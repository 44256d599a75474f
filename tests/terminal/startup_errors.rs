//! Tests of errors at startup. Each error is explained in plain text without the alternate screen,
//! and the exit code is 2.

use std::fs::OpenOptions;

use super::support::place::TestHome;
use super::support::pty::Launch;
use super::support::run;
use super::support::run::run;

/// Starts the app in a terminal. The app must print these words and exit with code 2.
#[track_caller]
fn refuses(place: &TestHome, args: &[&str], says: &[&str]) {
    let tui = Launch::new(place).args(args).size(100, 30).start();
    let status = tui.wait_exit();
    // Join the rows, because the terminal may have wrapped the text.
    let text = tui.text().replace('\n', " ");
    assert_eq!(status.exit_code(), 2, "{args:?}: {text}");
    for word in says {
        assert!(text.contains(word), "{args:?} says {word:?}: {text}");
    }
    let took_over = String::from_utf8_lossy(&tui.written()).contains("\x1b[?1049h");
    assert!(!took_over, "{args:?} touched the screen");
}

#[test]
fn without_an_address_both_ways_out_are_named() {
    let place = TestHome::new();
    // The setup does not open in these two cases: the first command names a profile without an
    // address, and the second command does not run in a terminal.
    refuses(&place, &["--profile", "default"], &["--base-url", "config.toml", "balcao demo"]);
    let piped = run(&place, &[]);
    let said = String::from_utf8_lossy(&piped.stderr).into_owned();
    assert!(!piped.status.success() && said.contains("--base-url"), "{said}");
}

#[test]
fn unshareable_address_is_refused_with_a_way_out() {
    let place = TestHome::new();
    let share = |address: &str, says: &[&str]| {
        let named = format!("--share {address}:");
        let says = [&[&*named], says].concat();
        refuses(&place, &["demo", "--share", address], &says);
    };
    share("loja.example", &["não é um endereço IP", "192.168.0.10:8080"]);
    share("0.0.0.0", &["vale por todos"]);
    share("[::]:8080", &["vale por todos"]);
    share("224.0.0.1", &["de vários computadores"]);
    share("fe80::1", &["não consegue abrir"]);
    share("203.0.113.7", &["não tem este endereço"]);
    let other = std::net::TcpListener::bind("127.0.0.2:0").unwrap();
    share(&other.local_addr().unwrap().to_string(), &["outro programa já usa esta porta"]);
}

#[test]
fn a_wrong_file_is_named_with_its_line() {
    let place = TestHome::new();
    place.configure("config.toml", "lang = 'en'\ntheem = 'dark'\n");
    refuses(&place, &["demo"], &["config.toml", "line 2", "theem", "theme"]);
    place.configure("config.toml", "[links]\nmessage = 'Oi! {link}'\n");
    refuses(&place, &["demo"], &["config.toml", "linha 2", "{link}", "{descricao}", "{url}"]);
    place.configure("config.toml", "lang = 'pt-BR'\n[charges]\nmessage = '{valor}'\n");
    refuses(&place, &["demo"], &["config.toml", "linha 3", "[charges]", "{codigo}"]);
    place.configure("config.toml", "");
    place.configure("keys.toml", "[lists]\nnwe = ['i']\n");
    refuses(&place, &["demo"], &["keys.toml", "nwe"]);
    place.configure("keys.toml", "[lists]\nnew = ['Ctrl-Banana']\n");
    refuses(&place, &["demo"], &["keys.toml", "Ctrl-Banana"]);
    place.configure("keys.toml", "[dialogs]\npress = ['Enter', 'Esc']\n");
    refuses(&place, &["demo"], &["keys.toml, linha 2", "Esc", "press", "back"]);
    place.configure("keys.toml", "[lists\n");
    refuses(&place, &["demo"], &["keys.toml", "line 1"]);
    place.configure("keys.toml", "");
    std::fs::create_dir(place.config().join("themes")).unwrap();
    place.configure("themes/blank.toml", "[dim]\ndim = true\n[text]\nfg = '#111111'\nbg = '16'\n");
    let blank = ["--theme", "blank", "demo"];
    refuses(&place, &blank, &["blank.toml, linha 3", "[text]", "#111111", "4.5"]);
    place.configure("themes/blank.toml", "[text]\nfg = 'red'\nbg = '1'\n");
    refuses(&place, &blank, &["blank.toml, linha 1", "[text]", "mesma cor"]);
    let story = place.home().join("story.toml");
    std::fs::write(&story, "[[step]]\nfault = 'lose-anser'\n").unwrap();
    let story = story.to_str().unwrap();
    refuses(&place, &["demo", "--script", story], &["story.toml", "line 2", "`lose-answer`"]);
}

#[test]
fn without_a_terminal_it_says_which_end_is_missing() {
    let place = TestHome::new();
    let output = run::run(&place, &["demo"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("entrada padrão não é um terminal"), "{said}");
    assert!(output.stdout.is_empty());

    let script = format!("{} demo | cat", env!("CARGO_BIN_EXE_balcao"));
    let shell = Launch::program("/bin/sh", &place).args(&["-c", &script]);
    let tui = shell.env("PATH", "/usr/bin:/bin").start();
    tui.wait_for("saída padrão não é um terminal");
    tui.wait_exit();
    assert_eq!(tui.still_asked(), Vec::<&str>::new());
}

#[test]
fn a_terminal_that_only_prints_lines_is_refused() {
    let place = TestHome::new();
    let tui = Launch::new(&place).args(&["demo"]).env("TERM", "dumb").start();
    assert_eq!(tui.wait_exit().exit_code(), 2);
    assert!(tui.text().replace('\n', " ").contains("TERM=dumb"), "{}", tui.text());
    assert!(!tui.written().contains(&0x1b), "it is asked nothing");
}

#[test]
fn full_standard_output_is_reported_by_every_command() {
    let place = TestHome::new();
    place.configure("config.toml", "[profiles.loja]\nbase-url = 'https://api.example'\n");
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
        let output = run::command(&place, args).stdout(full).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {said}");
        assert!(said.starts_with("balcao: ") && said.contains("os error 28"), "{args:?}: {said}");
    }
    // Nothing must be printed if the output is a pipe whose reader has closed it, because this is
    // not an error.
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let output = run::command(&place, &["--help"]).stdout(writer).output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
}

#[test]
fn demo_without_a_temporary_folder_names_the_variable() {
    let place = TestHome::new();
    for (lang, words) in [("pt-BR", "precisa de uma pasta temporária"), ("en", "needs a temporary")]
    {
        let launch = Launch::new(&place).args(&["demo", "--lang", lang]).size(100, 30);
        let tui = launch.env("TMPDIR", "/nonexistent").start();
        assert_eq!(tui.wait_exit().exit_code(), 2);
        let text = tui.text().replace('\n', " ");
        for part in [words, "/nonexistent", "TMPDIR"] {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert!(!text.contains("No such file"), "{text}");
    }
}
