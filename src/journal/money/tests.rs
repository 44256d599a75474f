//! The journal's promises, each tried to be broken.

mod crash;
#[cfg(unix)]
mod cut_short;
mod damage;
mod held;
mod life;
mod orders;
mod owners;
mod troubles;
mod windows;
