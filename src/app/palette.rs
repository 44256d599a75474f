//! The palette: everything that can be done now, found by a few letters.

use std::cmp::Reverse;

use nucleo_matcher::pattern::{CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher};

use super::faults::Armed;
use super::form::{Edited, edit_text};
use super::input::{Code, Key};
use super::layer::{Layer, Palette, Wish};
use super::list::Move;
use super::search::plain;
use super::withdrawals::Flow;
use super::{Effect, Model, Stamp, act, buyer, leave, offers};

/// Opens the palette with everything that can be done.
pub fn open(model: &mut Model) -> Vec<Effect> {
    if matches!(model.layers.last(), Some(Layer::Palette(_))) {
        return vec![];
    }
    let found = wishes(model);
    act::open(model, Layer::Palette(Palette { found, ..Palette::default() }))
}

/// What can be wished for where the palette was opened.
fn wishes(model: &Model) -> Vec<Wish> {
    use super::action::{Action, Place};
    let offered = offers::offers_below_palette(model);
    let may_switch = leave::may_switch(model);
    let labelled = model.setup.labels.iter().map(|(wish, _)| wish);
    labelled
        .filter(|wish| match wish {
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
            Wish::BuyersView => model.setup.demo.is_some() && buyer::url(model).is_some(),
            Wish::StartOver => can_start_over(model),
            Wish::Story(play) => model.setup.demo.is_some() && *play != model.story.playing,
            Wish::Captions(on) => model.story.can_caption(*on),
            Wish::NoFaults => model.setup.demo.is_some() && !model.faults.is_empty(),
            _ => model.setup.demo.is_some(),
        })
        .cloned()
        .collect()
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

/// Finds what fits the letters: what begins with them, then what has a word that does, then the
/// best; the order of the table decides between equals.
pub fn find(model: &mut Model) {
    let all = wishes(model);
    let Some(Layer::Palette(palette)) = model.layers.last_mut() else { return };
    let pattern = Pattern::parse(palette.query.value(), CaseMatching::Ignore, Normalization::Smart);
    let mut matcher = Matcher::new(Config::DEFAULT);
    let mut letters = Vec::new();
    let mut scored: Vec<_> = all
        .into_iter()
        .filter_map(|wish| {
            let label = &model.setup.labels.iter().find(|(known, _)| *known == wish)?.1;
            let haystack = nucleo_matcher::Utf32Str::new(label, &mut letters);
            let score = pattern.score(haystack, &mut matcher)?;
            Some(((begins(label, palette.query.value()), Reverse(score)), wish))
        })
        .collect();
    scored.sort_by_key(|(rank, _)| *rank);
    palette.found = scored.into_iter().map(|(_, wish)| wish).collect();
    palette.cursor = 0;
}

/// How near to its beginning a label has these letters: at it, at that of a word, or elsewhere.
fn begins(label: &str, letters: &str) -> u8 {
    let (label, letters) = (plain(label), plain(letters.trim()));
    if label.starts_with(&letters) {
        0
    } else if label.split(' ').any(|word| word.starts_with(&letters)) {
        1
    } else {
        2
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
        _ => edit_text(&mut palette.query, 60, key),
    }
}

/// Does what is under the cursor.
pub fn press(model: &mut Model, stamp: &Stamp) -> Vec<Effect> {
    let Some(Layer::Palette(palette)) = model.layers.pop() else { return vec![] };
    match palette.found.into_iter().nth(palette.cursor) {
        Some(wish) => act::wish(model, wish, stamp),
        None => vec![],
    }
}
