//! Tests of quitting the app while a withdrawal is being sent. Afterwards, the withdrawal must have
//! an outcome, or must still be open in the journal.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use balcao::sandbox::Fault;
use rusqlite::Connection;
use rustix::process::Signal;
use serde_json::Value;

use super::seller::{SUBMIT, at_counter, resend, send_withdrawal, type_login, type_withdrawal};
use super::support::bank::Bank;
use super::support::gate::{Gate, Hold, Next};
use super::support::place::TestHome;
use super::support::pty::Tui;
use super::support::run::json_lines;

/// A delay of the bank's reply that is longer than any test runs.
pub const NEVER: Duration = Duration::from_secs(600);

/// Sends a withdrawal whose reply never arrives.
pub fn on_its_way(place: &TestHome, bank: &Bank) -> Tui {
    bank.next_withdrawal(Fault::Delay(NEVER));
    let mut tui = at_counter(place, bank);
    send_withdrawal(&mut tui);
    tui.wait_for("Enviando o saque de R$ 100,00");
    // Wait for the payout, because the screen shows that the withdrawal is being sent a moment
    // before the bank receives it.
    bank.wait_for_payout();
    tui
}

/// Sends a withdrawal through a proxy (the gate), which holds back the bank's reply.
pub fn at_the_gate(place: &TestHome, bank: &Bank, gate: &Gate) -> Tui {
    gate.hold(Hold::Reply);
    let mut tui = at_counter(place, bank);
    send_withdrawal(&mut tui);
    tui.wait_for("Enviando o saque de R$ 100,00");
    gate.wait_held();
    tui
}

fn only_withdrawal(place: &TestHome, bank: &Bank) -> Value {
    let args = ["--base-url", &bank.url(), "withdrawals", "list", "--json"];
    let mut listed = json_lines(place, &args);
    assert_eq!(listed.len(), 1, "{listed:?}");
    listed.remove(0)
}

#[track_caller]
fn is_open(place: &TestHome, bank: &Bank) {
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
fn is_accepted(place: &TestHome, bank: &Bank) {
    let withdrawal = only_withdrawal(place, bank);
    assert_eq!(withdrawal["state"], "accepted", "{withdrawal}");
    assert_eq!(withdrawal["open"], false);
    assert_eq!(withdrawal["attempts"][0]["class"], "confirmed");
    assert_eq!(bank.ledger().payouts.len(), 1);
}

#[test]
fn while_it_is_sent_the_disk_says_so() {
    let (place, bank) = (TestHome::new(), Bank::open());
    let tui = on_its_way(&place, &bank);
    let withdrawal = only_withdrawal(&place, &bank);
    assert_eq!(withdrawal["state"], "sending", "{withdrawal}");
    assert_eq!(withdrawal["destination"], "11144477735");
    tui.kill();
    assert!(!tui.wait_exit().success());
    is_open(&place, &bank);
}

/// Quits with Ctrl-C and confirms. The terminal must be restored immediately.
fn leave(tui: &mut Tui) {
    tui.press("\x03");
    tui.wait_for("[ Ficar ]");
    tui.press("\t");
    tui.wait_for("[ Sair do balcão ]");
    tui.press("\r");
    tui.wait_for("esperando a resposta");
    assert_eq!(tui.still_asked(), Vec::<&str>::new());
}

#[test]
fn leaving_asks_and_who_stays_sees_what_comes_of_it() {
    let (place, (bank, gate)) = (TestHome::new(), Bank::behind_a_gate());
    let mut tui = at_the_gate(&place, &bank, &gate);
    tui.press("\x03");
    tui.wait_for("[ Ficar ]");
    tui.press("\r");
    tui.wait_gone("[ Ficar ]");
    gate.release(Next::Goes);
    tui.wait_for("ACEITO PELO SERVIÇO");
    tui.leave();
    is_accepted(&place, &bank);
}

#[test]
fn exit_reports_an_accepted_withdrawal() {
    let (place, (bank, gate)) = (TestHome::new(), Bank::behind_a_gate());
    let mut tui = at_the_gate(&place, &bank, &gate);
    leave(&mut tui);
    gate.release(Next::Goes);
    assert!(tui.wait_exit().success());
    assert!(said(&tui).contains("Saque de R$ 100,00: aceito pelo serviço."), "{}", tui.text());
    is_accepted(&place, &bank);
}

#[test]
fn exit_reports_an_unknown_outcome() {
    let (place, bank) = (TestHome::new(), Bank::open());
    let mut tui = on_its_way(&place, &bank);
    leave(&mut tui);
    // Stopping the bank closes the connection without a reply.
    drop(bank);
    assert!(tui.wait_exit().success());
    assert!(said(&tui).contains("Saque de R$ 100,00: resultado desconhecido."), "{}", tui.text());
    assert!(said(&tui).contains("Não faça outro saque igual"), "{}", tui.text());
}

#[test]
fn exit_with_unknown_names_the_withdrawal() {
    let (place, bank) = (TestHome::new(), Bank::open());
    bank.next_withdrawal(Fault::DropAfter);
    let mut tui = at_counter(&place, &bank);
    send_withdrawal(&mut tui);
    tui.wait_for("RESULTADO DESCONHECIDO");
    tui.leave();
    let said = said(&tui);
    assert!(said.contains("Saque de R$ 100,00: resultado desconhecido."), "{said}");
    // The message includes the time until which the withdrawal can be sent again.
    let (_, until) = said.split_once("reenviar a mesma solicitação até ").expect("until when");
    let is_time = |(n, c): (usize, char)| if n % 3 == 2 { c == ':' } else { c.is_ascii_digit() };
    assert!(until.chars().take(8).enumerate().all(is_time), "{until}");
    assert_eq!(only_withdrawal(&place, &bank)["state"], "unknown");
}

#[test]
fn exit_without_waiting_reports_unknown_outcome() {
    let (place, bank) = (TestHome::new(), Bank::open());
    let mut tui = on_its_way(&place, &bank);
    leave(&mut tui);
    tui.press("\x03");
    assert_eq!(tui.wait_exit_within(Duration::from_secs(3)).exit_code(), 2);
    assert!(said(&tui).contains("o resultado é desconhecido"), "{}", tui.text());
    is_open(&place, &bank);
}

/// The time within which the app exits after a signal, unless a withdrawal is being sent.
const LATE: Duration = Duration::from_secs(6);

#[test]
fn a_signal_waits_for_the_reply_as_the_key_does() {
    let (place, (bank, gate)) = (TestHome::new(), Bank::behind_a_gate());
    let tui = at_the_gate(&place, &bank, &gate);
    tui.signal(Signal::TERM);
    tui.wait_for("esperando a resposta");
    assert_eq!(tui.still_asked(), Vec::<&str>::new());
    tui.look_on(LATE);
    assert!(!tui.has_ended(), "{}", tui.text());
    gate.release(Next::Goes);
    assert!(tui.wait_exit().success());
    assert!(said(&tui).contains("aceito pelo serviço"), "{}", tui.text());
    is_accepted(&place, &bank);
}

#[test]
fn a_second_signal_waits_for_nothing() {
    let (place, bank) = (TestHome::new(), Bank::open());
    let tui = on_its_way(&place, &bank);
    tui.signal(Signal::TERM);
    tui.wait_for("esperando a resposta");
    tui.signal(Signal::TERM);
    assert_eq!(tui.wait_exit_within(Duration::from_secs(3)).exit_code(), 2);
    assert!(said(&tui).contains("o resultado é desconhecido"), "{}", tui.text());
    assert_eq!(tui.still_asked(), Vec::<&str>::new());
    is_open(&place, &bank);
}

/// Sends a withdrawal whose reply cannot be recorded, because a backup has locked the journal's
/// database. The lock ends when the returned connection is dropped.
fn held_up(place: &TestHome, bank: &Bank, gate: &Gate) -> (Tui, Connection) {
    let tui = at_the_gate(place, bank, gate);
    let backup = Connection::open(database(&place.state())).expect("the journal");
    backup.execute_batch("BEGIN; SELECT count(*) FROM event").expect("it can be read");
    gate.release(Next::Goes);
    tui.wait_for("pode não ter sido gravado");
    tui.wait_for("RESULTADO DESCONHECIDO");
    (tui, backup)
}

fn database(dir: &Path) -> PathBuf {
    let mut found = fs::read_dir(dir).expect("a directory").map(|file| file.expect("one").path());
    let is_it = |path: PathBuf| match path.is_dir() {
        true => Some(database(&path)),
        false => path.ends_with("money.db").then_some(path),
    };
    found.find_map(is_it).expect("a journal")
}

#[test]
fn delayed_end_is_written_when_journal_is_free() {
    let (place, (bank, gate)) = (TestHome::new(), Bank::behind_a_gate());
    let (mut tui, backup) = held_up(&place, &bank, &gate);
    drop(backup);
    tui.wait_for("ACEITO PELO SERVIÇO");
    tui.leave();
    is_accepted(&place, &bank);
}

#[test]
fn exit_waits_until_a_delayed_end_is_written() {
    let (place, (bank, gate)) = (TestHome::new(), Bank::behind_a_gate());
    let (mut tui, backup) = held_up(&place, &bank, &gate);
    tui.press("\x03");
    tui.wait_for("esperando para gravar");
    drop(backup);
    assert!(tui.wait_exit().success());
    assert!(said(&tui).contains("Saque de R$ 100,00: aceito pelo serviço."), "{}", tui.text());
    is_accepted(&place, &bank);
}

#[test]
fn exit_before_delayed_end_is_stored_reports_it() {
    let (place, (bank, gate)) = (TestHome::new(), Bank::behind_a_gate());
    let (tui, backup) = held_up(&place, &bank, &gate);
    tui.signal(Signal::TERM);
    tui.wait_for("esperando para gravar");
    tui.signal(Signal::TERM);
    assert_eq!(tui.wait_exit_within(Duration::from_secs(3)).exit_code(), 2);
    let said = said(&tui);
    assert!(said.contains("Saque de R$ 100,00: ") && said.contains("201, confirmada"), "{said}");
    assert!(said.contains("Anote isso"), "{said}");
    drop(backup);
    is_open(&place, &bank);
}

/// Returns the screen's text, with its line breaks removed.
fn said(tui: &Tui) -> String {
    tui.text().replace('\n', "")
}

#[test]
fn killed_attempt_is_resent_by_key_and_paid_once() {
    let (place, bank) = (TestHome::new(), Bank::open());
    let tui = on_its_way(&place, &bank);
    tui.kill();
    assert!(!tui.wait_exit().success());
    is_open(&place, &bank);
    let mut again = super::seller::at(&place, &bank).start();
    again.wait_for("Saque de R$ 100,00 pode ter saído");
    type_login(&mut again, &bank);
    again.press("3");
    again.wait_for("? resultado desconhecido");
    assert_eq!(bank.ledger().requests.len(), 1, "nothing is sent again by itself");
    again.press("\r");
    again.wait_for("RESULTADO DESCONHECIDO");
    resend(&mut again);
    again.wait_for("ACEITO PELO SERVIÇO");
    is_paid_once(&bank, 2);
}

/// Checks that the bank paid exactly once. It must have received this number of requests, all with
/// the same idempotency key and body.
#[track_caller]
pub fn is_paid_once(bank: &Bank, requests: usize) {
    let ledger = bank.ledger();
    let [payout] = &ledger.payouts[..] else { panic!("{:#?}", ledger.payouts) };
    assert_eq!(ledger.requests.len(), requests);
    for request in &ledger.requests {
        assert_eq!(request.key.as_deref(), Some(&*payout.key));
        assert_eq!(request.body.0, payout.body.0);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn hangup_ends_process_and_next_start_shows_unknown() {
    let (place, bank) = (TestHome::new(), Bank::open());
    let mut tui = on_its_way(&place, &bank);
    let before = tui.ticks();
    tui.hang_up();
    tui.expect_quiet_exit(before, Duration::from_secs(3));
    is_open(&place, &bank);
    let mut again = super::seller::at(&place, &bank).start();
    again.wait_for("Saque de R$ 100,00 pode ter saído");
    type_login(&mut again, &bank);
    again.press("3");
    again.wait_for("resultado desconhecido");
    assert_eq!(bank.ledger().requests.len(), 1, "nothing is sent again by itself");
}

#[test]
fn reply_after_hangup_is_stored() {
    let (place, (bank, gate)) = (TestHome::new(), Bank::behind_a_gate());
    let mut tui = at_the_gate(&place, &bank, &gate);
    tui.hang_up();
    // The app is waiting for the reply in the background, although its terminal is gone. Deliver
    // the reply now.
    gate.release(Next::Goes);
    let status = tui.wait_exit_within(Duration::from_secs(3));
    assert_ne!(status.exit_code(), 101, "a panic, though nobody sees it");
    is_accepted(&place, &bank);
}

/// Pasted text must not press the confirm button, however slowly the app reads it.
///
/// A paste arrives as key presses if the terminal does not support bracketed paste, or if the text
/// contains the escape sequence that ends a paste.
#[test]
fn paste_that_is_keys_confirms_nothing() {
    let (place, bank) = (TestHome::new(), Bank::open());
    let mut tui = at_counter(&place, &bank);
    type_withdrawal(&mut tui);
    tui.press(SUBMIT);
    tui.wait_for("[ Voltar ]");
    // The confirm button is disabled for half a second after the review screen has opened. It has
    // round brackets while it is disabled.
    tui.wait_gone("( Sacar R$ 100,00 )");
    tui.wait_for("Sacar R$ 100,00");
    let redraws = "\x0c".repeat(6_000);
    for pasted in [
        "\t\r".to_owned(),
        format!("\x1b[200~\x1b[201~{redraws}\t{redraws}\r\x1b[201~"),
        format!("\t{}\r", "a".repeat(100_000)),
    ] {
        tui.type_text(&pasted);
        assert!(tui.falls_quiet(600), "{}", tui.text());
        assert!(tui.text().contains("Conferir o saque"), "{}", tui.text());
        assert!(bank.ledger().requests.is_empty());
    }
    // A single key press still moves the focus or presses the button.
    tui.press("\t");
    tui.wait_for("[ Sacar R$ 100,00 ]");
    tui.press("\r");
    tui.wait_for("ACEITO PELO SERVIÇO");
    is_paid_once(&bank, 1);
}

#[test]
fn q_goes_back_from_details_and_leaves_from_the_list() {
    let (place, bank) = (TestHome::new(), Bank::open());
    let mut tui = at_counter(&place, &bank);
    send_withdrawal(&mut tui);
    tui.wait_for("ACEITO PELO SERVIÇO");
    tui.press("q");
    tui.wait_for("✓ aceito pelo serviço");
    tui.press("q");
    assert!(tui.wait_exit().success());
}
