//! Tests of unexpected bytes from the terminal: replies to the queries of another program, and
//! pastes that do not end.

use std::time::Duration;

use super::seller::log_in_to_demo;
use super::support::place::TestHome;
use super::support::pty::{Launch, Tui};

/// A time that is longer than the app waits for the rest of a terminal's reply.
const LONGER_THAN_REPLY_TIMEOUT: Duration = Duration::from_millis(1_200);

/// Replies to the queries of another program. Most of the letters in them are also key bindings of
/// the app.
const REPLIES: [&str; 5] = [
    "\x1b]11;rgb:1d1d/1f1f/2121\x07",
    "\x1b]52;c;bnExMjM0NTY=\x1b\\",
    "\x1bP>|qn1(390)\x1b\\",
    "\x1b_Gi=31;OK\x1b\\",
    "\x1b[?62;22c",
];

/// Starts the demo in a terminal that answers no query, because these tests type the answers
/// themselves.
fn start_demo(home: &TestHome) -> Tui {
    log_in_to_demo(Launch::new(home).args(&["demo"]).without_replies().start())
}

/// Switches to another pane and back. Afterwards, the program has handled all earlier input.
#[track_caller]
fn switch_panes_and_back(tui: &mut Tui) {
    tui.press("2");
    tui.wait_for("loja-da-ana.localhost");
    tui.press("1");
    tui.wait_for("Doces para festa");
}

/// Returns the rows of the screen without the notice, because the notice disappears by itself.
fn rows_without_notice(screen: &str) -> Vec<String> {
    let lines = screen.lines().map(str::to_owned).collect::<Vec<_>>();
    let notice_row = lines.len() - 2;
    lines
        .into_iter()
        .enumerate()
        .filter(|(at, _)| *at != notice_row)
        .map(|(_, line)| line)
        .collect()
}

#[test]
fn late_or_split_reply_presses_no_key() {
    let home = TestHome::new();
    let mut tui = start_demo(&home);
    tui.wait_for("Doces para festa");
    for reply in REPLIES {
        tui.type_text(reply);
    }
    switch_panes_and_back(&mut tui);
    // Wait until the screen is complete, because the test compares it below.
    tui.run_for(LONGER_THAN_REPLY_TIMEOUT);
    let before = rows_without_notice(&tui.text());
    for reply in REPLIES {
        let (head, tail) = reply.split_at(reply.len() / 2);
        tui.type_text(head);
        tui.run_for(LONGER_THAN_REPLY_TIMEOUT);
        tui.type_text(tail);
        switch_panes_and_back(&mut tui);
        let what = format!("the same lists after {}", reply.escape_debug());
        tui.wait_until(&what, |screen| {
            rows_without_notice(&screen.contents()) == before
        });
    }
    tui.type_text("\x1b]11;rgb:");
    tui.quit();
}

#[test]
fn reply_is_not_added_to_a_password() {
    let home = TestHome::new();
    let bank = super::support::bank::Bank::open();
    let mut tui = Launch::new(&home)
        .args(&["--base-url", &bank.url(), "--vault", "memory"])
        .without_replies()
        .start();
    let (email, password) = bank.credentials();
    tui.wait_for("E-mail");
    tui.type_text(&format!("{email}\t"));
    let (head, tail) = password.split_at(3);
    tui.type_text(head);
    tui.wait_for("•••");
    for reply in REPLIES {
        tui.type_text(reply);
    }
    tui.type_text(tail);
    tui.press("\x13");
    tui.wait_for("Você entrou na conta.");
}

/// An unterminated paste must use little memory, even if it has 64 MB, and Ctrl-C must still quit.
#[cfg(target_os = "linux")]
#[test]
fn endless_paste_uses_no_memory_and_ctrl_c_quits() {
    let home = TestHome::new();
    let mut tui = start_demo(&home);
    tui.press("n");
    tui.wait_for("Novo link de pagamento");
    let before = tui.peak_memory();
    tui.type_text("\x1b[200~");
    let chunk = "q\rn1".repeat(256 * 1024);
    for _ in 0..64 {
        tui.type_text(&chunk);
    }
    // Wait as long as a person would between a paste and the next key press.
    tui.run_for(Duration::from_millis(200));
    let growth = tui.peak_memory() - before;
    assert!(growth < 4 * 1024 * 1024, "{growth} bytes");
    assert!(!tui.has_exited());
    tui.quit();
}

#[test]
fn keys_work_again_after_an_unterminated_paste() {
    let home = TestHome::new();
    let mut tui = start_demo(&home);
    tui.press("n");
    tui.wait_for("Novo link de pagamento");
    tui.type_text("\x1b[200~q\rn");
    // Wait until the app no longer waits for the end of the paste.
    tui.run_for(Duration::from_millis(2_500));
    tui.type_text("4");
    tui.wait_for("R$ 0,04");
    tui.type_text("\t");
    tui.paste("Bolo de rolo");
    tui.wait_for("Bolo de rolo");
    tui.press("\x03");
    // The first Ctrl-C only warns, because quitting discards the form. The second Ctrl-C quits.
    tui.wait_for("também sai");
    tui.quit();
}
