//! The checkout page as the buyer sees it; only in the demo.

pub mod show;
