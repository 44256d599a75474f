//! Payment links: the pane, the form of a new one, the details of one.

mod new;
mod show;

pub use new::NewLink;

use crate::app::cx::{Cx, Onward, Route};
use crate::app::screen::{Actions, Info, ListOf, Screen, ScreenBody, ScreenEvent, ScreenLinks};
use crate::app::store::links;
use crate::app::store::unsaved::Noted;
use crate::app::ui::list::{ListLine, ShownRows};
use crate::app::ui::lists::Look;
use crate::app::ui::{Action, Area, Page};
use crate::app::{Msg, Pane, Store};
use crate::trade::{LinkOutcome, PaymentLink, Untrusted};

/// The pane.
#[derive(Debug, Clone, Copy)]
pub struct LinksPane;

/// One link, with its address in full and as a QR code.
#[derive(Debug, Clone)]
pub struct LinkDetails(pub PaymentLink);

/// The actions that a link offers wherever it is shown.
fn with_link(store: &Store, link: &PaymentLink) -> Vec<Action> {
    let mut offered = match link.outcome {
        LinkOutcome::Created { .. } => {
            vec![Action::Copy, Action::CopyMessage, Action::Browse, Action::Qr, Action::Share]
        }
        _ => vec![],
    };
    offered.extend(links::can_mark(store, link).then_some(Action::MarkPaid));
    offered
}

/// The word of an action that means something more exact beside this link.
fn with_word(link: Option<&PaymentLink>, offered: Vec<Action>) -> Actions {
    let is_paid = link.is_some_and(|link| link.paid.is_some());
    let actions = Actions::from(offered);
    if is_paid { actions.word(Action::MarkPaid, "undo") } else { actions }
}

/// Does what can be done with a link wherever it is shown.
fn act_on(cx: &mut Cx, link: &PaymentLink, action: Action) {
    match action {
        Action::Repeat => cx.open(Route::NewLink(Some(Box::new(link.clone())))),
        Action::Copy => links::copy(cx, link),
        Action::CopyMessage => links::copy_message(cx, link),
        Action::Browse => links::pass(cx, link, Onward::Browser),
        Action::Qr => links::pass(cx, link, Onward::Qr),
        Action::Share => links::pass(cx, link, Onward::WhatsApp),
        Action::MarkPaid => links::mark(cx, link),
        _ => {}
    }
}

impl Screen for LinksPane {
    fn info(&self) -> Info {
        Info::list("links", Pane::Links)
    }

    fn links<'s>(&'s self, store: &'s Store) -> ScreenLinks<'s> {
        let needs = store.setup.contract.create_link.call.credential;
        let url = store.links.list.selected().and_then(PaymentLink::url);
        ScreenLinks { needs, url, ..ScreenLinks::default() }
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        show::pane(store, store.words(), area, page);
    }

    fn actions(&self, store: &Store, _: bool) -> Actions {
        let (row, filter) = (store.links.list.selected(), &store.links.filter);
        let mut offered = vec![Action::New];
        offered.extend(store.links.is_narrowed().then_some(Action::Back));
        if let Some(link) = row {
            offered.extend([Action::Open, Action::Repeat]);
            offered.extend(with_link(store, link));
        }
        let filters = [
            (row.is_some() || filter.paid.is_some(), Action::FilterPaid),
            (row.is_some() || filter.day.is_some(), Action::FilterDay),
            (row.is_some() || filter.domain.is_some(), Action::FilterDomain),
        ];
        let filters = filters.into_iter().filter(|(is_there, _)| *is_there);
        offered.extend(filters.map(|(_, action)| action));
        offered.extend([Action::Search, Action::Refresh]);
        let actions = with_word(row, offered);
        if store.links.is_narrowed() { actions.word(Action::Back, "clear") } else { actions }
    }

    fn act(&mut self, cx: &mut Cx, action: Action) {
        match (action, cx.store.links.list.selected().cloned()) {
            (Action::New, _) => cx.open(Route::NewLink(None)),
            (Action::Refresh, _) => links::reload(cx),
            (Action::FilterPaid, _) => links::filter_by_mark(cx),
            (Action::FilterDay, link) => links::filter_by_day(cx, link.as_ref()),
            (Action::FilterDomain, link) => links::filter_by_domain(cx, link.as_ref()),
            (Action::Open, Some(link)) => cx.open(Route::Link(Box::new(link))),
            (action, Some(link)) => act_on(cx, &link, action),
            (_, None) => {}
        }
    }

    fn body(&self) -> ScreenBody<'_> {
        ScreenBody::List(ListOf {
            of: |store| &store.links.list,
            of_mut: |store| &mut store.links.list,
        })
    }

    fn on_event(&mut self, cx: &mut Cx, event: ScreenEvent) -> bool {
        match event {
            ScreenEvent::Load => links::reload(cx),
            ScreenEvent::FilterCleared => links::show_all(cx),
            ScreenEvent::Message(Msg::HistoryChanged) => {
                links::reload(cx);
                cx.store.links.list.keeps_row = true;
            }
            _ => return false,
        }
        true
    }

    fn rows(&self, store: &Store, area: Area) -> Option<ShownRows> {
        let day = |link: &PaymentLink| ListLine::Day(link.at.local_day(store.setup.utc_offset_s));
        Some(store.links.list.shown(show::areas(store, area).list, day))
    }

    fn pictured<'s>(&'s self, store: &'s Store) -> Option<&'s Untrusted> {
        show::areas(store, store.areas(store.size)?.body).aside?;
        show::pictured(store, store.links.list.selected()?)
    }
}

impl Screen for LinkDetails {
    fn info(&self) -> Info {
        Info::detail("link", Pane::Links)
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        show::details(store, store.words(), &self.0, (area, Look::Entered), page);
    }

    fn actions(&self, store: &Store, _: bool) -> Actions {
        let offered = with_link(store, &self.0).into_iter().chain([Action::Repeat]);
        with_word(Some(&self.0), offered.collect())
    }

    /// Another window may have marked it meanwhile, or this one.
    fn on_event(&mut self, cx: &mut Cx, event: ScreenEvent) -> bool {
        let now = match event {
            ScreenEvent::StoreChanged => {
                cx.store.links.list.page.rows.iter().find(|row| row.is_same(&self.0))
            }
            ScreenEvent::Message(Msg::LinkMarked(Ok(link))) => {
                Some(link).filter(|link| link.is_same(&self.0)).map(|link| &**link)
            }
            _ => return false,
        };
        if let Some(now) = now {
            self.0.paid = now.paid;
        }
        true
    }

    fn act(&mut self, cx: &mut Cx, action: Action) {
        act_on(cx, &self.0, action)
    }

    fn pictured<'s>(&'s self, store: &'s Store) -> Option<&'s Untrusted> {
        show::pictured(store, &self.0)
    }

    fn links<'s>(&'s self, store: &'s Store) -> ScreenLinks<'s> {
        let selected = store.links.list.selected();
        let is_under_cursor = selected.is_some_and(|link| link.is_same(&self.0));
        ScreenLinks { url: self.0.url(), is_under_cursor, ..ScreenLinks::default() }
    }
}
