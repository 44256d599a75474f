//! The banner, a line on every pane. It is shown while a withdrawal has no final outcome, or while
//! withdrawals are locked because of trouble with the journal. If there is no such withdrawal, it
//! is shown above lists that lack the rows of a lost history.

use std::time::Duration;

use crate::app::store::withdrawals::rules;
use crate::app::ui::bar::BAR_WIDTH;
use crate::app::ui::text::{align_right, columns, exactly, wrap};
use crate::app::ui::{Action, Area, Line, Page, Role};
use crate::app::ui::{geometry, symbols};
use crate::app::{Model, Pane};
use crate::trade::withdrawal::WithdrawalState;
use crate::trade::{Money, Withdrawal};
use crate::words::{Catalogue, dates};

/// The minimum gap between the banner's sentence and the remaining time, in columns.
const MIN_GAP: usize = 3;

/// Draws the banner. It begins with the symbol of the most urgent withdrawal state. If there is
/// room, it ends with a countdown that shows how long the withdrawal can still be resent.
pub fn draw(model: &Model, words: &Catalogue, area: Area, page: &mut Page) {
    let Some(text) = banner_text(model, words) else {
        return;
    };
    let symbol = most_urgent(model).map_or(symbols::CHECK, |state| symbols::withdrawal(&state));
    let width = usize::from(area.width);
    let rows = wrap(&text, width.saturating_sub(4));
    let time_width = width.saturating_sub(columns(&text) + MIN_GAP + 1);
    let time_left = resend_countdown(model, words, area.width)
        .map_or_else(Default::default, |time_left| {
            align_right(&time_left, time_width)
        });
    let first_mark = format!(" {} ", symbol.sign);
    let marks = std::iter::once(first_mark).chain(std::iter::repeat("   ".to_owned()));
    let role = if symbol == symbols::CONTRADICTS {
        Role::Alarm
    } else {
        Role::Banner
    };
    let rows = marks
        .zip(rows)
        .map(|(mark, row)| exactly(&format!("{mark}{row}{time_left}"), width))
        .map(|row| Line::of(role, row));
    page.put(rows.collect(), area);
}

/// The most urgent state of the open withdrawals (withdrawals without a final outcome).
fn most_urgent(model: &Model) -> Option<WithdrawalState> {
    model
        .withdrawals
        .open
        .iter()
        .map(|withdrawal| model.state_of(withdrawal))
        .max_by_key(|state| match state {
            WithdrawalState::Mismatch(_) => 3,
            WithdrawalState::NeedsPerson(_) => 2,
            WithdrawalState::Unknown => 1,
            _ => 0,
        })
}

/// A countdown (a bar and a time) that shows how long the only open withdrawal can still be resent.
/// Returns `None` if several are open, if no resend is allowed yet, or if there is no room.
fn resend_countdown(model: &Model, words: &Catalogue, width: u16) -> Option<String> {
    let [withdrawal] = model.withdrawals.open.as_slice() else {
        return None;
    };
    // After each send attempt, the program waits before it allows a resend.
    let may_resend = rules::resend_wait(&model.store, withdrawal).is_zero();
    if model.pane == Pane::Withdrawals || !may_resend {
        return None;
    }
    let bar = rules::window_bar(&model.store, withdrawal, BAR_WIDTH)?.concat();
    let time_left = rules::sends_left(&model.store, withdrawal).map(dates::spelled)?;
    let text = format!(
        "{bar}  {}",
        words.with("outcome-window", &[("left", &time_left)])
    );
    let used_width = columns(&banner_text(model, words)?) + 2 * MIN_GAP + 1;
    Some(text).filter(|text| columns(text) <= usize::from(width).saturating_sub(used_width))
}

/// The time until the banner's countdown changes; `None` if no countdown is shown.
pub fn next_deadline(model: &Model) -> Option<Duration> {
    resend_countdown(model, model.words(), model.size.columns)?;
    rules::next_countdown_change(&model.store, model.withdrawals.open.first()?)
}

fn banner_text(model: &Model, words: &Catalogue) -> Option<String> {
    let open = &model.withdrawals.open;
    let key = model.render_cx().first_key(Action::Withdrawals);
    match open.as_slice() {
        [] => {
            if model.withdrawals.trouble.is_some() {
                return Some(words.with("banner-locked", &[("key", key)]));
            }
            model.shown_lost_history()?;
            let key = model.render_cx().first_key(Action::Account);
            Some(words.with("banner-history", &[("key", key)]))
        }
        [withdrawal] => {
            let amount = withdrawal.agreement.amount.to_string();
            if model.withdrawals.is_on_own_page && model.size.columns < geometry::FULL_WIDTH {
                let state = model.state_word(withdrawal);
                let values = [("amount", &*amount), ("state", &*state)];
                return Some(words.with("banner-here", &values));
            }
            let id = banner_id(model, withdrawal);
            Some(words.with(id, &[("amount", &amount), ("key", key)]))
        }
        withdrawals => {
            let mut amounts = withdrawals
                .iter()
                .map(|withdrawal| withdrawal.agreement.amount);
            let sum = amounts.try_fold(Money::ZERO, Money::checked_add);
            let sum = sum.map(|sum| sum.to_string()).unwrap_or_default();
            // If several withdrawals are open, the banner describes the most urgent state among
            // them.
            let id = match most_urgent(model) {
                Some(WithdrawalState::Mismatch(_)) => "banner-many-mismatch",
                Some(WithdrawalState::NeedsPerson(_)) => "banner-many-person",
                _ => "banner-many",
            };
            Some(words.count(id, withdrawals.len() as u64, &[("sum", &sum), ("key", key)]))
        }
    }
}

fn banner_id(model: &Model, withdrawal: &Withdrawal) -> &'static str {
    match model.state_of(withdrawal) {
        WithdrawalState::Sending(_) if model.wait_for_team(withdrawal.agreement.key).is_some() => {
            "banner-sending-team"
        }
        WithdrawalState::Sending(_) if model.is_sent_elsewhere(withdrawal.agreement.key) => {
            "banner-sending-elsewhere"
        }
        WithdrawalState::Sending(_) => "banner-sending",
        WithdrawalState::NeedsPerson(_) => "banner-person",
        WithdrawalState::Mismatch(_) => "banner-mismatch",
        _ => "banner-unknown",
    }
}
