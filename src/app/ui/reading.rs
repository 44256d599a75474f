//! The part of a text that is on the screen.

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
