//! The contract room.

/// The contract.
#[derive(Debug, Clone, PartialEq)]
pub struct Contract {}
