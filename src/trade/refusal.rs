//! A refusal: the service's no, and whether it is a definite one.

use serde::{Deserialize, Serialize};

use super::untrusted::Untrusted;

/// A refusal in the service's own words.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Refusal {
    /// The status of the reply.
    pub status: u16,
    /// Its message.
    pub message: Option<Untrusted>,
    /// Its hint about what to do.
    pub hint: Option<Untrusted>,
}

impl Refusal {
    /// Returns true when this status is a definite no, rather than one that proves nothing.
    pub fn is_definite(&self) -> bool {
        // 408, 409 and 499 say nothing about what was done before they were said.
        matches!(self.status, 400..=407 | 410..=498)
    }
}
