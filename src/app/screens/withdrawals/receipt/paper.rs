//! What stands on a receipt: what was asked for, and what the service said; never more than that.

use crate::app::Store;
use crate::app::screens::withdrawals::show::facts;
use crate::app::ui::text::{columns, exactly};
use crate::trade::withdrawal::{Agreement, Attempt, AttemptEnd, Class};
use crate::trade::{Untrusted, Wall, Withdrawal};
use crate::words::{Words, dates, names};

/// The columns of a label in the text.
const LABEL: usize = 24;

/// A receipt as words, whatever it is written on.
#[derive(Debug, Clone, PartialEq)]
pub struct Paper {
    /// Its name.
    pub title: String,
    /// What it is, and what it is not.
    pub notes: Vec<String>,
    /// What was asked for, and what the service said.
    pub parts: [PaperPart; 2],
    /// What it does not prove.
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
    pub fn of(store: &Store, say: &Words, withdrawal: &Withdrawal) -> Option<Paper> {
        let (attempt, end) = accepted(withdrawal)?;
        let agreement = &withdrawal.agreement;
        let mut notes = vec![say.text("receipt-no-bank")];
        notes.extend(store.sandbox.then(|| say.text("receipt-sandbox")));
        let moment = |at| dates::exactly(say, at, store.setup.utc_offset_s);
        let asked = PaperPart {
            heading: say.text("receipt-asked"),
            rows: asked(
                say,
                agreement,
                [moment(agreement.agreed.wall), moment(attempt.began.wall)],
            ),
        };
        let said = PaperPart {
            heading: say.text("receipt-said"),
            rows: said(say, withdrawal, end, moment),
        };
        Some(Paper {
            title: say.text("receipt-title"),
            notes,
            parts: [asked, said],
            closing: say.text("receipt-closing"),
        })
    }

    /// The receipt as plain text.
    pub fn text(&self) -> String {
        let mut lines = vec![self.title.clone()];
        lines.extend(self.notes.iter().cloned());
        for part in &self.parts {
            lines.extend([String::new(), part.heading.clone()]);
            for (label, value) in &part.rows {
                let gap = if columns(label) < LABEL { "" } else { "  " };
                lines.push(format!("  {}{gap}{value}", padded(label)));
            }
        }
        lines.extend([String::new(), self.closing.clone(), String::new()]);
        lines.join("\n")
    }
}

/// The label, as wide as its column at least.
fn padded(label: &str) -> String {
    exactly(label, LABEL.max(columns(label)))
}

/// The attempt that the service accepted.
fn accepted(withdrawal: &Withdrawal) -> Option<(&Attempt, &AttemptEnd)> {
    withdrawal.attempts.iter().find_map(|attempt| match &attempt.end {
        Some(end) if matches!(end.class, Class::Confirmed { .. }) => Some((attempt, end)),
        _ => None,
    })
}

/// What was asked for, as the journal has it.
fn asked(say: &Words, agreement: &Agreement, [agreed, sent]: [String; 2]) -> Vec<(String, String)> {
    let key = match agreement.key_header_name.as_deref() {
        Some(name) => {
            format!("{} ({})", say.text("outcome-key"), Untrusted::from(name).shown())
        }
        None => say.text("outcome-key"),
    };
    let to = match agreement.body.is_empty() {
        // What was sent is not known any more, and with it to whom.
        true => say.text("receipt-purged"),
        false => names::destination(say, agreement.destination.as_ref()),
    };
    vec![
        (say.text("receipt-amount"), agreement.amount.to_string()),
        (say.text("outcome-to"), to),
        (say.text("outcome-quote"), facts::quoted(say, agreement)),
        (key, agreement.key.to_string()),
        (say.text("receipt-agreed"), agreed),
        (say.text("receipt-sent"), sent),
        (say.text("receipt-service"), Untrusted::from(&*agreement.account.origin.0).shown()),
    ]
}

/// What the service said, each in its own words.
fn said(
    say: &Words,
    withdrawal: &Withdrawal,
    end: &AttemptEnd,
    moment: impl Fn(Wall) -> String,
) -> Vec<(String, String)> {
    let mut rows = vec![(say.text("receipt-answered"), moment(end.at))];
    let http = |status: u16| say.with("receipt-http", &[("status", &status.to_string())]);
    rows.extend(end.status.map(|status| (say.text("receipt-status"), http(status))));
    let theirs = |words: &Untrusted| say.with("theirs-quote", &[("text", &words.shown())]);
    let quoted = [
        ("receipt-id", withdrawal.service_id()),
        ("outcome-status", withdrawal.service_status()),
        ("receipt-message", end.message.as_ref()),
        ("receipt-hint", end.hint.as_ref()),
    ];
    for (label, words) in quoted {
        rows.extend(words.map(|words| (say.text(label), theirs(words))));
    }
    rows.extend(end.server_date.map(|at| (say.text("receipt-server-date"), moment(at))));
    rows
}

/// The name of its files, without their endings: the day and the beginning of its code.
pub fn file_name(store: &Store, say: &Words, withdrawal: &Withdrawal) -> String {
    let agreement = &withdrawal.agreement;
    let day = agreement.agreed.wall.rfc3339(store.setup.utc_offset_s).unwrap_or_default();
    let key = agreement.key.to_string();
    let parts = [&*say.text("receipt-file"), day.get(..10).unwrap_or_default(), &key[..8]];
    let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join("-")
}
