//! Notices that respond to a key press: "the refresh has ended", or "this key does nothing here".

use std::collections::BTreeSet;

use crate::app::store::notice::Notice;
use crate::app::store::session::VaultStatus;
use crate::app::ui::action::Action;
use crate::app::{Pane, Store};
use crate::trade::Ticket;

/// The state needed for notices that respond to a key press.
#[derive(Debug, Clone, Default)]
pub struct KeyFeedback {
    /// The keys' actions for which a notice "does nothing on this pane" was already shown. It
    /// appears only once for each pane and action.
    told: BTreeSet<(Pane, Action)>,
    /// The pane that the seller is refreshing, and the ticket of the request; `None` for a request
    /// to the vault, which has no ticket.
    refresh: Option<(Pane, Option<Ticket>)>,
}

impl KeyFeedback {
    /// Returns true if no notice has explained yet that this action does nothing on this pane. The
    /// next call for the same pane and action returns false.
    pub fn is_first_time(&mut self, pane: Pane, action: Action) -> bool {
        self.told.insert((pane, action))
    }
}

/// Stores which request the refresh key started, so that a notice can report when it has ended.
/// `before` is the last ticket before the key press.
pub fn remember_refresh(store: &mut Store, before: Ticket) {
    let asked = Some(store.last_ticket).filter(|asked| *asked != before);
    let is_asked = asked.is_some() || store.session.vault_status == VaultStatus::Asking;
    store.key_feedback.refresh = is_asked.then_some((store.pane, asked));
}

/// Shows a notice that the refresh has ended, if this reply belongs to it and no other notice is
/// shown.
pub fn confirm_refresh(store: &mut Store, answered: Option<Ticket>) {
    let asked = store.key_feedback.refresh.take_if(|(_, asked)| *asked == answered);
    if asked.is_some_and(|(pane, _)| pane == store.pane) && store.notice.is_none() {
        store.notify(Notice::Refreshed);
    }
}
