//! When the model next needs a moment of time; never, when nothing on the screen depends on it.

use std::time::Duration;

use super::layer::Layer;
use super::withdrawals::send::{Fee, SendQuestion};
use super::withdrawals::{Flow, QuoteState, guide};
use super::{Model, Pane, geometry, offers, seen};
use crate::trade::withdrawal::WithdrawalState;
use crate::trade::{Quote, STALE_AFTER, Withdrawal};

/// The time to the nearest deadline in the model; `None`: no timer at all.
pub fn pulse(model: &Model) -> Option<Duration> {
    let waits = model.layers.iter().filter_map(Layer::wait);
    let waits = waits.chain(model.domains.wait.filter(|_| model.pane == Pane::Domains));
    let next_second = waits.map(|wait| to_next_second(model, wait.since_ms));
    let steps = [
        of_flow(model),
        seen::until_press(model),
        countdown(model),
        windows_end(model),
        resend_step(model),
    ];
    next_second.chain(steps.into_iter().flatten()).min()
}

/// The moment from which the one that is seen may be sent again, and each second until then.
fn resend_step(model: &Model) -> Option<Duration> {
    let wait = offers::resend_wait(model, shown(model)?);
    let part = Duration::from_millis(wait.subsec_millis().into());
    let to_next_second = if part.is_zero() { Duration::from_secs(1) } else { part };
    (!wait.is_zero()).then_some(to_next_second)
}

/// The moment from which an open one cannot be sent again: every pane says that it is open.
fn windows_end(model: &Model) -> Option<Duration> {
    let open = model.withdrawals.open.iter();
    let unknown = open.filter(|withdrawal| model.state_of(withdrawal) == WithdrawalState::Unknown);
    let left = unknown
        .filter_map(|withdrawal| model.setup.window.left(&withdrawal.attempts, &model.now).ok());
    left.min().map(|left| left + Duration::from_millis(1))
}

/// Seconds are shown as whole ones: the next frame is due when the figure changes.
fn to_next_second(model: &Model, since_ms: u64) -> Duration {
    let passed = model.now.boot_ms.saturating_sub(since_ms);
    Duration::from_millis(1_000 - passed % 1_000)
}

fn of_flow(model: &Model) -> Option<Duration> {
    let now = &model.now;
    let until = |ms: u64| Duration::from_millis(ms.saturating_sub(now.boot_ms));
    let armed = |at: u64| Some(at).filter(|at| *at != u64::MAX && *at > now.boot_ms).map(until);
    let (draft, armed_at_ms) = match model.layers.last()? {
        Layer::NotPaid(statement) => return armed(statement.armed_at_ms),
        Layer::Ask(ask) => return armed(ask.armed_at_ms),
        Layer::MoneyLines(reading) => return armed(reading.armed_at_ms),
        Layer::Send(question) => return of_send(model, question, armed(question.armed_at_ms)),
        Layer::Withdraw(Flow::Form(draft)) => (&**draft, None),
        Layer::Withdraw(Flow::Review(review)) => (&review.draft, Some(review.armed_at_ms)),
        _ => return None,
    };
    let armed = armed_at_ms.and_then(armed);
    let quote = match &draft.quote {
        QuoteState::Due { at_ms, .. } => Some(until(*at_ms)),
        QuoteState::Asking { wait, .. } => Some(to_next_second(model, wait.since_ms)),
        QuoteState::Shown(quote) => Some(to_next_age(model, quote)),
        QuoteState::None | QuoteState::Failed { .. } => None,
    };
    [armed, quote].into_iter().flatten().min()
}

/// While the fee of what is to be sent is asked for, or its age is shown.
fn of_send(model: &Model, open: &SendQuestion, armed: Option<Duration>) -> Option<Duration> {
    let fee = match (&open.fee, open.standing()) {
        (Fee::Asking(wait), _) => Some(to_next_second(model, wait.since_ms)),
        (_, Some(quote)) if !open.may_have_left() => Some(to_next_age(model, quote)),
        _ => None,
    };
    [armed, fee].into_iter().flatten().min()
}

/// The age of a quote is shown in whole seconds, and it goes stale.
fn to_next_age(model: &Model, quote: &Quote) -> Duration {
    let age = model.now.wall.since(quote.at).unwrap_or(STALE_AFTER);
    let second = Duration::from_secs(1);
    (second - Duration::from_millis(age.subsec_millis().into())).min(second)
}

/// A window that is running out is counted down where it can be seen.
fn countdown(model: &Model) -> Option<Duration> {
    let shown = shown(model)?;
    if let (WithdrawalState::Sending(_), Some(last)) =
        (model.state_of(shown), shown.attempts.last())
    {
        // For how long it is being sent is shown too.
        return Some(to_next_second(model, last.began.boot_ms));
    }
    let left = offers::sends_left(model, shown)?;
    let begun = shown.attempts.iter().find(|attempt| attempt.counts())?;
    let end = left + Duration::from_millis(1);
    Some(to_next_second(model, begun.began.boot_ms).min(end))
}

/// The withdrawal whose details can be seen, also under a question, or beside the list.
fn shown(model: &Model) -> Option<&Withdrawal> {
    match model.layers.iter().rfind(|layer| !layer.floats()) {
        Some(
            Layer::Withdrawal(_)
            | Layer::Withdraw(Flow::Outcome(_))
            | Layer::Send(_)
            | Layer::Guide { .. },
        ) => guide::subject(model),
        Some(_) => None,
        None if model.pane == Pane::Withdrawals && geometry::has_aside(model) => {
            model.withdrawals.list.selected()
        }
        None => None,
    }
}
