//! Draws the details of a withdrawal: its state, all send attempts, and the next steps that are
//! safe.

use crate::app::Store;
use crate::app::screens::withdrawals::show::{attempts, facts};
use crate::app::store::withdrawals::rules::{self, SendBlocker};
use crate::app::ui::action::Action;
use crate::app::ui::block::{self, Block};
use crate::app::ui::list_pane::{Look, text_area};
use crate::app::ui::parts::wrapped;
use crate::app::ui::scrolled::Text;
use crate::app::ui::text::{columns, exactly, wrap};
use crate::app::ui::{Area, Line, Page, Role, Span, bar, symbols};
use crate::trade::withdrawal::{Alarm, Attempt, Class, NoSend, WhyPerson, WithdrawalState};
use crate::trade::{ClockDoubt, Failure, Wall, Withdrawal};
use crate::words::failure::{self, Activity};
use crate::words::{self, Catalogue, dates};

/// Draws everything that is known about a withdrawal. Beside the list, the next steps are omitted,
/// because their keys would act on the list.
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
        Look::Entered => steps(store, withdrawal, width),
        Look::Beside => {
            let open = store.render_cx().with_key("outcome-open", Action::Open);
            wrapped(Role::Dim, &open, width)
        }
    };
    look.text(
        Text::new(body(store, withdrawal, trouble, steps, inner), inner),
        store.render_cx(),
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
    // Add the empty row to the block itself, so that the row is kept when space is short.
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

/// Returns the number of free columns beside the title, and in the row below the title.
pub fn room_for(title: &str, area: Area) -> [usize; 2] {
    let width = usize::from(area.width);
    let below = if area.height > 1 { width.saturating_sub(2) } else { 0 };
    [width.saturating_sub(columns(title) + 5), below]
}

/// Lays out the time beside the title: how long the send has been running, how long to wait, or how
/// long a resend stays safe. If there is room, a bar shrinks with the time that is left.
pub fn countdown(store: &Store, withdrawal: &Withdrawal, room: [usize; 2]) -> Line {
    if let (WithdrawalState::Sending(_), Some(last)) =
        (store.state_of(withdrawal), withdrawal.attempts.last())
    {
        let since = store.now.boot_ms.saturating_sub(last.began.boot_ms) / 1_000;
        return Line::of(Role::Dim, elapsed(store, since));
    }
    let Some(left) = rules::sends_left(store, withdrawal) else { return Line::default() };
    let again = rules::resend_wait(store, withdrawal);
    let waits = rules::throttled_until(withdrawal)
        .and_then(|until| until.since(store.now.wall))
        .filter(|wait| !wait.is_zero());
    match waits {
        // When the wait ends, sending will no longer be safe, so show no time.
        Some(wait) if wait > left => Line::default(),
        Some(wait) => {
            let wait = dates::minutes_left(wait);
            Line::of(Role::Strong, store.with("outcome-wait", &[("left", &wait)]))
        }
        None if !again.is_zero() => {
            let wait = dates::minutes_left(again);
            Line::of(Role::Strong, store.with("outcome-wait-again", &[("left", &wait)]))
        }
        None => {
            let id = match store.state_of(withdrawal) {
                WithdrawalState::Prepared => "outcome-window-send",
                _ => "outcome-window",
            };
            let said = store.with(id, &[("left", &dates::minutes(left))]);
            with_bar(store, withdrawal, said, room)
        }
    }
}

/// Lays out the text about the remaining time, with a bar in the remaining columns.
fn with_bar(
    store: &Store,
    withdrawal: &Withdrawal,
    said: String,
    [beside, below]: [usize; 2],
) -> Line {
    let wide = columns(&said);
    let fitting = |room: usize| bar::bar_width(room.saturating_sub(wide + 2));
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

/// Lays out the withdrawal's state in capital letters, what it means for the money, and the
/// failure.
fn head(
    store: &Store,
    withdrawal: &Withdrawal,
    trouble: Option<&Failure>,
    width: usize,
) -> Vec<Line> {
    let state = store.state_of(withdrawal);
    let mark = symbols::withdrawal(&state);
    let word = mark.said(store.words(), &store.state_word(withdrawal).to_uppercase());
    let word = wrap(&word, width).into_iter();
    let mut lines: Vec<Line> = word.map(|line| mark.span(line).into()).collect();
    let is_mismatch = matches!(state, WithdrawalState::Mismatch(_));
    let first = if is_mismatch { Role::Bad } else { Role::Strong };
    for (n, sentence) in said(store, withdrawal).iter().enumerate() {
        let role = if n == 0 { first } else { Role::Text };
        lines.extend(wrapped(role, sentence, width));
    }
    let is_resolved =
        matches!(state, WithdrawalState::ResolvedPaid | WithdrawalState::ResolvedNotPaid);
    if let Some(alarm) = withdrawal.contradiction().filter(|_| is_mismatch || is_resolved) {
        lines.extend(contradiction(store.words(), alarm, width));
    }
    let locked = store.withdrawals.trouble.clone().map(Failure::Journal);
    if let Some(failure) = trouble.or(locked.as_ref()) {
        let told = failure::describe(store.words(), failure, Activity::Withdrawal);
        // The state already explains what happened to the money. The failure's own sentence about
        // the money could contradict it, so leave it out.
        lines.extend(wrapped(Role::Bad, &told.what, width));
        lines.extend(wrapped(Role::Text, &told.next, width));
    }
    lines
}

/// The maximum number of send attempts that are shown if not all of them fit.
const MOST: usize = 8;

/// Returns the list of send attempts with its heading. It is followed by shorter variants, which
/// show only the last attempts and count the others.
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
    // Hiding a single send attempt saves nothing, because the line that counts it is as long as the
    // attempt.
    let fewer = fewer.filter(|lines: &Vec<Line>| lines.len() < whole.len()).collect();
    [vec![whole.clone()], fewer].concat()
}

/// Lays out how many send attempts are hidden, and the key that shows all of them.
fn hidden(store: &Store, count: usize, width: usize) -> Vec<Line> {
    if count == 0 {
        return Vec::new();
    }
    let key = store.render_cx().first_key(Action::Open);
    let text = store.words().count("outcome-attempts-hidden", count as u64, &[("key", key)]);
    wrapped(Role::Dim, &text, width)
}

/// Returns sentences about what the withdrawal's state means for the money, the most important
/// first.
fn said(store: &Store, withdrawal: &Withdrawal) -> Vec<String> {
    let is_alone = !store.is_another_open(Some(withdrawal.agreement.key));
    let when = |id: &str| {
        let at = withdrawal.decision.map_or(Wall(0), |(_, at)| at);
        store.with(id, &[("when", &store.render_cx().moment(at))])
    };
    let all = |ids: &[&str]| ids.iter().map(|id| store.text(id)).collect::<Vec<_>>();
    match store.state_of(withdrawal) {
        WithdrawalState::Prepared => prepared(store, withdrawal),
        WithdrawalState::Sending(_) if store.is_sent_elsewhere(withdrawal.agreement.key) => {
            let elsewhere = match sending(withdrawal) {
                "said-sending-again" => "said-sending-elsewhere-again",
                _ => "said-sending-elsewhere",
            };
            all(&[elsewhere, "said-sending-elsewhere-next"])
        }
        WithdrawalState::Sending(_) => all(&[sending(withdrawal), "sending-leave"]),
        WithdrawalState::Unknown => all(&["said-unknown"]),
        WithdrawalState::Accepted => all(&["said-accepted", "said-accepted-arrival"]),
        WithdrawalState::Rejected if is_alone => all(&["said-rejected", "said-rejected-next"]),
        WithdrawalState::Rejected => all(&["beside-rejected", "said-rejected-next"]),
        WithdrawalState::NeedsPerson(why) => {
            vec![store.text("said-needs-person"), why_person(store.words(), withdrawal, &why)]
        }
        WithdrawalState::Mismatch(Alarm::Amount { .. }) => {
            all(&["said-mismatch-amount", "said-mismatch-lock"])
        }
        WithdrawalState::Mismatch(Alarm::Destination { .. }) => {
            all(&["said-mismatch-destination", "said-mismatch-lock"])
        }
        WithdrawalState::Discarded if is_alone => vec![when("said-discarded")],
        WithdrawalState::Discarded => vec![when("beside-discarded")],
        WithdrawalState::ResolvedPaid => vec![when("said-resolved-paid")],
        WithdrawalState::ResolvedNotPaid => {
            vec![when("said-resolved-not-paid"), store.text("said-resolved-not-paid-later")]
        }
    }
}

/// Returns the text id for a send attempt that is running. The text depends on whether an earlier
/// attempt may have paid.
pub fn sending(withdrawal: &Withdrawal) -> &'static str {
    let earlier = withdrawal.attempts.split_last().map_or(&[][..], |(_, earlier)| earlier);
    if earlier.iter().any(Attempt::is_unclear) { "said-sending-again" } else { "said-sending" }
}

/// Returns sentences about why the service has not accepted the withdrawal yet, and what is needed
/// before the next send.
fn prepared(store: &Store, withdrawal: &Withdrawal) -> Vec<String> {
    let ends = withdrawal.attempts.iter().filter_map(|attempt| attempt.end.as_ref());
    let last_no = ends.clone().rfind(|end| !matches!(end.class, Class::NotSent(_)));
    let [alone, beside] = match last_no.map(|end| &end.class) {
        Some(Class::Throttled { .. }) => ["said-prepared-throttled", "beside-throttled"],
        Some(_) => ["said-prepared-no-entry", "beside-no-entry"],
        None if withdrawal.attempts.is_empty() => ["said-prepared-new", "beside-not-sent"],
        None => ["said-prepared-not-sent", "beside-not-reached"],
    };
    let is_beside = store.is_another_open(Some(withdrawal.agreement.key));
    let mut said = vec![store.text(if is_beside { beside } else { alone })];
    if let Err(why) = store.setup.window.left(&withdrawal.attempts, &store.now) {
        said.push(no_send(store.words(), withdrawal, why, "said-prepared-too-late"));
        said.push(store.text("said-prepared-discard"));
    } else if matches!(last_no.map(|end| &end.class), Some(Class::Unauthorized)) {
        let kind = store.setup.contract.withdrawal.call.credential;
        let is_in = kind.is_none_or(|kind| store.session.credential(kind).is_good(store.now.wall));
        if !is_in {
            said.push(store.text("said-prepared-log-in"));
        } else if rules::safe_actions(store, withdrawal).contains(&Action::Send) {
            said.push(store.text("said-prepared-is-in"));
        }
    }
    said
}

/// Returns why the withdrawal can no longer be sent. `window_over` is the id of the text to use if
/// it is too late to send safely.
fn no_send(say: &Catalogue, withdrawal: &Withdrawal, why: NoSend, window_over: &str) -> String {
    match why {
        NoSend::WindowOver => say.text(window_over),
        NoSend::TooManySends => {
            let sends = withdrawal.attempts.iter().filter(|attempt| attempt.counts()).count();
            say.count("why-too-many", sends as u64, &[])
        }
        NoSend::ClockInDoubt(ClockDoubt::AnotherBoot) => say.text("why-another-boot"),
        NoSend::ClockInDoubt(_) => say.text("why-clock-back"),
    }
}

fn why_person(say: &Catalogue, withdrawal: &Withdrawal, why: &WhyPerson) -> String {
    match why {
        WhyPerson::NoSend(why) => no_send(say, withdrawal, *why, "why-window-over"),
        WhyPerson::Redirected(status) => {
            say.with("why-redirected", &[("status", &status.to_string())])
        }
        WhyPerson::KeyReused => say.text("why-key-reused"),
        WhyPerson::SaysFailed(said) => {
            say.with("why-says-failed", &[("said", &words::attempts::says_failed(say, said))])
        }
    }
}

/// Lays out the value that was sent beside the different value in the service's reply.
fn contradiction(say: &Catalogue, alarm: &Alarm, width: usize) -> Vec<Line> {
    let (sent, got) = words::attempts::both_sides(say, alarm);
    let half = (width / 2).min(34);
    let columns = |left: String, right: String, roles: [Role; 2]| {
        Line::from(vec![Span::of(roles[0], exactly(&left, half)), Span::of(roles[1], right)])
    };
    let figures = [wrap(&sent, half.saturating_sub(2)), wrap(&got, half)];
    let rows = figures[0].len().max(figures[1].len());
    let labels = columns(say.text("alarm-sent"), say.text("alarm-got"), [Role::Dim, Role::Dim]);
    let mut lines = vec![labels];
    for row in 0..rows {
        let part = |n: usize| figures[n].get(row).cloned().unwrap_or_default();
        lines.push(columns(part(0), part(1), [Role::Strong, Role::Bad]));
    }
    lines
}

/// Returns how long the send has been running, and how long it can take at most.
pub fn elapsed(store: &Store, seconds: u64) -> String {
    let limit = store.setup.window.deadline.as_secs().to_string();
    let seconds = seconds.to_string();
    store.with("sending-elapsed", &[("seconds", &seconds), ("limit", &limit)])
}

/// The width, in columns, of the key that runs a next step, with the space after it.
const KEY: usize = 4;

/// The width, in columns, of the name of a next step.
const NAME: usize = 28;

/// Lays out the next steps that are safe for this withdrawal, with their keys.
fn steps(store: &Store, withdrawal: &Withdrawal, width: usize) -> Vec<Line> {
    step_lines(store, withdrawal, &rules::safe_actions(store, withdrawal), step_words, width)
}

/// Lays out the next steps that the guide offers after the seller has checked the bank account.
pub fn steps_in_guide(store: &Store, withdrawal: &Withdrawal, width: usize) -> Vec<Line> {
    step_lines(store, withdrawal, &rules::in_guide(store, withdrawal), words_in_guide, width)
}

type StepWords = fn(Action, &WithdrawalState) -> Option<[&'static str; 2]>;

fn step_lines(
    store: &Store,
    withdrawal: &Withdrawal,
    steps: &[Action],
    name: StepWords,
    width: usize,
) -> Vec<Line> {
    let state = store.state_of(withdrawal);
    let mut lines = vec![Line::of(Role::Strong, store.text("outcome-steps"))];
    for action in steps {
        if let Some(said) = name(*action, &state) {
            let key = store.setup.keys.keys(*action).first().map(ToString::to_string);
            lines.extend(step(store.words(), &key.unwrap_or_default(), said, width));
        }
    }
    lines.extend(remarks(store, withdrawal, width));
    lines
}

fn step_words(action: Action, state: &WithdrawalState) -> Option<[&'static str; 2]> {
    match (action, state) {
        (Action::Send, WithdrawalState::Prepared) => Some(["step-send", "step-send-why"]),
        (Action::Send, _) => Some(["step-send-again", "step-send-again-why"]),
        (Action::LogIn, _) => Some(["step-log-in", "step-entry-why"]),
        (Action::PasteJwt, _) => Some(["step-paste-jwt", "step-entry-why"]),
        (Action::Discard, _) => Some(["step-discard", "step-discard-why"]),
        (Action::Check, WithdrawalState::Unknown) => Some(["step-check", "step-check-why"]),
        (Action::Check, _) => Some(["step-check", "step-check-decide-why"]),
        (Action::Found, WithdrawalState::Mismatch(_)) => {
            Some(["step-found", "step-found-unlocks-why"])
        }
        (Action::Found, _) => Some(["step-found", "step-found-why"]),
        (Action::Copy, _) => Some(["step-copy-key", "step-copy-key-why"]),
        _ => None,
    }
}

fn words_in_guide(action: Action, state: &WithdrawalState) -> Option<[&'static str; 2]> {
    match action {
        Action::NotPaid => Some(["step-not-paid", "step-not-paid-why"]),
        Action::Copy => Some(["step-copy-clue", "step-copy-clue-why"]),
        _ => step_words(action, state),
    }
}

/// Lays out why some steps, such as sending again, are not offered.
fn remarks(store: &Store, withdrawal: &Withdrawal, width: usize) -> Vec<Line> {
    let state = store.state_of(withdrawal);
    if state.is_decided() || matches!(state, WithdrawalState::Sending(_)) {
        return Vec::new();
    }
    let said = match rules::send_blocker(store, withdrawal) {
        // The withdrawal's state already explains why it cannot be sent. Explain instead if a busy
        // or failed journal prevents all steps.
        Some(SendBlocker::State) => rules::change_blocker(store, withdrawal),
        said => said,
    };
    said.map(|why| send_blocker(store, withdrawal, &why, width)).unwrap_or_default()
}

/// Lays out why the withdrawal cannot be sent, unless the text about its state already explains
/// that.
pub fn send_blocker(store: &Store, one: &Withdrawal, why: &SendBlocker, width: usize) -> Vec<Line> {
    let (role, id) = match why {
        SendBlocker::Locked => (Role::Dim, "step-locked"),
        SendBlocker::Busy => (Role::Dim, "step-busy"),
        SendBlocker::BusyElsewhere => (Role::Dim, "step-busy-elsewhere"),
        SendBlocker::OtherLogin(_) => (Role::Dim, "step-other-login"),
        SendBlocker::OtherAddress => (Role::Dim, "step-other-address"),
        SendBlocker::OtherOpen => (Role::Dim, "step-other-open"),
        SendBlocker::Wait => (Role::Dim, "step-wait-again"),
        SendBlocker::OtherDestination => (Role::Bad, "step-other-destination"),
        SendBlocker::State
        | SendBlocker::Window(_)
        | SendBlocker::Later(_)
        | SendBlocker::NoCredential(_) => {
            return Vec::new();
        }
    };
    let whose = facts::whose(store, one).unwrap_or_default();
    wrapped(role, &store.with(id, &[("who", &whose)]), width)
}

/// Lays out a step that the seller can take, on one line, or on several if its explanation does not
/// fit.
fn step(say: &Catalogue, key: &str, [name, why]: [&str; 2], width: usize) -> Vec<Line> {
    let (name, why) = (say.text(name), say.text(why));
    let key = Span::of(Role::Key, exactly(key, KEY));
    if KEY + NAME + columns(&why) <= width {
        let name = Span::of(Role::Text, exactly(&name, NAME));
        return vec![Line::from(vec![key, name, Span::of(Role::Dim, why)])];
    }
    let room = width.saturating_sub(KEY);
    let mut lines = vec![Line::from(vec![key, Span::of(Role::Text, name)])];
    for line in wrap(&why, room) {
        lines.push(Line::of(Role::Dim, format!("{}{line}", " ".repeat(KEY))));
    }
    lines
}
