//! The vault room.
