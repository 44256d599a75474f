//! The texts that the program shows, in Portuguese and English.
//!
//! [`Catalogue`] looks up messages in one language. The submodules build names and sentences from
//! domain values, for the screens and the command line. [`failure`] builds all texts about a
//! [`Failure`](crate::trade::Failure).

pub mod attempts;
pub mod batch;
mod catalogue;
pub mod checkup;
pub mod dates;
pub mod exit_report;
pub mod failure;
pub mod names;
pub mod personal;
pub mod reading;
pub mod sizes;
pub mod statement;
pub mod support;
pub mod vocabulary;

pub use catalogue::{Catalogue, Lang};
