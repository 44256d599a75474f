//! Draws the send attempts of a withdrawal as a timeline. Each attempt has its time, its result,
//! and what the result proves about the money.
//!
//! If the result of an earlier attempt is unclear, the refusal of a later attempt does not prove
//! that no money was paid.

use crate::app::Store;
use crate::app::ui::symbols::{self, Symbol};
use crate::app::ui::text::{columns, exactly, wrap};
use crate::app::ui::{Line, Role, Span};
use crate::trade::withdrawal::{Alarm, Attempt, AttemptEnd, Class, Unclear};
use crate::trade::{Untrusted, Withdrawal};
use crate::words::{Catalogue, attempts, personal};
use std::time::Duration;

/// The width, in columns, of the part before the result of a send attempt: a symbol, the attempt's
/// number and its time.
const HEAD: usize = SIGN + 13;

/// The width, in columns, of a send attempt's symbol and of the vertical line to the next attempt.
const SIGN: usize = 1;

/// The gap, in columns, between an attempt's result and the text on what the result proves. One
/// column would make them look like a single sentence.
const GAP: usize = 2;

/// The minimum width of a result, in columns. If less room is left, the text about what the result
/// proves goes below the result.
const LEAST: usize = 24;

/// The usual width of a result, in columns. Shorter results get this width as well, so that most
/// withdrawals have the same layout.
const USUAL: usize = 27;

/// The maximum length of a quoted text from the service, in characters. The screen with all send
/// attempts shows the complete text.
const QUOTED: usize = 90;

/// Returns the heading of the list of send attempts. If an attempt was made before today, the
/// heading contains the days, because each attempt shows only a time.
pub fn title(store: &Store, withdrawal: &Withdrawal) -> String {
    let to = store.render_cx();
    let begun = withdrawal.attempts.iter().map(|attempt| to.day_of(attempt.began.wall));
    let mut days: Vec<_> = begun.collect();
    days.dedup();
    let today = to.day_of(to.now);
    match days.iter().all(|day| *day == today) {
        true => store.text("outcome-attempts"),
        false => store.with("outcome-attempts-of", &[("days", &days.join(", "))]),
    }
}

/// Lays out each send attempt. The text about what its result proves is beside the result if there
/// is room, otherwise below it.
pub fn lines(store: &Store, withdrawal: &Withdrawal, width: usize) -> Vec<Vec<Line>> {
    let attempts = &withdrawal.attempts;
    let proofs: Vec<_> = (0..attempts.len()).map(|n| proof(store, withdrawal, n)).collect();
    let whats: Vec<_> = attempts.iter().map(|attempt| what(store, withdrawal, attempt)).collect();
    let proof_room = proofs.iter().map(|(proof, _)| columns(proof)).max().unwrap_or(0);
    let widest = whats.iter().map(|what| columns(what)).max().unwrap_or(0);
    let most = width.saturating_sub(HEAD + GAP + proof_room);
    let is_beside = most >= widest.min(LEAST);
    let what_room =
        if is_beside { widest.max(USUAL).min(most) } else { width.saturating_sub(HEAD) };
    let one = |(at, (what, (proof, mark))): (usize, (String, (String, Symbol)))| -> Vec<Line> {
        let what = wrap(&what, what_room.max(1));
        let rows: Vec<Vec<Span>> = if is_beside {
            let proof = wrap(&proof, proof_room);
            let part = |lines: &[String], row: usize| lines.get(row).cloned().unwrap_or_default();
            let row = |row| {
                let what = exactly(&part(&what, row), what_room + GAP);
                vec![Span::of(Role::Text, what), mark.span(part(&proof, row))]
            };
            (0..what.len().max(proof.len())).map(row).collect()
        } else {
            let proof = wrap(&proof, what_room.max(1)).into_iter().map(|line| mark.span(line));
            let what = what.into_iter().map(|line| Span::of(Role::Text, line));
            what.chain(proof).map(|span| vec![span]).collect()
        };
        let heads = heads(store, attempts, at, mark);
        rows.into_iter()
            .zip(heads)
            .map(|(row, head)| [head.to_vec(), row].concat().into())
            .collect()
    };
    whats.into_iter().zip(proofs).enumerate().map(one).collect()
}

/// Returns the prefixes for the rows of a send attempt. The first row begins with the symbol,
/// number and time; the others begin with the vertical line to the next attempt.
fn heads(
    store: &Store,
    attempts: &[Attempt],
    at: usize,
    mark: Symbol,
) -> impl Iterator<Item = [Span; 2]> {
    let sign = store.words().sign(mark.sign);
    let first = [
        mark.span(sign),
        Span::of(Role::Dim, exactly(&head(store, &attempts[at]), HEAD - columns(sign))),
    ];
    let rail = if at + 1 < attempts.len() { "│" } else { "" };
    let rest =
        [Span::of(Role::Rule, exactly(rail, SIGN)), Span::of(Role::Dim, " ".repeat(HEAD - SIGN))];
    std::iter::once(first).chain(std::iter::repeat(rest))
}

fn head(store: &Store, attempt: &Attempt) -> String {
    let time = store.render_cx().time_exact(attempt.began.wall);
    format!("{:>2} {time}", attempt.n)
}

/// Returns the result of a send attempt, followed by the service's text in quotation marks.
fn what(store: &Store, withdrawal: &Withdrawal, attempt: &Attempt) -> String {
    let mut what = came_back(store, withdrawal, attempt);
    let end = attempt.end.as_ref();
    let theirs = end.into_iter().flat_map(|end| [&end.message, &end.hint]).flatten();
    for theirs in theirs.filter(|theirs| !is_said(end, theirs)) {
        let words = personal::theirs(store.words(), theirs).shown_within(QUOTED);
        what.push(' ');
        what.push_str(&store.with("theirs-quote", &[("text", &words)]));
    }
    what
}

/// Returns true if the description of the result already quotes this text of the service.
fn is_said(end: Option<&AttemptEnd>, theirs: &Untrusted) -> bool {
    matches!(end.map(|end| &end.class), Some(Class::SaysFailed(said)) if said.word == *theirs)
}

/// Returns the result of a send attempt in the program's own words.
pub fn came_back(store: &Store, withdrawal: &Withdrawal, attempt: &Attempt) -> String {
    match &attempt.end {
        Some(end) => reply(store.words(), attempt, end),
        None if store.is_in_flight(withdrawal.agreement.key) => store.text("attempt-running"),
        None => store.text("attempt-lost"),
    }
}

fn reply(say: &Catalogue, attempt: &Attempt, end: &AttemptEnd) -> String {
    let took = took(attempt).as_secs();
    if end.class == Class::Unclear(Unclear::Timeout) && took > 0 {
        return say.with("attempt-timeout", &[("seconds", &took.to_string())]);
    }
    attempts::ended(say, end)
}

/// Returns how long a send attempt took, measured by the boot clock because the user cannot change
/// it. Returns zero while the attempt is running.
fn took(attempt: &Attempt) -> Duration {
    let ended = attempt.ended().map(|ended| ended.boot_ms).unwrap_or_default();
    Duration::from_millis(ended.saturating_sub(attempt.began.boot_ms))
}

/// Describes a send attempt: the kind of its result, and what the result proves about the money
/// given all earlier attempts. Also returns the symbol of the attempt.
///
/// The shape of the symbol shows the result, and its color shows what the result proves.
pub fn proof(store: &Store, withdrawal: &Withdrawal, at: usize) -> (String, Symbol) {
    let warn = |id: &str| (store.text(id), Role::Warn);
    let earlier = &withdrawal.attempts[..at];
    let (mark, class, (proof, role)) = match &withdrawal.attempts[at].end {
        Some(end) => (mark_of(&end.class), attempts::class(end), proves(store, earlier, end)),
        None if store.is_in_flight(withdrawal.agreement.key) => {
            (symbols::SENDING, "class-running", warn("proves-may-pay"))
        }
        None => (symbols::UNKNOWN, "class-unclear", warn("proves-may-have-paid")),
    };
    (format!("{}: {proof}", store.text(class)), Symbol { sign: mark.sign, role, is_heavy: false })
}

/// Returns the symbol for the result of one send attempt, ignoring the other attempts.
fn mark_of(class: &Class) -> Symbol {
    match class {
        Class::NotSent(_) => symbols::DROPPED,
        Class::Confirmed { .. } => symbols::ACCEPTED,
        Class::Alarm(_) => symbols::CONTRADICTS,
        Class::DefiniteNo | Class::Unauthorized | Class::Throttled { .. } => symbols::REFUSED,
        Class::Unclear(_) | Class::Redirected | Class::KeyReused | Class::SaysFailed(_) => {
            symbols::UNKNOWN
        }
    }
}

fn proves(store: &Store, earlier: &[Attempt], end: &AttemptEnd) -> (String, Role) {
    let warn = |id: &str| (store.text(id), Role::Warn);
    match &end.class {
        Class::NotSent(_) => (store.text("proves-not-sent"), Role::Dim),
        Class::Confirmed { .. } => (store.text("proves-accepted"), Role::Good),
        // Without a readable HTTP status, nothing suggests that the withdrawal succeeded.
        Class::Unclear(Unclear::Unreadable) if end.status.is_none() => warn("proves-may-have-paid"),
        Class::Unclear(unclear) => warn(match unclear {
            Unclear::Unreadable | Unclear::OtherSuccess => "proves-likely-paid",
            Unclear::Conflict => "proves-conflict",
            Unclear::EchoDiffers(_) => "proves-assumed",
            Unclear::Timeout
            | Unclear::Cut
            | Unclear::TooLarge
            | Unclear::NoSign
            | Unclear::Status => "proves-may-have-paid",
        }),
        Class::Redirected | Class::KeyReused | Class::SaysFailed(_) => warn("proves-may-have-paid"),
        Class::Alarm(Alarm::Amount { .. }) => (store.text("proves-other-amount"), Role::Bad),
        Class::Alarm(Alarm::Destination { .. }) => {
            (store.text("proves-other-destination"), Role::Bad)
        }
        Class::DefiniteNo | Class::Unauthorized | Class::Throttled { .. } => {
            proof_of_refusal(store.words(), earlier)
        }
    }
}

/// Returns what a definite refusal proves about the money. If the result of an earlier attempt is
/// unclear, the refusal does not prove that nothing was paid.
fn proof_of_refusal(say: &Catalogue, earlier: &[Attempt]) -> (String, Role) {
    let is_confirmed = |attempt: &&Attempt| {
        matches!(&attempt.end, Some(AttemptEnd { class: Class::Confirmed { .. }, .. }))
    };
    if let Some(taken) = earlier.iter().find(is_confirmed) {
        return (nth(say, "proves-already-accepted", taken.n), Role::Dim);
    }
    if let Some(unclear) = earlier.iter().find(|attempt| attempt.is_unclear()) {
        return (nth(say, "proves-nothing", unclear.n), Role::Warn);
    }
    (say.text("proves-not-paid"), Role::Text)
}

fn nth(say: &Catalogue, id: &str, n: u32) -> String {
    say.count(id, u64::from(n), &[])
}
