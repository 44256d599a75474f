//! The settings of the API contract that the seller agreed to.
//!
//! The screens use this copy. Before each request, the HTTP client itself checks the agreement that
//! is stored in the vault.

use crate::app::Msg;
use crate::app::Store;
use crate::app::cx::{Cx, Route, ScreenCommand};
use crate::app::message::TaughtContract;
use crate::app::store::notice::Notice;
use crate::app::store::session::VaultStatus;
use crate::app::store::teaching;
use crate::app::ui::Action;
use crate::contract::{ContractLines, LineChange};
use crate::trade::withdrawal::{Class, NotSent};
use crate::trade::{CredentialKind, Failure, NoQuote, Untrusted, VaultTrouble};

/// The contract settings that decide how each credential is sent.
const CREDENTIAL_LINES: [(CredentialKind, &str); 2] = [
    (CredentialKind::Jwt, "credential.jwt.headers"),
    (CredentialKind::ApiToken, "credential.api-token.headers"),
];

/// Returns the contract settings that the seller must agree to before anything is sent. The list is
/// empty while the vault is being read.
pub fn pending(store: &Store) -> Vec<LineChange> {
    match store.session.vault_status {
        VaultStatus::Asking => vec![],
        _ => store.setup.contract.to_agree(store.agreed_lines.as_ref()),
    }
}

/// If the seller must agree to contract settings first, opens the consent page and returns true.
/// `then` runs after the seller has agreed.
pub fn open_if_pending(cx: &mut Cx, then: Option<ScreenCommand>) -> bool {
    let is_pending = !pending(cx.store).is_empty();
    if is_pending {
        cx.open(Route::Consent(then.map(Box::new)));
    }
    is_pending
}

/// Returns the contract settings that the consent page shows. The demo shows none unless an
/// agreement is needed, because its contract is built in.
pub fn to_read(store: &Store) -> Vec<LineChange> {
    let contract = &store.setup.contract;
    match store.setup.demo.is_some() && !contract.needs_consent() {
        true => vec![],
        false => contract.to_read(store.agreed_lines.as_ref()),
    }
}

/// Stores the last agreement that the vault returned. If the vault failed, the seller counts as not
/// having agreed.
pub fn read(cx: &mut Cx, last: &Result<Option<ContractLines>, VaultTrouble>) {
    follow(cx.store, last.clone().unwrap_or_default());
    open_if_pending(cx, None);
}

/// Replaces the contract with the seller's corrected contract. The corrected settings count as
/// agreed to.
pub fn taught(store: &mut Store, result: &Result<TaughtContract, Untrusted>) {
    let taught = match result {
        Ok(taught) => taught,
        Err(why) => return store.notify(Notice::WithDetail("said-not-taught", why.clone())),
    };
    store.notify(taught_notice(taught));
    let TaughtContract { contract, agreed, .. } = taught;
    let gave_jwt = teaching::login_gives_jwt(store);
    let before = std::mem::replace(&mut store.setup.contract, contract.clone());
    // A seller who is not logged in has to log in next anyway, and needs no notice.
    let is_logged_in = store.missing(Some(CredentialKind::ApiToken)).is_none();
    if !gave_jwt
        && is_logged_in
        && teaching::login_gives_jwt(store)
        && store.missing(Some(CredentialKind::Jwt)).is_some()
    {
        // Secrets in recorded login replies are masked, so getting the JWT requires another login.
        store.notify(Notice::WithKey("said-taught-log-in", Action::LogIn));
    }
    for (kind, line) in CREDENTIAL_LINES {
        if before.value(line) != contract.value(line) {
            // The service may have refused the credential because of how it was sent. It is now
            // sent differently, so try it again.
            store.session.credential_mut(kind).try_again();
        }
    }
    follow(store, agreed.clone());
}

/// Returns the notice that corrected contract settings are in force.
pub fn taught_notice(taught: &TaughtContract) -> Notice {
    match taught.file {
        Some(_) => Notice::good("said-taught"),
        None => Notice::warn("said-taught-for-run"),
    }
}

/// Records that the seller agreed to the current contract, and that the vault stored the agreement.
pub fn agreed(store: &mut Store) {
    let in_force = store.setup.contract.lines();
    follow(store, Some(in_force));
}

/// Stores the contract settings that count as agreed to. Updates the time limits for sending
/// withdrawals, which depend on these settings.
fn follow(store: &mut Store, agreed: Option<ContractLines>) {
    let setup = &mut store.setup;
    let (retention, resend_after) = setup.contract.waits(agreed.as_ref());
    (setup.window.retention, setup.window.resend_after) = (retention, resend_after);
    store.agreed_lines = agreed;
}

/// Returns true if a request was not sent because the seller has not agreed to the contract.
pub fn was_refused(msg: &Msg) -> bool {
    let failure = match msg {
        Msg::LoggedIn { result: Err(failure), .. }
        | Msg::DomainsListed { result: Err(failure), .. }
        | Msg::LinkMade { result: Err(failure), .. }
        | Msg::ChargeMade { result: Err(failure), .. }
        | Msg::Quoted { result: Err(NoQuote::Failure(failure)), .. } => failure,
        Msg::Settled(withdrawal) => {
            let end = withdrawal.attempts.last().and_then(|attempt| attempt.end.as_ref());
            return end.is_some_and(|end| end.class == Class::NotSent(NotSent::NotAgreed));
        }
        _ => return false,
    };
    *failure == Failure::NotSent(NotSent::NotAgreed)
}
