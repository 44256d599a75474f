//! The seller's nicknames for the Pix keys to which withdrawals are paid. A nickname may reveal the
//! owner of a key, so old nicknames are deleted like all other old rows.

use rusqlite::{Connection, params};

use super::table::{parse_json, to_json};
use crate::trade::{Account, Nickname, Nicknames, Origin, PixKey, Wall};

/// The maximum number of nicknames to read. There is a limit because another program may have
/// filled the file.
const MAX_NICKNAMES: i64 = 1_000;

/// Returns all nicknames. Rows with an invalid nickname or Pix key are skipped.
pub(super) fn read(connection: &Connection) -> rusqlite::Result<Nicknames> {
    let mut statement = connection.prepare_cached(
        "SELECT origin, identity, destination, name FROM nickname ORDER BY at DESC LIMIT ?",
    )?;
    let mut rows = statement.query([MAX_NICKNAMES])?;
    let mut nicknames = Vec::new();
    while let Some(row) = rows.next()? {
        let text = |n| row.get_ref(n).and_then(|value| Ok(value.as_str()?.to_owned()));
        let account = Account { origin: Origin(text(0)?.into()), identity: text(1)?.into() };
        let key = parse_json::<PixKey>(&text(2)?).ok();
        let nickname = key.zip(Nickname::parse(&text(3)?));
        nicknames.extend(nickname.map(|(key, name)| (account, key, name)));
    }
    Ok(nicknames.into_iter().collect())
}

/// Sets the nickname of a Pix key, or removes it if `name` is `None`.
pub(super) fn set(
    connection: &Connection,
    account: &Account,
    key: &PixKey,
    name: Option<&Nickname>,
    at: Wall,
) -> rusqlite::Result<()> {
    let (origin, identity, key) = (&*account.origin.0, &*account.identity, to_json(key)?);
    match name {
        Some(name) => connection.execute(
            "INSERT INTO nickname (at, origin, identity, destination, name) VALUES (?, ?, ?, ?, ?)
             ON CONFLICT DO UPDATE SET at = excluded.at, name = excluded.name",
            params![at.0, origin, identity, key, name.as_str()],
        ),
        None => connection.execute(
            "DELETE FROM nickname WHERE origin = ? AND identity = ? AND destination = ?",
            params![origin, identity, key],
        ),
    }
    .map(drop)
}
