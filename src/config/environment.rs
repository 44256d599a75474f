//! Reads environment variables for all other modules.
//!
//! In a kiosk (a public demo), visitors control the environment variables, so only two harmless
//! ones are read.

use std::ffi::OsString;
use std::sync::LazyLock;

/// The flag of `balcao demo` that starts a kiosk (a public demo).
const KIOSK_FLAG: &str = "--kiosk";

/// The variables that a kiosk reads: the type of the visitor's terminal, and the language.
const KIOSK_VARIABLES: [&str; 2] = ["TERM", "LANG"];

/// Returns true if the command line contains `--kiosk`.
///
/// This is checked before the command line is parsed, because the parser itself reads environment
/// variables.
pub fn is_kiosk() -> bool {
    static IS_KIOSK: LazyLock<bool> =
        LazyLock::new(|| std::env::args_os().any(|arg| arg == KIOSK_FLAG));
    *IS_KIOSK
}

/// Returns the value of an environment variable. In a kiosk, almost all variables count as not set.
pub fn variable(name: &str) -> Option<OsString> {
    may_read(is_kiosk(), name).then(|| std::env::var_os(name)).flatten()
}

/// Like [`variable`], but returns `None` if the value is not UTF-8.
pub fn text(name: &str) -> Option<String> {
    variable(name)?.into_string().ok()
}

fn may_read(is_kiosk: bool, name: &str) -> bool {
    !is_kiosk || KIOSK_VARIABLES.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kiosk_reads_only_the_terminal_and_the_language() {
        for (name, is_read) in [
            ("TERM", true),
            ("LANG", true),
            ("LC_ALL", false),
            ("BALCAO_TOKEN", false),
            ("NO_COLOR", false),
            ("TZ", false),
            ("TERM ", false),
            ("", false),
        ] {
            assert_eq!(may_read(true, name), is_read, "{name}");
            assert!(may_read(false, name), "{name}");
        }
        assert!(!is_kiosk(), "the tests run in none");
    }
}
