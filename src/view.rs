//! Draws a page on the terminal, using the colours of a theme.
//!
//! [`crate::app::chrome`] lays out the content of a page; this module adds colours and symbols.
//! [`draw`] draws a single frame. A [`Painter`] draws a series of frames and redraws only the rows
//! that changed, usually about three per key press.

mod glyphs;
mod ground;
mod paint;
mod theme;

use std::ops::Range;
use std::sync::Arc;

use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::app::store::frame_snapshot::FrameSnapshot;
use crate::app::ui::PageItem;
use crate::app::ui::input::Size;
use crate::app::ui::page::CursorPlace;
use crate::app::{Model, chrome};

pub use ground::Background;
pub use theme::{ColourDepth, FaintRole, MIN_CONTRAST, Theme, ThemeError};

/// Draws the whole screen. Returns a record of the content that the user can now see.
pub fn draw(model: &Model, theme: &Theme, frame: &mut Frame) -> FrameSnapshot {
    let Rect {
        width: columns,
        height: rows,
        ..
    } = frame.area();
    let theme = Arc::new(theme.clone());
    let painted = Painter::default().paint(model, &theme, Size { columns, rows });
    let buffer = frame.buffer_mut();
    for row in painted
        .rows
        .into_iter()
        .filter(|row| !row.content.is_empty())
    {
        let start = buffer.index_of(row.area.x, row.area.y);
        buffer.content[start..start + row.content.len()].clone_from_slice(&row.content);
    }
    if let Some(place) = painted.cursor.filter(|place| place.is_visible) {
        frame.set_cursor_position(place.cell);
    }
    painted.seen
}

/// Draws a series of frames. After the first frame, only changed rows are drawn again.
#[derive(Debug, Default)]
pub struct Painter {
    /// The previous frame; `None` if the whole screen must be drawn.
    last: Option<FrameContent>,
}

/// The cells of drawn rows that are more than their text.
#[derive(Debug, Default)]
struct SpecialCells {
    links: Vec<LinkedCells>,
    pictures: Vec<PicturedCells>,
}

/// Everything that determines how a frame looks.
#[derive(Debug)]
struct FrameContent {
    items: Vec<PageItem>,
    theme: Arc<Theme>,
    ascii: bool,
    size: Size,
}

/// Cells of a row that lead to an address when they are clicked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkedCells {
    pub row: u16,
    pub columns: Range<u16>,
    pub address: Arc<str>,
}

/// Cells of a row that show a part of a QR code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PicturedCells {
    pub row: u16,
    pub columns: Range<u16>,
}

/// The new content for the screen: the changed rows, and the position of the cursor.
#[derive(Debug)]
pub struct Painted {
    /// The rows that may have changed, from top to bottom. Each buffer's area gives the position of
    /// its row on the screen.
    pub rows: Vec<Buffer>,
    /// The texts in these rows that lead to an address.
    pub links: Vec<LinkedCells>,
    /// The parts of QR codes in these rows.
    pub pictures: Vec<PicturedCells>,
    /// The place of the terminal's cursor; `None` if it is hidden and its place does not matter.
    pub cursor: Option<CursorPlace>,
    /// A record of the content that the frame shows.
    pub seen: FrameSnapshot,
}

impl Painter {
    /// Lays out a frame and draws the rows that differ from the previous frame.
    pub fn paint(&mut self, model: &Model, theme: &Arc<Theme>, size: Size) -> Painted {
        let mut page = chrome::page(model, size);
        let cursor = page.cursor_place();
        let ascii = model.setup.ascii;
        let items = std::mem::take(&mut page.items);
        let seen = FrameSnapshot::of(model, size, page);
        // Only terms that a frame has shown can be agreed to, so a theme must not hide them.
        let theme = if seen.terms.is_some() {
            theme.for_terms()
        } else {
            theme.clone()
        };
        let frame = FrameContent {
            items,
            theme,
            ascii,
            size,
        };
        let last = self.last.as_ref().filter(|last| last.has_same_look(&frame));
        let rows = match last {
            Some(last) => paint::changed_rows(&last.items, &frame.items, size.rows),
            None => (0..size.rows).collect(),
        };
        let mut special = SpecialCells::default();
        let rows = rows.into_iter().map(|y| frame.row(y, &mut special));
        let rows = rows.collect();
        self.last = Some(frame);
        let SpecialCells { links, pictures } = special;
        Painted {
            rows,
            links,
            pictures,
            cursor,
            seen,
        }
    }

    /// Forgets the previous frame, so that all rows of the next frame are drawn.
    pub fn forget(&mut self) {
        *self = Painter::default();
    }
}

impl FrameContent {
    /// True if both frames have the same theme, size and character set, so that only their items
    /// can differ.
    fn has_same_look(&self, new_frame: &FrameContent) -> bool {
        Arc::ptr_eq(&self.theme, &new_frame.theme)
            && (self.ascii, self.size) == (new_frame.ascii, new_frame.size)
    }

    fn row(&self, y: u16, special: &mut SpecialCells) -> Buffer {
        let mut buffer = Buffer::empty(Rect {
            x: 0,
            y,
            width: self.size.columns,
            height: 1,
        });
        paint::row(&self.items, &self.theme, &mut buffer, special);
        if self.ascii {
            glyphs::to_ascii(&mut buffer);
        }
        buffer
    }
}
