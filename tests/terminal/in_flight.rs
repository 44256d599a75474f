//! Tests of quitting the app while a withdrawal is being sent. Afterwards, the journal must contain
//! the withdrawal's outcome, or must list the withdrawal as unfinished.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use balcao::sandbox::Fault;
use rusqlite::Connection;
use rustix::process::Signal;
use serde_json::Value;

use super::seller::{
    SUBMIT, resend, send_withdrawal, start_logged_in, type_login, type_withdrawal,
};
use super::support::bank::Bank;
use super::support::gate::{Gate, PausePoint, Release};
use super::support::place::TestHome;
use super::support::pty::Tui;
use super::support::run::run_json_lines;

/// A delay of the bank's reply that is longer than any test runs.
pub const ENDLESS_DELAY: Duration = Duration::from_secs(600);

/// Sends a withdrawal whose reply never arrives.
pub fn send_without_reply(home: &TestHome, bank: &Bank) -> Tui {
    bank.inject_withdrawal_fault(Fault::Delay(ENDLESS_DELAY));
    let mut tui = start_logged_in(home, bank);
    send_withdrawal(&mut tui);
    tui.wait_for("Enviando o saque de R$ 100,00");
    // Wait for the payout, because the screen shows that the withdrawal is being sent a moment
    // before the bank receives it.
    bank.wait_for_payout();
    tui
}

/// Sends a withdrawal through a proxy (the gate), which holds back the bank's reply.
pub fn send_with_held_reply(home: &TestHome, bank: &Bank, gate: &Gate) -> Tui {
    gate.pause_next(PausePoint::Reply);
    let mut tui = start_logged_in(home, bank);
    send_withdrawal(&mut tui);
    tui.wait_for("Enviando o saque de R$ 100,00");
    gate.wait_until_paused();
    tui
}

fn only_withdrawal(home: &TestHome, bank: &Bank) -> Value {
    let args = ["--base-url", &bank.url(), "withdrawals", "list", "--json"];
    let mut withdrawals = run_json_lines(home, &args);
    assert_eq!(withdrawals.len(), 1, "{withdrawals:?}");
    withdrawals.remove(0)
}

#[track_caller]
fn assert_open(home: &TestHome, bank: &Bank) {
    let withdrawal = only_withdrawal(home, bank);
    assert_eq!(withdrawal["state"], "unknown", "{withdrawal}");
    assert_eq!(withdrawal["open"], true);
    let attempts = withdrawal["attempts"].as_array().expect("attempts");
    assert_eq!(attempts.len(), 1);
    assert_eq!(attempts[0]["ended"], Value::Null, "nobody heard a reply");
    let ledger = bank.ledger();
    assert_eq!(
        ledger.payouts.len(),
        1,
        "it was paid, whatever is known here"
    );
    assert_eq!(withdrawal["key"], ledger.payouts[0].key);
}

#[track_caller]
fn assert_accepted(home: &TestHome, bank: &Bank) {
    let withdrawal = only_withdrawal(home, bank);
    assert_eq!(withdrawal["state"], "accepted", "{withdrawal}");
    assert_eq!(withdrawal["open"], false);
    assert_eq!(withdrawal["attempts"][0]["class"], "confirmed");
    assert_eq!(bank.ledger().payouts.len(), 1);
}

#[test]
fn sending_state_is_stored_on_disk() {
    let home = TestHome::new();
    let bank = Bank::open();
    let tui = send_without_reply(&home, &bank);
    let withdrawal = only_withdrawal(&home, &bank);
    assert_eq!(withdrawal["state"], "sending", "{withdrawal}");
    assert_eq!(withdrawal["destination"], "11144477735");
    tui.kill();
    assert!(!tui.wait_exit().success());
    assert_open(&home, &bank);
}

/// Quits with Ctrl-C and confirms. The terminal must be restored immediately.
fn quit_and_confirm(tui: &mut Tui) {
    tui.press("\x03");
    tui.wait_for("[ Ficar ]");
    tui.press("\t");
    tui.wait_for("[ Sair do balcão ]");
    tui.press("\r");
    tui.wait_for("esperando a resposta");
    assert_eq!(tui.active_modes(), Vec::<&str>::new());
}

#[test]
fn quit_dialog_can_be_cancelled_to_see_the_outcome() {
    let home = TestHome::new();
    let (bank, gate) = Bank::behind_a_gate();
    let mut tui = send_with_held_reply(&home, &bank, &gate);
    tui.press("\x03");
    tui.wait_for("[ Ficar ]");
    tui.press("\r");
    tui.wait_until_gone("[ Ficar ]");
    gate.release(Release::Goes);
    tui.wait_for("ACEITO PELO SERVIÇO");
    tui.quit();
    assert_accepted(&home, &bank);
}

#[test]
fn exit_reports_an_accepted_withdrawal() {
    let home = TestHome::new();
    let (bank, gate) = Bank::behind_a_gate();
    let mut tui = send_with_held_reply(&home, &bank, &gate);
    quit_and_confirm(&mut tui);
    gate.release(Release::Goes);
    assert!(tui.wait_exit().success());
    assert!(
        joined_text(&tui).contains("Saque de R$ 100,00: aceito pelo serviço."),
        "{}",
        tui.text()
    );
    assert_accepted(&home, &bank);
}

#[test]
fn exit_reports_an_unknown_outcome() {
    let home = TestHome::new();
    let bank = Bank::open();
    let mut tui = send_without_reply(&home, &bank);
    quit_and_confirm(&mut tui);
    // Stopping the bank closes the connection without a reply.
    drop(bank);
    assert!(tui.wait_exit().success());
    assert!(
        joined_text(&tui).contains("Saque de R$ 100,00: resultado desconhecido."),
        "{}",
        tui.text()
    );
    assert!(
        joined_text(&tui).contains("Não faça outro saque igual"),
        "{}",
        tui.text()
    );
}

#[test]
fn exit_with_unknown_names_the_withdrawal() {
    let home = TestHome::new();
    let bank = Bank::open();
    bank.inject_withdrawal_fault(Fault::DropAfter);
    let mut tui = start_logged_in(&home, &bank);
    send_withdrawal(&mut tui);
    tui.wait_for("RESULTADO DESCONHECIDO");
    tui.quit();
    let text = joined_text(&tui);
    assert!(
        text.contains("Saque de R$ 100,00: resultado desconhecido."),
        "{text}"
    );
    // The message includes the time until which the withdrawal can be sent again.
    let (_, until) = text
        .split_once("reenviar a mesma solicitação até ")
        .expect("until when");
    let is_time = |(n, c): (usize, char)| {
        if n % 3 == 2 {
            c == ':'
        } else {
            c.is_ascii_digit()
        }
    };
    assert!(until.chars().take(8).enumerate().all(is_time), "{until}");
    assert_eq!(only_withdrawal(&home, &bank)["state"], "unknown");
}

#[test]
fn exit_without_waiting_reports_unknown_outcome() {
    let home = TestHome::new();
    let bank = Bank::open();
    let mut tui = send_without_reply(&home, &bank);
    quit_and_confirm(&mut tui);
    tui.press("\x03");
    assert_eq!(tui.wait_exit_within(Duration::from_secs(3)).exit_code(), 2);
    assert!(
        joined_text(&tui).contains("o resultado é desconhecido"),
        "{}",
        tui.text()
    );
    assert_open(&home, &bank);
}

/// The time within which the app exits after a signal, unless a withdrawal is being sent.
const USUAL_EXIT_TIME: Duration = Duration::from_secs(6);

#[test]
fn signal_waits_for_the_reply() {
    let home = TestHome::new();
    let (bank, gate) = Bank::behind_a_gate();
    let tui = send_with_held_reply(&home, &bank, &gate);
    tui.signal(Signal::TERM);
    tui.wait_for("esperando a resposta");
    assert_eq!(tui.active_modes(), Vec::<&str>::new());
    tui.run_for(USUAL_EXIT_TIME);
    assert!(!tui.has_exited(), "{}", tui.text());
    gate.release(Release::Goes);
    assert!(tui.wait_exit().success());
    assert!(
        joined_text(&tui).contains("aceito pelo serviço"),
        "{}",
        tui.text()
    );
    assert_accepted(&home, &bank);
}

#[test]
fn second_signal_ends_the_app_at_once() {
    let home = TestHome::new();
    let bank = Bank::open();
    let tui = send_without_reply(&home, &bank);
    tui.signal(Signal::TERM);
    tui.wait_for("esperando a resposta");
    tui.signal(Signal::TERM);
    assert_eq!(tui.wait_exit_within(Duration::from_secs(3)).exit_code(), 2);
    assert!(
        joined_text(&tui).contains("o resultado é desconhecido"),
        "{}",
        tui.text()
    );
    assert_eq!(tui.active_modes(), Vec::<&str>::new());
    assert_open(&home, &bank);
}

/// Sends a withdrawal whose reply cannot be recorded, because a backup has locked the journal's
/// database. The lock ends when the returned connection is dropped.
fn send_with_locked_journal(home: &TestHome, bank: &Bank, gate: &Gate) -> (Tui, Connection) {
    let tui = send_with_held_reply(home, bank, gate);
    let backup = Connection::open(find_database(&home.state_dir())).expect("the journal");
    backup
        .execute_batch("BEGIN; SELECT count(*) FROM event")
        .expect("it can be read");
    gate.release(Release::Goes);
    tui.wait_for("pode não ter sido gravado");
    tui.wait_for("RESULTADO DESCONHECIDO");
    (tui, backup)
}

fn find_database(dir: &Path) -> PathBuf {
    let mut paths = fs::read_dir(dir)
        .expect("a directory")
        .map(|file| file.expect("one").path());
    let find_in = |path: PathBuf| {
        if path.is_dir() {
            Some(find_database(&path))
        } else {
            path.ends_with("money.db").then_some(path)
        }
    };
    paths.find_map(find_in).expect("a journal")
}

#[test]
fn delayed_end_is_written_when_journal_is_free() {
    let home = TestHome::new();
    let (bank, gate) = Bank::behind_a_gate();
    let (mut tui, backup) = send_with_locked_journal(&home, &bank, &gate);
    drop(backup);
    tui.wait_for("ACEITO PELO SERVIÇO");
    tui.quit();
    assert_accepted(&home, &bank);
}

#[test]
fn exit_waits_until_a_delayed_end_is_written() {
    let home = TestHome::new();
    let (bank, gate) = Bank::behind_a_gate();
    let (mut tui, backup) = send_with_locked_journal(&home, &bank, &gate);
    tui.press("\x03");
    tui.wait_for("esperando para gravar");
    drop(backup);
    assert!(tui.wait_exit().success());
    assert!(
        joined_text(&tui).contains("Saque de R$ 100,00: aceito pelo serviço."),
        "{}",
        tui.text()
    );
    assert_accepted(&home, &bank);
}

#[test]
fn exit_before_delayed_end_is_stored_reports_it() {
    let home = TestHome::new();
    let (bank, gate) = Bank::behind_a_gate();
    let (tui, backup) = send_with_locked_journal(&home, &bank, &gate);
    tui.signal(Signal::TERM);
    tui.wait_for("esperando para gravar");
    tui.signal(Signal::TERM);
    assert_eq!(tui.wait_exit_within(Duration::from_secs(3)).exit_code(), 2);
    let text = joined_text(&tui);
    assert!(
        text.contains("Saque de R$ 100,00: ") && text.contains("201, confirmada"),
        "{text}"
    );
    assert!(text.contains("Anote isso"), "{text}");
    drop(backup);
    assert_open(&home, &bank);
}

/// Returns the screen's text without line breaks.
fn joined_text(tui: &Tui) -> String {
    tui.text().replace('\n', "")
}

#[test]
fn killed_attempt_is_resent_by_key_and_paid_once() {
    let home = TestHome::new();
    let bank = Bank::open();
    let tui = send_without_reply(&home, &bank);
    tui.kill();
    assert!(!tui.wait_exit().success());
    assert_open(&home, &bank);
    let mut restarted = super::seller::launch_with_bank(&home, &bank).start();
    restarted.wait_for("Saque de R$ 100,00 pode ter saído");
    type_login(&mut restarted, &bank);
    restarted.press("3");
    restarted.wait_for("? resultado desconhecido");
    assert_eq!(
        bank.ledger().requests.len(),
        1,
        "nothing is sent again by itself"
    );
    restarted.press("\r");
    restarted.wait_for("RESULTADO DESCONHECIDO");
    resend(&mut restarted);
    restarted.wait_for("ACEITO PELO SERVIÇO");
    assert_paid_once(&bank, 2);
}

/// Checks that the bank paid exactly once. It must have received this number of requests, all with
/// the same idempotency key and body.
#[track_caller]
pub fn assert_paid_once(bank: &Bank, requests: usize) {
    let ledger = bank.ledger();
    let [payout] = &ledger.payouts[..] else {
        panic!("{:#?}", ledger.payouts)
    };
    assert_eq!(ledger.requests.len(), requests);
    for request in &ledger.requests {
        assert_eq!(request.key.as_deref(), Some(&*payout.key));
        assert_eq!(request.body.0, payout.body.0);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn hangup_ends_process_and_next_start_shows_unknown() {
    let home = TestHome::new();
    let bank = Bank::open();
    let mut tui = send_without_reply(&home, &bank);
    let before = tui.cpu_ticks();
    tui.hang_up();
    tui.assert_clean_exit(before, Duration::from_secs(3));
    assert_open(&home, &bank);
    let mut restarted = super::seller::launch_with_bank(&home, &bank).start();
    restarted.wait_for("Saque de R$ 100,00 pode ter saído");
    type_login(&mut restarted, &bank);
    restarted.press("3");
    restarted.wait_for("resultado desconhecido");
    assert_eq!(
        bank.ledger().requests.len(),
        1,
        "nothing is sent again by itself"
    );
}

#[test]
fn reply_after_hangup_is_stored() {
    let home = TestHome::new();
    let (bank, gate) = Bank::behind_a_gate();
    let mut tui = send_with_held_reply(&home, &bank, &gate);
    tui.hang_up();
    // The app is waiting for the reply in the background, although its terminal is gone. Deliver
    // the reply now.
    gate.release(Release::Goes);
    let status = tui.wait_exit_within(Duration::from_secs(3));
    assert_ne!(status.exit_code(), 101, "a panic, though nobody sees it");
    assert_accepted(&home, &bank);
}

/// Pasted text must not press the confirm button, however slowly the app reads it.
///
/// A paste arrives as key presses if the terminal does not support bracketed paste, or if the text
/// contains the escape sequence that ends a paste.
#[test]
fn paste_that_is_keys_confirms_nothing() {
    let home = TestHome::new();
    let bank = Bank::open();
    let mut tui = start_logged_in(&home, &bank);
    type_withdrawal(&mut tui);
    tui.press(SUBMIT);
    tui.wait_for("[ Voltar ]");
    // The confirm button is disabled for half a second after the review screen has opened. It has
    // round brackets while it is disabled.
    tui.wait_until_gone("( Sacar R$ 100,00 )");
    tui.wait_for("Sacar R$ 100,00");
    let redraws = "\x0c".repeat(6_000);
    for pasted in [
        "\t\r".to_owned(),
        format!("\x1b[200~\x1b[201~{redraws}\t{redraws}\r\x1b[201~"),
        format!("\t{}\r", "a".repeat(100_000)),
    ] {
        tui.type_text(&pasted);
        assert!(tui.becomes_idle(600), "{}", tui.text());
        assert!(tui.text().contains("Conferir o saque"), "{}", tui.text());
        assert!(bank.ledger().requests.is_empty());
    }
    // A single key press still moves the focus or presses the button.
    tui.press("\t");
    tui.wait_for("[ Sacar R$ 100,00 ]");
    tui.press("\r");
    tui.wait_for("ACEITO PELO SERVIÇO");
    assert_paid_once(&bank, 1);
}

#[test]
fn q_key_closes_details_and_quits_from_list() {
    let home = TestHome::new();
    let bank = Bank::open();
    let mut tui = start_logged_in(&home, &bank);
    send_withdrawal(&mut tui);
    tui.wait_for("ACEITO PELO SERVIÇO");
    tui.press("q");
    tui.wait_for("✓ aceito pelo serviço");
    tui.press("q");
    assert!(tui.wait_exit().success());
}
