//! The lines of the palette that fit what was typed, and their order.
//!
//! Each typed word must begin a word of the line or of its aliases. Nothing less is offered: what
//! runs on Enter is what was meant, or nothing.

use crate::app::store::commands::{Command, Item, is_guarded};
use crate::trade::search::searchable;

/// The typed text, as it is compared.
pub struct Typed {
    words: Vec<String>,
    /// `log out` is `logout`.
    joined: String,
    is_nothing: bool,
}

/// The place of a line among those that fit; the least comes first.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rank {
    /// True for a guarded line while nothing is typed: it comes last whatever it fits.
    is_kept_back: bool,
    is_for_another_screen: bool,
    is_guarded: bool,
    /// True when it is found by an alias, and not by the words on the line.
    is_by_alias: bool,
    /// The number of commands that were done since this one; the greatest when it was never done.
    unused: usize,
}

impl Typed {
    /// Reads what was typed.
    pub fn new(text: &str) -> Typed {
        let words = words(text);
        Typed { joined: words.concat(), words, is_nothing: text.trim().is_empty() }
    }

    /// Ranks a line; `None` when it is not offered.
    ///
    /// `recent` holds what was done before, the last first.
    pub fn rank(&self, item: &Item, fits_screen: bool, recent: &[Command]) -> Option<Rank> {
        let is_guarded = is_guarded(&item.command);
        if !self.is_nothing
            && (is_guarded && !self.names_one_of(&item.only) || self.words.is_empty())
        {
            return None;
        }
        let in_label =
            |typed: &String| item.words.iter().any(|word| word.starts_with(typed.as_str()));
        let in_also =
            |typed: &String| item.also.iter().any(|word| word.starts_with(typed.as_str()));
        if !self.words.iter().all(|typed| in_label(typed) || in_also(typed)) {
            return None;
        }
        let unused = recent.iter().position(|command| *command == item.command);
        Some(Rank {
            is_kept_back: is_guarded && self.is_nothing,
            is_for_another_screen: !fits_screen,
            is_guarded,
            is_by_alias: !self.words.iter().all(in_label),
            unused: unused.unwrap_or(usize::MAX),
        })
    }

    /// Returns true when one of these words was typed in full.
    fn names_one_of(&self, words: &[String]) -> bool {
        words.iter().any(|word| *word == self.joined || self.words.contains(word))
    }
}

/// The words of a text without regard to case, accents and the signs between them.
pub fn words(text: &str) -> Vec<String> {
    let plain = searchable(text);
    let words = plain.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_owned).collect()
}
