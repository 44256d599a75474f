//! The findings about the terminal and the program.

use super::{Finding, Verdict};
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
    pub(super) fn told(self) -> Finding {
        let told = |verdict| Finding::new("terminal.size", "doctor-window", verdict);
        let WindowFound::Size { columns, rows, least_columns, least_rows } = self else {
            return told(Verdict::Note).fact("terminal", false).states("doctor-window.none");
        };
        let fits = columns >= least_columns && rows >= least_rows;
        let (verdict, message) = match fits {
            true => (Verdict::Fine, "doctor-window.size"),
            false => (Verdict::Broken, "doctor-window.small"),
        };
        told(verdict)
            .fact("terminal", true)
            .number("columns", columns)
            .number("rows", rows)
            .number("leastColumns", least_columns)
            .number("leastRows", least_rows)
            .states(message)
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

    pub(super) fn told(&self) -> Finding {
        let verdict = if self.is_dumb() { Verdict::Broken } else { Verdict::Fine };
        let told = Finding::new("terminal.kind", "doctor-terminal", verdict)
            .fact("term", self.name.as_ref().map(Untrusted::shown))
            .fact("tmux", self.tmux)
            .fact("ssh", self.ssh);
        if self.is_dumb() {
            return told.states("doctor-terminal.dumb");
        }
        told.says_if(self.name.is_some(), "doctor-terminal.named")
            .says_if(self.name.is_none(), "doctor-terminal.unnamed")
            .says_if(self.tmux, "doctor-terminal.tmux")
            .says_if(self.ssh, "doctor-terminal.ssh")
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
    pub(super) fn told(self) -> Finding {
        let (verdict, colours, message) = match self {
            ColourSource::NoColour => (Verdict::Fine, "none", "doctor-colours.none"),
            ColourSource::Many => (Verdict::Fine, "256", "doctor-colours.many"),
            ColourSource::Few => (Verdict::Note, "16", "doctor-colours.few"),
        };
        let told = Finding::new("terminal.colours", "doctor-colours", verdict);
        told.fact("colours", colours).states(message)
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
    pub(super) fn told(&self) -> Finding {
        let told = |verdict, letters| {
            Finding::new("terminal.letters", "doctor-letters", verdict).fact("letters", letters)
        };
        let plain = |verdict, because| told(verdict, "plain").fact("because", because);
        match self {
            LetterSet::All => told(Verdict::Fine, "all").states("doctor-letters.all"),
            LetterSet::ByChoice => plain(Verdict::Fine, "settings").states("doctor-letters.choice"),
            LetterSet::Console => plain(Verdict::Note, "console").states("doctor-letters.console"),
            LetterSet::Locale(locale) => plain(Verdict::Note, "locale")
                .fact("locale", locale.shown())
                .states("doctor-letters.locale"),
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
    pub(super) fn told(self) -> Finding {
        let verdict = if self.missing.is_some() { Verdict::Note } else { Verdict::Fine };
        Finding::new("terminal.clipboard", "doctor-copying", verdict)
            .fact("way", self.program.unwrap_or("terminal"))
            .fact("missing", self.missing)
            .says_if(self.program.is_some(), "doctor-copying.program")
            .says_if(self.program.is_none(), "doctor-copying.terminal")
            .next_if(self.missing.is_some(), "doctor-copying.missing-next")
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

impl ProgramFound {
    pub(super) fn told(&self) -> Finding {
        Finding::new("program.versions", "doctor-program", Verdict::Fine)
            .fact("balcao", self.version)
            .fact("os", self.os)
            .fact("arch", self.arch)
            .fact("sqlite", &*self.sqlite)
            .number("moneySchema", self.money_schema)
            .number("historySchema", self.history_schema)
            .says("doctor-program.what")
    }
}
