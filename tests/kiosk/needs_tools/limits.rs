//! Tests the kiosk's limit on typed input, which a visitor can reach quickly. Other limits take
//! longer to reach.

use std::time::Duration;

use rustix::process::getuid;

use crate::seller::logged_in;
use crate::sshd::{Sshd, directory, has_sshd};
use crate::support::place::TestHome;
use crate::support::pty::Launch;
use crate::support::tools::needs_that;

/// The maximum number of bytes that a visitor may type.
const TYPED: usize = 1 << 20;

/// Returns the bytes of a paste without the sequence that ends it.
fn paste(bytes: usize) -> String {
    format!("\x1b[200~{}", "x".repeat(bytes))
}

#[test]
fn endless_paste_ends_kiosk_with_a_sentence() {
    if !has_sshd() {
        return;
    }
    let (sshd, place) = (Sshd::start(), TestHome::new());
    let mut tui = logged_in(sshd.ssh(&place, &[]).start());
    tui.try_type(&paste(TYPED + 1));
    tui.wait_for("recebeu texto demais");
    assert!(tui.wait_exit().success());
    assert_eq!(tui.still_asked(), Vec::<&str>::new());
}

#[test]
fn blocked_write_does_not_stop_a_limit() {
    if !needs_that(getuid().is_root(), "root") {
        return;
    }
    // Try again if the kiosk noticed the limit just before its write blocked, because it then quits
    // by itself.
    assert!((0..4).any(|_| ended_while_blocked() == 1));
}

/// Makes a kiosk reach a limit while nothing reads its terminal. Returns the kiosk's exit status.
fn ended_while_blocked() -> u32 {
    let place = TestHome::new();
    // Start a terminal that answers no query. Otherwise, the kiosk would wait for answers instead
    // of blocking in a write.
    let mut tui = logged_in(Launch::new(&place).args(&["demo", "--kiosk"]).mute().start());
    tui.stop_reading();
    // The first keys after the paste reach the limit. The frames that they cause fill the
    // terminal's buffer.
    let keys = "123456".repeat(20_000);
    tui.type_unread(format!("{}\x1b[201~{keys}", paste(TYPED - 20)));
    let folder = directory(tui.process());
    let exit = tui.wait_exit_within(Duration::from_secs(30));
    assert!(!folder.exists());
    exit.exit_code()
}
