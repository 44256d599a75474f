//! Answers of the vault and of the service about credentials.

use crate::app::Effect;
use crate::app::cx::{Cx, Resume, Route};
use crate::app::store::notice::Notice;
use crate::app::store::session::{Credential, Keeper};
use crate::app::store::{consent, domains, habits, withdrawals};
use crate::trade::{Failure, JournalTrouble, VaultTrouble};

/// The vault answered: what is missing is asked for.
pub fn credentials_read(cx: &mut Cx, keeper: Keeper, api_token: Credential, jwt: Credential) {
    cx.store.session.keeper = keeper;
    cx.store.session.api_token = api_token;
    cx.store.session.jwt = jwt;
    if !consent::come_first(cx, Resume::SayStored) {
        go_on(cx);
    }
    if !matches!(cx.store.session.keeper, Keeper::Trouble(_)) {
        journal_may_be_free(cx);
    }
    habits::refreshed(cx.store, None);
}

/// Begins what a session begins with, once the contract is agreed to: the list of domains, or the
/// login.
pub fn go_on(cx: &mut Cx) {
    domains::refresh_if_entered(cx);
    if !cx.store.session.api_token.is_good(cx.store.now.wall) {
        cx.open(Route::Login(None));
    }
}

/// Asks the vault again, where it was in trouble: it may have been unlocked since.
pub fn read_again(cx: &mut Cx) {
    if !matches!(cx.store.session.keeper, Keeper::Trouble(_)) {
        return;
    }
    cx.store.session.keeper = Keeper::Asking;
    cx.perform(Effect::ReadCredentials);
}

/// Reads the journal again where its trouble may have passed: the keyring that was unlocked for a
/// credential is unlocked for that too.
pub fn journal_may_be_free(cx: &mut Cx) {
    if cx.store.withdrawals.trouble.as_ref().is_some_and(JournalTrouble::may_pass) {
        withdrawals::reload(cx);
    }
}

/// The credentials are gone, or could not be taken away.
pub fn logged_out(cx: &mut Cx, result: Result<(), VaultTrouble>) {
    match result {
        Ok(()) => {
            cx.store.session.api_token = Credential::Absent;
            cx.store.session.jwt = Credential::Absent;
            // The next one to log in may be another seller, with other domains.
            domains::forget(cx);
            cx.store.say(Notice::LoggedOut);
            cx.open(Route::Login(None));
        }
        Err(trouble) => cx.store.say(Notice::Failure(Failure::Vault(trouble))),
    }
}
