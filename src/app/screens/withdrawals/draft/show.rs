//! The form of a withdrawal, and what it would cost, while it is typed.

use crate::app::Store;
use crate::app::screens::withdrawals::Draft;
use crate::app::screens::withdrawals::draft::destinations as known;
use crate::app::screens::withdrawals::show::{figures, reasons};
use crate::app::store::entry;
use crate::app::store::withdrawals::QuoteState;
use crate::app::store::withdrawals::answers::Refused;
use crate::app::ui::block::Block;
use crate::app::ui::failure::told_lines;
use crate::app::ui::forms::{self, FormPage};
use crate::app::ui::parts::wrapped;
use crate::app::ui::sent_form::FAILED;
use crate::app::ui::{Area, Line, Page, Role};
use crate::trade::{Failure, JournalTrouble, Moved, NoQuote};
use crate::words::failure::{self, Doing};

/// Draws the form; below it why it goes no further, the cost, the known destinations, and what was
/// sent: what that means for the money stays however long the reason is.
pub fn draw(store: &Store, draft: &Draft, area: Area, page: &mut Page) {
    let wanted = store.setup.contract.withdrawal.call.credential;
    let width = forms::inside(area);
    let refused = draft.refused.as_ref();
    let mut below: Vec<Block> = refused
        .map(|why| Block::cut(forms::BELOW, FAILED, refusal(store, why, width)))
        .into_iter()
        .collect();
    // Why it was refused may say what is wrong with the cost.
    if !matches!(refused, Some(Refused::QuoteWrong(_))) {
        // Half of the figures would be read as all of them.
        let cost = Block::cut(forms::BELOW + 1, FAILED, quote(store, &draft.quote, width));
        below.push(cost.or(in_brief(store, &draft.quote, width)));
    }
    if draft.has_known_in_view(&store.setup.contract) {
        let list = |rows| known::list(store, &draft.known, width, rows);
        let alternatives = (3..=MOST_KNOWN).rev().map(list).collect();
        below.push(Block { alternatives, ..Block::cut(forms::BELOW + 2, 1, vec![]) });
    }
    if !refused.is_some_and(is_of_all) {
        let said = wrapped(Role::Dim, &store.text(nothing_sent(store, draft)), width);
        below.push(Block::new(said));
    }
    let aside = entry::at_head(store, wanted);
    let form = FormPage::new(store.words(), ["withdraw-title", "withdraw-submit"], &draft.form);
    FormPage { aside, below, ..form }.draw(store.words(), area, page);
}

/// The rows of the known destinations and their title.
const MOST_KNOWN: usize = 14;

/// Names the sentence about what was sent: with another one open it is about this one alone.
fn nothing_sent(store: &Store, draft: &Draft) -> &'static str {
    match store.is_another_open(None) || names_another(draft) {
        true => "beside-not-sent",
        false => "withdraw-nothing-sent",
    }
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
