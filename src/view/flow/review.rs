//! The last look before money moves: everything as it will be sent.

use ratatui::Frame;
use ratatui::text::Line;

use crate::app::Model;
use crate::app::geometry::{self, Area};
use crate::app::withdrawals::{NoQuote, QuoteState, Retype, Review, ReviewFocus};
use crate::contract::{FieldKind, Standing};
use crate::trade::{QuoteFault, Source};
use crate::view::parts::{LABEL, button, dead_button, pair, title, wrapped};
use crate::view::scrolled::{Agreed, Text};
use crate::view::text::{columns, exactly, fit};
use crate::view::{Look, Role};

use super::{Laid, destinations, facts, figures, form, reasons};

/// What stands where the confirming button may stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Confirm {
    /// It can be pressed.
    Live,
    /// It is in sight, and dead: the screen is too new, or the amount is not typed yet.
    Dead,
    /// There is none: what it would confirm is not what the service says now, or cannot be read.
    Absent,
}

/// Draws the review.
pub(super) fn draw(
    model: &Model,
    look: &Look,
    review: &Review,
    scroll: u16,
    area: Area,
    frame: &mut Frame,
) {
    let Laid { agreed, field } = laid(model, look, review, area);
    let (room, missing) = (agreed.text.area, agreed.missing);
    let head = area.split_top(room.y - area.y).0;
    let nothing_yet = look.line(Role::Dim, look.say("review-nothing-yet"));
    title(look, &look.say("review-title"), nothing_yet, head, frame);
    let row = geometry::buttons(area.narrowed(2));
    agreed.draw(model, look, scroll, frame);
    buttons(model, look, review, missing, row, frame);
    if let (ReviewFocus::Amount, Some(at), Some(retype)) = (review.focus, field, &review.retype) {
        let typed = retype.field.to_string().chars().count();
        let x = room.x + u16::try_from(FIELD + 3 + typed).unwrap_or(0);
        let y = room.y + u16::try_from(at).unwrap_or(0);
        if x < room.right() && y < room.bottom() {
            frame.set_cursor_position((x, y));
        }
    }
}

/// Whether all of what would be agreed to is on the screen.
pub(super) fn is_legible(model: &Model, look: &Look, review: &Review, area: Area) -> bool {
    laid(model, look, review, area).agreed.missing == 0
}

/// All of what would be agreed to.
pub(super) fn text(model: &Model, look: &Look, review: &Review, area: Area) -> Text {
    laid(model, look, review, area).agreed.text
}

fn laid(model: &Model, look: &Look, review: &Review, area: Area) -> Laid {
    let inner = area.split_bottom(1).0.narrowed(2);
    let width = usize::from(inner.width);
    let mut page = page(model, look, review, width);
    page.give_way(usize::from(inner.height.saturating_sub(2)));
    // The empty row below the title is the last to give way.
    let head = if page.0.len() + 2 > usize::from(inner.height) { 1 } else { 2 };
    let room = inner.split_top(head).1;
    let missing = page.0.len().saturating_sub(usize::from(room.height));
    if missing > 0 {
        // Where it can only be read, nothing gives way; and nothing can be typed.
        let mut lines = self::page(model, look, review, width).0;
        lines.retain(|(keep, _)| ![Keep::Air, Keep::How, Keep::Field].contains(keep));
        let text = Text::new(lines.into_iter().map(|(_, line)| line).collect(), room);
        return Laid { agreed: Agreed::cut(look, text, missing), field: None };
    }
    let field = page.0.iter().position(|(keep, _)| *keep == Keep::Field);
    let lines = page.0.into_iter().map(|(_, line)| line).collect();
    Laid { agreed: Agreed::whole(Text::new(lines, room)), field }
}

/// Everything that there is to say.
fn page(model: &Model, look: &Look, review: &Review, width: usize) -> Page {
    let mut page = Page::default();
    amounts(model, look, review, width, &mut page);
    page.add(Keep::Air, vec![Line::default()]);
    agreed(model, look, review, width, &mut page);
    page.add(Keep::Air, vec![Line::default()]);
    if is_wrong(review) {
        page.add(Keep::Always, wrapped(look, Role::Text, &look.say("review-go-back"), width));
    } else if let Some(retype) = &review.retype {
        page.add(Keep::Always, reasons::retype(model, look, &retype.why, width));
        page.add(Keep::How, wrapped(look, Role::Text, &look.say("review-retype-how"), width));
        page.add(Keep::Field, vec![amount_field(look, review, retype, width)]);
    } else {
        page.add(Keep::How, wrapped(look, Role::Text, &look.say("review-only-then"), width));
    }
    page
}

/// Columns of the label in front of the retyped amount.
const FIELD: usize = 18;

/// What gives way where there is little room, the first of these first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Keep {
    /// An empty line.
    Air,
    /// That the holder is not known.
    Holder,
    /// What the field or the button says too.
    How,
    /// The idempotency key, which every later screen shows again.
    Key,
    /// What puts a figure or the destination at ease: its age, earlier use.
    Remark,
    /// The line above the sum.
    Rule,
    /// What the seller agrees to, and everything that speaks against it.
    Always,
    /// The field that wants the amount again.
    Field,
}

/// The lines of the review, each with what it is worth.
#[derive(Default)]
struct Page(Vec<(Keep, Line<'static>)>);

impl Page {
    fn add(&mut self, keep: Keep, lines: Vec<Line<'static>>) {
        self.0.extend(lines.into_iter().map(|line| (keep, line)));
    }

    /// Drops what gives way until there are no more lines than rows, or nothing gives way any more.
    fn give_way(&mut self, rows: usize) {
        for way in [Keep::Air, Keep::Holder, Keep::How, Keep::Key, Keep::Remark, Keep::Rule] {
            while self.0.len() > rows
                && let Some(at) = self.0.iter().rposition(|(keep, _)| *keep == way)
            {
                self.0.remove(at);
            }
        }
    }
}

/// The three figures, and whether they still stand.
fn amounts(model: &Model, look: &Look, review: &Review, width: usize, page: &mut Page) {
    let quote = review.agreement.quote.as_ref();
    let mut figures = match quote {
        Some(quote) => figures::quoted(model, look, quote, width),
        None => figures::without_quote(look, review.agreement.amount, width),
    };
    let below = figures.fee.split_off(1);
    let is_computed = quote.is_some_and(|quote| quote.fee_source == Source::Computed);
    page.add(Keep::Always, figures.leaves);
    page.add(Keep::Always, figures.fee);
    page.add(if is_computed { Keep::Always } else { Keep::Remark }, below);
    page.add(Keep::Rule, vec![figures.rule]);
    page.add(Keep::Always, figures.receives);
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

/// Where it goes, its key, and the amount as it stands in the bytes.
fn agreed(model: &Model, look: &Look, review: &Review, width: usize, page: &mut Page) {
    let agreement = &review.agreement;
    let said = |label: &str, value: &str| pair(look, &look.say(label), value, width);
    destination(model, look, review, width, page);
    page.add(Keep::Holder, said("review-holder", &look.say("review-holder-unknown")));
    page.add(Keep::Key, said("review-key", &agreement.key.to_string()));
    // Until somebody has seen how this service reads an amount, a guess may be a 100 times error.
    if model.setup.contract.standing("withdrawal.unit") == Standing::Assumed {
        let literal = amount_in(&agreement.body, amount_name(model)).unwrap_or(&agreement.body);
        page.add(Keep::Always, said("review-json", &fit(literal, 200)));
    }
}

/// The whole key, and whether money went there before.
fn destination(model: &Model, look: &Look, review: &Review, width: usize, page: &mut Page) {
    let key = review.agreement.destination.as_ref();
    let mut lines = pair(look, &look.say("review-to"), &facts::destination_text(look, key), width);
    let remark = review.past.as_ref().filter(|_| key.is_some()).map(|past| match &past.used {
        Some(used) => (Keep::Remark, Role::Dim, destinations::used(model, look, used)),
        None => (Keep::Always, Role::Warn, look.say("review-first-time")),
    });
    let Some((keep, role, remark)) = remark else { return page.add(Keep::Always, lines) };
    let has_room = |last: &&mut Line| last.width() + 3 + columns(&remark) <= width;
    if let Some(last) = lines.last_mut().filter(has_room) {
        last.push_span(look.span(Role::Text, "   "));
        last.push_span(look.span(role, remark));
        return page.add(Keep::Always, lines);
    }
    page.add(Keep::Always, lines);
    let indent =
        look.span(Role::Text, exactly("", LABEL.min(width.saturating_sub(columns(&remark)))));
    page.add(keep, vec![Line::from(vec![indent, look.span(role, remark)])]);
}

/// What the amount is called in the body.
fn amount_name(model: &Model) -> &str {
    let fields = &model.setup.contract.withdrawal.form.fields;
    let amount = fields.iter().find(|field| field.kind == FieldKind::Amount);
    amount.and_then(|field| field.name.rsplit('/').next()).unwrap_or("amount")
}

/// The amount exactly as these bytes have it, with its name.
///
/// Inside a JSON string every quotation mark is escaped, so the name can only stand where a name
/// stands; where it stands twice nobody can say here which one is the amount.
fn amount_in<'b>(body: &'b str, name: &str) -> Option<&'b str> {
    let name = format!("\"{name}\":");
    let mut found = body.match_indices(&name);
    let (at, None) = (found.next()?.0, found.next()) else { return None };
    let from = &body[at..];
    let end = from.find([',', '}'])?;
    Some(from[..end].trim_end())
}

/// The field that wants the amount again.
fn amount_field(look: &Look, review: &Review, retype: &Retype, width: usize) -> Line<'static> {
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
    let mut line = Line::from(vec![
        look.span(label, exactly(&look.say("review-retype"), FIELD)),
        look.span(typed, format!("R$ {}", retype.field)),
    ]);
    // Half a figure is worse than none.
    if line.width() + 3 + remark.width() <= width {
        line.push_span(look.span(Role::Text, "   "));
        line.push_span(remark);
    }
    line
}

fn is_retyped(review: &Review) -> bool {
    review
        .retype
        .as_ref()
        .is_none_or(|retype| retype.field.money() == Some(review.agreement.amount))
}

/// Whether the confirming button can be pressed, is dead, or is not there at all.
fn confirm(model: &Model, review: &Review, missing: usize) -> Confirm {
    if is_wrong(review) || missing > 0 {
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

fn buttons(
    model: &Model,
    look: &Look,
    review: &Review,
    missing: usize,
    row: Area,
    frame: &mut Frame,
) {
    let has_focus = |focus| review.focus == focus;
    let back = geometry::button(row, 0);
    button(look, &look.say("review-back"), has_focus(ReviewFocus::Back), back, frame);

    let place = geometry::button(row, 1);
    let amount = review.agreement.amount.to_string();
    let whole = look.words.with("review-confirm", &[("amount", &amount)]);
    let has_room = columns(&whole) + 4 <= usize::from(place.width);
    // Half a figure is worse than none.
    let label = if has_room { whole } else { look.say("review-confirm-short") };
    match confirm(model, review, missing) {
        Confirm::Live => {
            button(look, &label, has_focus(ReviewFocus::Confirm), place, frame);
        }
        Confirm::Dead => dead_button(look, &label, false, place, frame),
        Confirm::Absent => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_amount_is_shown_exactly_as_the_bytes_have_it() {
        let amount = |body| amount_in(body, "amount");
        assert_eq!(amount(r#"{"amount":1000.00,"pixKey":"x"}"#), Some(r#""amount":1000.00"#));
        assert_eq!(amount(r#"{"pixKey":"x","amount": 10 }"#), Some(r#""amount": 10"#));
        let decoy = r#"{"description":"\"amount\":1,","amount":2.50}"#;
        assert_eq!(amount(decoy), Some(r#""amount":2.50"#));
        assert_eq!(amount(r#"{"fee":{"amount":1},"amount":2.50}"#), None);
        assert_eq!(amount_in(r#"{"valor":250}"#, "valor"), Some(r#""valor":250"#));
        assert_eq!(amount("[]"), None);
    }
}
