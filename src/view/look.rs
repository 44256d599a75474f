//! How things look and in which words.

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::theme::{Role, Theme};
use crate::words::{Lang, Words};

/// Everything that the looks of a run depend on, and the model does not.
pub struct Look {
    /// Colours and attributes.
    pub theme: Theme,
    /// The language.
    pub words: &'static Words,
    /// Whether the font has nothing but letters: no lines, no blocks, no bullets.
    pub ascii: bool,
}

impl Look {
    /// The default theme in this language.
    pub fn new(lang: Lang) -> Look {
        Look { theme: Theme::default(), words: Words::of(lang), ascii: false }
    }

    /// The style of a role.
    pub(super) fn style(&self, role: Role) -> Style {
        self.theme.style(role)
    }

    /// A piece of a line.
    pub(super) fn span(&self, role: Role, text: impl Into<String>) -> Span<'static> {
        Span::styled(text.into(), self.style(role))
    }

    /// A whole line.
    pub(super) fn line(&self, role: Role, text: impl Into<String>) -> Line<'static> {
        Line::from(self.span(role, text))
    }

    /// A message of the words.
    pub(super) fn say(&self, id: &str) -> String {
        self.words.text(id)
    }
}
