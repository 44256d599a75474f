//! The code that the sandbox and the replay share. The client does not use it, so that a mistake
//! here is noticed.

pub mod proof;
pub mod visitors;
