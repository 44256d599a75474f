//! The journal's promises, each tried to be broken.

mod crash;
mod damage;
mod held;
mod life;
mod orders;
mod troubles;
mod windows;
