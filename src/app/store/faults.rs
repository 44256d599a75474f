//! The faults that lie in wait in the demo's sandbox, as the sandbox tells them.

use std::sync::Arc;

use crate::trade::Untrusted;

/// A fault in wait.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Armed {
    /// The fault.
    pub what: FaultKind,
    /// The number of requests that meet it yet; `None`: each one, until it is taken away.
    pub times: Option<u32>,
}

/// A fault, by its name or by its words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FaultKind {
    /// One of the palette's, by its name.
    Named(Arc<str>),
    /// One that came from a file, in the sandbox's words.
    Other(Untrusted),
}
