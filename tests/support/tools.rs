//! Skips a test if a program that the test needs is not installed.

use std::env;
use std::io::{self, Write};
use std::path::PathBuf;

/// Returns true if all these programs are installed. Otherwise the test must return early.
///
/// A skipped test is reported on standard error, or fails if `BALCAO_NEEDS_TOOLS=1` is set, as in
/// `.ci/run`. Put each test that calls this function into a module named `needs_tools`, because
/// `.ci/run` selects the tests by this name:
///
/// ```ignore
/// mod needs_tools {
///     #[test]
///     fn the_screen_is_right_in_tmux() {
///         if !has_tools(&["tmux"]) {
///             return;
///         }
///     }
/// }
/// ```
pub fn has_tools(tools: &[&str]) -> bool {
    let missing: Vec<&str> = tools
        .iter()
        .copied()
        .filter(|tool| !is_installed(tool))
        .collect();
    skip_unless(missing.is_empty(), &missing.join(", "))
}

/// Returns `is_met`. If it is false, reports that the test was skipped.
///
/// Call this for requirements other than programs, such as permissions. The report names `missing`
/// as the missing requirement.
pub fn skip_unless(is_met: bool, missing: &str) -> bool {
    if is_met {
        return true;
    }
    let strict = env::var_os("BALCAO_NEEDS_TOOLS").is_some_and(|value| value == "1");
    assert!(!strict, "missing: {missing}");
    let test = std::thread::current().name().unwrap_or("a test").to_owned();
    // Do not use `eprintln!`, because the test runner captures its output.
    let _ = writeln!(io::stderr(), "SKIPPED: {test}: missing: {missing}");
    false
}

fn is_installed(tool: &str) -> bool {
    find_program(tool).is_some()
}

/// Returns the path of a program in `PATH`, or `None` if the program is not installed.
pub fn find_program(tool: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path)
        .map(|folder| folder.join(tool))
        .find(|program| program.is_file())
}

/// Returns the path of a program that [`has_tools`] has found.
pub fn program_path(tool: &str) -> String {
    let path = find_program(tool).unwrap_or_else(|| panic!("{tool} is not in PATH"));
    path.into_os_string()
        .into_string()
        .expect("a path that is text")
}
