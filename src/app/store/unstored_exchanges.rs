//! The HTTP exchanges (requests with their replies) of this run that are not stored in the requests
//! database yet.
//!
//! An exchange is stored only after the app has handled the result of the operation, such as a new
//! link. The exchange arrives before that result. For a withdrawal, it arrives even before the
//! journal has recorded the result. No exchange is stored while a withdrawal is being prepared or
//! sent.

use std::sync::Arc;

use crate::app::store::profiles::is_withdrawal_in_progress;
use crate::app::store::requests;
use crate::app::{Effect, Msg, Store};
use crate::trade::{Exchange, Operation};

/// An HTTP exchange that is not stored in the requests database yet.
#[derive(Debug, Clone)]
pub struct UnstoredExchange {
    pub exchange: Arc<Exchange>,
    /// True if the result of the operation that sent the request has been handled.
    pub has_ended: bool,
}

/// If the message contains the result of an operation, such as creating a link, returns that
/// operation. Otherwise returns `None`.
pub fn ended(msg: &Msg) -> Option<Operation> {
    match msg {
        Msg::LoggedIn { .. } => Some(Operation::Login),
        Msg::DomainsListed { .. } => Some(Operation::Domains),
        Msg::SaleMade { operation, .. } => Some(*operation),
        Msg::Quoted { .. } => Some(Operation::FeePreview),
        Msg::Settled(_) | Msg::AttemptTrouble { .. } => Some(Operation::Withdrawal),
        _ => None,
    }
}

/// The effects that store HTTP exchanges in the requests database. Stores the exchanges whose
/// operations have ended, or all exchanges when the program ends. While a withdrawal is being
/// prepared or sent, stores nothing.
pub fn store(store: &mut Store, ended: Option<Operation>) -> Vec<Effect> {
    for unstored in &mut store.unstored_exchanges {
        unstored.has_ended |= store.leaving || ended == Some(unstored.exchange.operation);
    }
    if is_withdrawal_in_progress(store) {
        return vec![];
    }
    let ended_exchanges = store
        .unstored_exchanges
        .extract_if(.., |unstored| unstored.has_ended);
    let mut effects: Vec<_> = ended_exchanges
        .map(|unstored| Effect::KeepExchange(unstored.exchange))
        .collect();
    if !effects.is_empty() {
        effects.extend(requests::load_if_shown(store));
    }
    effects
}
