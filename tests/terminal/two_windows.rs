//! Tests of two windows (running instances of the app). Each shows a withdrawal that the other is
//! sending, and notices if the other is killed.

use std::time::Duration;

use rustix::process::Signal;

use super::in_flight::{at_the_gate, is_paid_once, on_its_way};
use super::seller::{at, at_counter, resend};
use super::support::bank::Bank;
use super::support::gate::Next;
use super::support::place::TestHome;
use super::support::pty::Tui;

/// Opens a second window, which must show that the first window is sending a withdrawal.
fn beside(place: &TestHome, bank: &Bank) -> Tui {
    let mut tui = at_counter(place, bank);
    // The open withdrawal appears after the window has read the journal.
    tui.wait_for("ENVIANDO (OUTRA JANELA)");
    tui.press("3");
    tui.wait_for("… enviando (outra janela)");
    tui.wait_for("Saque de R$ 100,00 sendo enviado em outra janela");
    tui
}

#[test]
fn unknown_of_dead_window_is_resent_from_another() {
    let (place, bank) = (TestHome::new(), Bank::open());
    let sending = on_its_way(&place, &bank);
    let mut other = beside(&place, &bank);
    other.press("\r");
    other.wait_for("ENVIANDO (OUTRA JANELA)");
    assert!(!other.text().contains("reenviar a mesma solicitação"), "{}", other.text());
    sending.kill();
    other.wait_for("RESULTADO DESCONHECIDO");
    other.wait_for("Saque de R$ 100,00 pode ter saído");
    assert_eq!(bank.ledger().requests.len(), 1, "nothing is sent again by itself");
    resend(&mut other);
    other.wait_for("ACEITO PELO SERVIÇO");
    is_paid_once(&bank, 2);
    let mut third = at_counter(&place, &bank);
    third.press("3");
    third.wait_for("✓ aceito pelo serviço");
}

#[cfg(target_os = "linux")]
#[test]
fn window_sleeps_while_another_sends_then_updates() {
    let (place, (bank, gate)) = (TestHome::new(), Bank::behind_a_gate());
    let _sending = at_the_gate(&place, &bank, &gate);
    let other = beside(&place, &bank);
    other.wait_asleep(Duration::from_secs(2));
    gate.release(Next::Goes);
    other.wait_for("✓ aceito pelo serviço");
    other.wait_asleep(Duration::from_secs(2));
    is_paid_once(&bank, 1);
}

/// Other windows show a withdrawal as being sent while its process is stopped, because the process
/// still holds the withdrawal's lock.
#[test]
fn stopped_window_counts_as_sending_until_it_ends() {
    let (place, bank) = (TestHome::new(), Bank::open());
    let sending = on_its_way(&place, &bank);
    sending.signal(Signal::STOP);
    let other = beside(&place, &bank);
    sending.kill();
    other.wait_for("? resultado desconhecido");
    // A new window must show the unknown outcome immediately.
    at(&place, &bank).start().wait_for("Saque de R$ 100,00 pode ter saído");
}
