//! The meaning of a search's words, given to each question before it leaves.

use crate::app::{Effect, MoneyCommand, Store};
use crate::trade::Search;

pub use super::meaning::{Searched, meaning};

/// Gives every question for rows the meaning of its words as of now.
pub fn understand(store: &Store, effects: &mut [Effect]) {
    for effect in effects {
        let (list, ask) = match effect {
            Effect::LoadLinks(ask) => (Searched::Links, ask),
            Effect::LoadCharges(ask) => (Searched::Charges, ask),
            Effect::Money(MoneyCommand::Load(ask)) => (Searched::Withdrawals, &mut **ask),
            _ => continue,
        };
        if !ask.query.trim().is_empty() {
            let filter = std::mem::take(&mut ask.search.filter);
            ask.search = Search { filter, ..meaning(store, list, &ask.query) };
        }
    }
}
