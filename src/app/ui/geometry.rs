//! The areas of the screen, as a pure function of the model and the size.
//!
//! The view draws into these areas, paging counts their rows, and a click is looked up in them; so
//! what a person clicks is what a person sees.

use crate::app::Pane;
use crate::app::ui::Area;
use crate::app::ui::input::Size;

/// The smallest terminal the app can be worked in.
pub const LEAST: Size = Size { columns: 60, rows: 18 };

/// From this width on a text has room for something at its right.
const WIDE: u16 = 100;

/// The columns that details need: an id and its label, and at most an address in one line.
const LEAST_ASIDE: u16 = 46;

/// The columns that they take at most; what is no wider has narrow margins.
pub const MOST_ASIDE: u16 = 60;

/// The columns in which a list has each of its columns of 80, if narrower.
const LIST: u16 = 73;

/// The columns that stand at least behind the name of a pane.
const LEAST_GAP: u16 = 2;

/// The columns that stand at most behind it.
const MOST_GAP: u16 = 3;

/// The parts of the screen that are always there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Areas {
    /// The first line: whose counter this is.
    pub header: Area,
    /// The names of the panes.
    pub tabs: Area,
    /// The line under them, or the rows of a caption in its place.
    pub rule: Area,
    /// The banner while a withdrawal is open, or while none may leave; empty otherwise.
    pub banner: Area,
    /// The pane, or the layer over it.
    pub body: Area,
    /// The notice of the last thing that was done.
    pub notice: Area,
    /// The keys.
    pub footer: Area,
}

/// The parts of a pane with a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PaneAreas {
    /// Above the list: the search field and the count, or what the list is.
    pub top: Area,
    /// The list.
    pub list: Area,
    /// Below the list, where a pane says more of the row under the cursor; may be empty.
    pub below: Area,
    /// Beside the list, in a wide terminal: the details of the row under the cursor.
    pub aside: Option<Area>,
}

/// The areas at this size, below a caption of so many rows; `None` when it is too small to work in.
pub fn areas(has_banner: bool, caption: usize, size: Size) -> Option<Areas> {
    if size.columns < LEAST.columns || size.rows < LEAST.rows {
        return None;
    }
    let all = Area { x: 0, y: 0, width: size.columns, height: size.rows };
    let (header, rest) = all.split_top(1);
    let (tabs, rest) = rest.split_top(1);
    let (rule, rest) = rest.split_top(u16::try_from(caption).unwrap_or(1).max(1));
    let (banner, rest) = rest.split_top(match has_banner {
        false => 0,
        // What it says must be read to its end.
        true if size.columns < 80 => 2,
        true => 1,
    });
    let (rest, footer) = rest.split_bottom(1);
    let (body, notice) = rest.split_bottom(1);
    Some(Areas { header, tabs, rule, banner, body, notice, footer })
}

/// Returns true when names so wide stand apart in this area.
pub fn tabs_fit(area: Area, names: [usize; Pane::ALL.len()]) -> bool {
    let gaps = usize::from(LEAST_GAP) * names.len();
    names.iter().sum::<usize>() + gaps < usize::from(area.width)
}

/// The area of each pane's name: as wide as the name, or all the same where that is too wide.
pub fn tabs(area: Area, names: [usize; Pane::ALL.len()]) -> [Area; Pane::ALL.len()] {
    let (all, panes) = (area.split_left(1).1, Pane::ALL.len() as u16);
    let wide = names.map(|name| u16::try_from(name).unwrap_or(u16::MAX));
    let taken = wide.iter().fold(0, |sum: u16, name| sum.saturating_add(*name));
    // The names stand apart, and not so far that the row falls into pieces.
    let gap = all.width.saturating_sub(taken) / panes;
    let mut rest = all;
    wide.map(|name| {
        let columns = if gap < LEAST_GAP { all.width / panes } else { name + gap.min(MOST_GAP) };
        let tab;
        (tab, rest) = rest.split_left(columns);
        tab
    })
}

/// The parts of a pane with a list: rows above it, details beside it where there is room for them,
/// else rows below it.
pub fn pane(body: Area, top: u16, below: impl Fn(u16) -> u16) -> PaneAreas {
    let (top, rest) = body.split_top(top);
    if let Some(aside) = beside(rest) {
        let list = rest.without_right(aside.width + 1);
        return PaneAreas { top, list, below: list.split_bottom(0).1, aside: Some(aside) };
    }
    let (list, below) = rest.split_bottom(below(rest.height));
    PaneAreas { top, list, below, aside: None }
}

/// The parts of a pane whose list takes all the rows below its first.
pub fn list_pane(body: Area) -> PaneAreas {
    pane(body, 1, |_| 0)
}

/// The part beside a list for the details of a row, behind an empty column, where the list keeps
/// all of its columns.
fn beside(rest: Area) -> Option<Area> {
    let aside = rest.width.checked_sub(LIST + 1).filter(|left| *left >= LEAST_ASIDE)?;
    Some(rest.split_left(rest.width - aside.min(MOST_ASIDE)).1)
}

/// The part of the body in which the details of a row stand beside their list, where that has room.
pub fn details(body: Area) -> Option<Area> {
    // The first row of every list that has details is above both.
    beside(body.split_top(1).1)
}

/// The part of the body for a text and, at its right, what is as wide as details: all of it, in a
/// wide terminal.
pub fn wide(body: Area) -> Option<Area> {
    let both = body.readable().width.saturating_add(1 + MOST_ASIDE);
    (body.width >= WIDE).then(|| body.middle(both, body.height))
}

/// The first of `count` lines shown in `height` rows when line `at` is kept in the middle.
pub fn scrolled(at: usize, count: usize, height: usize) -> usize {
    at.saturating_sub(height / 2).min(count.saturating_sub(height))
}

/// The row of the buttons under a text: an empty row below its end, or the last row there is.
pub fn buttons(inside: Area, end: u16) -> Area {
    let below = end.saturating_sub(inside.y).saturating_add(1);
    inside.row(below.min(inside.height.saturating_sub(1)))
}

/// The box in the middle of the body for so many rows of text with buttons below them.
pub fn question(body: Area, width: u16, lines: usize) -> Area {
    // Two rows of border, the row of the buttons and the one above it.
    let rows = u16::try_from(lines.saturating_add(4)).unwrap_or(u16::MAX);
    body.middle(width, rows)
}

/// The inside of a box.
pub fn inside(boxed: Area) -> Area {
    boxed.narrowed(2).lowered(1)
}

/// The box of the palette: as wide as its words want, with what is behind it in sight beside it.
pub fn palette(body: Area) -> Area {
    body.middle(body.width.saturating_sub(4).clamp(64, 88), 19)
}
