//! Builds the texts that name the destination of a withdrawal: its Pix key, and the seller's
//! nickname for that key.

use crate::app::Store;
use crate::app::store::links;
use crate::app::ui::text::{columns, fit};
use crate::trade::{Account, Agreement, JournalTrouble, Nicknames, PixKey};
use crate::words::{Catalogue, names, personal};
use compact_str::CompactString;
use std::sync::Arc;

/// Returns the name of a withdrawal's destination: the Pix key, followed by the seller's nickname
/// for that key, if there is one.
pub fn to(store: &Store, agreement: &Agreement) -> String {
    let key = agreement.destination.as_ref();
    beside(store, &agreement.account, key, names::destination(store.words(), key))
}

/// Appends the seller's nickname for a Pix key to `text`, or returns `text` unchanged if there is
/// no nickname.
pub fn beside(store: &Store, account: &Account, key: Option<&PixKey>, text: String) -> String {
    match key.and_then(|key| store.nicknames.of(account, key)) {
        Some(name) => {
            format!("{text} · {}", personal::name(store.words(), name.as_str()).shown())
        }
        None => text,
    }
}

/// Returns a Pix key without the word for its kind, such as "CPF". Returns `None` if there is no
/// key, or if the screen masks keys.
pub fn bare(say: &Catalogue, key: Option<&PixKey>) -> Option<String> {
    key.filter(|_| !say.masks()).map(PixKey::pretty)
}

/// Returns the withdrawal's Pix key, without the word for its kind, followed by the nickname. The
/// nickname is cut so that the text fits into `room` columns.
///
/// Returns `None` if the key is masked or has no nickname, or if too little of the nickname would
/// fit.
pub fn bare_with_nickname(
    store: &Store,
    agreement: &Agreement,
    room: usize,
) -> Option<CompactString> {
    let key = agreement.destination.as_ref();
    let text = bare(store.words(), key)?;
    let bare = columns(&text);
    let named = beside_within(store, &agreement.account, key, text, room);
    (columns(&named) > bare).then_some(named)
}

/// Returns the name of a withdrawal's destination in at most `room` columns. If the name is too
/// long, its end is cut: first the nickname, then the key.
pub fn to_within(store: &Store, agreement: &Agreement, room: usize) -> CompactString {
    let key = agreement.destination.as_ref();
    let text = names::destination(store.words(), key);
    beside_within(store, &agreement.account, key, text, room)
}

/// Appends the nickname of a Pix key to `text`, which contains the key. The result is cut to at
/// most `room` columns.
pub fn beside_within(
    store: &Store,
    account: &Account,
    key: Option<&PixKey>,
    text: String,
    room: usize,
) -> CompactString {
    /// The minimum width, in columns, for the separator and a useful part of the nickname.
    const LEAST: usize = 7;
    if columns(&text) + LEAST > room {
        return fit(&text, room);
    }
    fit(&beside(store, account, key, text), room)
}

/// Stores the nicknames that were loaded from the history database.
pub fn read(store: &mut Store, result: &Result<Arc<Nicknames>, JournalTrouble>) {
    match result {
        Ok(nicknames) => store.nicknames = nicknames.clone(),
        Err(trouble) => links::history_failed(store, trouble.clone()),
    }
}
