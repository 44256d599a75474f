//! Exports HTTP exchanges for support, as HAR files and curl commands without secrets and personal
//! data, and searches such files.
//!
//! [`StrictMask`] masks the values. [`file()`] writes a HAR 1.2 file, and [`command`] writes a curl
//! command. [`check()`] searches a file for texts without using the rules of the mask, so that a
//! seller can verify the mask: "is my CPF in it?"

#![warn(missing_docs)]

mod check;
mod curl;
mod file;
mod fragments;
mod kind;
mod mask;
mod whitelist;

pub use check::{Encoding, Hit, LEAST_LETTERS, Needle, check};
pub use curl::{CurlWords, command};
pub use file::file;
pub use mask::StrictMask;

#[cfg(test)]
mod tests;
