//! The exchanges pane, and one exchange in full.

pub mod show;
