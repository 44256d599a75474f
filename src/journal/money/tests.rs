//! Tests of the guarantees of the money journal. Each test tries to violate a guarantee.

mod any_damage;
mod crash;
mod cut_short;
mod damage;
mod found;
mod held;
mod life;
mod marker;
mod orders;
mod owners;
pub(crate) mod samples;
mod troubles;
mod windows;
