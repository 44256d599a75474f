//! The seller's nicknames for the Pix keys to which withdrawals are paid. A nickname may reveal the
//! owner of a key, so old nicknames are deleted like all other old rows.

use std::collections::HashMap;

use rusqlite::{Connection, OptionalExtension, params};

use super::table::{parse_json, to_json};
use super::{History, map_error};
use crate::trade::search::searchable;
use crate::trade::{Account, JournalTrouble, Nickname, Nicknames, Origin, PixKey, Wall};

/// A row of the table: the origin and the identity of the account, the Pix key as JSON, and the
/// nickname.
type Row = [String; 4];

/// When the whole table is read, each query reads this number of rows.
const PAGE_ROWS: i64 = 200;

impl History {
    /// Looks up the nickname that this account gave to this Pix key.
    pub fn nickname(
        &self,
        account: &Account,
        key: &PixKey,
    ) -> Result<Option<Nickname>, JournalTrouble> {
        map_error(&self.path, read(&self.connection, account, key))
    }

    /// Looks up the nicknames of these Pix keys.
    pub fn nicknames_of(&self, keys: Vec<(Account, PixKey)>) -> Result<Nicknames, JournalTrouble> {
        let mut nicknames = Nicknames::default();
        for (account, key) in keys {
            let name = self.nickname(&account, &key)?;
            nicknames.insert(account, key, name);
        }
        Ok(nicknames)
    }

    /// The Pix keys whose nickname contains `part`, each with the accounts that gave the nickname.
    /// Case and accents are ignored.
    pub fn keys_with_nickname(
        &self,
        part: &str,
    ) -> Result<HashMap<PixKey, Vec<Account>>, JournalTrouble> {
        let part = searchable(part);
        let mut keys: HashMap<PixKey, Vec<Account>> = HashMap::new();
        for row in self.nickname_rows() {
            let row = row?;
            if !searchable(&row[3]).contains(&part) {
                continue;
            }
            if let Some((account, key, _)) = parse(row) {
                keys.entry(key).or_default().push(account.normalized());
            }
        }
        Ok(keys)
    }

    /// All nicknames, sorted by account. Rows with an invalid nickname or Pix key are skipped. Only
    /// a small part of the table is in memory at a time.
    pub fn all_nicknames(
        &self,
    ) -> impl Iterator<Item = Result<(Account, PixKey, Nickname), JournalTrouble>> + '_ {
        self.nickname_rows()
            .filter_map(|row| row.map(parse).transpose())
    }

    /// Sets the nickname of a Pix key, or removes it if `name` is `None`. Returns the nickname that
    /// is stored now.
    pub fn set_nickname(
        &mut self,
        account: &Account,
        key: &PixKey,
        name: Option<&Nickname>,
        at: Wall,
    ) -> Result<Nicknames, JournalTrouble> {
        map_error(&self.path, set(&self.connection, account, key, name, at))?;
        self.nicknames_of(vec![(account.clone(), key.clone())])
    }

    fn nickname_rows(&self) -> impl Iterator<Item = Result<Row, JournalTrouble>> + '_ {
        let mut after = Some(Row::default());
        let pages = std::iter::from_fn(move || {
            let page = map_error(&self.path, read_after(&self.connection, &after.take()?));
            // After an error, stop the iteration.
            after = page.as_ref().ok().and_then(|rows| rows.last().cloned());
            Some(match page {
                Ok(rows) => rows.into_iter().map(Ok).collect(),
                Err(trouble) => vec![Err(trouble)],
            })
        });
        pages.flatten()
    }
}

/// Reads the rows after this row, in the order of the table's primary key.
fn read_after(
    connection: &Connection,
    [origin, identity, key, _]: &Row,
) -> rusqlite::Result<Vec<Row>> {
    let mut statement = connection.prepare_cached(
        "SELECT origin, identity, destination, name FROM nickname
         WHERE (origin, identity, destination) > (?, ?, ?)
         ORDER BY origin, identity, destination LIMIT ?",
    )?;
    let rows = statement.query_map(params![origin, identity, key, PAGE_ROWS], |row| {
        Ok([row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?])
    })?;
    rows.collect()
}

/// `None` if the Pix key or the nickname is invalid, because another program may have written the
/// row.
fn parse([origin, identity, key, name]: Row) -> Option<(Account, PixKey, Nickname)> {
    let account = Account {
        origin: Origin(origin.into()),
        identity: identity.into(),
    };
    Some((account, parse_json(&key).ok()?, Nickname::parse(&name)?))
}

fn read(
    connection: &Connection,
    account: &Account,
    key: &PixKey,
) -> rusqlite::Result<Option<Nickname>> {
    let mut statement = connection.prepare_cached(
        "SELECT name FROM nickname WHERE origin = ? AND identity = ? AND destination = ?",
    )?;
    let values = params![&*account.origin.0, &*account.identity, to_json(key)?];
    let name: Option<String> = statement.query_row(values, |row| row.get(0)).optional()?;
    Ok(name.as_deref().and_then(Nickname::parse))
}

/// Sets the nickname of a Pix key, or removes it if `name` is `None`.
fn set(
    connection: &Connection,
    account: &Account,
    key: &PixKey,
    name: Option<&Nickname>,
    at: Wall,
) -> rusqlite::Result<()> {
    let origin = &*account.origin.0;
    let identity = &*account.identity;
    let key = to_json(key)?;
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
