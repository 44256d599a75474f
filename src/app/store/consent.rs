//! The settings of the API contract that the seller has agreed to.
//!
//! The screens use this copy. The HTTP client uses the agreement in the vault instead, and checks
//! it before each request.

use crate::app::Msg;
use crate::app::Store;
use crate::app::cx::{Cx, Route, ScreenCommand};
use crate::app::message::TaughtContract;
use crate::app::store::notice::Notice;
use crate::app::store::origin;
use crate::app::store::session::VaultStatus;
use crate::app::store::{teaching, unit};
use crate::app::ui::Action;
use crate::contract::{self, ContractSettings, SettingChange};
use crate::trade::checkup::Agreement;
use crate::trade::withdrawal::{Class, NotSent};
use crate::trade::{CredentialKind, Failure, NoQuote, Untrusted, VaultTrouble};

/// For each credential, the name of the setting of the API contract that decides how the credential
/// is sent.
const CREDENTIAL_LINES: [(CredentialKind, &str); 2] = [
    (CredentialKind::Jwt, "credential.jwt.headers"),
    (CredentialKind::ApiToken, "credential.api-token.headers"),
];

/// The settings of the API contract that the seller must agree to before anything is sent. The list
/// is empty while the vault is still being read.
pub fn pending(store: &Store) -> Vec<SettingChange> {
    match store.session.vault_status {
        VaultStatus::Asking => vec![],
        _ => store
            .setup
            .contract
            .settings_to_agree(store.agreed_settings.as_ref()),
    }
}

/// Whether the seller has agreed to the API contract. In the demo, its own contract does not count.
pub fn agreement(store: &Store) -> Agreement {
    let contract = &store.setup.contract;
    let is_own = store.setup.demo.is_some() && !contract.needs_consent();
    let differing = if is_own {
        0
    } else {
        contract.differences().len() as u64
    };
    Agreement {
        differing,
        pending: Some(pending(store).len() as u64),
        is_kept: match store.session.vault_status {
            VaultStatus::Asking => true,
            VaultStatus::Kept(kind) => kind.outlives_the_program(),
            VaultStatus::Trouble(_) => false,
        },
        is_sandbox: store.sandbox,
    }
}

/// True if the settings that the seller teaches now count as agreed to only until the program ends.
pub fn is_taught_for_run(store: &Store) -> bool {
    Agreement {
        differing: 1,
        ..agreement(store)
    }
    .is_asked_each_time()
}

/// Opens the consent page and returns true if the seller must first agree to settings of the API
/// contract. The command `then` runs after the seller has agreed.
pub fn open_if_pending(cx: &mut Cx, then: Option<ScreenCommand>) -> bool {
    let is_pending = !pending(cx.store).is_empty();
    if is_pending {
        cx.open(Route::Consent(then.map(Box::new)));
    }
    is_pending
}

/// The settings of the API contract that the consent page shows. In the demo, the list is empty
/// unless the seller must agree, because the demo uses the built-in contract. As the old value of a
/// new origin, the list contains the origin that this profile used before.
pub fn lines_to_show(store: &Store) -> Vec<SettingChange> {
    let contract = &store.setup.contract;
    if store.setup.demo.is_some() && !contract.needs_consent() {
        return vec![];
    }
    let mut lines = contract.settings_to_review(store.agreed_settings.as_ref());
    contract::add_earlier_origin(&mut lines, origin::earlier(store));
    lines
}

/// Stores the agreement that was read from the vault. If the vault could not be read, the seller
/// counts as not having agreed.
pub fn on_consent_read(cx: &mut Cx, result: &Result<Option<ContractSettings>, VaultTrouble>) {
    set_agreed_lines(cx.store, result.clone().unwrap_or_default());
    open_if_pending(cx, None);
}

/// Starts using an API contract that the seller has corrected. The corrected settings count as
/// agreed to.
pub fn taught(store: &mut Store, result: &Result<TaughtContract, Untrusted>) {
    let taught = match result {
        Ok(taught) => taught,
        Err(error) => return store.notify(Notice::WithDetail("said-not-taught", error.clone())),
    };
    store.notify(taught_notice(store, taught));
    let TaughtContract {
        contract, agreed, ..
    } = taught;
    let login_gave_jwt = teaching::login_gives_jwt(store);
    let before = std::mem::replace(&mut store.setup.contract, contract.clone());
    // A seller who is not logged in must log in next anyway, so a notice is not needed.
    let is_logged_in = store
        .missing_credential(Some(CredentialKind::ApiToken))
        .is_none();
    if !login_gave_jwt
        && is_logged_in
        && teaching::login_gives_jwt(store)
        && store
            .missing_credential(Some(CredentialKind::Jwt))
            .is_some()
    {
        // The JWT cannot be taken from a recorded login reply, because secrets are masked there.
        // The seller must log in again.
        store.notify(Notice::WithKey("said-taught-log-in", Action::LogIn));
    }
    for (kind, line) in CREDENTIAL_LINES {
        if before.value(line) != contract.value(line) {
            // The service may have refused the credential because it was sent in the wrong way. The
            // credential is now sent differently, so try it again.
            store.session.credential_mut(kind).try_again();
        }
    }
    set_agreed_lines(store, agreed.clone());
    unit::on_contract_change(store);
}

/// The notice that the corrected settings of the API contract are now in use.
pub fn taught_notice(store: &Store, taught: &TaughtContract) -> Notice {
    match taught.file {
        None => Notice::warn("said-taught-for-run"),
        Some(_) if is_taught_for_run(store) => Notice::warn("said-taught-agreed-for-run"),
        Some(_) => Notice::good("said-taught"),
    }
}

/// Records that the seller agreed to the current API contract. The vault has already stored the
/// agreement.
pub fn record_agreement(store: &mut Store) {
    let lines = store.setup.contract.all_settings();
    set_agreed_lines(store, Some(lines));
}

/// Stores the settings of the API contract that count as agreed to. Also updates the time limits
/// for sending withdrawals, which depend on these settings.
fn set_agreed_lines(store: &mut Store, agreed: Option<ContractSettings>) {
    let setup = &mut store.setup;
    let (retention, resend_after) = setup.contract.retention_and_resend_wait(agreed.as_ref());
    (setup.window.retention, setup.window.resend_after) = (retention, resend_after);
    store.agreed_settings = agreed;
}

/// True if a request was not sent because the seller has not agreed to the API contract.
pub fn was_refused(msg: &Msg) -> bool {
    let failure = match msg {
        Msg::LoggedIn {
            result: Err(failure),
            ..
        }
        | Msg::DomainsListed {
            result: Err(failure),
            ..
        }
        | Msg::SaleMade {
            result: Err(failure),
            ..
        }
        | Msg::Quoted {
            result: Err(NoQuote::Failure(failure)),
            ..
        } => failure,
        Msg::Settled(withdrawal) => {
            let end = withdrawal
                .attempts
                .last()
                .and_then(|attempt| attempt.end.as_ref());
            return end.is_some_and(|end| end.class == Class::NotSent(NotSent::NotAgreed));
        }
        _ => return false,
    };
    *failure == Failure::NotSent(NotSent::NotAgreed)
}
