//! The words of the program, in two languages.
//!
//! Pure and below the app: a search has to know what a state is called. [`Words`] is the handle of
//! a language; nothing here knows which one a seller chose. The other modules make names and
//! sentences from values of the trade, and the screen and the command line share them. A
//! [`Failure`](crate::trade::Failure) is put into words in [`failure`] and nowhere else.

pub mod attempts;
mod catalogue;
pub mod checkup;
pub mod dates;
pub mod failure;
pub mod left;
pub mod names;
pub mod personal;

pub use catalogue::{Lang, Words};
