//! Tests that start a server.

mod checks;
mod connections;
mod histories;
mod logs;
mod mirrors;
mod poolers;
mod records;
mod rights;
mod tls;

use super::*;
