//! Withdrawals: the pane, the way from a form to an outcome, and the details of one.

pub mod show;
