//! Blocks of text below one another, one of them under the cursor.
//!
//! Each may be taller than the screen: a key goes on to the next one only once this one was seen to
//! its end.

use super::list::{Move, moved};
use super::scrolled::Text;
use super::{Area, Line, Overflow, Page, Reader, Shown};

/// All blocks, and where the one under the cursor is.
pub struct BlockText {
    text: Text,
    /// The line it begins with on the screen.
    first: u16,
    /// The lines below it.
    below: u16,
}

impl BlockText {
    /// Lays out the blocks below a head, with an empty line between any two.
    pub fn new(head: Vec<Line>, blocks: Vec<Vec<Line>>, cursor: usize, area: Area) -> BlockText {
        let mut lines = head;
        lines.push(Line::default());
        let (mut first, mut end) = (0, 0);
        for (n, block) in blocks.into_iter().enumerate() {
            // The first is seen with what is said above it.
            if n == cursor && n > 0 {
                first = lines.len();
            }
            lines.extend(block);
            lines.push(Line::default());
            if n == cursor {
                end = lines.len();
            }
        }
        lines.pop();
        let below = lines.len().saturating_sub(end);
        let text = Text::new(lines, area);
        let first = u16::try_from(first).unwrap_or(u16::MAX).min(text.overflow().lines);
        BlockText { text, first, below: u16::try_from(below).unwrap_or(u16::MAX) }
    }

    /// Draws them from the one under the cursor on.
    pub fn draw(self, reader: Reader<'_>, page: &mut Page) {
        let whole = self.text.overflow();
        let lines = whole.lines.saturating_sub(self.first + self.below);
        page.shows(Shown::ALL, Overflow { lines, ..whole });
        self.text.draw_from(self.first.saturating_add(page.scroll()), reader, page);
    }
}

/// Returns the cursor and the line it is seen from after a move; `None` while the text is scrolled.
///
/// `scrolled` are the lines above, and those of this block that are hidden below.
pub fn go(cursor: usize, last: usize, scrolled: (u16, u16), to: Move) -> Option<(usize, u16)> {
    let (scroll, hidden) = scrolled;
    let goes_on = match to {
        Move::By(lines) => lines < 0 && scroll > 0 || lines > 0 && scroll < hidden,
        Move::Last => cursor >= last,
        Move::First | Move::To(_) => false,
    };
    if goes_on {
        return None;
    }
    let next = moved(cursor, last, to);
    Some(match to {
        // At the end of the last one there is nowhere to go.
        Move::By(_) if next == cursor => (cursor, scroll),
        // Who comes from below sees its end first.
        Move::By(_) if next < cursor => (next, u16::MAX),
        _ => (next, 0),
    })
}
