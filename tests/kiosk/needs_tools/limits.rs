//! Tests the kiosk's limit on typed input, which a visitor can reach quickly. Other limits take
//! longer to reach.

use std::time::Duration;

use rustix::process::getuid;

use crate::seller::log_in_to_demo;
use crate::sshd::{Sshd, has_sshd, kiosk_directory};
use crate::support::place::TestHome;
use crate::support::pty::Launch;
use crate::support::tools::skip_unless;

/// The maximum number of bytes that a visitor may type.
const MAX_TYPED_BYTES: usize = 1 << 20;

/// Returns a paste of this many letters, without the escape sequence that ends a paste.
fn unfinished_paste(bytes: usize) -> String {
    format!("\x1b[200~{}", "x".repeat(bytes))
}

#[test]
fn endless_paste_ends_kiosk_with_a_sentence() {
    if !has_sshd() {
        return;
    }
    let (sshd, home) = (Sshd::start(), TestHome::new());
    let mut tui = log_in_to_demo(sshd.ssh(&home, &[]).start());
    tui.try_type(&unfinished_paste(MAX_TYPED_BYTES + 1));
    tui.wait_for("recebeu texto demais");
    assert!(tui.wait_exit().success());
    assert_eq!(tui.active_modes(), Vec::<&str>::new());
}

#[test]
fn blocked_write_does_not_stop_a_limit() {
    if !skip_unless(getuid().is_root(), "root") {
        return;
    }
    // Try again if the kiosk noticed the limit just before its write blocked, because it then quits
    // by itself.
    assert!((0..4).any(|_| exit_code_while_blocked() == 1));
}

/// Makes a kiosk reach a limit while nothing reads its terminal. Returns the kiosk's exit code.
fn exit_code_while_blocked() -> u32 {
    let home = TestHome::new();
    // Start a terminal that answers no query. Otherwise, the kiosk would wait for answers instead
    // of blocking in a write.
    let mut tui =
        log_in_to_demo(Launch::new(&home).args(&["demo", "--kiosk"]).without_replies().start());
    tui.stop_reading();
    // The first keys after the paste reach the limit. The frames that they cause fill the
    // terminal's buffer.
    let keys = "123456".repeat(20_000);
    tui.type_in_background(format!("{}\x1b[201~{keys}", unfinished_paste(MAX_TYPED_BYTES - 20)));
    let folder = kiosk_directory(tui.process_id());
    let exit = tui.wait_exit_within(Duration::from_secs(30));
    assert!(!folder.exists());
    exit.exit_code()
}
