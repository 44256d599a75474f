//! Destinations by their keys, and beside them what the seller calls them.

use crate::app::Store;
use crate::app::store::notice::Notice;
use crate::trade::{Account, Agreement, JournalTrouble, Nicknames, PixKey};
use crate::words::{names, personal};
use std::sync::Arc;

/// Names a destination: its key in full, and beside it the nickname that its account gave it.
pub fn to(store: &Store, agreement: &Agreement) -> String {
    let key = agreement.destination.as_ref();
    beside(store, &agreement.account, key, names::destination(store.words(), key))
}

/// Puts the nickname that this account gave a key beside a text that names the key.
pub fn beside(store: &Store, account: &Account, key: Option<&PixKey>, text: String) -> String {
    match key.and_then(|key| store.nicknames.of(account, key)) {
        Some(name) => {
            format!("{text} · {}", personal::name(store.words(), name.as_str()).shown())
        }
        None => text,
    }
}

/// The history was asked for them.
pub fn read(store: &mut Store, result: &Result<Arc<Nicknames>, JournalTrouble>) {
    match result {
        Ok(nicknames) => store.nicknames = nicknames.clone(),
        // The lists of the same history say that too, and stay.
        Err(trouble) => store.say(Notice::History(trouble.clone())),
    }
}
