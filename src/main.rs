//! Parse, run, exit code; nothing else.

use std::alloc::System;
use std::process::ExitCode;

use zeroizing_alloc::ZeroAlloc;

/// Memory that is given back is wiped first: the libraries that carry a token or a password copy
/// it, and none of them wipes its copies.
#[global_allocator]
static WIPED: ZeroAlloc<System> = ZeroAlloc(System);

fn main() -> ExitCode {
    balcao::cli::run()
}
