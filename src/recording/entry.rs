//! The entries of a recording: frames, and the events between them.

use serde::{Deserialize, Serialize};

use super::screen::{Row, Size};
use crate::trade::Untrusted;

/// A frame or an event, with its time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// The time in milliseconds since the start of the recording.
    pub at: u32,
    pub what: What,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum What {
    Frame(Frame),
    Event(Event),
    /// An entry of a newer version, which this version cannot read.
    #[serde(skip)]
    Unknown,
}

/// The rows of a screen that differ from the screen before it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Frame {
    /// The new size of the screen, if it changed. The screen is then blank before the rows are set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<Size>,
    /// The changed rows, each with its number from 0.
    pub rows: Vec<(u16, Row)>,
}

/// Something that happened in the app between two frames.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Event {
    /// A key press, such as `Enter`, or its kind, if it typed a letter.
    Key(Untrusted),
    /// The name of a message.
    Message(Untrusted),
    /// The name of an effect.
    Effect(Untrusted),
    /// A request that has ended.
    Request {
        /// The id in the stored requests.
        id: Untrusted,
        operation: Untrusted,
        outcome: Outcome,
    },
    /// The seller marked this point.
    Mark,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Outcome {
    /// The HTTP status of the response.
    Status(u16),
    /// The name of the failure.
    Failed(Untrusted),
}

impl Event {
    /// True for a request that failed or got an HTTP status for errors.
    pub fn is_error(&self) -> bool {
        match self {
            Event::Request { outcome, .. } => match outcome {
                Outcome::Status(status) => *status >= 400,
                Outcome::Failed(_) => true,
            },
            _ => false,
        }
    }
}
