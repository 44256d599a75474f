//! The words of the program, in two languages.
//!
//! Pure and below the app: a search has to know what a state is called. [`Words`] is the handle of
//! a language; nothing here knows which one a seller chose.

mod catalogue;
pub mod dates;
pub mod names;

pub use catalogue::{Lang, Words};
