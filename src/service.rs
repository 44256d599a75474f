//! The HTTP client of the payments service.
//!
//! A request is sent once, without retries, redirects or a reused connection. Only the list of
//! checkout domains may need several requests. The `trace` callback receives every request and its
//! reply, with secrets masked.
//!
//! Start with [`Service`]. Its operations are in `operations.rs` and `fee_preview.rs`, and
//! `success.rs` checks that a reply is a success. Withdrawals are sent by [`MoneyWire`] in
//! `withdrawal.rs`.

#![warn(missing_docs)]

mod base_url;
mod classify;
mod client;
mod exchange;
mod fee_preview;
mod health_check;
mod mask;
mod no_reply;
mod operations;
mod raw_reply;
mod request_check;
mod sandbox_proof;
mod secret_names;
mod send_condition;
mod success;
mod system_roots;
mod withdrawal;

use std::sync::Arc;

pub use base_url::{BaseUrl, add_missing_scheme, origin_of};
pub use classify::classify;
pub use client::{
    Client, Consent, Limits, NetworkError, NetworkSettings, ReadClocks, Tracer, no_consent,
};
pub use health_check::{HealthCheck, ping};
pub use operations::LoggedIn;
pub use raw_reply::{BodyEnd, RawReply};
pub use sandbox_proof::{
    ProofChallenge, SandboxPayments, SandboxProof, ServiceKind, sandbox_payments,
};
pub use system_roots::ReadSystemRoots;
pub use withdrawal::{Credentials, MoneyWire, agreed_window, window};

use crate::contract::Contract;
use crate::trade::withdrawal::NotSent;
use crate::trade::{CredentialKind, Failure, Origin, Secret};

/// A payments service: its base URL, its API contract and the HTTP client. The API contract
/// consists of settings that describe the service's API.
#[derive(Clone)]
pub struct Service {
    base: BaseUrl,
    contract: Arc<Contract>,
    client: Client,
}

/// A credential, and the only origin to which it may be sent.
#[derive(Clone, Copy)]
pub struct BoundCredential<'a> {
    /// The kind of the credential.
    pub kind: CredentialKind,
    /// The only origin to which the credential may be sent.
    pub origin: &'a Origin,
    /// The credential itself.
    pub secret: &'a Secret,
}

impl Service {
    /// Creates a service with this base URL, API contract and HTTP client.
    pub fn new(base: BaseUrl, contract: Arc<Contract>, client: Client) -> Service {
        Service {
            base,
            contract,
            client,
        }
    }

    /// Returns the same service with a different API contract.
    pub fn with_contract(&self, contract: Arc<Contract>) -> Service {
        Service {
            contract,
            ..self.clone()
        }
    }

    /// Returns the same service with another receiver of the records of its requests.
    pub fn with_tracer(&self, tracer: Tracer) -> Service {
        Service {
            client: self.client.with_tracer(tracer),
            ..self.clone()
        }
    }

    /// The HTTP client.
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// The base URL.
    pub fn base(&self) -> &BaseUrl {
        &self.base
    }

    /// The API contract of the service.
    pub fn contract(&self) -> &Arc<Contract> {
        &self.contract
    }
}

impl BoundCredential<'_> {
    /// An error if the credential belongs to another origin, or if it is not of the kind
    /// `required`.
    fn check(&self, required: Option<CredentialKind>, origin: &Origin) -> Result<(), Failure> {
        if let Some(required) = required
            && required != self.kind
        {
            return Err(Failure::NoCredential(required));
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
