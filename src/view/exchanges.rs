//! The exchanges pane: every request of this run and what came back, masked.

use ratatui::Frame;
use ratatui::text::Line;

use super::failure::{self, Doing};
use super::parts::{empty, put, row, wrapped};
use super::scrolled::Text;
use super::text::{exactly, fit, right};
use super::{Look, Role, dates, json};
use crate::app::Model;
use crate::app::geometry::{self, Area, ListLine};
use crate::trade::{Exchange, Failure, Operation, Untrusted};

/// The most bytes of a body that are laid out.
const MOST_LAID_OUT: usize = 64 * 1024;

/// Draws the pane.
pub(super) fn pane(model: &Model, look: &Look, area: Area, frame: &mut Frame) {
    if model.exchanges.is_empty() {
        empty(look, &[look.say("exchanges-none"), look.say("exchanges-what")], area, frame);
        return;
    }
    let areas = geometry::pane(model, area);
    let kept = model.exchanges.len() as u64;
    let count = match model.exchanges_dropped {
        0 => look.words.count("exchanges-top", kept, &[]),
        dropped => {
            let dropped = dropped.to_string();
            look.words.count("exchanges-top-kept", kept, &[("dropped", &dropped)])
        }
    };
    put(vec![look.line(Role::Dim, format!(" {count}"))], areas.top, frame);
    let width = usize::from(areas.list.width);
    let lines = geometry::list_lines(model, areas.list.height).into_iter().filter_map(|line| {
        let ListLine::Row(n) = line else { return None };
        let n = usize::try_from(n).ok()?;
        let exchange = model.exchanges.get(n)?;
        Some(exchange_row(model, look, exchange, n == model.exchange_cursor, width))
    });
    put(lines.collect(), areas.list, frame);
    if let (Some(aside), Some(exchange)) = (areas.aside, model.exchanges.get(model.exchange_cursor))
    {
        put(whole(look, exchange, usize::from(aside.width)), aside, frame);
    }
}

fn exchange_row(
    model: &Model,
    look: &Look,
    exchange: &Exchange,
    under_cursor: bool,
    width: usize,
) -> Line<'static> {
    let (role, reply) = reply_word(look, exchange);
    let operation = look.say(operation(exchange.operation));
    let middle = width.saturating_sub(1 + 10 + 16 + 10 + 1);
    row(
        look,
        under_cursor,
        vec![
            look.span(Role::Dim, format!("{}  ", dates::time_exact(model, exchange.at))),
            look.span(Role::Text, exactly(&operation, middle)),
            look.span(role, right(&fit(&reply, 15), 16)),
            look.span(Role::Dim, right(&took(exchange), 10)),
        ],
    )
}

fn took(exchange: &Exchange) -> String {
    let ms = exchange.took.as_millis();
    if ms < 10_000 { format!("{ms} ms") } else { format!("{} s", ms / 1_000) }
}

/// What came back, in a word or a number.
fn reply_word(look: &Look, exchange: &Exchange) -> (Role, String) {
    match &exchange.reply {
        Ok(reply) if (200..300).contains(&reply.status) => (Role::Good, reply.status.to_string()),
        Ok(reply) => (Role::Bad, reply.status.to_string()),
        Err(Failure::NoAnswer(_)) => (Role::Warn, look.say("exchange-no-answer")),
        Err(Failure::Cancelled) => (Role::Warn, look.say("exchange-cancelled")),
        Err(failure) if failure.nothing_was_sent() => (Role::Warn, look.say("exchange-not-sent")),
        Err(_) => (Role::Bad, look.say("exchange-failed")),
    }
}

fn operation(operation: Operation) -> &'static str {
    match operation {
        Operation::Login => "operation-login",
        Operation::Domains => "operation-domains",
        Operation::CreateLink => "operation-link",
        Operation::DirectPayment => "operation-charge",
        Operation::FeePreview => "operation-fee",
        Operation::Withdrawal => "operation-withdrawal",
    }
}

/// One exchange.
pub(super) fn details(
    model: &Model,
    look: &Look,
    exchange: &Exchange,
    scroll: u16,
    area: Area,
    frame: &mut Frame,
) {
    let head = area.split_top(2).0;
    let title = look.say(operation(exchange.operation));
    let when = dates::moment(model, look, exchange.at);
    let aside = look.line(Role::Dim, when);
    super::parts::title(look, &title, aside, head, frame);
    text(look, exchange, area).draw(model, look, scroll, frame);
}

/// All of one exchange.
pub(super) fn text(look: &Look, exchange: &Exchange, area: Area) -> Text {
    let rest = area.split_top(2).1.narrowed(1);
    Text::new(whole(look, exchange, usize::from(rest.width)), rest)
}

/// Request and reply, whole, as they may be looked at.
fn whole(look: &Look, exchange: &Exchange, width: usize) -> Vec<Line<'static>> {
    let first = Untrusted::from(format!("{} {}", exchange.method, exchange.url)).shown();
    let mut lines = wrapped(look, Role::Strong, &first, width);
    for (name, value) in &exchange.request_headers {
        lines.extend(header(look, name, &Untrusted::from(value.as_str()), width));
    }
    if let Some(body) = &exchange.request_body {
        lines.push(Line::default());
        lines.extend(body_lines(look, &Untrusted::from(body.as_str()), width));
    }
    lines.push(Line::default());
    let took = took(exchange);
    match &exchange.reply {
        Ok(reply) => {
            let (role, status) = reply_word(look, exchange);
            let values = [("status", status.as_str()), ("took", &took)];
            let text = look.words.with("exchange-reply", &values);
            lines.extend(wrapped(look, role, &text, width));
            for (name, value) in &reply.headers {
                lines.extend(header(look, name, value, width));
            }
            lines.push(Line::default());
            lines.extend(body_lines(look, &reply.body, width));
        }
        Err(failure) => {
            let text = look.words.with("exchange-after", &[("took", &took)]);
            lines.extend(wrapped(look, Role::Dim, &text, width));
            let doing = match exchange.operation {
                Operation::Login => Doing::Login,
                Operation::CreateLink => Doing::Link,
                Operation::DirectPayment => Doing::Charge,
                Operation::Withdrawal => Doing::Withdrawal,
                Operation::Domains | Operation::FeePreview => Doing::Question,
            };
            lines.extend(failure::lines(look, failure, doing, width));
        }
    }
    lines
}

fn header(look: &Look, name: &str, value: &Untrusted, width: usize) -> Vec<Line<'static>> {
    let name = Untrusted::from(name).shown();
    wrapped(look, Role::Dim, &format!("{name}: {}", value.shown()), width)
}

/// A body; of one without measure the beginning: all of it is laid out again for each frame.
fn body_lines(look: &Look, body: &Untrusted, width: usize) -> Vec<Line<'static>> {
    if body.is_empty() {
        return vec![look.line(Role::Dim, look.say("exchange-no-body"))];
    }
    let text = json::pretty(&body.shown_lines());
    let end = text.floor_char_boundary(MOST_LAID_OUT);
    let mut lines = wrapped(look, Role::Text, &text[..end], width);
    if end < text.len() {
        let whole = body.len().div_ceil(1024).to_string();
        let rest = look.words.with("exchange-body-goes-on", &[("kib", &whole)]);
        lines.push(Line::default());
        lines.extend(wrapped(look, Role::Warn, &rest, width));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::Lang;

    #[test]
    fn of_an_endless_body_the_beginning_is_laid_out_and_the_end_says_so() {
        let look = Look::new(Lang::Pt);
        let told = |body: &str| {
            let lines = body_lines(&look, &body.into(), 60);
            let last = lines.last().map(ToString::to_string).unwrap_or_default();
            (lines.len(), last)
        };
        let size = MOST_LAID_OUT;
        assert_eq!(told(&"x".repeat(size)).0, size.div_ceil(60));
        let (lines, last) = told(&"ç".repeat(size));
        assert!(lines < size / 60 + 5, "{lines}");
        assert!(last.contains("128 KiB"), "{last}");
    }
}
