//! The chain of checksums over all events.

use sha2::{Digest, Sha256};

use crate::trade::{IdempotencyKey, Wall};

/// A SHA-256 checksum.
pub type Sum = [u8; 32];

/// A position in the chain: the number and checksum of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChainLink {
    /// The number of the event. Events are numbered from 1; 0 is the start of the chain.
    pub n: i64,
    /// The checksum of the event.
    pub sum: Sum,
}

/// An event as stored in a row of `money.db`.
#[derive(Debug, Clone, PartialEq)]
pub struct EventRow {
    /// The number of the event.
    pub n: i64,
    /// The time of the event.
    pub at: Wall,
    /// The idempotency key of the event's withdrawal.
    pub key: IdempotencyKey,
    /// The name of the event's kind.
    pub kind: String,
    /// The event's permanent data, as JSON.
    pub plain: String,
    /// The personal data of the event, as JSON; `None` after it was purged.
    pub personal: Option<String>,
    /// The checksum of the personal data. The checksum is kept when the data is purged.
    pub personal_sum: Option<Sum>,
    /// The checksum of this event combined with the checksum of the previous event.
    pub sum: Sum,
}

/// Returns the start of the chain, before the first event.
pub(super) fn start() -> ChainLink {
    ChainLink { n: 0, sum: Sha256::digest(b"balcao money journal").into() }
}

/// Returns the checksum of a text.
pub(super) fn sum_of(text: &str) -> Sum {
    Sha256::digest(text.as_bytes()).into()
}

impl EventRow {
    /// Returns the position of this event in the chain.
    pub(super) fn link(&self) -> ChainLink {
        ChainLink { n: self.n, sum: self.sum }
    }

    /// Computes the checksum of this row, chained to the checksum of the previous row. Personal
    /// data is included only through its own checksum, so purging the data does not break the
    /// chain.
    pub(super) fn sum_after(&self, before: &Sum) -> Sum {
        let mut hash = Sha256::new();
        hash.update(before);
        hash.update(self.n.to_le_bytes());
        hash.update(self.at.0.to_le_bytes());
        hash.update(self.key.0.as_bytes());
        // Hash the length of each text too, so that moving a byte from one text to the next changes
        // the hash.
        for text in [&self.kind, &self.plain] {
            hash.update((text.len() as u64).to_le_bytes());
            hash.update(text.as_bytes());
        }
        hash.update([u8::from(self.personal_sum.is_some())]);
        hash.update(self.personal_sum.unwrap_or_default());
        hash.finalize().into()
    }

    /// Checks that the row follows `before` in the chain and is unchanged. Otherwise returns a
    /// description of the damage.
    pub(super) fn check(&self, before: &ChainLink) -> Result<(), String> {
        if self.n != before.n + 1 {
            return Err(format!("event {} follows event {}", self.n, before.n));
        }
        if self.sum_after(&before.sum) != self.sum {
            return Err(format!("event {} does not match its checksum", self.n));
        }
        match (&self.personal, &self.personal_sum) {
            (Some(personal), Some(sum)) if sum_of(personal) == *sum => Ok(()),
            // The personal data was purged, so no data can be compared with its checksum.
            (None, _) => Ok(()),
            _ => Err(format!("event {}'s personal part does not match its checksum", self.n)),
        }
    }
}
