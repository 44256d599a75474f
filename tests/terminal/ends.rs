//! Tests that the terminal is restored, however the app exits.

use std::time::Duration;

use rustix::process::Signal;

use super::seller::demo;
use super::support::place::TestHome;
use super::support::pty::{Launch, Tui};

/// The maximum time from the request to exit until the app has exited.
const SOON: Duration = Duration::from_secs(3);

#[track_caller]
fn gives_the_terminal_back(tui: &Tui) {
    assert_eq!(tui.still_asked(), Vec::<&str>::new());
    assert!(!tui.text().contains("SANDBOX"), "{}", tui.text());
}

#[test]
fn the_terminal_is_taken_over_and_given_back() {
    let place = TestHome::new();
    let mut tui = demo(&place);
    tui.wait_until("the cursor to go", |screen| screen.hide_cursor());
    assert_eq!(tui.still_asked(), ["the other screen", "no cursor", "marked pastes", "the mouse"]);
    tui.press("q");
    assert!(tui.wait_exit_within(SOON).success());
    gives_the_terminal_back(&tui);
    assert_eq!(tui.text().trim(), "", "a program that ends well says nothing");
}

#[test]
fn ctrl_c_leaves_from_every_layer() {
    let place = TestHome::new();
    let tui = &mut Launch::new(&place).args(&["demo"]).start();
    tui.wait_for("[ Entrar ]");
    tui.press("\x03");
    assert!(tui.wait_exit_within(SOON).success());
    gives_the_terminal_back(tui);
    let mut tui = demo(&place);
    tui.press("n");
    tui.wait_for("Novo link de pagamento");
    tui.press("\x03");
    assert!(tui.wait_exit_within(SOON).success());
    gives_the_terminal_back(&tui);
}

#[test]
fn signals_end_it_and_the_terminal_is_given_back() {
    for signal in [Signal::TERM, Signal::HUP, Signal::INT, Signal::QUIT] {
        let place = TestHome::new();
        let tui = demo(&place);
        tui.signal(signal);
        let status = tui.wait_exit_within(SOON);
        assert!(status.success(), "{signal:?}: {status:?}");
        gives_the_terminal_back(&tui);
    }
}

#[test]
fn a_signal_at_the_login_ends_it_too() {
    let place = TestHome::new();
    let tui = Launch::new(&place).args(&["demo"]).start();
    tui.wait_for("[ Entrar ]");
    tui.signal(Signal::TERM);
    assert!(tui.wait_exit_within(SOON).success());
    gives_the_terminal_back(&tui);
}

#[test]
fn the_demo_leaves_nothing_behind() {
    let place = TestHome::new();
    let temporary = place.home().with_file_name("tmp");
    let mut tui = demo(&place);
    super::seller::make_link(&mut tui, "Bolo");
    assert_eq!(std::fs::read_dir(&temporary).unwrap().count(), 1);
    tui.press("\x0b");
    tui.type_text("recomeçar");
    tui.wait_for("recomeçar do zero");
    tui.press("\r");
    tui.wait_for("Tudo novo");
    tui.press("q");
    assert!(tui.wait_exit_within(SOON).success());
    assert_eq!(std::fs::read_dir(&temporary).unwrap().count(), 0);
    assert_eq!(std::fs::read_dir(place.state()).unwrap().count(), 0);
}

#[cfg(target_os = "linux")]
#[test]
fn a_closed_terminal_ends_it_without_spinning() {
    let place = TestHome::new();
    let mut tui = demo(&place);
    let before = tui.ticks();
    tui.hang_up();
    tui.expect_quiet_exit(before, SOON);
}

#[cfg(target_os = "linux")]
#[test]
fn a_terminal_closed_during_typing_ends_it() {
    let place = TestHome::new();
    let mut tui = demo(&place);
    tui.press("n");
    tui.wait_for("Novo link de pagamento");
    tui.type_text("49,90\tBolo");
    let before = tui.ticks();
    tui.hang_up();
    tui.expect_quiet_exit(before, SOON);
}

#[cfg(target_os = "linux")]
#[test]
fn stop_restores_terminal_and_continue_retakes_it() {
    let place = TestHome::new();
    let mut tui = demo(&place);
    let asked = ["the other screen", "no cursor", "marked pastes", "the mouse"];
    for signal in [Signal::TSTP, Signal::STOP] {
        tui.wait_for("Doces para festa");
        tui.signal(signal);
        if signal == Signal::TSTP {
            tui.wait_until("the screen to go", |screen| !screen.alternate_screen());
            gives_the_terminal_back(&tui);
        }
        tui.wait_stopped();
        let before = tui.written().len();
        tui.signal(Signal::CONT);
        tui.wait_until("the screen to come back", |screen| screen.alternate_screen());
        tui.wait_for("Doces para festa");
        tui.wait_until("the cursor to go", |screen| screen.hide_cursor());
        let is_drawn =
            |written: &[u8]| String::from_utf8_lossy(written).contains("Doces para festa");
        // The whole screen must be drawn again, because other programs may have written to the
        // terminal while the app was stopped.
        tui.wait_written("all of the screen", |written| is_drawn(&written[before..]));
        assert_eq!(tui.still_asked(), asked);
    }
    tui.press("2");
    tui.wait_for("loja-da-ana.localhost");
    tui.signal(Signal::TSTP);
    tui.wait_stopped();
    tui.signal(Signal::TERM);
    tui.signal(Signal::CONT);
    assert!(tui.wait_exit_within(SOON).success());
    gives_the_terminal_back(&tui);
}
