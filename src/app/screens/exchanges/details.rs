//! The details screen of one HTTP exchange: the whole request and its reply.

use std::sync::Arc;
use std::time::Duration;

use super::{copy, duration, export, reply_word, reveal, selected, with_key_label, with_object};
use crate::app::cx::Cx;
use crate::app::screen::{Actions, Info, Screen, ScreenLinks};
use crate::app::store::{exchanges, requests};
use crate::app::ui::list_pane::Look;
use crate::app::ui::parts::{paragraph, wrapped};
use crate::app::ui::scrolled::Text;
use crate::app::ui::{Action, Area, Line, Page, Role, failure, json};
use crate::app::{Pane, Store};
use crate::trade::{Exchange, Operation, RequestResult, Untrusted};
use crate::words::failure::Activity;
use crate::words::{Catalogue, names, personal, sizes};

/// The screen with the details of one HTTP exchange.
#[derive(Debug, Clone)]
pub struct ExchangeDetails(pub Arc<Exchange>);

impl Screen for ExchangeDetails {
    fn info(&self) -> Info {
        Info::detail("exchange", Pane::Exchanges)
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        details(store, &self.0, (area, Look::Entered), page);
    }

    fn actions(&self, store: &Store, _: bool) -> Actions {
        let object = requests::object_word(store, Some(&self.0));
        let related = object.map(|_| Action::Related).into_iter().collect();
        let moves = vec![Action::Down, Action::Up];
        let exports = export::ACTIONS.to_vec();
        let offered = [vec![Action::Copy], related, reveal(store), exports, moves].concat();
        with_object(with_key_label(store, offered), object)
    }

    fn act(&mut self, cx: &mut Cx, action: Action) {
        match action {
            Action::Reveal => cx.store.exchanges_whole ^= true,
            Action::Copy => copy(cx, &self.0),
            Action::Related => requests::open_object(cx),
            other => export::act(cx, other, &self.0),
        }
    }

    fn links<'s>(&'s self, store: &'s Store) -> ScreenLinks<'s> {
        let exchange = requests::taught_from(store, &self.0);
        let is_under_cursor = selected(store).is_some_and(|one| Arc::ptr_eq(one, &self.0));
        ScreenLinks { exchange, is_under_cursor, ..ScreenLinks::default() }
    }
}

/// The maximum number of bytes of a body that are shown.
const MOST_LAID_OUT: usize = 64 * 1024;

/// Draws the complete request and reply, with secrets masked.
pub(super) fn details(
    store: &Store,
    exchange: &Exchange,
    (area, look): (Area, Look),
    page: &mut Page,
) {
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
    let took = duration(exchange.took);
    match &exchange.reply {
        Ok(reply) => {
            let (role, status) = reply_word(say, RequestResult::Reply(reply.status));
            let text = say.with("exchange-reply", &[("status", &status), ("took", &took)]);
            lines.extend(wrapped(role, &text, width));
            lines.extend(facts(say, exchange, width));
            lines.extend(id_and_clock(say, others_look, exchange, width));
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

/// Returns the service's id of the request, and the difference between the clocks.
fn id_and_clock(
    say: &Catalogue,
    others_look: bool,
    exchange: &Exchange,
    width: usize,
) -> Vec<Line> {
    let id = exchange.request_id().map(|id| {
        let id = personal::header(say, others_look, "x-request-id", id);
        wrapped(Role::Dim, &say.with("exchange-request-id", &[("id", &id)]), width)
    });
    let clock = exchange.clock_difference_ms().map(|ms| {
        let id = if ms < 0 { "exchange-clock-behind" } else { "exchange-clock-ahead" };
        let time = duration(Duration::from_millis(ms.unsigned_abs()));
        wrapped(Role::Warn, &say.with(id, &[("difference", &time)]), width)
    });
    id.into_iter().chain(clock).flatten().collect()
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
