//! The lines of the palette, and the beginnings of words that find them.

mod items;
pub mod ranking;

use std::ops::Deref;
use std::sync::{Arc, LazyLock};

use crate::app::Pane;
use crate::app::ui::action::Action;
use ranking::words;

pub use items::{alias_messages, items, switches};

/// The most characters that are searched for.
pub const MOST: usize = 60;

/// Something the palette can do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// The same as a key asks for.
    Do(Action),
    /// Show this pane, and begin a new one of what it lists.
    New(Pane),
    /// Go on with the profile of this name.
    Profile(Arc<str>),
    /// Show the checkout page as the buyer sees it.
    BuyersView,
    /// Mask personal data on the screen, or show it.
    Mask(bool),
    /// The demo: arm the fault of this name for the next request.
    Fault(Arc<str>),
    /// The demo: let every request through again.
    NoFaults,
    /// The demo: the sandbox starts over.
    StartOver,
    /// The demo: all domains go inactive, or come back.
    DomainsDown(bool),
    /// The demo: its clock is moved on, until a key is too old to be sent again.
    Forward,
    /// The demo: the story is played from its beginning, or stopped.
    Story(bool),
    /// The demo: the story goes on, without what its step waits for.
    StoryNext,
    /// The demo: the story's captions are shown, or not.
    Captions(bool),
}

/// A line of the palette, and the words it is found by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// The command it grants.
    pub command: Command,
    /// Its name, in the language of the run.
    pub label: String,
    /// The words of that, as what is typed is compared with them.
    pub words: Vec<String>,
    /// Other words for it, in every language; the beginning of one is enough.
    pub also: Vec<String>,
    /// Of what is guarded: the words of which one is typed in full.
    pub only: Vec<String>,
}

impl Item {
    /// A line that is found by what it is called.
    pub fn new(command: Command, label: &str) -> Item {
        Item { command, label: label.into(), words: words(label), also: vec![], only: vec![] }
    }

    /// The same, found by these words too.
    pub fn also(self, text: &str) -> Item {
        Item { also: words(text), ..self }
    }

    /// The same; where it is guarded it is found by one of these words in full.
    pub fn only(self, text: &str) -> Item {
        Item { only: words(text), ..self }
    }
}

/// Returns true for a command that undoes, ends or hinders something: a few letters never find it.
pub fn is_guarded(command: &Command) -> bool {
    match command {
        Command::Do(action) => {
            matches!(action, Action::Leave | Action::Quit | Action::LogOut | Action::Discard)
        }
        Command::Fault(_) | Command::StartOver | Command::Forward | Command::DomainsDown(true) => {
            true
        }
        Command::New(_)
        | Command::Profile(_)
        | Command::BuyersView
        | Command::Mask(_)
        | Command::NoFaults
        | Command::DomainsDown(false)
        | Command::Story(_)
        | Command::StoryNext
        | Command::Captions(_) => false,
    }
}

/// The palette's lines, made when the palette first opens: no frame before that needs them.
#[derive(Clone, Debug)]
pub struct PaletteLines(Arc<LazyLock<Vec<Item>, MakeLines>>);

type MakeLines = Box<dyn FnOnce() -> Vec<Item> + Send>;

impl PaletteLines {
    /// Lines that this function makes.
    pub fn new(make: impl FnOnce() -> Vec<Item> + Send + 'static) -> PaletteLines {
        PaletteLines(Arc::new(LazyLock::new(Box::new(make))))
    }
}

impl Deref for PaletteLines {
    type Target = [Item];

    fn deref(&self) -> &[Item] {
        &self.0
    }
}

impl FromIterator<Item> for PaletteLines {
    fn from_iter<I: IntoIterator<Item = Item>>(items: I) -> PaletteLines {
        let items: Vec<Item> = items.into_iter().collect();
        PaletteLines::new(|| items)
    }
}
