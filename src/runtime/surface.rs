//! The surface: what is on the terminal, row by row, and how the next frame comes there.
//!
//! The library's terminal compares every cell of two frames, most of them painted again as they
//! were. Here only the rows are compared that the painter says may be different.

use std::sync::Arc;

use ratatui::backend::{Backend, ClearType};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::whole_rows;
use crate::app::Model;
use crate::app::store::seen::Seen;
use crate::app::ui::input::Size;
use crate::view::{Painted, Painter, Scrolled, Theme};

/// A terminal, and what is on it.
pub struct Surface<B> {
    backend: B,
    size: Size,
    painter: Painter,
    /// The rows that are on the terminal, from the first.
    shown: Vec<Buffer>,
}

impl<B: Backend> Surface<B> {
    /// A terminal of this size with nothing on it.
    pub fn new(backend: B, size: Size) -> Surface<B> {
        Surface { backend, size, painter: Painter::default(), shown: blank(size) }
    }

    /// Shows the next frame, and says what is on it.
    pub fn show(&mut self, model: &Model, theme: &Arc<Theme>) -> Result<Seen, B::Error> {
        let painted = self.painter.paint(model, theme, self.size);
        let Painted { scrolled, rows, cursor, seen, frame } = painted;
        if let Some(scrolled) = scrolled {
            self.scroll(scrolled)?;
        }
        let gone = self.put(rows, cursor)?;
        self.painter.keep(frame);
        self.painter.reuse(gone);
        Ok(seen)
    }

    /// Has the terminal move rows that it has, and leave empty ones behind them.
    fn scroll(&mut self, Scrolled { rows, by, is_up }: Scrolled) -> Result<(), B::Error> {
        let shown = &mut self.shown[usize::from(rows.start)..usize::from(rows.end)];
        let came = match is_up {
            true => {
                self.backend.scroll_region_up(rows.clone(), by)?;
                shown.rotate_left(by.into());
                shown.len() - usize::from(by)..shown.len()
            }
            false => {
                self.backend.scroll_region_down(rows.clone(), by)?;
                shown.rotate_right(by.into());
                0..usize::from(by)
            }
        };
        shown[came].iter_mut().for_each(Buffer::reset);
        for (row, y) in shown.iter_mut().zip(rows) {
            row.area.y = y;
        }
        Ok(())
    }

    /// Puts rows on the terminal, each at its place, and the cursor on a cell. Gives back the rows
    /// that were there.
    pub(super) fn put(
        &mut self,
        mut rows: Vec<Buffer>,
        cursor: Option<(u16, u16)>,
    ) -> Result<Vec<Buffer>, B::Error> {
        rows.iter_mut().for_each(whole_rows::send_whole);
        let changed =
            rows.iter().flat_map(|row| self.shown[usize::from(row.area.y)].diff_iter(row));
        self.backend.draw(changed)?;
        match cursor {
            Some(cell) => {
                self.backend.show_cursor()?;
                self.backend.set_cursor_position(cell)?;
            }
            None => self.backend.hide_cursor()?,
        }
        self.backend.flush()?;
        for row in &mut rows {
            let y = usize::from(row.area.y);
            std::mem::swap(&mut self.shown[y], row);
        }
        Ok(rows)
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
        (self.size, self.shown) = (size, blank(size));
        self.backend.clear_region(ClearType::All)
    }
}

fn blank(size: Size) -> Vec<Buffer> {
    let row = |y| Buffer::empty(Rect { x: 0, y, width: size.columns, height: 1 });
    (0..size.rows).map(row).collect()
}
