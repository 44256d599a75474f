//! What moves at a service: play money, where it proved to be the sandbox, or real money.
//!
//! That an address is of this machine says nothing: a forwarded port leads to a real service. So a
//! sandbox is asked for its proof, once, by whoever opens a journal first; the first frame does not
//! wait for it. What was not proved by then is live until the program is started again: nothing may
//! turn from real money into play money under the eyes of a seller.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::OnceCell;
use uuid::Uuid;

use super::sandbox_secret;
use crate::service::{self, BaseUrl};

/// How long a sandbox may take to prove itself; it is on this very machine.
pub const LIMIT: Duration = Duration::from_secs(2);

/// What moves at a service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Play money: it proved to be the sandbox.
    Sandbox,
    /// Real money, as far as anybody knows.
    Live,
}

/// What a service proves to be; clones share the one answer.
#[derive(Clone)]
pub struct Proof(Arc<Question>);

struct Question {
    base: BaseUrl,
    state: PathBuf,
    limit: Duration,
    answer: OnceCell<Kind>,
}

impl Proof {
    /// The proof of the service at this address, by the secret in this state directory.
    pub fn new(base: BaseUrl, state: PathBuf, limit: Duration) -> Proof {
        Proof(Arc::new(Question { base, state, limit, answer: OnceCell::new() }))
    }

    /// The kind of the service: asked by the first who wants to know, and the same ever after.
    pub async fn kind(&self) -> Kind {
        *self.0.answer.get_or_init(|| self.0.ask()).await
    }

    /// The same, where somebody asked already.
    pub fn known(&self) -> Option<Kind> {
        self.0.answer.get().copied()
    }
}

impl Question {
    async fn ask(&self) -> Kind {
        // Without a secret that only this user knows there is nothing that could prove anything.
        let Ok(secret) = sandbox_secret::read(&self.state) else { return Kind::Live };
        let nonce = format!("{}{}", Uuid::new_v4().simple(), Uuid::new_v4().simple());
        match service::sandbox_proof(&self.base, &secret, &nonce, self.limit).await {
            true => Kind::Sandbox,
            false => Kind::Live,
        }
    }
}

#[cfg(test)]
mod tests;
