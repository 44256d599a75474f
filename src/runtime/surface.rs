//! The terminal that frames are drawn on: the rows on it, and those of the next frame.
//!
//! Ratatui's own `Terminal` paints and compares every cell of a frame; here the rows are painted
//! and compared that may be different ([`Painter`]). Measured with release builds, medians of a key
//! in the demo's list: 0.73 ms instead of 0.84 at 80x24, 1.33 instead of 1.94 at 200x60. The
//! encoder is ratatui's: 461 bytes for such a key. One of our own, which also scrolled, sent 343 in
//! 0.66 ms (1.17 at 200x60): too little for what it weighed.

use std::sync::Arc;

use ratatui::backend::{Backend, ClearType};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::whole_rows;
use crate::app::Model;
use crate::app::store::seen::Seen;
use crate::app::ui::input::Size;
use crate::view::{Painted, Painter, Theme};

/// A terminal, and what is on it.
pub struct Surface<B> {
    backend: B,
    size: Size,
    painter: Painter,
    /// The rows that are on the terminal, from the first.
    shown: Vec<Buffer>,
    /// The cell of the terminal's cursor, `None` where it is hidden; not known at first.
    cursor: Option<Option<(u16, u16)>>,
}

impl<B: Backend> Surface<B> {
    /// A terminal of this size with nothing on it.
    pub fn new(backend: B, size: Size) -> Surface<B> {
        Surface { backend, size, painter: Painter::default(), shown: blank(size), cursor: None }
    }

    /// Shows the next frame, and says what is on it.
    pub fn show(&mut self, model: &Model, theme: &Arc<Theme>) -> Result<Seen, B::Error> {
        let painted = self.painter.paint(model, theme, self.size);
        let Painted { rows, cursor, seen } = painted;
        self.put(rows, cursor)?;
        Ok(seen)
    }

    /// Puts rows on the terminal, each at its place, and the cursor on a cell.
    pub(super) fn put(
        &mut self,
        mut rows: Vec<Buffer>,
        cursor: Option<(u16, u16)>,
    ) -> Result<(), B::Error> {
        rows.iter_mut().for_each(whole_rows::send_whole);
        let changed =
            rows.iter().flat_map(|row| self.shown[usize::from(row.area.y)].diff_iter(row));
        let mut changed = changed.peekable();
        let is_changed = changed.peek().is_some();
        if is_changed {
            self.backend.draw(changed)?;
        }
        if is_changed || self.cursor != Some(cursor) {
            match cursor {
                Some(cell) => {
                    self.backend.show_cursor()?;
                    self.backend.set_cursor_position(cell)?;
                }
                None => self.backend.hide_cursor()?,
            }
            self.cursor = Some(cursor);
        }
        self.backend.flush()?;
        for row in rows {
            let y = usize::from(row.area.y);
            self.shown[y] = row;
        }
        Ok(())
    }

    /// Draws in this size from now on.
    pub fn fit(&mut self, size: Size) -> Result<(), B::Error> {
        if self.size == size { Ok(()) } else { self.clear(size) }
    }

    /// Clears the terminal, so that the next frame is drawn whole, and returns the size it has now.
    pub fn forget(&mut self) -> Result<Size, B::Error> {
        let size = self.backend.size()?;
        let size = Size { columns: size.width, rows: size.height };
        self.clear(size)?;
        Ok(size)
    }

    fn clear(&mut self, size: Size) -> Result<(), B::Error> {
        self.painter.forget();
        (self.size, self.shown, self.cursor) = (size, blank(size), None);
        self.backend.clear_region(ClearType::All)
    }
}

fn blank(size: Size) -> Vec<Buffer> {
    let row = |y| Buffer::empty(Rect { x: 0, y, width: size.columns, height: 1 });
    (0..size.rows).map(row).collect()
}
