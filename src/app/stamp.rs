//! The stamp: what comes in with each message, as there is no clock and no chance in here.

use std::sync::Arc;

use crate::app::store::seen::Seen;
use crate::app::ui::input::Pace;
use crate::trade::{Clocks, IdempotencyKey};

/// The facts that the world outside gives `update` with each message.
#[derive(Debug, Clone)]
pub struct Stamp {
    /// The clocks.
    pub clocks: Clocks,
    /// An unused idempotency key; it is used up only if a review opens.
    pub fresh_key: IdempotencyKey,
    /// The content of the last frame before this message.
    pub seen: Arc<Seen>,
    /// How the key or the click of this message arrived.
    pub pace: Pace,
}
