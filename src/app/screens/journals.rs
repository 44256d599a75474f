//! The journals of withdrawals, of which one is picked.

pub mod show;
