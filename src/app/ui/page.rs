//! A page: the contents of a frame. It is built completely before anything is drawn.
//!
//! Drawing, scrolling, clicking and the record of lines that the user has read all use the same
//! page. The user therefore clicks and confirms exactly what the frame shows.

use super::picture::Picture;
use super::{Action, Area, Line, Role};
use crate::app::Pane;

/// The contents of one frame.
#[derive(Debug, Clone, Default)]
pub struct Page {
    /// The area of the whole page.
    pub area: Area,
    /// The items to draw, in this order. Later items are drawn over earlier items.
    pub items: Vec<PageItem>,
    /// The column and row of the visible cursor in a field or button. `None` hides the cursor.
    pub cursor: Option<(u16, u16)>,
    /// The column and row of the marked row in the front screen's list.
    pub marked_row: Option<(u16, u16)>,
    /// The clickable areas, each with its target. If areas overlap, the first one gets the click.
    pub targets: Vec<(Area, Target)>,
    /// The visible lines of the front screen's text, and how many lines do not fit.
    pub text: Option<(VisibleLines, Overflow)>,
    /// The index of the first visible line of the text on the front screen.
    pub scroll: u16,
    /// For each line of the front screen's terms, true if this frame or an earlier frame has shown
    /// it.
    pub read: Vec<bool>,
    /// True if the confirming button may be pressed now. Frames must have shown the focus on this
    /// button for long enough.
    pub can_confirm: bool,
    /// True if nothing can be confirmed yet because text was typed.
    pub awaits_quiet: bool,
    /// The row for the key hints. Used only by screens that fill the terminal and have no header or
    /// footer.
    pub keys: Option<Area>,
    /// The rows for the demo's caption. Used only by screens that fill the terminal and have no
    /// header or footer.
    pub caption: Option<Area>,
    /// True while the screen below the front screen is being laid out. That screen does not react
    /// to input.
    pub is_lower_layer: bool,
}

/// An item of a page.
#[derive(Debug, Clone, PartialEq)]
pub enum PageItem {
    /// Lines that are placed at the top of an area and cut at its right edge.
    Lines(Vec<Line>, Area),
    /// A border with a title. The area inside the border is cleared.
    Box(Line, Area),
    /// An area that is cleared.
    Blank(Area),
    /// An area in which everything drawn so far gets the color of an inactive screen.
    Faded(Area),
    Picture(Picture),
}

/// The place of the terminal's cursor in a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CursorPlace {
    /// The column and the row.
    pub cell: (u16, u16),
    pub is_visible: bool,
}

/// The items of the front screen, kept here while the screen below it is laid out.
#[derive(Debug)]
pub struct FrontItems {
    items: Vec<PageItem>,
    cursor: Option<(u16, u16)>,
}

/// The target of a click: a part of the screen that the user can click.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// The name of a pane.
    Tab(Pane),
    /// A row of the list. The number is its position in the whole list.
    Row(u64),
    /// A field of the form. The number is its index.
    Field(usize),
    /// The submit button of the form.
    Submit,
    /// A button of a dialog. The number is its index: 0 is the harmless button, such as "back".
    Button(usize),
    /// A key hint in the footer.
    Hint(Action),
}

impl Page {
    /// Creates an empty page of this size.
    pub fn new(whole: Area) -> Page {
        // The capacity is enough for the rows of a list, so that the vector does not have to grow.
        Page {
            area: whole,
            targets: Vec::with_capacity(40),
            ..Page::default()
        }
    }

    /// Puts lines at the top of an area.
    pub fn put(&mut self, lines: Vec<Line>, area: Area) {
        let marked = (area.y..area.bottom())
            .zip(&lines)
            .find(|(_, line)| line.under == Some(Role::Cursor));
        if let Some((y, _)) = marked.filter(|_| !self.is_lower_layer) {
            self.marked_row = Some((area.x, y));
        }
        self.items.push(PageItem::Lines(lines, area));
    }

    /// Adds a picture to the page, if there is one. Returns true if a picture was added.
    pub fn add_picture(&mut self, picture: Option<Picture>) -> bool {
        let is_added = picture.is_some();
        self.items.extend(picture.map(PageItem::Picture));
        is_added
    }

    pub fn add_click_target(&mut self, area: Area, target: Target) {
        if !self.is_lower_layer {
            self.targets.push((area, target));
        }
    }

    pub fn set_cursor(&mut self, x: u16, y: u16) {
        self.cursor = Some((x, y));
    }

    /// The place of the terminal's cursor. In a list it is hidden, but on the marked row, so that a
    /// screen reader or a Braille display reads that row.
    pub fn cursor_place(&self) -> Option<CursorPlace> {
        let visible = self.cursor.map(|cell| CursorPlace {
            cell,
            is_visible: true,
        });
        visible.or_else(|| {
            Some(CursorPlace {
                cell: self.marked_row?,
                is_visible: false,
            })
        })
    }

    /// The scroll position of the front screen's text. While the screen below it is laid out,
    /// returns 0.
    pub fn scroll(&self) -> u16 {
        if self.is_lower_layer { 0 } else { self.scroll }
    }

    /// Records which lines of the front screen's text are visible in this frame.
    pub fn record_visible_lines(&mut self, shown: VisibleLines, overflow: Overflow) {
        if self.is_lower_layer {
            return;
        }
        self.text = Some((shown, overflow));
        shown.mark_as_shown(&mut self.read);
    }

    /// Removes the items of the front screen from the page and returns them. The screen below it
    /// can then be laid out.
    pub fn begin_lower_layer(&mut self) -> FrontItems {
        self.is_lower_layer = true;
        FrontItems {
            items: std::mem::take(&mut self.items),
            cursor: self.cursor.take(),
        }
    }

    /// Puts the items of the front screen back onto the page, on top of the screen below it.
    pub fn restore_front(&mut self, front: FrontItems) {
        self.is_lower_layer = false;
        self.items.extend(front.items);
        // The cursor belongs into the front screen if a row is marked there.
        self.cursor = front
            .cursor
            .or(self.cursor.filter(|_| self.marked_row.is_none()));
    }

    /// Records whether the user has read the front screen. Used by screens for which the visible
    /// lines alone do not decide this.
    pub fn record_is_read(&mut self, is_read: bool) {
        if !self.is_lower_layer {
            self.read = vec![is_read];
        }
    }

    /// True if all lines of the front screen have been shown. Only then can the user confirm it.
    pub fn is_read(&self) -> bool {
        !self.read.is_empty() && !self.read.contains(&false)
    }

    /// True if at least one line of the front screen has not been shown yet.
    pub fn has_more(&self) -> bool {
        self.read.contains(&false)
    }

    /// True if the focus must stay on the harmless button (such as "back"), because some lines have
    /// not been shown yet.
    pub fn keeps_focus_on_back(&self) -> bool {
        !self.is_lower_layer && self.has_more()
    }
}

/// The visible lines of a text: those from `first` up to, but not including, `end`. The text has
/// `total` lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VisibleLines {
    /// The first visible line.
    pub first: u16,
    /// The number of the line after the last visible line.
    pub end: u16,
    /// The total number of lines of the text.
    pub total: u16,
}

impl VisibleLines {
    /// The value for a text that is completely visible.
    pub const ALL: VisibleLines = VisibleLines {
        first: 0,
        end: 1,
        total: 1,
    };

    /// True if all lines are visible.
    pub fn is_all(self) -> bool {
        self.first == 0 && self.end >= self.total
    }

    /// Sets the entries of the visible lines in `lines` to true, which records that these lines
    /// were shown.
    pub fn mark_as_shown(self, lines: &mut Vec<bool>) {
        if lines.len() != usize::from(self.total) {
            // The number of lines has changed, so the text was laid out again. None of its lines
            // counts as shown.
            *lines = vec![false; usize::from(self.total)];
        }
        let visible = usize::from(self.first)..usize::from(self.end);
        let lines = lines.iter_mut().take(visible.end).skip(visible.start);
        lines.for_each(|line| *line = true);
    }
}

/// How much of the front screen's text does not fit on the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Overflow {
    /// The number of lines that do not fit. 0 means that there is nothing to scroll.
    pub lines: u16,
    /// The number of lines by which a single key press scrolls.
    pub page: u16,
}
