//! The palette: everything that can be done now, found by its words.

pub mod show;
