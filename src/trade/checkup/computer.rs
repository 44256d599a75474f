//! The findings about the terminal and the program.

use super::{Finding, Verdict};
use crate::trade::Untrusted;

/// The size of the window, beside the least that the screen needs; none where nothing is drawn: the
/// output goes to a file or another program.
pub fn window(size: Option<[u16; 2]>, least: [u16; 2]) -> Finding {
    let found = |verdict| Finding::new("terminal.size", "doctor-window", verdict);
    let Some([columns, rows]) = size else {
        return found(Verdict::Note).fact("terminal", false).states("doctor-window.none");
    };
    let (verdict, message) = match columns >= least[0] && rows >= least[1] {
        true => (Verdict::Fine, "doctor-window.size"),
        false => (Verdict::Broken, "doctor-window.small"),
    };
    found(verdict)
        .fact("terminal", true)
        .number("columns", columns)
        .number("rows", rows)
        .number("leastColumns", least[0])
        .number("leastRows", least[1])
        .states(message)
}

/// The terminal by its own word, the value of `TERM`; and whether tmux and another machine are
/// between it and the person.
///
/// A dumb terminal can only print one line after another.
pub fn terminal(name: Option<Untrusted>, tmux: bool, ssh: bool) -> Finding {
    let name = name.as_ref().map(Untrusted::shown);
    let is_dumb = name.as_deref() == Some("dumb");
    let verdict = if is_dumb { Verdict::Broken } else { Verdict::Fine };
    let found = Finding::new("terminal.kind", "doctor-terminal", verdict)
        .fact("term", name.clone())
        .fact("tmux", tmux)
        .fact("ssh", ssh);
    if is_dumb {
        return found.states("doctor-terminal.dumb");
    }
    found
        .says_if(name.is_some(), "doctor-terminal.named")
        .says_if(name.is_none(), "doctor-terminal.unnamed")
        .says_if(tmux, "doctor-terminal.tmux")
        .says_if(ssh, "doctor-terminal.ssh")
}

/// The value of `TZ` where it names no time zone that can be read.
pub fn time_zone(named: impl Into<Untrusted>) -> Finding {
    Finding::new("terminal.time-zone", "doctor-time-zone", Verdict::Note)
        .fact("read", false)
        .value("value", named)
        .states("doctor-time-zone.unread")
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

/// The number of colours, by what decides it.
pub fn colours(source: ColourSource) -> Finding {
    let (verdict, colours, message) = match source {
        ColourSource::NoColour => (Verdict::Fine, "none", "doctor-colours.none"),
        ColourSource::Many => (Verdict::Fine, "256", "doctor-colours.many"),
        ColourSource::Few => (Verdict::Note, "16", "doctor-colours.few"),
    };
    let found = Finding::new("terminal.colours", "doctor-colours", verdict);
    found.fact("colours", colours).states(message)
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

/// The letters and signs.
pub fn letters(letters: &LetterSet) -> Finding {
    let found = |verdict, letters| {
        Finding::new("terminal.letters", "doctor-letters", verdict).fact("letters", letters)
    };
    let plain = |verdict, because| found(verdict, "plain").fact("because", because);
    match letters {
        LetterSet::All => found(Verdict::Fine, "all").states("doctor-letters.all"),
        LetterSet::ByChoice => plain(Verdict::Fine, "settings").states("doctor-letters.choice"),
        LetterSet::Console => plain(Verdict::Note, "console").states("doctor-letters.console"),
        LetterSet::Locale(locale) => plain(Verdict::Note, "locale")
            .fact("locale", locale.shown())
            .states("doctor-letters.locale"),
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

/// The way of a copy.
pub fn copying(CopyWay { program, missing }: CopyWay) -> Finding {
    let verdict = if missing.is_some() { Verdict::Note } else { Verdict::Fine };
    Finding::new("terminal.clipboard", "doctor-copying", verdict)
        .fact("way", program.unwrap_or("terminal"))
        .fact("missing", missing)
        .says_if(program.is_some(), "doctor-copying.program")
        .says_if(program.is_none(), "doctor-copying.terminal")
        .next_if(missing.is_some(), "doctor-copying.missing-next")
}

/// The program and the system it was built for, the version of SQLite in it, and the schemas that
/// it writes: of the withdrawals, and of the history.
pub fn program(
    [version, os, arch, sqlite]: [&str; 4],
    [money_schema, history_schema]: [u32; 2],
) -> Finding {
    Finding::new("program.versions", "doctor-program", Verdict::Fine)
        .fact("balcao", version)
        .fact("os", os)
        .fact("arch", arch)
        .fact("sqlite", sqlite)
        .number("moneySchema", money_schema)
        .number("historySchema", history_schema)
        .says("doctor-program.what")
}
