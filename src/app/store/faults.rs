//! The faults that the demo's sandbox will simulate. The sandbox tells the app which faults these
//! are.

use std::sync::Arc;

use crate::trade::Untrusted;

/// A fault that the demo's sandbox will simulate in the next requests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArmedFault {
    pub what: FaultKind,
    /// The number of requests in which the fault will still occur. `None` if it occurs in every
    /// request.
    pub times: Option<u32>,
}

/// The kind of fault that the sandbox simulates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FaultKind {
    /// A fault that the user can choose by name in the command palette.
    Named(Arc<str>),
    /// A fault that was loaded from a file. Contains the sandbox's description of the fault.
    Other(Untrusted),
}
