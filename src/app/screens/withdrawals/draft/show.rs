//! The form of a withdrawal, and what it would cost, while it is typed.

use crate::app::Store;
use crate::app::screens::withdrawals::Draft;
use crate::app::screens::withdrawals::draft::destinations as known;
use crate::app::screens::withdrawals::show::{figures, reasons};
use crate::app::store::entry;
use crate::app::store::withdrawals::QuoteState;
use crate::app::store::withdrawals::answers::Refused;
use crate::app::ui::failure::told_lines;
use crate::app::ui::form_rows::{Around, places};
use crate::app::ui::parts::{put, title, wrapped};
use crate::app::ui::{Area, Line, Page, Role, forms};
use crate::trade::{Failure, JournalTrouble, Moved, NoQuote};
use crate::words::failure::{self, Doing};

/// The rows of the title, and below it.
const HEAD: u16 = 2;

/// Draws the form with the quote below it.
pub fn draw(store: &Store, draft: &Draft, area: Area, page: &mut Page) {
    let wanted = store.setup.contract.withdrawal.call.credential;
    title(&store.text("withdraw-title"), entry::at_head(store, wanted), area, page);
    let around = Around { head: HEAD, below: rows_below(store, draft, area), keeps_below: false };
    let places = places(&draft.form, around, area);
    let below =
        forms::draw(store.words(), &draft.form, &store.text("withdraw-submit"), &places, page);
    let below = below.split_top(1).1;
    let width = usize::from(below.width);
    let mut lines = Vec::new();
    if let Some(refused) = &draft.refused {
        lines.extend(refusal(store, refused, width));
        lines.push(Line::default());
    }
    let rows = usize::from(below.height);
    let said = wrapped(Role::Dim, &store.text(nothing_sent(store, draft)), width);
    let left = rows.saturating_sub(lines.len() + said.len());
    let quote = match draft.has_known_in_view(&store.setup.contract) {
        true => quote_and_known(store, draft, width, left),
        false => quote(store, &draft.quote, width),
    };
    // Figures are shown whole, if need be in one line, or not at all: half of them would be read as
    // all of them. What was refused needs the room itself.
    let is_half = lines.is_empty() && quote.len() > rows;
    let quote = match &draft.quote {
        QuoteState::Shown(_) if is_half => in_brief(store, &draft.quote, width),
        _ => quote,
    };
    let already_said = matches!(draft.refused, Some(Refused::QuoteWrong(_)));
    if lines.is_empty() || (lines.len() + quote.len() <= rows && !already_said) {
        lines.extend(quote);
    }
    if lines.len() + said.len() > rows {
        lines.retain(|line| line.width() > 0);
    }
    if lines.len() + said.len() <= rows && !draft.refused.as_ref().is_some_and(is_of_all) {
        if lines.len() + said.len() < rows && lines.last().is_some_and(|line| line.width() > 0) {
            lines.push(Line::default());
        }
        lines.extend(said);
    }
    // In the smallest window the fields may have every row; the review says it all again.
    if below.height > 0 {
        put(lines, below, page);
    }
}

/// Names the sentence about what was sent: with another one open it is about this one alone.
fn nothing_sent(store: &Store, draft: &Draft) -> &'static str {
    match store.is_another_open(None) || names_another(draft) {
        true => "beside-not-sent",
        false => "withdraw-nothing-sent",
    }
}

/// Lays out the cost, and below it the known destinations where one is typed: all of both where
/// they have room, else the cost in one line.
fn quote_and_known(store: &Store, draft: &Draft, width: usize, rows: usize) -> Vec<Line> {
    let mut lines = quote(store, &draft.quote, width);
    let all = known::list(store, &draft.known, width, usize::MAX);
    if lines.len() + all.len() <= rows {
        // A row of air as well, where there is one.
        lines.extend((lines.len() + all.len() < rows).then(Line::default));
        lines.extend(all);
        return lines;
    }
    let mut lines = in_brief(store, &draft.quote, width);
    if rows >= 2 {
        lines.truncate(rows - 2);
        let left = rows - lines.len();
        lines.extend(known::list(store, &draft.known, width, left));
    }
    lines
}

/// Returns the rows below the form that are worth more than air between its fields: why there is no
/// fee is read to its end.
fn rows_below(store: &Store, draft: &Draft, area: Area) -> u16 {
    const LEAST: usize = 4;
    /// The known destinations that are worth more than air.
    const MOST_KNOWN: usize = 6;
    let width = usize::from(area.narrowed(2).width);
    let told = match &draft.quote {
        // An empty row, and what it means for the money.
        QuoteState::Failed { .. } => quote(store, &draft.quote, width).len() + 2,
        _ => LEAST,
    };
    // An empty row, the cost in one line, their title, and what was sent. Wherever the focus
    // stands: the form does not move with it.
    let refused = draft.refused.as_ref();
    let refused = refused.map_or(0, |refused| refusal(store, refused, width).len() + 1);
    let brief = match draft.known.all.len().min(MOST_KNOWN) {
        0 => 0,
        count => count + 4 + refused,
    };
    // The figures one below the other, and air above the list, are worth more than air between the
    // fields too; the button stays apart from what is above and below it.
    let form = usize::from(HEAD) + draft.form.fields.len() + 3;
    let figures = match &draft.quote {
        QuoteState::Shown(_) if brief > 0 => quote(store, &draft.quote, width).len(),
        _ => 0,
    };
    let known = match form + brief + figures <= usize::from(area.height) {
        true => brief + figures,
        false => brief,
    };
    u16::try_from(told.max(LEAST).max(known)).unwrap_or(u16::MAX)
}

/// The same in one line, for where the destinations need the room.
fn in_brief(store: &Store, state: &QuoteState, width: usize) -> Vec<Line> {
    let mut lines = match state {
        QuoteState::None => Vec::new(),
        QuoteState::Shown(figures) => {
            let (fee, net) = (figures.fee.to_string(), figures.net.to_string());
            let said = store.with("outcome-quote-figures", &[("fee", &fee), ("net", &net)]);
            wrapped(Role::Text, &said, width)
        }
        other => quote(store, other, width),
    };
    lines.truncate(1);
    lines
}

/// Lays out the cost of the amount in the form.
fn quote(store: &Store, state: &QuoteState, width: usize) -> Vec<Line> {
    match state {
        QuoteState::None => wrapped(Role::Dim, &store.text("withdraw-quote-none"), width),
        QuoteState::Due { amount, .. } => {
            let due = store.with("withdraw-quote-due", &[("amount", &amount.to_string())]);
            wrapped(Role::Dim, &due, width)
        }
        QuoteState::Asking { amount, wait } => {
            let seconds = wait.seconds(store.now.boot_ms).to_string();
            let values = [("amount", &*amount.to_string()), ("seconds", &*seconds)];
            let asking = store.with("withdraw-quote-asking", &values);
            wrapped(Role::Dim, &asking, width)
        }
        QuoteState::Shown(quote) => figures::quoted(store, quote, width).lines(),
        QuoteState::Failed { amount, why: NoQuote::Failure(failure) } => {
            let failed = store.with("withdraw-quote-failed", &[("amount", &amount.to_string())]);
            let mut lines = wrapped(Role::Warn, &failed, width);
            let mut told = failure::describe(store.words(), failure, Doing::Question);
            if failure.may_have_acted() == Moved::Maybe {
                // That it can be asked again is said below, with what else can be done.
                told.next.clear();
            }
            if failure.nothing_was_sent() {
                // That is said below, of this withdrawal alone where another one is open.
                told.moved.clear();
            }
            lines.extend(told_lines(&told, width));
            lines.extend(wrapped(Role::Text, &store.text("withdraw-quote-failed-next"), width));
            lines
        }
        QuoteState::Failed { why: NoQuote::Fault(fault), .. } => {
            figures::quote_fault(store.words(), fault, width)
        }
    }
}

/// Returns true when the reason is another withdrawal, of which money may have left.
fn names_another(draft: &Draft) -> bool {
    draft.named().is_some() || draft.refused == Some(Refused::OtherJournal)
}

/// Returns true when the reason says itself that nothing was sent.
fn is_of_all(refused: &Refused) -> bool {
    matches!(refused, Refused::Journal(JournalTrouble::Network(_) | JournalTrouble::Busy(_)))
}

/// Lays out why the draft may not go to the review.
fn refusal(store: &Store, refused: &Refused, width: usize) -> Vec<Line> {
    match refused {
        Refused::Clash(clash) => reasons::clash(store, clash, width),
        Refused::LookAgain(clash) => {
            let again = store.text("withdraw-refused-look-again");
            let mut lines = wrapped(Role::Warn, &again, width);
            if let Some(clash) = clash {
                lines.extend(reasons::clash(store, clash, width));
            }
            lines
        }
        Refused::Journal(trouble) => {
            let failure = Failure::Journal(trouble.clone());
            let mut told = failure::describe(store.words(), &failure, Doing::Withdrawal);
            if is_of_all(refused) && store.is_another_open(None) {
                told.moved = store.text("beside-not-sent");
            }
            told_lines(&told, width)
        }
        Refused::OtherJournal => wrapped(Role::Bad, &store.text("withdrawals-held-back"), width),
        Refused::QuoteNotThere => {
            wrapped(Role::Warn, &store.text("withdraw-refused-quote-wait"), width)
        }
        Refused::QuoteWrong(fault) => figures::quote_fault(store.words(), fault, width),
    }
}
