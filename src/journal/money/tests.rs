//! Tests of the money journal's guarantees. Each test tries to break a guarantee.

mod any_damage;
mod crash;
mod cut_short;
mod damage;
mod found;
mod held;
mod import;
mod life;
mod long;
mod marker;
mod orders;
mod owners;
pub(crate) mod samples;
mod team;
mod troubles;
mod windows;
