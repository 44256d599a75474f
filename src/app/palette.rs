//! The palette: everything that can be done now, found by the beginnings of a few words.

mod items;
mod ranking;

use super::action::{Action, Place};
use super::faults::Armed;
use super::form::{Edited, edit_text};
use super::input::{Code, Key};
use super::layer::{Layer, Palette, Wish};
use super::list::Move;
use super::withdrawals::Flow;
use super::{Effect, Model, Pane, Stamp, act, buyer, leave, offers};
use ranking::{Typed, words};

pub use items::{alias_messages, items};

/// The most characters that are searched for.
pub const MOST: usize = 60;

/// A line of the palette, and the words it is found by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// What it does.
    pub wish: Wish,
    /// What it is called, in the language of the run.
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
    pub fn new(wish: Wish, label: &str) -> Item {
        Item { wish, label: label.into(), words: words(label), also: vec![], only: vec![] }
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

/// Whether it undoes, ends or gets in the way of something: a few letters never find it.
pub fn is_guarded(wish: &Wish) -> bool {
    match wish {
        Wish::Do(action) => {
            matches!(action, Action::Leave | Action::Quit | Action::LogOut | Action::Discard)
        }
        Wish::Fault(_) | Wish::StartOver | Wish::Forward | Wish::DomainsDown(true) => true,
        Wish::New(_)
        | Wish::BuyersView
        | Wish::NoFaults
        | Wish::DomainsDown(false)
        | Wish::Story(_)
        | Wish::Captions(_) => false,
    }
}

/// Opens the palette with everything that can be done.
pub fn open(model: &mut Model) -> Vec<Effect> {
    if matches!(model.layers.last(), Some(Layer::Palette(_))) {
        return vec![];
    }
    let effects = act::open(model, Layer::Palette(Palette::default()));
    find(model);
    effects
}

/// What can be wished for where the palette was opened, and whether it is about what is in front.
fn wishes(model: &Model) -> Vec<(&Item, bool)> {
    let offered = offers::offers_below_palette(model);
    let may_switch = leave::may_switch(model);
    let is_demo = model.setup.demo.is_some();
    let is_new_here = |pane: Pane| model.pane == pane && offered.contains(&Action::New);
    let can_do = |wish: &Wish| match wish {
        Wish::Do(Action::Palette | Action::Back) => false,
        Wish::Do(Action::ShowOther) => offered.contains(&Action::ShowOther),
        Wish::Do(
            Action::Links
            | Action::Domains
            | Action::Withdrawals
            | Action::Charges
            | Action::Exchanges
            | Action::Account,
        ) => may_switch,
        Wish::Do(action) => action.place() == Place::Anywhere || offered.contains(action),
        Wish::New(Pane::Withdrawals) if !offers::can_withdraw(model) => false,
        Wish::New(pane) => may_switch || is_new_here(*pane),
        Wish::BuyersView => is_demo && buyer::url(model).is_some(),
        Wish::StartOver => can_start_over(model),
        Wish::Story(play) => is_demo && *play != model.story.playing,
        Wish::Captions(on) => model.story.can_caption(*on),
        Wish::NoFaults => is_demo && !model.faults.is_empty(),
        Wish::Fault(_) | Wish::DomainsDown(_) | Wish::Forward => is_demo,
    };
    let fits_screen = |wish: &Wish| match wish {
        Wish::Do(action) => offered.contains(action),
        Wish::New(pane) => is_new_here(*pane),
        _ => false,
    };
    let items = model.setup.labels.iter().filter(|item| can_do(&item.wish));
    items.map(|item| (item, fits_screen(&item.wish))).collect()
}

/// Whether the demo can start over: not while money is on its way, whose end would be lost.
pub fn can_start_over(model: &Model) -> bool {
    let on_its_way = |layer: &Layer| {
        matches!(layer, Layer::Withdraw(Flow::Preparing { .. } | Flow::Sending { .. }))
    };
    let quiet = model.withdrawals.in_flight.is_none() && !model.layers.iter().any(on_its_way);
    quiet && model.setup.demo.as_ref().is_some_and(|demo| demo.starts_over)
}

/// Other faults lie in wait: in a palette that is open the cursor stays on its line.
pub fn faults_in_wait(model: &mut Model, faults: Vec<Armed>) -> Vec<Effect> {
    model.faults = faults;
    let Some(Layer::Palette(palette)) = model.layers.last() else { return vec![] };
    let under_cursor = palette.found.get(palette.cursor).cloned();
    find(model);
    if let Some(Layer::Palette(palette)) = model.layers.last_mut() {
        let found = palette.found.iter().position(|wish| Some(wish) == under_cursor.as_ref());
        palette.cursor = found.unwrap_or(0);
    }
    vec![]
}

/// Finds what fits what was typed, best first; the order of the table decides between equals.
pub fn find(model: &mut Model) {
    let Some(Layer::Palette(palette)) = model.layers.last() else { return };
    let typed = Typed::new(palette.query.value());
    let ranked = wishes(model).into_iter().filter_map(|(item, fits_screen)| {
        let rank = typed.rank(item, fits_screen, &model.recent_wishes)?;
        Some((rank, item.wish.clone()))
    });
    let mut ranked: Vec<_> = ranked.collect();
    ranked.sort_by(|(rank, _), (other, _)| rank.cmp(other));
    let found = ranked.into_iter().map(|(_, wish)| wish).collect();
    if let Some(Layer::Palette(palette)) = model.layers.last_mut() {
        (palette.found, palette.cursor) = (found, 0);
    }
}

/// Types into the palette, or moves in it; what moves up and down is not for the text.
pub fn type_key(palette: &mut Palette, rows: u16, key: Key) -> Edited {
    let last = palette.found.len().saturating_sub(1);
    let to = match key.code {
        Code::PageUp => Some(Move::By(-i64::from(rows))),
        Code::PageDown => Some(Move::By(i64::from(rows))),
        Code::Home => Some(Move::First),
        Code::End => Some(Move::Last),
        _ => None,
    };
    if let Some(to) = to {
        palette.cursor = act::moved(palette.cursor, last, to);
        return Edited::Taken;
    }
    match key.code {
        Code::Up | Code::Down | Code::Tab | Code::BackTab => Edited::Ignored,
        _ => edit_text(&mut palette.query, MOST, key),
    }
}

/// Does what is under the cursor; where nothing was found, nothing.
pub fn press(model: &mut Model, stamp: &Stamp) -> Vec<Effect> {
    let Some(Layer::Palette(palette)) = model.layers.last() else { return vec![] };
    let Some(wish) = palette.found.get(palette.cursor).cloned() else { return vec![] };
    model.layers.pop();
    // Each wish is there once, so this grows no longer than the palette.
    model.recent_wishes.retain(|before| *before != wish);
    model.recent_wishes.insert(0, wish.clone());
    act::wish(model, wish, stamp)
}
