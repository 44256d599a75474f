//! The set-up of the first start: what is asked, what was answered, and what the world says to it.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::trade::{AddressFault, Failure, Ticket, Untrusted, VaultKind};

/// The beginning of a run: whether something is to be set up first.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Beginning {
    /// The profile is known, and its first link was made.
    #[default]
    Known,
    /// There is no profile: it is asked for, from these answers on.
    SetUp(Box<Answers>),
    /// The profile is known; its first link ends the set-up. It is offered once in a run.
    FirstLink {
        /// True once its form was opened.
        offered: bool,
    },
}

/// The answers so far.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Answers {
    /// The step in front, from 0.
    pub step: usize,
    /// The profile's name.
    pub name: String,
    /// The address of the service.
    pub address: String,
    /// The name of a contract that comes with the program; empty for the documented shape.
    pub contract: String,
    /// The name of the vault that was chosen; empty before that.
    pub vault: String,
}

/// Something that the set-up wants of the world.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "a field is its name")]
pub enum SetUpCommand {
    /// Look at an address: first its shape, then whether it answers.
    Look { ticket: Ticket, address: Arc<str> },
    /// Try which vaults take something.
    TryVaults(Ticket),
    /// Write the profile into the configuration.
    Write { ticket: Ticket, answers: Box<Answers> },
}

/// The world's answer to such a wish.
#[derive(Debug, Clone, PartialEq)]
pub enum SetUpAnswer {
    /// The address has the shape of one, or what is wrong with it.
    Shape(Result<(), AddressFault>),
    /// Somebody answers there, or why that is not known.
    Reached(Result<Reached, Failure>),
    /// These vaults took something; memory always does.
    Vaults(Vec<VaultKind>),
    /// The profile stands in the configuration, or what is wrong.
    Written(Result<(), Untrusted>),
}

/// The way in which a service was reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reached {
    /// True when the way there is encrypted, and its certificate is good for this address.
    pub is_encrypted: bool,
    /// The time it took.
    pub millis: u64,
}
