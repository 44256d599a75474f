//! Tests of the test functions that run a program in a terminal. They run a shell instead of the
//! app.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};

use base64::prelude::{BASE64_STANDARD, Engine};

use super::support::in_play::{self, PASSWORD};
use super::support::place::TestHome;
use super::support::pty::{Launch, Tui};
use super::support::run;

fn shell(home: &TestHome, script: &str) -> Tui {
    Launch::program("/bin/sh", home)
        .env("PATH", "/usr/bin:/bin")
        .args(&["-c", script])
        .start()
}

/// Runs the body of a test. Returns its panic message, or an empty string if it does not panic.
fn panic_message(test: impl FnOnce(TestHome)) -> String {
    let result = catch_unwind(AssertUnwindSafe(|| test(TestHome::new())));
    let payload = result
        .err()
        .map(|payload| payload.downcast::<String>().map(|payload| *payload));
    payload.map_or_else(String::new, |payload| payload.expect("a text"))
}

#[test]
fn secret_in_any_leftover_file_fails_the_test() {
    in_play::register(PASSWORD);
    let harmless = |home: TestHome| fs::write(home.state_dir().join("a"), "nada").unwrap();
    assert_eq!(panic_message(harmless), "");
    let hex: String = PASSWORD.bytes().map(|byte| format!("{byte:02x}")).collect();
    let json = serde_json::to_string(PASSWORD).unwrap();
    for text in [
        PASSWORD.to_owned(),
        json,
        hex,
        BASE64_STANDARD.encode(format!("a{PASSWORD}")),
    ] {
        for folder in ["home", "config", "state", "run", "tmp", "bin"] {
            let message = panic_message(|home| {
                let folder = home.home_dir().with_file_name(folder).join("deep");
                fs::create_dir(&folder).unwrap();
                fs::write(folder.join("left"), format!("\0{text}\n")).unwrap();
            });
            assert!(
                message.contains(&format!("of a secret is in {folder}/deep/left")),
                "{message}"
            );
        }
    }
    // This directory belongs to the vault's helper command. In it, only files whose name begins
    // with `entry-` may contain the secret.
    let write_helper_file = |name: &'static str| {
        panic_message(|home| {
            fs::create_dir(home.home_dir().join("helper")).unwrap();
            fs::write(home.home_dir().join("helper").join(name), PASSWORD).unwrap();
        })
    };
    assert_eq!(write_helper_file("entry-1"), "");
    assert!(write_helper_file("seen").contains("of a secret is in home/helper/seen"));
}

#[test]
fn secret_in_program_output_fails_the_test() {
    in_play::register(PASSWORD);
    let store_secret =
        |home: &TestHome| fs::write(home.state_dir().join("kept"), PASSWORD).unwrap();
    let wait_until_ready = |tui: &Tui| tui.wait_for("ready");
    let message = panic_message(|home| {
        store_secret(&home);
        wait_until_ready(&shell(
            &home,
            "printf 'a\n b '; cat $BALCAO_STATE_DIR/kept; echo ' ready'; read x",
        ));
    });
    assert!(
        message.contains("a secret is in a row of its screen"),
        "{message}"
    );
    let message = panic_message(|home| {
        store_secret(&home);
        let script = "stty cols 16; fold -w 13 $BALCAO_STATE_DIR/kept; echo; echo ready; read x";
        wait_until_ready(&shell(&home, script));
    });
    assert!(
        message.contains("a secret is in a row of its screen"),
        "{message}"
    );
    let message = panic_message(|home| {
        store_secret(&home);
        let copy = "printf '\\033]52;c;%s\\007' $(base64 <$BALCAO_STATE_DIR/kept)";
        wait_until_ready(&shell(&home, &format!("{copy}; echo ready; read x")));
    });
    assert!(
        message.contains("a secret is in what it wrote"),
        "{message}"
    );
    let message = panic_message(|home| {
        let script = ["-c", "echo ready; read x", PASSWORD];
        wait_until_ready(&Launch::program("/bin/sh", &home).args(&script).start());
    });
    assert!(
        message.contains("a secret is in its arguments"),
        "{message}"
    );
    let message = panic_message(|home| {
        let shell = Launch::program("/bin/sh", &home).args(&["-c", "echo ready; read x"]);
        wait_until_ready(&shell.env("BALCAO_TOKEN", "a-token-of-its-own").start());
    });
    assert!(
        message.contains("a secret is in its environment"),
        "{message}"
    );
    for (descriptor, stream) in [("1", "its output"), ("2", "its errors")] {
        let message = panic_message(|home| {
            store_secret(&home);
            let script = format!("/bin/cat $BALCAO_STATE_DIR/kept >&{descriptor}");
            run::output(&mut run::program("/bin/sh", &home, &["-c", &script]));
        });
        assert!(
            message.contains(&format!("a secret is in {stream}")),
            "{message}"
        );
    }
}
