//! Destinations by their keys, and beside them what the seller calls them.

use crate::app::Store;
use crate::app::store::links;
use crate::app::ui::text::{columns, fit};
use crate::trade::{Account, Agreement, JournalTrouble, Nicknames, PixKey};
use crate::words::{Words, names, personal};
use compact_str::CompactString;
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

/// A key without its kind; `None` for the one on file, or where keys are masked.
pub fn bare(say: &Words, key: Option<&PixKey>) -> Option<String> {
    key.filter(|_| !say.masks()).map(PixKey::pretty)
}

/// The nickname beside the key without its kind, as much of it as has room in so many columns;
/// `None` where it has no nickname, or where a part of that would say nothing.
pub fn beside_bare(store: &Store, agreement: &Agreement, room: usize) -> Option<CompactString> {
    let key = agreement.destination.as_ref();
    let text = bare(store.words(), key)?;
    let bare = columns(&text);
    let named = beside_within(store, &agreement.account, key, text, room);
    (columns(&named) > bare).then_some(named)
}

/// The same in so many columns: where both have no room, the nickname gives way to the key.
pub fn to_within(store: &Store, agreement: &Agreement, room: usize) -> CompactString {
    let key = agreement.destination.as_ref();
    let text = names::destination(store.words(), key);
    beside_within(store, &agreement.account, key, text, room)
}

/// Puts the nickname beside a text that names the key, in so many columns.
pub fn beside_within(
    store: &Store,
    account: &Account,
    key: Option<&PixKey>,
    text: String,
    room: usize,
) -> CompactString {
    /// The least columns for the sign between them and a part of the nickname that says something.
    const LEAST: usize = 7;
    if columns(&text) + LEAST > room {
        return fit(&text, room);
    }
    fit(&beside(store, account, key, text), room)
}

/// The history was asked for them.
pub fn read(store: &mut Store, result: &Result<Arc<Nicknames>, JournalTrouble>) {
    match result {
        Ok(nicknames) => store.nicknames = nicknames.clone(),
        Err(trouble) => links::history_failed(store, trouble.clone()),
    }
}
