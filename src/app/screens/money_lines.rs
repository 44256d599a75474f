//! The lines of the contract that steer money.

pub mod show;
