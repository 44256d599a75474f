//! The last look before money moves: everything as it will be sent.

use ratatui::Frame;
use ratatui::text::Line;

use crate::app::geometry::Area;
use crate::app::withdrawals::{NoQuote, QuoteState, Review, ReviewFocus};
use crate::app::{Model, offers, seen};
use crate::trade::{FigureSource, QuoteFault};
use crate::view::parts::{title, wrapped};
use crate::view::scrolled::Text;
use crate::view::{Look, Role};

use super::terms::{self, Confirm, Keep, Laid, Page};
use super::{figures, form, reasons};

/// Draws the review.
pub(super) fn draw(
    model: &Model,
    look: &Look,
    review: &Review,
    scroll: u16,
    area: Area,
    frame: &mut Frame,
) {
    let laid = laid(model, look, review, area);
    // Of another one that is named here money may have left, whoever made it.
    let nothing_yet = match model.is_another_open(None) || review.named().is_some() {
        true => "beside-not-sent",
        false => "review-nothing-yet",
    };
    let nothing_yet = look.line(Role::Dim, look.say(nothing_yet));
    title(look, &look.say("review-title"), nothing_yet, laid.head(area), frame);
    let typing = review.retype.as_ref().filter(|_| review.focus == ReviewFocus::Amount);
    laid.draw(model, look, typing, scroll, frame);
    let amount = review.agreement.amount.to_string();
    let whole = look.words.with("review-confirm", &[("amount", &amount)]);
    let names = [whole, look.say("review-confirm-short")];
    terms::buttons(look, names, review.focus, confirm(model, review), area, frame);
}

/// All of what would be agreed to.
pub(super) fn text(model: &Model, look: &Look, review: &Review, area: Area) -> Text {
    laid(model, look, review, area).agreed.text
}

fn laid(model: &Model, look: &Look, review: &Review, area: Area) -> Laid {
    let width = usize::from(area.narrowed(2).width);
    Laid::new(page(model, look, review, width), area)
}

/// Everything that there is to say.
fn page(model: &Model, look: &Look, review: &Review, width: usize) -> Page {
    let mut page = Page::default();
    amounts(model, look, review, width, &mut page);
    page.air();
    terms::agreed(model, look, &review.agreement, review.past.as_ref(), width, &mut page);
    page.air();
    if is_wrong(review) {
        page.add(Keep::Always, wrapped(look, Role::Text, &look.say("review-go-back"), width));
    } else if let Some(retype) = &review.retype {
        page.add(Keep::Always, reasons::retype(model, look, &retype.why, width));
        page.add(Keep::How, wrapped(look, Role::Text, &look.say("review-retype-how"), width));
        let is_typing = review.focus == ReviewFocus::Amount;
        let amount = review.agreement.amount;
        let field = terms::amount_field(look, amount, retype, is_typing, width);
        page.add(Keep::Field, vec![field]);
    } else {
        page.add(Keep::How, wrapped(look, Role::Text, &look.say("review-only-then"), width));
    }
    page
}

/// The three figures, and whether they still stand.
fn amounts(model: &Model, look: &Look, review: &Review, width: usize, page: &mut Page) {
    let quote = review.agreement.quote.as_ref();
    if is_wrong(review) {
        // The service said figures, and they are wrong: neither those nor "unknown" would be true.
        let figures = figures::without_quote(look, review.agreement.amount, width);
        page.add(Keep::Always, figures.leaves);
        return page.add(Keep::Always, doubts(model, look, review, width));
    }
    let figures = match quote {
        Some(quote) => figures::quoted(model, look, quote, width),
        None => figures::without_quote(look, review.agreement.amount, width),
    };
    let is_computed = quote.is_some_and(|quote| quote.fee_source == FigureSource::Computed);
    page.figures(figures, if is_computed { Keep::Always } else { Keep::Remark });
    page.add(Keep::Always, doubts(model, look, review, width));
}

/// What speaks against the figures.
fn doubts(model: &Model, look: &Look, review: &Review, width: usize) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    match &review.draft.quote {
        QuoteState::Asking { wait, .. } => {
            let seconds = wait.seconds(model.now.boot_ms).to_string();
            let asking = look.words.with("review-asking", &[("seconds", &seconds)]);
            lines.extend(wrapped(look, Role::Warn, &asking, width));
        }
        QuoteState::Failed { why: NoQuote::Fault(fault), .. } => {
            lines.extend(form::quote_fault(look, fault, width));
        }
        _ if is_stale(model, review) => {
            lines.extend(wrapped(look, Role::Warn, &look.say("review-stale"), width));
        }
        _ => {}
    }
    if let Some(before) = review.draft.other_quote_before() {
        let values = [("fee", &*before.fee.to_string()), ("net", &before.net.to_string())];
        let changed = look.words.with("review-quote-changed", &values);
        lines.extend(wrapped(look, Role::Warn, &changed, width));
    }
    lines
}

/// Whether the service's own figures contradict each other: then there is nothing to agree to.
fn is_wrong(review: &Review) -> bool {
    matches!(
        &review.draft.quote,
        QuoteState::Failed { why: NoQuote::Fault(fault), .. } if *fault != QuoteFault::Missing
    )
}

fn is_stale(model: &Model, review: &Review) -> bool {
    review.agreement.quote.as_ref().is_some_and(|quote| !quote.is_fresh(model.now.wall))
}

/// Whether the confirming button can be pressed, is dead, or is not there at all.
fn confirm(model: &Model, review: &Review) -> Confirm {
    if is_wrong(review) || !offers::can_agree(model) {
        return Confirm::Absent;
    }
    if review.may_confirm(model.now.boot_ms, model.now.wall) {
        let is_new = review.focus == ReviewFocus::Confirm && !seen::may_press(model);
        return if is_new { Confirm::Dead } else { Confirm::Live };
    }
    let is_asked_again = matches!(
        review.draft.quote,
        QuoteState::None | QuoteState::Due { .. } | QuoteState::Asking { .. }
    );
    if is_asked_again || is_stale(model, review) { Confirm::Absent } else { Confirm::Dead }
}
