//! The exchanges pane: the HTTP requests of this and earlier runs with their replies. The details
//! of one exchange are in a submodule.

mod comparison;
mod details;
mod export;
mod rows;
mod tree;

pub use comparison::Comparison;
pub use details::ExchangeDetails;
use details::details;

use std::time::Duration;

use crate::app::cx::{Cx, Route};
use crate::app::screen::{Actions, Info, ListOf, Screen, ScreenBody, ScreenEvent, ScreenLinks};
use crate::app::store::clip::{self, Clip, CopyTrouble};
use crate::app::store::exchanges;
use crate::app::store::requests::{self, LoadedExchange, selected};
use crate::app::ui::geometry::list_pane;
use crate::app::ui::list::{ListLine, ShownRows};
use crate::app::ui::list_pane;
use crate::app::ui::parts::{paragraph, put, wrapped};
use crate::app::ui::table::{self, Column};
use crate::app::ui::{Action, Area, Line, Page, Role, Span};
use crate::app::{Pane, Store};
use crate::trade::{Exchange, RequestResult, RequestRow, Untrusted};
use crate::words::{Catalogue, names, personal, sizes};

#[derive(Debug, Clone, Copy)]
pub struct ExchangesPane;

/// The maximum size, in bytes, of an HTTP exchange whose details are shown beside the list. They
/// are laid out for every frame, so large ones would make the list slow.
const MOST_BESIDE: usize = 64 * 1024;

/// The maximum size, in bytes, of an HTTP exchange that is laid out for the clipboard. The limit is
/// above that of clipboards, because masking can make the text shorter.
const MOST_COPIED: usize = 1024 * 1024;

/// Returns the action that reveals personal data. While the whole screen is masked, because other
/// people can see it, the action is not offered.
fn reveal(store: &Store) -> Vec<Action> {
    if store.masks { vec![] } else { vec![Action::Reveal] }
}

/// Labels the reveal action "back" while personal data is shown, because the action then hides the
/// data.
fn with_key_label(store: &Store, offered: Vec<Action>) -> Actions {
    let actions = Actions::from(offered).word(Action::CopyMessage, "curl");
    let actions = actions.word(Action::Save, "har");
    if store.exchanges_whole { actions.word(Action::Reveal, "back") } else { actions }
}

/// Copies the HTTP exchange, masked in the same way as on the screen. An exchange that is far too
/// long for a clipboard is not laid out, because that would be slow.
fn copy(cx: &mut Cx, exchange: &Exchange) {
    if exchange.bytes() > MOST_COPIED {
        return cx.store.not_copied(CopyTrouble::TooLong);
    }
    let say = exchanges::words(cx.store);
    let text = Untrusted::masking(cx.store.masks, || exchanges::text(say, exchange));
    clip::copy(cx, Clip::Request, text)
}

impl Screen for ExchangesPane {
    fn info(&self) -> Info {
        Info::list("exchanges", Pane::Exchanges)
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        let (say, list) = (exchanges::words(store), &store.requests.list);
        let areas = list_pane(area);
        list.field(true).draw(store.words(), &count(store, say), areas.top, page);
        if list.is_empty() {
            list_pane::put_empty_list(areas.list, |width| empty(store, say, width), page);
            return;
        }
        let Some(rows) = self.rows(store, area) else { return };
        let heading = |line, width| match line {
            ListLine::Day(of) => list_pane::day(store.render_cx(), of, "", width),
            _ => Line::default(),
        };
        table::put_list(store, (list, &COLUMNS), rows, (heading, |_: &RequestRow| None), page);
        if let Some(aside) = areas.aside {
            beside(store, aside, page);
        }
    }

    fn actions(&self, store: &Store, _: bool) -> Actions {
        let mut offered = vec![];
        if store.requests.list.selected().is_some() {
            offered.push(Action::Open);
            offered.extend(requests::object_word(store, None).map(|_| Action::Related));
            offered.extend(reveal(store));
            offered.push(Action::Copy);
            offered.extend(export::ACTIONS);
            offered.push(Action::Compare);
        }
        offered.extend([Action::Search, Action::Refresh]);
        let mut actions = with_key_label(store, offered);
        if let Some(exchange) = selected(store) {
            actions = actions.word(Action::Compare, requests::compare_word(store, exchange));
        }
        with_object(actions, requests::object_word(store, None))
    }

    fn act(&mut self, cx: &mut Cx, action: Action) {
        match action {
            Action::Refresh => return requests::reload(cx, true),
            Action::Related => return requests::open_object(cx),
            Action::Reveal => {
                cx.store.exchanges_whole ^= true;
                return;
            }
            _ => {}
        }
        let Some(exchange) = selected(cx.store).cloned() else {
            return requests::run_when_loaded(cx.store, action);
        };
        match action {
            Action::Open => cx.open(Route::Exchange(exchange)),
            Action::Copy => copy(cx, &exchange),
            Action::Compare => requests::mark_or_compare(cx, &exchange),
            other => export::act(cx, other, &exchange),
        }
    }

    fn body(&self) -> ScreenBody<'_> {
        ScreenBody::List(ListOf {
            of: |store| &store.requests.list,
            of_mut: |store| &mut store.requests.list,
        })
    }

    fn links<'s>(&'s self, store: &'s Store) -> ScreenLinks<'s> {
        let exchange = selected(store).and_then(|one| requests::taught_from(store, one));
        ScreenLinks { exchange, ..ScreenLinks::default() }
    }

    fn rows(&self, store: &Store, area: Area) -> Option<ShownRows> {
        let day = |row: &RequestRow| ListLine::Day(row.at.local_day(store.setup.utc_offset_s));
        Some(store.requests.list.shown(list_pane(area).list, day))
    }

    fn on_event(&mut self, cx: &mut Cx, event: ScreenEvent) -> bool {
        match event {
            ScreenEvent::Load => requests::on_load(cx),
            ScreenEvent::FilterCleared => requests::show_all(cx),
            _ => return false,
        }
        true
    }
}

/// Gives the key that opens the related payment or withdrawal a label, if there is one.
fn with_object(actions: Actions, word: Option<&'static str>) -> Actions {
    match word {
        Some(word) => actions.word(Action::Related, word),
        None => actions,
    }
}

/// Returns the text above the list: the number of requests and, if known, the day of the oldest
/// one. In a list about one payment or withdrawal, the text shows which key lists all requests.
fn count(store: &Store, say: &Catalogue) -> String {
    let (state, to) = (&store.requests, store.render_cx());
    let since = state.since.map_or(String::new(), |at| to.day_of(at));
    let values = [("since", &*since), ("key", to.first_key(Action::Back))];
    match state.list.page.total {
        None => list_pane::UNCOUNTED.to_owned(),
        Some(0) => String::new(),
        Some(total) if !state.list.query.value().is_empty() => {
            say.count("exchanges-top-found", total, &values)
        }
        Some(total) if state.of.is_some() => say.count("exchanges-top-of", total, &values),
        Some(total) if state.is_kept && state.since.is_some() => {
            say.count("exchanges-top-kept", total, &values)
        }
        Some(total) => say.count("exchanges-top", total, &values),
    }
}

/// Returns the text that replaces the rows of an empty list.
fn empty(store: &Store, say: &Catalogue, width: usize) -> Vec<Line> {
    let state = &store.requests;
    if state.trouble.is_some() {
        return wrapped(Role::Bad, &say.text("exchanges-unread"), width);
    }
    let found = list_pane::none_found(say, (&state.list, true), "exchanges-none-found", width);
    if let Some(none) = found {
        return none;
    }
    if state.of.is_some() {
        let none = store.render_cx().with_key("exchanges-none-of", Action::Back);
        return wrapped(Role::Text, &none, width);
    }
    let keeps = store.setup.keeps_requests && store.setup.demo.is_none();
    let kept = if keeps { "exchanges-kept" } else { "exchanges-not-kept" };
    let what = format!("{} {}", say.text("exchanges-what"), say.text(kept));
    let said = [say.text("exchanges-none"), what];
    said.map(|text| paragraph(Role::Text, &text, width)).concat()
}

/// Draws the details of the row under the cursor beside the list.
fn beside(store: &Store, area: Area, page: &mut Page) {
    let Some(opened) = &store.requests.opened else { return };
    let id = match &opened.exchange {
        LoadedExchange::Loading => return,
        LoadedExchange::Loaded(exchange) if exchange.bytes() <= MOST_BESIDE => {
            return details(store, exchange, area, page);
        }
        LoadedExchange::Loaded(_) => "exchange-too-large",
        LoadedExchange::Lost => "exchange-lost",
    };
    let area = list_pane::text_area(area);
    let text = store.render_cx().with_key(id, Action::Open);
    put(wrapped(Role::Dim, &text, usize::from(area.width)), area, page);
}

/// The columns: time, operation, result, request id, clock difference, size of the reply and
/// duration.
const COLUMNS: [Column<Store, RequestRow>; 7] = [
    Column::new(3, &[|store, row, _| Span::of(Role::Dim, store.render_cx().time_exact(row.at))]),
    Column { least: 12, fills: true, ..Column::new(0, &[operation]) },
    Column { padded_width: 14, is_right: true, ..Column::new(1, &[reply]) },
    Column { least: 0, ..Column::new(6, &[request_id]) },
    Column { least: 0, is_right: true, ..Column::new(5, &[clock]) },
    Column { least: 0, is_right: true, ..Column::new(4, &[size]) },
    Column { padded_width: 8, is_right: true, ..Column::new(2, &[took]) },
];

fn operation(store: &Store, row: &RequestRow, _: usize) -> Span {
    let name = names::operation(exchanges::words(store), row.operation);
    let is_marked = store.requests.marked.as_ref().is_some_and(|marked| row.is_of(marked));
    match is_marked {
        true => Span::of(Role::Strong, format!("• {name}")),
        false => Span::of(Role::Text, name),
    }
}

fn reply(store: &Store, row: &RequestRow, _: usize) -> Span {
    let (role, reply) = reply_word(exchanges::words(store), row.result);
    Span::of(role, reply)
}

fn request_id(store: &Store, row: &RequestRow, _: usize) -> Span {
    let Some(id) = &row.request_id else { return Span::of(Role::Dim, "") };
    let (say, hides_all) = (exchanges::words(store), Untrusted::is_masking());
    Span::of(Role::Dim, personal::request_id(say, hides_all, id))
}

fn clock(store: &Store, row: &RequestRow, _: usize) -> Span {
    let difference = row.clock_ms.map(|ms| clock_word(exchanges::words(store), ms));
    Span::of(Role::Warn, difference.unwrap_or_default())
}

/// Returns the difference between this computer's clock and the service's clock, such as "relógio
/// +5 s".
fn clock_word(say: &Catalogue, ms: i64) -> String {
    let sign = if ms < 0 { '−' } else { '+' };
    let time = duration(Duration::from_millis(ms.unsigned_abs()));
    say.with("exchange-clock", &[("difference", &format!("{sign}{time}"))])
}

fn size(_: &Store, row: &RequestRow, _: usize) -> Span {
    Span::of(Role::Dim, row.reply_bytes.map_or(String::new(), sizes::short))
}

fn took(_: &Store, row: &RequestRow, _: usize) -> Span {
    Span::of(Role::Dim, duration(row.took))
}

fn duration(time: Duration) -> String {
    let ms = time.as_millis();
    if ms < 10_000 { format!("{ms} ms") } else { format!("{} s", ms / 1_000) }
}

/// Returns the HTTP status of the reply, or a word for the failure.
fn reply_word(say: &Catalogue, result: RequestResult) -> (Role, String) {
    match result {
        RequestResult::Reply(status @ 200..300) => (Role::Good, status.to_string()),
        RequestResult::Reply(status) => (Role::Bad, status.to_string()),
        RequestResult::NoAnswer => (Role::Warn, say.text("exchange-no-answer")),
        RequestResult::Cancelled => (Role::Warn, say.text("exchange-cancelled")),
        RequestResult::NotSent => (Role::Warn, say.text("exchange-not-sent")),
        RequestResult::Failed => (Role::Bad, say.text("exchange-failed")),
    }
}
