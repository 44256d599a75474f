//! The config room.
