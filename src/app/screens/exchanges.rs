//! The exchanges pane: the HTTP requests of this and earlier runs with their replies. The details
//! of one exchange are in a submodule.

mod comparison;
mod details;
mod export;
mod rows;
mod tree;

pub use comparison::Comparison;
pub use details::ExchangeDetails;
use details::draw_details;

use std::time::Duration;

use crate::app::cx::{Cx, Route};
use crate::app::screen::{Actions, Info, ListAccess, Screen, ScreenBody, ScreenEvent, ScreenLinks};
use crate::app::store::clip::{self, Clip, CopyTrouble};
use crate::app::store::exchanges;
use crate::app::store::requests::{self, LoadedExchange, selected};
use crate::app::ui::geometry::list_pane;
use crate::app::ui::list::{ListLine, ShownRows};
use crate::app::ui::list_pane;
use crate::app::ui::parts::{paragraph, put, wrapped};
use crate::app::ui::table::{self, Column, Heading, RowWeight};
use crate::app::ui::{Action, Area, Line, Page, Role, Span};
use crate::app::{Pane, Store};
use crate::trade::{Exchange, RequestResult, RequestRow, Untrusted};
use crate::words::{Catalogue, failure, names, personal, sizes};

#[derive(Debug, Clone, Copy)]
pub struct ExchangesPane;

/// The maximum size, in bytes, of an HTTP exchange whose details are shown beside the list. They
/// are laid out for every frame, so large ones would make the list slow.
const MAX_BESIDE_BYTES: usize = 64 * 1024;

/// The maximum size, in bytes, of an HTTP exchange that is laid out for the clipboard. It is larger
/// than a clipboard allows, because masking can make the text short enough.
const MAX_COPIED_BYTES: usize = 1024 * 1024;

/// The action that reveals personal data. It is not offered while the screen is masked, because
/// other people may be watching.
fn reveal_actions(store: &Store) -> Vec<Action> {
    if store.is_masked {
        vec![]
    } else {
        vec![Action::Reveal]
    }
}

/// Labels the actions of an HTTP exchange. While personal data is shown, the reveal action is
/// labelled "back", because it hides the data.
fn label_actions(store: &Store, offered: Vec<Action>) -> Actions {
    let actions = Actions::from(offered).word(Action::CopyMessage, "curl");
    let actions = actions.word(Action::Save, "har");
    if store.exchanges_unmasked {
        actions.word(Action::Reveal, "back")
    } else {
        actions
    }
}

/// Copies the HTTP exchange to the clipboard, masked as on the screen. An exchange that is far too
/// long for a clipboard is not laid out, because that would be slow.
fn copy_exchange(cx: &mut Cx, exchange: &Exchange) {
    if exchange.bytes() > MAX_COPIED_BYTES {
        return cx.store.not_copied(CopyTrouble::TooLong);
    }
    let words = exchanges::words(cx.store);
    let text = Untrusted::masking(cx.store.is_masked, || exchanges::text(words, exchange));
    clip::copy(cx, Clip::Request, text)
}

impl Screen for ExchangesPane {
    fn info(&self) -> Info {
        Info::list("exchanges", Pane::Exchanges)
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        let words = exchanges::words(store);
        let list = &store.requests.list;
        let areas = list_pane(area);
        let count = count_text(store, words);
        let count = list_pane::count_and_reading(store.render_cx(), list, count, areas.top);
        list.field(true)
            .draw(store.words(), &count, areas.top, page);
        if list.is_empty() {
            list_pane::put_empty_list(&areas, |width| empty_list_lines(store, words, width), page);
            return;
        }
        let Some(rows) = self.rows(store, area) else {
            return;
        };
        let heading = |line| match line {
            ListLine::Day(day) => list_pane::day(store.render_cx(), day),
            _ => Heading::default(),
        };
        table::put_list(
            store,
            (list, &COLUMNS),
            rows,
            (heading, |_: &RequestRow| RowWeight::Plain),
            page,
        );
        if let Some(aside) = areas.divided_aside(page) {
            draw_beside(store, aside, page);
        }
    }

    fn actions(&self, store: &Store, _: bool) -> Actions {
        let mut offered = vec![];
        if store.requests.list.selected().is_some() {
            offered.push(Action::Open);
            offered.extend(requests::object_word(store, None).map(|_| Action::Related));
            offered.extend(reveal_actions(store));
            offered.push(Action::Copy);
            offered.extend(export::ACTIONS);
            offered.push(Action::Compare);
        }
        offered.extend([Action::Search, Action::Refresh]);
        let mut actions = label_actions(store, offered);
        if let Some(exchange) = selected(store) {
            actions = actions.word(Action::Compare, requests::compare_word(store, exchange));
        }
        label_related_action(actions, requests::object_word(store, None))
    }

    fn act(&mut self, cx: &mut Cx, action: Action) {
        match action {
            Action::Refresh => return requests::reload(cx, true),
            Action::Related => return requests::open_object(cx),
            Action::Reveal => {
                cx.store.exchanges_unmasked ^= true;
                return;
            }
            _ => {}
        }
        let Some(exchange) = selected(cx.store).cloned() else {
            return requests::run_when_loaded(cx.store, action);
        };
        match action {
            Action::Open => cx.open(Route::Exchange(exchange)),
            Action::Copy => copy_exchange(cx, &exchange),
            Action::Compare => requests::mark_or_compare(cx, &exchange),
            other => export::act(cx, other, &exchange),
        }
    }

    fn body(&self) -> ScreenBody<'_> {
        ScreenBody::List(ListAccess {
            get: |store| &store.requests.list,
            get_mut: |store| &mut store.requests.list,
        })
    }

    fn links<'s>(&'s self, store: &'s Store) -> ScreenLinks<'s> {
        let exchange =
            selected(store).and_then(|exchange| requests::usable_for_teaching(store, exchange));
        ScreenLinks {
            exchange,
            ..ScreenLinks::default()
        }
    }

    fn rows(&self, store: &Store, area: Area) -> Option<ShownRows> {
        Some(store.requests.list.shown(list_pane(area).list, |row| {
            ListLine::Day(row.at.local_day(store.setup.utc_offset_s))
        }))
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

/// Labels the action that opens the related payment or withdrawal. `word` is the label, or `None`
/// if there is no such item.
fn label_related_action(actions: Actions, word: Option<&'static str>) -> Actions {
    match word {
        Some(word) => actions.word(Action::Related, word),
        None => actions,
    }
}

/// The text above the list: the number of requests and, if known, the day of the oldest one. In a
/// list about one payment or withdrawal, the text shows which key lists all requests. Requests of
/// another version are counted instead, because there is no room for both.
fn count_text(store: &Store, words: &Catalogue) -> String {
    let state = &store.requests;
    let render = store.render_cx();
    if state.of_other_version > 0 {
        let of_other = words.count("exchanges-of-other-version", state.of_other_version, &[]);
        let listed = state.list.page.total.unwrap_or(0);
        if listed == 0 {
            return of_other;
        }
        return format!("{} · {of_other}", words.count("rows-requests", listed, &[]));
    }
    let since = state.since.map_or(String::new(), |at| render.day_of(at));
    let values = [("since", &*since), ("key", render.first_key(Action::Back))];
    match state.list.page.total {
        None => list_pane::UNCOUNTED.to_owned(),
        Some(0) => String::new(),
        Some(total) if !state.list.query.value().is_empty() => {
            words.count("exchanges-top-found", total, &values)
        }
        Some(total) if state.filter.is_some() => words.count("exchanges-top-of", total, &values),
        Some(total) if state.is_kept && state.since.is_some() => {
            words.count("exchanges-top-kept", total, &values)
        }
        Some(total) => words.count("exchanges-top", total, &values),
    }
}

/// The text that replaces the rows of an empty list.
fn empty_list_lines(store: &Store, words: &Catalogue, width: usize) -> Vec<Line> {
    let state = &store.requests;
    if state.trouble.is_some() {
        return wrapped(Role::Bad, &words.text("exchanges-unread"), width);
    }
    let no_matches =
        list_pane::none_found(words, (&state.list, true), "exchanges-none-found", width);
    if let Some(lines) = no_matches {
        return lines;
    }
    if state.filter.is_some() {
        let hint = store
            .render_cx()
            .with_key("exchanges-none-of", Action::Back);
        return wrapped(Role::Text, &hint, width);
    }
    let keeps_requests = store.setup.keeps_requests && store.setup.demo.is_none();
    let storage = match &state.not_kept {
        Some(trouble) => failure::requests(words, trouble).0,
        None if keeps_requests => words.text("exchanges-kept"),
        None => words.text("exchanges-not-kept"),
    };
    let explanation = format!("{} {storage}", words.text("exchanges-what"));
    let paragraphs = [words.text("exchanges-none"), explanation];
    paragraphs
        .map(|text| paragraph(Role::Text, &text, width))
        .concat()
}

/// Draws the details of the selected exchange beside the list.
fn draw_beside(store: &Store, area: Area, page: &mut Page) {
    let Some(opened) = &store.requests.opened else {
        return;
    };
    let id = match &opened.exchange {
        LoadedExchange::Loading => return,
        LoadedExchange::Loaded(exchange) if exchange.bytes() <= MAX_BESIDE_BYTES => {
            return draw_details(store, exchange, area, page);
        }
        LoadedExchange::Loaded(_) => "exchange-too-large",
        LoadedExchange::Lost => "exchange-lost",
    };
    let area = list_pane::text_area(area);
    let text = store.render_cx().with_key(id, Action::Open);
    put(
        wrapped(Role::Dim, &text, usize::from(area.width)),
        area,
        page,
    );
}

/// The columns of the list: time, operation, result, request id, clock difference, size of the
/// reply and duration.
const COLUMNS: [Column<Store, RequestRow>; 7] = [
    Column::new(
        3,
        &[|store, row, _| Span::of(Role::Dim, store.render_cx().time_exact(row.at))],
    ),
    Column {
        min_width: 12,
        fills: true,
        ..Column::new(0, &[operation])
    },
    Column {
        padded_width: 14,
        is_right: true,
        ..Column::new(1, &[reply])
    },
    Column {
        min_width: 0,
        ..Column::new(6, &[request_id])
    },
    Column {
        min_width: 0,
        is_right: true,
        ..Column::new(5, &[clock])
    },
    Column {
        min_width: 0,
        is_right: true,
        ..Column::new(4, &[size])
    },
    Column {
        padded_width: 8,
        is_right: true,
        ..Column::new(2, &[took])
    },
];

fn operation(store: &Store, row: &RequestRow, _: usize) -> Span {
    let name = names::operation(exchanges::words(store), row.operation);
    let is_marked = store
        .requests
        .marked
        .as_ref()
        .is_some_and(|marked| marked.id == row.exchange);
    if is_marked {
        Span::of(Role::Strong, format!("• {name}"))
    } else {
        Span::of(Role::Text, name)
    }
}

fn reply(store: &Store, row: &RequestRow, _: usize) -> Span {
    let (role, reply) = result_text(exchanges::words(store), row.result);
    Span::of(role, reply)
}

fn request_id(store: &Store, row: &RequestRow, _: usize) -> Span {
    let Some(id) = &row.request_id else {
        return Span::of(Role::Dim, "");
    };
    let words = exchanges::words(store);
    let masks_all = Untrusted::is_masking();
    Span::of(Role::Dim, personal::request_id(words, masks_all, id))
}

fn clock(store: &Store, row: &RequestRow, _: usize) -> Span {
    let difference = row
        .clock_ms
        .map(|ms| clock_difference_text(exchanges::words(store), ms));
    Span::of(Role::Warn, difference.unwrap_or_default())
}

/// The difference between this computer's clock and the service's clock, such as "relógio
/// +5 s".
fn clock_difference_text(words: &Catalogue, ms: i64) -> String {
    let sign = if ms < 0 { '−' } else { '+' };
    let time = format_duration(Duration::from_millis(ms.unsigned_abs()));
    words.with(
        "exchange-clock",
        &[("difference", &format!("{sign}{time}"))],
    )
}

fn size(_: &Store, row: &RequestRow, _: usize) -> Span {
    Span::of(
        Role::Dim,
        row.reply_bytes.map_or(String::new(), sizes::short),
    )
}

fn took(_: &Store, row: &RequestRow, _: usize) -> Span {
    Span::of(Role::Dim, format_duration(row.took))
}

fn format_duration(time: Duration) -> String {
    let ms = time.as_millis();
    if ms < 10_000 {
        format!("{ms} ms")
    } else {
        format!("{} s", ms / 1_000)
    }
}

/// The HTTP status of the reply, or a word for the failure.
fn result_text(words: &Catalogue, result: RequestResult) -> (Role, String) {
    let role = match result {
        RequestResult::Reply(200..300) => Role::Good,
        RequestResult::Reply(_) | RequestResult::Failed => Role::Bad,
        _ => Role::Warn,
    };
    (role, names::request_result(words, result))
}
