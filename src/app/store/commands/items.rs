//! The lines of the palette, and the words they are found by.

use crate::app::store::commands::{Command, Item, is_guarded};
use crate::app::ui::action::{Action, Place};
use crate::app::ui::text::capital;
use crate::app::{OtherProfile, Pane};
use crate::trade::Untrusted;
use crate::words::{Lang, Words};

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
