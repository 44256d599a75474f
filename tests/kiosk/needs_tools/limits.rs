//! Tests the kiosk's limits on typed input and on the kiosks of one address, which a visitor can
//! reach quickly. Other limits take longer to reach.

use std::time::Duration;

use rustix::process::{Pid, Signal, getuid, kill_process};

use crate::seller::log_in_to_demo;
use crate::sshd::{Sshd, has_sshd, kiosk_directory, wait_until};
use crate::support::place::TestHome;
use crate::support::pty::{Launch, Tui};
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
    let sshd = Sshd::start();
    let home = TestHome::new();
    let mut tui = log_in_to_demo(sshd.ssh(&home, &[]).start());
    tui.try_type(&unfinished_paste(MAX_TYPED_BYTES + 1));
    tui.wait_for("recebeu texto demais");
    assert!(tui.wait_exit().success());
    assert_eq!(tui.active_modes(), Vec::<&str>::new());
}

#[test]
fn ninth_kiosk_of_one_address_is_refused() {
    if !has_sshd() {
        return;
    }
    let sshd = Sshd::start();
    let home = TestHome::new();
    let start = || sshd.ssh(&home, &[]).start();
    let mut visitors: Vec<Tui> = (0..8).map(|_| start()).collect();
    visitors
        .iter()
        .for_each(|visitor| visitor.wait_for("[ Entrar ]"));
    let refused = start();
    refused.wait_for("Já há 8 quiosques abertos deste endereço");
    assert_eq!(refused.wait_exit().exit_code(), 1);
    // A visitor who leaves, or whose kiosk is killed, makes room for another.
    visitors.remove(3).quit();
    let killed_pid = sshd.kiosk_pids()[0];
    let pid = i32::try_from(killed_pid)
        .ok()
        .and_then(Pid::from_raw)
        .expect("a process id");
    kill_process(pid, Signal::KILL).expect("it can be killed");
    wait_until("two have left", || sshd.kiosk_pids().len() == 6);
    let mut next: Vec<Tui> = (0..2).map(|_| start()).collect();
    next.iter()
        .for_each(|visitor| visitor.wait_for("[ Entrar ]"));
    let refused = start();
    refused.wait_for("8 kiosks are open from this address");
    next.iter_mut().for_each(Tui::quit);
}

#[test]
fn blocked_write_does_not_stop_a_limit() {
    if !skip_unless(getuid().is_root(), "root") {
        return;
    }
    let home = TestHome::new();
    // Start a terminal that answers no query. Otherwise, the kiosk would wait for answers instead
    // of blocking in a write.
    let mut tui = log_in_to_demo(
        Launch::new(&home)
            .args(&["demo", "--kiosk"])
            .without_replies()
            .start(),
    );
    // No frame is drawn during a paste. Its end, which is beyond the limit, causes one.
    const REST: usize = 1 << 16;
    tui.type_text(&unfinished_paste(MAX_TYPED_BYTES - REST));
    tui.block_output();
    tui.type_in_background(format!("{}\x1b[201~123456", "x".repeat(2 * REST)));
    let folder = kiosk_directory(tui.process_id());
    let exit = tui.wait_exit_within(Duration::from_secs(30));
    assert!(!folder.exists());
    assert_eq!(exit.exit_code(), 1);
}
