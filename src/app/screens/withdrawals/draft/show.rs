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
use crate::app::ui::{Area, Line, Page, Role, Span, panel};
use crate::trade::withdrawal::{Blocker, Destination};
use crate::trade::{Failure, JournalTrouble, MoneyMoved, NoQuote};
use crate::words::failure::{self, Activity};
use crate::words::names;

/// The steps in the panel beside the form.
const STEPS: [&str; 4] = [
    "withdraw-steps-fee",
    "withdraw-steps-review",
    "withdraw-steps-leaves",
    "withdraw-steps-code",
];

/// Draws the form of a new withdrawal. Below it come the refusal, the fee, the known destinations
/// and a note that nothing was sent. The note is never cut off.
pub fn draw(store: &Store, draft: &Draft, area: Area, page: &mut Page) {
    let credential = store.setup.contract.withdrawal.call.credential;
    let area = panel::put_steps(store.render_cx(), &STEPS, area, page);
    let width = form_page::inner_width(area);
    let refusal = draft.refusal.as_ref();
    let mut below: Vec<Block> = refusal
        .map(|refusal| {
            Block::cut(
                form_page::BELOW_PRIORITY,
                MIN_FAILURE_ROWS,
                refusal_lines(store, refusal, width),
            )
        })
        .into_iter()
        .collect();
    // A refusal because of the fee quote already shows the problem, so do not show it twice.
    if !matches!(refusal, Some(Refused::QuoteBlocks { .. })) {
        // If space is short, show the fee and the net amount in one line, because cut-off amounts
        // could be misread.
        let quote_block = Block::cut(
            form_page::BELOW_PRIORITY + 1,
            MIN_FAILURE_ROWS,
            quote_lines(store, &draft.quote, width),
        );
        below.push(quote_block.or(one_line_quote(store, &draft.quote, width)));
    }
    if let Some(doubt) = &store.unit.doubt {
        let values = [
            ("amount", &*doubt.amount.to_string()),
            ("other", &doubt.other_amount.to_string()),
        ];
        below.push(Block::new(wrapped(
            Role::Warn,
            &store.with("withdraw-doubt", &values),
            width,
        )));
    }
    if draft.offers_known(store) {
        let title = store.text("known-title");
        below.push(
            draft
                .known_destinations
                .block((store, store.words()), &COLUMNS, &title, width),
        );
    }
    if !refusal.is_some_and(states_nothing_sent) {
        let note = wrapped(
            Role::Dim,
            &store.text(nothing_sent_text_id(store, draft)),
            width,
        );
        below.push(Block::new(note));
    }
    let aside = credentials::expiry_warning(store, credential);
    let form = FormPage::new(
        store.words(),
        ["withdraw-title", "withdraw-submit"],
        &draft.form,
    );
    FormPage {
        aside,
        below,
        ..form
    }
    .draw(store.words(), area, page);
}

/// The text id of the note that nothing was sent. If another withdrawal is open, the note refers
/// only to this withdrawal.
fn nothing_sent_text_id(store: &Store, draft: &Draft) -> &'static str {
    // The other withdrawal may have been paid, so "no money was sent" could be wrong.
    if store.is_another_open(None) || draft.blocking_withdrawal().is_some() {
        "beside-not-sent"
    } else {
        "withdraw-nothing-sent"
    }
}

/// Lays out the fee and the net amount in one line. A fee quote without amounts, such as a failed
/// one, is laid out as usual.
fn one_line_quote(store: &Store, state: &QuoteState, width: usize) -> Vec<Line> {
    match state {
        QuoteState::Arrived(quote) => {
            wrapped(Role::Text, &facts::quote_text(store.words(), quote), width)
        }
        state => quote_lines(store, state, width),
    }
}

/// Lays out the fee quote: its amounts, the progress of requesting it, or its failure.
fn quote_lines(store: &Store, state: &QuoteState, width: usize) -> Vec<Line> {
    match state {
        QuoteState::None => wrapped(Role::Dim, &store.text("withdraw-quote-none"), width),
        QuoteState::Due { amount, .. } => {
            let text = store.with("withdraw-quote-due", &[("amount", &amount.to_string())]);
            wrapped(Role::Dim, &text, width)
        }
        QuoteState::Asking { amount, wait } => {
            let seconds = wait.seconds(store.now.boot_ms).to_string();
            let values = [("amount", &*amount.to_string()), ("seconds", &*seconds)];
            let text = store.with("withdraw-quote-asking", &values);
            wrapped(Role::Dim, &text, width)
        }
        QuoteState::Arrived(quote) => terms::quote_figures(store, quote, width).lines(),
        QuoteState::Failed {
            amount,
            why: why @ NoQuote::Fault(_),
        } => terms::no_quote_lines(store, *amount, why, width),
        QuoteState::Failed { amount, why } if why.blocks() => {
            terms::no_quote_lines(store, *amount, why, width)
        }
        QuoteState::Failed {
            amount,
            why: NoQuote::Failure(failure),
        } => {
            let text = store.with("withdraw-quote-failed", &[("amount", &amount.to_string())]);
            let mut lines = wrapped(Role::Warn, &text, width);
            let mut failure_text = failure::describe(store.words(), failure, Activity::Fee);
            let is_unreadable = matches!(failure, Failure::Unreadable { .. });
            if failure.may_have_acted() == MoneyMoved::Maybe && !is_unreadable {
                // The general advice on failed fee quotes follows below, so drop the failure's own
                // advice. But keep the advice on an unreadable reply, because it is about that
                // reply.
                failure_text.next.clear();
            }
            if failure.nothing_was_sent() {
                // Leave out the sentence that nothing was sent, because the note below the form
                // already contains it.
                failure_text.moved.clear();
            }
            lines.extend(text_lines(&failure_text, width));
            let advice = "withdraw-quote-failed-next";
            let advice = store.render_cx().with_key(advice, Action::AskFee);
            lines.extend(wrapped(Role::Text, &advice, width));
            lines
        }
    }
}

/// True if the text about the refusal already states that nothing was sent.
fn states_nothing_sent(refusal: &Refused) -> bool {
    matches!(
        refusal,
        Refused::Journal(JournalTrouble::Network(_) | JournalTrouble::Busy(_))
    )
}

/// Lays out the reason the review screen could not be opened.
fn refusal_lines(store: &Store, refusal: &Refused, width: usize) -> Vec<Line> {
    match refusal {
        Refused::Blocked(Blocker::Clash(clash)) => facts::clash_lines(store, clash, width),
        Refused::Blocked(blocker) => {
            let failure = Failure::Blocked(blocker.clone());
            let text = failure::describe(store.words(), &failure, Activity::Withdrawal);
            text_lines(&text, width)
        }
        Refused::ReviewAgain(clash) => {
            let text = store.text("withdraw-refused-look-again");
            let mut lines = wrapped(Role::Warn, &text, width);
            if let Some(clash) = clash {
                lines.extend(facts::clash_lines(store, clash, width));
            }
            lines
        }
        Refused::Journal(trouble) => {
            let failure = Failure::Journal(trouble.clone());
            let mut failure_text = failure::describe(store.words(), &failure, Activity::Withdrawal);
            if states_nothing_sent(refusal) && store.is_another_open(None) {
                failure_text.moved = store.text("beside-not-sent");
            }
            text_lines(&failure_text, width)
        }
        Refused::OtherUnit => {
            let render = store.render_cx();
            let values = [
                ("teach", render.first_key(Action::Teach)),
                ("arrived", render.first_key(Action::Arrived)),
            ];
            wrapped(
                Role::Bad,
                &store.with("withdraw-refused-other-unit", &values),
                width,
            )
        }
        Refused::QuoteNotThere => wrapped(
            Role::Warn,
            &store.text("withdraw-refused-quote-wait"),
            width,
        ),
        Refused::QuoteBlocks { amount, why } => terms::no_quote_lines(store, *amount, why, width),
    }
}

/// The column width for the kind of a Pix key and the longest usual key, such as `chave aleatória
/// 123e4567-e89b-12d3-a456-426655440000`.
const KEY_WIDTH: usize = 52;

const COLUMNS: [Column<Store, Destination>; 2] = [
    Column {
        min_width: KEY_WIDTH,
        padded_width: KEY_WIDTH,
        ..Column::new(0, &[key])
    },
    Column::new(1, &[usage]),
];

fn key(store: &Store, destination: &Destination, room: usize) -> Span {
    let account = store.account();
    let key = &destination.key;
    let text = names::destination(store.words(), Some(key));
    Span::of(
        Role::Text,
        nicknames::beside_within(store, &account, Some(key), text, room),
    )
}

fn usage(store: &Store, destination: &Destination, _: usize) -> Span {
    let when = store.render_cx().day_of(destination.last);
    let text = store
        .words()
        .count("known-used-short", destination.count, &[("when", &when)]);
    Span::of(Role::Dim, text)
}
