//! The lines of the palette, and the beginnings of words that find them.

use std::ops::Deref;
use std::sync::{Arc, LazyLock};

use crate::app::ui::action::{Action, Place};
use crate::app::ui::text::capital;
use crate::app::{OtherProfile, Pane};
use crate::trade::Untrusted;
use crate::trade::search::searchable;
use crate::words::{Lang, Words};

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

/// The palette's lines in this language, found by the words of every language; `faults` are those
/// the demo can arm.
pub fn items(lang: Lang, faults: &[&str]) -> Vec<Item> {
    let words = Words::of(lang);
    let faults = faults.iter().map(|name| Command::Fault((*name).into()));
    let spoken = Lang::ALL.map(Words::of);
    let every = |id: &str| spoken.map(|words| words.text(id)).join(" ");
    let item = |command: Command| {
        let label = called(words, &command);
        let (also, only) = (format!("also-{}", name(&command)), format!("only-{}", name(&command)));
        let is_guarded = is_guarded(&command);
        let item = Item::new(command, &label).also(&every(&also));
        if is_guarded { item.only(&every(&only)) } else { item }
    };
    commands(faults).map(item).collect()
}

/// The palette's lines for the other profiles, each found by its own name too.
pub fn switches(lang: Lang, others: &[OtherProfile]) -> Vec<Item> {
    let words = Words::of(lang);
    let also = Lang::ALL.map(|lang| Words::of(lang).text("also-profile")).join(" ");
    let item = |other: &OtherProfile| {
        let name = Untrusted::from(&*other.name).shown_within(MOST_NAME);
        let label = format!("{}: {name}", words.text("command-profile"));
        Item::new(Command::Profile(other.name.clone()), &label).also(&also)
    };
    others.iter().map(item).collect()
}

/// The most columns of a profile's name in the palette.
const MOST_NAME: usize = 40;

/// Every line there can be, in the order of the palette.
fn commands(faults: impl Iterator<Item = Command>) -> impl Iterator<Item = Command> {
    let actions = Action::ALL.iter().copied().filter(|action| is_listed(*action));
    let actions = actions.map(Command::Do);
    // The panes are the first of the actions; to look is before to make.
    let panes = Pane::ALL.len();
    let rest = actions.clone().skip(panes);
    actions
        .take(panes)
        .chain([Pane::Links, Pane::Withdrawals, Pane::Charges].map(Command::New))
        .chain(rest)
        .chain([Command::Mask(true), Command::Mask(false)])
        .chain([Command::BuyersView, Command::Story(true), Command::StoryNext])
        .chain([Command::Story(false)])
        .chain([Command::Captions(false), Command::Captions(true)])
        .chain(faults)
        .chain([Command::NoFaults, Command::DomainsDown(true), Command::DomainsDown(false)])
        .chain([Command::Forward, Command::StartOver])
}

/// The messages with the words that the palette's lines are found by.
pub fn alias_messages() -> Vec<String> {
    let all = || commands([Command::Fault("any".into())].into_iter());
    let also = all().map(|command| format!("also-{}", name(&command)));
    let guarded = all().filter(is_guarded);
    let profile = ["also-profile".to_owned()];
    also.chain(guarded.map(|command| format!("only-{}", name(&command)))).chain(profile).collect()
}

/// The name of a line in the words; every fault has the same.
fn name(command: &Command) -> &'static str {
    match command {
        Command::Do(action) => action.name(),
        Command::New(Pane::Withdrawals) => "new-withdrawal",
        Command::New(Pane::Charges) => "new-charge",
        Command::New(_) => "new-link",
        Command::Profile(_) => "profile",
        Command::Mask(true) => "mask",
        Command::Mask(false) => "unmask",
        Command::BuyersView => "buyers-view",
        Command::Story(true) => "story",
        Command::Story(false) => "story-stop",
        Command::StoryNext => "story-next",
        Command::Captions(false) => "captions-off",
        Command::Captions(true) => "captions-on",
        Command::Fault(_) => "fault",
        Command::NoFaults => "no-faults",
        Command::DomainsDown(true) => "domains-down",
        Command::DomainsDown(false) => "domains-up",
        Command::Forward => "forward",
        Command::StartOver => "start-over",
    }
}

fn called(words: &Words, command: &Command) -> String {
    match command {
        Command::Do(action) => capital(&words.text(&format!("action-{}.help", action.name()))),
        Command::Fault(name) => words.text(&format!("fault-{name}")),
        command => words.text(&format!("command-{}", name(command))),
    }
}

/// Moving about is not a command, and neither is what only a form or a question knows. What `n` and
/// `q` do depends on where they are pressed, and the story is the demo's alone: other lines do it.
fn is_listed(action: Action) -> bool {
    use Action::{Back, Down, First, Last, New, PageDown, PageUp, Palette, Quit, StoryNext, Up};
    let moves = [Up, Down, PageUp, PageDown, First, Last, Back, Palette, New, Quit, StoryNext];
    let moves = moves.contains(&action);
    matches!(action.place(), Place::Anywhere | Place::Lists) && !moves
}

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
