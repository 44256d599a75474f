//! The trade room.
