//! The trial of the other credential.
//!
//! The documentation does not show which credential the list of domains, a direct payment and a fee
//! preview need. If the service refuses the credential of such an operation, although it has never
//! accepted it there, the other credential may be the right one. The seller is asked once for each
//! operation and run. If the service accepts the other credential, the runtime changes the setting
//! of the API contract.
//!
//! A withdrawal is never part of a trial.

use crate::app::cx::{Cx, Question};
use crate::app::store::credentials;
use crate::app::ui::Action;
use crate::app::{Effect, Store};
use crate::contract::{Provenance, ReplySetting, TaughtSetting};
use crate::trade::{CredentialKind, Exchange, Failure, Operation};

/// The operations whose credential is assumed.
const OPERATIONS: [Operation; 3] = [
    Operation::Domains,
    Operation::DirectPayment,
    Operation::FeePreview,
];

/// The successes and the questions of this run, which decide whether the seller may be asked.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CredentialTrials {
    /// The operations that succeeded, each with the credential that the API contract named for it.
    succeeded: Vec<(Operation, CredentialKind)>,
    /// The operations for which the seller was asked.
    asked: Vec<Operation>,
}

/// Records a success of an operation. A later refusal then means that the credential has expired.
pub fn after_exchange(store: &mut Store, exchange: &Exchange) {
    let operation = exchange.operation;
    let is_success = exchange
        .reply
        .as_ref()
        .is_ok_and(|reply| (200..300).contains(&reply.status));
    let credential = store.setup.contract.call_of(operation).credential;
    if let Some(kind) = credential.filter(|_| is_success) {
        let succeeded = &mut store.credential_trials.succeeded;
        if !succeeded.contains(&(operation, kind)) {
            succeeded.push((operation, kind));
        }
    }
}

/// The credential to try instead, if the seller should be asked after this failure.
pub fn other_credential(
    store: &Store,
    operation: Operation,
    failure: &Failure,
) -> Option<CredentialKind> {
    let Failure::Unauthorized {
        credential: Some(kind),
        refusal,
    } = failure
    else {
        return None;
    };
    if refusal.status != 401 || !OPERATIONS.contains(&operation) || store.setup.demo.is_some() {
        return None;
    }
    let trials = &store.credential_trials;
    if trials.asked.contains(&operation) || trials.succeeded.contains(&(operation, *kind)) {
        return None;
    }
    // A setting is confirmed if a request of an earlier run succeeded.
    let contract = &store.setup.contract;
    let mut settings = ReplySetting::of(operation);
    if settings.any(|setting| contract.provenance(setting.name) == Provenance::Confirmed) {
        return None;
    }
    let other = match kind {
        CredentialKind::ApiToken => CredentialKind::Jwt,
        CredentialKind::Jwt => CredentialKind::ApiToken,
    };
    Some(other).filter(|other| store.session.credential(*other).is_good(store.now.wall))
}

/// Marks a credential as refused or missing if it caused this failure of an operation. Leaves it
/// unmarked if the seller should be asked to try the other credential.
pub fn note(store: &mut Store, operation: Operation, failure: Option<&Failure>) {
    if failure.is_none_or(|failure| other_credential(store, operation, failure).is_none()) {
        store.session.note(failure);
    }
}

/// Asks whether to try the other credential. Returns false if there is nothing to ask after this
/// failure.
pub fn ask(cx: &mut Cx, operation: Operation, failure: &Failure) -> bool {
    let Some(other) = other_credential(cx.store, operation, failure) else {
        return false;
    };
    cx.ask(Question::TryCredential {
        operation,
        other,
        failure: Box::new(failure.clone()),
    });
    true
}

/// The setting of the API contract that a trial changes.
pub fn setting(operation: Operation, other: CredentialKind) -> TaughtSetting {
    let word = match other {
        CredentialKind::ApiToken => "api-token",
        CredentialKind::Jwt => "jwt",
    };
    let name = format!("{}.credential", operation.name());
    TaughtSetting::text(name, word)
}

/// Sends the request of the operation again, with the other credential.
pub fn begin(cx: &mut Cx, operation: Operation, other: CredentialKind) {
    cx.store.credential_trials.asked.push(operation);
    cx.perform(Effect::TryCredential(operation, setting(operation, other)));
    cx.press(match operation {
        Operation::DirectPayment => Action::Submit,
        Operation::FeePreview => Action::AskFee,
        _ => Action::Refresh,
    });
}

/// Opens the form for a new credential, because the seller does not want to try the other one.
pub fn decline(cx: &mut Cx, operation: Operation, failure: &Failure) {
    cx.store.credential_trials.asked.push(operation);
    credentials::renew_refused(cx, operation, failure);
}
