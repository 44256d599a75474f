//! Draws the form of a withdrawal and the fee and net amount below it.

use crate::app::Store;
use crate::app::screens::withdrawals::Draft;
use crate::app::screens::withdrawals::show::{facts, terms};
use crate::app::store::withdrawals::QuoteState;
use crate::app::store::withdrawals::Refused;
use crate::app::store::{credentials, nicknames};
use crate::app::ui::action::Action;
use crate::app::ui::block::Block;
use crate::app::ui::failure::text_lines;
use crate::app::ui::form_page::{self, FormPage};
use crate::app::ui::parts::wrapped;
use crate::app::ui::sent_form::MIN_FAILURE_ROWS;
use crate::app::ui::table::Column;
use crate::app::ui::{Area, Line, Page, Role, Span};
use crate::trade::withdrawal::Destination;
use crate::trade::{Failure, JournalTrouble, MoneyMoved, NoQuote};
use crate::words::failure::{self, Activity};
use crate::words::names;

/// Draws the form of a new withdrawal. Below it come the refusal, the fee, the known destinations
/// and a note that nothing was sent. The note is never cut off.
pub fn draw(store: &Store, draft: &Draft, area: Area, page: &mut Page) {
    let wanted = store.setup.contract.withdrawal.call.credential;
    let width = form_page::inside(area);
    let refused = draft.refused.as_ref();
    let mut below: Vec<Block> = refused
        .map(|why| Block::cut(form_page::BELOW, MIN_FAILURE_ROWS, refusal(store, why, width)))
        .into_iter()
        .collect();
    // A refusal because of the fee quote already shows the fee, so do not show it twice.
    if !matches!(refused, Some(Refused::QuoteBlocks { .. })) {
        // If space is short, show the fee and the net amount in one line, because cut-off amounts
        // could be misread.
        let cost =
            Block::cut(form_page::BELOW + 1, MIN_FAILURE_ROWS, quote(store, &draft.quote, width));
        below.push(cost.or(quote_in_one_line(store, &draft.quote, width)));
    }
    if draft.has_known_in_view(store) {
        let key = store.render_cx().first_key(Action::NextKnown);
        let title = store.with("known-title", &[("key", key)]);
        below.push(draft.known.block((store, store.words()), &COLUMNS, &title, width));
    }
    if !refused.is_some_and(says_nothing_sent) {
        let said = wrapped(Role::Dim, &store.text(nothing_sent(store, draft)), width);
        below.push(Block::new(said));
    }
    let aside = credentials::expiry_warning(store, wanted);
    let form = FormPage::new(store.words(), ["withdraw-title", "withdraw-submit"], &draft.form);
    FormPage { aside, below, ..form }.draw(store.words(), area, page);
}

/// Returns the text id of the note that nothing was sent. While another withdrawal is open, the
/// note covers only this one.
fn nothing_sent(store: &Store, draft: &Draft) -> &'static str {
    // The other withdrawal may have been paid, so "no money was sent" could be wrong.
    match store.is_another_open(None) || draft.named().is_some() {
        true => "beside-not-sent",
        false => "withdraw-nothing-sent",
    }
}

/// Lays out the fee and the net amount in one line. A fee quote without amounts, such as a failed
/// one, is laid out as usual.
fn quote_in_one_line(store: &Store, state: &QuoteState, width: usize) -> Vec<Line> {
    match state {
        QuoteState::Shown(figures) => {
            wrapped(Role::Text, &facts::figures(store.words(), figures), width)
        }
        state => quote(store, state, width),
    }
}

/// Lays out the fee quote: its amounts, the progress of requesting it, or its failure.
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
        QuoteState::Shown(quote) => terms::quoted(store, quote, width).lines(),
        QuoteState::Failed { amount, why: why @ NoQuote::Fault(_) } => {
            terms::no_quote(store, *amount, why, width)
        }
        QuoteState::Failed { amount, why } if why.blocks() => {
            terms::no_quote(store, *amount, why, width)
        }
        QuoteState::Failed { amount, why: NoQuote::Failure(failure) } => {
            let failed = store.with("withdraw-quote-failed", &[("amount", &amount.to_string())]);
            let mut lines = wrapped(Role::Warn, &failed, width);
            let mut told = failure::describe(store.words(), failure, Activity::Fee);
            let is_unread = matches!(failure, Failure::Unreadable { .. });
            if failure.may_have_acted() == MoneyMoved::Maybe && !is_unread {
                // The advice for a failed fee quote follows below, so drop the failure's own
                // advice. Keep it for an unreadable reply, because there it refers to the reply.
                told.next.clear();
            }
            if failure.nothing_was_sent() {
                // Leave out the sentence that nothing was sent, because the note below the form
                // already contains it.
                told.moved.clear();
            }
            lines.extend(text_lines(&told, width));
            let next = "withdraw-quote-failed-next";
            let next = store.render_cx().with_key(next, Action::AskFee);
            lines.extend(wrapped(Role::Text, &next, width));
            lines
        }
    }
}

/// Returns true if the refusal's text already states that nothing was sent.
fn says_nothing_sent(refused: &Refused) -> bool {
    matches!(refused, Refused::Journal(JournalTrouble::Network(_) | JournalTrouble::Busy(_)))
}

/// Lays out the reason the review screen could not be opened.
fn refusal(store: &Store, refused: &Refused, width: usize) -> Vec<Line> {
    match refused {
        Refused::Clash(clash) => facts::clash(store, clash, width),
        Refused::LookAgain(clash) => {
            let again = store.text("withdraw-refused-look-again");
            let mut lines = wrapped(Role::Warn, &again, width);
            if let Some(clash) = clash {
                lines.extend(facts::clash(store, clash, width));
            }
            lines
        }
        Refused::Journal(trouble) => {
            let failure = Failure::Journal(trouble.clone());
            let mut told = failure::describe(store.words(), &failure, Activity::Withdrawal);
            if says_nothing_sent(refused) && store.is_another_open(None) {
                told.moved = store.text("beside-not-sent");
            }
            text_lines(&told, width)
        }
        Refused::QuoteNotThere => {
            wrapped(Role::Warn, &store.text("withdraw-refused-quote-wait"), width)
        }
        Refused::QuoteBlocks { amount, why } => terms::no_quote(store, *amount, why, width),
    }
}

/// The column width for the kind of a Pix key and the longest usual key, such as `chave aleatória
/// 123e4567-e89b-12d3-a456-426655440000`.
const KEY: usize = 52;

const COLUMNS: [Column<Store, Destination>; 2] =
    [Column { least: KEY, padded_width: KEY, ..Column::new(0, &[key]) }, Column::new(1, &[used])];

fn key(store: &Store, destination: &Destination, room: usize) -> Span {
    let (account, key) = (store.account(), &destination.key);
    let text = names::destination(store.words(), Some(key));
    Span::of(Role::Text, nicknames::beside_within(store, &account, Some(key), text, room))
}

fn used(store: &Store, destination: &Destination, _: usize) -> Span {
    let when = store.render_cx().day_of(destination.last);
    let used = store.words().count("known-used-short", destination.count, &[("when", &when)]);
    Span::of(Role::Dim, used)
}
