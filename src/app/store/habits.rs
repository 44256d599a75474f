//! Habits of the hand: what a refresh did, and keys that mean something elsewhere.

use std::collections::BTreeSet;

use crate::app::store::notice::Notice;
use crate::app::ui::action::Action;
use crate::app::{Effect, MoneyCommand, Msg, Pane, Store};
use crate::trade::Ticket;

/// The habits of the hand at the keys, as far as they are remembered.
#[derive(Debug, Clone, Default)]
pub struct Habits {
    /// The actions of which a notice said that they do nothing in a pane: once is enough.
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

impl Habits {
    /// Returns true the first time that a key does nothing in this pane, which a notice then says.
    pub fn is_news(&mut self, pane: Pane, action: Action) -> bool {
        self.told.insert((pane, action))
    }
}

/// Remembers the question that a key asked, so that a notice can say when the answer is here.
pub fn refreshing(store: &mut Store, effects: Vec<Effect>) -> Vec<Effect> {
    let question = effects.iter().find_map(|effect| match effect {
        Effect::LoadLinks(ask) | Effect::LoadCharges(ask) => {
            Some(RefreshQuestion::Numbered(ask.ticket))
        }
        Effect::Money(MoneyCommand::Load(ask)) => Some(RefreshQuestion::Numbered(ask.ticket)),
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

/// Says that the answer a key asked for is here, if one did; another notice goes first.
pub fn refreshed(store: &mut Store, answer: Option<(RefreshQuestion, bool)>) {
    let Some((question, is_good)) = answer else { return };
    let Some((pane, asked)) = store.habits.refresh else { return };
    if asked != question {
        return;
    }
    store.habits.refresh = None;
    if is_good && pane == store.pane && store.notice.is_none() {
        store.say(Notice::Refreshed);
    }
}
