//! The last look before money moves: everything as it will be sent.

use crate::app::Store;
use crate::app::screen::Focus;
use crate::app::screens::withdrawals::Review;
use crate::app::screens::withdrawals::show::figures;
use crate::app::screens::withdrawals::show::terms::{self, Clauses};
use crate::app::store::withdrawals::QuoteState;
use crate::app::ui::parts::{Confirm, wrapped};
use crate::app::ui::{Area, Line, Page, Role};
use crate::trade::{NoQuote, QuoteFault};

pub fn draw(store: &Store, review: &Review, area: Area, page: &mut Page) {
    // Of another one that is named here money may have left, whoever made it.
    let nothing_yet = match store.is_another_open(None) || review.named().is_some() {
        true => "beside-not-sent",
        false => "review-nothing-yet",
    };
    let nothing_yet = Line::of(Role::Dim, store.text(nothing_yet));
    let name = store.text("review-title");
    let typing = review.retype.as_ref().filter(|_| review.buttons.focus == Focus::Amount);
    let typing = typing.map(|retype| &retype.field);
    let clauses = |page| clauses(store, review, page);
    let row = terms::draw(store, (&name, nothing_yet), clauses, typing, area, page);
    let back = store.text("review-back");
    let does = store.with("review-confirm", &[("amount", &review.agreement.amount.to_string())]);
    review.buttons.show([&back, &does], confirm(store, review, page), row, page);
}

fn clauses(store: &Store, review: &Review, mut page: Clauses) -> Clauses {
    amounts(store, review, &mut page);
    page.air();
    page.agreed(store, &review.agreement, review.past.as_ref());
    page.air();
    if is_wrong(review) {
        page.say(Role::Text, &store.text("review-go-back"));
    } else if let Some(retype) = &review.retype {
        let is_typing = review.buttons.focus == Focus::Amount;
        page.retype(store, retype, review.agreement.amount, is_typing);
    } else {
        page.say(Role::Text, &store.text("review-only-then"));
    }
    page
}

/// The three figures, and whether they still stand.
fn amounts(store: &Store, review: &Review, page: &mut Clauses) {
    let quote = review.agreement.quote.as_ref();
    if is_wrong(review) {
        // The service said figures, and they are wrong: neither those nor "unknown" would be true.
        let figures = figures::without_quote(store.words(), review.agreement.amount, page.width);
        page.add(figures.leaves);
        return page.add(doubts(store, review, page.width));
    }
    let figures = match quote {
        Some(quote) => figures::quoted(store, quote, page.width),
        None => figures::without_quote(store.words(), review.agreement.amount, page.width),
    };
    page.figures(figures);
    page.add(doubts(store, review, page.width));
}

/// Lays out what speaks against the figures.
fn doubts(store: &Store, review: &Review, width: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    match &review.draft.quote {
        QuoteState::Asking { wait, .. } => {
            lines.extend(figures::asking(store, *wait, width));
        }
        QuoteState::Failed { why: NoQuote::Fault(fault), .. } => {
            lines.extend(figures::quote_fault(store.words(), fault, width));
        }
        _ if is_stale(store, review) => {
            lines.extend(wrapped(Role::Warn, &store.text("review-stale"), width));
        }
        _ => {}
    }
    if let Some(before) = review.draft.other_quote_before() {
        let values = [("fee", &*before.fee.to_string()), ("net", &before.net.to_string())];
        let changed = store.with("review-quote-changed", &values);
        lines.extend(wrapped(Role::Warn, &changed, width));
    }
    lines
}

/// Returns true when the service's own figures contradict each other: nothing can be agreed to.
fn is_wrong(review: &Review) -> bool {
    matches!(
        &review.draft.quote,
        QuoteState::Failed { why: NoQuote::Fault(fault), .. } if *fault != QuoteFault::Missing
    )
}

fn is_stale(store: &Store, review: &Review) -> bool {
    review.agreement.quote.as_ref().is_some_and(|quote| !quote.is_fresh(store.now.wall))
}

/// Says if the confirming button can be pressed, is dead, or is not there at all.
fn confirm(store: &Store, review: &Review, page: &Page) -> Confirm {
    let would = review.may_confirm(store.now.boot_ms, store.now.wall);
    let is_asked_again = matches!(
        review.draft.quote,
        QuoteState::None | QuoteState::Due { .. } | QuoteState::Asking { .. }
    );
    match is_wrong(review) || !would && (is_asked_again || is_stale(store, review)) {
        true => Confirm::Absent,
        false => review.buttons.confirm(would, page),
    }
}
