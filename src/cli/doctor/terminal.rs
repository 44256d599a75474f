//! The terminal, by what the environment says of it.

use std::ffi::OsString;

use super::super::{has_256_colours, has_letters_only, locale};
use crate::runtime::clipboard;
use crate::runtime::display_environment::DisplayEnvironment;
use crate::trade::checkup::{self, ColourSource, Finding, LetterSet};

/// The findings about the terminal: `ascii` is what the seller's file says of its letters.
pub fn found(
    names_theme: bool,
    ascii: Option<bool>,
    variable: impl Fn(&str) -> Option<String>,
) -> Vec<Finding> {
    let display = DisplayEnvironment::from_variables(&variable);
    let path = variable("PATH").map(OsString::from).unwrap_or_default();
    let name = variable("TERM").filter(|name| !name.is_empty());
    vec![
        checkup::terminal(name.map(Into::into), display.tmux, display.ssh),
        checkup::colours(colours(names_theme, &variable)),
        checkup::letters(&letters(ascii, &variable)),
        checkup::copying(clipboard::way(&display, &path)),
    ]
}

/// The source of the colours; a theme that a flag names goes before `NO_COLOR`.
fn colours(names_theme: bool, variable: impl Fn(&str) -> Option<String>) -> ColourSource {
    let no_color = variable("NO_COLOR").is_some_and(|value| !value.is_empty());
    match no_color && !names_theme {
        true => ColourSource::NoColour,
        false if has_256_colours(variable) => ColourSource::Many,
        false => ColourSource::Few,
    }
}

fn letters(ascii: Option<bool>, variable: impl Fn(&str) -> Option<String>) -> LetterSet {
    match ascii {
        Some(true) => LetterSet::ByChoice,
        Some(false) => LetterSet::All,
        None if !has_letters_only(&variable) => LetterSet::All,
        None if variable("TERM").is_some_and(|name| name == "linux") => LetterSet::Console,
        None => LetterSet::Locale(locale("LC_CTYPE", variable).unwrap_or_default().into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of<'a>(variables: &'a [(&str, &str)]) -> impl Fn(&str) -> Option<String> + 'a {
        |wanted| {
            let found = variables.iter().find(|(name, _)| *name == wanted);
            found.map(|(_, value)| (*value).to_owned())
        }
    }

    #[test]
    fn letters_follow_the_file_then_the_console_then_the_locale() {
        let utf8 = [("LANG", "pt_BR.UTF-8")];
        let c = [("LC_ALL", "C"), ("LANG", "pt_BR.UTF-8")];
        let console = [("TERM", "linux"), ("LANG", "C")];
        assert_eq!(letters(None, of(&utf8)), LetterSet::All);
        assert_eq!(letters(None, of(&[])), LetterSet::All);
        assert_eq!(letters(None, of(&c)), LetterSet::Locale("C".into()));
        assert_eq!(letters(None, of(&console)), LetterSet::Console);
        assert_eq!(letters(Some(false), of(&c)), LetterSet::All);
        assert_eq!(letters(Some(true), of(&utf8)), LetterSet::ByChoice);
    }

    #[test]
    fn no_color_goes_before_what_the_terminal_says_and_a_named_theme_before_both() {
        type Row<'a> = (&'a [(&'a str, &'a str)], bool, ColourSource);
        let table: [Row<'_>; 5] = [
            (&[("TERM", "xterm-256color")], false, ColourSource::Many),
            (&[("TERM", "xterm")], false, ColourSource::Few),
            (&[("TERM", "xterm-256color"), ("NO_COLOR", "1")], false, ColourSource::NoColour),
            (&[("TERM", "xterm-256color"), ("NO_COLOR", "1")], true, ColourSource::Many),
            (&[("TERM", "xterm-256color"), ("NO_COLOR", "")], false, ColourSource::Many),
        ];
        for (variables, names_theme, source) in table {
            assert_eq!(colours(names_theme, of(variables)), source, "{variables:?}");
        }
    }
}
