//! The exchanges pane: the recent HTTP requests with their replies, and the screen with the details
//! of one exchange.

use std::sync::Arc;
use std::time::Duration;

use crate::app::cx::{Cx, Route};
use crate::app::screen::{Actions, Info, Screen, ScreenEvent, ScreenLinks};
use crate::app::store::clip::{self, Clip};
use crate::app::store::exchanges;
use crate::app::ui::geometry::list_pane;
use crate::app::ui::list::{ShownRows, moved, short_list};
use crate::app::ui::list_pane::{self, Look};
use crate::app::ui::parts::{paragraph, put, wrapped};
use crate::app::ui::scrolled::Text;
use crate::app::ui::table::{self, Column};
use crate::app::ui::text::fit;
use crate::app::ui::{Action, Area, Line, Page, Role, Span, failure, json};
use crate::app::{Pane, Store};
use crate::trade::{Exchange, Failure, Operation, Untrusted};
use crate::words::failure::Activity;
use crate::words::{Catalogue, names, personal, sizes};

#[derive(Debug, Clone, Copy)]
pub struct ExchangesPane;

/// The screen with the details of one HTTP exchange.
#[derive(Debug, Clone)]
pub struct ExchangeDetails(pub Arc<Exchange>);

fn selected(store: &Store) -> Option<&Arc<Exchange>> {
    store.exchanges.get(store.exchange_cursor)
}

/// Returns the action that reveals personal data. While the whole screen is masked, because other
/// people can see it, the action is not offered.
fn reveal(store: &Store) -> Vec<Action> {
    if store.masks { vec![] } else { vec![Action::Reveal] }
}

/// Labels the reveal action "back" while personal data is shown, because the action then hides the
/// data.
fn with_key_label(store: &Store, offered: Vec<Action>) -> Actions {
    let actions = Actions::from(offered);
    if store.exchanges_whole { actions.word(Action::Reveal, "back") } else { actions }
}

/// Copies the HTTP exchange, masked in the same way as on the screen.
fn copy(cx: &mut Cx, exchange: &Exchange) {
    let say = exchanges::words(cx.store);
    let text = Untrusted::masking(cx.store.masks, || exchanges::text(say, exchange));
    clip::copy(cx, Clip::Request, text)
}

impl Screen for ExchangesPane {
    fn info(&self) -> Info {
        Info::list("exchanges", Pane::Exchanges)
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        let say = exchanges::words(store);
        if store.exchanges.is_empty() {
            let area = area.narrowed(2).readable();
            let keeps = store.setup.keeps_requests && store.setup.demo.is_none();
            let kept = if keeps { "exchanges-kept" } else { "exchanges-not-kept" };
            let what = format!("{} {}", say.text("exchanges-what"), say.text(kept));
            let said = [say.text("exchanges-none"), what];
            let said = said.map(|text| paragraph(Role::Text, &text, usize::from(area.width)));
            put(said.concat(), area, page);
            return;
        }
        let areas = list_pane(area);
        let kept = store.exchanges.len() as u64;
        let count = match store.exchanges_dropped {
            0 => say.count("exchanges-top", kept, &[]),
            more => say.count("exchanges-top-kept", kept, &[("dropped", &more.to_string())]),
        };
        let top = fit(&format!(" {count}"), usize::from(areas.top.width).saturating_sub(1));
        put(vec![Line::of(Role::Dim, top)], areas.top, page);
        if let Some(rows) = self.rows(store, area) {
            list_pane::put_hidden_counts(say, &rows, store.exchanges.len(), page);
            let row = |n: usize| Some((store.exchanges.get(n)?, n == store.exchange_cursor));
            table::put_short_list(store, (&COLUMNS, row), rows, &[], page);
        }
        if let (Some(aside), Some(exchange)) = (areas.aside, selected(store)) {
            details(store, exchange, (aside, Look::Beside), page);
        }
    }

    fn actions(&self, store: &Store, _: bool) -> Actions {
        match store.exchanges.is_empty() {
            true => Actions::default(),
            false => {
                with_key_label(store, [vec![Action::Open, Action::Copy], reveal(store)].concat())
            }
        }
    }

    fn act(&mut self, cx: &mut Cx, action: Action) {
        let Some(exchange) = selected(cx.store).cloned() else { return };
        match action {
            Action::Reveal => cx.store.exchanges_whole ^= true,
            Action::Open => cx.open(Route::Exchange(exchange)),
            Action::Copy => copy(cx, &exchange),
            _ => {}
        }
    }

    fn links<'s>(&'s self, store: &'s Store) -> ScreenLinks<'s> {
        let exchange = selected(store).filter(|one| one.reply.is_ok()).cloned();
        let cursor = Some(store.exchange_cursor as u64);
        ScreenLinks { exchange, cursor, ..ScreenLinks::default() }
    }

    fn rows(&self, store: &Store, area: Area) -> Option<ShownRows> {
        let list = list_pane(area).list;
        Some(short_list(store.exchanges.len(), store.exchange_cursor, list))
    }

    fn on_event(&mut self, cx: &mut Cx, event: ScreenEvent) -> bool {
        let ScreenEvent::Moved(to) = event else { return false };
        let last = cx.store.exchanges.len().saturating_sub(1);
        cx.store.exchange_cursor = moved(cx.store.exchange_cursor, last, to);
        true
    }
}

impl Screen for ExchangeDetails {
    fn info(&self) -> Info {
        Info::detail("exchange", Pane::Exchanges)
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        details(store, &self.0, (area, Look::Entered), page);
    }

    fn actions(&self, store: &Store, _: bool) -> Actions {
        let moves = vec![Action::Down, Action::Up];
        with_key_label(store, [vec![Action::Copy], reveal(store), moves].concat())
    }

    fn act(&mut self, cx: &mut Cx, action: Action) {
        match action {
            Action::Reveal => cx.store.exchanges_whole ^= true,
            Action::Copy => copy(cx, &self.0),
            _ => {}
        }
    }

    fn links<'s>(&'s self, store: &'s Store) -> ScreenLinks<'s> {
        let exchange = Some(self.0.clone()).filter(|one| one.reply.is_ok());
        let is_under_cursor = selected(store).is_some_and(|one| Arc::ptr_eq(one, &self.0));
        ScreenLinks { exchange, is_under_cursor, ..ScreenLinks::default() }
    }
}

/// The maximum number of bytes of a body that are shown.
const MOST_LAID_OUT: usize = 64 * 1024;

/// The columns: time, operation, result, size of the reply and duration.
const COLUMNS: [Column<Store, Arc<Exchange>>; 5] = [
    Column::new(3, &[|store, one, _| Span::of(Role::Dim, store.render_cx().time_exact(one.at))]),
    Column { least: 12, fills: true, ..Column::new(0, &[operation]) },
    Column { padded_width: 14, is_right: true, ..Column::new(1, &[reply]) },
    Column {
        least: 0,
        is_right: true,
        ..Column::new(4, &[|_, one, _| Span::of(Role::Dim, size(one))])
    },
    Column {
        padded_width: 8,
        is_right: true,
        ..Column::new(2, &[|_, one, _| Span::of(Role::Dim, took(one))])
    },
];

fn operation(store: &Store, exchange: &Arc<Exchange>, _: usize) -> Span {
    Span::of(Role::Text, names::operation(exchanges::words(store), exchange.operation))
}

fn reply(store: &Store, exchange: &Arc<Exchange>, _: usize) -> Span {
    let (role, reply) = reply_word(exchanges::words(store), exchange);
    Span::of(role, reply)
}

fn size(exchange: &Exchange) -> String {
    exchange.reply.as_ref().map_or(String::new(), |reply| sizes::short(reply.received))
}

fn took(exchange: &Exchange) -> String {
    duration(exchange.took)
}

fn duration(time: Duration) -> String {
    let ms = time.as_millis();
    if ms < 10_000 { format!("{ms} ms") } else { format!("{} s", ms / 1_000) }
}

/// Returns the HTTP status of the reply, or a word for the failure.
fn reply_word(say: &Catalogue, exchange: &Exchange) -> (Role, String) {
    match &exchange.reply {
        Ok(reply) if (200..300).contains(&reply.status) => (Role::Good, reply.status.to_string()),
        Ok(reply) => (Role::Bad, reply.status.to_string()),
        Err(Failure::NoAnswer(_)) => (Role::Warn, say.text("exchange-no-answer")),
        Err(Failure::Cancelled) => (Role::Warn, say.text("exchange-cancelled")),
        Err(failure) if failure.nothing_was_sent() => (Role::Warn, say.text("exchange-not-sent")),
        Err(_) => (Role::Bad, say.text("exchange-failed")),
    }
}

/// Draws the complete request and reply, with secrets masked.
fn details(store: &Store, exchange: &Exchange, (area, look): (Area, Look), page: &mut Page) {
    let say = exchanges::words(store);
    let when = Line::of(Role::Dim, store.render_cx().moment(exchange.at));
    let (head, rest) = area.split_top(2);
    look.title(&names::operation(say, exchange.operation), when, head, page);
    let rest = rest.narrowed(1);
    let others_look = Untrusted::is_masking();
    let whole = || laid_out(say, others_look, exchange, usize::from(rest.width));
    let text = Text::new(Untrusted::masking(say.masks(), whole), rest);
    look.text(text, store.render_cx(), page);
}

fn laid_out(say: &Catalogue, others_look: bool, exchange: &Exchange, width: usize) -> Vec<Line> {
    let first = Untrusted::from(format!("{} {}", exchange.method, exchange.url)).shown();
    let mut lines = wrapped(Role::Strong, &first, width);
    for (name, value) in &exchange.request_headers {
        lines.extend(header(say, others_look, name, &Untrusted::from(value.as_str()), width));
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
            lines.extend(facts(say, exchange, width));
            let end = sizes::body_end(say, reply);
            lines.extend(end.iter().flat_map(|end| wrapped(Role::Warn, end, width)));
            for (name, value) in &reply.headers {
                lines.extend(header(say, others_look, name, value, width));
            }
            // Of a body that was cut before its first byte, there is nothing to show.
            if end.is_none() || !reply.body.is_empty() {
                lines.push(Line::default());
                lines.extend(body_lines(say, others_look, &reply.body, width));
            }
        }
        Err(failure) => {
            lines.extend(facts(say, exchange, width));
            let text = say.with("exchange-after", &[("took", &took)]);
            lines.extend(wrapped(Role::Dim, &text, width));
            let activity = match exchange.operation {
                Operation::Login => Activity::Login,
                Operation::CreateLink => Activity::Link,
                Operation::DirectPayment => Activity::Charge,
                Operation::Withdrawal => Activity::Withdrawal,
                Operation::FeePreview => Activity::Fee,
                Operation::Domains => Activity::Question,
            };
            lines.extend(failure::lines(say, failure, activity, width));
        }
    }
    lines
}

/// Returns the sizes of the bodies, and the time for connecting apart from waiting.
fn facts(say: &Catalogue, exchange: &Exchange, width: usize) -> Vec<Line> {
    let sized = |id: &str, n: u64| {
        let bytes = say.count("size-bytes", n, &[("figure", &sizes::grouped(say, n))]);
        say.with(id, &[("bytes", &bytes)])
    };
    let has_gone = !matches!(&exchange.reply, Err(failure) if failure.nothing_was_sent());
    let sent = Some(exchange.request_bytes).filter(|bytes| has_gone && *bytes > 0);
    let sent = sent.map(|bytes| sized("exchange-sent", bytes));
    let received = exchange.reply.as_ref().ok();
    let received = received.map(|reply| sized("exchange-received", reply.received));
    let times = exchange.connecting.map(|connecting| {
        let waiting = exchange.took.saturating_sub(connecting);
        let times = [("connecting", &*duration(connecting)), ("waiting", &*duration(waiting))];
        say.with("exchange-connecting", &times)
    });
    let facts = [sent, received, times].into_iter().flatten().collect::<Vec<_>>().join(" · ");
    if facts.is_empty() { vec![] } else { wrapped(Role::Dim, &facts, width) }
}

fn header(
    say: &Catalogue,
    others_look: bool,
    name: &str,
    value: &Untrusted,
    width: usize,
) -> Vec<Line> {
    let value = personal::header(say, others_look, name, value);
    let name = Untrusted::from(name).shown();
    wrapped(Role::Dim, &format!("{name}: {value}"), width)
}

/// Lays out a request or reply body. A long body is cut, because it is laid out again for every
/// frame.
fn body_lines(say: &Catalogue, others_look: bool, body: &Untrusted, width: usize) -> Vec<Line> {
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
    fn long_body_is_cut_and_last_line_shows_the_limit() {
        let say = Catalogue::of(Lang::Pt);
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
