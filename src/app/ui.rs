//! The kit of screens: a page of lines, fields, buttons, pictures and places to click.
//!
//! A screen lays out one [`Page`] a frame, as plain values. The view paints it with a
//! theme; what was on it comes back as [`Seen`](super::seen::Seen) with the next message.

pub mod area;
pub mod failure;
pub mod form_rows;
pub mod forms;
pub mod json;
pub mod line;
pub mod lists;
pub mod moments;
pub mod page;
pub mod parts;
pub mod picture;
pub mod reading;
pub mod refusals;
pub mod scrolled;
pub mod text;

pub use area::Area;
pub use line::{Line, Role, Span};
pub use page::{Page, PageItem, Target};
pub use reading::{Overflow, Shown};
