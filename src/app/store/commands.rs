//! The commands of the command palette, and the search for them. Start reading at [`items`] and
//! [`Typed::rank`].

use std::ops::Deref;
use std::sync::{Arc, LazyLock};

use crate::app::ui::action::{Action, KeyScope};
use crate::app::ui::text::capital;
use crate::app::{OtherProfile, Pane};
use crate::trade::Untrusted;
use crate::trade::search::searchable;
use crate::words::{Catalogue, Lang};

/// The maximum number of characters in the palette's search field.
pub const MOST: usize = 60;

/// A command of the command palette.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// Run an action, in the same way as its key does.
    Do(Action),
    /// Open this pane and create a new item in its list.
    New(Pane),
    /// Switch to the profile with this name.
    Profile(Arc<str>),
    /// Open the checkout page as the buyer sees it.
    BuyersView,
    /// Turn the masking of personal data on (true) or off (false).
    Mask(bool),
    /// Demo: arm the fault with this name for the next request.
    Fault(Arc<str>),
    /// Demo: disarm all faults.
    NoFaults,
    /// Demo: reset the sandbox.
    StartOver,
    /// Demo: make all checkout domains inactive (true) or active again (false).
    DomainsDown(bool),
    /// Demo: move the clock forward, until the idempotency key of a withdrawal is too old for
    /// sending again.
    Forward,
    /// Demo: start the guided story from its beginning (true) or stop it (false).
    Story(bool),
    /// Demo: go to the next part of the guided story, without waiting for the seller's action.
    StoryNext,
    /// Demo: show the captions of the guided story (true) or hide them (false).
    Captions(bool),
}

/// A line of the command palette, with the words by which it can be found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// The command that the line runs.
    pub command: Command,
    /// The label, in the user's language.
    pub label: String,
    /// The words of the label, normalized for the search.
    pub words: Vec<String>,
    /// Additional search words in every language. Typing the beginning of one finds the line.
    pub also: Vec<String>,
    /// The words that find a guarded command. One of them must be typed completely.
    pub only: Vec<String>,
}

impl Item {
    /// Creates a line that can be found by the words of its label.
    pub fn new(command: Command, label: &str) -> Item {
        Item { command, label: label.into(), words: words(label), also: vec![], only: vec![] }
    }

    /// Adds additional search words.
    pub fn also(self, text: &str) -> Item {
        Item { also: words(text), ..self }
    }

    /// Sets the words that find a guarded command when one of them is typed completely.
    pub fn only(self, text: &str) -> Item {
        Item { only: words(text), ..self }
    }
}

/// Returns true for a command that undoes, ends or hinders something. A few typed letters must not
/// be enough to find it.
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

/// The lines of the command palette. They are built when the palette is first opened, because
/// nothing else needs them.
#[derive(Clone, Debug)]
pub struct PaletteLines(Arc<LazyLock<Vec<Item>, MakeLines>>);

type MakeLines = Box<dyn FnOnce() -> Vec<Item> + Send>;

impl PaletteLines {
    /// Creates the lines lazily: the function is called on first use.
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

/// Returns the palette's lines in this language, with additional search words in all languages.
/// `faults` are the names of the faults that the demo can arm.
pub fn items(lang: Lang, faults: &[&str]) -> Vec<Item> {
    let words = Catalogue::of(lang);
    let faults = faults.iter().map(|name| Command::Fault((*name).into()));
    let spoken = Lang::ALL.map(Catalogue::of);
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

/// Returns the palette's lines that switch to the other profiles.
pub fn switches(lang: Lang, others: &[OtherProfile]) -> Vec<Item> {
    let words = Catalogue::of(lang);
    let also = Lang::ALL.map(|lang| Catalogue::of(lang).text("also-profile")).join(" ");
    let item = |other: &OtherProfile| {
        let name = Untrusted::from(&*other.name).shown_within(MOST_NAME);
        let label = format!("{}: {name}", words.text("command-profile"));
        Item::new(Command::Profile(other.name.clone()), &label).also(&also)
    };
    others.iter().map(item).collect()
}

/// The maximum width of a profile's name in the command palette, in columns.
const MOST_NAME: usize = 40;

/// Returns all commands of the palette, in the order of their lines.
fn commands(faults: impl Iterator<Item = Command>) -> impl Iterator<Item = Command> {
    let actions = Action::ALL.iter().copied().filter(|action| is_listed(*action));
    let actions = actions.map(Command::Do);
    // The first actions open panes. After them come the commands that create something, then all
    // others.
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

/// Returns the ids of the messages with the additional search words of the commands.
pub fn alias_messages() -> Vec<String> {
    let all = || commands([Command::Fault("any".into())].into_iter());
    let also = all().map(|command| format!("also-{}", name(&command)));
    let guarded = all().filter(is_guarded);
    let profile = ["also-profile".to_owned()];
    also.chain(guarded.map(|command| format!("only-{}", name(&command)))).chain(profile).collect()
}

/// Returns the name by which message ids refer to a command. All faults share one name.
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

fn called(words: &Catalogue, command: &Command) -> String {
    match command {
        Command::Do(action) => capital(&words.text(&format!("action-{}.help", action.name()))),
        Command::Fault(name) => words.text(&format!("fault-{name}")),
        command => words.text(&format!("command-{}", name(command))),
    }
}

/// Returns true if the palette lists the action. It does not list cursor movements, or actions that
/// work only in forms and dialogs, such as `AskFee`. `New`, `Quit` and `StoryNext` are not listed
/// either, because other palette commands replace them.
fn is_listed(action: Action) -> bool {
    use Action::{Back, Down, First, Last, New, PageDown, PageUp, Palette, Quit, StoryNext, Up};
    let moves = [Up, Down, PageUp, PageDown, First, Last, Back, Palette, New, Quit, StoryNext];
    let moves = moves.contains(&action) || action == Action::AskFee;
    matches!(action.place(), KeyScope::Anywhere | KeyScope::Lists) && !moves
}

/// The text in the search field, normalized for the search.
pub struct Typed {
    words: Vec<String>,
    /// The typed words joined together, so that `log out` also matches `logout`.
    joined: String,
    is_nothing: bool,
}

/// The sort key of a matching line. The line with the lowest key comes first.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rank {
    /// True for a guarded command if the search field is empty. Such a command comes last.
    is_kept_back: bool,
    is_for_another_screen: bool,
    is_guarded: bool,
    /// True if an additional search word matched and the label did not.
    is_by_alias: bool,
    /// How many different commands were run more recently; `usize::MAX` if this command was not
    /// run.
    unused: usize,
}

impl Typed {
    /// Normalizes the typed text.
    pub fn new(text: &str) -> Typed {
        let words = words(text);
        Typed { joined: words.concat(), words, is_nothing: text.trim().is_empty() }
    }

    /// Returns the sort key of a line, or `None` if the line does not match the typed text.
    ///
    /// `recent` contains the commands that were run before, the latest first.
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

    /// Returns true if one of these words was typed completely.
    fn names_one_of(&self, words: &[String]) -> bool {
        words.iter().any(|word| *word == self.joined || self.words.contains(word))
    }
}

/// Returns the words of a text, in lower case and without accents and punctuation.
pub fn words(text: &str) -> Vec<String> {
    let plain = searchable(text);
    let words = plain.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_owned).collect()
}
