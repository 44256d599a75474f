//! The standing with the service and with the credentials it is asked with, as far as this run saw.

use crate::app::{Model, Pane, Store};
use crate::trade::withdrawal::NotSent;
use crate::trade::{CredentialKind, Exchange, Failure};

/// Returns true unless the service was out of reach when something was asked of it last.
pub fn is_reached(store: &Store) -> bool {
    store.exchanges.iter().find_map(|exchange| reached(exchange)).unwrap_or(true)
}

fn reached(exchange: &Exchange) -> Option<bool> {
    match &exchange.reply {
        Err(Failure::NotSent(NotSent::Dns | NotSent::Connect | NotSent::Tls)) => Some(false),
        // Nobody waited for it, or it never got as far as the network.
        Err(failure) if failure.nothing_was_sent() => None,
        Ok(_) | Err(_) => Some(true),
    }
}

/// The pane in front, or the one that what lies over it belongs to.
pub fn front(model: &Model) -> Pane {
    model.layers.iter().rev().find_map(|layer| layer.screen().info().pane).unwrap_or(model.pane)
}

/// The credential that what can be done in front needs, and that is not at hand.
pub fn missing_in_front(model: &Model) -> Option<CredentialKind> {
    model.store.missing(front(model).screen().links(&model.store).needs)
}
