//! Withdrawals: the pane, and the details of one.

use ratatui::Frame;
use ratatui::text::Line;

use super::flow::{self, facts, state};
use super::parts::{self, put, row, wrapped};
use super::scrolled::Text;
use super::text::{columns, exactly, fit, right};
use super::{Look, Role, dates, lists, locked};
use crate::app::action::Action;
use crate::app::geometry::{self, Area, Group, ListLine};
use crate::app::{Model, offers, scroll};
use crate::trade::Withdrawal;
use crate::trade::withdrawal::WithdrawalState;

/// Rows of the list that stay above what is said while withdrawals are locked.
const ROWS_KEPT: u16 = 2;

/// The least columns of a state's word and its sign.
const STATE: usize = 25;

/// Draws the pane.
pub(super) fn pane(model: &Model, look: &Look, scroll: u16, area: Area, frame: &mut Frame) {
    let areas = geometry::pane(model, area);
    let list = &model.withdrawals.list;
    let count = lists::count(look, list, "withdrawals-count");
    parts::search(look, &list.query, list.searching, &count, areas.top, frame);
    if list.page.total == 0 {
        match locked_text(model, look, area) {
            Some(text) => text.draw(model, look, scroll, frame),
            None => empty(model, look, areas.list, frame),
        }
        return;
    }
    put(rows(model, look, areas.list), areas.list, frame);
    if let (Some(aside), Some(selected)) = (areas.aside, list.selected()) {
        flow::beside(model, look, selected, aside.without_right(1), frame);
    }
    if let Some(text) = locked_text(model, look, area) {
        let foot = areas.list.split_bottom(text.area.height + 1).1;
        frame.render_widget(ratatui::widgets::Clear, ratatui::layout::Rect::from(foot));
        parts::rule(look, foot.row(0), frame);
        text.draw(model, look, scroll, frame);
    }
}

/// What is said while withdrawals are locked, or no new one is begun: below the rows, or in their
/// place where there are none.
pub(super) fn locked_text(model: &Model, look: &Look, area: Area) -> Option<Text> {
    if !scroll::is_locked(model) {
        return None;
    }
    let list = geometry::pane(model, area).list;
    if model.withdrawals.list.page.total == 0 {
        let inner = list.narrowed(2).split_top(1).1;
        let said = locked::lines(model, look, usize::from(inner.width));
        return Some(Text::new(said, inner));
    }
    let said = locked::lines(model, look, usize::from(list.width).saturating_sub(2));
    // The rows under the cursor stay in sight above it.
    let most = list.height.saturating_sub(ROWS_KEPT);
    let rows = u16::try_from(said.len() + 1).unwrap_or(u16::MAX).min(most);
    let inner = list.split_bottom(rows).1.split_top(1).1.narrowed(1);
    Some(Text { down: Action::PageDown, ..Text::new(said, inner) })
}

/// One withdrawal.
pub(super) fn details(
    model: &Model,
    look: &Look,
    withdrawal: &Withdrawal,
    scroll: u16,
    area: Area,
    frame: &mut Frame,
) {
    flow::details(model, look, withdrawal, scroll, area, frame);
}

fn rows(model: &Model, look: &Look, area: Area) -> Vec<Line<'static>> {
    let list = &model.withdrawals.list;
    let lines = geometry::list_lines(model, area.height);
    let amount = |withdrawal: &Withdrawal| withdrawal.agreement.amount.to_string();
    let shown = lines.iter().filter_map(|line| match line {
        ListLine::Row(n) => lists::row_at(list, *n),
        ListLine::Day(_) | ListLine::Group(_) => None,
    });
    let shown: Vec<_> = shown.collect();
    let money = shown.iter().map(|one| columns(&amount(one))).max().unwrap_or(0);
    let times = shown.iter().map(|one| columns(&when(model, look, one)));
    let time = times.max().unwrap_or(0) + 2;
    let width = usize::from(area.width);
    let state_of = |one: &Withdrawal| marked(&model.state_of(one), &model.state_word(one));
    let states = shown.iter().map(|one| columns(&state_of(one)));
    let states = states.max().unwrap_or(0).max(STATE);
    let row = |n: u64, one: &Withdrawal| {
        let state = model.state_of(one);
        let room = width.saturating_sub(1 + time + money + 2 + 1 + states + 1);
        let to = facts::destination_text(look, one.agreement.destination.as_ref());
        let left = width.saturating_sub(1 + time + money + 2 + room + 1).min(states);
        let spans = vec![
            look.span(Role::Dim, exactly(&when(model, look, one), time)),
            look.span(Role::Money, right(&amount(one), money)),
            look.span(Role::Text, format!("  {} ", exactly(&to, room))),
            look.span(state::role(&state), fit(&state_of(one), left)),
        ];
        row(look, n == list.cursor, spans)
    };
    let line = |line: &ListLine| match line {
        ListLine::Row(n) => lists::row_at(list, *n).map(|one| row(*n, one)),
        ListLine::Group(of) => Some(group(look, *of, width)),
        ListLine::Day(_) => None,
    };
    lines.iter().map(|shown| line(shown).unwrap_or_default()).collect()
}

/// What the rows below have in common, and at the right what that means for the money.
fn group(look: &Look, group: Group, width: usize) -> Line<'static> {
    let (name, role, meaning) = match group {
        Group::Open => ("group-open", Role::Warn, Some("group-open-money")),
        Group::Prepared => ("group-prepared", Role::Strong, Some("group-prepared-money")),
        Group::Decided => ("group-decided", Role::Strong, None),
    };
    let name = look.say(name);
    let room = width.saturating_sub(columns(&name) + 2);
    let meaning = meaning.map(|id| look.say(id)).unwrap_or_default();
    Line::from(vec![
        look.span(role, format!(" {name}")),
        look.span(Role::Dim, right(&fit(&meaning, room), room)),
    ])
}

fn when(model: &Model, look: &Look, withdrawal: &Withdrawal) -> String {
    let at = withdrawal.agreement.agreed.wall;
    format!("{}, {}", dates::day_of(model, look, at), dates::time(model, at))
}

/// The word of a state behind a sign that can be found without reading.
fn marked(state: &WithdrawalState, word: &str) -> String {
    let sign = match state {
        state if state.is_open() => "!",
        WithdrawalState::Prepared => "○",
        WithdrawalState::Accepted | WithdrawalState::ResolvedPaid => "✓",
        _ => "–",
    };
    format!("{sign} {word}")
}

fn empty(model: &Model, look: &Look, area: Area, frame: &mut Frame) {
    let list = &model.withdrawals.list;
    let inner = area.narrowed(2).split_top(1).1;
    let width = usize::from(inner.width);
    let lines = if !list.loaded {
        wrapped(look, Role::Dim, &look.say("links-not-loaded"), width)
    } else if !list.query.value().is_empty() {
        lists::none_found(look, "withdrawals-none-found", list.query.value(), width)
    } else {
        let key = offers::can_withdraw(model).then_some(Action::New);
        let words = ["withdrawals-empty-title", "withdrawals-empty-hint", "withdrawals-empty-key"];
        lists::invitation(model, look, words, key, width)
    };
    put(lines, inner, frame);
}
