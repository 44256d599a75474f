//! Rows of many withdrawals, made from the rows of one.

use balcao::journal::money::{Checksum, EventRow, Log as _};
use balcao::team::TeamLog;
use balcao::trade::IdempotencyKey;
use sha2::{Digest, Sha256};
use uuid::Uuid;

/// The number of rows in one append.
const ROWS_PER_APPEND: usize = 5_000;

/// The checksum of a row, as the journal computes it.
fn sum_of(row: &EventRow, before: &Checksum) -> Checksum {
    let mut hash = Sha256::new();
    hash.update(before);
    hash.update(row.n.to_le_bytes());
    hash.update(row.at.0.to_le_bytes());
    hash.update(row.key.0.as_bytes());
    for text in [&row.kind, &row.plain] {
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text.as_bytes());
    }
    hash.update([u8::from(row.personal_sum.is_some())]);
    hash.update(row.personal_sum.unwrap_or_default());
    if let Some(who) = &row.who {
        hash.update((who.len() as u64).to_le_bytes());
        hash.update(who.as_bytes());
    }
    hash.finalize().into()
}

/// A copy of a row for another withdrawal, which follows `last` in the chain.
pub fn next_row(row: &EventRow, key: u128, last: &EventRow) -> EventRow {
    let key = IdempotencyKey(Uuid::from_u128(key));
    let mut row = EventRow {
        n: last.n + 1,
        key,
        plain: row.plain.replace(&row.key.to_string(), &key.to_string()),
        ..row.clone()
    };
    row.sum = sum_of(&row, &last.sum);
    row
}

/// Appends copies of the log's only withdrawal, until the log has this number of events.
pub fn fill(log: &mut TeamLog, events: i64) {
    let samples = log.after(0, 10).expect("the first withdrawal");
    let mut last = samples.last().expect("a row").clone();
    let mut chosen = samples.iter().cycle();
    let mut key = 1_000_000_000;
    while last.n < events {
        let before = last.sum;
        let mut rows = Vec::new();
        while rows.len() < ROWS_PER_APPEND && last.n < events {
            let sample = chosen.next().expect("a row");
            key += u128::from(sample.kind == "prepared");
            last = next_row(sample, key, &last);
            rows.push(last.clone());
        }
        log.append(&rows, &before).expect("room in the log");
    }
}

/// Sorts times in milliseconds. Returns a text with the median and the 99th percentile.
pub fn quantiles(times: &mut [f64]) -> String {
    times.sort_by(f64::total_cmp);
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    format!("{:.1} ms (p99 {:.1} ms)", at(0.5), at(0.99))
}
