//! The details screen of one HTTP exchange: the whole request and its reply.

use std::sync::Arc;
use std::time::Duration;

use super::tree::Tree;
use super::{
    copy_exchange, export, format_duration, label_actions, label_related_action, result_text,
    reveal_actions, selected,
};
use crate::app::cx::Cx;
use crate::app::screen::{Actions, Info, Screen, ScreenEvent, ScreenLinks};
use crate::app::store::{exchanges, requests};
use crate::app::ui::list_pane::Look;
use crate::app::ui::parts::{paragraph, title, wrapped};
use crate::app::ui::scrolled::Text;
use crate::app::ui::{Action, Area, Line, Page, Role, failure, json};
use crate::app::{Pane, Store};
use crate::contract::ReplyTree;
use crate::trade::{Exchange, Operation, RequestResult, Untrusted};
use crate::words::failure::Activity;
use crate::words::{Catalogue, names, personal, sizes};

/// The screen with the details of one HTTP exchange.
#[derive(Debug, Clone)]
pub struct ExchangeDetails {
    pub exchange: Arc<Exchange>,
    tree: Tree,
}

impl From<Arc<Exchange>> for ExchangeDetails {
    fn from(exchange: Arc<Exchange>) -> ExchangeDetails {
        let tree = Tree::of(vec![exchange.clone()]);
        ExchangeDetails { exchange, tree }
    }
}

impl ExchangeDetails {
    /// The memory address of the rows. A test compares addresses to detect that the rows were built
    /// again.
    #[cfg(test)]
    pub fn rows_address(&self, store: &Store) -> usize {
        self.tree
            .rows(store)
            .map_or(0, |rows| Arc::as_ptr(&rows).addr())
    }
}

impl Screen for ExchangeDetails {
    fn info(&self) -> Info {
        let info = Info::detail("exchange", Pane::Exchanges);
        Info {
            context: self.tree.context(),
            cancels: self.tree.pending_ticket(),
            ..info
        }
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        let (head, rest) = area.split_top(2);
        let words = exchanges::words(store);
        let when = Line::of(Role::Dim, store.render_cx().moment(self.exchange.at));
        title(
            &names::operation(words, self.exchange.operation),
            when,
            head,
            page,
        );
        self.tree
            .show(store.words(), self.tree.rows(store).as_deref(), rest, page);
    }

    fn actions(&self, store: &Store, _: bool) -> Actions {
        if let Some(search_actions) = self.tree.typing_actions() {
            return search_actions;
        }
        let object = requests::object_word(store, Some(&self.exchange));
        let related_action = object.map(|_| Action::Related).into_iter().collect();
        let is_folded = self.tree.fold_at_cursor();
        let open = if is_folded.is_some() {
            vec![Action::Open]
        } else {
            vec![]
        };
        let move_actions = [
            Action::Search,
            Action::NextPane,
            Action::PrevPane,
            Action::Down,
            Action::Up,
        ];
        let move_actions = [&move_actions[..], &[Action::Help]].concat();
        let exports = [&export::ACTIONS[..], &[Action::Compare]].concat();
        let all = [
            vec![Action::Copy],
            open,
            related_action,
            reveal_actions(store),
            exports,
            move_actions,
        ]
        .concat();
        let word = if is_folded == Some(true) {
            "unfold"
        } else {
            "fold"
        };
        let actions = label_actions(store, all).word(Action::Open, word);
        let actions = actions
            .word(Action::NextPane, "unfold")
            .word(Action::PrevPane, "fold");
        let actions = actions.word(
            Action::Compare,
            requests::compare_word(store, &self.exchange),
        );
        label_related_action(actions, object)
    }

    fn act(&mut self, cx: &mut Cx, action: Action) {
        match action {
            Action::Reveal => cx.store.exchanges_unmasked ^= true,
            Action::Copy => copy_exchange(cx, &self.exchange),
            Action::Related => requests::open_object(cx),
            Action::Compare => requests::mark_or_compare(cx, &self.exchange),
            Action::PrevPane => self.tree.fold(true),
            Action::NextPane => self.tree.fold(false),
            Action::CopyMessage | Action::Save => export::act(cx, action, &self.exchange),
            other => self.tree.act(other),
        }
    }

    fn on_event(&mut self, cx: &mut Cx, event: ScreenEvent) -> bool {
        self.tree.on_event(cx, event)
    }

    fn links<'s>(&'s self, store: &'s Store) -> ScreenLinks<'s> {
        let exchange = requests::usable_for_teaching(store, &self.exchange);
        let is_under_cursor =
            selected(store).is_some_and(|exchange| Arc::ptr_eq(exchange, &self.exchange));
        ScreenLinks {
            exchange,
            is_under_cursor,
            ..ScreenLinks::default()
        }
    }
}

/// The maximum number of bytes of a body that are shown beside the list. The body is laid out again
/// for every frame.
const MAX_BESIDE_BYTES: usize = 8 * 1024;

/// Draws the request and the reply beside the list, with secrets masked. Only the start of a long
/// body is laid out, because this happens for every frame.
pub(super) fn draw_details(store: &Store, exchange: &Exchange, area: Area, page: &mut Page) {
    let words = exchanges::words(store);
    let when = Line::of(Role::Dim, store.render_cx().moment(exchange.at));
    let (head, rest) = area.split_top(2);
    Look::Beside.title(
        &names::operation(words, exchange.operation),
        when,
        head,
        page,
    );
    let rest = rest.narrowed(1);
    let masks_all = store.is_masked;
    let width = usize::from(rest.width);
    let lay_out = || {
        let mut lines = vec![];
        for_each_part(words, masks_all, exchange, width, &mut |part| match part {
            Part::Lines(more) => lines.extend(more),
            Part::Body(body, _) => {
                lines.extend(body_lines(
                    words,
                    masks_all,
                    body,
                    (width, MAX_BESIDE_BYTES),
                ));
            }
        });
        lines
    };
    Look::Beside.text(
        Text::new(Untrusted::masking(words.masks(), lay_out), rest),
        store.render_cx(),
        page,
    );
}

/// A part of an HTTP exchange on the details screen: lines of text, or a body.
pub(super) enum Part<'a> {
    Lines(Vec<Line>),
    /// A body that is not empty, and whether it is the body of the reply.
    Body(&'a Untrusted, bool),
}

/// Lays out a request and its reply, and calls `add` with each part, from top to bottom.
pub(super) fn for_each_part(
    words: &Catalogue,
    masks_all: bool,
    exchange: &Exchange,
    width: usize,
    add: &mut dyn FnMut(Part),
) {
    let request_line = Untrusted::from(format!("{} {}", exchange.method, exchange.url)).shown();
    let mut lines = wrapped(Role::Strong, &request_line, width);
    for (name, value) in &exchange.request_headers {
        lines.extend(header_lines(
            words,
            masks_all,
            name,
            &Untrusted::from(value.as_str()),
            width,
        ));
    }
    if let Some(body) = &exchange.request_body {
        lines.push(Line::default());
        add(Part::Lines(std::mem::take(&mut lines)));
        body_part(words, &Untrusted::from(body.as_str()), false, add);
    }
    lines.push(Line::default());
    let took = format_duration(exchange.took);
    match &exchange.reply {
        Ok(reply) => {
            let (role, status) = result_text(words, RequestResult::Reply(reply.status));
            let text = words.with("exchange-reply", &[("status", &status), ("took", &took)]);
            lines.extend(wrapped(role, &text, width));
            lines.extend(size_and_time_lines(words, exchange, width));
            lines.extend(id_and_clock(words, masks_all, exchange, width));
            let end = sizes::body_end(words, reply);
            lines.extend(end.iter().flat_map(|end| wrapped(Role::Warn, end, width)));
            for (name, value) in &reply.headers {
                lines.extend(header_lines(words, masks_all, name, value, width));
            }
            // If the reply was cut off before the first byte of its body, there is no body to show.
            let has_body = end.is_none() || !reply.body.is_empty();
            lines.extend(has_body.then(Line::default));
            add(Part::Lines(lines));
            if has_body {
                body_part(words, &reply.body, true, add);
            }
        }
        Err(failure) => {
            lines.extend(size_and_time_lines(words, exchange, width));
            let text = words.with("exchange-after", &[("took", &took)]);
            lines.extend(wrapped(Role::Dim, &text, width));
            lines.extend(failure::lines(
                words,
                failure,
                activity_of(exchange.operation),
                width,
            ));
            add(Part::Lines(lines));
        }
    }
}

fn body_part(words: &Catalogue, body: &Untrusted, is_reply: bool, add: &mut dyn FnMut(Part)) {
    add(if body.is_empty() {
        Part::Lines(vec![Line::of(Role::Dim, words.text("exchange-no-body"))])
    } else {
        Part::Body(body, is_reply)
    });
}

pub(super) fn activity_of(operation: Operation) -> Activity {
    match operation {
        Operation::Login => Activity::Login,
        Operation::CreateLink => Activity::Link,
        Operation::DirectPayment => Activity::Charge,
        Operation::Withdrawal => Activity::Withdrawal,
        Operation::FeePreview => Activity::Fee,
        Operation::Domains => Activity::Question,
    }
}

pub(super) fn format_bytes(words: &Catalogue, n: u64) -> String {
    words.count("size-bytes", n, &[("figure", &sizes::grouped(words, n))])
}

/// The number of bytes of the request body, if a body was sent.
pub(super) fn sent_bytes(exchange: &Exchange) -> Option<u64> {
    let was_sent = !matches!(&exchange.reply, Err(failure) if failure.nothing_was_sent());
    Some(exchange.request_bytes).filter(|bytes| was_sent && *bytes > 0)
}

/// Lays out the sizes of the bodies, and how long connecting and waiting took.
fn size_and_time_lines(words: &Catalogue, exchange: &Exchange, width: usize) -> Vec<Line> {
    let sent = sent_bytes(exchange)
        .map(|bytes| words.with("exchange-sent", &[("bytes", &format_bytes(words, bytes))]));
    let received = exchange.reply.as_ref().ok();
    let received = received.map(|reply| {
        let bytes = format_bytes(words, reply.received);
        words.with("exchange-received", &[("bytes", &bytes)])
    });
    let times = exchange.connecting.map(|connecting| {
        let waiting = exchange.took.saturating_sub(connecting);
        let times = [
            ("connecting", &*format_duration(connecting)),
            ("waiting", &*format_duration(waiting)),
        ];
        words.with("exchange-connecting", &times)
    });
    let facts = [sent, received, times]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(" · ");
    if facts.is_empty() {
        vec![]
    } else {
        wrapped(Role::Dim, &facts, width)
    }
}

/// Lays out the service's id for the request, and the difference between this computer's clock and
/// the service's clock.
fn id_and_clock(
    words: &Catalogue,
    masks_all: bool,
    exchange: &Exchange,
    width: usize,
) -> Vec<Line> {
    let id_lines = exchange.request_id().map(|id| {
        let id = personal::request_id(words, masks_all, id);
        wrapped(
            Role::Dim,
            &words.with("exchange-request-id", &[("id", &id)]),
            width,
        )
    });
    let clock_lines = exchange.clock_difference_ms().map(|ms| {
        let text_id = if ms < 0 {
            "exchange-clock-behind"
        } else {
            "exchange-clock-ahead"
        };
        let time = format_duration(Duration::from_millis(ms.unsigned_abs()));
        wrapped(
            Role::Warn,
            &words.with(text_id, &[("difference", &time)]),
            width,
        )
    });
    id_lines.into_iter().chain(clock_lines).flatten().collect()
}

fn header_lines(
    words: &Catalogue,
    masks_all: bool,
    name: &str,
    value: &Untrusted,
    width: usize,
) -> Vec<Line> {
    let value = personal::header(words, masks_all, name, value);
    let name = Untrusted::from(name).shown();
    wrapped(Role::Dim, &format!("{name}: {value}"), width)
}

/// The maximum number of lines of a body that is shown as text. It is the same as for a tree.
const MAX_TEXT_LINES: usize = ReplyTree::MAX_ROWS;

/// Lays out at most `max_bytes` and `MAX_TEXT_LINES` of a request or reply body as text.
pub(super) fn body_lines(
    words: &Catalogue,
    masks_all: bool,
    body: &Untrusted,
    (width, max_bytes): (usize, usize),
) -> Vec<Line> {
    let start = body.start(max_bytes);
    let text = Untrusted::without_masking(|| start.shown_lines());
    // The body may be cut off. `pretty_start` also formats incomplete JSON, with one member per
    // line.
    let mut text = json::pretty_start(&text, personal::body_mask(words, masks_all));
    let end = text
        .match_indices('\n')
        .nth(MAX_TEXT_LINES - 1)
        .map(|(at, _)| at);
    let is_cut = start.len() < body.len() || end.is_some();
    text.truncate(end.unwrap_or(text.len()));
    let mut lines = wrapped(Role::Text, &text, width);
    if is_cut {
        let size_kib = body.len().div_ceil(1024).to_string();
        let remark = words.with("exchange-body-goes-on", &[("kib", &size_kib)]);
        lines.extend(paragraph(Role::Warn, &remark, width));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::Lang;

    #[test]
    fn long_body_is_cut_and_last_line_shows_the_limit() {
        let words = Catalogue::of(Lang::Pt);
        let count_and_last_line = |body: &str| {
            let lines = body_lines(words, false, &body.into(), (60, MAX_BESIDE_BYTES));
            let last = lines.last().map(ToString::to_string).unwrap_or_default();
            (lines.len(), last)
        };
        let size = MAX_BESIDE_BYTES;
        assert_eq!(count_and_last_line(&"x".repeat(size)).0, size.div_ceil(60));
        let (lines, last) = count_and_last_line(&"ç".repeat(size));
        assert!(lines < size / 60 + 5, "{lines}");
        assert!(last.contains("16 KiB"), "{last}");
    }

    #[test]
    fn body_of_many_lines_is_cut_before_it_is_laid_out() {
        let words = Catalogue::of(Lang::Pt);
        let body = format!("[{}", "1,".repeat(20_000));
        let lines = body_lines(words, false, &(&*body).into(), (60, 64 * 1024));
        assert!(lines.len() < MAX_TEXT_LINES + 3, "{}", lines.len());
        assert!(lines[lines.len() - 1].to_string().contains("40 KiB"));
    }
}
