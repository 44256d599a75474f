//! The commands of the command palette, and the search for commands. Start reading at [`items`] and
//! [`PaletteQuery::rank`].

use std::sync::{Arc, LazyLock};

use crate::app::ui::action::{Action, KeyScope};
use crate::app::ui::text::capital;
use crate::app::{OtherProfile, Pane};
use crate::trade::Untrusted;
use crate::trade::search::searchable;
use crate::words::{Catalogue, Lang};

/// The maximum number of characters that can be typed into the palette's search field.
pub const MAX_QUERY_LETTERS: usize = 60;

/// A command of the command palette.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// Run an action, such as opening the help, exactly as its key does.
    Do(Action),
    /// Open this pane and start creating a new item, such as a payment link.
    New(Pane),
    /// Switch to the profile with this name.
    Profile(Arc<str>),
    /// Use the theme with this name. It is used in this run only, unless the seller saves it.
    Theme(Arc<str>),
    /// Use this language. It is used in this run only, unless the seller saves it.
    Language(Lang),
    /// Save the chosen theme and language in the settings file.
    KeepLook,
    /// Run a hint: it opens the pane where an action works, or explains where to find something.
    Hint(Hint),
    /// Open the checkout page as the buyer sees it.
    BuyersView,
    /// Turn the masking of personal data on (true) or off (false).
    Mask(bool),
    /// Start to record the screens into a file (true), or end it (false).
    Record(bool),
    /// Demo: make the sandbox simulate the fault with this name in the next request.
    Fault(Arc<str>),
    /// Demo: cancel all simulated faults.
    NoFaults,
    /// Demo: reset the sandbox.
    StartOver,
    /// Demo: make all checkout domains inactive (true) or active again (false).
    DomainsDown(bool),
    /// Demo: write a bank statement with the money that arrived at the sandbox's bank.
    Statement,
    /// Demo or replay: move the clock forward so far that existing withdrawals are too old to be
    /// sent again.
    Forward,
    /// Demo: start the guided story from its beginning (true) or stop it (false).
    Story(bool),
    /// Demo: start the guided story without a presenter. The story itself presses the keys.
    AutoplayStory,
    /// Demo: go to the next part of the guided story without waiting for the presenter's action.
    StoryNext,
    /// Demo: show the captions of the guided story (true) or hide them (false).
    Captions(bool),
}

/// A hint in the command palette. It opens the pane where an action works, or explains where to
/// find something. Hints are listed only if they match the typed text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hint {
    /// Opens the pane where this action works.
    Where(Action),
    /// Explains that the service does not report the balance.
    Balance,
    /// Explains how to export the stored data: outside the screens, with a shell command such as
    /// `balcao data export`.
    Export,
    /// Explains that the environment variable `NO_COLOR` turns all colors off.
    NoColours,
}

/// An entry of the command palette, with the words by which the search finds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// The command that the entry runs.
    pub command: Command,
    /// The label, in the user's language.
    pub label: String,
    /// A longer explanation, shown beside the label. It may be empty.
    pub help: String,
    /// The words of the label, normalized for the search (lower case, without accents).
    pub words: Vec<String>,
    /// Additional search words in every language. Typing the beginning of such a word finds the
    /// entry.
    pub aliases: Vec<String>,
    /// The words that find a guarded command, such as quitting. The user must type a whole word.
    pub guard_words: Vec<String>,
}

impl Item {
    /// Creates an entry that can be found by the words of its label.
    pub fn new(command: Command, label: &str) -> Item {
        let words = words(label);
        let label = label.to_owned();
        Item {
            command,
            label,
            words,
            help: String::new(),
            aliases: vec![],
            guard_words: vec![],
        }
    }

    /// Adds an explanation to the entry. The search then also finds the entry by the words of the
    /// explanation.
    fn with_help(mut self, help: &str) -> Item {
        self.aliases.extend(words(help));
        Item {
            help: help.into(),
            ..self
        }
    }

    /// Replaces the label with a more specific label for the current screen. The search finds the
    /// entry by both labels.
    pub fn labelled(mut self, label: &str) -> Item {
        self.words.extend(words(label));
        Item {
            label: label.into(),
            ..self
        }
    }

    pub fn with_aliases(self, text: &str) -> Item {
        Item {
            aliases: words(text),
            ..self
        }
    }

    /// Makes the search find this entry only if the user types one of these words completely.
    pub fn with_guard_words(self, text: &str) -> Item {
        Item {
            guard_words: words(text),
            ..self
        }
    }
}

/// True for a command that ends or discards something, or disturbs the demo. The search must not
/// find such a command after only a few letters.
pub fn is_guarded(command: &Command) -> bool {
    match command {
        Command::Do(action) => {
            matches!(
                action,
                Action::Leave | Action::Quit | Action::LogOut | Action::Discard
            )
        }
        Command::Fault(_) | Command::StartOver | Command::Forward | Command::DomainsDown(true) => {
            true
        }
        Command::New(_)
        | Command::Profile(_)
        | Command::Theme(_)
        | Command::Language(_)
        | Command::KeepLook
        | Command::Hint(_)
        | Command::BuyersView
        | Command::Mask(_)
        | Command::Record(_)
        | Command::NoFaults
        | Command::DomainsDown(false)
        | Command::Statement
        | Command::Story(_)
        | Command::AutoplayStory
        | Command::StoryNext
        | Command::Captions(_) => false,
    }
}

/// The entries of the command palette in every language. The entries of a language are built when
/// the palette first opens in that language.
#[derive(Clone, Debug)]
pub struct PaletteItems(Arc<[LazyLock<Vec<Item>, BuildItems>; 2]>);

type BuildItems = Box<dyn FnOnce() -> Vec<Item> + Send>;

impl PaletteItems {
    /// Creates the palette's entries lazily: `build` is called when a language is first used.
    pub fn new(build: impl Fn(Lang) -> Vec<Item> + Clone + Send + 'static) -> PaletteItems {
        let items_by_language = Lang::ALL.map(|lang| {
            let build = build.clone();
            LazyLock::new(Box::new(move || build(lang)) as BuildItems)
        });
        PaletteItems(Arc::new(items_by_language))
    }

    pub fn of(&self, lang: Lang) -> &[Item] {
        &self.0[lang as usize]
    }
}

impl FromIterator<Item> for PaletteItems {
    /// Creates the palette from entries that are the same in every language.
    fn from_iter<I: IntoIterator<Item = Item>>(items: I) -> PaletteItems {
        let items: Vec<Item> = items.into_iter().collect();
        PaletteItems::new(move |_| items.clone())
    }
}

/// The palette's entries in this language, with additional search words in all languages. `faults`
/// are the faults that the demo can simulate. `themes` are the available themes; the list is empty
/// if colors are turned off.
pub fn items(lang: Lang, faults: &[&str], themes: &[&str]) -> Vec<Item> {
    let catalogue = Catalogue::of(lang);
    let faults = faults.iter().map(|name| Command::Fault((*name).into()));
    let themes = themes
        .iter()
        .map(|name| Command::Theme((*name).into()))
        .collect();
    commands(faults, themes)
        .map(|command| item(catalogue, command))
        .collect()
}

fn item(catalogue: &Catalogue, command: Command) -> Item {
    let label = label_in(catalogue, &command);
    let also = format!("also-{}", name(&command));
    let only = format!("only-{}", name(&command));
    let catalogues = Lang::ALL.map(Catalogue::of);
    let theme_names = match &command {
        Command::Theme(_) => catalogues
            .map(|catalogue| label_in(catalogue, &command))
            .join(" "),
        _ => String::new(),
    };
    let only = if is_guarded(&command) {
        catalogues.map(|catalogue| catalogue.text(&only)).join(" ")
    } else {
        String::new()
    };
    let only = if is_fault(&command) {
        fault_words(&label, &only)
    } else {
        only
    };
    let also = catalogues.map(|catalogue| catalogue.text(&also)).join(" ");
    let help = help(catalogue, &command).unwrap_or_default();
    Item::new(command, &label)
        .with_aliases(&[also, theme_names].join(" "))
        .with_guard_words(&only)
        .with_help(&help)
}

fn is_fault(command: &Command) -> bool {
    matches!(command, Command::Fault(_))
}

/// The words by which the search finds a fault: `only`, and some words of its label. If the label
/// contains a colon, only the words after it count. Words of up to three letters are left out.
fn fault_words(label: &str, only: &str) -> String {
    let fault_label = label.rsplit(": ").next().unwrap_or_default();
    let fault_label = words(fault_label)
        .into_iter()
        .filter(|word| word.chars().count() > 3 || word.chars().all(|c| c.is_ascii_digit()))
        .chain([only.to_owned()]);
    fault_label.collect::<Vec<_>>().join(" ")
}

/// The palette's entries that switch to another profile.
pub fn profile_items(lang: Lang, others: &[OtherProfile]) -> Vec<Item> {
    let words = Catalogue::of(lang);
    let also = Lang::ALL
        .map(|lang| Catalogue::of(lang).text("also-profile"))
        .join(" ");
    others
        .iter()
        .map(|other| {
            let name = Untrusted::from(&*other.name).shown_within(MAX_NAME);
            let label = format!("{}: {name}", words.text("command-profile"));
            Item::new(Command::Profile(other.name.clone()), &label).with_aliases(&also)
        })
        .collect()
}

/// The maximum width of a profile's name in the command palette, in columns.
const MAX_NAME: usize = 40;

/// All commands of the palette, in the order in which they are shown.
fn commands(
    faults: impl Iterator<Item = Command>,
    themes: Vec<Command>,
) -> impl Iterator<Item = Command> {
    let listed = Action::ALL
        .iter()
        .copied()
        .filter(|action| is_listed(*action));
    let actions = listed.clone().map(Command::Do);
    // List the actions that open panes first. Then list the commands that create something, and
    // then all other commands.
    let pane_count = Pane::ALL.len();
    let other_actions = actions.clone().skip(pane_count);
    let pane_hints = listed
        .filter(|action| !action.panes().is_empty())
        .map(|action| Command::Hint(Hint::Where(action)));
    let no_colours = themes.is_empty().then_some(Command::Hint(Hint::NoColours));
    actions
        .take(pane_count)
        .chain([Pane::Links, Pane::Withdrawals, Pane::Charges].map(Command::New))
        .chain(other_actions)
        .chain([Command::Mask(true), Command::Mask(false)])
        .chain([Command::Record(true), Command::Record(false)])
        .chain(Lang::ALL.map(Command::Language))
        .chain(themes)
        .chain([Command::KeepLook])
        .chain([
            Command::BuyersView,
            Command::Story(true),
            Command::StoryNext,
        ])
        .chain([Command::Story(false)])
        .chain([Command::Captions(false), Command::Captions(true)])
        .chain(faults)
        .chain([
            Command::NoFaults,
            Command::DomainsDown(true),
            Command::DomainsDown(false),
        ])
        .chain([Command::Statement, Command::Forward, Command::StartOver])
        .chain([Hint::Balance, Hint::Export].map(Command::Hint))
        .chain(no_colours)
        .chain(pane_hints)
}

/// The ids of the messages that hold additional search words for commands.
pub fn alias_messages() -> Vec<String> {
    let all_commands = || {
        commands(
            [Command::Fault("any".into())].into_iter(),
            vec![Command::Theme("any".into())],
        )
        .chain([Command::Hint(Hint::NoColours)])
    };
    let also = all_commands().map(|command| format!("also-{}", name(&command)));
    let guarded_commands = all_commands().filter(is_guarded);
    let profile = ["also-profile".to_owned()];
    also.chain(guarded_commands.map(|command| format!("only-{}", name(&command))))
        .chain(profile)
        .collect()
}

/// The name of a command, such as `new-charge`. Message ids, such as `command-new-charge`, contain
/// this name. All faults have the same name.
fn name(command: &Command) -> &'static str {
    match command {
        Command::Do(action) => action.name(),
        Command::New(Pane::Withdrawals) => "new-withdrawal",
        Command::New(Pane::Charges) => "new-charge",
        Command::New(_) => "new-link",
        Command::Profile(_) => "profile",
        Command::Theme(_) => "theme",
        Command::Language(_) => "language",
        Command::KeepLook => "keep-look",
        Command::Hint(Hint::Where(action)) => action.name(),
        Command::Hint(Hint::Balance) => "balance",
        Command::Hint(Hint::Export) => "export",
        Command::Hint(Hint::NoColours) => "no-colours",
        Command::Mask(true) => "mask",
        Command::Mask(false) => "unmask",
        Command::Record(true) => "record",
        Command::Record(false) => "record-stop",
        Command::BuyersView => "buyers-view",
        Command::Story(true) => "story",
        Command::Story(false) => "story-stop",
        Command::AutoplayStory => "story",
        Command::StoryNext => "story-next",
        Command::Captions(false) => "captions-off",
        Command::Captions(true) => "captions-on",
        Command::Fault(_) => "fault",
        Command::NoFaults => "no-faults",
        Command::DomainsDown(true) => "domains-down",
        Command::DomainsDown(false) => "domains-up",
        Command::Statement => "statement",
        Command::Forward => "forward",
        Command::StartOver => "start-over",
    }
}

fn label_in(catalogue: &Catalogue, command: &Command) -> String {
    match command {
        Command::Do(action) | Command::Hint(Hint::Where(action)) => {
            capital(action.label_text(catalogue.lang()))
        }
        Command::Fault(name) => catalogue.text(&format!("fault-{name}")),
        Command::Language(lang) => catalogue.with("command-language", &[("name", lang.own_name())]),
        Command::Theme(theme) => {
            // A built-in theme has a translated name. A theme from a file is shown with its own
            // name.
            let id = format!("command-theme.{theme}");
            let theme = if catalogue.has_message(&id) {
                catalogue.text(&id)
            } else {
                Untrusted::from(&**theme).shown_within(MAX_NAME)
            };
            catalogue.with("command-theme", &[("name", &theme)])
        }
        command => catalogue.text(&format!("command-{}", name(command))),
    }
}

/// The explanation that is shown beside a command in the palette, if there is one.
fn help(catalogue: &Catalogue, command: &Command) -> Option<String> {
    match command {
        Command::Do(action) | Command::Hint(Hint::Where(action)) => action.help(catalogue),
        Command::Fault(_) | Command::Theme(_) => None,
        command => {
            let id = format!("command-{}.help", name(command));
            catalogue.has_message(&id).then(|| catalogue.text(&id))
        }
    }
}

/// True if the palette lists this action. The palette omits cursor movements, and actions that work
/// only in forms and dialogs. It also omits actions for which it has another command.
fn is_listed(action: Action) -> bool {
    use Action::*;
    let omitted = [
        Up, Down, PageUp, PageDown, First, Last, Back, Palette, New, Quit, StoryNext,
    ];
    let is_half_page = matches!(action, HalfPageUp | HalfPageDown);
    let is_other_omitted = matches!(action, NextPane | PrevPane | AskFee | AsText | Language);
    let omitted = omitted.contains(&action) || is_half_page || is_other_omitted;
    matches!(action.scope(), KeyScope::Anywhere | KeyScope::Lists) && !omitted
}

/// The text in the search field, normalized for the search.
pub struct PaletteQuery {
    words: Vec<String>,
    /// The typed words without the spaces between them, so that `log out` also matches `logout`.
    joined: String,
    is_empty: bool,
}

/// The sort key of a palette entry that matches the search. Entries are listed from the lowest key
/// to the highest.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rank {
    /// True for a guarded command, such as quitting, while the search field is empty. Such commands
    /// are listed last.
    is_listed_last: bool,
    is_hint: bool,
    /// False if the words of the label were typed and the command is not guarded. Such a command
    /// comes before commands that are found by a synonym, even if they act on the screen below.
    is_not_named: bool,
    is_for_another_screen: bool,
    is_guarded: bool,
    /// True if the entry was found by an additional search word and not by its label.
    is_found_by_alias: bool,
    /// How many other commands the user has run since this command: 0 for the latest command, and
    /// `usize::MAX` if this command was not run.
    runs_since: usize,
}

impl PaletteQuery {
    /// Normalizes the typed text.
    pub fn new(text: &str) -> PaletteQuery {
        let words = words(text);
        PaletteQuery {
            joined: words.concat(),
            words,
            is_empty: text.trim().is_empty(),
        }
    }

    /// The sort key of an entry, or `None` if the entry does not match the typed text.
    ///
    /// `recent` contains the commands that the user has run, the latest first.
    pub fn rank(&self, item: &Item, fits_screen: bool, recent: &[Command]) -> Option<Rank> {
        let is_guarded = is_guarded(&item.command);
        if self.is_empty && matches!(item.command, Command::Hint(_)) {
            return None;
        }
        if !self.is_empty
            && (is_guarded && !self.has_whole_word(&item.guard_words) || self.words.is_empty())
        {
            return None;
        }
        let is_found = self
            .words
            .iter()
            .all(|typed| has_prefix(&item.words, typed) || has_prefix(&item.aliases, typed));
        if !is_found {
            return None;
        }
        let is_found_by_alias = !self
            .words
            .iter()
            .all(|typed| has_prefix(&item.words, typed));
        let runs_since = recent.iter().position(|command| *command == item.command);
        Some(Rank {
            is_listed_last: is_guarded && self.is_empty,
            is_hint: matches!(item.command, Command::Hint(_)),
            is_not_named: is_found_by_alias || is_guarded,
            is_for_another_screen: !fits_screen,
            is_guarded,
            is_found_by_alias,
            runs_since: runs_since.unwrap_or(usize::MAX),
        })
    }

    /// True if the user typed one of these words completely.
    fn has_whole_word(&self, words: &[String]) -> bool {
        words
            .iter()
            .any(|word| *word == self.joined || self.words.contains(word))
    }
}

/// True if one of the words begins with the typed text.
fn has_prefix(words: &[String], typed: &str) -> bool {
    words.iter().any(|word| word.starts_with(typed))
}

/// Splits a text into lower-case words without accents and punctuation.
pub fn words(text: &str) -> Vec<String> {
    let normalized = searchable(text);
    let words = normalized
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty());
    words.map(str::to_owned).collect()
}
