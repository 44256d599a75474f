//! The banner, a line on every pane. It is shown while a withdrawal has no final outcome, or while
//! withdrawals are locked because of trouble with the journal.

use std::time::Duration;

use crate::app::store::withdrawals::rules;
use crate::app::ui::bar::BAR;
use crate::app::ui::symbols;
use crate::app::ui::text::{columns, exactly, right, wrap};
use crate::app::ui::{Action, Area, Line, Page, Role};
use crate::app::{Model, Pane};
use crate::trade::withdrawal::WithdrawalState;
use crate::trade::{Money, Withdrawal};
use crate::words::{Catalogue, dates};

/// The minimum gap between the banner's sentence and the remaining time, in columns.
const GAP: usize = 3;

/// Draws the banner. It begins with the symbol of the most urgent withdrawal state. If there is
/// room, it ends with the time left to resend the withdrawal.
pub fn draw(model: &Model, say: &Catalogue, area: Area, page: &mut Page) {
    let Some(text) = banner_text(model, say) else { return };
    let mark = most_urgent(model).map_or(symbols::CHECK, |state| symbols::withdrawal(&state));
    let width = usize::from(area.width);
    let rows = wrap(&text, width.saturating_sub(4));
    let room = width.saturating_sub(columns(&text) + GAP + 1);
    let left =
        window(model, say, area.width).map_or_else(Default::default, |left| right(&left, room));
    let first = format!(" {} ", mark.sign);
    let marks = std::iter::once(first).chain(std::iter::repeat("   ".to_owned()));
    let row = |(mark, row): (String, String)| exactly(&format!("{mark}{row}{left}"), width);
    let role = if mark == symbols::CONTRADICTS { Role::Alarm } else { Role::Banner };
    let rows = marks.zip(rows).map(row).map(|row| Line::of(role, row));
    page.put(rows.collect(), area);
}

/// Returns the most urgent state of the open withdrawals (withdrawals without a final outcome).
fn most_urgent(model: &Model) -> Option<WithdrawalState> {
    let urgency = |state: &WithdrawalState| match state {
        WithdrawalState::Mismatch(_) => 3,
        WithdrawalState::NeedsPerson(_) => 2,
        WithdrawalState::Unknown => 1,
        _ => 0,
    };
    model.withdrawals.open.iter().map(|one| model.state_of(one)).max_by_key(urgency)
}

/// Returns a progress bar and the time left to send the only open withdrawal again. Returns `None`
/// if several withdrawals are open, if no resend is allowed yet, or if there is no room.
fn window(model: &Model, say: &Catalogue, width: u16) -> Option<String> {
    let [one] = model.withdrawals.open.as_slice() else { return None };
    // After each send attempt, the program waits some time before it allows a resend.
    let may_now = rules::resend_wait(&model.store, one).is_zero();
    if model.pane == Pane::Withdrawals || !may_now {
        return None;
    }
    let bar = rules::window_bar(&model.store, one, BAR)?.concat();
    let left = rules::sends_left(&model.store, one).map(dates::minutes)?;
    let said = format!("{bar}  {}", say.with("outcome-window", &[("left", &left)]));
    let used = columns(&banner_text(model, say)?) + 2 * GAP + 1;
    Some(said).filter(|said| columns(said) <= usize::from(width).saturating_sub(used))
}

/// Returns the time until the banner's countdown changes; `None` if no countdown is shown.
pub fn next_deadline(model: &Model) -> Option<Duration> {
    window(model, model.words(), model.size.columns)?;
    rules::next_countdown_change(&model.store, model.withdrawals.open.first()?)
}

fn banner_text(model: &Model, say: &Catalogue) -> Option<String> {
    let open = &model.withdrawals.open;
    let key = model.render_cx().first_key(Action::Withdrawals);
    match open.as_slice() {
        [] => {
            model.withdrawals.trouble.as_ref()?;
            Some(say.with("banner-locked", &[("key", key)]))
        }
        [one] => {
            let amount = one.agreement.amount.to_string();
            let id = banner_id(model, one);
            Some(say.with(id, &[("amount", &amount), ("key", key)]))
        }
        many => {
            let mut amounts = many.iter().map(|one| one.agreement.amount);
            let sum = amounts.try_fold(Money::ZERO, Money::checked_add);
            let sum = sum.map(|sum| sum.to_string()).unwrap_or_default();
            // If several withdrawals are open, the banner describes the most urgent state among
            // them.
            let id = match most_urgent(model) {
                Some(WithdrawalState::Mismatch(_)) => "banner-many-mismatch",
                Some(WithdrawalState::NeedsPerson(_)) => "banner-many-person",
                _ => "banner-many",
            };
            Some(say.count(id, many.len() as u64, &[("sum", &sum), ("key", key)]))
        }
    }
}

fn banner_id(model: &Model, one: &Withdrawal) -> &'static str {
    match model.state_of(one) {
        WithdrawalState::Sending(_) if model.is_sent_elsewhere(one.agreement.key) => {
            "banner-sending-elsewhere"
        }
        WithdrawalState::Sending(_) => "banner-sending",
        WithdrawalState::NeedsPerson(_) => "banner-person",
        WithdrawalState::Mismatch(_) => "banner-mismatch",
        _ => "banner-unknown",
    }
}
