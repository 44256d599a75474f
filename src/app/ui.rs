//! The kit of screens: a page of lines, fields, buttons, pictures and places to click.
//!
//! Nothing in here knows the store or a screen. A screen lays out one [`Page`] a frame, as plain
//! values. The view paints it with a theme; what was on it comes back with the next message, as
//! [`Seen`](crate::app::store::seen::Seen).

pub mod action;
pub mod area;
pub mod bar;
pub mod block;
pub mod consent_lines;
pub mod declared;
pub mod failure;
pub mod form;

pub mod forms;
pub mod geometry;
pub mod input;
pub mod json;
pub mod keys;
pub mod line;
pub mod list;
pub mod lists;
pub mod mark;
pub mod page;
pub mod parts;
pub mod picture;
pub mod reader;
pub mod scrolled;
pub mod sent_form;
pub mod table;
pub mod text;
pub mod wait;

pub use action::Action;
pub use area::Area;
pub use line::{Line, Role, Span};
pub use page::{Overflow, Page, PageItem, Shown, Target};
pub use reader::Reader;
