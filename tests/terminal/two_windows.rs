//! Tests of two windows (running instances of the app). Each shows a withdrawal that the other is
//! sending, and notices if the other is killed.

use std::time::Duration;

use rustix::process::Signal;

use super::in_flight::{assert_paid_once, send_with_held_reply, send_without_reply};
use super::seller::{launch_with_bank, resend, start_logged_in};
use super::support::bank::Bank;
use super::support::gate::Release;
use super::support::place::TestHome;
use super::support::pty::Tui;

/// Opens a second window, which must show that the first window is sending a withdrawal.
fn open_second_window(home: &TestHome, bank: &Bank) -> Tui {
    let mut tui = start_logged_in(home, bank);
    // The unfinished withdrawal appears when the window has read the journal.
    tui.wait_for("ENVIANDO (OUTRA JANELA)");
    tui.press("3");
    tui.wait_for("… enviando (outra janela)");
    tui.wait_for("Saque de R$ 100,00 sendo enviado em outra janela");
    tui
}

#[test]
fn unknown_of_dead_window_is_resent_from_another() {
    let home = TestHome::new();
    let bank = Bank::open();
    let sending = send_without_reply(&home, &bank);
    let mut second = open_second_window(&home, &bank);
    second.press("\r");
    second.wait_for("ENVIANDO (OUTRA JANELA)");
    assert!(
        !second.text().contains("reenviar a mesma solicitação"),
        "{}",
        second.text()
    );
    sending.kill();
    second.wait_for("RESULTADO DESCONHECIDO");
    second.wait_for("Saque de R$ 100,00 pode ter saído");
    assert_eq!(
        bank.ledger().requests.len(),
        1,
        "nothing is sent again by itself"
    );
    resend(&mut second);
    second.wait_for("ACEITO PELO SERVIÇO");
    assert_paid_once(&bank, 2);
    let mut third = start_logged_in(&home, &bank);
    third.press("3");
    third.wait_for("✓ aceito pelo serviço");
}

#[cfg(target_os = "linux")]
#[test]
fn window_sleeps_while_another_sends_then_updates() {
    let home = TestHome::new();
    let (bank, gate) = Bank::behind_a_gate();
    let _sending = send_with_held_reply(&home, &bank, &gate);
    let second = open_second_window(&home, &bank);
    second.wait_idle_for(Duration::from_secs(2));
    gate.release(Release::Goes);
    second.wait_for("✓ aceito pelo serviço");
    second.wait_idle_for(Duration::from_secs(2));
    assert_paid_once(&bank, 1);
}

/// Other windows show a withdrawal as being sent while its process is stopped, because the process
/// still holds the withdrawal's lock.
#[test]
fn stopped_window_counts_as_sending_until_it_ends() {
    let home = TestHome::new();
    let bank = Bank::open();
    let sending = send_without_reply(&home, &bank);
    sending.signal(Signal::STOP);
    let second = open_second_window(&home, &bank);
    sending.kill();
    second.wait_for("? resultado desconhecido");
    // A new window must show the unknown outcome immediately.
    launch_with_bank(&home, &bank)
        .start()
        .wait_for("Saque de R$ 100,00 pode ter saído");
}
