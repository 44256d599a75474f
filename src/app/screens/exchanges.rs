//! The exchanges pane, and one exchange in full.

mod show;

use std::sync::Arc;

use crate::app::cx::{Cx, Route};
use crate::app::screen::{Actions, Info, Screen, ScreenEvent, ScreenLinks};
use crate::app::store::clip::Clip;
use crate::app::store::{copying, exchanges};
use crate::app::ui::geometry::list_pane;
use crate::app::ui::list::{ShownRows, in_the_middle, moved};
use crate::app::ui::lists::Look;
use crate::app::ui::{Action, Area, Page};
use crate::app::{Pane, Store};
use crate::trade::{Exchange, Untrusted};

/// The pane.
#[derive(Debug, Clone, Copy)]
pub struct ExchangesPane;

/// One exchange.
#[derive(Debug, Clone)]
pub struct ExchangeDetails(pub Arc<Exchange>);

/// The exchange under the cursor.
fn selected(store: &Store) -> Option<&Arc<Exchange>> {
    store.exchanges.get(store.exchange_cursor)
}

/// The action that shows what is personal, where nobody else looks at the screen.
fn reveal(store: &Store) -> Vec<Action> {
    if store.masks { vec![] } else { vec![Action::Reveal] }
}

/// What that action does now.
fn with_word(store: &Store, offered: Vec<Action>) -> Actions {
    let actions = Actions::from(offered);
    if store.exchanges_whole { actions.word(Action::Reveal, "back") } else { actions }
}

/// Copies it as it is shown.
fn copy(cx: &mut Cx, exchange: &Exchange) {
    let say = exchanges::words(cx.store);
    let text = Untrusted::masking(cx.store.masks, || exchanges::text(say, exchange));
    copying::copy(cx, Clip::Request, text)
}

fn turn(cx: &mut Cx) {
    cx.store.exchanges_whole = !cx.store.exchanges_whole;
}

impl Screen for ExchangesPane {
    fn info(&self) -> Info {
        Info::list("exchanges", Pane::Exchanges)
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        show::pane(store, exchanges::words(store), area, page);
    }

    fn actions(&self, store: &Store, _: bool) -> Actions {
        match store.exchanges.is_empty() {
            true => Actions::default(),
            false => with_word(store, [vec![Action::Open, Action::Copy], reveal(store)].concat()),
        }
    }

    fn act(&mut self, cx: &mut Cx, action: Action) {
        let Some(exchange) = selected(cx.store).cloned() else { return };
        match action {
            Action::Reveal => turn(cx),
            Action::Open => cx.open(Route::Exchange(exchange)),
            Action::Copy => copy(cx, &exchange),
            _ => {}
        }
    }

    fn links<'s>(&'s self, store: &'s Store) -> ScreenLinks<'s> {
        let exchange = selected(store).filter(|one| one.reply.is_ok()).cloned();
        ScreenLinks {
            exchange,
            cursor: Some(store.exchange_cursor as u64),
            ..ScreenLinks::default()
        }
    }

    fn rows(&self, store: &Store, area: Area) -> Option<ShownRows> {
        let list = list_pane(area).list;
        Some(in_the_middle(store.exchanges.len(), store.exchange_cursor, list))
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
        show::details(store, &self.0, (area, Look::Entered), page);
    }

    fn actions(&self, store: &Store, _: bool) -> Actions {
        let moves = vec![Action::Down, Action::Up];
        with_word(store, [vec![Action::Copy], reveal(store), moves].concat())
    }

    fn act(&mut self, cx: &mut Cx, action: Action) {
        match action {
            Action::Reveal => turn(cx),
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
