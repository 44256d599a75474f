//! The stamp: the current time and other external facts that arrive with each message.

use std::sync::Arc;

use crate::app::store::frame_snapshot::FrameSnapshot;
use crate::app::ui::input::Pace;
use crate::trade::{Clocks, IdempotencyKey};

/// The external facts that arrive with each message, because `update` itself reads no clock or
/// other source.
#[derive(Debug, Clone)]
pub struct Stamp {
    pub clocks: Clocks,
    /// A fresh idempotency key. `update` puts it into the store, where the review screen of a
    /// withdrawal takes it.
    pub fresh_key: IdempotencyKey,
    /// The record of the last frame that was rendered before this message.
    pub last_frame: Arc<FrameSnapshot>,
    /// Whether the key press or click of this message came alone or in a burst.
    pub pace: Pace,
}
