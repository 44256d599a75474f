//! The domains pane.

pub mod show;
