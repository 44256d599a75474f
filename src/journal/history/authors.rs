//! Reads the persons of a team who made the rows of a history, and who changed them last. A history
//! without a team has none.

use rusqlite::{Connection, OptionalExtension, params};

use super::shared::is_shared;
use super::table::{SaleTable, parse_json};
use crate::trade::{Author, SaleOf};

/// Reads the authors of payment links or direct payments.
pub(super) fn read_authors<R: SaleTable>(
    connection: &Connection,
    sales: &mut [SaleOf<R>],
) -> rusqlite::Result<()> {
    if sales.is_empty() || !is_shared(connection)? {
        return Ok(());
    }
    let mut statement = connection
        .prepare_cached("SELECT part, who FROM shared_author WHERE kind = ? AND row = ?")?;
    for sale in sales {
        let mut rows = statement.query(params![R::TABLE, sale.id.0])?;
        while let Some(row) = rows.next()? {
            let author: Option<Author> = parse_json(row.get_ref(1)?.as_str()?).ok();
            match row.get_ref(0)?.as_str()? {
                "sale" => sale.authors.created = author,
                "paid" => sale.authors.paid = author,
                "note" => sale.authors.note = author,
                _ => {}
            }
        }
    }
    Ok(())
}

/// Reads the person who began a batch.
pub(super) fn batch_author(
    connection: &Connection,
    batch: i64,
) -> rusqlite::Result<Option<Author>> {
    if !is_shared(connection)? {
        return Ok(None);
    }
    let who: Option<String> = connection
        .prepare_cached("SELECT who FROM shared_author WHERE kind = 'batch' AND row = ?")?
        .query_row([batch], |row| row.get(0))
        .optional()?;
    Ok(who.and_then(|who| parse_json(&who).ok()))
}
