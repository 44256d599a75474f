//! Dates in replies, as moments.

use jiff::civil::DateTime;
use jiff::fmt::temporal::Pieces;

use crate::trade::Wall;

const EPOCH: DateTime = DateTime::constant(1970, 1, 1, 0, 0, 0, 0);

/// Reads `2026-11-21T10:20:30.5-03:00` (RFC 3339).
///
/// Without an offset the moment is not known, and is not guessed. A moment of the year 9999 is one
/// as well: some services write it for a token that does not end.
pub fn rfc3339(text: &str) -> Option<Wall> {
    let pieces = Pieces::parse(text).ok()?;
    let moment = DateTime::from_parts(pieces.date(), pieces.time()?);
    let offset = i64::from(pieces.to_numeric_offset()?.seconds());
    Some(Wall((moment.duration_since(EPOCH).as_secs() - offset) * 1_000))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn date_with_its_offset_is_a_moment() {
        for (text, wall) in [
            ("1970-01-01T00:00:00Z", 0),
            ("1994-11-06T08:49:37z", 784_111_777_000),
            ("2000-02-29T00:00:00Z", 951_782_400_000),
            ("2026-11-21T05:41:35Z", 1_795_239_695_000),
            ("2026-11-21T02:41:35.123-03:00", 1_795_239_695_000),
            ("2026-11-21 05:41:35+00:00", 1_795_239_695_000),
            ("1969-12-31T23:59:59Z", -1_000),
            ("9999-12-31T23:59:59Z", 253_402_300_799_000),
            // A leap second is taken as the one before it.
            ("9999-12-31T23:59:60Z", 253_402_300_799_000),
        ] {
            assert_eq!(rfc3339(text), Some(Wall(wall)), "{text}");
        }
    }

    #[test]
    fn other_text_is_no_moment() {
        for text in [
            "2026-11-21T05:41:35",
            "2026-11-21",
            "",
            "T",
            "2026-11-21T5:41:35Z",
            "é-11-21T0Z",
            "2025-02-29T00:00:00Z",
            "2026-13-01T00:00:00Z",
            "2026-01-01T24:00:00Z",
            "2026-01-01T00:60:00Z",
            "10000-01-01T00:00:00Z",
            "0001-01-01T00:00:00+99:99",
        ] {
            assert_eq!(rfc3339(text), None, "{text}");
        }
    }
}
