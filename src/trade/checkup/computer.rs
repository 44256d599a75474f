//! The findings about the terminal and the program.

use super::Verdict;
use crate::trade::Untrusted;

/// The size of the window, beside the least that the screen needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "a field is its name")]
pub enum WindowFound {
    /// Nothing is drawn there: the output goes to a file or another program.
    NoTerminal,
    /// A window of this size.
    Size { columns: u16, rows: u16, least_columns: u16, least_rows: u16 },
}

impl WindowFound {
    pub(super) fn verdict(self) -> Verdict {
        match self {
            WindowFound::NoTerminal => Verdict::Note,
            WindowFound::Size { columns, rows, least_columns, least_rows } => {
                let fits = columns >= least_columns && rows >= least_rows;
                if fits { Verdict::Fine } else { Verdict::Broken }
            }
        }
    }
}

/// The terminal by its own word, and what stands between it and the person.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TerminalFound {
    /// The value of `TERM`.
    pub name: Option<Untrusted>,
    /// True in a window of tmux.
    pub tmux: bool,
    /// True when the person is at another machine.
    pub ssh: bool,
}

impl TerminalFound {
    /// Returns true for a terminal that can only print one line after another.
    pub fn is_dumb(&self) -> bool {
        self.name.as_ref().is_some_and(|name| name.shown() == "dumb")
    }

    pub(super) fn verdict(&self) -> Verdict {
        if self.is_dumb() { Verdict::Broken } else { Verdict::Fine }
    }
}

/// The source that decides how many colours there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColourSource {
    /// `NO_COLOR`: there are to be none.
    NoColour,
    /// The terminal says that it has 256 or more.
    Many,
    /// It does not say so: its own 16 are used.
    Few,
}

impl ColourSource {
    pub(super) fn verdict(self) -> Verdict {
        match self {
            ColourSource::NoColour | ColourSource::Many => Verdict::Fine,
            ColourSource::Few => Verdict::Note,
        }
    }
}

/// The letters and signs that the terminal can show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LetterSet {
    /// All of them: the locale is in UTF-8, or says nothing.
    All,
    /// Letters alone, by the seller's own settings.
    ByChoice,
    /// The console of Linux, whose font has few signs.
    Console,
    /// Letters alone: this locale is not in UTF-8.
    Locale(Untrusted),
}

impl LetterSet {
    pub(super) fn verdict(&self) -> Verdict {
        match self {
            LetterSet::All | LetterSet::ByChoice => Verdict::Fine,
            LetterSet::Console | LetterSet::Locale(_) => Verdict::Note,
        }
    }
}

/// The way by which a copy leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CopyWay {
    /// The program that takes it; none where the terminal is asked to copy it.
    pub program: Option<&'static str>,
    /// The program that this desktop would have, and that is not installed.
    pub missing: Option<&'static str>,
}

impl CopyWay {
    pub(super) fn verdict(self) -> Verdict {
        if self.missing.is_some() { Verdict::Note } else { Verdict::Fine }
    }
}

/// The program, the system it runs on, and what it writes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProgramFound {
    /// Its version.
    pub version: &'static str,
    /// The system it was built for.
    pub os: &'static str,
    /// The processor it was built for.
    pub arch: &'static str,
    /// The version of SQLite in it.
    pub sqlite: String,
    /// The schema of the withdrawals that it writes.
    pub money_schema: u32,
    /// The schema of the history that it writes.
    pub history_schema: u32,
}
