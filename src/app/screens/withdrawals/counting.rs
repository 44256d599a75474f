//! The moments at which the details of a withdrawal change by the clock alone.

use crate::trade::{Quote, STALE_AFTER};
use std::time::Duration;

use crate::app::store::withdrawals::rules::{resend_wait, window_second};
use crate::app::{Store, to_next_second};
use crate::trade::Withdrawal;
use crate::trade::withdrawal::WithdrawalState;

/// The time until then.
pub fn next(store: &Store, shown: &Withdrawal) -> Option<Duration> {
    [countdown(store, shown), resend_step(store, shown)].into_iter().flatten().min()
}

/// The moment from which it may be sent again, and each second until then.
fn resend_step(store: &Store, shown: &Withdrawal) -> Option<Duration> {
    let wait = resend_wait(store, shown);
    let part = Duration::from_millis(wait.subsec_millis().into());
    let to_next_second = if part.is_zero() { Duration::from_secs(1) } else { part };
    (!wait.is_zero()).then_some(to_next_second)
}

/// A window that is running out is counted down.
fn countdown(store: &Store, shown: &Withdrawal) -> Option<Duration> {
    let now_ms = store.now.boot_ms;
    if let (WithdrawalState::Sending(_), Some(last)) =
        (store.state_of(shown), shown.attempts.last())
    {
        // For how long it is being sent is shown too.
        return Some(to_next_second(last.began.boot_ms, now_ms));
    }
    window_second(store, shown)
}

/// The age of a quote is shown in whole seconds, and it goes stale.
pub fn to_next_age(store: &Store, quote: &Quote) -> Duration {
    let age = store.now.wall.since(quote.at).unwrap_or(STALE_AFTER);
    let second = Duration::from_secs(1);
    (second - Duration::from_millis(age.subsec_millis().into())).min(second)
}
