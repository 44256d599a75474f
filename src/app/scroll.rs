//! How far the text in front is scrolled: to its end, and no further.

use std::mem::{Discriminant, discriminant};

use super::layer::Layer;
use super::list::Move;
use super::withdrawals::{Flow, guide};
use super::{Model, Pane, seen};
use crate::trade::IdempotencyKey;
use crate::trade::withdrawal::WithdrawalState;

/// Scrolls the text in front; from its end the first key back is one that moves.
///
/// How long it is, its last frame said. Before it had one it is scrolled without an end, which the
/// next frame finds.
pub fn go(model: &mut Model, to: Move) {
    let last = seen::in_front(model).map_or(u16::MAX, |seen| seen.overflow.lines);
    // The window may have grown, or the text become shorter, since it was scrolled.
    let first = model.scroll.min(last);
    model.scroll = match to {
        Move::By(lines) => {
            let by = i32::try_from(lines).unwrap_or(if lines < 0 { i32::MIN } else { i32::MAX });
            let to = i32::from(first).saturating_add(by).clamp(0, i32::from(last));
            u16::try_from(to).unwrap_or(last)
        }
        Move::First => 0,
        Move::Last => last,
        Move::To(line) => u16::try_from(line).unwrap_or(u16::MAX).min(last),
    };
}

/// How many lines of the text in front had no room on its last frame.
pub fn hidden(model: &Model) -> u16 {
    seen::in_front(model).map_or(0, |seen| seen.overflow.lines)
}

/// Whether the pane in front is a text and nothing else now.
pub fn is_all_of_pane(model: &Model) -> bool {
    let withdrawals = &model.withdrawals;
    match model.pane {
        Pane::Account => true,
        Pane::Withdrawals => is_locked(model) && withdrawals.list.page.total == 0,
        Pane::Links | Pane::Domains | Pane::Charges | Pane::Exchanges => false,
    }
}

/// Whether the withdrawals' pane says why nothing new is withdrawn.
pub fn is_locked(model: &Model) -> bool {
    let withdrawals = &model.withdrawals;
    withdrawals.trouble.is_some() || withdrawals.network.is_some() || !withdrawals.beside.is_empty()
}

/// How many lines a page of the text below the list in front has, where not all of it has room.
pub fn page_below(model: &Model) -> Option<u16> {
    if !model.layers.is_empty() {
        return None;
    }
    let overflow = seen::in_front(model)?.overflow;
    (overflow.lines > 0).then_some(overflow.page.max(1))
}

/// What is in front.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Front {
    pane: Pane,
    layers: usize,
    layer: Option<Discriminant<Layer>>,
    step: Option<Discriminant<Flow>>,
    withdrawal: Option<(IdempotencyKey, Discriminant<WithdrawalState>)>,
    /// Whether the journal's trouble stands in place of the withdrawals.
    trouble: bool,
}

impl Front {
    /// What is in front now.
    pub fn of(model: &Model) -> Front {
        let top = model.layers.last();
        let step = match top {
            Some(Layer::Withdraw(flow)) => Some(discriminant(flow)),
            _ => None,
        };
        let layers = model.layers.len();
        // Another window may settle it while it is read here.
        let withdrawal = guide::subject(model)
            .map(|one| (one.agreement.key, discriminant(&model.state_of(one))));
        let trouble = is_locked(model);
        let layer = top.map(discriminant);
        Front { pane: model.pane, layers, layer, step, withdrawal, trouble }
    }
}

/// Something else than this came to the front: it is read from its first line.
pub fn begin(model: &mut Model, before: Front) {
    if Front::of(model) != before {
        model.scroll = 0;
    }
}
