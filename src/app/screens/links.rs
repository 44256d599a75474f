//! Payment links: the pane, the form of a new one, the details of one.

pub mod show;
