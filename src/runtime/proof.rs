//! The proof that a service is the sandbox, and moves play money.
//!
//! An address of this machine proves nothing: a forwarded port leads to a real service. Therefore a
//! sandbox is asked for its proof, once, before the first journal is opened; the first frame does
//! not wait for it. Without a proof by then the service is live until the program is started again:
//! nothing may turn from real money into play money under the eyes of a seller.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::OnceCell;
use uuid::Uuid;

use super::sandbox_secret;
use crate::service::{self, BaseUrl};

/// The longest time for a sandbox to prove itself; it is on this very machine.
pub const LIMIT: Duration = Duration::from_secs(2);

/// The kind of money that a service moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ServiceKind {
    /// Play money: it proved to be the sandbox.
    Sandbox,
    /// Real money, as far as is known.
    Live,
}

/// The proof of one service; clones share the one answer.
#[derive(Clone)]
pub struct ServiceProof(Arc<ProofState>);

struct ProofState {
    base: BaseUrl,
    state: PathBuf,
    limit: Duration,
    answer: OnceCell<ServiceKind>,
}

impl ServiceProof {
    /// The proof of the service at this address, by the secret in this state directory.
    pub fn new(base: BaseUrl, state: PathBuf, limit: Duration) -> ServiceProof {
        ServiceProof(Arc::new(ProofState { base, state, limit, answer: OnceCell::new() }))
    }

    /// The kind of the service: the first call asks for it, and it stays the same ever after.
    pub async fn kind(&self) -> ServiceKind {
        *self.0.answer.get_or_init(|| self.0.ask()).await
    }

    /// The kind of the service, if the service was asked already.
    pub fn known(&self) -> Option<ServiceKind> {
        self.0.answer.get().copied()
    }
}

impl ProofState {
    async fn ask(&self) -> ServiceKind {
        // Without a secret that only this user knows no answer could prove anything.
        let Ok(secret) = sandbox_secret::read(&self.state) else { return ServiceKind::Live };
        let nonce = format!("{}{}", Uuid::new_v4().simple(), Uuid::new_v4().simple());
        match service::sandbox_proof(&self.base, &secret, &nonce, self.limit).await {
            true => ServiceKind::Sandbox,
            false => ServiceKind::Live,
        }
    }
}

#[cfg(test)]
mod tests;
