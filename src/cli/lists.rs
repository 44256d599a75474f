//! `balcao links list`, `charges list` and `withdrawals list`: print payment links, direct payments
//! and withdrawals, as JSON or as a plain list.
//!
//! A plain list has a heading, uses the local time zone, and fits into 80 columns unless it
//! contains a longer address or Pix key.

use std::cell::Cell;
use std::io;

use serde_json::Value;

use super::GlobalArgs;
use super::complaint::Complaint;
use super::filter::{ListArgs, RowFilter};
use super::journal::CommandContext;
use super::output::{print_note, write_lines};
use crate::app::ui::text::{align_right, exactly, wrap};
use crate::journal::history::{self, History, SaleTable};
use crate::journal::money::JournalOverview;
use crate::rows::json_line::{
    self, SellerTexts, charge_json, link_json, sale_state, withdrawal_json,
};
use crate::rows::row_mask;
use crate::runtime::clocks::{self, MachineClocks};
use crate::trade::withdrawal::WithdrawalState;
use crate::trade::{
    Agreement, Charge, JournalTrouble, Paid, PaymentLink, SaleOf, SaleRequest, Untrusted, Wall,
    Withdrawal,
};
use crate::words::{Catalogue, dates, failure, names, personal};

/// A list that a command prints.
pub(super) struct PrintedList {
    /// The message ids of the headings.
    pub columns: [&'static str; 3],
    /// The message id of the note that an empty list shows.
    pub empty_note: &'static str,
}

const LINKS: PrintedList = PrintedList {
    columns: ["list-when", "field-amount", "field-description"],
    empty_note: "links-empty-title",
};

const CHARGES: PrintedList = PrintedList {
    empty_note: "charges-empty-title",
    ..LINKS
};

const WITHDRAWALS: PrintedList = PrintedList {
    columns: ["list-when", "field-amount", "list-state"],
    empty_note: "withdrawals-empty-title",
};

type Rows<'r> = &'r mut dyn Iterator<Item = Result<String, Complaint>>;

impl PrintedList {
    /// This list, whose note does not say that there are no rows if the filter may exclude some.
    pub fn filtered(self, filter: &RowFilter) -> PrintedList {
        if filter.is_open() {
            return self;
        }
        PrintedList {
            empty_note: "list-none-found",
            ..self
        }
    }

    /// Prints the rows. A plain list begins with a heading. If there are no rows, a note is printed
    /// instead.
    pub fn print(self, words: &Catalogue, json: bool, rows: Rows) -> Result<(), Complaint> {
        let mut rows = rows.peekable();
        let heading = match (json, rows.peek()) {
            (true, _) => None,
            (false, None) => Some(words.text(self.empty_note)),
            (false, Some(_)) => {
                let [time, amount, text] = self.columns.map(|id| words.text(id));
                Some(format_columns(&time, &amount, &text))
            }
        };
        write_lines(io::stdout().lock(), heading.into_iter().map(Ok).chain(rows)).map(drop)
    }
}

pub fn links(args: &GlobalArgs, list_args: ListArgs) -> Result<(), Complaint> {
    print_sales(args, list_args, LINKS, link_json, link_row)
}

pub fn charges(args: &GlobalArgs, list_args: ListArgs) -> Result<(), Complaint> {
    print_sales(args, list_args, CHARGES, charge_json, charge_row)
}

/// Prints the payment links or direct payments of the history.
fn print_sales<R: SaleTable>(
    args: &GlobalArgs,
    ListArgs {
        json,
        journal,
        filter,
    }: ListArgs,
    list: PrintedList,
    to_json: fn(&SaleOf<R>) -> Value,
    to_row: fn(&Catalogue, &SaleOf<R>, i32) -> String,
) -> Result<(), Complaint> {
    let context = CommandContext::without_vault(&args.chosen_profile()?, journal)?;
    let words = context.words;
    let history = open_history(&context).map_err(|trouble| context.history_error(&trouble))?;
    let sales = history
        .iter()
        .flat_map(|history| history.between::<R>(filter.period()))
        .map(|sale| sale.map_err(|trouble| context.history_error(&trouble)));
    let sales = filter.select(sales, |sale| (sale.at, sale_state(sale)));
    let put_away = Cell::new(0_u64);
    let mut rows = sales.map(|sale| {
        let sale = sale?;
        put_away.set(put_away.get() + u64::from(sale.put_away.is_some()));
        Ok(if json {
            json_row(words, to_json(&sale))
        } else {
            to_row(words, &sale, clocks::utc_offset_s(sale.at))
        })
    });
    list.filtered(&filter).print(words, json, &mut rows)?;
    note_put_away(words, put_away.get());
    Ok(())
}

/// Prints how many of the printed links are put away, because the app does not list them.
pub(super) fn note_put_away(words: &Catalogue, count: u64) {
    if count > 0 {
        print_note(&words.count("list-put-away", count, &[]));
    }
}

/// Opens the history if it exists. A damaged history is an error, and only the app replaces it.
/// Prints a note if an earlier history was damaged, because its rows are not listed.
pub(super) fn open_history(context: &CommandContext) -> Result<Option<History>, JournalTrouble> {
    let opened = History::open_if_any(&context.dir, MachineClocks::new().now().wall)?;
    if let Some(aside) = history::list_renamed_files(&context.dir).pop() {
        let file = Untrusted::from(aside).shown();
        print_note(&context.words.with("history-aside", &[("file", &file)]));
    }
    Ok(opened)
}

/// The words that `--state` of the withdrawals accepts: the names of their states.
pub(super) const WITHDRAWAL_STATES: [&str; 10] = [
    "prepared",
    "sending",
    "unknown",
    "accepted",
    "rejected",
    "needs-person",
    "mismatch",
    "discarded",
    "resolved-paid",
    "resolved-not-paid",
];

/// A journal that a command lists.
pub(super) struct ListedJournal {
    pub journal: JournalOverview,
    /// An error if the markers show that this is not the live journal, or that it is damaged.
    pub marked: Result<(), JournalTrouble>,
}

/// Opens the journal of withdrawals for reading, and checks its markers. Returns `None` if there is
/// none yet. Prints a note if this is not the live journal.
pub(super) fn open_listed_journal(
    context: &CommandContext,
) -> Result<Option<ListedJournal>, Complaint> {
    let complain = |trouble| Complaint::unread(context.describe(&trouble));
    if !context.files().journal_exists() {
        let checked = context.check_markers(Err(&JournalTrouble::Missing))?;
        return checked.map(|()| None).map_err(complain);
    }
    let opened = context.open().map_err(complain)?;
    if opened.is_copy {
        print_note(&context.words.text("journal-copy"));
    }
    let marked = context.check_markers(Ok(&opened.journal))?;
    if let Err(trouble) = &marked
        && trouble.ends_with_make_live()
    {
        print_note(&context.describe(trouble));
    }
    Ok(Some(ListedJournal {
        journal: opened.journal,
        marked,
    }))
}

/// Prints the withdrawals without changing the journal. With `--limit`, the newest ones.
///
/// A missing journal is not created, because the app must notice at its next start that the journal
/// is missing.
pub fn withdrawals(
    args: &GlobalArgs,
    ListArgs {
        json,
        journal,
        filter,
    }: ListArgs,
) -> Result<(), Complaint> {
    let context = CommandContext::without_vault(&args.chosen_profile()?, journal)?;
    let words = context.words;
    let complain = |trouble| Complaint::unread(context.describe(&trouble));
    let Some(ListedJournal { journal, marked }) = open_listed_journal(&context)? else {
        return WITHDRAWALS.print(words, json, &mut std::iter::empty());
    };
    let state_now = context.state_now(&journal).map_err(complain)?;
    let history = history_if_readable(&context);
    let withdrawals: Box<dyn Iterator<Item = _>> = if filter.has_limit() {
        Box::new(journal.newest_withdrawals())
    } else {
        Box::new(journal.withdrawals())
    };
    let withdrawals = withdrawals.map(|withdrawal| {
        let withdrawal = withdrawal.map_err(complain)?;
        let state = state_now(&withdrawal);
        Ok((withdrawal, state))
    });
    let withdrawals = filter.select(withdrawals, |(withdrawal, state)| {
        (withdrawal.agreement.agreed.wall, state.name())
    });
    let mut rows = withdrawals.map(|row| {
        let (withdrawal, state) = row?;
        let agreement = &withdrawal.agreement;
        let texts = seller_texts_of(&context, history.as_ref(), agreement);
        Ok(if json {
            json_row(
                words,
                withdrawal_json(words.masks(), &withdrawal, &state, &texts),
            )
        } else {
            let offset = clocks::utc_offset_s(agreement.agreed.wall);
            withdrawal_row(words, &withdrawal, &state, &texts, offset)
        })
    });
    WITHDRAWALS
        .filtered(&filter)
        .print(words, json, &mut rows)?;
    // An older copy of the journal is listed, but it lacks withdrawals.
    match marked {
        Err(trouble) if trouble.is_damage() => Err(complain(trouble)),
        _ => Ok(()),
    }
}

/// Opens the history for the nicknames of Pix keys. If that fails, prints a note, because the list
/// also makes sense without nicknames.
fn history_if_readable(context: &CommandContext) -> Option<History> {
    let opened = History::open_if_any(&context.dir, MachineClocks::new().now().wall);
    opened.unwrap_or_else(|trouble| {
        print_note(&failure::history(context.words, &trouble).0);
        None
    })
}

fn seller_texts_of(
    context: &CommandContext,
    history: Option<&History>,
    agreement: &Agreement,
) -> SellerTexts {
    let key = history.zip(agreement.destination.as_ref());
    let nickname =
        key.and_then(|(history, key)| history.nickname(&agreement.account, key).ok().flatten());
    SellerTexts {
        nickname: nickname.map(|name| name.as_str().to_owned()),
        description: context.contract.withdrawal_description(&agreement.body),
    }
}

/// Formats a row as a line of JSON. With `--redact`, masks its personal data.
pub(super) fn json_row(words: &Catalogue, row: Value) -> String {
    let row = if words.masks() {
        row_mask::masked_row(row)
    } else {
        row
    };
    json_line::to_line(&row)
}

const LIST_WIDTH: usize = 80;
const TIME_WIDTH: usize = 17;
const AMOUNT_WIDTH: usize = 16;
const TEXT_WIDTH: usize = LIST_WIDTH - TIME_WIDTH - AMOUNT_WIDTH - 4;

/// Formats the heading, or the first line of a row, in three columns.
fn format_columns(time: &str, amount: &str, text: &str) -> String {
    let line = format!(
        "{}  {}  {text}",
        exactly(time, TIME_WIDTH),
        align_right(amount, AMOUNT_WIDTH)
    );
    line.trim_end().to_owned()
}

/// Formats a row of a plain list: three columns, with further texts on the lines below.
pub(super) fn format_row(
    words: &Catalogue,
    (at, utc_offset_s): (Wall, i32),
    amount: &str,
    text: &str,
    details: Vec<String>,
) -> String {
    const INDENT: &str = "  ";
    let time = dates::to_the_minute(words, at, utc_offset_s);
    let mut lines = vec![format_columns(&time, amount, text)];
    for detail in details.into_iter().filter(|detail| !detail.is_empty()) {
        // Never break an address or a Pix key, because the user could then not copy it as a whole.
        let wrapped = if detail.contains(' ') {
            wrap(&detail, LIST_WIDTH - INDENT.len())
        } else {
            vec![detail]
        };
        lines.extend(wrapped.iter().map(|line| format!("{INDENT}{line}")));
    }
    lines.join("\n")
}

/// Joins the texts that are present, separated by " · ".
fn join_present<const N: usize>(texts: [Option<String>; N]) -> String {
    texts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

/// The text for a payment link or direct payment that is paid, or `None` if it is not.
fn paid_text(words: &Catalogue, paid: Option<Paid>) -> Option<String> {
    paid.map(|paid| words.text(names::paid_message(paid.source)))
}

/// Formats the row of a payment link or direct payment.
fn sale_row<R: SaleRequest>(
    words: &Catalogue,
    sale: &SaleOf<R>,
    utc_offset_s: i32,
    details: Vec<String>,
) -> String {
    let description = Untrusted::from(sale.request.description()).shown_within(TEXT_WIDTH);
    format_row(
        words,
        (sale.at, utc_offset_s),
        &sale.request.amount().to_string(),
        &description,
        details,
    )
}

fn link_row(words: &Catalogue, link: &PaymentLink, utc_offset_s: i32) -> String {
    let url = link
        .url()
        .map(|url| Untrusted::without_masking(|| url.shown()));
    let note = link.note.as_deref();
    let note = note.map(|note| personal::note(words, note));
    let details = vec![
        url.unwrap_or_else(|| names::link_tag(words, link)),
        join_present([
            paid_text(words, link.paid),
            link.put_away.map(|_| words.text("links-put-away")),
            note.map(|note| note.shown()),
        ]),
    ];
    sale_row(words, link, utc_offset_s, details)
}

/// Formats the row of a direct payment. Its Pix code would take several lines, so it is left out.
fn charge_row(words: &Catalogue, charge: &Charge, utc_offset_s: i32) -> String {
    let status = charge
        .outcome
        .created()
        .and_then(|created| created.status.as_ref());
    let paid = paid_text(words, charge.paid);
    let state = paid.unwrap_or_else(|| match (names::outcome_message(charge), status) {
        (None, Some(status)) => names::short_service_status(words, "charge-status-theirs", status),
        (id, _) => words.text(id.unwrap_or("charges-created")),
    });
    let customer = charge.request.customer.as_deref();
    let customer = customer.map(|name| personal::name(words, name).shown());
    let details = vec![join_present([Some(state), customer])];
    sale_row(words, charge, utc_offset_s, details)
}

fn withdrawal_row(
    words: &Catalogue,
    withdrawal: &Withdrawal,
    state: &WithdrawalState,
    texts: &SellerTexts,
    utc_offset_s: i32,
) -> String {
    let agreement = &withdrawal.agreement;
    let nickname = texts
        .nickname
        .as_deref()
        .map(|name| personal::name(words, name).shown());
    let details = vec![
        names::destination(words, agreement.destination.as_ref()),
        join_present([
            nickname,
            texts.description.as_deref().map(Untrusted::shown_of),
        ]),
        words.with("list-key", &[("key", &agreement.key.to_string())]),
    ];
    let at = (agreement.agreed.wall, utc_offset_s);
    format_row(
        words,
        at,
        &agreement.amount.to_string(),
        &names::state(words, state),
        details,
    )
}

#[cfg(test)]
mod tests;
