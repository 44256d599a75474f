//! Dates and times where the seller is, as of now.

use crate::app::Model;
use crate::trade::Wall;
use crate::words::Words;
use crate::words::dates;

pub use crate::words::dates::{minutes, minutes_left};

/// `10:42`
pub fn time(model: &Model, at: Wall) -> String {
    dates::time(at, model.setup.utc_offset_s)
}

/// `10:42:07`
pub fn time_exact(model: &Model, at: Wall) -> String {
    dates::time_exact(at, model.setup.utc_offset_s)
}

/// `hoje`, `ontem`, or the date; `day` is as [`Wall::local_day`] has it.
pub fn day(model: &Model, say: &Words, day: i64) -> String {
    dates::day(say, model.now.wall.local_day(model.setup.utc_offset_s), day)
}

/// The day of a moment, in words where it is near.
pub fn day_of(model: &Model, say: &Words, at: Wall) -> String {
    day(model, say, at.local_day(model.setup.utc_offset_s))
}

/// `hoje, 10:42:07` or `21/11/2026, 10:42:07`
pub fn moment(model: &Model, say: &Words, at: Wall) -> String {
    dates::moment(say, (model.now.wall, model.setup.utc_offset_s), at)
}
