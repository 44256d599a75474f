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
use crate::app::ui::parts::{put, tight, title, wrapped};
use crate::app::ui::{Area, Line, Page, Role, forms};
use crate::trade::{Failure, JournalTrouble, Moved, NoQuote};
use crate::words::failure::{self, Doing};

/// The rows of the title, and below it.
const HEAD: u16 = 2;

/// The empty rows above the cost below a refusal: under the button, and between the two.
const AIR: usize = 2;

/// Draws the form with the quote below it.
pub fn draw(store: &Store, draft: &Draft, area: Area, page: &mut Page) {
    let wanted = store.setup.contract.withdrawal.call.credential;
    title(&store.text("withdraw-title"), entry::at_head(store, wanted), area, page);
    let places = places(&draft.form, around(store, draft, area), area);
    let below =
        forms::draw(store.words(), &draft.form, &store.text("withdraw-submit"), &places, page);
    let rows = usize::from(below.height);
    let lines = lines_below(store, draft, usize::from(below.width), rows);
    // The air below the button is the last to give way.
    let gap = u16::from(lines.len() < rows);
    put(lines, below.split_top(gap).1, page);
}

/// Lays out what stands below the form in so many rows: why it goes no further, the cost, the known
/// destinations, and what was sent. What has no room leaves a mark.
fn lines_below(store: &Store, draft: &Draft, width: usize, rows: usize) -> Vec<Line> {
    let mut lines = told(store, draft, width);
    let said = match draft.refused.as_ref().is_some_and(is_of_all) {
        true => Vec::new(),
        false => wrapped(Role::Dim, &store.text(nothing_sent(store, draft)), width),
    };
    // However long the reason why there is no fee is, what it means for the money stays in sight.
    let is_kept = lines.len().max(1) + said.len() <= rows;
    let left = if is_kept { rows - said.len() } else { rows };
    if !is_said(draft) {
        // With no row left one is cut off below: that leaves the mark.
        let cost = cost(store, draft, width, left.saturating_sub(lines.len()).max(1));
        lines.extend((!lines.is_empty()).then(Line::default));
        lines.extend(cost);
    }
    if is_kept {
        lines = tight(lines, |lines| lines.len() <= left);
        end_within(&mut lines, left, width);
    }
    if !said.is_empty() {
        lines.push(Line::default());
        lines.extend(said);
    }
    tight(lines, |lines| lines.len() < rows)
}

/// Lays out why the draft was refused; nothing where it was not.
fn told(store: &Store, draft: &Draft, width: usize) -> Vec<Line> {
    draft.refused.as_ref().map(|refused| refusal(store, refused, width)).unwrap_or_default()
}

/// Drops what has no room in so many rows; the last one that has room says so.
fn end_within(lines: &mut Vec<Line>, rows: usize, width: usize) {
    if lines.len() > rows {
        lines.truncate(rows);
        if let Some(last) = lines.last_mut() {
            last.goes_on(width);
        }
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
/// they have room. Else figures stand in one line, as half of them would be read as all of them,
/// and the destinations give way.
fn cost(store: &Store, draft: &Draft, width: usize, rows: usize) -> Vec<Line> {
    let mut lines = quote(store, &draft.quote, width);
    let known = match draft.has_known_in_view(&store.setup.contract) {
        true => known::list(store, &draft.known, width, usize::MAX),
        false => Vec::new(),
    };
    // Below why it was refused figures are worth no air.
    let air = if draft.refused.is_some() { AIR } else { 0 };
    if lines.len() + known.len() + air <= rows {
        // A row of air as well, where there is one.
        let has_air = !known.is_empty() && lines.len() + known.len() < rows;
        lines.extend(has_air.then(Line::default));
        lines.extend(known);
        return lines;
    }
    lines = in_brief(store, &draft.quote, width);
    if !known.is_empty() {
        let left = rows.saturating_sub(lines.len());
        lines.extend(known::list(store, &draft.known, width, left));
    }
    end_within(&mut lines, rows, width);
    lines
}

/// Returns true when why it was refused says what is wrong with the cost.
fn is_said(draft: &Draft) -> bool {
    matches!(draft.refused, Some(Refused::QuoteWrong(_)))
}

/// Returns the rows around the form: those below it are worth more than air between its fields, and
/// why it goes no further is worth more than fields that are not typed in now.
fn around(store: &Store, draft: &Draft, area: Area) -> Around {
    let width = usize::from(area.narrowed(2).width);
    let told = told(store, draft, width).len();
    let failed = match &draft.quote {
        QuoteState::Failed { .. } if told == 0 => quote(store, &draft.quote, width).len(),
        _ => 0,
    };
    let [below, kept] = [rows_below(store, draft, area), told.max(failed).max(1)];
    let [below, kept] = [below, kept].map(|rows| u16::try_from(rows).unwrap_or(u16::MAX));
    Around { head: HEAD, below, kept }
}

/// Counts the rows below the form that are worth more than air between its fields.
fn rows_below(store: &Store, draft: &Draft, area: Area) -> usize {
    const LEAST: usize = 4;
    /// The known destinations that are worth more than air.
    const MOST_KNOWN: usize = 6;
    let width = usize::from(area.narrowed(2).width);
    let told = told(store, draft, width).len();
    let cost = match &draft.quote {
        _ if is_said(draft) => 0,
        QuoteState::Failed { .. } => quote(store, &draft.quote, width).len(),
        _ => 1,
    };
    // Wherever the focus stands: the form does not move with it.
    let known = match draft.known.all.len().min(MOST_KNOWN) {
        0 => 0,
        // Their title.
        count => count + 1,
    };
    // An empty row, one below what was refused, and what it means for the money.
    let brief = 1 + told + usize::from(told > 0 && cost > 0) + cost + known + 1;
    // The figures one below the other, and air above the list, are worth more than air between the
    // fields too; the button stays apart from what is above and below it.
    let form = usize::from(HEAD) + draft.form.fields.len() + 3;
    let figures = match &draft.quote {
        QuoteState::Shown(_) if known > 0 => quote(store, &draft.quote, width).len(),
        _ => 0,
    };
    let has_room = form + brief + figures <= usize::from(area.height);
    LEAST.max(if has_room { brief + figures } else { brief })
}

/// The figures of the cost in one line, for where others need the room; a reason stays as it is.
fn in_brief(store: &Store, state: &QuoteState, width: usize) -> Vec<Line> {
    match state {
        QuoteState::Shown(figures) => {
            let (fee, net) = (figures.fee.to_string(), figures.net.to_string());
            let said = store.with("outcome-quote-figures", &[("fee", &fee), ("net", &net)]);
            wrapped(Role::Text, &said, width)
        }
        QuoteState::None
        | QuoteState::Due { .. }
        | QuoteState::Asking { .. }
        | QuoteState::Failed { .. } => quote(store, state, width),
    }
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
    draft.named().is_some()
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
        Refused::QuoteNotThere => {
            wrapped(Role::Warn, &store.text("withdraw-refused-quote-wait"), width)
        }
        Refused::QuoteWrong(fault) => figures::quote_fault(store.words(), fault, width),
    }
}
