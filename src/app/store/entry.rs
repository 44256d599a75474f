//! Credentials that are missing or were refused, and the screen that puts them in place.

use crate::app::Store;
use crate::app::next::{Next, Route};
use crate::trade::{CredentialKind, Failure};

/// Opens the screen that mends a refused credential, over what was typed.
///
/// The screens below stay as they are: after the login, a form only needs to be submitted again.
pub fn mend(store: &mut Store, failure: &Failure) -> Next {
    match store.session.note(Some(failure)) {
        Some(kind) => ask(store, kind, failure.clone()),
        None => Next::none(),
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
    match store.missing(wanted) {
        Some(missing @ CredentialKind::Jwt) => ask(store, missing, Failure::NoCredential(missing)),
        Some(CredentialKind::ApiToken) | None => Next::none(),
    }
}
