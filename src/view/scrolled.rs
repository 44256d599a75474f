//! A text that may be longer than its place, and the signs that it goes on.

use ratatui::Frame;
use ratatui::text::Line;

use super::parts::{first_key, put, put_right};
use super::text::{columns, fit};
use super::{Look, Role};
use crate::app::Model;
use crate::app::action::Action;
use crate::app::geometry::Area;
use crate::app::legible::Shown;
use crate::app::offers;
use crate::app::scroll::Overflow;

/// With fewer rows no row is given to a sign.
const LEAST_ROWS: usize = 3;

/// A text and its place.
pub(super) struct Text {
    /// Where it stands; the column at its right is free for the signs.
    pub area: Area,
    /// All of its lines.
    pub lines: Vec<Line<'static>>,
    /// What scrolls it down.
    pub down: Action,
}

impl Text {
    /// A text in this place, line by line.
    pub fn new(lines: Vec<Line<'static>>, area: Area) -> Text {
        Text { area, lines, down: Action::Down }
    }

    /// The same; where it does not fit, its empty lines go first.
    pub fn tight(mut lines: Vec<Line<'static>>, area: Area) -> Text {
        if lines.len() > usize::from(area.height) {
            lines.retain(|line| line.width() > 0);
        }
        Text::new(lines, area)
    }

    /// What of it has no room.
    pub fn overflow(&self) -> Overflow {
        let rows = usize::from(self.area.height);
        let fitting = |count: usize| u16::try_from(count).unwrap_or(u16::MAX);
        let page = if rows < LEAST_ROWS { rows } else { rows - 1 };
        Overflow { lines: fitting(self.lines.len().saturating_sub(rows)), page: fitting(page) }
    }

    /// Which of its lines are on the screen when it is scrolled so far.
    pub fn shown(&self, scroll: u16) -> Shown {
        let (rows, overflow) = (self.area.height, self.overflow());
        let first = scroll.min(overflow.lines);
        let total = u16::try_from(self.lines.len()).unwrap_or(u16::MAX);
        let goes_on = total > first.saturating_add(rows) && usize::from(rows) >= LEAST_ROWS;
        let end = first.saturating_add(rows - u16::from(goes_on)).min(total);
        Shown { first, end, total }
    }

    /// Draws it from this line on, and says where there is more of it.
    pub fn draw(self, model: &Model, look: &Look, scroll: u16, frame: &mut Frame) {
        let first = usize::from(scroll.min(self.overflow().lines));
        let Text { area, lines, down } = self;
        let rows = usize::from(area.height);
        let below = lines.len().saturating_sub(first + rows);
        let (text, foot) = area.split_bottom(u16::from(below > 0 && rows >= LEAST_ROWS));
        put(lines.into_iter().skip(first).take(usize::from(text.height)).collect(), text, frame);
        if foot.height > 0 {
            let key = first_key(model, look, down);
            let more = look.words.count("more-lines", below as u64 + 1, &[("key", &key)]);
            put_right(look.line(Role::Dim, fit(&more, usize::from(area.width))), foot, frame);
        } else if below > 0 {
            sign(look, "↓", area.row(area.height.saturating_sub(1)), frame);
        }
        if first > 0 {
            sign(look, "↑", area.row(0), frame);
        }
    }
}

/// What somebody is to agree to: all of it was on the screen, or it cannot be agreed to.
pub(super) struct Agreed {
    /// What is said, in the rows that are left for it.
    pub text: Text,
    /// Where it is read page by page: the row below, for what comes after the reading.
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

    /// Draws the text from this line on; below its pages stands this, once they were read.
    pub fn draw(
        self,
        model: &Model,
        look: &Look,
        after: Line<'static>,
        scroll: u16,
        frame: &mut Frame,
    ) {
        self.text.draw(model, look, scroll, frame);
        let Some(foot) = self.foot else { return };
        if offers::can_agree(model) {
            return put(vec![after], foot, frame);
        }
        let key = first_key(model, look, Action::PageDown);
        let read_on = look.words.with("agree-read-on", &[("key", &key)]);
        put(vec![look.line(Role::Warn, fit(&read_on, usize::from(foot.width)))], foot, frame);
    }
}

/// A sign in the column at the right of a row, or in its last one at the screen's edge.
fn sign(look: &Look, sign: &str, row: Area, frame: &mut Frame) {
    let edge = frame.area().right().saturating_sub(1);
    let x = row.right().min(edge);
    let width = u16::try_from(columns(sign)).unwrap_or(1);
    put(vec![look.line(Role::Dim, sign.to_owned())], Area { x, width, ..row }, frame);
}
