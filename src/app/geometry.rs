//! Where things stand on the screen, as a pure function of the model and the size.
//!
//! The view draws into these areas, paging counts their rows, and a click is looked up in them; so
//! what a person clicks is what a person sees.

use super::input::Size;
use super::screen::Question;
use super::ui::Area;
use super::{Pane, Store};

/// The smallest terminal the app can be worked in.
pub const LEAST: Size = Size { columns: 46, rows: 14 };

/// From this width on the details stand beside the list.
pub const WIDE: u16 = 110;

/// Columns of each tab, wide enough for its name in every language.
const TABS: [u16; 6] = [11, 13, 15, 13, 15, 11];

/// The parts of the screen that are always there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Areas {
    /// The first line: whose counter this is.
    pub header: Area,
    /// The names of the panes.
    pub tabs: Area,
    /// The line under them.
    pub rule: Area,
    /// What is said while a withdrawal is open, or while none may leave; empty otherwise.
    pub banner: Area,
    /// The pane, or the layer over it.
    pub body: Area,
    /// What was just done.
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

/// The areas at this size; `None` when it is too small to work in.
pub fn areas(store: &Store, size: Size) -> Option<Areas> {
    if size.columns < LEAST.columns || size.rows < LEAST.rows {
        return None;
    }
    let all = Area { x: 0, y: 0, width: size.columns, height: size.rows };
    let (header, rest) = all.split_top(1);
    let (tabs, rest) = rest.split_top(1);
    let (rule, rest) = rest.split_top(1);
    let quiet = store.withdrawals.open.is_empty() && store.withdrawals.trouble.is_none();
    let (banner, rest) = rest.split_top(match quiet {
        true => 0,
        // What it says must be read to its end.
        false if size.columns < 80 => 2,
        false => 1,
    });
    let (rest, footer) = rest.split_bottom(1);
    let (body, notice) = rest.split_bottom(1);
    Some(Areas { header, tabs, rule, banner, body, notice, footer })
}

/// Where each pane's name stands.
pub fn tabs(area: Area) -> [(Pane, Area); 6] {
    let wide = TABS.iter().sum::<u16>() < area.width;
    let mut rest = area.split_left(1).1;
    Pane::ALL.map(|pane| {
        let columns = if wide { TABS[pane as usize] } else { (area.width - 1) / 6 };
        let (tab, right) = rest.split_left(columns);
        rest = right;
        (pane, tab)
    })
}

/// The parts of a pane with a list: rows above it, details beside it where there is room for them,
/// else rows below it.
pub fn pane(body: Area, top: u16, has_aside: bool, below: impl Fn(u16) -> u16) -> PaneAreas {
    let (top, rest) = body.split_top(top);
    if has_aside && body.width >= WIDE {
        let (list, aside) = rest.split_left(body.width * 3 / 5);
        let aside = aside.split_left(2).1;
        return PaneAreas { top, list, below: list.split_bottom(0).1, aside: Some(aside) };
    }
    let (list, below) = rest.split_bottom(below(rest.height));
    PaneAreas { top, list, below, aside: None }
}

/// The first of `count` lines shown in `height` rows when line `at` is kept in the middle.
pub fn scrolled(at: usize, count: usize, height: usize) -> usize {
    at.saturating_sub(height / 2).min(count.saturating_sub(height))
}

/// The box of a question.
pub fn dialog(question: &Question, body: Area) -> Area {
    let rows = match question {
        Question::CopyOdd { oddities, .. } | Question::PassOdd { oddities, .. } => {
            11 + u16::try_from(oddities.len()).unwrap_or(5)
        }
        Question::Discard(_) | Question::Found(_) => 11,
        _ => 8,
    };
    // A narrow box needs more rows for the same words.
    let more = if body.width < 66 { 4 } else { 0 };
    body.middle(66, rows + more)
}

/// The box of the statement that a withdrawal was not paid.
pub fn statement(body: Area) -> Area {
    // A narrow box needs more rows for the same words.
    body.middle(70, if body.width < 70 { 21 } else { 15 })
}

/// The row of a box's or a review's buttons.
pub fn buttons(inside: Area) -> Area {
    inside.split_bottom(1).1
}

/// The inside of a box.
pub fn inside(boxed: Area) -> Area {
    boxed.narrowed(2).lowered(1)
}

/// The box of the palette.
pub fn palette(body: Area) -> Area {
    body.middle(64, 19)
}
