//! A text that may be longer than its place, and the signs that it goes on.

use crate::app::ui::parts::{put, put_right, tight};
use crate::app::ui::text::fit;
use crate::app::ui::{Action, Area, Line, Overflow, Page, Reader, Role, Shown};

/// With fewer rows no row is given to a sign.
const LEAST_ROWS: usize = 3;

/// A text and its place.
pub struct Text {
    /// The area it stands in; the column at its right is free for the signs.
    pub area: Area,
    /// The further columns that are free there: none in a box.
    pub gap: u16,
    /// All of its lines.
    pub lines: Vec<Line>,
    /// The action that scrolls it down.
    pub down: Action,
}

impl Text {
    /// A text in this place, line by line.
    pub fn new(lines: Vec<Line>, area: Area) -> Text {
        Text { area, gap: 0, lines, down: Action::Down }
    }

    /// The same; where it fits without some of its empty lines, these go. One that is scrolled all
    /// the same keeps them: its parts stand apart.
    pub fn tight(lines: Vec<Line>, area: Area) -> Text {
        let fits = |lines: &[Line]| lines.len() <= usize::from(area.height);
        let close = tight(lines.clone(), fits);
        Text::new(if fits(&close) { close } else { lines }, area)
    }

    /// Returns the part of it that has no room.
    pub fn overflow(&self) -> Overflow {
        let rows = usize::from(self.area.height);
        let fitting = |count: usize| u16::try_from(count).unwrap_or(u16::MAX);
        let page = if rows < LEAST_ROWS { rows } else { rows - 1 };
        Overflow { lines: fitting(self.lines.len().saturating_sub(rows)), page: fitting(page) }
    }

    /// Returns the lines that are on the screen when it is scrolled so far.
    pub fn shown(&self, scroll: u16) -> Shown {
        let (rows, overflow) = (self.area.height, self.overflow());
        let first = scroll.min(overflow.lines);
        let total = u16::try_from(self.lines.len()).unwrap_or(u16::MAX);
        let goes_on = total > first.saturating_add(rows) && usize::from(rows) >= LEAST_ROWS;
        let end = first.saturating_add(rows - u16::from(goes_on)).min(total);
        Shown { first, end, total }
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

    /// Puts it on the page from this line on, and says where there is more of it.
    pub fn draw_from(self, scroll: u16, to: Reader<'_>, page: &mut Page) {
        let first = usize::from(scroll.min(self.overflow().lines));
        let Text { area, gap, lines, down: down_key } = self;
        let rows = usize::from(area.height);
        let below = lines.len().saturating_sub(first + rows);
        let (text, foot) = area.split_bottom(u16::from(below > 0 && rows >= LEAST_ROWS));
        let shown: Vec<_> = lines.into_iter().skip(first).take(usize::from(text.height)).collect();
        let is_signed = below > 0 && foot.height == 0;
        let (up, down) = sign_places(&shown, text, gap, page.whole, first > 0 && is_signed);
        put(shown, text, page);
        if foot.height > 0 {
            let key = to.first_key(down_key);
            let more = to.words.count("more-lines", below as u64 + 1, &[("key", key)]);
            put_right(Line::of(Role::Dim, fit(&more, usize::from(area.width))), foot, page);
        }
        if is_signed {
            page.put(vec![Line::of(Role::Dim, "↓")], down);
        }
        if first > 0 {
            page.put(vec![Line::of(Role::Dim, "↑")], up);
        }
    }
}

/// The places of the signs that a text goes on above and below: at its right, or in the last column
/// of the screen, beside the first and the last line that does not reach them. Where both are shown
/// each has a row of its own.
fn sign_places(
    shown: &[Line],
    area: Area,
    gap: u16,
    whole: Area,
    are_both_shown: bool,
) -> (Area, Area) {
    let x = area.right().saturating_add(gap).min(whole.right().saturating_sub(1));
    let column = Area { x, width: 1, ..area };
    let room = usize::from(column.x.saturating_sub(area.x));
    let free = (0..).zip(shown).filter(|(_, line)| line.width() < room);
    let (first, last) = match *free.map(|(row, _)| row).collect::<Vec<u16>>() {
        [first, .., last] => (first, last),
        [only] if !are_both_shown => (only, only),
        _ => (0, area.height.saturating_sub(1)),
    };
    (column.row(first), column.row(last))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_is_scrolled_all_the_same_keeps_its_empty_lines() {
        let rows = |height| {
            let lines = ["a", "", "b", "", "c"].map(|text| Line::of(Role::Text, text)).to_vec();
            Text::tight(lines, Area { x: 0, y: 0, width: 9, height }).lines.len()
        };
        assert_eq!([5, 4, 3, 2].map(rows), [5, 4, 3, 5]);
    }
}
