//! The chain of checksums that runs through all events.

use sha2::{Digest, Sha256};

use crate::trade::{IdempotencyKey, Wall};

/// A SHA-256 checksum.
pub type Sum = [u8; 32];

/// The end of the chain: the last event's number and sum.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChainLink {
    /// Events are numbered from 1; 0 is before the first.
    pub n: i64,
    /// The sum of the last event.
    pub sum: Sum,
}

/// One event as it stands in its row.
#[derive(Debug, Clone, PartialEq)]
pub struct EventRow {
    /// The event's number.
    pub n: i64,
    /// The time at which it happened.
    pub at: Wall,
    /// The withdrawal it happened to.
    pub key: IdempotencyKey,
    /// The kind of event, by name.
    pub kind: String,
    /// The part that is kept for ever, as JSON.
    pub plain: String,
    /// The part that can be purged, as JSON.
    pub personal: Option<String>,
    /// The checksum of what can be purged, which stays.
    pub personal_sum: Option<Sum>,
    /// The checksum of all of it and of the event before.
    pub sum: Sum,
}

/// The sum before the first event.
pub(super) fn start() -> ChainLink {
    ChainLink { n: 0, sum: Sha256::digest(b"balcao money journal").into() }
}

/// The checksum of a text that can be purged.
pub(super) fn sum_of(text: &str) -> Sum {
    Sha256::digest(text.as_bytes()).into()
}

impl EventRow {
    /// The link this row makes.
    pub(super) fn link(&self) -> ChainLink {
        ChainLink { n: self.n, sum: self.sum }
    }

    /// The sum this row must have after the one before; over the personal part's sum only, so
    /// that blanking that part does not break the chain.
    pub(super) fn sum_after(&self, before: &Sum) -> Sum {
        let mut hash = Sha256::new();
        hash.update(before);
        hash.update(self.n.to_le_bytes());
        hash.update(self.at.0.to_le_bytes());
        hash.update(self.key.0.as_bytes());
        // With its length before each text, so that no byte can move from one to the next.
        for text in [&self.kind, &self.plain] {
            hash.update((text.len() as u64).to_le_bytes());
            hash.update(text.as_bytes());
        }
        hash.update([u8::from(self.personal_sum.is_some())]);
        hash.update(self.personal_sum.unwrap_or_default());
        hash.finalize().into()
    }

    /// Returns true when the row follows the link before it and is unchanged.
    pub(super) fn check(&self, before: &ChainLink) -> Result<(), String> {
        if self.n != before.n + 1 {
            return Err(format!("event {} follows event {}", self.n, before.n));
        }
        if self.sum_after(&before.sum) != self.sum {
            return Err(format!("event {} does not match its checksum", self.n));
        }
        match (&self.personal, &self.personal_sum) {
            (Some(personal), Some(sum)) if sum_of(personal) == *sum => Ok(()),
            // Without the text but with its sum: purged.
            (None, _) => Ok(()),
            _ => Err(format!("event {}'s personal part does not match its checksum", self.n)),
        }
    }
}
