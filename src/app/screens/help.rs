//! The keys.

pub mod show;
