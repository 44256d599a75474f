//! Tests of the test functions that run a program in a terminal. They run a shell instead of the
//! app.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};

use base64::prelude::{BASE64_STANDARD, Engine};

use super::support::in_play::{self, PASSWORD};
use super::support::place::TestHome;
use super::support::pty::{Launch, Tui};
use super::support::run;

fn shell(place: &TestHome, script: &str) -> Tui {
    Launch::program("/bin/sh", place).env("PATH", "/usr/bin:/bin").args(&["-c", script]).start()
}

/// Runs the body of a test. Returns its panic message, or an empty string if it does not panic.
fn red(test: impl FnOnce(TestHome)) -> String {
    let ended = catch_unwind(AssertUnwindSafe(|| test(TestHome::new())));
    let why = ended.err().map(|why| why.downcast::<String>().map(|why| *why));
    why.map_or_else(String::new, |why| why.expect("a text"))
}

#[test]
fn secret_in_any_leftover_file_fails_the_test() {
    in_play::add(PASSWORD);
    let harmless = |place: TestHome| fs::write(place.state().join("a"), "nada").unwrap();
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
    // Only the files whose name begins with `entry-` may contain the secret in this directory,
    // which belongs to the vault's helper command.
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
fn secret_in_program_output_fails_the_test() {
    in_play::add(PASSWORD);
    let kept = |place: &TestHome| fs::write(place.state().join("kept"), PASSWORD).unwrap();
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
