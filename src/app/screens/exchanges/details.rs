//! The details screen of one HTTP exchange: the whole request and its reply.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use tui_input::Input as TextField;

use super::rows::Rows;
use super::{copy, duration, export, reply_word, reveal, selected, with_key_label, with_object};
use crate::app::cx::Cx;
use crate::app::screen::{Actions, Info, KeyContext, Screen, ScreenEvent, ScreenLinks};
use crate::app::store::{exchanges, requests};
use crate::app::ui::form::{Edited, Limit, edit_text};
use crate::app::ui::input::Key;
use crate::app::ui::list::{Move, moved, short_list};
use crate::app::ui::list_pane::{Look, put_hidden_counts};
use crate::app::ui::parts::{paragraph, put, row, title, wrapped};
use crate::app::ui::scrolled::Text;
use crate::app::ui::text::{columns, split_at};
use crate::app::ui::{Action, Area, Line, Page, Role, Span, Target, failure, hits, json};
use crate::app::{Notice, Pane, Store};
use crate::trade::{Exchange, Operation, RequestResult, Untrusted};
use crate::words::failure::Activity;
use crate::words::{Catalogue, names, personal, sizes};

/// The screen with the details of one HTTP exchange: rows with a cursor. A row that contains other
/// rows can be folded.
#[derive(Debug, Clone)]
pub struct ExchangeDetails {
    exchange: Arc<Exchange>,
    rows: Option<Arc<Rows>>,
    /// The position of the cursor among all rows.
    cursor: usize,
    folded: BTreeSet<usize>,
    /// The text that is searched for; `None` if nothing is searched for.
    query: Option<TextField>,
    is_typing: bool,
}

/// The maximum number of characters of a search text.
const MOST_SEARCHED: usize = 100;

impl From<Arc<Exchange>> for ExchangeDetails {
    fn from(exchange: Arc<Exchange>) -> ExchangeDetails {
        let (rows, cursor, folded) = (None, 0, BTreeSet::new());
        ExchangeDetails { exchange, rows, cursor, folded, query: None, is_typing: false }
    }
}

impl ExchangeDetails {
    /// Returns the rows for the current mask, language and contract. Rows that were built for other
    /// settings are built again.
    fn rows(&self, store: &Store) -> Arc<Rows> {
        let current = self.rows.clone().filter(|rows| rows.are_current(store));
        current.unwrap_or_else(|| Arc::new(Rows::of(store, &self.exchange)))
    }

    /// Returns the memory address of the rows. A test compares addresses to detect that the rows
    /// were built again.
    #[cfg(test)]
    pub fn rows_address(&self, store: &Store) -> usize {
        Arc::as_ptr(&self.rows(store)).addr()
    }

    fn visible(&self, rows: &Rows) -> Vec<usize> {
        rows.visible(|n| self.folded.contains(&n))
    }

    fn words(&self) -> Vec<String> {
        self.query.as_ref().map_or(vec![], |query| hits::words(query.value()))
    }

    /// Returns whether the row under the cursor is folded; `None` if it contains no other rows.
    fn fold_at_cursor(&self) -> Option<bool> {
        let row = self.rows.as_ref()?.all.get(self.cursor)?;
        (row.inside > 0).then(|| self.folded.contains(&self.cursor))
    }

    /// Folds or unfolds the row under the cursor. If there is nothing to fold, folding moves the
    /// cursor to the row that contains this row.
    fn fold(&mut self, is_folded: bool) {
        match self.fold_at_cursor() {
            Some(false) if is_folded => _ = self.folded.insert(self.cursor),
            Some(true) if !is_folded => _ = self.folded.remove(&self.cursor),
            _ if is_folded => {
                let parent = self.rows.as_ref().and_then(|rows| rows.parent(self.cursor));
                self.cursor = parent.unwrap_or(self.cursor);
            }
            _ => {}
        }
    }

    fn move_cursor(&mut self, to: Move) {
        let Some(rows) = self.rows.clone() else { return };
        let visible = self.visible(&rows);
        let at = visible.partition_point(|n| *n <= self.cursor).saturating_sub(1);
        let last = visible.len().saturating_sub(1);
        self.cursor = visible.get(moved(at, last, to)).copied().unwrap_or(0);
    }

    /// Moves the cursor to the next row that matches the search, and unfolds the rows that contain
    /// it. The search begins `step` rows after the cursor, or before it if `forward` is false.
    fn find(&mut self, step: usize, forward: bool) {
        let Some(rows) = self.rows.clone().filter(|rows| !rows.all.is_empty()) else { return };
        let count = rows.all.len();
        let step = if forward { step } else { count - step };
        let start = (self.cursor + step) % count;
        let Some(hit) = rows.found(&self.words(), start, forward) else { return };
        self.folded.retain(|n| !(*n < hit && n + rows.all[*n].inside >= hit));
        self.cursor = hit;
    }

    fn type_key(&mut self, cx: &mut Cx, key: Key) -> bool {
        let Some(query) = self.query.as_mut().filter(|_| self.is_typing) else { return false };
        match edit_text(query, MOST_SEARCHED, key) {
            Edited::Ignored => return false,
            Edited::Changed => self.find(0, true),
            Edited::Full => cx.store.notify(Notice::Full(Limit::Characters(MOST_SEARCHED))),
            Edited::Unchanged => {}
        }
        true
    }
}

impl Screen for ExchangeDetails {
    fn info(&self) -> Info {
        let context = self.is_typing.then_some(KeyContext::Search);
        Info { context, ..Info::detail("exchange", Pane::Exchanges) }
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        let (head, rest) = area.split_top(2);
        let say = exchanges::words(store);
        let when = Line::of(Role::Dim, store.render_cx().moment(self.exchange.at));
        title(&names::operation(say, self.exchange.operation), when, head, page);
        let rows = self.rows(store);
        let visible = self.visible(&rows);
        let at = visible.partition_point(|n| *n <= self.cursor).saturating_sub(1);
        let Some(chosen) = visible.get(at).and_then(|n| rows.all.get(*n)) else { return };
        let (rest, field) = rest.split_bottom(u16::from(self.query.is_some()));
        // A row that does not fit is shown in full below the rows.
        let width = usize::from(rest.width).saturating_sub(1);
        let is_cut = chosen.line(false, &[]).width() > width;
        let whole = if is_cut { wrapped(Role::Text, &chosen.whole(), width) } else { vec![] };
        let lines = u16::try_from(whole.len()).unwrap_or(u16::MAX).min(rest.height / 2);
        let (list, below) = rest.split_bottom(lines);
        put(whole, below, page);
        let shown = short_list(visible.len(), at, list);
        put_hidden_counts(store.words(), &shown, visible.len(), page);
        let words = self.words();
        for (position, y) in shown.rows().zip(0..) {
            let (n, area) = (visible[position], shown.area.row(y));
            page.target(area, Target::Row(position as u64));
            let line = rows.all[n].line(self.folded.contains(&n), &words);
            let line = cut(line, usize::from(area.width).saturating_sub(1));
            put(vec![row(n == self.cursor, line.spans)], area, page);
        }
        self.search_field(store.words(), field, page);
    }

    fn actions(&self, store: &Store, _: bool) -> Actions {
        if self.is_typing {
            return Actions::from(vec![Action::Enter, Action::NextField])
                .word(Action::Enter, "search")
                .word(Action::NextField, "hit");
        }
        let object = requests::object_word(store, Some(&self.exchange));
        let related = object.map(|_| Action::Related).into_iter().collect();
        let folds = self.fold_at_cursor();
        let open = if folds.is_some() { vec![Action::Open] } else { vec![] };
        let moves =
            vec![Action::Search, Action::NextPane, Action::PrevPane, Action::Down, Action::Up];
        let exports = export::ACTIONS.to_vec();
        let all = [vec![Action::Copy], open, related, reveal(store), exports, moves].concat();
        let word = if folds == Some(true) { "unfold" } else { "fold" };
        let actions = with_key_label(store, all).word(Action::Open, word);
        let actions = actions.word(Action::NextPane, "unfold").word(Action::PrevPane, "fold");
        with_object(actions, object)
    }

    fn act(&mut self, cx: &mut Cx, action: Action) {
        match action {
            Action::Reveal => cx.store.exchanges_whole ^= true,
            Action::Copy => copy(cx, &self.exchange),
            Action::Related => requests::open_object(cx),
            Action::Open => self.fold(self.fold_at_cursor() == Some(false)),
            Action::PrevPane => self.fold(true),
            Action::NextPane => self.fold(false),
            Action::Search => {
                self.query.get_or_insert_default();
                self.is_typing = true;
            }
            Action::Enter => self.is_typing = false,
            Action::NextField => self.find(1, true),
            Action::PrevField => self.find(1, false),
            other => export::act(cx, other, &self.exchange),
        }
    }

    fn on_event(&mut self, cx: &mut Cx, event: ScreenEvent) -> bool {
        match event {
            ScreenEvent::StoreChanged => self.rows = Some(self.rows(cx.store)),
            ScreenEvent::Moved(to) => self.move_cursor(to),
            ScreenEvent::Typed(key) => return self.type_key(cx, key),
            ScreenEvent::Back if self.query.is_some() => {
                (self.query, self.is_typing) = (None, false);
            }
            _ => return false,
        }
        true
    }

    fn links<'s>(&'s self, store: &'s Store) -> ScreenLinks<'s> {
        let exchange = requests::taught_from(store, &self.exchange);
        let is_under_cursor = selected(store).is_some_and(|one| Arc::ptr_eq(one, &self.exchange));
        ScreenLinks { exchange, is_under_cursor, ..ScreenLinks::default() }
    }
}

impl ExchangeDetails {
    fn search_field(&self, say: &Catalogue, area: Area, page: &mut Page) {
        let Some(query) = &self.query else { return };
        let room = usize::from(area.width).saturating_sub(3);
        let typed = personal::typed_within(say, &query.value().into(), room);
        if self.is_typing && area.height > 0 {
            let x = u16::try_from(columns(&typed)).unwrap_or(0);
            page.set_cursor(area.x.saturating_add(2).saturating_add(x), area.y);
        }
        let line = vec![Span::of(Role::Key, "/ "), Span::of(Role::Text, typed)];
        put(vec![Line::from(line)], area, page);
    }
}

/// The maximum number of bytes of a body that are laid out beside the list, for every frame.
const MOST_BESIDE: usize = 8 * 1024;

/// Returns the start of a line that does not fit, with a mark.
fn cut(line: Line, width: usize) -> Line {
    const MORE: &str = " …";
    if line.width() <= width {
        return line;
    }
    let mut left = width.saturating_sub(columns(MORE));
    let mut start = Line::default();
    for span in line.spans {
        let (text, _) = split_at(&span.text, left);
        left -= columns(text).min(left);
        start.push(Span { text: text.into(), ..span });
    }
    start.push(Span::of(Role::Dim, MORE));
    start
}

/// Draws the request and the reply beside the list, with secrets masked. Only the start of a long
/// body is laid out, because this happens for every frame.
pub(super) fn details(store: &Store, exchange: &Exchange, area: Area, page: &mut Page) {
    let say = exchanges::words(store);
    let when = Line::of(Role::Dim, store.render_cx().moment(exchange.at));
    let (head, rest) = area.split_top(2);
    Look::Beside.title(&names::operation(say, exchange.operation), when, head, page);
    let rest = rest.narrowed(1);
    let others_look = store.masks;
    let width = usize::from(rest.width);
    let whole = || {
        let mut lines = vec![];
        laid_out(say, others_look, exchange, width, &mut |part| match part {
            Part::Lines(more) => lines.extend(more),
            Part::Body(body, _) => {
                lines.extend(body_lines(say, others_look, body, (width, MOST_BESIDE)));
            }
        });
        lines
    };
    Look::Beside.text(
        Text::new(Untrusted::masking(say.masks(), whole), rest),
        store.render_cx(),
        page,
    );
}

/// A part of a request with its reply.
pub(super) enum Part<'a> {
    Lines(Vec<Line>),
    /// A body that is not empty, and whether it is the body of the reply.
    Body(&'a Untrusted, bool),
}

/// Lays out a request and its reply, and calls `add` with each part, from top to bottom.
pub(super) fn laid_out(
    say: &Catalogue,
    others_look: bool,
    exchange: &Exchange,
    width: usize,
    add: &mut dyn FnMut(Part),
) {
    let first = Untrusted::from(format!("{} {}", exchange.method, exchange.url)).shown();
    let mut lines = wrapped(Role::Strong, &first, width);
    for (name, value) in &exchange.request_headers {
        lines.extend(header(say, others_look, name, &Untrusted::from(value.as_str()), width));
    }
    if let Some(body) = &exchange.request_body {
        lines.push(Line::default());
        add(Part::Lines(std::mem::take(&mut lines)));
        body_part(say, &Untrusted::from(body.as_str()), false, add);
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
            // A body that was cut before its first byte has no text to show.
            let has_body = end.is_none() || !reply.body.is_empty();
            lines.extend(has_body.then(Line::default));
            add(Part::Lines(lines));
            if has_body {
                body_part(say, &reply.body, true, add);
            }
        }
        Err(failure) => {
            lines.extend(facts(say, exchange, width));
            let text = say.with("exchange-after", &[("took", &took)]);
            lines.extend(wrapped(Role::Dim, &text, width));
            lines.extend(failure::lines(say, failure, activity(exchange.operation), width));
            add(Part::Lines(lines));
        }
    }
}

fn body_part(say: &Catalogue, body: &Untrusted, is_reply: bool, add: &mut dyn FnMut(Part)) {
    add(match body.is_empty() {
        true => Part::Lines(vec![Line::of(Role::Dim, say.text("exchange-no-body"))]),
        false => Part::Body(body, is_reply),
    });
}

fn activity(operation: Operation) -> Activity {
    match operation {
        Operation::Login => Activity::Login,
        Operation::CreateLink => Activity::Link,
        Operation::DirectPayment => Activity::Charge,
        Operation::Withdrawal => Activity::Withdrawal,
        Operation::FeePreview => Activity::Fee,
        Operation::Domains => Activity::Question,
    }
}

/// Lays out the sizes of the bodies, and separately the times for connecting and for waiting.
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
        let id = personal::request_id(say, others_look, id);
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

/// Lays out a request or reply body as text. At most `most` bytes of it are laid out.
pub(super) fn body_lines(
    say: &Catalogue,
    others_look: bool,
    body: &Untrusted,
    (width, most): (usize, usize),
) -> Vec<Line> {
    let start = body.start(most);
    let text = Untrusted::in_full(|| start.shown_lines());
    let is_cut = start.len() < body.len();
    let text = if is_cut { json::pretty_start(&text) } else { json::pretty(&text) };
    let text = personal::body(say, text, others_look);
    let mut lines = wrapped(Role::Text, &text, width);
    if is_cut {
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
            let lines = body_lines(say, false, &body.into(), (60, MOST_BESIDE));
            let last = lines.last().map(ToString::to_string).unwrap_or_default();
            (lines.len(), last)
        };
        let size = MOST_BESIDE;
        assert_eq!(told(&"x".repeat(size)).0, size.div_ceil(60));
        let (lines, last) = told(&"ç".repeat(size));
        assert!(lines < size / 60 + 5, "{lines}");
        assert!(last.contains("16 KiB"), "{last}");
    }
}
