//! The details of a withdrawal: its state, every attempt, and the steps that are safe now.

use crate::app::Store;
use crate::app::screens::withdrawals::show::{attempts, facts, state, steps};
use crate::app::store::withdrawals::rules;
use crate::app::ui::action::Action;
use crate::app::ui::bar;
use crate::app::ui::lists::text_area;
use crate::app::ui::parts::{first_line, title, wrapped};
use crate::app::ui::scrolled::Text;
use crate::app::ui::text::{columns, wrap};
use crate::app::ui::{Area, Line, Page, Role, Span, mark};
use crate::trade::withdrawal::WithdrawalState;
use crate::trade::{Failure, Withdrawal};
use crate::words::dates;
use crate::words::failure::{self, Doing};

/// Draws everything that is known of a withdrawal.
pub fn draw(
    store: &Store,
    withdrawal: &Withdrawal,
    trouble: Option<&Failure>,
    area: Area,
    page: &mut Page,
) {
    let name = store.with("outcome-title", &[("amount", &withdrawal.agreement.amount.to_string())]);
    let aside = countdown(store, withdrawal, room_for(&name, area));
    title(&name, aside, area, page);
    let inner = text_area(area);
    let steps = steps::lines(store, withdrawal, usize::from(inner.width));
    let text = Text::new(body(store, withdrawal, trouble, steps, inner), inner);
    text.draw(store.reader(), page);
}

/// Draws the same without the steps: their keys mean other things while the list is in front.
pub fn beside(store: &Store, withdrawal: &Withdrawal, area: Area, page: &mut Page) {
    let key = store.setup.keys.keys(Action::Open).first().map(ToString::to_string);
    let more = store.with("outcome-open", &[("key", &key.unwrap_or_default())]);
    let inner = text_area(area);
    let steps = wrapped(Role::Dim, &more, usize::from(inner.width));
    let name = store.with("outcome-title", &[("amount", &withdrawal.agreement.amount.to_string())]);
    let countdown = countdown(store, withdrawal, room_for(&name, area));
    first_line(Line::of(Role::Dim, format!(" {name}")), countdown, area, page);
    let text = Text::new(body(store, withdrawal, None, steps, inner), inner);
    Text { down: Action::Open, ..text }.draw_from(0, store.reader(), page);
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
    let parts = Parts {
        head: head(store, withdrawal, trouble, inner),
        attempts_title: attempts::title(store, withdrawal),
        attempts: attempts::lines(store, withdrawal, width),
        steps,
        facts,
    };
    parts.fitted(store, usize::from(inner.height), width)
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
    inner: Area,
) -> Vec<Line> {
    let width = usize::from(inner.width);
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
        if usize::from(inner.height) >= ROOMY {
            lines.push(Line::default());
        }
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

/// From so many rows on the parts stand apart; in fewer each row is needed for words.
const ROOMY: usize = 12;

/// The parts below each other; what has no room is below, where a sign says that there is more.
struct Parts {
    head: Vec<Line>,
    attempts_title: String,
    attempts: Vec<Vec<Line>>,
    steps: Vec<Line>,
    facts: Vec<Line>,
}

impl Parts {
    fn fitted(self, store: &Store, rows: usize, width: usize) -> Vec<Line> {
        let gap = usize::from(rows >= ROOMY);
        let Parts { mut head, attempts_title, attempts, steps, facts } = self;
        let least = attempts.last().map_or(0, Vec::len) + usize::from(attempts.len() > 1);
        let sent: usize = attempts.iter().map(Vec::len).sum();
        // All but the attempts, the blank rows and the heading among them.
        let before_facts = |head: usize| head + gap + steps.len() + 2 * gap;
        let whole = |head: usize| before_facts(head) + sent + gap + facts.len();
        let tight = head.iter().filter(|line| line.width() > 0).count();
        let pushes_out =
            |rows_of: &dyn Fn(usize) -> usize| rows_of(head.len()) > rows && rows_of(tight) <= rows;
        // What can be done now, and the last of the facts, are worth more than air.
        if pushes_out(&whole) || pushes_out(&|head| before_facts(head) + least + 1) {
            head.retain(|line| line.width() > 0);
        }
        let steps_end = before_facts(head.len());
        let all = steps_end + gap + facts.len();
        let room = match rows.checked_sub(all).filter(|room| *room >= least) {
            Some(room) => room,
            // Then what can be done now stays in sight, above the sign that there is more.
            None => rows.saturating_sub(steps_end + 1),
        };
        let mut parts = vec![head];
        if !attempts.is_empty() {
            let mut shown = last(store, attempts, room, width);
            if gap > 0 {
                shown.insert(0, Line::of(Role::Strong, attempts_title));
            }
            parts.push(shown);
        }
        parts.extend([steps, facts]);
        parts.retain(|part| !part.is_empty());
        parts.join(&vec![Line::default(); gap][..])
    }
}

/// The last attempts, as many as have room, with a word where earlier ones are not here: they have
/// a screen of their own.
fn last(store: &Store, mut attempts: Vec<Vec<Line>>, room: usize, width: usize) -> Vec<Line> {
    let rows: usize = attempts.iter().map(Vec::len).sum();
    let mut left = if rows > room { room.saturating_sub(1) } else { room };
    let fits = |attempt: &&Vec<Line>| {
        let has_room = attempt.len() <= left;
        left = left.saturating_sub(attempt.len());
        has_room
    };
    let shown = attempts.iter().rev().take_while(fits).count().max(1);
    let shown = attempts.split_off(attempts.len() - shown);
    [hidden(store, attempts.len(), width), shown.concat()].concat()
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
