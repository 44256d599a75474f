//! The account pane: who is logged in, and where each credential is kept.

mod show;

use std::time::Duration;

use crate::app::cx::{Cx, Question, Route};
use crate::app::screen::{Actions, Info, Screen};
use crate::app::store::session::Keeper;
use crate::app::store::{consent, login};
use crate::app::ui::{Action, Area, Page};
use crate::app::{Pane, Store};

/// The pane.
#[derive(Debug, Clone, Copy)]
pub struct AccountPane;

impl Screen for AccountPane {
    fn info(&self) -> Info {
        Info::in_pane("account", Pane::Account)
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        show::pane(store, store.words(), area, page);
    }

    fn actions(&self, store: &Store, _: bool) -> Actions {
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
        Actions::from(offered).word(Action::Refresh, "keyring")
    }

    fn next_deadline(&self, store: &Store, _: bool) -> Option<Duration> {
        show::next_deadline(store)
    }

    fn act(&mut self, cx: &mut Cx, action: Action) {
        match action {
            Action::Refresh => login::read_again(cx),
            Action::LogOut => cx.ask(Question::LogOut),
            Action::Profiles => cx.open(Route::Profiles),
            Action::Contract => cx.open(Route::Consent(None)),
            _ => {}
        }
    }
}
