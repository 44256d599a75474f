//! The lines of the contract that the seller agreed to.
//!
//! The client checks the consent itself, with the vault, before it sends anything; this is only
//! what the screens know.

use crate::app::Msg;
use crate::app::Store;
use crate::app::cx::{Cx, Route, ScreenCommand};
use crate::app::message::TaughtContract;
use crate::app::store::notice::Notice;
use crate::app::store::session::Keeper;
use crate::contract::{ContractLines, LineChange};
use crate::trade::withdrawal::{Class, NotSent};
use crate::trade::{CredentialKind, Failure, NoQuote, Untrusted, VaultTrouble};

/// The lines that say how each credential is sent.
const CREDENTIAL_LINES: [(CredentialKind, &str); 2] = [
    (CredentialKind::Jwt, "credential.jwt.headers"),
    (CredentialKind::ApiToken, "credential.api-token.headers"),
];

/// Returns the lines to agree to before anything is sent; none until the vault has answered.
pub fn pending(store: &Store) -> Vec<LineChange> {
    match store.session.keeper {
        Keeper::Asking => vec![],
        _ => store.setup.contract.to_agree(store.agreed_lines.as_ref()),
    }
}

/// Opens the page of the lines if some are pending, and returns true then; the step is taken once
/// they are agreed to.
pub fn come_first(cx: &mut Cx, then: Option<ScreenCommand>) -> bool {
    let is_pending = !pending(cx.store).is_empty();
    if is_pending {
        cx.open(Route::Consent(then.map(Box::new)));
    }
    is_pending
}

/// Returns the lines to read: none in a demo, whose contract is the program's own.
pub fn to_read(store: &Store) -> Vec<LineChange> {
    let contract = &store.setup.contract;
    match store.setup.demo.is_some() && !contract.needs_consent() {
        true => vec![],
        false => contract.to_read(store.agreed_lines.as_ref()),
    }
}

/// Takes the vault's answer about the lines agreed to last; without an answer there are none.
pub fn read(cx: &mut Cx, last: &Result<Option<ContractLines>, VaultTrouble>) {
    follow(cx.store, last.clone().unwrap_or_default());
    come_first(cx, None);
}

/// Takes a contract that was taught, and what is agreed to by that.
pub fn taught(store: &mut Store, result: &Result<TaughtContract, Untrusted>) {
    let (contract, agreed) = match result {
        Ok(TaughtContract { contract, agreed, file }) => {
            store.say(match file {
                Some(_) => Notice::good("said-taught"),
                None => Notice::warn("said-taught-for-run"),
            });
            (contract, agreed)
        }
        Err(why) => return store.say(Notice::WithDetail("said-not-taught", why.clone())),
    };
    let before = std::mem::replace(&mut store.setup.contract, contract.clone());
    for (kind, line) in CREDENTIAL_LINES {
        if before.value(line) != contract.value(line) {
            // It was refused the way it was sent: sent in another way it is as good as any.
            store.session.credential_mut(kind).try_again();
        }
    }
    follow(store, agreed.clone());
}

/// Notes that the lines in force are agreed to, and stored.
pub fn agreed(store: &mut Store) {
    let in_force = store.setup.contract.lines();
    follow(store, Some(in_force));
}

/// Takes these lines as agreed to; states and windows follow them.
fn follow(store: &mut Store, agreed: Option<ContractLines>) {
    let setup = &mut store.setup;
    let (retention, resend_after) = setup.contract.waits(agreed.as_ref());
    (setup.window.retention, setup.window.resend_after) = (retention, resend_after);
    store.agreed_lines = agreed;
}

/// Returns true if a request was not sent because its contract is not agreed to.
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
