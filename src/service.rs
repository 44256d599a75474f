//! The client of the payments service: one attempt a call.
//!
//! Nothing here retries, follows a redirect or keeps a connection: each call is one exchange, and
//! its end is reported as it is. Every exchange passes one point, `trace`, masked on its way out.

mod base_url;
mod classify;
mod client;
mod escapes;
mod exchange;
mod fee_preview;
mod finished;
mod in_time;
mod mask;
mod no_reply;
mod operations;
mod raw_reply;
mod refusal;
mod sandbox_proof;
mod sign_of_life;
mod withdrawal;

use std::sync::Arc;

pub use base_url::{BaseUrl, origin_of};
pub use classify::classify;
pub use client::{
    Client, Consent, Limits, NetworkError, NetworkSettings, ReadClocks, Tracer, no_consent,
};
pub use operations::LoggedIn;
pub use raw_reply::{BodyEnd, RawReply};
pub use sandbox_proof::{
    ProofQuestion, SandboxPayments, SandboxProof, ServiceKind, sandbox_payments,
};
pub use sign_of_life::{SignOfLife, reach};
pub use withdrawal::{Credentials, MoneyWire, window, window_agreed};

use crate::contract::Contract;
use crate::trade::withdrawal::NotSent;
use crate::trade::{CredentialKind, Failure, Origin, Secret};

/// One service: where it is, what is believed about it, and the client that talks to it.
#[derive(Clone)]
pub struct Service {
    base: BaseUrl,
    contract: Arc<Contract>,
    client: Client,
}

/// A credential and where it belongs.
#[derive(Clone, Copy)]
pub struct BoundCredential<'a> {
    /// The kind of credential.
    pub kind: CredentialKind,
    /// The only origin it is ever sent to.
    pub origin: &'a Origin,
    /// The credential itself.
    pub secret: &'a Secret,
}

impl Service {
    /// A service at this address, as this contract describes it.
    pub fn new(base: BaseUrl, contract: Arc<Contract>, client: Client) -> Service {
        Service { base, contract, client }
    }

    /// The same service under another contract.
    pub fn under(&self, contract: Arc<Contract>) -> Service {
        Service { contract, ..self.clone() }
    }

    /// The HTTP client.
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// Where it is.
    pub fn base(&self) -> &BaseUrl {
        &self.base
    }

    /// The contract: the program's assumptions about it.
    pub fn contract(&self) -> &Arc<Contract> {
        &self.contract
    }
}

impl BoundCredential<'_> {
    /// Refuses a credential that is not the one an operation names, or that belongs elsewhere.
    fn check(&self, wanted: Option<CredentialKind>, origin: &Origin) -> Result<(), Failure> {
        if let Some(wanted) = wanted
            && wanted != self.kind
        {
            return Err(Failure::NoCredential(wanted));
        }
        if self.origin != origin {
            return Err(Failure::NotSent(NotSent::OtherAccount));
        }
        if self.secret.is_empty() {
            return Err(Failure::NoCredential(self.kind));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
