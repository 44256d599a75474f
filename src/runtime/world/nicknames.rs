//! Effects for the nicknames of Pix keys, which are in the history database. Searching the
//! withdrawals, which are in the money journal, first finds the keys with a matching nickname.

use std::sync::Arc;

use super::{RealWorld, WorldContext};
use crate::app::ui::list::PageRequest;
use crate::app::{MoneyCommand, Msg};
use crate::journal::history::History;
use crate::runtime::history::in_history;
use crate::runtime::newest::QueryNumber;
use crate::trade::{Account, Failure, JournalTrouble, Nickname, PixKey, Search, Ticket};

impl RealWorld {
    /// Loads a page of withdrawals. A search first finds the keys with a matching nickname.
    pub(super) fn load_withdrawals(&mut self, request: Box<PageRequest>) {
        let number = self.context.stores.withdrawals.begin();
        if request.search.terms.is_empty() {
            self.submit(MoneyCommand::Load(request));
        } else {
            self.spawn(None, move |cx| search_withdrawals(cx, number, request));
        }
    }
}

/// Looks up the nicknames of these Pix keys.
pub async fn read(context: Arc<WorldContext>, keys: Vec<(Account, PixKey)>) -> Msg {
    let nicknames = in_history(&context.stores.history, move |h| h.nicknames_of(keys)).await;
    Msg::NicknamesRead(nicknames.map(Arc::new))
}

/// Sets or removes the seller's nickname for a Pix key. Nicknames are stored only on this computer.
pub async fn set(
    context: Arc<WorldContext>,
    ticket: Ticket,
    (account, key, name): (Account, PixKey, Option<Nickname>),
) -> Msg {
    let at = context.setup.clock.now().wall;
    let result = in_history(&context.stores.history, move |h| {
        h.set_nickname(&account, &key, name.as_ref(), at)
    })
    .await;
    Msg::Nicknamed {
        ticket,
        result: result.map(Arc::new).map_err(Failure::Journal),
    }
}

/// Adds the Pix keys with a matching nickname to a search for withdrawals, and then submits it,
/// unless a newer request for withdrawals has replaced it.
///
/// Ignores errors of the history, because withdrawals can also be found without nicknames.
async fn search_withdrawals(
    context: Arc<WorldContext>,
    number: QueryNumber,
    mut request: Box<PageRequest>,
) -> Option<Msg> {
    let search = request.search.clone();
    let loads = context.stores.withdrawals.clone();
    let is_replaced = move || !loads.is_newest(number);
    let found = in_history(&context.stores.history, move |history| {
        let is_late = is_replaced();
        let found = history.run_cancellable(is_replaced, |h| {
            if is_late {
                Ok(None)
            } else {
                add_destinations(h, search).map(Some)
            }
        });
        found.unwrap_or(Ok(None))
    })
    .await;
    match found {
        Ok(Some(search)) => request.search = search,
        Ok(None) => return None,
        Err(_) => {}
    }
    // The check and the submission are one step, because an older request must never replace a
    // newer one that waits.
    let stores = &context.stores;
    let submit = || stores.money.submit(MoneyCommand::Load(request));
    let submitted = stores.withdrawals.act_if_newest(number, submit)?;
    submitted.err().map(|reply| *reply)
}

/// Adds the Pix keys with a matching nickname to each term of a search.
pub(super) fn add_destinations(
    history: &History,
    mut search: Search,
) -> Result<Search, JournalTrouble> {
    for term in &mut search.terms {
        term.destinations = history.keys_with_nickname(&term.text)?;
    }
    Ok(search)
}
