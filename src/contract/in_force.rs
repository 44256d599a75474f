//! The contract in force: one value that is shared, and replaced as a whole when a line is taught.

use std::sync::{Arc, PoisonError, RwLock};

use super::Contract;

/// The contract that counts now, for all who hold a clone of this.
///
/// Whoever begins something takes the contract of that moment and ends with the same.
#[derive(Debug, Clone)]
pub struct ContractInForce(Arc<RwLock<Arc<Contract>>>);

impl ContractInForce {
    /// The contract of this moment.
    pub fn now(&self) -> Arc<Contract> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Puts another one in force.
    pub fn replace(&self, contract: Arc<Contract>) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = contract;
    }
}

impl From<Arc<Contract>> for ContractInForce {
    fn from(contract: Arc<Contract>) -> ContractInForce {
        ContractInForce(Arc::new(RwLock::new(contract)))
    }
}
