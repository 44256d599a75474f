//! The faults that the demo's sandbox is set to simulate, as reported by the sandbox.

use std::sync::Arc;

use crate::trade::Untrusted;

/// A fault that the demo's sandbox will simulate in the next requests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Armed {
    pub what: FaultKind,
    /// In how many more requests the fault will occur. `None` if it occurs in all requests.
    pub times: Option<u32>,
}

/// The kind of fault that the sandbox simulates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FaultKind {
    /// A fault that the command palette can request, by its name.
    Named(Arc<str>),
    /// A fault that was loaded from a file, with the sandbox's description of it.
    Other(Untrusted),
}
