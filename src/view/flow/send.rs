//! The question before a withdrawal is sent: what it will do, and the stored bytes.

use ratatui::Frame;
use ratatui::text::Line;

use crate::app::geometry::Area;
use crate::app::withdrawals::send::{Against, Fee, SendQuestion, against};
use crate::app::withdrawals::{NoQuote, QuoteState, ReviewFocus};
use crate::app::{Model, offers, seen};
use crate::trade::{FigureSource, Quote};
use crate::view::failure;
use crate::view::parts::{title, wrapped};
use crate::view::scrolled::Text;
use crate::view::{Look, Role};

use super::terms::{self, Confirm, Keep, Laid, Page};
use super::{figures, outcome, reasons, steps};

/// Draws the question.
pub(super) fn draw(
    model: &Model,
    look: &Look,
    open: &SendQuestion,
    scroll: u16,
    area: Area,
    frame: &mut Frame,
) {
    let laid = laid(model, look, open, area);
    let amount = open.withdrawal.agreement.amount.to_string();
    let id = if open.may_have_left() { "send-title-again" } else { "send-title" };
    let name = look.words.with(id, &[("amount", &amount)]);
    let left = outcome::countdown(model, look, &open.withdrawal);
    title(look, &name, left, laid.head(area), frame);
    let typing = open.retype.as_ref().filter(|_| open.focus == ReviewFocus::Amount);
    laid.draw(model, look, typing, scroll, frame);
    let [whole, short] = match &open.fee {
        Fee::Other(_) => ["send-replace", "send-replace-short"],
        _ if open.may_have_left() => ["send-do-again", "send-do-again-short"],
        _ => ["send-do", "send-do-short"],
    };
    let names = [look.words.with(whole, &[("amount", &amount)]), look.say(short)];
    terms::buttons(look, names, open.focus, confirm(model, open), area, frame);
}

/// All of what would be sent.
pub(super) fn text(model: &Model, look: &Look, open: &SendQuestion, area: Area) -> Text {
    laid(model, look, open, area).agreed.text
}

fn laid(model: &Model, look: &Look, open: &SendQuestion, area: Area) -> Laid {
    let width = usize::from(area.narrowed(2).width);
    Laid::new(page(model, look, open, width), area)
}

fn page(model: &Model, look: &Look, open: &SendQuestion, width: usize) -> Page {
    let agreement = &open.withdrawal.agreement;
    let mut page = Page::default();
    page.add(Keep::Always, wrapped(look, Role::Strong, &look.say(does(model, open)), width));
    page.air();
    amounts(model, look, open, width, &mut page);
    page.air();
    terms::agreed(model, look, agreement, open.past.as_ref(), width, &mut page);
    page.air();
    if let Some(why) = against(model, &open.withdrawal) {
        page.add(Keep::Always, steps::against(look, &why, width));
    }
    if let Some(retype) = &open.retype {
        page.add(Keep::Always, reasons::retype(model, look, &retype.why, width));
        page.add(Keep::How, wrapped(look, Role::Text, &look.say("review-retype-how"), width));
        let is_typing = open.focus == ReviewFocus::Amount;
        let field = terms::amount_field(look, agreement.amount, retype, is_typing, width);
        page.add(Keep::Field, vec![field]);
    }
    page
}

/// What the button does, in a sentence.
fn does(model: &Model, open: &SendQuestion) -> &'static str {
    if against(model, &open.withdrawal) == Some(Against::OtherDestination) {
        return "send-does-not";
    }
    match (&open.fee, open.may_have_left()) {
        (Fee::Other(QuoteState::Shown(_)), _) => "send-does-replace",
        // No fee of now is known: that it is another one would be made up.
        (Fee::Other(_), _) => "send-does-unchecked",
        (_, true) => "send-does-again",
        (_, false) if open.withdrawal.attempts.iter().any(|attempt| attempt.counts()) => {
            "send-does-after-no"
        }
        (_, false) => "send-does-first",
    }
}

fn amounts(model: &Model, look: &Look, open: &SendQuestion, width: usize, page: &mut Page) {
    let agreement = &open.withdrawal.agreement;
    let figures = match (&agreement.quote, open.standing()) {
        (None, _) => figures::without_quote(look, agreement.amount, width),
        // Its bytes may have left at that fee: how old it is changes nothing.
        (Some(agreed), _) if open.may_have_left() => figures::agreed(look, agreed, width),
        (Some(_), Some(standing)) => figures::quoted(model, look, standing, width),
        (Some(agreed), None) => figures::agreed(look, agreed, width),
    };
    let is_computed = |quote: &Quote| quote.fee_source == FigureSource::Computed;
    let is_computed = agreement.quote.as_ref().is_some_and(is_computed);
    page.figures(figures, if is_computed { Keep::Always } else { Keep::Remark });
    page.add(Keep::Always, doubts(model, look, open, width));
}

/// That the fee is being asked for, or is not the one that was agreed.
fn doubts(model: &Model, look: &Look, open: &SendQuestion, width: usize) -> Vec<Line<'static>> {
    match &open.fee {
        Fee::AsAgreed | Fee::Same(_) => Vec::new(),
        Fee::Asking(wait) => {
            let seconds = wait.seconds(model.now.boot_ms).to_string();
            let asking = look.words.with("review-asking", &[("seconds", &seconds)]);
            wrapped(look, Role::Warn, &asking, width)
        }
        Fee::Other(QuoteState::Shown(now)) => {
            let values = [("fee", &*now.fee.to_string()), ("net", &now.net.to_string())];
            wrapped(look, Role::Warn, &look.words.with("send-fee-other", &values), width)
        }
        Fee::Other(other) => {
            let mut lines = Vec::new();
            if let QuoteState::Failed { why: NoQuote::Fault(fault), .. } = other {
                // What it means for a form is not what it means here: nobody goes on without a fee.
                let what = failure::quote_fault(look, fault).what;
                lines.extend(wrapped(look, Role::Bad, &what, width));
            }
            lines.extend(wrapped(look, Role::Warn, &look.say("send-fee-gone"), width));
            lines
        }
    }
}

/// Whether the button can be pressed, is dead, or is not there at all.
fn confirm(model: &Model, open: &SendQuestion) -> Confirm {
    let is_against = !matches!(against(model, &open.withdrawal), None | Some(Against::Entry(_)));
    let is_asked = matches!(open.fee, Fee::Asking(_));
    if is_against || is_asked || open.discarding || !offers::can_agree(model) {
        return Confirm::Absent;
    }
    let is_new = open.focus == ReviewFocus::Confirm && !seen::may_press(model);
    match open.may_confirm(model.now.boot_ms, model.now.wall) && !is_new {
        true => Confirm::Live,
        false => Confirm::Dead,
    }
}
