//! The entry point of the `balcao` program. Everything else is in the library: see `cli::run`.

use std::alloc::System;
use std::process::ExitCode;

use zeroizing_alloc::ZeroAlloc;

/// An allocator that wipes memory when it is freed. Libraries make copies of tokens and passwords,
/// and do not wipe these copies.
#[global_allocator]
static WIPED: ZeroAlloc<System> = ZeroAlloc(System);

fn main() -> ExitCode {
    balcao::cli::run()
}
