//! The domains pane: what the service lists, and which one new links use.

mod show;

use std::time::Duration;

use crate::app::cx::Cx;
use crate::app::screen::{Actions, Info, Screen, ScreenEvent, ScreenLinks};
use crate::app::store::{domains, entry, teaching};
use crate::app::ui::list::{ShownRows, in_the_middle, moved};
use crate::app::ui::{Action, Area, Page};
use crate::app::{Effect, Notice, Pane, Store};
use crate::trade::{DomainChoice, Operation};

/// The pane.
#[derive(Debug, Clone, Copy)]
pub struct DomainsPane;

/// Takes the line under the cursor for new links.
fn choose(cx: &mut Cx) {
    let listed = cx.store.domains.listed.as_deref().unwrap_or_default();
    cx.store.domains.choice =
        match cx.store.domains.cursor.checked_sub(1).and_then(|i| listed.get(i)) {
            Some(domain) => DomainChoice::Named(domain.host.clone()),
            None => DomainChoice::Automatic,
        };
    cx.store.say(Notice::DomainChosen);
    // A demo's domains end with it.
    if cx.store.setup.demo.is_none() {
        cx.perform(Effect::KeepDomain(cx.store.domains.choice.clone()));
    }
}

impl Screen for DomainsPane {
    fn info(&self) -> Info {
        Info::list("domains", Pane::Domains)
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        show::pane(store, store.words(), area, page);
    }

    fn actions(&self, store: &Store, _: bool) -> Actions {
        let missing = store.missing(self.links(store).needs);
        let entry = missing.map(|kind| store.entry_action(kind));
        let all = entry.into_iter().chain([Action::Open, Action::New, Action::Refresh]);
        let actions = Actions::from(all.collect::<Vec<_>>());
        actions.word(Action::Open, "pick").word(Action::New, "domain")
    }

    fn act(&mut self, cx: &mut Cx, action: Action) {
        match action {
            Action::Open => choose(cx),
            Action::New => {
                cx.store.say(Notice::DomainAddedAtService);
            }
            Action::Refresh => domains::refresh(cx),
            _ => {}
        }
    }

    fn links<'s>(&'s self, store: &'s Store) -> ScreenLinks<'s> {
        ScreenLinks {
            needs: store.setup.contract.domains.call.credential,
            exchange: teaching::after(store, store.domains.failure.as_ref(), Operation::Domains),
            cursor: Some(store.domains.cursor as u64),
            ..ScreenLinks::default()
        }
    }

    fn rows(&self, store: &Store, area: Area) -> Option<ShownRows> {
        let count = 1 + store.domains.listed.as_ref().map_or(0, |it| it.len());
        Some(in_the_middle(count, store.domains.cursor, show::areas(store, area).list))
    }

    fn on_event(&mut self, cx: &mut Cx, event: ScreenEvent) -> bool {
        match event {
            ScreenEvent::Moved(to) => {
                let last = cx.store.domains.listed.as_ref().map_or(0, |it| it.len());
                cx.store.domains.cursor = moved(cx.store.domains.cursor, last, to);
            }
            // Coming here asks once; after that a key does.
            ScreenEvent::Load
                if cx.store.domains.listed.is_none() && cx.store.domains.wait.is_none() =>
            {
                domains::refresh_if_entered(cx);
            }
            _ => return false,
        }
        true
    }

    fn next_deadline(&self, store: &Store, _: bool) -> Option<Duration> {
        match store.domains.wait {
            Some(wait) => Some(wait.to_next_second(store.now.boot_ms)),
            None => entry::to_next_word(store, self.links(store).needs),
        }
    }
}
