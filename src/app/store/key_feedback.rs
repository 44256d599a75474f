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
    /// The actions for which a notice "this key does nothing here" was already shown, each with its
    /// pane. The notice appears only once for each pane and action.
    told: BTreeSet<(Pane, Action)>,
    /// The pane that the user is refreshing, and the ticket of the request. The ticket is `None`
    /// for a request to the vault, which has no ticket.
    refresh: Option<(Pane, Option<Ticket>)>,
}

impl KeyFeedback {
    /// Returns true on the first call for this pane and action, and false on later calls. The
    /// notice that the key does nothing on this pane is shown only the first time.
    pub fn is_first_time(&mut self, pane: Pane, action: Action) -> bool {
        self.told.insert((pane, action))
    }
}

/// Remembers which request the refresh key has started, so that a notice can report its end.
/// `before` is the latest ticket before the key press.
pub fn remember_refresh(store: &mut Store, before: Ticket) {
    let asked = Some(store.last_ticket).filter(|asked| *asked != before);
    let is_asked = asked.is_some() || store.session.vault_status == VaultStatus::Asking;
    store.key_feedback.refresh = is_asked.then_some((store.pane, asked));
}

/// Shows a notice that the refresh has ended, if `answered` is the ticket of the refresh request.
/// An existing notice is not replaced.
pub fn confirm_refresh(store: &mut Store, answered: Option<Ticket>) {
    let asked = store.key_feedback.refresh.take_if(|(_, asked)| *asked == answered);
    if asked.is_some_and(|(pane, _)| pane == store.pane) && store.notice.is_none() {
        store.notify(Notice::Refreshed);
    }
}
