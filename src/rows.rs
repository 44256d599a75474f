//! The rows of lists, as scripts and spreadsheets read them.
//!
//! The commands that print a list and the app, which writes it to a file, share this module.
//! [`row_mask`] masks the personal data of a row.

pub mod json_line;
pub mod row_mask;
