//! Reads OFX files: version 1 (SGML, whose values have no closing tags) and version 2 (XML).
//!
//! Only the tags are read, because Brazilian banks break most other rules: ids are missing or
//! repeated, an ampersand is not escaped, amounts have a comma, and types are invented. (The crate
//! `ofx-rs` refuses such files as a whole.) Entities and document types are not expanded.

use jiff::civil::Date;

use super::{MAX_ENTRIES, RawEntry, StatementFault};
use crate::trade::Wall;

/// The entries of an OFX file, in the order of the file.
pub(super) fn entries(text: &str, utc_offset_s: i32) -> Result<Vec<RawEntry>, StatementFault> {
    let count = text.matches("<STMTTRN>").count();
    if count > MAX_ENTRIES {
        return Err(StatementFault::TooManyEntries { entries: count });
    }
    let mut entries = Vec::with_capacity(count);
    let mut account = String::new();
    let mut open: Option<Transaction> = None;
    for Tag { name, value } in tags(text) {
        match &*name.to_ascii_uppercase() {
            "STMTTRN" => {
                entries.extend(open.take().and_then(|it| it.entry(&account, utc_offset_s)));
                open = Some(Transaction::default());
            }
            "/STMTTRN" | "/BANKTRANLIST" | "/OFX" => {
                entries.extend(open.take().and_then(|it| it.entry(&account, utc_offset_s)));
            }
            "ACCTID" if open.is_none() => account = value.to_owned(),
            name => {
                if let Some(open) = &mut open {
                    open.set(name, value);
                }
            }
        }
    }
    entries.extend(open.and_then(|it| it.entry(&account, utc_offset_s)));
    Ok(entries)
}

/// A tag and the text after it.
struct Tag<'t> {
    name: &'t str,
    value: &'t str,
}

fn tags(text: &str) -> impl Iterator<Item = Tag<'_>> {
    text.split('<').skip(1).filter_map(|part| {
        let (name, value) = part.split_once('>')?;
        // A tag of XML may have attributes, and an empty one ends in a slash.
        let name = name.split_whitespace().next()?.trim_end_matches('/');
        Some(Tag {
            name,
            value: value.trim(),
        })
    })
}

#[derive(Default)]
struct Transaction<'t> {
    posted: &'t str,
    amount: &'t str,
    id: &'t str,
    name: &'t str,
    memo: &'t str,
}

impl<'t> Transaction<'t> {
    fn set(&mut self, name: &str, value: &'t str) {
        match name {
            "DTPOSTED" => self.posted = value,
            "TRNAMT" => self.amount = value,
            "FITID" => self.id = value,
            "NAME" => self.name = value,
            "MEMO" => self.memo = value,
            _ => {}
        }
    }

    /// The entry; `None` if it has no readable date.
    fn entry(self, account: &str, utc_offset_s: i32) -> Option<RawEntry> {
        let texts = if self.memo.contains(self.name) {
            self.memo.to_owned()
        } else {
            format!("{} {}", self.name, self.memo)
        };
        Some(RawEntry {
            account: account.to_owned(),
            day: local_day(self.posted, utc_offset_s)?,
            amount: self.amount.to_owned(),
            id: self.id.to_owned(),
            memo: unescaped(texts.trim()),
        })
    }
}

/// The seller's local day of a time such as `20261112103000[-3:BRT]`.
///
/// Midnight means that only the date is known, in any zone: banks write `000000[0:GMT]` for a day
/// in Brazil.
fn local_day(posted: &str, utc_offset_s: i32) -> Option<i64> {
    let number = |range: std::ops::Range<usize>| -> Option<i64> { posted.get(range)?.parse().ok() };
    let year = i16::try_from(number(0..4)?).ok()?;
    let month = i8::try_from(number(4..6)?).ok()?;
    let date = Date::new(year, month, i8::try_from(number(6..8)?).ok()?).ok()?;
    let day = i64::from((date - Date::constant(1970, 1, 1)).get_days());
    let time = (number(8..10), number(10..12), number(12..14));
    let (Some(hours), Some(minutes), Some(seconds)) = time else {
        return Some(day);
    };
    let seconds = (hours * 60 + minutes) * 60 + seconds;
    let zone = posted.split_once('[').map(|(_, zone)| zone);
    let offset = zone.and_then(|zone| zone_offset(zone.split([':', ']']).next()?));
    let Some(offset) = offset.filter(|_| seconds > 0) else {
        return Some(day);
    };
    let at = day * 86_400 + seconds - offset;
    Some(Wall(at * 1_000).local_day(utc_offset_s))
}

/// The seconds east of UTC of a zone such as `-3` or `-3.50`, in hundredths of an hour.
fn zone_offset(zone: &str) -> Option<i64> {
    let (hours, fraction) = zone.trim().split_once('.').unwrap_or((zone.trim(), "0"));
    let whole: i64 = hours.trim_start_matches('+').parse().ok()?;
    let hundredths: i64 = format!("{fraction:0<2}").get(..2)?.parse().ok()?;
    let sign = if hours.starts_with('-') { -1 } else { 1 };
    Some(whole * 3_600 + sign * hundredths * 36)
}

/// The text with the five named entities of XML. All others stay as they are.
fn unescaped(text: &str) -> String {
    if !text.contains('&') {
        return text.to_owned();
    }
    let names = [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&apos;", "'"),
        ("&amp;", "&"),
    ];
    names
        .iter()
        .fold(text.to_owned(), |text, (name, c)| text.replace(name, c))
}
