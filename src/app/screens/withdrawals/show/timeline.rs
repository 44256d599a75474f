//! Draws the history of a withdrawal from top to bottom, beside its details: each attempt with its
//! times and what its result proves, the time in which it can be sent again, and the outcome.

use super::attempts::{heading, proof_and_symbol, result_with_quotes};
use super::outcome::hidden_count_lines;
use crate::app::Store;
use crate::app::store::withdrawals::rules;
use crate::app::ui::panel::put_divider;
use crate::app::ui::parts::{put, wrapped};
use crate::app::ui::symbols::{self, Symbol};
use crate::app::ui::text::exactly;
use crate::app::ui::{Action, Area, Line, Page, Role, Span};
use crate::trade::withdrawal::WithdrawalState;
use crate::trade::{Wall, Withdrawal};

/// The width of an event's time, and of its symbol, with the gaps after them.
const TIME_WIDTH: usize = 9;
const SYMBOL_WIDTH: usize = 3;

/// The number of events of each attempt: its beginning and its result.
const ATTEMPT_EVENTS: usize = 2;

/// The symbol of the present, if the withdrawal can be sent again.
const NOW: Symbol = Symbol {
    sign: "●",
    role: Role::Accent,
    is_heavy: false,
};

/// A point on the timeline. Its texts are below each other.
struct Event {
    at: Option<Wall>,
    symbol: Symbol,
    texts: Vec<(Role, String)>,
}

/// Draws the timeline. If there are too few rows, leaves out the first attempts.
pub fn draw(store: &Store, withdrawal: &Withdrawal, panel: Area, page: &mut Page) {
    put_divider(panel, page);
    let inner = panel.narrowed(1);
    let title = Line::of(Role::Dim, heading(store, withdrawal));
    put(vec![title], inner, page);
    let inner = inner.split_top(2).1;
    let width = usize::from(inner.width);
    let count = withdrawal.attempts.len();
    let mut events: Vec<_> = (0..count)
        .flat_map(|index| attempt_events(store, withdrawal, index))
        .collect();
    events.extend(last_events(store, withdrawal));
    let mut lines = (0..count).map(|hidden| {
        let mut lines = hidden_count_lines(store, hidden, width);
        lines.extend(event_lines(
            store,
            &events[hidden * ATTEMPT_EVENTS..],
            width,
        ));
        lines
    });
    let lines = lines.find(|lines| lines.len() <= usize::from(inner.height));
    put(lines.unwrap_or_default(), inner, page);
}

fn attempt_events(store: &Store, withdrawal: &Withdrawal, index: usize) -> [Event; ATTEMPT_EVENTS] {
    let attempt = &withdrawal.attempts[index];
    let number = store.with("timeline-attempt", &[("n", &attempt.n.to_string())]);
    let (proof, symbol) = proof_and_symbol(store, withdrawal, index);
    let result = result_with_quotes(store, withdrawal, attempt);
    [
        Event {
            at: Some(attempt.began.wall),
            symbol: symbols::PREPARED,
            texts: vec![(Role::Text, number)],
        },
        Event {
            at: attempt.end.as_ref().map(|end| end.at),
            symbol,
            texts: vec![(Role::Text, result), (symbol.role, proof)],
        },
    ]
}

/// The events after the last attempt: from when and until when the withdrawal can be sent again, or
/// its outcome. The text names the day of an event that is not on the day of the last attempt.
fn last_events(store: &Store, withdrawal: &Withdrawal) -> Vec<Event> {
    let render = store.render_cx();
    let last_attempt = withdrawal.attempts.last();
    let last_day = last_attempt.map(|attempt| render.day_of(attempt.began.wall));
    let event = |at: Option<Wall>, symbol: Symbol, id| {
        let mut text = store.text(id);
        let day = at.map(|at| render.day_of(at));
        if let Some(day) = day.filter(|day| Some(day) != last_day.as_ref()) {
            text = format!("{text} ({day})");
        }
        Event {
            at,
            symbol,
            texts: vec![(symbol.role, text)],
        }
    };
    let now = store.now.wall;
    if let Some(left) = rules::sends_left(store, withdrawal) {
        let wait = rules::send_wait(store, withdrawal).filter(|wait| *wait < left);
        let may_send = rules::send_action(store, withdrawal) == Some(Action::Send);
        let from = match wait {
            Some(wait) => Some(event(
                Some(now.plus(wait)),
                symbols::PREPARED,
                "timeline-from",
            )),
            None => may_send.then(|| event(None, NOW, "timeline-now")),
        };
        let from = from.filter(|_| !store.setup.read_only);
        let until = event(Some(now.plus(left)), symbols::DROPPED, "timeline-until");
        return from.into_iter().chain([until]).collect();
    }
    let state = store.state_of(withdrawal);
    if matches!(
        state,
        WithdrawalState::Prepared | WithdrawalState::Sending(_) | WithdrawalState::Unknown
    ) {
        return vec![];
    }
    let symbol = symbols::withdrawal(&state);
    let mut texts = vec![(symbol.role, store.state_word(withdrawal))];
    let count = withdrawal.attempts.len();
    if state == WithdrawalState::Accepted && count > 1 {
        let once = store.with("timeline-once", &[("n", &count.to_string())]);
        texts.push((Role::Text, once));
    }
    let at = None;
    vec![Event { at, symbol, texts }]
}

/// The lines of the events, with a vertical line from each symbol to the next.
fn event_lines(store: &Store, events: &[Event], width: usize) -> Vec<Line> {
    let mut lines = vec![];
    for (n, Event { at, symbol, texts }) in events.iter().enumerate() {
        let is_last = n + 1 == events.len();
        let time = at.map(|at| store.render_cx().time_exact(at));
        let mut prefix = [
            Span::of(Role::Dim, exactly(&time.unwrap_or_default(), TIME_WIDTH)),
            symbol.span(exactly(store.words().sign(symbol.sign), SYMBOL_WIDTH)),
        ];
        let room = width.saturating_sub(TIME_WIDTH + SYMBOL_WIDTH);
        let mut rows: Vec<_> = texts
            .iter()
            .flat_map(|(role, text)| wrapped(*role, text, room))
            .collect();
        rows.extend((!is_last).then(Line::default));
        for row in rows {
            lines.push(Line::from([&prefix[..], &row.spans[..]].concat()));
            let connector = if is_last { "" } else { "│" };
            prefix = [
                Span::plain(" ".repeat(TIME_WIDTH)),
                Span::of(Role::Rule, exactly(connector, SYMBOL_WIDTH)),
            ];
        }
    }
    lines
}
