//! The first look: an open withdrawal is shown before anything else, and never sent by that.

use crate::app::layer::Layer;
use crate::app::{Model, offers};
use crate::trade::Withdrawal;
use crate::trade::withdrawal::WithdrawalState;

/// Whether the first look was taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FirstLook {
    /// Not yet: the journal was not read, or somebody is logging in.
    #[default]
    Due,
    /// It was taken, or the seller had begun something else.
    Over,
}

/// Opens the details of an open withdrawal over the pane, once after the start.
///
/// Whoever is logging in gets there first; whoever has begun to do something is not interrupted,
/// the banner says it too.
pub fn take(model: &mut Model) {
    if model.withdrawals.first_look == FirstLook::Over || !model.withdrawals.list.loaded {
        return;
    }
    let logs_in = |layer: &Layer| matches!(layer, Layer::Login(_) | Layer::Jwt(_));
    if model.layers.iter().any(logs_in) {
        return;
    }
    model.withdrawals.first_look = FirstLook::Over;
    if !model.layers.is_empty() || offers::is_searching(model) {
        return;
    }
    if let Some(one) = first(model).cloned() {
        model.layers.push(Layer::Withdrawal(Box::new(one)));
    }
}

/// The one that asks most for a person: a contradiction, then what nobody can resend, then the
/// oldest.
fn first(model: &Model) -> Option<&Withdrawal> {
    model.withdrawals.open.iter().min_by_key(|one| match model.state_of(one) {
        WithdrawalState::Mismatch(_) => 0,
        WithdrawalState::NeedsPerson(_) => 1,
        _ => 2,
    })
}
