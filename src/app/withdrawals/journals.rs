//! Several journals of withdrawals: the seller picks the one that is the live one.
//!
//! Earlier builds kept one for each address. While another one holds what may be the same payment,
//! nothing new is withdrawn: it is picked first, and what is in it is finished.

use std::path::PathBuf;

use crate::app::layer::{Layer, Question};
use crate::app::list::Move;
use crate::app::update::{load, say};
use crate::app::{Effect, Model, Said, act, links, scroll};
use crate::trade::{JournalTrouble, OtherJournal};

/// The journals that can be picked.
pub fn all(model: &Model) -> &[OtherJournal] {
    match &model.withdrawals.trouble {
        Some(JournalTrouble::Several(all)) => all,
        _ => &model.withdrawals.beside,
    }
}

/// Shows them.
pub fn open(model: &mut Model) -> Vec<Effect> {
    act::open(model, Layer::Journals { cursor: 0 })
}

/// Goes to another one, once this one was seen to its end.
pub fn step(model: &mut Model, to: Move) {
    let last = all(model).len().saturating_sub(1);
    let (scrolled, hidden) = (model.scroll, scroll::hidden(model));
    let Some(Layer::Journals { cursor }) = model.layers.last_mut() else { return };
    let goes_on = match to {
        Move::By(lines) => lines < 0 && scrolled > 0 || lines > 0 && scrolled < hidden,
        Move::Last => *cursor >= last,
        Move::First | Move::To(_) => false,
    };
    if goes_on {
        return scroll::go(model, to);
    }
    let before = std::mem::replace(cursor, act::moved(*cursor, last, to));
    let went_back = *cursor < before && matches!(to, Move::By(_));
    // Who comes from below sees its end first.
    model.scroll = if went_back { u16::MAX } else { 0 };
}

/// Asks whether the one under the cursor is meant.
pub fn ask(model: &mut Model, cursor: usize) -> Vec<Effect> {
    let picked = all(model).get(cursor).map(|one| one.dir.clone());
    picked.map(|dir| act::ask(model, Question::PickJournal(dir))).unwrap_or_default()
}

/// Has it picked.
pub fn pick(dir: PathBuf) -> Vec<Effect> {
    vec![Effect::PickJournal(dir)]
}

/// Another journal is the live one, or is not: everything is read again.
pub fn picked(model: &mut Model, result: Result<(), JournalTrouble>) -> Vec<Effect> {
    model.layers.retain(|layer| !matches!(layer, Layer::Journals { .. } | Layer::Withdrawal(_)));
    let list = std::mem::take(&mut model.withdrawals.list);
    model.withdrawals = super::State::default();
    // The questions of before are not answered for this one.
    model.withdrawals.list.searching = list.searching;
    model.links = links::State::default();
    model.charges = crate::app::list::List::default();
    let mut effects = load(model);
    effects.extend(say(
        model,
        match result {
            Ok(()) => Said::JournalPicked,
            Err(trouble) => Said::JournalNotPicked(trouble),
        },
    ));
    effects
}

/// Takes them away when there is nothing to pick any more.
pub fn drop_if_done(model: &mut Model) {
    if all(model).is_empty() {
        let about_it = |layer: &Layer| match layer {
            Layer::Journals { .. } => true,
            Layer::Ask(ask) => matches!(ask.question, Question::PickJournal(_)),
            _ => false,
        };
        model.layers.retain(|layer| !about_it(layer));
    }
}
