//! Habits of the hand: what a refresh did, and keys that mean something elsewhere.

use std::collections::BTreeSet;

use crate::app::store::notice::Notice;
use crate::app::store::session::Keeper;
use crate::app::ui::action::Action;
use crate::app::{Pane, Store};
use crate::trade::Ticket;

/// The habits of the hand at the keys, as far as they are remembered.
#[derive(Debug, Clone, Default)]
pub struct Habits {
    /// The actions of which a notice said that they do nothing in a pane: once is enough.
    told: BTreeSet<(Pane, Action)>,
    /// The question that a key asked to refresh a pane; that of the vault has no number.
    refresh: Option<(Pane, Option<Ticket>)>,
}

impl Habits {
    /// Returns true the first time that a key does nothing in this pane, which a notice then says.
    pub fn is_news(&mut self, pane: Pane, action: Action) -> bool {
        self.told.insert((pane, action))
    }
}

/// Remembers the question that a key asked, so that a notice can say when the answer is here;
/// `before` is the last one before that key.
pub fn refreshing(store: &mut Store, before: Ticket) {
    let asked = Some(store.last_ticket).filter(|asked| *asked != before);
    let is_asked = asked.is_some() || store.session.keeper == Keeper::Asking;
    store.habits.refresh = is_asked.then_some((store.pane, asked));
}

/// Says that the answer a key asked for is here, if one did; another notice goes first.
pub fn refreshed(store: &mut Store, answered: Option<Ticket>) {
    let asked = store.habits.refresh.take_if(|(_, asked)| *asked == answered);
    if asked.is_some_and(|(pane, _)| pane == store.pane) && store.notice.is_none() {
        store.say(Notice::Refreshed);
    }
}
