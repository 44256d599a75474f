//! The set-up at the first start: the seller's answers, the commands to the runtime and their
//! results.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::trade::{AddressFault, Failure, Ticket, Untrusted, VaultKind};

/// The stage of the first start. It decides whether the set-up screen opens.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum StartupStage {
    /// There is a profile, and a payment link was already created with it.
    #[default]
    Known,
    /// There is no profile, so the set-up opens with the answers that were saved so far.
    SetUp(Box<Answers>),
    /// There is a profile, but no payment link yet. In each run, the form for the first link opens
    /// once.
    FirstLink {
        /// True if the form was already opened in this run.
        offered: bool,
    },
}

/// The answers that the seller has given in the set-up so far.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Answers {
    /// The index of the current page of the set-up screen.
    pub step: usize,
    pub name: String,
    /// The base URL of the service.
    pub address: String,
    /// The name of a built-in preset for the API contract. Empty for the documented API.
    pub contract: String,
    /// The name of the chosen vault. Empty until the seller chooses a vault.
    pub vault: String,
}

/// A command from the set-up screen to the runtime.
#[derive(Debug, Clone, PartialEq)]
pub enum SetUpCommand {
    /// Check an address: first its syntax, then whether a service answers there.
    Look { ticket: Ticket, address: Arc<str> },
    /// Test which vaults can store credentials.
    TryVaults(Ticket),
    /// Write the profile to the configuration file.
    Write { ticket: Ticket, answers: Box<Answers> },
}

/// The result of a set-up command.
#[derive(Debug, Clone, PartialEq)]
pub enum SetUpAnswer {
    /// The result of checking the syntax of the address: on success, the address including its
    /// scheme.
    Shape(Result<Arc<str>, AddressFault>),
    /// Whether a service responded at the address.
    Reached(Result<Reached, Failure>),
    /// The vaults that can store credentials. Keeping them in memory is always possible.
    Vaults(Vec<VaultKind>),
    /// Whether the profile was written to the configuration file, or the error.
    Written(Result<(), Untrusted>),
}

/// The properties of the connection to the service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reached {
    /// True if the connection uses TLS, with a certificate that is valid for the address.
    pub is_encrypted: bool,
    /// How long the service took to respond, in milliseconds.
    pub millis: u64,
}
