//! Prints messages after the app's screen has closed: each withdrawal whose outcome is unknown, and
//! the outcome of a withdrawal that was still being sent.

use std::io::{self, Write};
use std::time::Duration;

use crate::app::Model;
use crate::app::store::kiosk;
use crate::app::store::withdrawals::rules::{self, Ownership};
use crate::cashier::Clock;
use crate::cli::complaint::Complaint;
use crate::cli::output::print_note;
use crate::runtime::money::MoneyWorker;
use crate::trade::{IdempotencyKey, Withdrawal};
use crate::words::{Catalogue, Lang, dates, exit_report};

/// The maximum time to wait for a withdrawal that is still being sent when the screen closes.
pub const FINISH_TIMEOUT: Duration = Duration::from_secs(45);

/// The maximum time to wait for a withdrawal that is still being sent if the terminal is gone. The
/// whole process must then end within 3 seconds.
const HUNG_UP_TIMEOUT: Duration = Duration::from_millis(1_500);

/// Prints each withdrawal whose outcome is unknown and the time until which it can be resent, so
/// that the seller does not make the same withdrawal again.
///
/// Withdrawals that another process is sending are left out, because that process reports them. A
/// demo prints nothing.
fn report_open(
    model: &Model,
    words: &Catalogue,
    except: Option<IdempotencyKey>,
    clock: &dyn Clock,
) {
    if model.setup.demo.is_some() {
        return;
    }
    for one in model
        .withdrawals
        .open
        .iter()
        .filter(|one| Some(one.agreement.key) != except)
    {
        let is_sent_elsewhere = model.is_sent_elsewhere(one.agreement.key);
        if !is_sent_elsewhere {
            let _ = writeln!(
                io::stderr(),
                "balcao: {}",
                describe_state(model, words, one, clock)
            );
        }
    }
}

/// Describes the state of a withdrawal and the time until which it can be resent.
fn describe_state(
    model: &Model,
    words: &Catalogue,
    withdrawal: &Withdrawal,
    clock: &dyn Clock,
) -> String {
    let now = clock.now();
    let window = &model.setup.window;
    let state = withdrawal.state(&now, window, false);
    let is_ours = rules::ownership(model, withdrawal) == Ownership::Here;
    let remaining = window
        .time_left(&withdrawal.attempts, &now)
        .ok()
        .filter(|_| is_ours);
    let until = remaining.map(|remaining| now.wall.plus(remaining));
    let until = until.map(|until| dates::time_exact(until, model.setup.utc_offset_s));
    exit_report::exit_line(words, &state, withdrawal.agreement.amount, until.as_deref())
}

/// Waits for the outcome of a withdrawal that is still being sent, and prints it.
///
/// If the user quit, or a signal ended the app, the wait is as long as an attempt can take. Another
/// signal ends the wait. If the terminal is gone, the wait is short and nothing is printed.
pub fn finish(
    money: &MoneyWorker,
    model: &Model,
    hung_up: bool,
    lang: Lang,
    clock: &dyn Clock,
) -> Result<(), Complaint> {
    if hung_up {
        money.wait_for_attempts(HUNG_UP_TIMEOUT);
        return Ok(());
    }
    if let Some(farewell) = kiosk::farewell(model) {
        // A kiosk (a public demo) moves no real money, so it does not wait for a withdrawal.
        let _ = writeln!(io::stderr(), "{farewell}");
        return Ok(());
    }
    let words = Catalogue::of(lang);
    // Return early only if no withdrawal was being sent when the user quit. Otherwise, print that
    // withdrawal's outcome below, even if the sending has ended since then.
    if model.withdrawals.in_flight.is_none() && !money.is_busy() {
        report_open(model, words, None, clock);
        return Ok(());
    }
    if money.is_busy() {
        let is_here = money.unrecorded_outcome().is_some();
        print_note(&words.text(if is_here {
            "left-unwritten"
        } else {
            "left-sending"
        }));
    }
    let ended = money
        .wait_for_attempts(FINISH_TIMEOUT)
        .then(|| money.last_ended())
        .flatten();
    if let Some((key, end)) = money.unrecorded_outcome() {
        report_open(model, words, Some(key), clock);
        let open = model
            .withdrawals
            .open
            .iter()
            .find(|it| it.agreement.key == key);
        let amount = open.map(|one| one.agreement.amount);
        return Err(Complaint::text(exit_report::unrecorded(
            words, amount, &end,
        )));
    }
    let Some(withdrawal) = ended else {
        report_open(model, words, model.withdrawals.in_flight, clock);
        return Err(Complaint::text(words.text("left-unknown")));
    };
    print_note(&describe_state(model, words, &withdrawal, clock));
    report_open(model, words, Some(withdrawal.agreement.key), clock);
    Ok(())
}
