//! The texts about a bank statement that is compared with sales and withdrawals.

use super::{Catalogue, batch, dates, failure};
use crate::csv_files::FileFault;
use crate::statement::reconciliation::{
    EqualAmounts, Line, PayoutMatch, ReconcileFault, SaleMatch,
};
use crate::statement::{MAX_ENTRIES, StatementFault};
use crate::trade::{UndoneMarks, Untrusted};

/// The maximum length of a line's text, in characters.
const MAX_MEMO: usize = 60;

/// The reason why a statement could not be compared, and what to do next.
pub fn fault(words: &Catalogue, fault: &ReconcileFault) -> String {
    match fault {
        ReconcileFault::File(why) => {
            let text = words.text("reconcile-no-file");
            format!(
                "{text} {}",
                words.with("theirs-quote", &[("text", &why.shown())])
            )
        }
        ReconcileFault::Statement(fault) => statement_fault(words, fault),
        ReconcileFault::History(trouble) => failure::history(words, trouble).0,
        ReconcileFault::Journal(trouble) => {
            let text = failure::journal(words, trouble);
            format!("{} {}", text.what, text.next)
        }
        ReconcileFault::Late => words.text("reconcile-late"),
    }
}

/// The reason why a file is no statement.
pub fn statement_fault(words: &Catalogue, fault: &StatementFault) -> String {
    match fault {
        StatementFault::Text(fault) => batch::file_fault(words, &FileFault::from(*fault)),
        StatementFault::Amounts(fault) => batch::file_fault(words, &FileFault::from(*fault)),
        StatementFault::TooManyEntries { entries } => {
            let max = MAX_ENTRIES.to_string();
            words.with(
                "file-too-long",
                &[("lines", &*entries.to_string()), ("max", &max)],
            )
        }
        StatementFault::Unknown => words.text("reconcile-unknown"),
    }
}

/// A withdrawal and its line. `today` is the current local day, here and below.
pub fn payout(words: &Catalogue, today: i64, payout: &PayoutMatch) -> String {
    let values = [
        ("sent", &*dates::day(words, today, payout.day)),
        ("amount", &payout.amount.to_string()),
        ("day", &dates::day(words, today, payout.line.day)),
        ("net", &payout.line.amount.to_string()),
    ];
    let id = if payout.is_paid {
        "reconcile-payout"
    } else {
        "reconcile-payout-unclear"
    };
    words.with(id, &values)
}

/// The amount, the day and the description of a sale.
pub fn sale(words: &Catalogue, today: i64, matched: &SaleMatch) -> String {
    let (amount, description) = matched.sale.amount_and_description();
    let values = [
        ("amount", &*amount.to_string()),
        ("made", &dates::day(words, today, matched.day)),
        ("description", &Untrusted::shown_of(description)),
    ];
    words.with("reconcile-sale", &values)
}

/// The day and the text of a line.
pub fn line(words: &Catalogue, today: i64, line: &Line) -> String {
    let day = dates::day(words, today, line.day);
    words.with(
        "reconcile-line",
        &[("day", &*day), ("memo", &memo(words, line))],
    )
}

/// The text of a line. It may name other people, so it is left out while personal data is masked.
pub fn memo(words: &Catalogue, line: &Line) -> String {
    if words.masks() {
        "•••".to_owned()
    } else {
        line.memo.shown_within(MAX_MEMO)
    }
}

/// The mark that the seller made by hand, and the day of the line that contradicts it.
pub fn contradiction(words: &Catalogue, today: i64, matched: &SaleMatch) -> String {
    let marked = matched.marked.unwrap_or(matched.day);
    let values = [
        ("sale", &*sale(words, today, matched)),
        ("marked", &dates::day(words, today, marked)),
        ("day", &dates::day(words, today, matched.line.day)),
    ];
    words.with("reconcile-contradiction", &values)
}

/// An amount for which no proposal is made.
pub fn group(words: &Catalogue, group: &EqualAmounts) -> String {
    let [sales, lines] = group.counts.map(|count| count.to_string());
    let values = [
        ("amount", &*group.amount.to_string()),
        ("sales", &sales),
        ("entries", &lines),
    ];
    words.with("reconcile-group", &values)
}

/// The result of undoing an import; `None` if there was nothing to undo.
pub fn undone(words: &Catalogue, undone: Option<UndoneMarks>) -> String {
    let Some(UndoneMarks { removed, kept }) = undone else {
        return words.text("reconcile-nothing-undone");
    };
    let text = words.count("reconcile-undone", removed, &[]);
    if kept == 0 {
        return text;
    }
    format!("{text} {}", words.count("reconcile-kept", kept, &[]))
}
