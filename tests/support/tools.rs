//! Tests that need a program of the system.

use std::env;
use std::io::{self, Write};
use std::path::PathBuf;

/// Whether all these programs are here; a test that needs them ends at once when not.
///
/// A skip is loud, and with `BALCAO_NEEDS_TOOLS=1`, as `.ci/run` sets it, it is a failure. Such
/// tests live in a module named `needs_tools`, by which `.ci/run` finds them:
///
/// ```ignore
/// mod needs_tools {
///     #[test]
///     fn the_screen_is_right_in_tmux() {
///         if !needs(&["tmux"]) {
///             return;
///         }
///     }
/// }
/// ```
pub fn needs(tools: &[&str]) -> bool {
    let missing: Vec<&str> = tools.iter().copied().filter(|tool| !is_here(tool)).collect();
    needs_that(missing.is_empty(), &missing.join(", "))
}

/// The same for what is not a program: a right, a feature of the system.
pub fn needs_that(is_here: bool, missing: &str) -> bool {
    if is_here {
        return true;
    }
    let strict = env::var_os("BALCAO_NEEDS_TOOLS").is_some_and(|value| value == "1");
    assert!(!strict, "missing: {missing}");
    let test = std::thread::current().name().unwrap_or("a test").to_owned();
    // Not `eprintln!`: the test runner would keep that to itself.
    let _ = writeln!(io::stderr(), "SKIPPED: {test}: missing: {missing}");
    false
}

fn is_here(tool: &str) -> bool {
    find(tool).is_some()
}

/// Where a program is.
pub fn find(tool: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path).map(|folder| folder.join(tool)).find(|program| program.is_file())
}
