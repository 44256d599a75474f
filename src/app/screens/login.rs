//! Logging in, and pasting the JWT.

pub mod show;
