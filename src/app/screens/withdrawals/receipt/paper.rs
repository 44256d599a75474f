//! The words on a receipt: what was asked for, and what the service said; never more than that.
//!
//! A destination has no nickname on it: that is the seller's own word for somebody, and a receipt
//! is made to be handed on.

use crate::app::Store;
use crate::app::screens::withdrawals::show::{facts, members};
use crate::app::ui::text::{columns, exactly};
use crate::trade::withdrawal::{Agreement, Attempt, AttemptEnd, Class};
use crate::trade::{Untrusted, Wall, Withdrawal};
use crate::words::{dates, names, personal};

/// The columns of a label in the text.
const LABEL: usize = 24;

/// A receipt as words, whatever it is written on.
#[derive(Debug, Clone, PartialEq)]
pub struct Paper {
    /// Its name.
    pub title: String,
    /// The sentences that say what it is, and what it is not.
    pub notes: Vec<String>,
    /// The part about what was asked for, and the one about what the service said.
    pub parts: [PaperPart; 2],
    /// The sentence that says what it does not prove.
    pub closing: String,
}

/// A part of a receipt, under a heading.
#[derive(Debug, Clone, PartialEq)]
pub struct PaperPart {
    /// The heading.
    pub heading: String,
    /// Labels and values.
    pub rows: Vec<(String, String)>,
}

impl Paper {
    /// The receipt of a withdrawal; `None` where no attempt was accepted.
    pub fn of(store: &Store, withdrawal: &Withdrawal) -> Option<Paper> {
        let (attempt, end) = accepted(withdrawal)?;
        let mut notes = vec![store.text("receipt-no-bank")];
        notes.extend(store.sandbox.then(|| store.text("receipt-sandbox")));
        let asked = asked(store, &withdrawal.agreement, attempt);
        let said = said(store, withdrawal, end);
        Some(Paper {
            title: store.text("receipt-title"),
            notes,
            parts: [
                PaperPart { heading: store.text("receipt-asked"), rows: asked },
                PaperPart { heading: store.text("receipt-said"), rows: said },
            ],
            closing: store.text("receipt-closing"),
        })
    }

    /// The receipt as plain text.
    pub fn text(&self) -> String {
        let mut lines = vec![self.title.clone()];
        lines.extend(self.notes.iter().cloned());
        for part in &self.parts {
            lines.extend([String::new(), part.heading.clone()]);
            lines.extend(part.rows.iter().map(|(label, value)| row(label, value)));
        }
        lines.extend([String::new(), self.closing.clone(), String::new()]);
        lines.join("\n")
    }
}

/// A label and its value; below a label that fills its column the value stands in its own.
fn row(label: &str, value: &str) -> String {
    let name = exactly(label, LABEL);
    match columns(label) < LABEL {
        true => format!("  {name}{value}"),
        false => format!("  {label}\n  {}{value}", " ".repeat(LABEL)),
    }
}

fn accepted(withdrawal: &Withdrawal) -> Option<(&Attempt, &AttemptEnd)> {
    withdrawal.attempts.iter().find_map(|attempt| match &attempt.end {
        Some(end) if matches!(end.class, Class::Confirmed { .. }) => Some((attempt, end)),
        _ => None,
    })
}

/// Lays out what was asked for, as the journal has it.
fn asked(store: &Store, agreement: &Agreement, attempt: &Attempt) -> Vec<(String, String)> {
    let header = Untrusted::from(&*agreement.key_header_name);
    let key = format!("{} ({})", store.text("outcome-key"), header.shown());
    let to = match agreement.body.is_empty() {
        // What was sent is not known any more, and with it to whom.
        true => store.text("receipt-purged"),
        false => names::destination(store.words(), agreement.destination.as_ref()),
    };
    let mut rows = vec![
        (store.text("receipt-amount"), agreement.amount.to_string()),
        (store.text("outcome-to"), to),
    ];
    let others = members::others(store, agreement).into_iter();
    rows.extend(others.map(|other| (other.label, other.value)));
    rows.extend([
        (store.text("outcome-quote"), facts::quoted(store.words(), agreement)),
        (key, agreement.key.to_string()),
        (store.text("receipt-agreed"), moment(store, agreement.agreed.wall)),
        (store.text("receipt-sent"), moment(store, attempt.began.wall)),
        (store.text("receipt-service"), Untrusted::from(&*agreement.account.origin.0).shown()),
    ]);
    rows
}

/// Lays out what the service said, each in its own words.
fn said(store: &Store, withdrawal: &Withdrawal, end: &AttemptEnd) -> Vec<(String, String)> {
    let mut rows = vec![(store.text("receipt-answered"), moment(store, end.at))];
    let http = |status: u16| store.with("receipt-http", &[("status", &status.to_string())]);
    rows.extend(end.status.map(|status| (store.text("receipt-status"), http(status))));
    let theirs = |theirs: &Untrusted| {
        let theirs = personal::theirs(store.words(), theirs).shown();
        store.with("theirs-quote", &[("text", &theirs)])
    };
    let id = withdrawal.service_id();
    rows.extend(id.map(|id| (store.text("receipt-id"), theirs(id))));
    let quoted = [
        ("outcome-status", withdrawal.service_status()),
        ("receipt-message", end.message.as_ref()),
        ("receipt-hint", end.hint.as_ref()),
    ];
    for (label, words) in quoted {
        rows.extend(words.map(|words| (store.text(label), theirs(words))));
    }
    let date = end.server_date.map(|at| moment(store, at));
    rows.extend(date.map(|date| (store.text("receipt-server-date"), date)));
    rows
}

fn moment(store: &Store, at: Wall) -> String {
    dates::exactly(store.words(), at, store.setup.utc_offset_s)
}

/// The name of its files, without their endings: the day and the beginning of its code.
pub fn file_name(store: &Store, withdrawal: &Withdrawal) -> String {
    let agreement = &withdrawal.agreement;
    let day = agreement.agreed.wall.rfc3339(store.setup.utc_offset_s).unwrap_or_default();
    let key = agreement.key.to_string();
    let parts = [&*store.text("receipt-file"), day.get(..10).unwrap_or_default(), &key[..8]];
    let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join("-")
}
