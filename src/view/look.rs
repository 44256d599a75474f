//! How things look and in which words.

use super::theme::Theme;
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
}
