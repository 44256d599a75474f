//! Credentials that are missing or were refused, and the screen that puts them in place.

use std::time::Duration;

use crate::app::Store;
use crate::app::cx::{Cx, Route};
use crate::app::store::session::Credential;
use crate::app::ui::sent_form::SentForm;
use crate::app::ui::{Line, Role};
use crate::trade::{CredentialKind, Failure, Ticket, Wall};

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
