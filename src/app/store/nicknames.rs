//! Builds the texts that name the destination of a withdrawal: its Pix key, and the seller's
//! nickname for that key. The nicknames are in the history database. The store has only those of
//! the keys that were shown lately.

use std::collections::HashSet;

use crate::app::cx::Cx;
use crate::app::store::links;
use crate::app::ui::text::{columns, fit};
use crate::app::{Effect, Msg, Store};
use crate::trade::{Account, Agreement, PixKey};
use crate::words::{Catalogue, names, personal};
use compact_str::CompactString;
use std::sync::Arc;

/// The name of a withdrawal's destination: the Pix key, followed by the seller's nickname for that
/// key, if there is one.
pub fn destination_text(store: &Store, agreement: &Agreement) -> String {
    let key = agreement.destination.as_ref();
    append_nickname(
        store,
        &agreement.account,
        key,
        names::destination(store.words(), key),
    )
}

/// Appends the seller's nickname for a Pix key to `text`, or returns `text` unchanged if there is
/// no nickname.
pub fn append_nickname(
    store: &Store,
    account: &Account,
    key: Option<&PixKey>,
    text: String,
) -> String {
    match key.and_then(|key| store.nicknames.of(account, key)) {
        Some(name) => {
            format!(
                "{text} · {}",
                personal::name(store.words(), name.as_str()).shown()
            )
        }
        None => text,
    }
}

/// Only the Pix key, without the name of its kind (such as "CPF"). Returns `None` if there is no
/// key, or if the screen masks keys.
pub fn key_text(words: &Catalogue, key: Option<&PixKey>) -> Option<String> {
    key.filter(|_| !words.masks()).map(PixKey::pretty)
}

/// The withdrawal's Pix key, followed by the nickname. The text does not contain the name of the
/// key's kind, such as "CPF". The nickname is cut so that the text fits into `max_columns` columns.
///
/// Returns `None` if the key is masked or has no nickname, or if too little of the nickname would
/// fit.
pub fn bare_with_nickname(
    store: &Store,
    agreement: &Agreement,
    max_columns: usize,
) -> Option<CompactString> {
    let key = agreement.destination.as_ref();
    let key_text = key_text(store.words(), key)?;
    let key_columns = columns(&key_text);
    let text_with_nickname = beside_within(store, &agreement.account, key, key_text, max_columns);
    (columns(&text_with_nickname) > key_columns).then_some(text_with_nickname)
}

/// The name of a withdrawal's destination in at most `max_columns` columns. If the name is too
/// long, its end is cut: first the nickname, then the key.
pub fn destination_within(
    store: &Store,
    agreement: &Agreement,
    max_columns: usize,
) -> CompactString {
    let key = agreement.destination.as_ref();
    let text = names::destination(store.words(), key);
    beside_within(store, &agreement.account, key, text, max_columns)
}

/// Appends the nickname of a Pix key to `text`, which contains the key. The result is cut to at
/// most `max_columns` columns.
pub fn beside_within(
    store: &Store,
    account: &Account,
    key: Option<&PixKey>,
    text: String,
    max_columns: usize,
) -> CompactString {
    /// The minimum width, in columns, for the separator and a useful part of the nickname.
    const MIN_NICKNAME_COLUMNS: usize = 7;
    if columns(&text) + MIN_NICKNAME_COLUMNS > max_columns {
        return fit(&text, max_columns);
    }
    fit(&append_nickname(store, account, key, text), max_columns)
}

/// The maximum number of keys whose nicknames are kept in the store.
const MAX_KEPT: usize = 2_000;

/// Looks up the nicknames of the loaded withdrawals and of these Pix keys, unless they are already
/// in the store. Until the reply arrives, the keys are shown without nicknames.
pub fn look_up<'k>(cx: &mut Cx, keys: impl IntoIterator<Item = (&'k Account, &'k PixKey)>) {
    if cx.store.nicknames.keys().count() > MAX_KEPT {
        cx.store.nicknames = Arc::default();
    }
    let withdrawals = &cx.store.withdrawals;
    let loaded = withdrawals.list.page.rows.iter().chain(&withdrawals.open);
    let agreements = loaded
        .chain(&withdrawals.shown)
        .map(|withdrawal| &withdrawal.agreement);
    let shown = agreements.filter_map(|one| Some((&one.account, one.destination.as_ref()?)));
    let is_missing =
        |(account, key): &(&Account, &PixKey)| !cx.store.nicknames.contains(account, key);
    let cloned = |(account, key): (&Account, &PixKey)| (account.clone(), key.clone());
    let mut missing: Vec<_> = shown.filter(is_missing).map(cloned).collect();
    missing.extend(keys.into_iter().filter(is_missing).map(cloned));
    let mut added = HashSet::new();
    missing.retain(|key| added.insert(key.clone()));
    if missing.is_empty() {
        return;
    }
    let kept = Arc::make_mut(&mut cx.store.nicknames);
    for (account, key) in &missing {
        kept.insert(account.clone(), key.clone(), None);
    }
    cx.perform(Effect::ReadNicknames(missing));
}

/// Looks up again all nicknames that are in the store, because the history database has changed.
pub fn reload(cx: &mut Cx) {
    let kept = cx.store.nicknames.keys();
    let kept: Vec<_> = kept
        .map(|(account, key)| (account.clone(), key.clone()))
        .collect();
    if !kept.is_empty() {
        cx.perform(Effect::ReadNicknames(kept));
    }
}

/// Stores the nicknames that were looked up or changed. Looks them up again if another instance of
/// the program has changed the history database.
pub fn on_message(cx: &mut Cx, msg: &Msg) {
    match msg {
        Msg::NicknamesRead(Ok(newer))
        | Msg::Nicknamed {
            result: Ok(newer), ..
        } => {
            Arc::make_mut(&mut cx.store.nicknames).update(newer);
        }
        Msg::NicknamesRead(Err(trouble)) => {
            links::report_history_trouble(cx.store, trouble.clone());
        }
        Msg::HistoryChanged => reload(cx),
        _ => {}
    }
}
