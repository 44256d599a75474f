//! Sends rows whole that have signs of uncertain width.
//!
//! A flag, a cook made of a woman and a pan, a letter with an accent of its own: a sign with two
//! cells in one terminal has one or four in another. The buffer of the last frame does not show the
//! real content of such cells: a cell without a change may still look wrong.

use ratatui::buffer::{Buffer, Cell, CellDiffOption, CellWidth};

/// Has such a row sent whole, and once more in the frame after the sign is gone.
///
/// The comparison of frames does the latter by itself: a cell that was always to be sent differs
/// from one that is not.
pub(super) fn send_whole(row: &mut Buffer) {
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
    use ratatui::layout::Rect;
    use ratatui::style::Style;

    use super::*;
    use crate::app::ui::input::Size;
    use crate::runtime::surface::Surface;

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
    fn what_a_terminal_measures_differently_leaves_nothing_behind() {
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
    fn the_whole_row_is_sent_while_it_has_one_and_once_after_and_no_other_row() {
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
