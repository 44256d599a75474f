//! Findings about the terminal and the program.

use super::{Finding, Verdict};
use crate::trade::Untrusted;

/// The finding about the terminal's size in columns and rows. `minimum` is the size that the
/// screens need. `size` is `None` if the output is a file or a pipe.
pub fn terminal_size(size: Option<[u16; 2]>, minimum: [u16; 2]) -> Finding {
    let Some([columns, rows]) = size else {
        return Finding::new("terminal.size", Verdict::Note)
            .fact("terminal", false)
            .case("none");
    };
    let (verdict, case) = if columns >= minimum[0] && rows >= minimum[1] {
        (Verdict::Fine, "size")
    } else {
        (Verdict::Broken, "small")
    };
    Finding::new("terminal.size", verdict)
        .fact("terminal", true)
        .number("columns", columns)
        .number("rows", rows)
        .number("leastColumns", minimum[0])
        .number("leastRows", minimum[1])
        .case(case)
}

/// The finding about the kind of terminal: its name from the variable `TERM`, and whether the
/// program runs inside tmux or over SSH.
///
/// The verdict is `Broken` for a terminal named `dumb`, because it cannot draw a full screen.
pub fn terminal(name: Option<Untrusted>, tmux: bool, ssh: bool) -> Finding {
    let name = name.as_ref().map(Untrusted::shown);
    let is_dumb = name.as_deref() == Some("dumb");
    let verdict = if is_dumb {
        Verdict::Broken
    } else {
        Verdict::Fine
    };
    let finding = Finding::new("terminal.kind", verdict)
        .fact("term", name.clone())
        .fact("tmux", tmux)
        .fact("ssh", ssh);
    if is_dumb {
        return finding.case("dumb");
    }
    finding
        .case_if(name.is_some(), "named")
        .case_if(name.is_none(), "unnamed")
        .case_if(tmux, "tmux")
        .case_if(ssh, "ssh")
}

/// The finding for a time zone in the variable `TZ` that cannot be loaded.
pub fn time_zone(value: impl Into<Untrusted>) -> Finding {
    Finding::new("terminal.time-zone", Verdict::Note)
        .fact("read", false)
        .value("value", value)
        .case("unread")
}

/// The reason for the number of colours that the program uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColourSource {
    /// `NO_COLOR` is set, so no colours are used.
    NoColour,
    /// The terminal reports 256 colours or more.
    Many,
    /// The terminal reports fewer than 256 colours, so its 16 basic colours are used.
    Few,
}

/// The finding about the number of colours in use.
pub fn colours(source: ColourSource) -> Finding {
    let (verdict, colours, case) = match source {
        ColourSource::NoColour => (Verdict::Fine, "none", "none"),
        ColourSource::Many => (Verdict::Fine, "256", "many"),
        ColourSource::Few => (Verdict::Note, "16", "few"),
    };
    let finding = Finding::new("terminal.colours", verdict);
    finding.fact("colours", colours).case(case)
}

/// The set of characters that the program uses in this terminal, and the reason for the choice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CharacterSet {
    /// All characters, because the locale uses UTF-8 or no locale is set.
    All,
    /// Only plain characters, because the seller selected them in the settings.
    ByChoice,
    /// Only plain characters, because the font of the Linux console has few symbols.
    Console,
    /// Only plain characters, because this locale does not use UTF-8.
    Locale(Untrusted),
}

/// The finding about the characters that the program uses in this terminal.
pub fn character_set(letters: &CharacterSet) -> Finding {
    let finding = |verdict, name| Finding::new("terminal.letters", verdict).fact("letters", name);
    let plain = |verdict, reason| finding(verdict, "plain").fact("because", reason);
    match letters {
        CharacterSet::All => finding(Verdict::Fine, "all").case("all"),
        CharacterSet::ByChoice => plain(Verdict::Fine, "settings").case("choice"),
        CharacterSet::Console => plain(Verdict::Note, "console").case("console"),
        CharacterSet::Locale(locale) => plain(Verdict::Note, "locale")
            .fact("locale", locale.shown())
            .case("locale"),
    }
}

/// How the program copies text to the clipboard on this computer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClipboardMethod {
    /// The clipboard program in use. If it is `None`, the terminal is asked to copy the text (OSC
    /// 52).
    pub program: Option<&'static str>,
    /// The name of the clipboard program that this desktop needs but that is not installed.
    pub missing: Option<&'static str>,
}

/// The finding about copying to the clipboard.
pub fn clipboard(ClipboardMethod { program, missing }: ClipboardMethod) -> Finding {
    let verdict = if missing.is_some() {
        Verdict::Note
    } else {
        Verdict::Fine
    };
    Finding::new("terminal.clipboard", verdict)
        .fact("way", program.unwrap_or("terminal"))
        .fact("missing", missing)
        .case_if(program.is_some(), "program")
        .case_if(program.is_none(), "terminal")
        .case_if(missing.is_some(), "missing")
}

/// The finding about the program: its version, the versions of SQLite and of the two database
/// schemas, and the system that it was built for.
pub fn program(
    [version, os, arch, sqlite]: [&str; 4],
    [money_schema, history_schema]: [u32; 2],
) -> Finding {
    Finding::new("program.versions", Verdict::Fine)
        .fact("balcao", version)
        .fact("os", os)
        .fact("arch", arch)
        .fact("sqlite", sqlite)
        .number("moneySchema", money_schema)
        .number("historySchema", history_schema)
        .case("what")
}
