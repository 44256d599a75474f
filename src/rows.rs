//! The rows of lists, as scripts and spreadsheets read them.
//!
//! The commands that print a list and the app, which writes it to a file, share this module.
//! [`json_line`] converts a row to JSON, [`row_mask`] masks its personal data, and [`csv`] converts
//! the JSON to CSV.

pub mod csv;
pub mod json_line;
pub mod row_mask;
