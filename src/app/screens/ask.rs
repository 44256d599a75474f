//! Questions with two buttons, over whatever is there.

pub mod show;
