//! Answers of the vault and of the service about credentials.

use crate::app::next::{Next, Route};
use crate::app::store::notice::Notice;
use crate::app::store::session::{Credential, Keeper};
use crate::app::store::{consent, domains, withdrawals};
use crate::app::{Effect, Store};
use crate::trade::{Failure, JournalTrouble, VaultTrouble};

/// The vault answered: what is missing is asked for.
pub fn credentials_read(
    store: &mut Store,
    keeper: Keeper,
    api_token: Credential,
    jwt: Credential,
) -> Next {
    store.session.keeper = keeper;
    store.session.api_token = api_token;
    store.session.jwt = jwt;
    let page = consent::come_first(store, consent::say_stored);
    let mut next = page.unwrap_or_else(|| go_on(store));
    if !matches!(store.session.keeper, Keeper::Trouble(_)) {
        next = next.and(journal_may_be_free(store));
    }
    next
}

/// Begins what a session begins with, once the contract is agreed to: the list of domains, or the
/// login.
pub fn go_on(store: &mut Store) -> Next {
    let next = domains::refresh_if_entered(store);
    match store.session.api_token.is_good(store.now.wall) {
        true => next,
        false => next.and(Next::open(Route::Login(None))),
    }
}

/// Asks the vault again, where it was in trouble: it may have been unlocked since.
pub fn read_again(store: &mut Store) -> Next {
    if !matches!(store.session.keeper, Keeper::Trouble(_)) {
        return Next::none();
    }
    store.session.keeper = Keeper::Asking;
    Effect::ReadCredentials.into()
}

/// Reads the journal again where its trouble may have passed: the keyring that was unlocked for a
/// credential is unlocked for that too.
pub fn journal_may_be_free(store: &mut Store) -> Next {
    match store.withdrawals.trouble.as_ref().is_some_and(JournalTrouble::may_pass) {
        true => withdrawals::reload(store).into(),
        false => Next::none(),
    }
}

/// The credentials are gone, or could not be taken away.
pub fn logged_out(store: &mut Store, result: Result<(), VaultTrouble>) -> Next {
    match result {
        Ok(()) => {
            store.session.api_token = Credential::Absent;
            store.session.jwt = Credential::Absent;
            // The next one to log in may be another seller, with other domains.
            let next = domains::forget(store);
            store.say(Notice::LoggedOut);
            next.and(Next::open(Route::Login(None)))
        }
        Err(trouble) => {
            store.say(Notice::Failure(Failure::Vault(trouble)));
            Next::none()
        }
    }
}
