//! The entry point of the `balcao` program. Everything else is in the library: see `cli::run`.

use std::alloc::System;
use std::process::ExitCode;

use zeroizing_alloc::ZeroAlloc;

/// Wipes memory when it is freed, because libraries do not wipe their copies of tokens and
/// passwords.
#[global_allocator]
static WIPING_ALLOCATOR: ZeroAlloc<System> = ZeroAlloc(System);

fn main() -> ExitCode {
    balcao::cli::run()
}
