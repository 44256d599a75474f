//! The SQL of a team's journal.

/// Creates the journal. Contains placeholders between two `@`, which occur nowhere else in it.
pub const SCHEMA: &str = include_str!("sql/schema-1.sql");

pub const SESSION: &str = include_str!("sql/session.sql");
pub const HELLO: &str = include_str!("sql/hello.sql");
pub const JOURNAL: &str = include_str!("sql/journal.sql");
pub const LISTEN: &str = include_str!("sql/listen.sql");
pub const NOTIFY: &str = include_str!("sql/notify.sql");
pub const APPEND: &str = include_str!("sql/append.sql");
pub const AFTER: &str = include_str!("sql/after.sql");
pub const ERASE_PURGED: &str = include_str!("sql/erase-purged.sql");
pub const RIGHTS: &str = include_str!("sql/rights.sql");
pub const SERVER: &str = include_str!("sql/server.sql");
pub const APPEND_RECORDS: &str = include_str!("sql/append-records.sql");
pub const RECORDS_AFTER: &str = include_str!("sql/records-after.sql");
pub const ERASE_DELETED: &str = include_str!("sql/erase-deleted.sql");

/// The channel on which appended events and records are announced.
pub const CHANNEL: &str = "balcao_event";

/// The greatest length of a name on the server, in bytes. The server cuts longer names.
pub const MAX_NAME_LEN: usize = 63;

/// Quotes a name for use in SQL.
pub fn quote(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
