//! Direct payments: the pane, the form of a new one, the details of one.

mod new;
mod show;

pub use new::NewCharge;

use std::time::Duration;

use crate::app::cx::{Cx, Route};
use crate::app::screen::{Actions, Info, ListOf, Screen, ScreenBody, ScreenEvent, ScreenLinks};
use crate::app::store::charges;
use crate::app::store::unsaved::Noted;
use crate::app::ui::geometry::list_pane;
use crate::app::ui::list::{ListLine, ShownRows};
use crate::app::ui::lists::Look;
use crate::app::ui::{Action, Area, Page};
use crate::app::{Msg, Pane, Store};
use crate::trade::{Charge, Untrusted};

/// The pane.
#[derive(Debug, Clone, Copy)]
pub struct ChargesPane;

/// The actions that a direct payment offers wherever it is shown.
fn with_charge(charge: &Charge) -> Vec<Action> {
    match charge.pix_code() {
        Some(_) => vec![Action::Copy, Action::CopyMessage, Action::Qr],
        None => vec![],
    }
}

/// Does what can be done with a direct payment wherever it is shown.
fn act_on(cx: &mut Cx, charge: &Charge, action: Action) {
    match action {
        Action::Copy => charges::copy(cx, charge),
        Action::CopyMessage => charges::copy_message(cx, charge),
        Action::Qr => charges::pass_as_picture(cx, charge),
        _ => {}
    }
}

/// One direct payment.
#[derive(Debug, Clone)]
pub struct ChargeDetails(pub Charge);

impl Screen for ChargesPane {
    fn info(&self) -> Info {
        Info::list("charges", Pane::Charges)
    }

    fn links<'s>(&'s self, store: &'s Store) -> ScreenLinks<'s> {
        let needs = store.setup.contract.direct_payment.call.credential;
        ScreenLinks { needs, ..ScreenLinks::default() }
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        show::pane(store, store.words(), area, page);
    }

    fn actions(&self, store: &Store, _: bool) -> Actions {
        let mut offered = vec![Action::New];
        if let Some(charge) = store.charges.selected() {
            offered.push(Action::Open);
            offered.extend(with_charge(charge));
        }
        offered.extend([Action::Search, Action::Refresh]);
        Actions::from(offered).word(Action::New, "charge").word(Action::Copy, "code")
    }

    fn act(&mut self, cx: &mut Cx, action: Action) {
        match (action, cx.store.charges.selected().cloned()) {
            (Action::New, _) => cx.open(Route::NewCharge),
            (Action::Refresh, _) => charges::reload(cx),
            (Action::Open, Some(charge)) => cx.open(Route::Charge(Box::new(charge))),
            (action, Some(charge)) => act_on(cx, &charge, action),
            (_, None) => {}
        }
    }

    fn body(&self) -> ScreenBody<'_> {
        ScreenBody::List(ListOf { of: |store| &store.charges, of_mut: |store| &mut store.charges })
    }

    fn on_event(&mut self, cx: &mut Cx, event: ScreenEvent) -> bool {
        match event {
            ScreenEvent::Load => charges::reload(cx),
            ScreenEvent::Message(Msg::HistoryChanged) => {
                charges::reload(cx);
                cx.store.charges.keeps_row = true;
            }
            _ => return false,
        }
        true
    }

    fn rows(&self, store: &Store, area: Area) -> Option<ShownRows> {
        let day = |charge: &Charge| ListLine::Day(charge.at.local_day(store.setup.utc_offset_s));
        Some(store.charges.shown(list_pane(area).list, day))
    }

    fn next_deadline(&self, store: &Store, _: bool) -> Option<Duration> {
        let aside = list_pane(store.areas(store.size)?.body).aside;
        let selected = store.charges.selected().filter(|_| aside.is_some());
        let beside = selected.and_then(|charge| charges::next_change(store, charge));
        let listed = charges::next_expiry(store, &store.charges.page.rows);
        beside.into_iter().chain(listed).min()
    }

    fn pictured<'s>(&'s self, store: &'s Store) -> Option<&'s Untrusted> {
        list_pane(store.areas(store.size)?.body).aside?;
        show::pictured(store.charges.selected()?)
    }
}

impl Screen for ChargeDetails {
    fn info(&self) -> Info {
        Info::detail("charge", Pane::Charges)
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        show::details(store, store.words(), &self.0, (area, Look::Entered), page);
    }

    fn actions(&self, _: &Store, _: bool) -> Actions {
        Actions::from(with_charge(&self.0)).word(Action::Copy, "code")
    }

    fn act(&mut self, cx: &mut Cx, action: Action) {
        act_on(cx, &self.0, action)
    }

    fn next_deadline(&self, store: &Store, _: bool) -> Option<Duration> {
        store.areas(store.size)?;
        charges::next_change(store, &self.0)
    }

    fn pictured<'s>(&'s self, _: &'s Store) -> Option<&'s Untrusted> {
        show::pictured(&self.0)
    }

    fn links<'s>(&'s self, store: &'s Store) -> ScreenLinks<'s> {
        let selected = store.charges.selected();
        let is_under_cursor = selected.is_some_and(|charge| charge.is_same(&self.0));
        ScreenLinks { is_under_cursor, ..ScreenLinks::default() }
    }
}
