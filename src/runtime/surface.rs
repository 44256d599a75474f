//! The terminal that frames are drawn on: the rows on it, and those of the next frame.
//!
//! Ratatui's own `Terminal` paints and compares every cell of a frame; here the rows are painted
//! and compared that may be different ([`Painter`]). Measured with release builds, medians of a key
//! in the demo's list: 0.73 ms instead of 0.84 at 80x24, 1.33 instead of 1.94 at 200x60. The
//! encoder is ratatui's: 461 bytes for such a key. One of our own, which also scrolled, sent 343 in
//! 0.66 ms (1.17 at 200x60): too little for what it weighed.

use std::sync::Arc;

use ratatui::backend::{Backend, ClearType};
use ratatui::buffer::{Buffer, Cell, CellDiffOption, CellWidth};
use ratatui::layout::Rect;

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
    fn put(&mut self, mut rows: Vec<Buffer>, cursor: Option<(u16, u16)>) -> Result<(), B::Error> {
        rows.iter_mut().for_each(send_whole);
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

/// Has a row sent whole that has a sign of uncertain width, and once more in the frame after the
/// sign is gone.
///
/// A flag, a cook made of a woman and a pan, a letter with an accent of its own: a sign with two
/// cells in one terminal has one or four in another. The buffer of the last frame does not show the
/// real content of such cells: a cell without a change may still look wrong.
///
/// The frame after it needs no further code: a cell that was always to be sent differs from one
/// that is not.
fn send_whole(row: &mut Buffer) {
    if row.content.iter().any(is_in_doubt) {
        for cell in &mut row.content {
            cell.set_diff_option(CellDiffOption::AlwaysUpdate);
        }
    }
}

/// Returns true if a terminal may give it another width: all but one character of one column.
fn is_in_doubt(cell: &Cell) -> bool {
    let symbol = cell.symbol();
    !symbol.is_ascii() && (symbol.chars().nth(1).is_some() || cell.cell_width() > 1)
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::io::{self, Write};
    use std::num::NonZeroU16;
    use std::rc::Rc;

    use ratatui::backend::CrosstermBackend;
    use ratatui::style::Style;

    use super::*;

    const COLUMNS: u16 = 20;
    const ROWS: u16 = 3;

    /// The bytes that were written, and a terminal that gives each character its own cells.
    #[derive(Clone)]
    struct RecordedOutput(Rc<RefCell<(Vec<u8>, vt100::Parser)>>);

    impl Write for RecordedOutput {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let mut screen = self.0.borrow_mut();
            screen.0.extend_from_slice(bytes);
            screen.1.process(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    struct TestTerminal {
        screen: RecordedOutput,
        terminal: Surface<CrosstermBackend<RecordedOutput>>,
    }

    impl TestTerminal {
        fn new() -> TestTerminal {
            let of = |cells| NonZeroU16::new(cells).unwrap();
            let parser = vt100::Parser::new(of(ROWS), of(COLUMNS), 0);
            let screen = RecordedOutput(Rc::new(RefCell::new((Vec::new(), parser))));
            let size = Size { columns: COLUMNS, rows: ROWS };
            let terminal = Surface::new(CrosstermBackend::new(screen.clone()), size);
            TestTerminal { screen, terminal }
        }

        /// Draws these rows; returns the bytes that were written for it.
        fn draw(&mut self, rows: [&str; ROWS as usize]) -> String {
            self.screen.0.borrow_mut().0.clear();
            let row = |(y, text): (u16, &str)| {
                let mut row = Buffer::empty(Rect::new(0, y, COLUMNS, 1));
                row.set_string(0, y, text, Style::new());
                row
            };
            let rows = (0..).zip(rows).map(row).collect();
            self.terminal.put(rows, None).unwrap();
            String::from_utf8(self.screen.0.borrow().0.clone()).unwrap()
        }

        fn text(&self) -> String {
            let rows = self.screen.0.borrow().1.screen().contents();
            rows.lines().map(str::trim_end).collect::<Vec<_>>().join("/")
        }
    }

    #[test]
    fn ambiguous_width_text_is_erased_completely() {
        for sign in ["🇧🇷", "👩\u{200d}🍳", "👍🏽", "❤\u{fe0f}", "1\u{fe0f}\u{20e3}", "日"]
        {
            let mut shown = TestTerminal::new();
            shown.draw(["", "", "r"]);
            shown.draw(["", &format!("a {sign}"), "r"]);
            shown.draw(["", "a", "r"]);
            assert_eq!(shown.text(), "/a/r", "{sign}");
            shown.draw(["", &format!("{sign}{sign}{sign}"), "r"]);
            shown.draw(["", &format!("ab{sign}"), "r"]);
            shown.draw(["", "abcdefghij", "r"]);
            assert_eq!(shown.text(), "/abcdefghij/r", "{sign}");
        }
    }

    #[test]
    fn only_rows_with_ambiguous_width_are_sent_whole() {
        let mut shown = TestTerminal::new();
        shown.draw(["um", "", "dois"]);
        let blank = |columns| " ".repeat(columns);
        // What follows is put in its own place, wherever the terminal stands by then.
        let flag = format!("\x1b[2;1Ha 🇧🇷\x1b[2;5H{}\x1b[39m\x1b[49m\x1b[59m\x1b[0m", blank(16));
        let with = ["um", "a 🇧🇷", "dois"];
        let drawn = |shown: &mut TestTerminal, rows| {
            let written = shown.draw(rows);
            written.split("\x1b[?25l").next().unwrap().to_owned()
        };
        assert_eq!(drawn(&mut shown, with), flag);
        assert_eq!(drawn(&mut shown, with), flag);
        let without = ["um", "a", "dois"];
        let gone = format!("\x1b[2;1Ha{}\x1b[39m\x1b[49m\x1b[59m\x1b[0m", blank(19));
        assert_eq!(drawn(&mut shown, without), gone);
        assert_eq!(drawn(&mut shown, without), "");
    }

    #[test]
    fn portuguese_is_in_no_doubt() {
        for sign in ["a", "ã", "ç", "º", "–", "…", "●", "│", "█", "R", " "] {
            assert!(!is_in_doubt(&Cell::new(sign)), "{sign}");
        }
        for sign in ["a\u{303}", "日", "🎂", "🇧🇷"] {
            let mut cell = Cell::default();
            cell.set_symbol(sign);
            assert!(is_in_doubt(&cell), "{sign}");
        }
    }
}
