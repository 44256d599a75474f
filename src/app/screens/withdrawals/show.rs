//! Drawing code that several withdrawal screens share: states, send attempts, facts, outcomes and
//! terms.

pub mod attempts;
pub mod facts;
pub mod outcome;
pub mod pane;
pub mod terms;
pub mod timeline;
pub mod unproven;
