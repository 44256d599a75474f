//! The view: paints a page on a terminal, with a theme.
//!
//! The content of a frame is laid out by [`crate::app::around`]; here it gets its colours. [`draw`]
//! paints one frame and remembers nothing. A [`Painter`] paints frame after frame and only the rows
//! that are different from the last one: of a hundred rows a key changes three.

mod glyphs;
mod ground;
mod paint;
mod theme;

use std::sync::Arc;

use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::app::store::seen::Seen;
use crate::app::ui::PageItem;
use crate::app::ui::input::Size;
use crate::app::{Model, around};

pub use ground::Ground;
pub use theme::{FaintRole, LEAST_CONTRAST, Theme, ThemeError};

/// Draws the whole screen, and says what is on it.
pub fn draw(model: &Model, theme: &Theme, frame: &mut Frame) -> Seen {
    let Rect { width: columns, height: rows, .. } = frame.area();
    let theme = Arc::new(theme.clone());
    let painted = Painter::default().paint(model, &theme, Size { columns, rows });
    let buffer = frame.buffer_mut();
    for row in painted.rows.into_iter().filter(|row| !row.content.is_empty()) {
        let start = buffer.index_of(row.area.x, row.area.y);
        buffer.content[start..start + row.content.len()].clone_from_slice(&row.content);
    }
    if let Some(cell) = painted.cursor {
        frame.set_cursor_position(cell);
    }
    painted.seen
}

/// Paints frame after frame.
#[derive(Debug, Default)]
pub struct Painter {
    /// The last frame, before it was painted; `None` where nothing of it may be on the terminal.
    last: Option<PaintedFrame>,
}

/// The things that the rows of a frame were painted from.
#[derive(Debug)]
struct PaintedFrame {
    items: Vec<PageItem>,
    theme: Arc<Theme>,
    ascii: bool,
    size: Size,
}

/// A frame, as far as it is different from the last.
#[derive(Debug)]
pub struct Painted {
    /// The rows that may look different, from the top: each a buffer at its place.
    pub rows: Vec<Buffer>,
    /// The cell of the terminal's cursor; `None` hides it.
    pub cursor: Option<(u16, u16)>,
    /// The record of what is on the screen with it.
    pub seen: Seen,
}

impl Painter {
    /// Paints what is different from the last frame.
    pub fn paint(&mut self, model: &Model, theme: &Arc<Theme>, size: Size) -> Painted {
        let mut page = around::page(model, size);
        let (cursor, ascii) = (page.cursor, model.setup.ascii);
        let items = std::mem::take(&mut page.items);
        let frame = PaintedFrame { items, theme: theme.clone(), ascii, size };
        let last = self.last.as_ref().filter(|last| last.is_alike(&frame));
        let rows = match last {
            Some(last) => paint::changed_rows(&last.items, &frame.items, size.rows),
            None => (0..size.rows).collect(),
        };
        let rows = rows.into_iter().map(|y| frame.row(y)).collect();
        self.last = Some(frame);
        Painted { rows, cursor, seen: Seen::of(model, size, page) }
    }

    /// Forgets the last frame: the next one is painted whole.
    pub fn forget(&mut self) {
        *self = Painter::default();
    }
}

impl PaintedFrame {
    /// Returns true when only the items of the two can make a difference.
    fn is_alike(&self, now: &PaintedFrame) -> bool {
        Arc::ptr_eq(&self.theme, &now.theme) && (self.ascii, self.size) == (now.ascii, now.size)
    }

    fn row(&self, y: u16) -> Buffer {
        let mut buffer = Buffer::empty(Rect { x: 0, y, width: self.size.columns, height: 1 });
        paint::row(&self.items, &self.theme, &mut buffer);
        if self.ascii {
            glyphs::to_ascii(&mut buffer);
        }
        buffer
    }
}
