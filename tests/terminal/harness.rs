//! The harness looked at itself, with a shell as the program.

use std::time::Duration;

use rustix::process::Signal;

use super::support::place::Place;
use super::support::pty::{Launch, Tui};

fn shell(place: &Place, script: &str) -> Tui {
    Launch::program("/bin/sh", place).env("PATH", "/usr/bin:/bin").args(&["-c", script]).start()
}

#[test]
fn what_is_typed_and_shown_is_seen_and_the_end_is_known() {
    let place = Place::new();
    let mut tui = shell(&place, "printf 'nome: '; read nome; printf 'olá, %s' $nome; exit 3");
    tui.wait_for("nome:");
    assert_eq!(tui.cursor(), Some((6, 0)));
    tui.type_text("Ana\r");
    assert_eq!(tui.wait_exit().exit_code(), 3);
    assert!(tui.text().contains("olá, Ana"), "{}", tui.text());
}

#[test]
fn the_environment_holds_nothing_of_the_persons_own() {
    let place = Place::new();
    let tui = shell(&place, "pwd; env | cut -d= -f1 | sort | tr '\\n' ' '");
    assert!(tui.wait_exit().success());
    let text = tui.text().replace('\n', " ");
    assert!(text.contains("BALCAO_CONFIG_DIR BALCAO_STATE_DIR HOME LANG"), "{text}");
    for not_ours in ["DBUS", "DISPLAY", "SSH", "TMUX", "CARGO"] {
        assert!(!text.contains(not_ours), "{not_ours}: {text}");
    }
}

#[test]
fn a_new_size_and_the_other_screen_are_seen() {
    let place = Place::new();
    let script = "trap 'stty size' WINCH; printf '\\033[?1049hready'; while :; do read x; done";
    let mut tui = shell(&place, script);
    tui.wait_for("ready");
    assert!(tui.is_alternate());
    tui.resize(132, 43);
    // Some shells run a trap only when their read returns.
    tui.type_text("\r");
    tui.wait_for("43 132");
    tui.kill();
    assert!(!tui.wait_exit().success());
}

#[test]
fn a_terminal_that_dies_hangs_up_and_presses_nothing() {
    let place = Place::new();
    let script = "trap 'echo hung > hung; exit 0' HUP; echo ready; \
                  while read line; do echo pressed > pressed; done; echo end > end";
    let mut tui = shell(&place, script);
    tui.wait_for("ready");
    tui.hang_up();
    tui.wait_exit_within(Duration::from_secs(3));
    let left = |name: &str| place.home().join(name).exists();
    assert!(left("hung") || left("end"));
    assert!(!left("pressed"));
}

#[test]
fn signals_arrive() {
    let place = Place::new();
    let tui =
        shell(&place, "trap 'echo termed; exit 7' TERM; echo ready; while :; do read x; done");
    tui.wait_for("ready");
    tui.signal(Signal::TERM);
    assert_eq!(tui.wait_exit().exit_code(), 7);
}

#[test]
fn a_signal_to_what_is_just_ending_is_none() {
    let place = Place::new();
    for _ in 0..20 {
        let tui = Launch::program("/bin/true", &place).start();
        while !tui.has_ended() {
            tui.signal(Signal::CONT);
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn who_sleeps_and_who_spins_is_told_apart() {
    let place = Place::new();
    let asleep = shell(&place, "echo ready; read x");
    asleep.wait_for("ready");
    asleep.wait_asleep(Duration::from_millis(300));
    let restless = shell(&place, "echo ready; while :; do sleep 0.1; echo again; done");
    restless.wait_for("ready");
    restless.wait_awake(Duration::from_secs(1));
    let busy = shell(&place, "echo ready; while :; do :; done");
    busy.wait_for("ready");
    let before = busy.ticks();
    let has_spun = |_| {
        busy.look_on(Duration::from_millis(100));
        busy.ticks() > before
    };
    assert!((0..100).any(has_spun));
}
