//! Lines of text, each piece with what it is for; a theme says what that looks like.

use compact_str::CompactString;
use serde::Deserialize;

use super::text::{columns, without_last_word};

/// The purpose of a piece of text; the theme gives each its look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "a role is its name, or says more")]
pub enum Role {
    Text,
    /// Text that may be overlooked.
    Dim,
    /// Text that must not be overlooked.
    Strong,
    /// The name of a screen.
    Title,
    Money,
    Good,
    /// Take care.
    Warn,
    Bad,
    /// The cursor bar, a link.
    Accent,
    Cursor,
    /// The badge of the sandbox.
    Badge,
    /// The mark of an account whose money is real.
    Live,
    /// The line that says that a withdrawal is open.
    Banner,
    /// The same line, where a reply contradicts what was sent.
    Alarm,
    /// The bar of the demo's story.
    Caption,
    Key,
    /// The words of others.
    Quote,
    /// The name of the pane in front.
    Tab,
    Field,
    /// The field or the button with the focus.
    Focus,
    /// The lines around a box and between two things.
    Rule,
}

/// A piece of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    /// The text. A short one has no memory of its own: a page has a hundred of them.
    pub text: CompactString,
    /// Its role; `None` is the terminal's own look.
    pub role: Option<Role>,
    /// The role laid over that one, such as the cursor's row.
    pub over: Option<Role>,
}

/// A line.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Line {
    /// Its pieces, from the left.
    pub spans: Vec<Span>,
    /// The role whose ground lies under all of them.
    pub under: Option<Role>,
}

impl Span {
    /// A piece of text for this.
    pub fn of(role: Role, text: impl Into<CompactString>) -> Span {
        Span { text: text.into(), role: Some(role), over: None }
    }

    /// A piece of text that no theme changes, such as an indent.
    pub fn plain(text: impl Into<CompactString>) -> Span {
        Span { text: text.into(), role: None, over: None }
    }

    /// Returns the number of columns it takes.
    pub fn width(&self) -> usize {
        columns(&self.text)
    }
}

impl Line {
    /// A whole line for one thing.
    pub fn of(role: Role, text: impl Into<CompactString>) -> Line {
        Span::of(role, text).into()
    }

    /// Returns the number of columns it takes.
    pub fn width(&self) -> usize {
        self.spans.iter().map(Span::width).sum()
    }

    /// Adds a piece at its end.
    pub fn push(&mut self, span: Span) {
        self.spans.push(span);
    }

    /// Ends it with the sign that more comes after it, in at most so many columns: words and
    /// figures that have no room beside it go as a whole.
    pub fn goes_on(&mut self, width: usize) {
        const MORE: &str = " …";
        if self.spans.last().is_some_and(|last| last.text == MORE) {
            return;
        }
        while self.width() + columns(MORE) > width
            && let Some(last) = self.spans.last_mut()
        {
            let before = without_last_word(&last.text).map(str::len);
            match before.or(last.text.len().checked_sub(1)) {
                Some(end) => last.text.truncate(last.text.floor_char_boundary(end)),
                None => drop(self.spans.pop()),
            }
        }
        self.push(Span::of(Role::Dim, MORE));
    }

    /// The same behind an indent.
    pub fn indented(mut self, by: usize) -> Line {
        self.spans.insert(0, Span::plain(" ".repeat(by)));
        self
    }
}

/// The text alone.
impl std::fmt::Display for Line {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.spans.iter().try_for_each(|span| f.write_str(&span.text))
    }
}

impl From<Span> for Line {
    fn from(span: Span) -> Line {
        Line { spans: vec![span], under: None }
    }
}

impl From<Vec<Span>> for Line {
    fn from(spans: Vec<Span>) -> Line {
        Line { spans, under: None }
    }
}
