//! Reads the credentials (API token and JWT) from the vault, and opens the form for a missing
//! credential.

use std::time::Duration;

use crate::app::cx::{Cx, Route};
use crate::app::store::frame_snapshot::Terms;
use crate::app::store::kiosk::{self, Limited};
use crate::app::store::notice::Notice;
use crate::app::store::session::{Credential, VaultStatus};
use crate::app::store::{consent, credential_trial, domains, key_feedback, teaching, withdrawals};
use crate::app::ui::form::Form;
use crate::app::ui::sent_form::SentForm;
use crate::app::ui::{Action, Line, Role};
use crate::app::{Effect, Store};
use crate::trade::{
    CredentialKind, Failure, JournalTrouble, Operation, Ticket, VaultTrouble, Wall,
};

/// If the service refused the credential of this operation, opens the form for a new one over the
/// current screen, or asks whether to try the other one.
///
/// The current screen keeps its contents. After the login, the seller can submit them again.
pub fn renew_refused(cx: &mut Cx, operation: Operation, failure: &Failure) {
    if credential_trial::ask(cx, operation, failure) {
        return;
    }
    if let Some(kind) = cx.store.session.note(Some(failure)) {
        open_credential_form(cx, kind, failure.clone());
    }
}

/// Opens the form for logging in, or for pasting the JWT.
pub fn open_credential_form(cx: &mut Cx, kind: CredentialKind, failure: Failure) {
    cx.open(match kind {
        CredentialKind::ApiToken => Route::Login(Some(failure)),
        // If the login provides both credentials, the seller logs in and does not paste a JWT.
        CredentialKind::Jwt if teaching::login_gives_jwt(cx.store) => Route::Login(Some(failure)),
        CredentialKind::Jwt => Route::Jwt(Some(failure)),
    });
}

/// Opens the login over a new form if a credential that the form needs is missing or expired. The
/// seller can then log in before filling in the form.
pub fn open_login_if_missing(cx: &mut Cx, needed: Option<CredentialKind>) {
    if let Some(kind) = cx.store.missing_credential(needed) {
        open_credential_form(cx, kind, Failure::NoCredential(kind));
    }
}

/// The kind of credential that a request needs, if that credential is missing.
///
/// An expired credential does not count as missing. This computer's clock may be wrong, so the
/// service decides, and the seller was already warned when the form opened.
pub fn missing_to_send(store: &Store, needed: Option<CredentialKind>) -> Option<CredentialKind> {
    store
        .missing_credential(needed)
        .filter(|kind| expired_at(store, *kind).is_none())
}

/// Starts waiting for the reply to a submitted form that creates a link or direct payment. If a
/// credential is missing, opens the login instead and sends nothing.
///
/// These forms have no review. So if a part of an amount arrived together, the first submit only
/// asks to check the amount.
///
/// In a kiosk, the number of links and direct payments is limited. If the limit is reached, nothing
/// is sent.
pub fn begin(cx: &mut Cx, form: &mut SentForm, needed: Option<CredentialKind>) -> Option<Ticket> {
    form.failure = None;
    if let Some(missing) = missing_to_send(cx.store, needed) {
        open_credential_form(cx, missing, Failure::NoCredential(missing));
        return None;
    }
    if !are_amounts_checked(cx.store, &form.form) {
        form.form.ask_to_check_amounts();
        return None;
    }
    if !kiosk::count_use(cx.store, Limited::Sale) {
        return None;
    }
    let wait = cx.store.wait();
    form.begin(wait);
    Some(wait.ticket)
}

/// True if no amount must be checked before the form is sent, or if a frame has shown the seller
/// each amount to check after the form was first submitted.
fn are_amounts_checked(store: &Store, form: &Form) -> bool {
    let Some(amounts) = form.amounts_to_check() else {
        return false;
    };
    amounts.is_empty()
        || store
            .read_tracker
            .has_shown(Terms::Amounts(amounts), store.size)
}

/// If `refused` says that a credential was missing or refused, but a valid one has been stored
/// since, returns a sentence that says so. The form shows it instead of the outdated failure.
pub fn renewal_message(store: &Store, refused: Option<&Failure>) -> Option<String> {
    let (Failure::Unauthorized {
        credential: Some(kind),
        ..
    }
    | Failure::NoCredential(kind)) = refused?
    else {
        return None;
    };
    let id = match kind {
        CredentialKind::ApiToken => "entry-renewed-token",
        CredentialKind::Jwt => "entry-renewed-jwt",
    };
    let is_valid = store.session.credential(*kind).is_good(store.now.wall);
    is_valid.then(|| store.render_cx().with_key(id, Action::Submit))
}

/// The expiry time of a stored credential, if it is known.
pub fn expiry(store: &Store, kind: CredentialKind) -> Option<Wall> {
    match store.session.credential(kind) {
        Credential::Stored(stored) => stored.expires,
        _ => None,
    }
}

/// The time at which a stored credential expired, or `None` if it has not expired.
fn expired_at(store: &Store, kind: CredentialKind) -> Option<Wall> {
    expiry(store, kind).filter(|at| store.now.wall >= *at)
}

/// How long before its credential expires a form begins to show a warning.
const WARNING_PERIOD: Duration = Duration::from_secs(10 * 60);

const MINUTE: Duration = Duration::from_secs(60);

/// The warning at the top of a form if its credential has expired or expires soon. Otherwise
/// returns an empty line.
pub fn expiry_warning(store: &Store, needed: Option<CredentialKind>) -> Line {
    let expiring = needed.and_then(|kind| Some((kind, expiry(store, kind)?)));
    let Some((kind, expires)) = expiring else {
        return Line::default();
    };
    let name = store.text(match kind {
        CredentialKind::ApiToken => "credential-api-token",
        CredentialKind::Jwt => "credential-jwt",
    });
    match expires
        .since(store.now.wall)
        .filter(|remaining| !remaining.is_zero())
    {
        None => Line::of(Role::Warn, store.with("entry-over", &[("what", &name)])),
        Some(remaining) if remaining <= WARNING_PERIOD => {
            let minutes = remaining
                .as_millis()
                .div_ceil(MINUTE.as_millis())
                .to_string();
            let values = [("what", &*name), ("minutes", &*minutes)];
            Line::of(Role::Warn, store.with("entry-ends", &values))
        }
        Some(_) => Line::default(),
    }
}

/// The time until a form must update its warning about an expiring credential.
pub fn until_warning_changes(store: &Store, needed: Option<CredentialKind>) -> Option<Duration> {
    let remaining = expiry(store, needed?)?
        .since(store.now.wall)
        .filter(|remaining| !remaining.is_zero())?;
    if remaining > WARNING_PERIOD {
        return Some(remaining - WARNING_PERIOD);
    }
    let until_next_minute = Duration::from_millis(
        (remaining.as_millis() % MINUTE.as_millis())
            .try_into()
            .ok()?,
    );
    Some(if until_next_minute.is_zero() {
        MINUTE
    } else {
        until_next_minute
    })
}

/// A sentence that states when the stored credential expired, or `None` if it has not expired.
pub fn expiry_message(store: &Store, kind: CredentialKind) -> Option<String> {
    let when = store.render_cx().moment(expired_at(store, kind)?);
    let id = match kind {
        CredentialKind::ApiToken => "entry-over-since-token",
        CredentialKind::Jwt => "entry-over-since-jwt",
    };
    Some(store.with(id, &[("when", &when)]))
}

/// Stores the credentials that were read from the vault. Then opens the consent page or the login
/// if the seller has to agree or log in.
pub fn credentials_read(
    cx: &mut Cx,
    vault_status: VaultStatus,
    api_token: Credential,
    jwt: Credential,
) {
    cx.store.session.vault_status = vault_status;
    cx.store.session.api_token = api_token;
    cx.store.session.jwt = jwt;
    if !consent::open_if_pending(cx, None) {
        begin_session(cx);
    }
    if !matches!(cx.store.session.vault_status, VaultStatus::Trouble(_)) {
        retry_journal(cx);
    }
    key_feedback::confirm_refresh(cx.store, None);
}

/// Continues after the seller has agreed to the API contract. Requests the list of checkout
/// domains, and opens the login if there is no valid API token.
pub fn begin_session(cx: &mut Cx) {
    domains::refresh_if_entered(cx);
    if !cx.store.session.api_token.is_good(cx.store.now.wall) {
        cx.open(Route::Login(None));
    }
}

/// Reads the credentials again if the last attempt failed. The user may have unlocked the vault
/// since then.
pub fn read_again(cx: &mut Cx) {
    if !matches!(cx.store.session.vault_status, VaultStatus::Trouble(_)) {
        return;
    }
    cx.store.session.vault_status = VaultStatus::Asking;
    cx.perform(Effect::ReadCredentials);
}

/// Reads the journal again if it could not be read because of a temporary problem. The journal uses
/// the vault too, so unlocking the vault for a credential may also unlock the journal.
pub fn retry_journal(cx: &mut Cx) {
    if cx
        .store
        .withdrawals
        .trouble
        .as_ref()
        .is_some_and(JournalTrouble::is_transient)
    {
        withdrawals::reload(cx);
    }
}

/// Handles the result of deleting the credentials from the vault.
pub fn logged_out(cx: &mut Cx, result: Result<(), VaultTrouble>) {
    match result {
        Ok(()) => {
            cx.store.session.api_token = Credential::Absent;
            cx.store.session.jwt = Credential::Absent;
            // The next login may be for another account with other checkout domains, so discard the
            // list.
            domains::forget(cx);
            let is_kiosk = cx.store.setup.kiosk().is_some();
            let message_id = if is_kiosk {
                "said-kiosk-ready"
            } else {
                "said-logged-out"
            };
            cx.store.notify(Notice::good(message_id));
            cx.open(Route::Login(None));
        }
        Err(trouble) => cx.store.notify(Notice::NotLoggedOut(trouble)),
    }
}
