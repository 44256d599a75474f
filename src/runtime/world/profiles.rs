//! Another profile, made ready before this one is left.

use std::sync::Arc;

use super::WorldContext;
use crate::app::Msg;
use crate::app::store::profiles::NotSwitched;
use crate::trade::Ticket;

/// Makes a profile ready to take the place of this one: what is wrong with it is found before.
///
/// The money thread is asked too: it knows of an attempt that no screen shows any more, and of an
/// end that could not be written down.
pub async fn open(context: Arc<WorldContext>, ticket: Ticket, name: Arc<str>) -> Msg {
    let opened = tokio::task::spawn_blocking(move || {
        let money = context.stores.now().money;
        if money.is_busy() || money.unrecorded().is_some() {
            return Err(NotSwitched::InFlight);
        }
        let Some(open) = &context.profiles else { return Err(NotSwitched::NoProfiles) };
        open(&name).map_err(|wrong| NotSwitched::Wrong(wrong.into()))
    });
    let gone = |error: tokio::task::JoinError| Err(NotSwitched::Wrong(error.to_string().into()));
    Msg::ProfileOpened { ticket, result: opened.await.unwrap_or_else(gone) }
}
