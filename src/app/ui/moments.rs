//! Dates and times where the seller is, as of now.

use crate::app::Store;
use crate::trade::Wall;
use crate::words::Words;
use crate::words::dates;

pub use crate::words::dates::{minutes, minutes_left};

/// `10:42`
pub fn time(store: &Store, at: Wall) -> String {
    dates::time(at, store.setup.utc_offset_s)
}

/// `10:42:07`
pub fn time_exact(store: &Store, at: Wall) -> String {
    dates::time_exact(at, store.setup.utc_offset_s)
}

/// `hoje`, `ontem`, or the date; `day` is as [`Wall::local_day`] has it.
pub fn day(store: &Store, say: &Words, day: i64) -> String {
    dates::day(say, store.now.wall.local_day(store.setup.utc_offset_s), day)
}

/// The day of a moment, in words where it is near.
pub fn day_of(store: &Store, say: &Words, at: Wall) -> String {
    day(store, say, at.local_day(store.setup.utc_offset_s))
}

/// `hoje, 10:42:07` or `21/11/2026, 10:42:07`
pub fn moment(store: &Store, say: &Words, at: Wall) -> String {
    dates::moment(say, (store.now.wall, store.setup.utc_offset_s), at)
}
