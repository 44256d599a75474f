//! The set-up at the first start of the program: the seller's answers, the commands to the runtime,
//! and the results of these commands.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::trade::{AddressFault, Failure, Ticket, Untrusted, VaultKind};

/// How far the first start of the program has come. This decides whether the set-up screen opens.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum StartupStage {
    /// A profile exists, and a payment link was already created with it.
    #[default]
    Known,
    /// No profile exists, so the set-up screen opens with the answers that were saved earlier.
    SetUp(Box<SetupAnswers>),
    /// A profile exists, but no payment link was created yet. The form for the first link opens
    /// once in each run.
    FirstLink {
        /// True if the form was already opened in this run.
        offered: bool,
    },
}

/// The answers that the seller has given in the set-up so far.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct SetupAnswers {
    /// The index of the current page of the set-up screen.
    pub step: usize,
    pub name: String,
    /// The base URL of the service.
    pub address: String,
    /// The name of a built-in preset of the API contract. Empty if the service's documented API is
    /// used.
    pub contract: String,
    /// The name of the vault that the seller chose, or empty before that.
    pub vault: String,
}

/// A command from the set-up screen to the runtime.
#[derive(Debug, Clone, PartialEq)]
pub enum SetUpCommand {
    /// Check an address: first whether it is well-formed, then whether a service answers there.
    CheckAddress { ticket: Ticket, address: Arc<str> },
    /// Find out which vaults can store credentials on this computer.
    TryVaults(Ticket),
    /// Write the profile to the configuration file.
    Write {
        ticket: Ticket,
        answers: Box<SetupAnswers>,
    },
}

/// The result of a set-up command.
#[derive(Debug, Clone, PartialEq)]
pub enum SetUpAnswer {
    /// The result of checking whether an address is well-formed. On success, contains the address
    /// with its scheme, such as `https`.
    AddressChecked(Result<Arc<str>, AddressFault>),
    /// Whether a service responded at the address.
    Reached(Result<ConnectionResult, Failure>),
    /// The vaults that can store credentials on this computer. Keeping credentials only in memory
    /// is always possible.
    Vaults(Vec<VaultKind>),
    /// Whether the profile was written to the configuration file. On failure, this is the error
    /// message.
    Written(Result<(), Untrusted>),
}

/// The properties of the connection, after the service was reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConnectionResult {
    /// True if the connection uses TLS, with a certificate that is valid for the address.
    pub is_encrypted: bool,
    /// How long the service took to respond, in milliseconds.
    pub millis: u64,
}
