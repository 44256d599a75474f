//! The parts that several screens of withdrawals show: states, attempts, destinations, fees, terms.

pub mod attempts;
pub mod facts;
pub mod figures;
pub mod locked;
pub mod members;
pub mod outcome;
pub mod pane;
pub mod reasons;
pub mod rows;
pub mod state;
pub mod steps;
pub mod terms;
