//! CSV files: reads the files that shops and spreadsheets write, and writes files for them.
//!
//! [`text::decode`] finds the encoding of a file. [`LinkFile`] reads the payment links that a file
//! lists. [`mod@write`] writes a file that a spreadsheet opens safely.

#![warn(missing_docs)]

pub mod links;
pub mod text;
pub mod write;

pub use links::{FileFault, FileLine, LineFault, LinkFile, ListedLink};
pub use text::{Encoding, TextFault};
pub use write::CsvWriter;

/// The maximum size of a file in bytes. A larger file is refused before it is decoded.
pub const MAX_FILE_BYTES: usize = 20_000_000;

#[cfg(test)]
mod tests;
