//! The last look before money moves: everything as it will be sent.

use ratatui::Frame;
use ratatui::text::Line;

use crate::app::Model;
use crate::app::geometry::{self, Area};
use crate::app::withdrawals::{NoQuote, QuoteState, Retype, Review, ReviewFocus, WhyRetype};
use crate::trade::QuoteFault;
use crate::view::parts::{button_line, pair, put, title, wrapped};
use crate::view::text::{exactly, fit};
use crate::view::{Look, Role, dates};

use super::{facts, figures, form, state};

/// What stands where the confirming button may stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Confirm {
    /// It can be pressed.
    Live,
    /// It is in sight, and dead: the screen is too new, or the amount is not typed yet.
    Dead,
    /// There is none: what it would confirm is not what the service says now.
    Absent,
}

/// Draws the review.
pub(super) fn draw(model: &Model, look: &Look, review: &Review, area: Area, frame: &mut Frame) {
    let nothing_yet = look.line(Role::Dim, look.say("review-nothing-yet"));
    title(look, &look.say("review-title"), nothing_yet, area, frame);
    let inner = area.narrowed(2);
    let row = geometry::buttons(inner);
    let room = area.split_bottom(1).0.narrowed(2).split_top(2).1;
    let width = usize::from(room.width);

    let mut lines = amounts(model, look, review, width);
    lines.push(Line::default());
    lines.extend(agreed(look, review, width));
    lines.push(Line::default());
    let mut field = None;
    if is_wrong(review) {
        lines.extend(wrapped(look, Role::Text, &look.say("review-go-back"), width));
    } else if let Some(retype) = &review.retype {
        lines.extend(wrapped(look, Role::Warn, &why(model, look, &retype.why), width));
        field = Some(lines.len());
        lines.push(amount_field(look, review, retype));
    } else {
        lines.extend(wrapped(look, Role::Text, &look.say("review-only-then"), width));
    }
    let lines = without_blanks(lines, usize::from(room.height), &mut field);
    put(lines, room, frame);
    buttons(model, look, review, row, frame);
    if let (ReviewFocus::Amount, Some(at), Some(retype)) = (review.focus, field, &review.retype) {
        let typed = retype.field.to_string().chars().count();
        let x = room.x + u16::try_from(FIELD + 3 + typed).unwrap_or(0);
        let y = room.y + u16::try_from(at).unwrap_or(0);
        if x < room.right() && y < room.bottom() {
            frame.set_cursor_position((x, y));
        }
    }
}

/// Columns of the label in front of the retyped amount.
const FIELD: usize = 18;

/// Empty lines give way first where there is little room.
fn without_blanks(
    mut lines: Vec<Line<'static>>,
    rows: usize,
    field: &mut Option<usize>,
) -> Vec<Line<'static>> {
    while lines.len() > rows {
        let Some(blank) = lines.iter().rposition(|line| line.width() == 0) else { break };
        lines.remove(blank);
        if let Some(at) = field.as_mut().filter(|at| **at > blank) {
            *at -= 1;
        }
    }
    lines
}

/// The three figures, and whether they still stand.
fn amounts(model: &Model, look: &Look, review: &Review, width: usize) -> Vec<Line<'static>> {
    let mut lines = match &review.agreement.quote {
        Some(quote) => figures::quoted(model, look, quote, width),
        None => figures::without_quote(look, review.agreement.amount, width),
    };
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

/// Where it goes, its key, and the amount as it stands in the bytes.
fn agreed(look: &Look, review: &Review, width: usize) -> Vec<Line<'static>> {
    let agreement = &review.agreement;
    let to = facts::destination_text(look, agreement.destination.as_ref());
    let mut lines = pair(look, &look.say("review-to"), &to, width);
    lines.extend(pair(look, &look.say("review-holder"), &look.say("review-holder-unknown"), width));
    lines.extend(pair(look, &look.say("review-key"), &agreement.key.to_string(), width));
    let literal = amount_in(&agreement.body).unwrap_or(&agreement.body);
    lines.extend(pair(look, &look.say("review-json"), &fit(literal, 200), width));
    lines
}

/// The amount exactly as these bytes have it, with its name.
///
/// Inside a JSON string every quotation mark is escaped, so the name can only stand where a name
/// stands.
fn amount_in(body: &str) -> Option<&str> {
    let from = &body[body.find("\"amount\":")?..];
    let end = from.find([',', '}'])?;
    Some(from[..end].trim_end())
}

fn why(model: &Model, look: &Look, why: &WhyRetype) -> String {
    match why {
        WhyRetype::NoQuote => look.say("review-retype-no-quote"),
        WhyRetype::AnotherOpen(_) => look.say("review-retype-another-open"),
        WhyRetype::SameWithinADay(same) => {
            let when = dates::moment(model, look, same.agreement.agreed.wall);
            let state = state::word(look, &model.state_of(same));
            look.words.with("review-retype-same", &[("when", &when), ("state", &state)])
        }
    }
}

/// The field that wants the amount again.
fn amount_field(look: &Look, review: &Review, retype: &Retype) -> Line<'static> {
    let focused = review.focus == ReviewFocus::Amount;
    let label = if focused { Role::Strong } else { Role::Dim };
    let typed = if focused { Role::Focus } else { Role::Field };
    let same = is_retyped(review);
    let amount = review.agreement.amount.to_string();
    let remark = if same {
        look.span(Role::Good, look.say("review-retype-same-now"))
    } else {
        look.span(Role::Dim, look.words.with("review-retype-differs", &[("amount", &amount)]))
    };
    Line::from(vec![
        look.span(label, exactly(&look.say("review-retype"), FIELD)),
        look.span(typed, format!("R$ {}", retype.field)),
        look.span(Role::Text, "   "),
        remark,
    ])
}

fn is_retyped(review: &Review) -> bool {
    review
        .retype
        .as_ref()
        .is_none_or(|retype| retype.field.money() == Some(review.agreement.amount))
}

/// Whether the confirming button can be pressed, is dead, or is not there at all.
fn confirm(model: &Model, review: &Review) -> Confirm {
    if is_wrong(review) {
        return Confirm::Absent;
    }
    if review.may_confirm(model.now.boot_ms, model.now.wall) {
        return Confirm::Live;
    }
    let is_asked_again = matches!(
        review.draft.quote,
        QuoteState::None | QuoteState::Due { .. } | QuoteState::Asking { .. }
    );
    if is_asked_again || is_stale(model, review) { Confirm::Absent } else { Confirm::Dead }
}

fn buttons(model: &Model, look: &Look, review: &Review, row: Area, frame: &mut Frame) {
    let back = geometry::button(row, 0);
    let focused = review.focus == ReviewFocus::Back;
    let line = button_line(look, &look.say("review-back"), focused, usize::from(back.width));
    put(vec![line.centered()], back, frame);

    let place = geometry::button(row, 1);
    let width = usize::from(place.width);
    let amount = review.agreement.amount.to_string();
    let label = look.words.with("review-confirm", &[("amount", &amount)]);
    let line = match confirm(model, review) {
        Confirm::Live => button_line(look, &label, review.focus == ReviewFocus::Confirm, width),
        Confirm::Dead => look.line(Role::Dim, format!("( {} )", fit(&label, width - 4.min(width)))),
        Confirm::Absent => Line::default(),
    };
    put(vec![line.centered()], place, frame);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_amount_is_shown_exactly_as_the_bytes_have_it() {
        assert_eq!(amount_in(r#"{"amount":1000.00,"pixKey":"x"}"#), Some(r#""amount":1000.00"#));
        assert_eq!(amount_in(r#"{"pixKey":"x","amount": 10 }"#), Some(r#""amount": 10"#));
        let decoy = r#"{"description":"\"amount\":1,","amount":2.50}"#;
        assert_eq!(amount_in(decoy), Some(r#""amount":2.50"#));
        assert_eq!(amount_in("[]"), None);
    }
}
