//! The chain of checksums over all events. It reveals lost or changed events.

use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::trade::{Author, IdempotencyKey, Untrusted, Wall};

/// A SHA-256 checksum.
pub type Checksum = [u8; 32];

/// The text of a checksum: its hexadecimal digits.
pub(super) fn sum_text(sum: &Checksum) -> String {
    sum.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A position in the chain of events: the number and checksum of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChainLink {
    /// The number of the event, from 1. The number 0 means the start of the chain.
    pub n: i64,
    /// The checksum of the event.
    pub sum: Checksum,
}

impl ChainLink {
    /// The checksum in hexadecimal digits.
    pub fn sum_text(&self) -> String {
        sum_text(&self.sum)
    }

    /// Creates a link from an event's number and the text of its checksum. Returns `None` if
    /// [`sum_text`](Self::sum_text) cannot have written the text.
    pub fn from_sum_text(n: i64, sum_text: &str) -> Option<ChainLink> {
        let mut sum = Checksum::default();
        for (i, byte) in sum.iter_mut().enumerate() {
            *byte = u8::from_str_radix(sum_text.get(2 * i..2 * i + 2)?, 16).ok()?;
        }
        let link = ChainLink { n, sum };
        (n >= 0 && link.sum_text() == sum_text).then_some(link)
    }

    /// Parses the `Display` text of a link. Returns `None` if a single byte differs.
    pub fn parse(text: &str) -> Option<ChainLink> {
        let (n, sum_text) = text.split_once(' ')?;
        let link = ChainLink::from_sum_text(n.parse().ok()?, sum_text)?;
        (link.to_string() == text).then_some(link)
    }
}

/// Writes the number of the event and its checksum, separated by a space.
impl fmt::Display for ChainLink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.n, self.sum_text())
    }
}

/// An event, as a row of `money.db`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EventRow {
    /// The number of the event.
    pub n: i64,
    /// The time of the event.
    pub at: Wall,
    /// The idempotency key of the withdrawal to which the event belongs.
    pub key: IdempotencyKey,
    /// The kind of event, such as `prepared`.
    pub kind: String,
    /// The data that is never deleted, as JSON.
    pub plain: String,
    /// The personal data as JSON, or `None` after its deletion.
    pub personal: Option<String>,
    /// The checksum of the personal data, which is kept after the deletion of the data.
    pub personal_sum: Option<Checksum>,
    /// The person and the machine that wrote the event, as JSON. `None` outside a team.
    pub who: Option<String>,
    /// The database role that appended the event to a team's log, according to the database. It
    /// differs from the role in `who` if another operator put the event back after the log lost it.
    /// The checksum does not cover it.
    pub written_by: Option<String>,
    /// The checksum of this event. It includes the checksum of the previous event, so it covers all
    /// earlier events.
    pub sum: Checksum,
}

/// The position at the start of the chain, before the first event.
pub(super) fn start() -> ChainLink {
    ChainLink {
        n: 0,
        sum: Sha256::digest(b"balcao money journal").into(),
    }
}

pub(super) fn checksum_of(text: &str) -> Checksum {
    Sha256::digest(text.as_bytes()).into()
}

/// When and by whom an event was written.
pub(super) struct Written {
    pub at: Wall,
    pub by: Option<Author>,
    /// The database role that wrote the event, according to the database of a team.
    pub role: Option<Untrusted>,
    /// The checksum of the event.
    pub sum: Checksum,
}

impl EventRow {
    pub(super) fn written(&self) -> Written {
        // Another program may have written anything, so a text that cannot be read names nobody.
        let by = self.who.as_deref();
        Written {
            at: self.at,
            by: by.and_then(|who| serde_json::from_str(who).ok()),
            role: self.written_by.as_deref().map(Untrusted::from),
            sum: self.sum,
        }
    }

    pub(super) fn link(&self) -> ChainLink {
        ChainLink {
            n: self.n,
            sum: self.sum,
        }
    }

    /// Computes the checksum of this row from its content and the checksum of the previous row.
    ///
    /// Personal data is included only as its own checksum. Deleting the data therefore does not
    /// break the chain.
    pub(super) fn compute_sum(&self, previous: &Checksum) -> Checksum {
        let mut hash = Sha256::new();
        hash.update(previous);
        hash.update(self.n.to_le_bytes());
        hash.update(self.at.0.to_le_bytes());
        hash.update(self.key.0.as_bytes());
        // Hash the lengths too. Otherwise, moving a byte from one text to the next would not change
        // the hash.
        for text in [&self.kind, &self.plain] {
            hash.update((text.len() as u64).to_le_bytes());
            hash.update(text.as_bytes());
        }
        hash.update([u8::from(self.personal_sum.is_some())]);
        hash.update(self.personal_sum.unwrap_or_default());
        // An event outside a team has the same checksum as before there were teams.
        if let Some(who) = &self.who {
            hash.update((who.len() as u64).to_le_bytes());
            hash.update(who.as_bytes());
        }
        hash.finalize().into()
    }

    /// Checks that the row follows `previous` in the chain and is unchanged. If not, returns a
    /// description of the damage.
    pub(super) fn check(&self, previous: &ChainLink) -> Result<(), String> {
        if self.n != previous.n + 1 {
            return Err(format!("event {} follows event {}", self.n, previous.n));
        }
        if self.compute_sum(&previous.sum) != self.sum {
            return Err(format!("event {} does not match its checksum", self.n));
        }
        match (&self.personal, &self.personal_sum) {
            (Some(personal), Some(sum)) if checksum_of(personal) == *sum => Ok(()),
            // The personal data was deleted, so there is nothing to compare with its checksum.
            (None, _) => Ok(()),
            _ => Err(format!(
                "event {}'s personal part does not match its checksum",
                self.n
            )),
        }
    }
}
