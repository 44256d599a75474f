//! Credentials: the vault's answers about them, and the screen that puts a missing one in place.

use std::time::Duration;

use crate::app::cx::{Cx, Route};
use crate::app::store::notice::Notice;
use crate::app::store::session::{Credential, Keeper};
use crate::app::store::{consent, domains, habits, withdrawals};
use crate::app::ui::sent_form::SentForm;
use crate::app::ui::{Line, Role};
use crate::app::{Effect, Store};
use crate::trade::{CredentialKind, Failure, JournalTrouble, Ticket, VaultTrouble, Wall};

/// Opens the screen that mends a refused credential, over what was typed.
///
/// The screens below stay as they are: after the login, a form only needs to be submitted again.
pub fn mend(cx: &mut Cx, failure: &Failure) {
    if let Some(kind) = cx.store.session.note(Some(failure)) {
        ask(cx, kind, failure.clone());
    }
}

/// Opens the screen on which this credential is put in place.
pub fn ask(cx: &mut Cx, kind: CredentialKind, because: Failure) {
    cx.open(match kind {
        CredentialKind::ApiToken => Route::Login(Some(because)),
        // The demo's login yields one: there is nothing to paste.
        CredentialKind::Jwt if cx.store.setup.demo.is_some() => Route::Login(Some(because)),
        CredentialKind::Jwt => Route::Jwt(Some(because)),
    });
}

/// Asks for a credential before anything is typed into the form that was just opened, where it
/// will be needed and is missing or past its time; the form stays below.
pub fn ask_first(cx: &mut Cx, wanted: Option<CredentialKind>) {
    if let Some(kind) = cx.store.missing(wanted) {
        ask(cx, kind, Failure::NoCredential(kind));
    }
}

/// Returns the credential without which nothing can be sent.
///
/// One that seems to be past its time is none of them: that was said before anything was typed,
/// and this computer's clock may be the one that is wrong. The service decides.
pub fn lacking(store: &Store, wanted: Option<CredentialKind>) -> Option<CredentialKind> {
    store.missing(wanted).filter(|kind| over(store, *kind).is_none())
}

/// Begins the wait for the answer to a form; asks for the credential instead if it is missing,
/// since nothing is sent without it.
pub fn begin(cx: &mut Cx, sent: &mut SentForm, wanted: Option<CredentialKind>) -> Option<Ticket> {
    sent.failure = None;
    if let Some(missing) = lacking(cx.store, wanted) {
        ask(cx, missing, Failure::NoCredential(missing));
        return None;
    }
    let wait = cx.store.wait();
    sent.begin(wait);
    Some(wait.ticket)
}

/// The moment until which a credential that is held is good, where that is known.
pub fn expiry(store: &Store, kind: CredentialKind) -> Option<Wall> {
    match store.session.credential(kind) {
        Credential::Held(held) => held.expires,
        _ => None,
    }
}

/// The moment at which a credential that is held was over, where it seems to be.
fn over(store: &Store, kind: CredentialKind) -> Option<Wall> {
    expiry(store, kind).filter(|at| store.now.wall >= *at)
}

/// The time before the end of a credential from which a form says so.
const SOON: Duration = Duration::from_secs(10 * 60);

const MINUTE: Duration = Duration::from_secs(60);

/// Returns the words at the head of a form about the credential it needs: nothing, as long as that
/// is good for some time.
pub fn at_head(store: &Store, wanted: Option<CredentialKind>) -> Line {
    let known = wanted.and_then(|kind| Some((kind, expiry(store, kind)?)));
    let Some((kind, at)) = known else { return Line::default() };
    let what = store.text(match kind {
        CredentialKind::ApiToken => "credential-api-token",
        CredentialKind::Jwt => "credential-jwt",
    });
    match at.since(store.now.wall).filter(|left| !left.is_zero()) {
        None => Line::of(Role::Warn, store.with("entry-over", &[("what", &what)])),
        Some(left) if left <= SOON => {
            let minutes = left.as_millis().div_ceil(MINUTE.as_millis()).to_string();
            let said = [("what", &*what), ("minutes", &*minutes)];
            Line::of(Role::Warn, store.with("entry-ends", &said))
        }
        Some(_) => Line::default(),
    }
}

/// The time until those words are others.
pub fn to_next_word(store: &Store, wanted: Option<CredentialKind>) -> Option<Duration> {
    let left = expiry(store, wanted?)?.since(store.now.wall).filter(|left| !left.is_zero())?;
    if left > SOON {
        return Some(left - SOON);
    }
    let into = Duration::from_millis((left.as_millis() % MINUTE.as_millis()).try_into().ok()?);
    Some(if into.is_zero() { MINUTE } else { into })
}

/// Says when a credential that is held was over, where that is why it is asked for.
pub fn over_since(store: &Store, kind: CredentialKind) -> Option<String> {
    let when = store.reader().moment(over(store, kind)?);
    let id = match kind {
        CredentialKind::ApiToken => "entry-over-since-token",
        CredentialKind::Jwt => "entry-over-since-jwt",
    };
    Some(store.with(id, &[("when", &when)]))
}

/// The vault answered: what is missing is asked for.
pub fn credentials_read(cx: &mut Cx, keeper: Keeper, api_token: Credential, jwt: Credential) {
    cx.store.session.keeper = keeper;
    cx.store.session.api_token = api_token;
    cx.store.session.jwt = jwt;
    if !consent::come_first(cx, None) {
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
            cx.store.say(Notice::good("said-logged-out"));
            cx.open(Route::Login(None));
        }
        Err(trouble) => cx.store.say(Notice::Failure(Failure::Vault(trouble))),
    }
}
