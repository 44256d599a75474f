//! Habits of the hand: what a refresh did, and keys that mean something elsewhere.

use std::collections::BTreeSet;

use super::action::Action;
use super::{Effect, Model, Msg, Pane, Said, Store};
use crate::trade::Ticket;

/// What is remembered of a hand's habits.
#[derive(Debug, Clone, Default)]
pub struct Habits {
    /// What was said to do nothing, and where: once is enough.
    told: BTreeSet<(Pane, Action)>,
    /// The refresh that was asked for by a key, and in which pane.
    refresh: Option<(Pane, RefreshQuestion)>,
}

/// A question that a refresh asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RefreshQuestion {
    /// The one of this number.
    Numbered(Ticket),
    /// The vault's, which has none.
    Vault,
}

/// Keys that are pressed from habit, since most panes have a use for them.
const HABITUAL: [Action; 9] = [
    Action::New,
    Action::Repeat,
    Action::Refresh,
    Action::Send,
    Action::Copy,
    Action::CopyMessage,
    Action::Browse,
    Action::Qr,
    Action::Search,
];

/// A key that does nothing here says so, once in each pane.
pub fn not_here(model: &mut Model, action: Action) -> Vec<Effect> {
    // What is being typed, read or agreed to is not distracted from.
    let is_looking = model.layers.last().is_none_or(|layer| layer.screen().is_looked_at());
    let is_new = is_looking && HABITUAL.contains(&action) && is_first(model, action);
    if is_new {
        model.say(Said::NotHere(action));
    }
    vec![]
}

fn is_first(model: &mut Model, action: Action) -> bool {
    let pane = model.pane;
    model.habits.told.insert((pane, action))
}

/// Remembers what a key asked for: its answer is said to be here.
pub fn refreshing(store: &mut Store, effects: Vec<Effect>) -> Vec<Effect> {
    let question = effects.iter().find_map(|effect| match effect {
        Effect::LoadLinks(ask) | Effect::LoadWithdrawals(ask) | Effect::LoadCharges(ask) => {
            Some(RefreshQuestion::Numbered(ask.ticket))
        }
        Effect::ListDomains(ticket) => Some(RefreshQuestion::Numbered(*ticket)),
        Effect::ReadCredentials => Some(RefreshQuestion::Vault),
        _ => None,
    });
    store.habits.refresh = question.map(|question| (store.pane, question));
    effects
}

/// The question that a message answers, and whether it answers with what was asked for.
pub fn answered(msg: &Msg) -> Option<(RefreshQuestion, bool)> {
    let numbered = |ticket: &Ticket, is_good| Some((RefreshQuestion::Numbered(*ticket), is_good));
    match msg {
        Msg::LinksLoaded { ticket, result } => numbered(ticket, result.is_ok()),
        Msg::ChargesLoaded { ticket, result } => numbered(ticket, result.is_ok()),
        Msg::DomainsListed { ticket, result } => numbered(ticket, result.is_ok()),
        Msg::WithdrawalsLoaded { ticket, result } => {
            numbered(ticket, result.as_ref().is_ok_and(|read| read.locked.is_none()))
        }
        Msg::CredentialsRead { .. } => Some((RefreshQuestion::Vault, true)),
        _ => None,
    }
}

/// Says that what a key asked for is here, where it was asked for; what else is said comes first.
pub fn refreshed(store: &mut Store, answer: Option<(RefreshQuestion, bool)>) {
    let Some((question, is_good)) = answer else { return };
    let Some((pane, asked)) = store.habits.refresh else { return };
    if asked != question {
        return;
    }
    store.habits.refresh = None;
    if is_good && pane == store.pane && store.notice.is_none() {
        store.say(Said::Refreshed);
    }
}
