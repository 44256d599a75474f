//! Scrollable text. Marks show whether there is more text above or below.

use crate::app::ui::block;
use crate::app::ui::parts::{put, put_right};
use crate::app::ui::text::fit;
use crate::app::ui::{Action, Area, Line, Overflow, Page, RenderCx, Role, VisibleLines, geometry};

/// A scrollable text, and the area in which it is shown.
pub struct Text {
    /// The area of the text. The column to its right must be free, because the scroll mark is drawn
    /// there.
    pub area: Area,
    /// All lines of the text, whether they are visible or not.
    pub lines: Vec<Line>,
    /// The action for scrolling down. A hint below the text names the key of this action.
    pub down: Action,
}

impl Text {
    /// Creates a text. All of its empty lines are kept.
    pub fn new(lines: Vec<Line>, area: Area) -> Text {
        Text {
            area,
            lines,
            down: Action::Down,
        }
    }

    /// Creates a text. Its empty lines are dropped if that makes the text fit into the area. A text
    /// that must be scrolled keeps them.
    pub fn compact(lines: Vec<Line>, area: Area) -> Text {
        Text::new(
            block::fit_scrollable_text(block::blocks(lines), usize::from(area.height)),
            area,
        )
    }

    /// Returns how much of the text does not fit into the area.
    pub fn overflow(&self) -> Overflow {
        let rows = self.area.height;
        let line_count = u16::try_from(self.lines.len()).unwrap_or(u16::MAX);
        Overflow {
            lines: line_count.saturating_sub(rows),
            page: rows.saturating_sub(1),
        }
    }

    /// Returns which lines are visible if the text is scrolled to this position.
    pub fn shown(&self, scroll: u16) -> VisibleLines {
        let rows = self.area.height;
        let overflow = self.overflow();
        let first = scroll.min(overflow.lines);
        // If there is more text below, the last row is used to show the number of hidden lines.
        let rows = if first < overflow.lines {
            rows.saturating_sub(1)
        } else {
            rows
        };
        let total = u16::try_from(self.lines.len()).unwrap_or(u16::MAX);
        VisibleLines {
            first,
            end: first.saturating_add(rows).min(total),
            total,
        }
    }

    /// The first row below the text. If the text fills its area, this is the first row below the
    /// area.
    pub fn end(&self) -> u16 {
        let rows = u16::try_from(self.lines.len()).unwrap_or(u16::MAX);
        self.area.y.saturating_add(rows.min(self.area.height))
    }

    /// Draws the text at the scroll position of the page. Marks show whether there is more above or
    /// below.
    pub fn draw(self, to: RenderCx<'_>, page: &mut Page) {
        page.record_visible_lines(self.shown(page.scroll()), self.overflow());
        let scroll = page.scroll();
        self.draw_from(scroll, to, page);
    }

    /// Draws the text so that line `at` is visible. The user can scroll down from there.
    pub fn draw_around(self, at: usize, to: RenderCx<'_>, page: &mut Page) {
        let overflow = self.overflow();
        let rows = usize::from(self.area.height);
        let first_line = geometry::first_visible_line(at, self.lines.len(), rows.saturating_sub(1));
        let first_line = u16::try_from(first_line)
            .unwrap_or(u16::MAX)
            .min(overflow.lines);
        page.record_visible_lines(
            VisibleLines::ALL,
            Overflow {
                lines: overflow.lines - first_line,
                ..overflow
            },
        );
        self.draw_from(first_line.saturating_add(page.scroll()), to, page);
    }

    /// Draws the text, starting with line `scroll`. Marks show whether there is more above or
    /// below.
    pub fn draw_from(self, scroll: u16, to: RenderCx<'_>, page: &mut Page) {
        let VisibleLines { first, end, .. } = self.shown(scroll);
        let line_count = self.lines.len();
        let Text { area, lines, down } = self;
        let hidden_below = line_count.saturating_sub(usize::from(end));
        let visible_lines: Vec<_> = lines
            .into_iter()
            .take(end.into())
            .skip(first.into())
            .collect();
        let (text, foot) = area.split_bottom(u16::from(hidden_below > 0));
        // The mark `↑` is drawn to the right of the text, or in the last column of the screen. Draw
        // it in the first row whose text does not reach that column.
        let mark_column = area.right().min(page.area.right().saturating_sub(1));
        let text_width = usize::from(mark_column.saturating_sub(area.x));
        let mark_row = (0..)
            .zip(&visible_lines)
            .find(|(_, line)| line.width() < text_width)
            .map_or(0, |(n, _)| n);
        put(visible_lines, text, page);
        if hidden_below > 0 {
            let hint = to.words.count(
                "more-lines",
                hidden_below as u64,
                &[("key", to.first_key(down))],
            );
            put_right(
                Line::of(Role::Dim, fit(&hint, usize::from(area.width))),
                foot,
                page,
            );
        }
        if first > 0 {
            page.put(
                vec![Line::of(Role::Dim, "↑")],
                Area {
                    x: mark_column,
                    width: 1,
                    ..area.row(mark_row)
                },
            );
        }
    }
}

/// The text of terms that the seller confirms, such as a withdrawal's amount and fee. The seller
/// can confirm only after every line of the text has been on the screen.
pub struct TermsText {
    /// The text of the terms.
    pub text: Text,
    /// The row below a text that must be scrolled. It shows a hint to read on until all pages were
    /// read. Then it shows another line.
    pub foot: Option<Area>,
}

impl TermsText {
    /// Creates a text that fits on the screen as a whole.
    pub fn whole(text: Text) -> TermsText {
        TermsText { text, foot: None }
    }

    /// Creates a text that is read page by page.
    pub fn paged(text: Text) -> TermsText {
        let (area, foot) = text.area.split_bottom(1);
        TermsText {
            text: Text {
                area,
                down: Action::PageDown,
                ..text
            },
            foot: Some(foot),
        }
    }

    /// The first row below the text. If there is a row with a hint to read on, returns the row
    /// below that hint.
    pub fn end(&self) -> u16 {
        self.foot.map_or_else(|| self.text.end(), Area::bottom)
    }

    /// Draws the text. If it is paged, draws a hint to read on below it or, after all pages were
    /// read, the line `after`.
    pub fn draw(self, to: RenderCx<'_>, after: Line, page: &mut Page) {
        self.text.draw(to, page);
        let Some(foot) = self.foot else { return };
        if page.is_read() {
            return put(vec![after], foot, page);
        }
        let read_on = to.with_key("agree-read-on", Action::PageDown);
        put(
            vec![Line::of(Role::Warn, fit(&read_on, usize::from(foot.width)))],
            foot,
            page,
        );
    }
}
