//! Notices that respond to a key press, such as "the refresh has ended" or "this key does nothing
//! here".

use std::collections::BTreeSet;

use crate::app::store::notice::Notice;
use crate::app::store::session::VaultStatus;
use crate::app::ui::action::Action;
use crate::app::{Pane, Store};
use crate::trade::Ticket;

/// The state that is needed for notices about key presses.
#[derive(Debug, Clone, Default)]
pub struct KeyFeedback {
    /// The panes and actions for which a notice already said that the key does nothing there. The
    /// notice appears only once for each of them.
    notified: BTreeSet<(Pane, Action)>,
    /// The pane that the user is refreshing, and the ticket of the refresh request. The ticket is
    /// `None` if the refresh reads the vault, because such requests have no ticket.
    refresh: Option<(Pane, Option<Ticket>)>,
}

impl KeyFeedback {
    /// True on the first call for this pane and action, and false on later calls. The notice that
    /// the key does nothing on this pane is shown only the first time.
    pub fn is_first_time(&mut self, pane: Pane, action: Action) -> bool {
        self.notified.insert((pane, action))
    }
}

/// Remembers which request the refresh key has started, so that a notice can report its end.
/// `previous_ticket` is the latest ticket before the key press.
pub fn remember_refresh(store: &mut Store, previous_ticket: Ticket) {
    let ticket = Some(store.last_ticket).filter(|ticket| *ticket != previous_ticket);
    let is_pending = ticket.is_some() || store.session.vault_status == VaultStatus::Asking;
    store.key_feedback.refresh = is_pending.then_some((store.pane, ticket));
}

/// Shows a notice that the refresh has ended, if `ended_ticket` is the ticket of the refresh
/// request. An existing notice is not replaced.
pub fn confirm_refresh(store: &mut Store, ended_ticket: Option<Ticket>) {
    let refresh = store
        .key_feedback
        .refresh
        .take_if(|(_, ticket)| *ticket == ended_ticket);
    if refresh.is_some_and(|(pane, _)| pane == store.pane) && store.notice.is_none() {
        store.notify(Notice::Refreshed);
    }
}
