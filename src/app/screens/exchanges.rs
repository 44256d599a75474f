//! The exchanges pane: the recent HTTP requests with their replies. The details of one exchange are
//! in a submodule.

mod details;
mod export;

pub use details::ExchangeDetails;
use details::details;

use std::sync::Arc;
use std::time::Duration;

use crate::app::cx::{Cx, Route};
use crate::app::screen::{Actions, Info, Screen, ScreenEvent, ScreenLinks};
use crate::app::store::clip::{self, Clip};
use crate::app::store::exchanges;
use crate::app::ui::geometry::list_pane;
use crate::app::ui::list::{ShownRows, moved, short_list};
use crate::app::ui::list_pane::{self, Look};
use crate::app::ui::parts::{paragraph, put};
use crate::app::ui::table::{self, Column};
use crate::app::ui::text::fit;
use crate::app::ui::{Action, Area, Line, Page, Role, Span};
use crate::app::{Pane, Store};
use crate::trade::{Exchange, Failure, Untrusted};
use crate::words::{Catalogue, names, sizes};

#[derive(Debug, Clone, Copy)]
pub struct ExchangesPane;

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
    let actions = Actions::from(offered).word(Action::CopyMessage, "curl");
    let actions = actions.word(Action::Save, "har");
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
                let keys = vec![Action::Open, Action::Copy];
                with_key_label(store, [keys, reveal(store), export::ACTIONS.to_vec()].concat())
            }
        }
    }

    fn act(&mut self, cx: &mut Cx, action: Action) {
        let Some(exchange) = selected(cx.store).cloned() else { return };
        match action {
            Action::Reveal => cx.store.exchanges_whole ^= true,
            Action::Open => cx.open(Route::Exchange(exchange)),
            Action::Copy => copy(cx, &exchange),
            other => export::act(cx, other, &exchange),
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
