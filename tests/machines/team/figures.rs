//! Measures a team's journal on a real PostgreSQL server of this machine: a first join, many
//! clients, and a slow line. Only a long run does this, with `.ci/machine team::figures long`.

mod needs_tools;
mod rows;
