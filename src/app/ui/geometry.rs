//! Computes the positions of all parts of the screen. They depend only on the app's state and the
//! terminal size.
//!
//! Drawing, scrolling and clicking all use these areas, so a click always hits what the user sees.

use crate::app::Pane;
use crate::app::ui::Area;
use crate::app::ui::area::MEASURE;
use crate::app::ui::input::Size;

/// The minimum terminal size. In a smaller terminal, the program shows only a request to enlarge
/// it.
pub const MIN_SIZE: Size = Size {
    columns: 60,
    rows: 18,
};

/// The screen width from which the banner has its whole text in one row.
pub const FULL_WIDTH: u16 = 80;

/// The minimum screen width at which details are shown to the right of a text.
const MIN_WIDTH_WITH_DETAILS: u16 = 100;

/// The minimum width of the details beside a list. Most addresses fit into this width, and so does
/// a label with an id.
const MIN_DETAILS_WIDTH: u16 = 46;

/// The maximum width of the details beside a list. Details that are not wider have narrow margins.
pub const MAX_DETAILS_WIDTH: u16 = 60;

/// The width of a list with details beside it, enough for all columns of an 80-column terminal.
const LIST_WIDTH: u16 = 73;

/// The minimum size of a terminal that shows a panel beside a text or a form.
const MIN_SIZE_WITH_PANEL: Size = Size {
    columns: 120,
    rows: 40,
};

/// The minimum width of a panel. The text beside it is then as wide as in an 80-column terminal.
const MIN_PANEL_WIDTH: u16 = 37;

/// The minimum number of empty columns between two names in the row of pane names.
const MIN_GAP: u16 = 2;

/// The maximum number of empty columns between two names in the row of pane names.
const MAX_GAP: u16 = 3;

/// The areas that every screen has, such as the header and the footer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Areas {
    /// The first row of the screen. It shows the account.
    pub header: Area,
    /// The row with the names of the panes.
    pub tabs: Area,
    /// The separator line below the row of pane names. In the demo, a caption can take its place.
    pub rule: Area,
    /// The banner. It is shown while a withdrawal is open (its outcome is unknown) and while no
    /// withdrawal can be sent. Otherwise this area is empty.
    pub banner: Area,
    /// The area for the current pane, or for the screen above it.
    pub body: Area,
    /// The rows for the notice (a short message about the previous action).
    pub notice: Area,
    /// The row with the key hints, at the bottom of the screen.
    pub footer: Area,
}

/// The areas of a pane that shows a list, with or without details.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PaneAreas {
    /// The area above the list. It shows the search field and the number of rows, or a heading.
    pub top: Area,
    pub list: Area,
    /// The area below the list, for details of the row under the cursor. It may be empty.
    pub below: Area,
    /// The area beside the list, for details of the row under the cursor. `None` if the terminal is
    /// not wide enough.
    pub aside: Option<Area>,
}

/// The banner above the body, which decides its number of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Banner {
    None,
    /// The banner names the key of the page that explains it.
    Full,
    /// The page that explains the banner is in front, so the banner has less text.
    Short,
}

impl PaneAreas {
    /// The area of a text that is shown in place of the list and its details.
    pub fn empty_list(&self) -> Area {
        let width = self.top.width;
        let area = Area { width, ..self.list };
        area.text().readable().split_top(1).1
    }
}

/// The areas of a screen of this size, or `None` if the terminal is too small. `caption` and
/// `notice` are the numbers of rows for the demo's caption and for the notice.
pub fn areas(banner: Banner, caption: usize, notice: u16, size: Size) -> Option<Areas> {
    if size.columns < MIN_SIZE.columns || size.rows < MIN_SIZE.rows {
        return None;
    }
    let screen = Area {
        x: 0,
        y: 0,
        width: size.columns,
        height: size.rows,
    };
    let (header, rest) = screen.split_top(1);
    let (tabs, rest) = rest.split_top(1);
    let (rule, rest) = rest.split_top(u16::try_from(caption).unwrap_or(1).max(1));
    let (banner, rest) = rest.split_top(match banner {
        Banner::None => 0,
        // In a narrow terminal, the banner needs two rows to show all of its text.
        Banner::Full if size.columns < FULL_WIDTH => 2,
        Banner::Full | Banner::Short => 1,
    });
    let (rest, footer) = rest.split_bottom(1);
    let (body, notice) = rest.split_bottom(notice.max(1));
    Some(Areas {
        header,
        tabs,
        rule,
        banner,
        body,
        notice,
        footer,
    })
}

/// True if pane names of these widths fit into the area, with gaps between them.
pub fn tabs_fit(area: Area, names: [usize; Pane::ALL.len()]) -> bool {
    let gaps = usize::from(MIN_GAP) * names.len();
    names.iter().sum::<usize>() + gaps < usize::from(area.width)
}

/// The area of each pane's name. Each area is as wide as the name plus a gap. If the names do not
/// fit this way, all areas are equally wide.
pub fn tabs(area: Area, names: [usize; Pane::ALL.len()]) -> [Area; Pane::ALL.len()] {
    let row = area.split_left(1).1;
    let panes = Pane::ALL.len() as u16;
    let widths = names.map(|name| u16::try_from(name).unwrap_or(u16::MAX));
    let names_width = widths
        .iter()
        .fold(0, |sum: u16, name| sum.saturating_add(*name));
    // Limit the gaps, so that the names are close together even in a wide terminal.
    let gap = row.width.saturating_sub(names_width) / panes;
    let mut rest = row;
    widths.map(|name| {
        let columns = if gap < MIN_GAP {
            row.width / panes
        } else {
            name + gap.min(MAX_GAP)
        };
        let tab;
        (tab, rest) = rest.split_left(columns);
        tab
    })
}

/// The areas of a pane with a list and `top` rows above the list. Details are placed beside the
/// list if there is room for them. Otherwise they are placed below the list, and `below` computes
/// their number of rows.
pub fn pane(body: Area, top: u16, below: impl Fn(u16) -> u16) -> PaneAreas {
    let (top, rest) = body.split_top(top);
    if let Some(aside) = details_area(rest) {
        let list = rest.without_right(aside.width + 1);
        return PaneAreas {
            top,
            list,
            below: list.split_bottom(0).1,
            aside: Some(aside),
        };
    }
    let (list, below) = rest.split_bottom(below(rest.height));
    PaneAreas {
        top,
        list,
        below,
        aside: None,
    }
}

/// The areas of a pane with one row above its list, and no details below the list.
pub fn list_pane(body: Area) -> PaneAreas {
    pane(body, 1, |_| 0)
}

/// The area for details beside a list, or `None` if the list would become too narrow. There is an
/// empty column between the list and the details.
fn details_area(rest: Area) -> Option<Area> {
    let aside = rest
        .width
        .checked_sub(LIST_WIDTH + 1)
        .filter(|width_left| *width_left >= MIN_DETAILS_WIDTH)?;
    Some(rest.split_left(rest.width - aside.min(MAX_DETAILS_WIDTH)).1)
}

/// The area for details beside a list, or `None` if there is no room for them.
pub fn details(body: Area) -> Option<Area> {
    // In every pane with details, there is one row above the list and the details.
    details_area(body.split_top(1).1)
}

/// Divides the room for a text between the text and a panel beside it, with a column for a rule
/// between them. There is no panel if the terminal is too small or if the text is beside a list.
pub fn with_panel(text: Area, screen: Size) -> (Area, Option<Area>) {
    let has_room = screen.columns >= MIN_SIZE_WITH_PANEL.columns
        && screen.rows >= MIN_SIZE_WITH_PANEL.rows
        && text.width >= MEASURE;
    if !has_room {
        return (text, None);
    }
    let width = screen.columns.saturating_sub(text.x);
    let (text, rest) =
        Area { width, ..text }.split_left(MEASURE.min(width.saturating_sub(MIN_PANEL_WIDTH + 1)));
    let (panel, _) = rest.split_left(1).1.split_left(MAX_DETAILS_WIDTH);
    (text, Some(panel))
}

/// The area for a text with details to its right, or `None` if the terminal is too narrow.
pub fn area_with_details(body: Area) -> Option<Area> {
    let total_width = body.readable().width.saturating_add(1 + MAX_DETAILS_WIDTH);
    (body.width >= MIN_WIDTH_WITH_DETAILS).then(|| body.split_left(total_width).0)
}

/// The first line to show so that line `at` is near the middle. There are `count` lines, and
/// `height` rows to show them.
pub fn first_visible_line(at: usize, count: usize, height: usize) -> usize {
    at.saturating_sub(height / 2)
        .min(count.saturating_sub(height))
}

/// The row for the buttons below a text that ends at row `end`. There is an empty row between the
/// text and the buttons. If there is no room, returns the last row of the area.
pub fn buttons(inside: Area, end: u16) -> Area {
    let row = end.saturating_sub(inside.y).saturating_add(1);
    inside.row(row.min(inside.height.saturating_sub(1)))
}

/// The area of a dialog that has `lines` lines of text and a row of buttons.
pub fn dialog_area(body: Area, width: u16, lines: usize) -> Area {
    // The dialog needs four more rows than its text: two rows of border, the row of buttons, and an
    // empty row above the buttons.
    let rows = u16::try_from(lines.saturating_add(4)).unwrap_or(u16::MAX);
    body.middle(width, rows)
}

/// The area inside a box, without its border and margins.
pub fn inside(boxed: Area) -> Area {
    boxed.narrowed(2).inset_rows(1)
}

/// The area of the command palette. The columns beside it stay free, so that part of the screen
/// behind it remains visible.
pub fn palette(body: Area) -> Area {
    body.middle(body.width.saturating_sub(4).clamp(64, 88), 19)
}
