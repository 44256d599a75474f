//! The details of a withdrawal: its state, every attempt, and the steps that are safe now.

use crate::app::Store;
use crate::app::screens::withdrawals::show::{attempts, facts, state, steps};
use crate::app::store::withdrawals::rules;
use crate::app::ui::action::Action;
use crate::app::ui::bar;
use crate::app::ui::block::{self, Block};
use crate::app::ui::lists::{Look, text_area};
use crate::app::ui::parts::wrapped;
use crate::app::ui::scrolled::Text;
use crate::app::ui::text::{columns, wrap};
use crate::app::ui::{Area, Line, Page, Role, Span, mark};
use crate::trade::withdrawal::WithdrawalState;
use crate::trade::{Failure, Withdrawal};
use crate::words::dates;
use crate::words::failure::{self, Doing};

/// Draws everything that is known of a withdrawal; beside the list without the steps, whose keys
/// mean other things while that is in front.
pub fn draw(
    store: &Store,
    withdrawal: &Withdrawal,
    trouble: Option<&Failure>,
    (area, look): (Area, Look),
    page: &mut Page,
) {
    let name = store.with("outcome-title", &[("amount", &withdrawal.agreement.amount.to_string())]);
    look.title(&name, countdown(store, withdrawal, room_for(&name, area)), area, page);
    let inner = text_area(area);
    let width = usize::from(inner.width);
    let steps = match look {
        Look::Entered => steps::lines(store, withdrawal, width),
        Look::Beside => {
            let open = store.reader().with_key("outcome-open", Action::Open);
            wrapped(Role::Dim, &open, width)
        }
    };
    look.text(
        Text::new(body(store, withdrawal, trouble, steps, inner), inner),
        store.reader(),
        page,
    );
}

fn body(
    store: &Store,
    withdrawal: &Withdrawal,
    trouble: Option<&Failure>,
    steps: Vec<Line>,
    inner: Area,
) -> Vec<Line> {
    let width = usize::from(inner.width);
    let mut facts = facts::asked(store, &withdrawal.agreement, width);
    facts.extend(facts::account(store, withdrawal, width));
    facts.extend(facts::known(store.words(), withdrawal, width));
    facts.extend(facts::arrival(store, withdrawal, width));
    // The empty rows above the attempts and above the steps never give way.
    let apart = |lines: Vec<Line>| [vec![Line::default()], lines].concat();
    let attempts = attempts(store, withdrawal, width).into_iter().map(apart).collect();
    let parts = [
        Block::new(head(store, withdrawal, trouble, width)).close(),
        Block { alternatives: attempts, ..Block::new(vec![]).close() },
        Block::new(apart(steps)).close(),
        Block::new(facts),
    ];
    block::text(parts.into(), usize::from(inner.height))
}

/// Returns the columns beside a title, and those of the empty row below it, where what has no room
/// beside it stands.
pub fn room_for(title: &str, area: Area) -> [usize; 2] {
    let width = usize::from(area.width);
    let below = if area.height > 1 { width.saturating_sub(2) } else { 0 };
    [width.saturating_sub(columns(title) + 5), below]
}

/// Lays out the time at the right of the title: how long it is being sent, how long a further send
/// is safe, or from when on it is; where the room has it, the window as a bar that shrinks.
pub fn countdown(store: &Store, withdrawal: &Withdrawal, room: [usize; 2]) -> Line {
    if let (WithdrawalState::Sending(_), Some(last)) =
        (store.state_of(withdrawal), withdrawal.attempts.last())
    {
        let since = store.now.boot_ms.saturating_sub(last.began.boot_ms) / 1_000;
        return Line::of(Role::Dim, state::elapsed(store, since));
    }
    let Some(left) = time_left(store, withdrawal) else { return Line::default() };
    let waits = rules::throttled_until(withdrawal)
        .and_then(|until| until.since(store.now.wall))
        .filter(|wait| !wait.is_zero());
    match waits {
        // By then it would be too late.
        Some(wait) if rules::sends_left(store, withdrawal).is_none_or(|left| wait > left) => {
            Line::default()
        }
        Some(wait) => {
            let wait = dates::minutes_left(wait);
            Line::of(Role::Strong, store.with("outcome-wait", &[("left", &wait)]))
        }
        None if !rules::resend_wait(store, withdrawal).is_zero() => {
            let wait = dates::minutes_left(rules::resend_wait(store, withdrawal));
            Line::of(Role::Strong, store.with("outcome-wait-again", &[("left", &wait)]))
        }
        None => {
            let again = store.state_of(withdrawal) != WithdrawalState::Prepared;
            let id = if again { "outcome-window" } else { "outcome-window-send" };
            with_bar(store, withdrawal, store.with(id, &[("left", &left)]), room)
        }
    }
}

/// A sentence about the window behind its bar, which takes the room that there is.
fn with_bar(
    store: &Store,
    withdrawal: &Withdrawal,
    said: String,
    [beside, below]: [usize; 2],
) -> Line {
    let wide = columns(&said);
    let fitting = |room: usize| bar::fitting(room.saturating_sub(wide + 2));
    let cells = fitting(beside).or_else(|| fitting(below));
    let bar = cells.and_then(|cells| rules::window_bar(store, withdrawal, cells));
    let mut line = Line::default();
    if let Some(bar) = bar {
        line.spans.extend(bar::spans(bar));
        line.push(Span::plain("  "));
    }
    line.push(Span::of(Role::Strong, said));
    line
}

/// `07:12`: how long a further send is safe, where one may be needed.
pub fn time_left(store: &Store, withdrawal: &Withdrawal) -> Option<String> {
    rules::sends_left(store, withdrawal).map(dates::minutes)
}

/// The state in one word, and what it means for the money.
fn head(
    store: &Store,
    withdrawal: &Withdrawal,
    trouble: Option<&Failure>,
    width: usize,
) -> Vec<Line> {
    let state = store.state_of(withdrawal);
    let mark = mark::withdrawal(&state);
    let word = mark.said(&store.state_word(withdrawal).to_uppercase());
    let word = wrap(&word, width).into_iter();
    let mut lines: Vec<Line> = word.map(|line| mark.span(line).into()).collect();
    let is_mismatch = matches!(state, WithdrawalState::Mismatch(_));
    let first = if is_mismatch { Role::Bad } else { Role::Strong };
    for (n, sentence) in state::said(store, withdrawal).iter().enumerate() {
        let role = if n == 0 { first } else { Role::Text };
        lines.extend(wrapped(role, sentence, width));
    }
    let is_resolved =
        matches!(state, WithdrawalState::ResolvedPaid | WithdrawalState::ResolvedNotPaid);
    if let Some(alarm) = withdrawal.contradiction().filter(|_| is_mismatch || is_resolved) {
        lines.extend(state::contradiction(store.words(), alarm, width));
    }
    let locked = store.withdrawals.trouble.clone().map(Failure::Journal);
    if let Some(failure) = trouble.or(locked.as_ref()) {
        let told = failure::describe(store.words(), failure, Doing::Withdrawal);
        // Of the money speaks the state; a second sentence about it could contradict the first.
        lines.extend(wrapped(Role::Bad, &told.what, width));
        lines.extend(wrapped(Role::Text, &told.next, width));
    }
    lines
}

/// The most attempts that are shown where not all have room.
const MOST: usize = 8;

/// All attempts below their heading, and what is shown where they have no room: fewer and fewer of
/// the last ones, with a word for the earlier ones, which have a screen of their own.
fn attempts(store: &Store, withdrawal: &Withdrawal, width: usize) -> Vec<Vec<Line>> {
    let all = attempts::lines(store, withdrawal, width);
    let title = Line::of(Role::Strong, attempts::title(store, withdrawal));
    let last = |count: usize| {
        let earlier = all.len() - count;
        let lines = [hidden(store, earlier, width), all[earlier..].concat()].concat();
        std::iter::once(title.clone()).chain(lines).collect()
    };
    if all.is_empty() {
        return vec![];
    }
    let whole = last(all.len());
    let fewer = (1..all.len()).rev().skip_while(|count| *count > MOST).map(last);
    // The word for one attempt takes no less room than the attempt.
    let fewer = fewer.filter(|lines: &Vec<Line>| lines.len() < whole.len()).collect();
    [vec![whole.clone()], fewer].concat()
}

/// Says how many attempts are not shown here, and the key that shows them.
fn hidden(store: &Store, count: usize, width: usize) -> Vec<Line> {
    if count == 0 {
        return Vec::new();
    }
    let key = store.reader().first_key(Action::Open);
    let text = store.words().count("outcome-attempts-hidden", count as u64, &[("key", key)]);
    wrapped(Role::Dim, &text, width)
}
