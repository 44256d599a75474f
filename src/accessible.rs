//! Accessible mode: the app as a stream of lines, for people who do not see the screen.
//!
//! A screen reader reads text that is appended. Redrawing, boxes, signs and a moving cursor disturb
//! it. This module therefore tells each frame as plain lines, and only what is new in it. It uses
//! the same [`Page`](crate::app::ui::Page) as the full screen, laid out as tall as needed, so every
//! screen has the mode without code of its own.
//!
//! A typed line is turned into the input that the full screen would get: keys, clicks, pastes and
//! actions. The rules of `update` for confirmations therefore apply unchanged. In addition, only
//! the [answer] to a question that repeats the amount confirms it.
//!
//! Start reading at [`Transcript::tell`] and [`Transcript::read`].

pub mod answer;
mod list_rows;
mod page_text;
mod prompt;
mod transcript;

pub use prompt::Prompt;
pub use transcript::Transcript;

use crate::app::Size;
use crate::app::ui::Action;
use crate::app::ui::input::Key;

/// The size for which pages are laid out. It has room for every list and text, and is too narrow
/// for a second column of text.
pub const PAGE_SIZE: Size = Size {
    columns: 99,
    rows: 300,
};

/// A part of the input that a typed line means.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    Act(Action),
    Key(Key),
    Paste(String),
    /// A click on the cell in this column and row of the page.
    Click(u16, u16),
}

/// The text that is appended to the stream.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Told {
    pub text: String,
    /// The prompt at the end of the text, if there is one.
    pub prompt: Option<Prompt>,
}
