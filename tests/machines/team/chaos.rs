//! The chaos of a team: operators with real mirrors and connections share a journal on a real
//! PostgreSQL server, which is killed again and again. Connections are cut, held and swallow
//! answers, and operators are killed while they send.
//!
//! The bank is simulated. In the end, its records are compared with the log and the mirrors.

mod needs_tools;
mod operator;
mod world;
