//! A text that may be longer than its place, and the signs that it goes on.

use crate::app::ui::block;
use crate::app::ui::parts::{put, put_right};
use crate::app::ui::text::fit;
use crate::app::ui::{Action, Area, Line, Overflow, Page, Reader, Role, Shown, geometry};

/// A text and its place.
pub struct Text {
    /// The area it stands in; the column at its right is free for the signs.
    pub area: Area,
    /// All of its lines.
    pub lines: Vec<Line>,
    /// The action that scrolls it down.
    pub down: Action,
}

impl Text {
    /// A text in this place, line by line.
    pub fn new(lines: Vec<Line>, area: Area) -> Text {
        Text { area, lines, down: Action::Down }
    }

    /// The same; where it fits without some of its empty lines, these go. One that is scrolled all
    /// the same keeps them: its parts stand apart.
    pub fn tight(lines: Vec<Line>, area: Area) -> Text {
        Text::new(block::text(block::blocks(lines), usize::from(area.height)), area)
    }

    /// Returns the part of it that has no room.
    pub fn overflow(&self) -> Overflow {
        let rows = self.area.height;
        let all = u16::try_from(self.lines.len()).unwrap_or(u16::MAX);
        Overflow { lines: all.saturating_sub(rows), page: rows.saturating_sub(1) }
    }

    /// Returns the lines that are on the screen when it is scrolled so far.
    pub fn shown(&self, scroll: u16) -> Shown {
        let (rows, overflow) = (self.area.height, self.overflow());
        let first = scroll.min(overflow.lines);
        // The last row says that there is more below.
        let rows = if first < overflow.lines { rows.saturating_sub(1) } else { rows };
        let total = u16::try_from(self.lines.len()).unwrap_or(u16::MAX);
        Shown { first, end: first.saturating_add(rows).min(total), total }
    }

    /// Returns the first row below it: its last line's, or its area's where it has no room.
    pub fn end(&self) -> u16 {
        let rows = u16::try_from(self.lines.len()).unwrap_or(u16::MAX);
        self.area.y.saturating_add(rows.min(self.area.height))
    }

    /// Puts it on the page as far as it is scrolled, and says where there is more of it.
    pub fn draw(self, to: Reader<'_>, page: &mut Page) {
        page.shows(self.shown(page.scroll()), self.overflow());
        let scroll = page.scroll();
        self.draw_from(scroll, to, page);
    }

    /// The same, so that this line is seen: the text is scrolled further from there.
    pub fn draw_around(self, at: usize, to: Reader<'_>, page: &mut Page) {
        let (whole, rows) = (self.overflow(), usize::from(self.area.height));
        let first = geometry::scrolled(at, self.lines.len(), rows.saturating_sub(1));
        let first = u16::try_from(first).unwrap_or(u16::MAX).min(whole.lines);
        page.shows(Shown::ALL, Overflow { lines: whole.lines - first, ..whole });
        self.draw_from(first.saturating_add(page.scroll()), to, page);
    }

    /// Puts it on the page from this line on, and says where there is more of it.
    pub fn draw_from(self, scroll: u16, to: Reader<'_>, page: &mut Page) {
        let (Shown { first, end, .. }, all) = (self.shown(scroll), self.lines.len());
        let Text { area, lines, down } = self;
        let below = all.saturating_sub(usize::from(end));
        let shown: Vec<_> = lines.into_iter().take(end.into()).skip(first.into()).collect();
        let (text, foot) = area.split_bottom(u16::from(below > 0));
        // Beside the first line that does not reach it, or in the last column of the screen.
        let x = area.right().min(page.whole.right().saturating_sub(1));
        let room = usize::from(x.saturating_sub(area.x));
        let row = (0..).zip(&shown).find(|(_, line)| line.width() < room).map_or(0, |(n, _)| n);
        put(shown, text, page);
        if below > 0 {
            let more = to.words.count("more-lines", below as u64, &[("key", to.first_key(down))]);
            put_right(Line::of(Role::Dim, fit(&more, usize::from(area.width))), foot, page);
        }
        if first > 0 {
            page.put(vec![Line::of(Role::Dim, "↑")], Area { x, width: 1, ..area.row(row) });
        }
    }
}

/// The text that the seller is to agree to: all of it was on the screen, or it cannot be agreed to.
pub struct Agreed {
    /// The text, in the rows that are left for it.
    pub text: Text,
    /// The row below it where it is read page by page, for the line that comes after the reading.
    pub foot: Option<Area>,
}

impl Agreed {
    /// A text that has room.
    pub fn whole(text: Text) -> Agreed {
        Agreed { text, foot: None }
    }

    /// A text that is read page by page.
    pub fn paged(text: Text) -> Agreed {
        let (area, foot) = text.area.split_bottom(1);
        Agreed { text: Text { area, down: Action::PageDown, ..text }, foot: Some(foot) }
    }

    /// Returns the first row below all of it.
    pub fn end(&self) -> u16 {
        self.foot.map_or_else(|| self.text.end(), Area::bottom)
    }

    /// Puts the text on the page; below its pages stands this, once they were read.
    pub fn draw(self, to: Reader<'_>, after: Line, page: &mut Page) {
        self.text.draw(to, page);
        let Some(foot) = self.foot else { return };
        if page.is_read() {
            return put(vec![after], foot, page);
        }
        let read_on = to.with_key("agree-read-on", Action::PageDown);
        put(vec![Line::of(Role::Warn, fit(&read_on, usize::from(foot.width)))], foot, page);
    }
}
