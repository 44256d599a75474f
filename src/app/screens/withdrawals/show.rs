//! The parts that several screens of withdrawals show: states, attempts, destinations, fees, terms.

pub mod attempts;
pub mod facts;
pub mod outcome;
pub mod pane;
pub mod terms;
