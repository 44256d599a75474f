//! Payment links: the pane, the form of a new one, the details of one.

mod new;
mod show;

pub use new::NewLink;

use crate::app::cx::{Cx, Onward, Route};
use crate::app::screen::{Info, ListOf, Screen, ScreenBody, ScreenEvent, ScreenLinks};
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
fn word_beside(link: &PaymentLink, action: Action) -> Option<&'static str> {
    (action == Action::MarkPaid && link.paid.is_some()).then_some("undo")
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

    fn actions(&self, store: &Store, _: bool) -> Vec<Action> {
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
        offered
    }

    fn word(&self, store: &Store, action: Action) -> Option<&'static str> {
        match action {
            Action::Back => store.links.is_narrowed().then_some("clear"),
            action => word_beside(store.links.list.selected()?, action),
        }
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
            _ => return false,
        }
        true
    }

    fn rows(&self, store: &Store, area: Area) -> Option<ShownRows> {
        let day = |link: &PaymentLink| ListLine::Day(link.at.local_day(store.setup.utc_offset_s));
        Some(store.links.list.shown(show::areas(store, area).list, day))
    }

    fn on_message(&mut self, cx: &mut Cx, msg: &Msg) {
        if matches!(msg, Msg::HistoryChanged) {
            links::reload(cx);
            cx.store.links.list.keeps_row = true;
        }
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

    fn actions(&self, store: &Store, _: bool) -> Vec<Action> {
        with_link(store, &self.0).into_iter().chain([Action::Repeat]).collect()
    }

    fn word(&self, _: &Store, action: Action) -> Option<&'static str> {
        word_beside(&self.0, action)
    }

    /// Another window may have marked it meanwhile, or this one.
    fn on_store_change(&mut self, cx: &mut Cx) {
        let mut rows = cx.store.links.list.page.rows.iter();
        if let Some(row) = rows.find(|row| row.is_same(&self.0)) {
            self.0.paid = row.paid;
        }
    }

    fn on_message(&mut self, _: &mut Cx, msg: &Msg) {
        if let Msg::LinkMarked(Ok(link)) = msg
            && link.is_same(&self.0)
        {
            self.0.paid = link.paid;
        }
    }

    fn act(&mut self, cx: &mut Cx, action: Action) {
        act_on(cx, &self.0, action)
    }

    fn pictured<'s>(&'s self, store: &'s Store) -> Option<&'s Untrusted> {
        show::pictured(store, &self.0)
    }

    fn shows_more_on(&self, store: &Store, wide: Area, narrow: Area) -> bool {
        show::gains(store, &self.0, wide, narrow)
    }

    fn links<'s>(&'s self, store: &'s Store) -> ScreenLinks<'s> {
        let selected = store.links.list.selected();
        let is_under_cursor = selected.is_some_and(|link| link.is_same(&self.0));
        ScreenLinks { url: self.0.url(), is_under_cursor, ..ScreenLinks::default() }
    }
}
