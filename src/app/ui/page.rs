//! The page: what a frame shows, laid out once, before anything is painted.
//!
//! Painting, paging, clicks and what counts as read all follow from this one value, so what a
//! person clicks or agrees to is what a person sees.

use super::picture::Picture;
use super::{Action, Area, Line};
use crate::app::Pane;

/// One frame, laid out and not yet painted.
#[derive(Debug, Clone, Default)]
pub struct Page {
    /// All of it; what comes later lies over what came before.
    pub whole: Area,
    /// The lines and pictures that are painted, in this order.
    pub items: Vec<PageItem>,
    /// The cell of the terminal's cursor; `None` hides it.
    pub cursor: Option<(u16, u16)>,
    /// The places that can be clicked, the first that fits first, and what each means.
    pub targets: Vec<(Area, Target)>,
    /// The text in front: which of its lines are here, and what has no room.
    pub text: Option<(Shown, Overflow)>,
    /// The first line shown of the text in front.
    pub scroll: u16,
    /// For each line of the terms in front, true when some frame had it, this one included.
    pub read: Vec<bool>,
    /// True when the agreeing button has had the focus for long enough, in sight.
    pub may_press: bool,
    /// The row for the keys, on a screen that has nothing else around it.
    pub keys: Option<Area>,
    /// The rows for the story's caption, on such a screen.
    pub caption: Option<Area>,
    /// True while something is laid out that lies under another screen, and is only looked at.
    pub is_behind: bool,
}

/// One thing on a page.
#[derive(Debug, Clone, PartialEq)]
pub enum PageItem {
    /// Lines from the top of an area, each cut at its right end.
    Lines(Vec<Line>, Area),
    /// A border with a title, over whatever was there.
    Box(Line, Area),
    /// Nothing, over whatever was there.
    Blank(Area),
    /// Whatever was there, in the colour of what is not looked at now.
    Faded(Area),
    /// A picture.
    Picture(Picture),
}

/// The items in front, kept aside while those under them are laid out.
#[derive(Debug)]
pub struct SetAside {
    items: Vec<PageItem>,
    cursor: Option<(u16, u16)>,
}

/// The meaning of a click.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// The name of a pane.
    Tab(Pane),
    /// A row of the list, counted in the whole list.
    Row(u64),
    /// A field of the form.
    Field(usize),
    /// The form's submitting button.
    Submit,
    /// A button of a question: 0 is the harmless one.
    Button(usize),
    /// A hint of the footer: what its key does.
    Hint(Action),
}

impl Page {
    /// An empty page of this size.
    pub fn new(whole: Area) -> Page {
        // With room for what a list can be clicked on, so that it is not moved while it grows.
        Page { whole, targets: Vec::with_capacity(40), ..Page::default() }
    }

    /// Puts lines into an area, from its top.
    pub fn put(&mut self, lines: Vec<Line>, area: Area) {
        self.items.push(PageItem::Lines(lines, area));
    }

    /// Puts a picture at its place; false where it has none.
    pub fn picture(&mut self, picture: Option<Picture>) -> bool {
        let has_room = picture.is_some();
        self.items.extend(picture.map(PageItem::Picture));
        has_room
    }

    /// Makes a place mean something when it is clicked.
    pub fn target(&mut self, area: Area, target: Target) {
        if !self.is_behind {
            self.targets.push((area, target));
        }
    }

    /// Puts the terminal's cursor on a cell.
    pub fn set_cursor(&mut self, x: u16, y: u16) {
        self.cursor = Some((x, y));
    }

    /// Returns the scroll of the text that is laid out now; one behind is seen from its beginning.
    pub fn scroll(&self) -> u16 {
        if self.is_behind { 0 } else { self.scroll }
    }

    /// Notes which lines of the text in front are on the screen.
    pub fn shows(&mut self, shown: Shown, overflow: Overflow) {
        if self.is_behind {
            return;
        }
        self.text = Some((shown, overflow));
        shown.mark(&mut self.read);
    }

    /// Sets aside what is in front, so that what is under it is laid out as it lies there.
    pub fn step_behind(&mut self) -> SetAside {
        self.is_behind = true;
        SetAside { items: std::mem::take(&mut self.items), cursor: self.cursor.take() }
    }

    /// Lays what is in front over what is under it.
    pub fn step_before(&mut self, front: SetAside) {
        self.is_behind = false;
        self.items.extend(front.items);
        self.cursor = front.cursor.or(self.cursor);
    }

    /// Notes whether all of what is in front was read, where more than its lines decides that.
    pub fn reads(&mut self, is_read: bool) {
        if !self.is_behind {
            self.read = vec![is_read];
        }
    }

    /// Returns true when the screen in front can be agreed to: each of its lines was on the screen.
    pub fn is_read(&self) -> bool {
        !self.read.is_empty() && !self.read.contains(&false)
    }

    /// Returns true when a part of the screen in front was in no frame yet.
    pub fn has_more(&self) -> bool {
        self.read.contains(&false)
    }

    /// Returns true when the focus is kept on the harmless button, as there is more to read.
    pub fn holds_back(&self) -> bool {
        !self.is_behind && self.has_more()
    }
}

/// The part of a text that is on the screen: the lines from `first` to before `end`, of `total`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shown {
    /// The first line that is.
    pub first: u16,
    /// The line behind the last one that is.
    pub end: u16,
    /// The number of lines there are.
    pub total: u16,
}

impl Shown {
    /// A text that is on the screen as a whole.
    pub const ALL: Shown = Shown { first: 0, end: 1, total: 1 };

    /// Returns true when all of it is there at once.
    pub fn is_all(self) -> bool {
        self.first == 0 && self.end >= self.total
    }

    /// Marks these lines among those that some frame had.
    pub fn mark(self, lines: &mut Vec<bool>) {
        if lines.len() != usize::from(self.total) {
            // Laid out anew: no line is where it was.
            *lines = vec![false; usize::from(self.total)];
        }
        let shown = usize::from(self.first)..usize::from(self.end);
        let lines = lines.iter_mut().take(shown.end).skip(shown.start);
        lines.for_each(|line| *line = true);
    }
}

/// The part of the text in front that has no room on the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Overflow {
    /// The number of lines without room; where all have room there is nothing to scroll.
    pub lines: u16,
    /// The number of lines that are shown at once.
    pub page: u16,
}
