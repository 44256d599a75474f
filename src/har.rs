//! Exports HTTP exchanges for support, as HAR files and curl commands without secrets and personal
//! data, and searches such files.
//!
//! [`StrictMask`] masks the values. [`file()`] writes a HAR 1.2 file, and [`command`] writes a curl
//! command. [`check()`] searches a file for the seller's texts, such as a CPF. It does not use the
//! mask's rules, so it can show that nothing was missed.

#![warn(missing_docs)]

mod check;
mod contract_lines;
mod curl;
mod environment;
mod file;
mod fragments;
mod kind;
mod mask;
mod whitelist;

pub use check::{Encoding, Extent, Hit, MIN_LETTERS, Needle, check, file_text};
pub use curl::{CurlWords, command};
pub use environment::{Environment, finding_json};
pub use file::{contract_lines, file, file_with};
pub use mask::StrictMask;

#[cfg(test)]
mod tests;
