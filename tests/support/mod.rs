//! Functions that several test programs share.
#![allow(dead_code, reason = "each test file uses its own part")]

pub mod bank;
pub mod gate;
pub mod http;
pub mod in_play;
pub mod journal;
pub mod place;
pub mod postgres;
pub mod pty;
pub mod run;
pub mod secrets;
pub mod slow_line;
pub mod svg;
pub mod tools;
