//! Every attempt of a withdrawal: when, what came back, and what that proves.

use std::time::Duration;

use ratatui::text::Line;

use crate::app::Model;
use crate::trade::withdrawal::{Alarm, Attempt, AttemptEnd, Class, NotSent, Unclear};
use crate::trade::{Untrusted, Withdrawal};
use crate::view::text::{columns, exactly, right, wrap};
use crate::view::{Look, Role, dates};

use super::state::said_text;

/// Columns before what came back: the number and the time.
const HEAD: usize = 14;

/// Columns between what came back and what it proves: with one they would read as one sentence.
const GAP: usize = 2;

/// The least columns for what came back.
const LEAST: usize = 16;

/// With fewer columns the proof stands below what came back.
const NARROW: usize = 60;

/// The columns that what came back usually takes, so that the proofs stand in one place.
const USUAL: usize = 27;

/// Columns of somebody else's words here; all of them stand with the attempts in full.
const QUOTED: usize = 90;

/// One attempt as lines; what does not fit beside its time goes on below itself.
pub(super) fn lines(
    model: &Model,
    look: &Look,
    withdrawal: &Withdrawal,
    width: usize,
) -> Vec<Vec<Line<'static>>> {
    let attempts = &withdrawal.attempts;
    if width < NARROW {
        return (0..attempts.len()).map(|n| below(model, look, withdrawal, n, width)).collect();
    }
    let proofs: Vec<_> = (0..attempts.len()).map(|n| proof(model, look, withdrawal, n)).collect();
    let room = width.saturating_sub(HEAD + GAP);
    let widest = proofs.iter().map(|(proof, _)| columns(proof)).max().unwrap_or(0);
    let proof_room = widest.min(room.saturating_sub(LEAST)).max(1);
    let whats: Vec<_> =
        attempts.iter().map(|attempt| what(model, look, withdrawal, attempt)).collect();
    let widest = whats.iter().map(|what| columns(what)).max().unwrap_or(0);
    let most = room.saturating_sub(proof_room).max(1);
    let what_room = widest.max(USUAL).min(most);
    attempts
        .iter()
        .zip(whats)
        .zip(proofs)
        .map(|((attempt, what), (proof, role))| {
            let head = head(model, attempt);
            let what = wrap(&what, what_room);
            let proof = wrap(&proof, proof_room);
            let rows = what.len().max(proof.len());
            let part = |lines: &[String], row: usize| lines.get(row).cloned().unwrap_or_default();
            (0..rows)
                .map(|row| {
                    let head = if row == 0 { head.as_str() } else { "" };
                    Line::from(vec![
                        look.span(Role::Dim, exactly(head, HEAD)),
                        look.span(Role::Text, exactly(&part(&what, row), what_room + GAP)),
                        look.span(role, part(&proof, row)),
                    ])
                })
                .collect()
        })
        .collect()
}

/// An attempt where there is no room for three columns.
fn below(
    model: &Model,
    look: &Look,
    withdrawal: &Withdrawal,
    at: usize,
    width: usize,
) -> Vec<Line<'static>> {
    let attempt = &withdrawal.attempts[at];
    let (proof, role) = proof(model, look, withdrawal, at);
    let what = what(model, look, withdrawal, attempt);
    let room = width.saturating_sub(HEAD).max(1);
    let words = wrap(&what, room).into_iter().map(|line| (line, Role::Text));
    let words = words.chain(wrap(&proof, room).into_iter().map(|line| (line, role)));
    let heads = std::iter::once(head(model, attempt)).chain(std::iter::repeat(String::new()));
    let line = |((words, role), head): ((String, Role), String)| {
        Line::from(vec![look.span(Role::Dim, exactly(&head, HEAD)), look.span(role, words)])
    };
    words.zip(heads).map(line).collect()
}

/// The number and the time.
fn head(model: &Model, attempt: &Attempt) -> String {
    let time = dates::time_exact(model, attempt.began.wall);
    format!("{}  {time}  ", right(&attempt.n.to_string(), 2))
}

fn is_in_flight(model: &Model, withdrawal: &Withdrawal) -> bool {
    let key = withdrawal.agreement.key;
    model.withdrawals.in_flight == Some(key) || model.is_sent_elsewhere(key)
}

/// What came back, with the service's own words between quotation marks.
fn what(model: &Model, look: &Look, withdrawal: &Withdrawal, attempt: &Attempt) -> String {
    let mut what = came_back(model, look, withdrawal, attempt);
    let end = attempt.end.as_ref();
    let theirs = end.into_iter().flat_map(|end| [&end.message, &end.hint]).flatten();
    for theirs in theirs.filter(|theirs| !is_said(end, theirs)) {
        let words = theirs.shown_within(QUOTED);
        what.push(' ');
        what.push_str(&look.words.with("theirs-quote", &[("text", &words)]));
    }
    what
}

/// Whether the words are those that the reply spoke against itself with, which stand here already.
fn is_said(end: Option<&AttemptEnd>, theirs: &Untrusted) -> bool {
    matches!(end.map(|end| &end.class), Some(Class::SaysFailed(said)) if said.word == *theirs)
}

/// What came back, in our words alone.
pub(super) fn came_back(
    model: &Model,
    look: &Look,
    withdrawal: &Withdrawal,
    attempt: &Attempt,
) -> String {
    match &attempt.end {
        Some(end) => reply(look, attempt, end),
        None if is_in_flight(model, withdrawal) => look.say("attempt-running"),
        None => look.say("attempt-lost"),
    }
}

fn reply(look: &Look, attempt: &Attempt, end: &AttemptEnd) -> String {
    let took = took(attempt).as_secs();
    if end.class == Class::Unclear(Unclear::Timeout) && took > 0 {
        return look.words.with("attempt-timeout", &[("seconds", &took.to_string())]);
    }
    ended(look, end)
}

/// How long an attempt took, by the clock that nobody can set; nothing where that was not kept.
fn took(attempt: &Attempt) -> Duration {
    let ended = attempt.ended().map(|ended| ended.boot_ms).unwrap_or_default();
    Duration::from_millis(ended.saturating_sub(attempt.began.boot_ms))
}

/// How an attempt ended, of which nothing else is known here.
pub(in crate::view) fn ended(look: &Look, end: &AttemptEnd) -> String {
    let status = end.status.map(|status| status.to_string()).unwrap_or_default();
    let with = |id: &str, name: &str, value: &str| {
        look.words.with(id, &[("status", &status), (name, value)])
    };
    let plain = |id: &str| look.words.with(id, &[("status", &status)]);
    match &end.class {
        Class::NotSent(why) => look.say(not_sent(*why)),
        Class::Unclear(unclear) => match unclear {
            Unclear::Timeout => look.say("attempt-no-answer"),
            Unclear::Cut => look.say("attempt-cut"),
            Unclear::TooLarge => look.say("attempt-too-large"),
            Unclear::Unreadable => plain("attempt-unreadable"),
            Unclear::OtherSuccess => plain("attempt-other-success"),
            Unclear::NoSign => plain("attempt-no-sign"),
            Unclear::Status => plain("attempt-status"),
            Unclear::Conflict => plain("attempt-conflict"),
            Unclear::EchoDiffers(alarm) => contradiction(alarm, &with, &plain),
        },
        Class::Alarm(alarm) => contradiction(alarm, &with, &plain),
        Class::Confirmed { .. } | Class::DefiniteNo | Class::Unauthorized => {
            plain("attempt-status")
        }
        Class::Throttled { retry_after: None } => plain("attempt-throttled"),
        Class::Throttled { retry_after: Some(wait) } => {
            with("attempt-throttled-for", "seconds", &wait.as_secs().to_string())
        }
        Class::Redirected => plain("attempt-redirected"),
        Class::KeyReused => plain("attempt-key-reused"),
        Class::SaysFailed(said) => with("attempt-says-failed", "said", &said_text(said)),
    }
}

fn contradiction(
    alarm: &Alarm,
    with: &impl Fn(&str, &str, &str) -> String,
    plain: &impl Fn(&str) -> String,
) -> String {
    match alarm {
        Alarm::Amount { got, .. } => with("attempt-other-amount", "got", &got.to_string()),
        Alarm::Destination { .. } => plain("attempt-other-destination"),
    }
}

fn not_sent(why: NotSent) -> &'static str {
    match why {
        NotSent::Busy => "attempt-busy",
        NotSent::Journal => "attempt-journal",
        NotSent::NoCredential => "attempt-no-credential",
        NotSent::OtherAccount => "attempt-other-account",
        NotSent::Vault => "attempt-vault",
        NotSent::Dns => "attempt-dns",
        NotSent::Connect => "attempt-connect",
        NotSent::Tls => "attempt-tls",
        NotSent::BodyChanged => "attempt-body-changed",
        NotSent::NotSafe => "attempt-not-safe",
        NotSent::Headers => "attempt-headers",
        NotSent::NotAgreed => "attempt-not-agreed",
    }
}

/// The class of the attempt at this place, and what it proves, given the ones before it.
pub(super) fn proof(
    model: &Model,
    look: &Look,
    withdrawal: &Withdrawal,
    at: usize,
) -> (String, Role) {
    let (proof, role) = proves(model, look, withdrawal, at);
    let class = look.say(class_of(model, withdrawal, &withdrawal.attempts[at]));
    (format!("{class}: {proof}"), role)
}

fn class_of(model: &Model, withdrawal: &Withdrawal, attempt: &Attempt) -> &'static str {
    match &attempt.end {
        Some(end) => class(end),
        None if is_in_flight(model, withdrawal) => "class-running",
        None => "class-unclear",
    }
}

/// The word for what an attempt that ended is by itself.
pub(in crate::view) fn class(end: &AttemptEnd) -> &'static str {
    match &end.class {
        Class::NotSent(_) => "class-not-sent",
        Class::Unclear(_) | Class::Redirected => "class-unclear",
        Class::Confirmed { .. } => "class-confirmed",
        Class::Alarm(_) => "class-alarm",
        Class::DefiniteNo => "class-no",
        Class::Unauthorized => "class-no-entry",
        Class::Throttled { .. } => "class-throttled",
        Class::KeyReused | Class::SaysFailed(_) => "class-suspect",
    }
}

fn proves(model: &Model, look: &Look, withdrawal: &Withdrawal, at: usize) -> (String, Role) {
    let attempt = &withdrawal.attempts[at];
    let Some(end) = &attempt.end else {
        return if is_in_flight(model, withdrawal) {
            (look.say("proves-may-pay"), Role::Warn)
        } else {
            (look.say("proves-may-have-paid"), Role::Warn)
        };
    };
    let warn = |id: &str| (look.say(id), Role::Warn);
    match &end.class {
        Class::NotSent(_) => (look.say("proves-not-sent"), Role::Dim),
        Class::Confirmed { .. } => (look.say("proves-accepted"), Role::Good),
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
        Class::Alarm(Alarm::Amount { .. }) => (look.say("proves-other-amount"), Role::Bad),
        Class::Alarm(Alarm::Destination { .. }) => {
            (look.say("proves-other-destination"), Role::Bad)
        }
        Class::DefiniteNo | Class::Unauthorized | Class::Throttled { .. } => {
            a_no(look, &withdrawal.attempts[..at])
        }
    }
}

/// A clear "no" is one only as long as nothing before it is unclear.
fn a_no(look: &Look, earlier: &[Attempt]) -> (String, Role) {
    let is_confirmed = |attempt: &&Attempt| {
        matches!(&attempt.end, Some(AttemptEnd { class: Class::Confirmed { .. }, .. }))
    };
    if let Some(taken) = earlier.iter().find(is_confirmed) {
        return (nth(look, "proves-already-accepted", taken.n), Role::Dim);
    }
    if let Some(unclear) = earlier.iter().find(|attempt| attempt.is_unclear()) {
        return (nth(look, "proves-nothing", unclear.n), Role::Warn);
    }
    (look.say("proves-not-paid"), Role::Text)
}

fn nth(look: &Look, id: &str, n: u32) -> String {
    look.words.count(id, u64::from(n), &[])
}
