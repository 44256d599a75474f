//! The page: the contents of a frame, laid out before anything is drawn.
//!
//! Drawing, scrolling, clicks and the record of read lines all use the same page. So the user
//! clicks and confirms exactly what the frame shows.

use super::picture::Picture;
use super::{Action, Area, Line};
use crate::app::Pane;

/// The contents of one frame.
#[derive(Debug, Clone, Default)]
pub struct Page {
    /// The area of the whole page.
    pub whole: Area,
    /// The items to draw, in this order. Later items cover earlier items.
    pub items: Vec<PageItem>,
    /// The column and row of the terminal's cursor; `None` hides the cursor.
    pub cursor: Option<(u16, u16)>,
    /// The clickable areas and their meanings. A click uses the first area that contains it.
    pub targets: Vec<(Area, Target)>,
    /// The range of visible lines of the front screen's text, and how many lines do not fit.
    pub text: Option<(Shown, Overflow)>,
    /// The index of the first visible line of the front screen's text.
    pub scroll: u16,
    /// For each line of the front screen's terms, true if this frame or an earlier frame showed the
    /// line.
    pub read: Vec<bool>,
    /// True if frames have shown the focus on the confirming button for long enough that it can be
    /// pressed.
    pub can_confirm: bool,
    /// The row for the key hints, if the screen fills the terminal and has no header and footer.
    pub keys: Option<Area>,
    /// The rows for the demo's caption, if the screen fills the terminal and has no header and
    /// footer.
    pub caption: Option<Area>,
    /// True while the screen below the front screen is being laid out. The lower screen does not
    /// react to input.
    pub is_lower_layer: bool,
}

/// An item of a page.
#[derive(Debug, Clone, PartialEq)]
pub enum PageItem {
    /// Lines at the top of an area, cut at its right edge.
    Lines(Vec<Line>, Area),
    /// A border with a title, on a cleared area.
    Box(Line, Area),
    /// An area that is cleared.
    Blank(Area),
    /// An area that keeps its contents, drawn in the color of an inactive screen.
    Faded(Area),
    Picture(Picture),
}

/// The items of the front screen, saved while the screen below it is laid out.
#[derive(Debug)]
pub struct SetAside {
    items: Vec<PageItem>,
    cursor: Option<(u16, u16)>,
}

/// A clickable part of the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// The name of a pane.
    Tab(Pane),
    /// A row of the list, by its position in the whole list.
    Row(u64),
    /// A field of the form, by the field's index.
    Field(usize),
    /// The submit button of the form.
    Submit,
    /// A button of a dialog, by its index. Index 0 is the harmless button, such as "back".
    Button(usize),
    /// A key hint in the footer.
    Hint(Action),
}

impl Page {
    /// Creates an empty page of this size.
    pub fn new(whole: Area) -> Page {
        // Enough capacity for the rows of a list, so that the vector does not grow.
        Page { whole, targets: Vec::with_capacity(40), ..Page::default() }
    }

    /// Puts lines at the top of an area.
    pub fn put(&mut self, lines: Vec<Line>, area: Area) {
        self.items.push(PageItem::Lines(lines, area));
    }

    /// Adds a picture if it is `Some`. Returns true if a picture was added.
    pub fn picture(&mut self, picture: Option<Picture>) -> bool {
        let has_room = picture.is_some();
        self.items.extend(picture.map(PageItem::Picture));
        has_room
    }

    pub fn target(&mut self, area: Area, target: Target) {
        if !self.is_lower_layer {
            self.targets.push((area, target));
        }
    }

    pub fn set_cursor(&mut self, x: u16, y: u16) {
        self.cursor = Some((x, y));
    }

    /// Returns the scroll position of the text. It is 0 while the screen below the front screen is
    /// laid out.
    pub fn scroll(&self) -> u16 {
        if self.is_lower_layer { 0 } else { self.scroll }
    }

    /// Records which lines of the front screen's text are visible.
    pub fn shows(&mut self, shown: Shown, overflow: Overflow) {
        if self.is_lower_layer {
            return;
        }
        self.text = Some((shown, overflow));
        shown.mark(&mut self.read);
    }

    /// Sets the items of the front screen aside, so that the screen below it can be laid out.
    pub fn begin_lower_layer(&mut self) -> SetAside {
        self.is_lower_layer = true;
        SetAside { items: std::mem::take(&mut self.items), cursor: self.cursor.take() }
    }

    /// Adds the items of the front screen again, on top of the screen below it.
    pub fn restore_front(&mut self, front: SetAside) {
        self.is_lower_layer = false;
        self.items.extend(front.items);
        self.cursor = front.cursor.or(self.cursor);
    }

    /// Records whether the user has read the front screen, for screens where this depends on more
    /// than the visible lines.
    pub fn reads(&mut self, is_read: bool) {
        if !self.is_lower_layer {
            self.read = vec![is_read];
        }
    }

    /// Returns true if every line of the front screen was shown, so that the user can confirm it.
    pub fn is_read(&self) -> bool {
        !self.read.is_empty() && !self.read.contains(&false)
    }

    /// Returns true if some line of the front screen has not been shown yet.
    pub fn has_more(&self) -> bool {
        self.read.contains(&false)
    }

    /// Returns true if the focus must stay on the harmless button, because the user has not seen
    /// all lines.
    pub fn keeps_focus_on_back(&self) -> bool {
        !self.is_lower_layer && self.has_more()
    }
}

/// The visible part of a text: the lines from `first` up to but excluding `end`, of `total`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shown {
    /// The first visible line.
    pub first: u16,
    /// The line after the last visible line.
    pub end: u16,
    /// The number of lines of the text.
    pub total: u16,
}

impl Shown {
    /// A text that is completely visible.
    pub const ALL: Shown = Shown { first: 0, end: 1, total: 1 };

    /// Returns true if all lines are visible.
    pub fn is_all(self) -> bool {
        self.first == 0 && self.end >= self.total
    }

    /// Marks the visible lines as shown, by setting their entries in `lines` to true.
    pub fn mark(self, lines: &mut Vec<bool>) {
        if lines.len() != usize::from(self.total) {
            // The number of lines has changed, so the text was laid out again: no line counts as
            // shown.
            *lines = vec![false; usize::from(self.total)];
        }
        let shown = usize::from(self.first)..usize::from(self.end);
        let lines = lines.iter_mut().take(shown.end).skip(shown.start);
        lines.for_each(|line| *line = true);
    }
}

/// The part of the front screen's text that does not fit on the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Overflow {
    /// The number of lines that do not fit; 0 if there is nothing to scroll.
    pub lines: u16,
    /// The number of lines that one key press scrolls.
    pub page: u16,
}
