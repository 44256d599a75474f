//! A reply as it came, byte for byte, and how the reading of it ended.

use super::http_date;
use crate::trade::{NoAnswer, Wall};

/// A reply as it came.
pub struct RawReply {
    /// The status.
    pub status: u16,
    /// The headers, names in lower case.
    pub headers: Vec<(String, String)>,
    /// The bytes of the body that were read.
    pub body: Vec<u8>,
    /// The end of the reading: whole, or cut in some way.
    pub end: BodyEnd,
}

/// The end of reading a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BodyEnd {
    /// All of it is there.
    Whole,
    /// The connection ended before it was whole.
    Cut,
    /// It was not whole at the deadline.
    Timeout,
    /// It is longer than is read.
    TooLarge,
    /// It is compressed or otherwise encoded, which was not asked for.
    Encoded,
}

impl BodyEnd {
    /// The failure that a body is which is not all there.
    pub(super) fn no_answer(self) -> Option<NoAnswer> {
        match self {
            BodyEnd::Cut => Some(NoAnswer::Cut),
            BodyEnd::Timeout => Some(NoAnswer::Timeout),
            BodyEnd::TooLarge => Some(NoAnswer::TooLarge),
            BodyEnd::Whole | BodyEnd::Encoded => None,
        }
    }
}

impl RawReply {
    /// The value of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut all = self.headers.iter();
        all.find(|(own, _)| own.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// The server's own date, where it can be read.
    pub fn date(&self) -> Option<Wall> {
        http_date::read(self.header("date")?)
    }
}
