//! The runtime room.

pub mod browser;
pub mod clipboard;
pub mod clocks;
pub mod hardening;
#[cfg(unix)]
pub mod signals;
pub mod surroundings;
pub mod terminal;
