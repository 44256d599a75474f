//! The texts about files of links and about their lines.

use super::failure::{self, Activity};
use super::{Catalogue, dates};
use crate::batch::{BatchProgress, Existing, Figures, PauseReason, Skip};
use crate::csv_files::links::{MAX_LINES, Meaning};
use crate::csv_files::{FileFault, LineFault, MAX_FILE_BYTES, TextFault};
use crate::trade::amount::{CellFault, ColumnFault};
use crate::trade::{Failure, LineState, MAX_DESCRIPTION_LENGTH, Money, Untrusted, Wall};

/// The sentence about a file that cannot be read.
pub fn file_fault(words: &Catalogue, fault: &FileFault) -> String {
    let with = |id: &str, values: &[(&str, String)]| {
        let values: Vec<_> = values.iter().map(|(name, text)| (*name, &**text)).collect();
        words.with(id, &values)
    };
    match fault {
        FileFault::Text(TextFault::TooLarge { bytes }) => with(
            "file-too-large",
            &[
                ("bytes", bytes.to_string()),
                ("max", MAX_FILE_BYTES.to_string()),
            ],
        ),
        FileFault::Text(TextFault::NotText) => words.text("file-not-text"),
        FileFault::TooManyLines { lines } => with(
            "file-too-long",
            &[("lines", lines.to_string()), ("max", MAX_LINES.to_string())],
        ),
        FileFault::Empty => words.text("file-empty"),
        FileFault::NoColumn(Meaning::Description) => words.text("file-no-description"),
        FileFault::NoColumn(_) => words.text("file-no-amount"),
        FileFault::SameMeaning { names } => {
            let [one, other] = names.each_ref().map(|name| Untrusted::shown_of(name));
            with("file-same-columns", &[("one", one), ("other", other)])
        }
        FileFault::OpenQuote { line } => with("file-open-quote", &[("line", line.to_string())]),
        FileFault::Amounts(ColumnFault::TwoDecimals {
            lines: [comma, point],
        }) => with(
            "file-two-decimals",
            &[("comma", comma.to_string()), ("point", point.to_string())],
        ),
        FileFault::Amounts(ColumnFault::UnitUnknown { line, readings }) => {
            unit_question(words, "file-unit.script", *line, *readings)
        }
    }
}

/// The question about the unit of whole numbers: the message `id` with the two readings of an
/// amount.
pub fn unit_question(words: &Catalogue, id: &str, line: u64, readings: [Money; 2]) -> String {
    let [reais, centavos] = readings.map(|amount| amount.to_string());
    let values = [
        ("line", &*line.to_string()),
        ("reais", &reais),
        ("centavos", &centavos),
    ];
    words.with(id, &values)
}

/// The reason why an amount is not accepted.
pub fn cell_fault(words: &Catalogue, fault: CellFault) -> String {
    let id = match fault {
        CellFault::Ambiguous { readings } => {
            let [one, other] = readings.map(|amount| amount.to_string());
            return words.with("line-ambiguous", &[("one", &one), ("other", &other)]);
        }
        CellFault::Missing => "line-no-amount",
        CellFault::NotAnAmount => "line-not-an-amount",
        CellFault::Zero => "line-zero",
        CellFault::Negative => "line-negative",
        CellFault::TooLarge => "line-large",
        CellFault::Fraction => "line-fraction",
    };
    words.text(id)
}

/// The reason why a line is not sent. `local_now` is the current time with the UTC offset.
pub fn skip(words: &Catalogue, skip: Skip, local_now: (Wall, i32)) -> String {
    match skip {
        Skip::Fault(fault) => line_fault(words, fault),
        Skip::Exists(Existing::Link(at)) => {
            let when = dates::moment(words, local_now, at);
            words.with("line-exists", &[("when", &when)])
        }
        Skip::Exists(Existing::Line(line)) => {
            words.with("line-repeated", &[("line", &line.to_string())])
        }
    }
}

fn line_fault(words: &Catalogue, fault: LineFault) -> String {
    match fault {
        LineFault::Empty => words.text("line-empty"),
        LineFault::ExtraCells { cells, columns } => words.with(
            "line-extra-cells",
            &[
                ("cells", &*cells.to_string()),
                ("columns", &columns.to_string()),
            ],
        ),
        LineFault::Total => words.text("line-total"),
        LineFault::Amount(fault) => cell_fault(words, fault),
        LineFault::NoDescription => words.text("line-no-description"),
        LineFault::LongDescription { length } => {
            long_description(words, "line-long-description", length)
        }
    }
}

/// The message `id` about a description of this length.
pub fn long_description(words: &Catalogue, id: &str, length: usize) -> String {
    let values = [
        ("length", &*length.to_string()),
        ("max", &MAX_DESCRIPTION_LENGTH.to_string()),
    ];
    words.with(id, &values)
}

/// The name of a line's state in the result file.
pub fn state(words: &Catalogue, state: LineState) -> String {
    words.text(match state {
        LineState::Skipped => "batch-skipped",
        LineState::Waiting => "batch-waiting",
        LineState::Sending => "batch-sending",
        LineState::Made => "batch-made",
        LineState::Refused => "batch-refused",
        LineState::Unknown => "batch-unknown",
    })
}

/// The names of the columns that the result file adds.
pub fn result_columns(words: &Catalogue) -> [String; 3] {
    ["batch-url", "batch-state", "batch-reason"].map(|id| words.text(id))
}

/// The reason why a batch paused by itself.
pub fn pause_reason(words: &Catalogue, reason: PauseReason) -> String {
    words.text(match reason {
        PauseReason::Login => "batch-paused.login",
        PauseReason::Failures => "batch-paused.failures",
        PauseReason::TeamOffline => "batch-paused.team-offline",
    })
}

/// The reason of a failed line, for the result file: the service's own words if there are any.
pub fn failure_reason(words: &Catalogue, failed: &Failure) -> String {
    let text = failure::describe(words, failed, Activity::Link);
    let quotes = text.quotes.iter().map(|(_, quote)| quote.shown_within(200));
    [text.what]
        .into_iter()
        .chain(quotes)
        .collect::<Vec<_>>()
        .join(" ")
}

/// The number of links to create, with their sum and the smallest and largest amount.
pub fn figures(words: &Catalogue, figures: &Figures) -> String {
    let Some(([least, most], sum)) = figures.range.zip(figures.sum) else {
        return words.text("batch-none");
    };
    let [sum, least, most] = [sum, least, most].map(|amount| amount.to_string());
    let values = [("sum", &*sum), ("least", &least), ("most", &most)];
    words.count("batch-will", figures.count, &values)
}

/// A text such as `120 of 5000 · 4/s · 16 min left`.
pub fn progress(words: &Catalogue, progress: &BatchProgress) -> String {
    let counts = &progress.counts;
    let values = [
        ("done", &*counts.done().to_string()),
        ("all", &counts.to_create().to_string()),
        ("rate", &progress.rate().to_string()),
        ("left", &dates::spelled(progress.left())),
    ];
    let text = words.with("batch-progress", &values);
    match counts.failed() {
        0 => text,
        failed => {
            let values = [("text", &*text), ("failed", &failed.to_string())];
            words.with("batch-progress.failed", &values)
        }
    }
}
