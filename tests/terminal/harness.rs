//! The harness looked at itself, with a shell as the program.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use base64::prelude::{BASE64_STANDARD, Engine};
use rustix::process::Signal;

use super::support::in_play::{self, PASSWORD};
use super::support::place::Place;
use super::support::pty::{Launch, Tui};
use super::support::run;

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

/// Why a test that does this ends red, if it does.
fn red(test: impl FnOnce(Place)) -> String {
    let ended = catch_unwind(AssertUnwindSafe(|| test(Place::new())));
    let why = ended.err().map(|why| why.downcast::<String>().map(|why| *why));
    why.map_or_else(String::new, |why| why.expect("a text"))
}

#[test]
fn a_secret_in_any_file_that_a_test_leaves_behind_makes_it_red() {
    in_play::add(PASSWORD);
    let harmless = |place: Place| fs::write(place.state().join("a"), "nada").unwrap();
    assert_eq!(red(harmless), "");
    let hex: String = PASSWORD.bytes().map(|byte| format!("{byte:02x}")).collect();
    let json = serde_json::to_string(PASSWORD).unwrap();
    for text in [PASSWORD.to_owned(), json, hex, BASE64_STANDARD.encode(format!("a{PASSWORD}"))] {
        for folder in ["home", "config", "state", "run", "tmp", "bin"] {
            let why = red(|place| {
                let folder = place.home().with_file_name(folder).join("deep");
                fs::create_dir(&folder).unwrap();
                fs::write(folder.join("left"), format!("\0{text}\n")).unwrap();
            });
            assert!(why.contains(&format!("of a secret is in {folder}/deep/left")), "{why}");
        }
    }
    // The one place where it must be, and a name like it.
    let entry = |name: &'static str| {
        red(|place| {
            fs::create_dir(place.home().join("helper")).unwrap();
            fs::write(place.home().join("helper").join(name), PASSWORD).unwrap();
        })
    };
    assert_eq!(entry("entry-1"), "");
    assert!(entry("seen").contains("of a secret is in home/helper/seen"));
}

#[test]
fn a_secret_that_a_program_shows_to_anybody_makes_its_test_red() {
    in_play::add(PASSWORD);
    let kept = |place: &Place| fs::write(place.state().join("kept"), PASSWORD).unwrap();
    let ready = |tui: &Tui| tui.wait_for("ready");
    let shown = red(|place| {
        kept(&place);
        ready(&shell(&place, "printf 'a\n b '; cat $BALCAO_STATE_DIR/kept; echo ' ready'; read x"));
    });
    assert!(shown.contains("a secret is in a row of its screen"), "{shown}");
    let cut = red(|place| {
        kept(&place);
        let script = "stty cols 16; fold -w 13 $BALCAO_STATE_DIR/kept; echo; echo ready; read x";
        ready(&shell(&place, script));
    });
    assert!(cut.contains("a secret is in a row of its screen"), "{cut}");
    let copied = red(|place| {
        kept(&place);
        let copy = "printf '\\033]52;c;%s\\007' $(base64 <$BALCAO_STATE_DIR/kept)";
        ready(&shell(&place, &format!("{copy}; echo ready; read x")));
    });
    assert!(copied.contains("a secret is in what it wrote"), "{copied}");
    let named = red(|place| {
        let script = ["-c", "echo ready; read x", PASSWORD];
        ready(&Launch::program("/bin/sh", &place).args(&script).start());
    });
    assert!(named.contains("a secret is in its arguments"), "{named}");
    let inherited = red(|place| {
        let shell = Launch::program("/bin/sh", &place).args(&["-c", "echo ready; read x"]);
        ready(&shell.env("BALCAO_TOKEN", "a-token-of-its-own").start());
    });
    assert!(inherited.contains("a secret is in its environment"), "{inherited}");
    for (to, what) in [("1", "its output"), ("2", "its errors")] {
        let printed = red(|place| {
            kept(&place);
            let script = format!("/bin/cat $BALCAO_STATE_DIR/kept >&{to}");
            run::output(&mut run::program("/bin/sh", &place, &["-c", &script]));
        });
        assert!(printed.contains(&format!("a secret is in {what}")), "{printed}");
    }
}
