//! Reads environment variables for all other modules.
//!
//! In a kiosk (a public demo), visitors control the environment variables, so only two harmless
//! ones are read.

use std::ffi::OsString;
use std::sync::LazyLock;

/// The flag of `balcao demo` that starts a kiosk (a public demo).
const KIOSK_FLAG: &str = "--kiosk";

/// The flag of a kiosk that sets its time zone, because a visitor could set `TZ`.
const TIME_ZONE_FLAG: &str = "--time-zone";

/// The variables that a kiosk reads: the type of the visitor's terminal, and the language.
const KIOSK_VARIABLES: [&str; 2] = ["TERM", "LANG"];

/// True if the command line contains `--kiosk`.
///
/// This is checked before the command line is parsed, because the parser itself reads environment
/// variables.
pub fn is_kiosk() -> bool {
    static IS_KIOSK: LazyLock<bool> =
        LazyLock::new(|| std::env::args_os().any(|arg| arg == KIOSK_FLAG));
    *IS_KIOSK
}

/// The value of an environment variable. In a kiosk, almost all variables count as not set.
pub fn variable(name: &str) -> Option<OsString> {
    may_read(is_kiosk(), name)
        .then(|| std::env::var_os(name))
        .flatten()
}

/// Like [`variable`], but returns `None` if the value is not UTF-8.
pub fn text(name: &str) -> Option<String> {
    variable(name)?.into_string().ok()
}

/// The time zone: in a kiosk the value of its flag, and otherwise the variable `TZ`.
pub fn time_zone() -> Option<OsString> {
    if is_kiosk() {
        value_of(TIME_ZONE_FLAG, std::env::args_os())
    } else {
        variable("TZ")
    }
}

/// The value of a flag, which is the next argument or follows after `=`.
fn value_of(flag: &str, mut args: impl Iterator<Item = OsString>) -> Option<OsString> {
    while let Some(arg) = args.next() {
        let Some(rest) = arg.to_str().and_then(|arg| arg.strip_prefix(flag)) else {
            continue;
        };
        if rest.is_empty() {
            return args.next();
        }
        if let Some(value) = rest.strip_prefix('=') {
            return Some(value.into());
        }
    }
    None
}

fn may_read(is_kiosk: bool, name: &str) -> bool {
    !is_kiosk || KIOSK_VARIABLES.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flag_value_follows_it_as_argument_or_after_equals() {
        let value = |args: &[&str]| {
            let args: Vec<OsString> = args.iter().map(OsString::from).collect();
            value_of("--time-zone", args.into_iter()).map(|value| value.into_string().unwrap())
        };
        for (args, expected) in [
            (
                &["balcao", "--time-zone", "America/Manaus", "demo"][..],
                Some("America/Manaus"),
            ),
            (&["balcao", "demo", "--time-zone=UTC"], Some("UTC")),
            (&["balcao", "--time-zones", "x"], None),
            (&["balcao", "--time-zone"], None),
            (&["balcao"], None),
        ] {
            assert_eq!(value(args).as_deref(), expected, "{args:?}");
        }
    }

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
