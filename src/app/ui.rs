//! The building blocks of screens, such as pages, lines, fields, buttons, pictures and click
//! targets.
//!
//! For each frame, a screen builds one [`Page`] of plain values, which is then drawn. The next
//! message carries a record of that frame, the
//! [`FrameSnapshot`](crate::app::store::frame_snapshot::FrameSnapshot). These modules do not depend
//! on the store or the screens.

pub mod action;
pub mod area;
pub mod bar;
pub mod bars;
pub mod block;
pub mod contract_form;
pub mod failure;
pub mod form;
pub mod setting_changes;

pub mod form_page;
pub mod geometry;
pub mod hits;
pub mod input;
pub mod json;
pub mod keys;
pub mod known;
pub mod large_digits;
pub mod line;
pub mod list;
pub mod list_pane;
pub mod page;
pub mod panel;
pub mod parts;
pub mod picture;
pub mod render_cx;
pub mod scrolled;
pub mod sent_form;
pub mod symbols;
pub mod table;
pub mod text;
pub mod wait;

pub use action::Action;
pub use area::Area;
pub use line::{Line, Role, Span};
pub use page::{Overflow, Page, PageItem, Target, VisibleLines};
pub use render_cx::RenderCx;
