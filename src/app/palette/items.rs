//! The lines of the palette, and the words they are found by.

use super::Wish;
use super::{Item, is_guarded};
use crate::app::Pane;
use crate::app::action::{Action, Place};
use crate::words::{Lang, Words};

/// The palette's lines in this language, found by the words of every language; `faults` are those
/// the demo can arm.
pub fn items(lang: Lang, faults: &[&str]) -> Vec<Item> {
    let words = Words::of(lang);
    let faults = faults.iter().map(|name| Wish::Fault((*name).into()));
    let spoken = Lang::ALL.map(Words::of);
    let every = |id: &str| spoken.map(|words| words.text(id)).join(" ");
    let item = |wish: Wish| {
        let label = called(words, &wish);
        let (also, only) = (format!("also-{}", name(&wish)), format!("only-{}", name(&wish)));
        let is_guarded = is_guarded(&wish);
        let item = Item::new(wish, &label).also(&every(&also));
        if is_guarded { item.only(&every(&only)) } else { item }
    };
    wishes(faults).map(item).collect()
}

/// Every line there can be, in the order of the palette.
fn wishes(faults: impl Iterator<Item = Wish>) -> impl Iterator<Item = Wish> {
    let actions = Action::ALL.iter().copied().filter(|action| can_be_wished(*action));
    let actions = actions.map(Wish::Do);
    // The panes are the first of the actions; to look is before to make.
    let panes = Pane::ALL.len();
    let rest = actions.clone().skip(panes);
    actions
        .take(panes)
        .chain([Pane::Links, Pane::Withdrawals, Pane::Charges].map(Wish::New))
        .chain(rest)
        .chain([Wish::BuyersView, Wish::Story(true), Wish::Story(false)])
        .chain([Wish::Captions(false), Wish::Captions(true)])
        .chain(faults)
        .chain([Wish::NoFaults, Wish::DomainsDown(true), Wish::DomainsDown(false)])
        .chain([Wish::Forward, Wish::StartOver])
}

/// The messages with the words that the palette's lines are found by.
pub fn alias_messages() -> Vec<String> {
    let all = || wishes([Wish::Fault("any".into())].into_iter());
    let also = all().map(|wish| format!("also-{}", name(&wish)));
    let guarded = all().filter(is_guarded);
    also.chain(guarded.map(|wish| format!("only-{}", name(&wish)))).collect()
}

/// The name of a line in the words; every fault has the same.
fn name(wish: &Wish) -> &'static str {
    match wish {
        Wish::Do(action) => action.name(),
        Wish::New(Pane::Withdrawals) => "new-withdrawal",
        Wish::New(Pane::Charges) => "new-charge",
        Wish::New(_) => "new-link",
        Wish::BuyersView => "buyers-view",
        Wish::Story(true) => "story",
        Wish::Story(false) => "story-stop",
        Wish::Captions(false) => "captions-off",
        Wish::Captions(true) => "captions-on",
        Wish::Fault(_) => "fault",
        Wish::NoFaults => "no-faults",
        Wish::DomainsDown(true) => "domains-down",
        Wish::DomainsDown(false) => "domains-up",
        Wish::Forward => "forward",
        Wish::StartOver => "start-over",
    }
}

fn called(words: &Words, wish: &Wish) -> String {
    match wish {
        Wish::Do(action) => capital(&words.text(&format!("action-{}.help", action.name()))),
        Wish::Fault(name) => fault(words, name),
        wish => words.text(&format!("wish-{}", name(wish))),
    }
}

/// What a fault of the demo is called.
fn fault(words: &Words, name: &str) -> String {
    words.text(&format!("fault-{name}"))
}

/// Moving about is not a wish, and neither is what only a form or a question knows. What `n` and
/// `q` do depends on where they are pressed: their lines say what it is.
fn can_be_wished(action: Action) -> bool {
    use Action::{Back, Down, First, Last, New, PageDown, PageUp, Palette, Quit, Up};
    let moves = [Up, Down, PageUp, PageDown, First, Last, Back, Palette, New, Quit];
    let moves = moves.contains(&action);
    matches!(action.place(), Place::Anywhere | Place::Lists) && !moves
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|c| c.to_uppercase().to_string());
    format!("{}{}", first.unwrap_or_default(), chars.as_str())
}
