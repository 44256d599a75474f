//! The account pane: who is logged in, and where each credential is kept.

pub mod show;
