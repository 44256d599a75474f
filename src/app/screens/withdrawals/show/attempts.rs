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

/// The width, in columns, of the prefix before the result of a send attempt: a symbol, the
/// attempt's number and its time.
const PREFIX_WIDTH: usize = SYMBOL_WIDTH + 13;

/// The width, in columns, of a send attempt's symbol and of the vertical line to the next attempt.
const SYMBOL_WIDTH: usize = 1;

/// The gap, in columns, between an attempt's result and the text on what the result proves. One
/// column would make them look like a single sentence.
const COLUMN_GAP: usize = 2;

/// The minimum width of a result, in columns. If less room is left, the text about what the result
/// proves goes below the result.
const MIN_RESULT_WIDTH: usize = 24;

/// The usual width of a result, in columns. Shorter results get this width as well, so that most
/// withdrawals have the same layout.
const USUAL_RESULT_WIDTH: usize = 27;

/// The maximum length of a quoted text from the service, in characters. The screen with all send
/// attempts shows the complete text.
const MAX_QUOTE_LENGTH: usize = 90;

/// The heading of the list of send attempts. If an attempt was made before today, the heading
/// contains the days, because each attempt shows only a time.
pub fn heading(store: &Store, withdrawal: &Withdrawal) -> String {
    let render = store.render_cx();
    let begin_days = withdrawal
        .attempts
        .iter()
        .map(|attempt| render.day_of(attempt.began.wall));
    let mut days: Vec<_> = begin_days.collect();
    days.dedup();
    let today = render.day_of(render.now);
    if days.iter().all(|day| *day == today) {
        store.text("outcome-attempts")
    } else {
        store.with("outcome-attempts-of", &[("days", &days.join(", "))])
    }
}

/// Lays out each send attempt. The text about what its result proves is beside the result if there
/// is room, otherwise below it.
pub fn attempt_lines(store: &Store, withdrawal: &Withdrawal, width: usize) -> Vec<Vec<Line>> {
    let attempts = &withdrawal.attempts;
    let proofs: Vec<_> = (0..attempts.len())
        .map(|n| proof_and_symbol(store, withdrawal, n))
        .collect();
    let results: Vec<_> = attempts
        .iter()
        .map(|attempt| result_with_quotes(store, withdrawal, attempt))
        .collect();
    let proof_width = proofs
        .iter()
        .map(|(proof, _)| columns(proof))
        .max()
        .unwrap_or(0);
    let widest_result = results
        .iter()
        .map(|result| columns(result))
        .max()
        .unwrap_or(0);
    let max_result_width = width.saturating_sub(PREFIX_WIDTH + COLUMN_GAP + proof_width);
    let is_beside = max_result_width >= widest_result.min(MIN_RESULT_WIDTH);
    let result_width = if is_beside {
        widest_result.max(USUAL_RESULT_WIDTH).min(max_result_width)
    } else {
        width.saturating_sub(PREFIX_WIDTH)
    };
    let mut lines = vec![];
    for (index, (result, (proof, symbol))) in results.into_iter().zip(proofs).enumerate() {
        let result_rows = wrap(&result, result_width.max(1));
        let rows: Vec<Vec<Span>> = if is_beside {
            let proof = wrap(&proof, proof_width);
            (0..result_rows.len().max(proof.len()))
                .map(|row| {
                    let cell =
                        exactly(&line_or_empty(&result_rows, row), result_width + COLUMN_GAP);
                    vec![
                        Span::of(Role::Text, cell),
                        symbol.span(line_or_empty(&proof, row)),
                    ]
                })
                .collect()
        } else {
            let proof = wrap(&proof, result_width.max(1))
                .into_iter()
                .map(|line| symbol.span(line));
            let result_spans = result_rows
                .into_iter()
                .map(|line| Span::of(Role::Text, line));
            result_spans.chain(proof).map(|span| vec![span]).collect()
        };
        let prefixes = prefixes(store, attempts, index, symbol);
        let rows = rows.into_iter().zip(prefixes);
        lines.push(
            rows.map(|(row, head)| [head.to_vec(), row].concat().into())
                .collect(),
        );
    }
    lines
}

fn line_or_empty(lines: &[String], row: usize) -> String {
    lines.get(row).cloned().unwrap_or_default()
}

/// The prefixes for the rows of a send attempt. The first row begins with the symbol, number and
/// time; the others begin with the vertical line to the next attempt.
fn prefixes(
    store: &Store,
    attempts: &[Attempt],
    index: usize,
    symbol: Symbol,
) -> impl Iterator<Item = [Span; 2]> {
    let symbol_text = store.words().sign(symbol.sign);
    let first = [
        symbol.span(symbol_text),
        Span::of(
            Role::Dim,
            exactly(
                &number_and_time(store, &attempts[index]),
                PREFIX_WIDTH - columns(symbol_text),
            ),
        ),
    ];
    let connector = if index + 1 < attempts.len() {
        "│"
    } else {
        ""
    };
    let rest = [
        Span::of(Role::Rule, exactly(connector, SYMBOL_WIDTH)),
        Span::of(Role::Dim, " ".repeat(PREFIX_WIDTH - SYMBOL_WIDTH)),
    ];
    std::iter::once(first).chain(std::iter::repeat(rest))
}

fn number_and_time(store: &Store, attempt: &Attempt) -> String {
    let time = store.render_cx().time_exact(attempt.began.wall);
    format!("{:>2} {time}", attempt.n)
}

/// The result of a send attempt, followed by the service's text in quotation marks.
pub fn result_with_quotes(store: &Store, withdrawal: &Withdrawal, attempt: &Attempt) -> String {
    let mut text = result_text(store, withdrawal, attempt);
    let end = attempt.end.as_ref();
    let service_texts = end
        .into_iter()
        .flat_map(|end| [&end.message, &end.hint])
        .flatten();
    for service_text in service_texts.filter(|text| !is_already_quoted(end, text)) {
        let quote =
            personal::service_text(store.words(), service_text).shown_within(MAX_QUOTE_LENGTH);
        text.push(' ');
        text.push_str(&store.with("theirs-quote", &[("text", &quote)]));
    }
    text
}

/// True if the description of the result already quotes this text of the service.
fn is_already_quoted(end: Option<&AttemptEnd>, quote: &Untrusted) -> bool {
    matches!(end.map(|end| &end.class), Some(Class::SaysFailed(failure)) if failure.word == *quote)
}

/// The result of a send attempt in the program's own words.
pub fn result_text(store: &Store, withdrawal: &Withdrawal, attempt: &Attempt) -> String {
    match &attempt.end {
        Some(end) => end_text(store.words(), attempt, end),
        None if store.is_in_flight(withdrawal.agreement.key) => store.text("attempt-running"),
        None => store.text("attempt-lost"),
    }
}

fn end_text(words: &Catalogue, attempt: &Attempt, end: &AttemptEnd) -> String {
    let seconds = duration(attempt).as_secs();
    if end.class == Class::Unclear(Unclear::Timeout) && seconds > 0 {
        return words.with("attempt-timeout", &[("seconds", &seconds.to_string())]);
    }
    attempts::describe_end(words, end)
}

/// Returns how long a send attempt took, measured by the boot clock because the user cannot change
/// it. Returns zero while the attempt is running.
fn duration(attempt: &Attempt) -> Duration {
    let end = attempt
        .end_clocks()
        .map(|end| end.boot_ms)
        .unwrap_or_default();
    Duration::from_millis(end.saturating_sub(attempt.began.boot_ms))
}

/// Describes a send attempt: the kind of its result, and what this result and the earlier attempts
/// prove about the money. Also returns the symbol of the attempt.
///
/// The shape of the symbol shows the result, and its color shows what the result proves.
pub fn proof_and_symbol(store: &Store, withdrawal: &Withdrawal, index: usize) -> (String, Symbol) {
    let earlier = &withdrawal.attempts[..index];
    let (symbol, class, (proof, role)) = match &withdrawal.attempts[index].end {
        Some(end) => (
            class_symbol(&end.class),
            attempts::class(end),
            proof_and_role(store, earlier, end),
        ),
        None if store.is_in_flight(withdrawal.agreement.key) => (
            symbols::SENDING,
            "class-running",
            (store.text("proves-may-pay"), Role::Warn),
        ),
        None => (
            symbols::UNKNOWN,
            "class-unclear",
            (store.text("proves-may-have-paid"), Role::Warn),
        ),
    };
    (
        format!("{}: {proof}", store.text(class)),
        Symbol {
            sign: symbol.sign,
            role,
            is_heavy: false,
        },
    )
}

/// The symbol for the result of one send attempt, ignoring the other attempts.
fn class_symbol(class: &Class) -> Symbol {
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

fn proof_and_role(store: &Store, earlier: &[Attempt], end: &AttemptEnd) -> (String, Role) {
    match &end.class {
        Class::NotSent(_) => (store.text("proves-not-sent"), Role::Dim),
        Class::Confirmed { .. } => (store.text("proves-accepted"), Role::Good),
        // If not even the HTTP status could be read, nothing suggests that the withdrawal
        // succeeded.
        Class::Unclear(Unclear::Unreadable) if end.status.is_none() => {
            (store.text("proves-may-have-paid"), Role::Warn)
        }
        Class::Unclear(unclear) => {
            let id = match unclear {
                Unclear::Unreadable | Unclear::OtherSuccess => "proves-likely-paid",
                Unclear::Conflict => "proves-conflict",
                Unclear::EchoDiffers(_) => "proves-assumed",
                Unclear::Timeout
                | Unclear::Cut
                | Unclear::TooLarge
                | Unclear::NoSign
                | Unclear::Status => "proves-may-have-paid",
            };
            (store.text(id), Role::Warn)
        }
        Class::Redirected | Class::KeyReused | Class::SaysFailed(_) => {
            (store.text("proves-may-have-paid"), Role::Warn)
        }
        Class::Alarm(Alarm::Amount { .. }) => (store.text("proves-other-amount"), Role::Bad),
        Class::Alarm(Alarm::Destination { .. }) => {
            (store.text("proves-other-destination"), Role::Bad)
        }
        Class::DefiniteNo | Class::Unauthorized | Class::Throttled { .. } => {
            refusal_proof(store.words(), earlier)
        }
    }
}

/// The text about what a definite refusal proves. If the result of an earlier attempt is unclear,
/// the refusal does not prove that nothing was paid.
fn refusal_proof(words: &Catalogue, earlier: &[Attempt]) -> (String, Role) {
    let accepted = earlier.iter().find(|attempt| {
        matches!(
            &attempt.end,
            Some(AttemptEnd {
                class: Class::Confirmed { .. },
                ..
            })
        )
    });
    if let Some(accepted) = accepted {
        return (
            text_with_number(words, "proves-already-accepted", accepted.n),
            Role::Dim,
        );
    }
    if let Some(unclear) = earlier.iter().find(|attempt| attempt.is_unclear()) {
        return (
            text_with_number(words, "proves-nothing", unclear.n),
            Role::Warn,
        );
    }
    (words.text("proves-not-paid"), Role::Text)
}

fn text_with_number(words: &Catalogue, id: &str, n: u32) -> String {
    words.count(id, u64::from(n), &[])
}
