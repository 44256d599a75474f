//! The exchanges pane: every request of this run and what came back, masked.

use crate::app::screen::Screen;
use crate::app::screens::exchanges::ExchangesPane;
use crate::app::ui::geometry::list_pane;
use crate::app::ui::parts::{self, paragraph, put, row, wrapped};
use crate::app::ui::scrolled::Text;
use crate::app::ui::text::{columns, exactly, fit, right};
use crate::app::ui::{Action, Area, Line, Page, Role, Span, failure, json, lists};
use crate::app::{Pane, Store};
use crate::trade::{Exchange, Failure, Operation, Untrusted};
use crate::words::failure::Doing;
use crate::words::{Words, names, personal};
use std::sync::Arc;

/// The most bytes of a body that are laid out.
const MOST_LAID_OUT: usize = 64 * 1024;

pub fn pane(store: &Store, say: &Words, area: Area, page: &mut Page) {
    if store.exchanges.is_empty() {
        let area = area.narrowed(2).readable();
        let said = ["exchanges-none", "exchanges-what"].map(|id| say.text(id));
        let said = said.map(|text| paragraph(Role::Text, &text, usize::from(area.width)));
        put(said.concat(), area, page);
        return;
    }
    let areas = list_pane(Pane::Exchanges, area);
    let kept = store.exchanges.len() as u64;
    let count = match store.exchanges_dropped {
        0 => say.count("exchanges-top", kept, &[]),
        more => say.count("exchanges-top-kept", kept, &[("dropped", &more.to_string())]),
    };
    let top = fit(&format!(" {count}"), usize::from(areas.top.width).saturating_sub(1));
    put(vec![Line::of(Role::Dim, top)], areas.top, page);
    if let Some(rows) = ExchangesPane.rows(store, area) {
        let width = usize::from(rows.area.width);
        lists::row_targets(&rows.lines, areas.list, page);
        lists::put_hidden(say, &rows, store.exchanges.len(), page);
        let shown: Vec<_> =
            rows.rows().filter_map(|n| Some((n, store.exchanges.get(n)?))).collect();
        let columns = ExchangeColumns::of(say, shown.iter().map(|(_, one)| &***one), width);
        let line = |(n, exchange): (usize, &Arc<Exchange>)| {
            columns.line(store, say, exchange, n == store.exchange_cursor)
        };
        put(shown.into_iter().map(line).collect(), rows.area, page);
    }
    if let (Some(aside), Some(exchange)) = (areas.aside, super::selected(store)) {
        beside(store, say, exchange, aside, page);
    }
}

/// The columns of the list: what was asked, what came back, and how long that took.
struct ExchangeColumns {
    operation: usize,
    reply: usize,
    took: usize,
}

impl ExchangeColumns {
    /// Those of most lists look alike; in a narrow one what was asked has the room that the rest of
    /// these rows leaves.
    fn of<'a>(
        say: &Words,
        shown: impl Iterator<Item = &'a Exchange>,
        width: usize,
    ) -> ExchangeColumns {
        const MOST: (usize, usize) = (16, 10);
        const NARROW: usize = 60;
        let wanted = |(reply, time): (usize, usize), one: &Exchange| {
            let word = columns(&reply_word(say, one).1) + 2;
            (reply.max(word).min(MOST.0), time.max(columns(&took(one)) + 2).min(MOST.1))
        };
        let (reply, took) = if width < NARROW { shown.fold((0, 0), wanted) } else { MOST };
        let operation = width.saturating_sub(1 + 10 + reply + took + 1);
        ExchangeColumns { operation, reply, took }
    }

    fn line(&self, store: &Store, say: &Words, exchange: &Exchange, under_cursor: bool) -> Line {
        let (role, reply) = reply_word(say, exchange);
        let operation = names::operation(say, exchange.operation);
        let spans = [
            Span::of(Role::Dim, format!("{}  ", store.reader().time_exact(exchange.at))),
            Span::of(Role::Text, exactly(&operation, self.operation)),
            Span::of(role, right(&fit(&reply, self.reply.saturating_sub(1)), self.reply)),
            Span::of(Role::Dim, right(&took(exchange), self.took)),
        ];
        row(under_cursor, spans)
    }
}

fn took(exchange: &Exchange) -> String {
    let ms = exchange.took.as_millis();
    if ms < 10_000 { format!("{ms} ms") } else { format!("{} s", ms / 1_000) }
}

/// Names what came back, in a word or a number.
fn reply_word(say: &Words, exchange: &Exchange) -> (Role, String) {
    match &exchange.reply {
        Ok(reply) if (200..300).contains(&reply.status) => (Role::Good, reply.status.to_string()),
        Ok(reply) => (Role::Bad, reply.status.to_string()),
        Err(Failure::NoAnswer(_)) => (Role::Warn, say.text("exchange-no-answer")),
        Err(Failure::Cancelled) => (Role::Warn, say.text("exchange-cancelled")),
        Err(failure) if failure.nothing_was_sent() => (Role::Warn, say.text("exchange-not-sent")),
        Err(_) => (Role::Bad, say.text("exchange-failed")),
    }
}

pub fn details(store: &Store, say: &Words, exchange: &Exchange, area: Area, page: &mut Page) {
    let (name, when) = head(store, say, exchange);
    parts::title(&name, when, area.split_top(2).0, page);
    text(say, exchange, area).draw(store.reader(), page);
}

/// Names an exchange, and says when it was.
fn head(store: &Store, say: &Words, exchange: &Exchange) -> (String, Line) {
    let when = Line::of(Role::Dim, store.reader().moment(exchange.at));
    (names::operation(say, exchange.operation), when)
}

/// The same beside the list of a wide terminal.
fn beside(store: &Store, say: &Words, exchange: &Exchange, area: Area, page: &mut Page) {
    let (name, when) = head(store, say, exchange);
    let name = Line::of(Role::Dim, format!(" {name}"));
    parts::first_line(name, when, area.split_top(2).0, page);
    let text = Text { down: Action::Open, ..text(say, exchange, area) };
    text.draw_from(0, store.reader(), page);
}

fn text(say: &Words, exchange: &Exchange, area: Area) -> Text {
    let rest = area.split_top(2).1.narrowed(1);
    Text::new(whole(say, exchange, usize::from(rest.width)), rest)
}

/// Request and reply, whole, as they may be looked at.
fn whole(say: &Words, exchange: &Exchange, width: usize) -> Vec<Line> {
    let others_look = Untrusted::others_look();
    Untrusted::masking(say.masks(), || laid_out(say, others_look, exchange, width))
}

fn laid_out(say: &Words, others_look: bool, exchange: &Exchange, width: usize) -> Vec<Line> {
    let first = Untrusted::from(format!("{} {}", exchange.method, exchange.url)).shown();
    let mut lines = wrapped(Role::Strong, &first, width);
    for (name, value) in &exchange.request_headers {
        lines.extend(header(others_look, name, &Untrusted::from(value.as_str()), width));
    }
    if let Some(body) = &exchange.request_body {
        lines.push(Line::default());
        lines.extend(body_lines(say, others_look, &Untrusted::from(body.as_str()), width));
    }
    lines.push(Line::default());
    let took = took(exchange);
    match &exchange.reply {
        Ok(reply) => {
            let (role, status) = reply_word(say, exchange);
            let text = say.with("exchange-reply", &[("status", &status), ("took", &took)]);
            lines.extend(wrapped(role, &text, width));
            for (name, value) in &reply.headers {
                lines.extend(header(others_look, name, value, width));
            }
            lines.push(Line::default());
            lines.extend(body_lines(say, others_look, &reply.body, width));
        }
        Err(failure) => {
            let text = say.with("exchange-after", &[("took", &took)]);
            lines.extend(wrapped(Role::Dim, &text, width));
            let doing = match exchange.operation {
                Operation::Login => Doing::Login,
                Operation::CreateLink => Doing::Link,
                Operation::DirectPayment => Doing::Charge,
                Operation::Withdrawal => Doing::Withdrawal,
                Operation::Domains | Operation::FeePreview => Doing::Question,
            };
            lines.extend(failure::lines(say, failure, doing, width));
        }
    }
    lines
}

fn header(others_look: bool, name: &str, value: &Untrusted, width: usize) -> Vec<Line> {
    let value = personal::header(others_look, name, value);
    let name = Untrusted::from(name).shown();
    wrapped(Role::Dim, &format!("{name}: {value}"), width)
}

/// A body; of one without measure the beginning: all of it is laid out again for each frame.
fn body_lines(say: &Words, others_look: bool, body: &Untrusted, width: usize) -> Vec<Line> {
    if body.is_empty() {
        return vec![Line::of(Role::Dim, say.text("exchange-no-body"))];
    }
    let text = json::pretty(&Untrusted::in_full(|| body.shown_lines()));
    let text = personal::body(say, text, others_look);
    let end = text.floor_char_boundary(MOST_LAID_OUT);
    let mut lines = wrapped(Role::Text, &text[..end], width);
    if end < text.len() {
        let whole = body.len().div_ceil(1024).to_string();
        let rest = say.with("exchange-body-goes-on", &[("kib", &whole)]);
        lines.extend(paragraph(Role::Warn, &rest, width));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::Lang;

    #[test]
    fn of_an_endless_body_the_beginning_is_laid_out_and_the_end_says_so() {
        let say = Words::of(Lang::Pt);
        let told = |body: &str| {
            let lines = body_lines(say, false, &body.into(), 60);
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
