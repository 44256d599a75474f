//! Tests that the terminal is restored, however the app exits.

use std::time::Duration;

use balcao::journal::history::History;
use balcao::trade::{LinkRequest, Wall};
use rustix::process::Signal;

use super::seller::{create_link, paste_jwt, start_demo, start_logged_in};
use super::support::bank::Bank;
use super::support::place::TestHome;
use super::support::pty::{Launch, Tui};
use super::support::run::run_json_lines;

/// The maximum time from the request to exit until the app has exited.
const EXIT_LIMIT: Duration = Duration::from_secs(3);

#[track_caller]
fn assert_terminal_restored(tui: &Tui) {
    assert_eq!(tui.active_modes(), Vec::<&str>::new());
    assert!(!tui.text().contains("SANDBOX"), "{}", tui.text());
}

#[test]
fn quit_key_restores_the_terminal() {
    let home = TestHome::new();
    let mut tui = start_demo(&home);
    tui.wait_until("the cursor to go", |screen| screen.hide_cursor());
    assert_eq!(
        tui.active_modes(),
        [
            "the other screen",
            "no cursor",
            "marked pastes",
            "the mouse",
            "focus reports"
        ]
    );
    tui.press("q");
    assert!(tui.wait_exit_within(EXIT_LIMIT).success());
    assert_terminal_restored(&tui);
    assert_eq!(
        tui.text().trim(),
        "",
        "a program that ends well says nothing"
    );
}

#[test]
fn ctrl_c_leaves_from_every_layer() {
    let home = TestHome::new();
    let tui = &mut Launch::new(&home).args(&["demo"]).start();
    tui.wait_for("[ Entrar ]");
    tui.press("\x03");
    assert!(tui.wait_exit_within(EXIT_LIMIT).success());
    assert_terminal_restored(tui);
    let mut tui = start_demo(&home);
    tui.press("n");
    tui.wait_for("Novo link de pagamento");
    tui.press("\x03");
    assert!(tui.wait_exit_within(EXIT_LIMIT).success());
    assert_terminal_restored(&tui);
}

#[test]
fn signal_restores_the_terminal() {
    for signal in [Signal::TERM, Signal::HUP, Signal::INT, Signal::QUIT] {
        let home = TestHome::new();
        let tui = start_demo(&home);
        tui.signal(signal);
        let status = tui.wait_exit_within(EXIT_LIMIT);
        assert!(status.success(), "{signal:?}: {status:?}");
        assert_terminal_restored(&tui);
    }
}

#[test]
fn signal_at_login_restores_the_terminal() {
    let home = TestHome::new();
    let tui = Launch::new(&home).args(&["demo"]).start();
    tui.wait_for("[ Entrar ]");
    tui.signal(Signal::TERM);
    assert!(tui.wait_exit_within(EXIT_LIMIT).success());
    assert_terminal_restored(&tui);
}

#[test]
fn demo_leaves_no_files() {
    let home = TestHome::new();
    let temporary = home.home_dir().with_file_name("tmp");
    let mut tui = start_demo(&home);
    create_link(&mut tui, "Bolo");
    assert_eq!(std::fs::read_dir(&temporary).unwrap().count(), 1);
    tui.press("\x0b");
    tui.type_text("recomeçar");
    tui.wait_for("recomeçar do zero");
    tui.press("\r");
    tui.wait_for("Tudo novo");
    tui.press("q");
    assert!(tui.wait_exit_within(EXIT_LIMIT).success());
    assert_eq!(std::fs::read_dir(&temporary).unwrap().count(), 0);
    assert_eq!(std::fs::read_dir(home.state_dir()).unwrap().count(), 0);
}

#[cfg(target_os = "linux")]
#[test]
fn closed_terminal_ends_the_app_without_spinning() {
    let home = TestHome::new();
    let mut tui = start_demo(&home);
    let before = tui.cpu_ticks();
    tui.hang_up();
    tui.assert_clean_exit(before, EXIT_LIMIT);
}

#[cfg(target_os = "linux")]
#[test]
fn closed_terminal_during_typing_ends_the_app() {
    let home = TestHome::new();
    let mut tui = start_demo(&home);
    tui.press("n");
    tui.wait_for("Novo link de pagamento");
    tui.type_text("49,90\tBolo");
    let before = tui.cpu_ticks();
    tui.hang_up();
    tui.assert_clean_exit(before, EXIT_LIMIT);
}

#[cfg(target_os = "linux")]
#[test]
fn stop_restores_terminal_and_continue_retakes_it() {
    let home = TestHome::new();
    let mut tui = start_demo(&home);
    let modes = [
        "the other screen",
        "no cursor",
        "marked pastes",
        "the mouse",
        "focus reports",
    ];
    for signal in [Signal::TSTP, Signal::STOP] {
        tui.wait_for("Doces para festa");
        tui.signal(signal);
        if signal == Signal::TSTP {
            tui.wait_until("the screen to go", |screen| !screen.alternate_screen());
            assert_terminal_restored(&tui);
        }
        tui.wait_stopped();
        let before = tui.output_bytes().len();
        tui.signal(Signal::CONT);
        tui.wait_until("the screen to come back", |screen| {
            screen.alternate_screen()
        });
        tui.wait_for("Doces para festa");
        tui.wait_until("the cursor to go", |screen| screen.hide_cursor());
        let is_drawn =
            |written: &[u8]| String::from_utf8_lossy(written).contains("Doces para festa");
        // The whole screen must be drawn again, because other programs may have written to the
        // terminal while the app was stopped.
        tui.wait_for_output("all of the screen", |written| is_drawn(&written[before..]));
        assert_eq!(tui.active_modes(), modes);
    }
    tui.press("2");
    tui.wait_for("loja-da-ana.localhost");
    tui.signal(Signal::TSTP);
    tui.wait_stopped();
    tui.signal(Signal::TERM);
    tui.signal(Signal::CONT);
    assert!(tui.wait_exit_within(EXIT_LIMIT).success());
    assert_terminal_restored(&tui);
}

/// Asserts that `history.db` and `requests.db` contain all data: a copy of the former without
/// SQLite's other files has a payment link, and the other files do not exist.
fn assert_databases_closed(home: &TestHome) {
    let journal = home.state_dir().join("journal");
    let copy = tempfile::tempdir().unwrap();
    std::fs::copy(journal.join("history.db"), copy.path().join("history.db")).unwrap();
    let history = History::open_if_any(copy.path(), Wall(0))
        .unwrap()
        .expect("a history");
    assert_eq!(history.all::<LinkRequest>().count(), 1);
    for name in ["history.db", "requests/requests.db"] {
        assert!(journal.join(name).exists(), "{name}");
        for suffix in ["-wal", "-shm"] {
            let name = format!("{name}{suffix}");
            assert!(!journal.join(&name).exists(), "{name} is left");
        }
    }
}

#[test]
fn left_app_has_all_data_in_its_database_files() {
    let ways_out: [&dyn Fn(&mut Tui); 4] = [
        &|tui| {
            tui.press("q");
            tui.wait_for("1 link");
            tui.press("q");
        },
        &|tui| tui.press("\x03"),
        &|tui| tui.signal(Signal::TERM),
        &|tui| tui.signal(Signal::HUP),
    ];
    let bank = Bank::open();
    for leave in ways_out {
        let home = TestHome::new();
        let mut tui = start_logged_in(&home, &bank);
        paste_jwt(&mut tui, &bank);
        create_link(&mut tui, "Bolo");
        leave(&mut tui);
        assert!(tui.wait_exit_within(EXIT_LIMIT).success());
        assert_databases_closed(&home);
    }
}

#[test]
fn killed_app_keeps_its_links_for_the_next_start() {
    let home = TestHome::new();
    let bank = Bank::open();
    let mut tui = start_logged_in(&home, &bank);
    paste_jwt(&mut tui, &bank);
    create_link(&mut tui, "Bolo");
    tui.kill();
    tui.wait_exit();
    let args = ["--base-url", &bank.url(), "links", "list", "--json"];
    let journal = home.state_dir().join("journal");
    // Even without SQLite's write-ahead log, nothing is missing.
    std::fs::remove_file(journal.join("history.db-wal")).unwrap();
    std::fs::remove_file(journal.join("history.db-shm")).unwrap();
    let links = run_json_lines(&home, &args);
    assert_eq!(links[0]["description"], "Bolo", "{links:?}");
}

/// A shell with job control, as the seller has, stops the app and continues it. A terminal without
/// a shell could not continue it.
#[test]
fn ctrl_z_returns_to_the_shell_and_fg_continues() {
    let home = TestHome::new();
    let balcao = env!("CARGO_BIN_EXE_balcao");
    let script = format!("'{balcao}' demo; echo no shell; read line; fg");
    let mut tui = Launch::program("/bin/sh", &home)
        .args(&["-m", "-c", &script])
        .start();
    tui.wait_for("[ Entrar ]");
    tui.press("\x1a");
    tui.wait_for("no shell");
    assert_terminal_restored(&tui);
    tui.press("\r");
    tui.wait_for("[ Entrar ]");
    tui.press("\x03");
    assert!(tui.wait_exit_within(EXIT_LIMIT).success());
    let mut tui = Launch::new(&home).args(&["demo"]).start();
    tui.wait_for("[ Entrar ]");
    tui.press("\x1a");
    tui.wait_for("não suspende");
    tui.press("\x03");
    assert!(tui.wait_exit_within(EXIT_LIMIT).success());
}
