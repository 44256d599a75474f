//! Credentials that are missing or were refused, and the screen that puts them in place.

use super::route::{Next, Route};
use crate::app::Store;
use crate::app::action::Action;
use crate::app::session::Credential;
use crate::trade::{CredentialKind, Failure};

/// What every refused credential leads to: the screen that mends it, over what was typed.
///
/// What lies below stays as it is, so that after logging in it only needs to be sent again.
pub fn mend(store: &mut Store, failure: &Failure) -> Next {
    match note(store, Some(failure)) {
        Some(kind) => ask(store, kind, failure.clone()),
        None => Next::none(),
    }
}

/// Remembers what a failure says about a credential, and which one it was.
pub fn note(store: &mut Store, failure: Option<&Failure>) -> Option<CredentialKind> {
    match failure? {
        Failure::Unauthorized { credential: Some(kind), .. } => {
            store.session.credential_mut(*kind).refuse();
            Some(*kind)
        }
        Failure::NoCredential(kind) => {
            *store.session.credential_mut(*kind) = Credential::Absent;
            Some(*kind)
        }
        _ => None,
    }
}

/// Opens the screen on which this credential is put in place.
pub fn ask(store: &Store, kind: CredentialKind, because: Failure) -> Next {
    Next::open(match kind {
        CredentialKind::ApiToken => Route::Login(Some(because)),
        // The demo's login yields one: there is nothing to paste.
        CredentialKind::Jwt if store.setup.demo.is_some() => Route::Login(Some(because)),
        CredentialKind::Jwt => Route::Jwt(Some(because)),
    })
}

/// Asks for the JWT before anything is typed into the form that was just opened, where it will be
/// needed and is not at hand; the form stays below.
pub fn ask_jwt_first(store: &Store, wanted: Option<CredentialKind>) -> Next {
    match missing(store, wanted) {
        Some(missing @ CredentialKind::Jwt) => ask(store, missing, Failure::NoCredential(missing)),
        Some(CredentialKind::ApiToken) | None => Next::none(),
    }
}

/// The credential a call needs and that is not at hand; before the vault answers none is known to
/// be missing.
pub fn missing(store: &Store, wanted: Option<CredentialKind>) -> Option<CredentialKind> {
    wanted.filter(|kind| match store.session.credential(*kind) {
        Credential::Unknown => false,
        known => !known.is_good(store.now.wall),
    })
}

/// The action that puts this credential in place; the demo's login yields both.
pub fn action(store: &Store, kind: CredentialKind) -> Action {
    match kind {
        CredentialKind::Jwt if store.setup.demo.is_none() => Action::PasteJwt,
        CredentialKind::Jwt | CredentialKind::ApiToken => Action::LogIn,
    }
}
