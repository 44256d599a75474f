//! A withdrawal is on its way when the program is ended: it is settled, or stays open on disk.

use std::time::Duration;

use balcao::sandbox::Fault;
use rustix::process::Signal;
use serde_json::Value;

use super::seller::{at_counter, send_withdrawal, type_login};
use super::support::bank::Bank;
use super::support::place::Place;
use super::support::pty::Tui;
use super::support::run::json_lines;

/// The reply comes long after anybody waits for it.
const NEVER: Duration = Duration::from_secs(600);

/// The reply comes while a program that was ended still waits.
const SOON: Duration = Duration::from_millis(400);

/// A withdrawal that is on its way, and whose reply comes so late.
fn on_its_way(place: &Place, bank: &Bank, reply: Duration) -> Tui {
    bank.next_withdrawal(Fault::Delay(reply));
    let mut tui = at_counter(place, bank);
    send_withdrawal(&mut tui);
    // The screen says so a moment before the bank hears of it.
    bank.wait_for_payout();
    tui
}

fn only_withdrawal(place: &Place, bank: &Bank) -> Value {
    let args = ["--base-url", &bank.url(), "withdrawals", "list", "--json"];
    let mut listed = json_lines(place, &args);
    assert_eq!(listed.len(), 1, "{listed:?}");
    listed.remove(0)
}

#[track_caller]
fn is_open(place: &Place, bank: &Bank) {
    let withdrawal = only_withdrawal(place, bank);
    assert_eq!(withdrawal["state"], "unknown", "{withdrawal}");
    assert_eq!(withdrawal["open"], true);
    let attempts = withdrawal["attempts"].as_array().expect("attempts");
    assert_eq!(attempts.len(), 1);
    assert_eq!(attempts[0]["ended"], Value::Null, "nobody heard a reply");
    let ledger = bank.ledger();
    assert_eq!(ledger.payouts.len(), 1, "it was paid, whatever is known here");
    assert_eq!(withdrawal["key"], ledger.payouts[0].key);
}

#[track_caller]
fn is_accepted(place: &Place, bank: &Bank) {
    let withdrawal = only_withdrawal(place, bank);
    assert_eq!(withdrawal["state"], "accepted", "{withdrawal}");
    assert_eq!(withdrawal["open"], false);
    assert_eq!(withdrawal["attempts"][0]["class"], "confirmed");
    assert_eq!(bank.ledger().payouts.len(), 1);
}

#[test]
fn while_it_is_sent_the_disk_says_so() {
    let (place, bank) = (Place::new(), Bank::open());
    let tui = on_its_way(&place, &bank, NEVER);
    let withdrawal = only_withdrawal(&place, &bank);
    assert_eq!(withdrawal["state"], "sending", "{withdrawal}");
    assert_eq!(withdrawal["destination"], "***.444.777-**");
    tui.kill();
    assert!(!tui.wait_exit().success());
    is_open(&place, &bank);
}

#[test]
fn leaving_asks_and_then_waits_for_the_reply() {
    let (place, bank) = (Place::new(), Bank::open());
    let mut tui = on_its_way(&place, &bank, Duration::from_secs(2));
    tui.press("q");
    tui.wait_for("[ Ficar ]");
    tui.press("\t");
    tui.wait_for("[ Sair da tela ]");
    tui.press("\r");
    assert!(tui.wait_exit().success());
    assert_eq!(tui.still_asked(), Vec::<&str>::new());
    assert!(tui.text().contains("esperando a resposta"), "{}", tui.text());
    is_accepted(&place, &bank);
}

#[test]
fn a_signal_waits_a_little_for_the_reply() {
    let (place, bank) = (Place::new(), Bank::open());
    let tui = on_its_way(&place, &bank, SOON);
    tui.signal(Signal::TERM);
    assert!(tui.wait_exit().success());
    assert_eq!(tui.still_asked(), Vec::<&str>::new());
    is_accepted(&place, &bank);
}

#[test]
fn a_second_signal_waits_for_nothing() {
    let (place, bank) = (Place::new(), Bank::open());
    let tui = on_its_way(&place, &bank, NEVER);
    tui.signal(Signal::TERM);
    tui.wait_for("esperando a resposta");
    tui.signal(Signal::TERM);
    assert_eq!(tui.wait_exit_within(Duration::from_secs(3)).exit_code(), 143);
    assert_eq!(tui.still_asked(), Vec::<&str>::new());
    is_open(&place, &bank);
}

#[cfg(target_os = "linux")]
#[test]
fn with_its_terminal_gone_it_ends_in_three_seconds_and_the_next_start_knows() {
    let (place, bank) = (Place::new(), Bank::open());
    let mut tui = on_its_way(&place, &bank, NEVER);
    tui.hang_up();
    let ticks = tui.ticks_until_exit(Duration::from_secs(3));
    assert!(ticks < 50, "{ticks} ticks");
    is_open(&place, &bank);
    let mut again = super::seller::at(&place, &bank).start();
    again.wait_for("Saque de R$ 100,00: resultado desconhecido");
    type_login(&mut again, &bank);
    again.press("3");
    again.wait_for("resultado desconhecido");
    assert_eq!(bank.ledger().requests.len(), 1, "nothing is sent again by itself");
}

#[test]
fn with_its_terminal_gone_a_reply_that_comes_is_written_down() {
    let (place, bank) = (Place::new(), Bank::open());
    let mut tui = on_its_way(&place, &bank, SOON);
    tui.hang_up();
    let status = tui.wait_exit_within(Duration::from_secs(3));
    assert_ne!(status.exit_code(), 101, "a panic, though nobody sees it");
    is_accepted(&place, &bank);
}
