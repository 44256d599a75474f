//! The account pane: who is logged in, and where each credential is kept.

mod show;

use std::time::Duration;

use crate::app::next::{Next, Question, Route};
use crate::app::screen::{Kind, Screen};
use crate::app::store::session::Keeper;
use crate::app::store::{consent, login};
use crate::app::ui::{Action, Area, Page};
use crate::app::{Pane, Stamp, Store};

/// The pane.
#[derive(Debug, Clone, Copy)]
pub struct AccountPane;

impl Screen for AccountPane {
    fn kind(&self) -> Kind {
        Kind::in_pane("account", Pane::Account)
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        show::pane(store, store.words(), area, page);
    }

    fn actions(&self, store: &Store, _: bool) -> Vec<Action> {
        let mut offered = vec![Action::LogIn, Action::PasteJwt];
        if store.session.identity().is_some() {
            offered.push(Action::LogOut);
        }
        if matches!(store.session.keeper, Keeper::Trouble(_)) {
            offered.insert(0, Action::Refresh);
        }
        if !consent::to_read(store).is_empty() {
            offered.push(Action::Contract);
        }
        if !store.setup.others.is_empty() {
            offered.push(Action::Profiles);
        }
        offered.push(Action::Doctor);
        offered
    }

    fn word(&self, _: &Store, action: Action) -> Option<&'static str> {
        (action == Action::Refresh).then_some("keyring")
    }

    fn next_deadline(&self, store: &Store, _: bool) -> Option<Duration> {
        show::next_deadline(store)
    }

    fn act(&mut self, store: &mut Store, action: Action, _: &Stamp) -> Next {
        match action {
            Action::Refresh => login::read_again(store),
            Action::LogOut => Next::ask(Question::LogOut),
            Action::Profiles => Next::open(Route::Profiles),
            Action::Contract => Next::open(Route::Consent(None)),
            _ => Next::none(),
        }
    }
}
