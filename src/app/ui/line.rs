//! Styled lines of text. Each piece of a line has a role, such as `Title`, and the theme defines
//! the style of each role.

use std::sync::Arc;

use compact_str::CompactString;
use serde::Deserialize;

use super::text::{columns, without_last_word};

/// The role of a piece of text, such as a title or a key name. The theme defines the style of each
/// role.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    Text,
    /// Text of low importance.
    Dim,
    /// Text of high importance.
    Strong,
    /// The title of a screen.
    Title,
    Money,
    Good,
    /// A warning.
    Warn,
    Bad,
    /// The cursor bar in a list, or a URL.
    Accent,
    Cursor,
    /// The badge "sandbox".
    Badge,
    /// The header badge of a live account, which has real money.
    Live,
    /// The banner that is shown while a withdrawal is open (its outcome is unknown).
    Banner,
    /// The banner that is shown while a service response contradicts what was sent.
    Alarm,
    /// The bar with the caption of the demo's story.
    Caption,
    Key,
    /// A quotation of text from outside the program.
    Quote,
    /// The name of the current pane in the row of pane names.
    Tab,
    /// Found text, or the text of a search.
    Field,
    /// The ground of an input field.
    Input,
    /// The ground of the input field with the focus.
    InputFocus,
    /// The button with the focus, or a value that typing replaces.
    Focus,
    /// Borders of boxes and separator lines.
    Rule,
}

/// A piece of a line, in a single style.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Span {
    /// The text. A short text is stored without an allocation, because a page has about a hundred
    /// pieces.
    pub text: CompactString,
    /// The role that determines the style. `None` is the terminal's default style.
    pub role: Option<Role>,
    /// A second role. Its style is applied on top of the style of `role`, for example in the row
    /// under the cursor.
    pub over: Option<Role>,
    /// The address that the terminal opens when the text is clicked.
    pub link: Option<Arc<str>>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Line {
    /// The pieces of text in the line, from left to right.
    pub spans: Vec<Span>,
    /// The role whose background color fills the whole line.
    pub under: Option<Role>,
}

impl Span {
    pub fn of(role: Role, text: impl Into<CompactString>) -> Span {
        Span {
            text: text.into(),
            role: Some(role),
            ..Span::default()
        }
    }

    /// Creates a piece of text without a style, such as an indent.
    pub fn plain(text: impl Into<CompactString>) -> Span {
        Span {
            text: text.into(),
            ..Span::default()
        }
    }

    /// The width of the text in terminal columns.
    pub fn width(&self) -> usize {
        columns(&self.text)
    }
}

impl Line {
    pub fn of(role: Role, text: impl Into<CompactString>) -> Line {
        Span::of(role, text).into()
    }

    pub fn width(&self) -> usize {
        self.spans.iter().map(Span::width).sum()
    }

    pub fn push(&mut self, span: Span) {
        self.spans.push(span);
    }

    /// Appends `…` to show that more text follows. If the line then exceeds `width` columns, whole
    /// words and figures are removed from its end.
    pub fn end_with_ellipsis(&mut self, width: usize) {
        const MORE: &str = " …";
        if self.spans.last().is_some_and(|last| last.text == MORE) {
            return;
        }
        while self.width() + columns(MORE) > width
            && let Some(last) = self.spans.last_mut()
        {
            let shorter_len = without_last_word(&last.text).map(str::len);
            match shorter_len.or(last.text.len().checked_sub(1)) {
                Some(end) => last.text.truncate(last.text.floor_char_boundary(end)),
                None => drop(self.spans.pop()),
            }
        }
        self.push(Span::of(Role::Dim, MORE));
    }

    /// Applies the style of this role to the whole line, on top of the styles of its pieces.
    pub fn in_role(mut self, role: Role) -> Line {
        self.spans
            .iter_mut()
            .for_each(|span| span.over = Some(role));
        self.under = Some(role);
        self
    }

    /// Makes the texts of the line lead to this address, if there is one.
    pub fn linked(mut self, link: Option<&Arc<str>>) -> Line {
        self.spans
            .iter_mut()
            .for_each(|span| span.link = link.cloned());
        self
    }

    /// Indents the line by this number of columns.
    pub fn indented(mut self, columns: usize) -> Line {
        self.spans.insert(0, Span::plain(" ".repeat(columns)));
        self
    }
}

/// Formats the line as text without styles.
impl std::fmt::Display for Line {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.spans
            .iter()
            .try_for_each(|span| f.write_str(&span.text))
    }
}

impl From<Span> for Line {
    fn from(span: Span) -> Line {
        Line {
            spans: vec![span],
            under: None,
        }
    }
}

impl From<Vec<Span>> for Line {
    fn from(spans: Vec<Span>) -> Line {
        Line { spans, under: None }
    }
}
