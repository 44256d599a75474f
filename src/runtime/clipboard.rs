//! Copies a text to where the seller can paste it, and reports by which method.

mod program;

use std::env;
use std::ffi::{OsStr, OsString};
use std::time::Duration;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use tokio::sync::Mutex;
use tokio::time::timeout;

use super::display_environment::DisplayEnvironment;
use crate::app::{Copied, CopyTrouble};
use crate::trade::checkup::CopyWay;
use program::Program;

/// The most bytes that are copied; terminals drop longer texts without a word.
pub const MOST_BYTES: usize = 74_000;

/// The longest time that one method may take before the next is tried.
const LIMIT: Duration = Duration::from_secs(2);

/// The programs to try, the best first: those that set the clipboard of this machine's desktop, and
/// tmux, which hands a text to the terminal around it. Where none takes it, the terminal is asked.
fn programs(display: &DisplayEnvironment) -> Vec<Program> {
    // Over SSH the desktop's clipboard is that of a machine without a person before it.
    let is_near = !display.ssh;
    let programs = [
        (is_near && display.desktop, Program::PBCOPY),
        (is_near && display.wsl, Program::CLIP_EXE),
        (is_near && display.wayland, Program::WL_COPY),
        (is_near && display.x11, Program::XCLIP),
        (display.tmux, Program::TMUX),
    ];
    programs.into_iter().filter_map(|(is_here, program)| is_here.then_some(program)).collect()
}

/// The clipboard of the person before this screen.
#[derive(Debug)]
pub struct Clipboard {
    display: DisplayEnvironment,
    /// The `PATH` in which programs are looked for.
    path: OsString,
    limit: Duration,
    /// Held while a text is on its way: an older one must not come up over a newer one.
    turn: Mutex<()>,
}

impl Clipboard {
    /// A clipboard that starts nothing before the first copy.
    pub fn new(display: DisplayEnvironment) -> Clipboard {
        let path = env::var_os("PATH").unwrap_or_default();
        Clipboard { display, path, limit: LIMIT, turn: Mutex::default() }
    }

    /// Copies exactly this text by the first method that works; ends within a few seconds.
    ///
    /// Where no program takes it, an escape sequence asks the terminal to copy it; the terminal
    /// never answers.
    pub async fn copy(
        &self,
        text: &str,
        to_terminal: impl Fn(&[u8]),
    ) -> Result<Copied, CopyTrouble> {
        check(text)?;
        // A program that hangs for an older text would hang for this one: the terminal never does.
        let turn = timeout(self.limit, self.turn.lock()).await;
        let taken = if turn.is_ok() { self.hand_over(text).await } else { None };
        Ok(taken.unwrap_or_else(|| {
            to_terminal(&sequence(text, &self.display));
            Copied::SentToTerminal
        }))
    }

    /// Gives the text to the first program that takes it.
    async fn hand_over(&self, text: &str) -> Option<Copied> {
        for program in programs(&self.display) {
            if !program.takes(text, &self.path, self.limit).await {
                continue;
            }
            return Some(match program == Program::TMUX {
                false => Copied::Desktop,
                true if program::tmux_passes_on(&self.path, self.limit).await => Copied::Tmux,
                true => Copied::TmuxOnly,
            });
        }
        None
    }
}

/// The program that a copy would be given to, and one that this desktop lacks; the first is none
/// where the terminal is asked.
pub fn way(display: &DisplayEnvironment, path: &OsStr) -> CopyWay {
    let mut missing = None;
    for program in programs(display) {
        if program.is_in(path) {
            return CopyWay { program: Some(program.name), missing };
        }
        missing = missing.or((program != Program::TMUX).then_some(program.name));
    }
    CopyWay { program: None, missing }
}

fn check(text: &str) -> Result<(), CopyTrouble> {
    match text.len() {
        0 => Err(CopyTrouble::Nothing),
        bytes if bytes > MOST_BYTES => Err(CopyTrouble::TooLong),
        _ => Ok(()),
    }
}

/// The most bytes of one string that GNU screen hands to the terminal around it; it takes 768.
const SCREEN_STRING: usize = 700;

/// The escape sequence that sets the terminal's clipboard; it never asks for what is in there.
///
/// GNU screen knows it not, and hands on what a string for the terminal (DCS) holds.
fn sequence(text: &str, display: &DisplayEnvironment) -> Vec<u8> {
    let set = format!("\x1b]52;c;{}", BASE64_STANDARD.encode(text)).into_bytes();
    if !display.screen {
        return [&set, &b"\x1b\\"[..]].concat();
    }
    let whole = [&set, &b"\x07"[..]].concat();
    let strings = whole.chunks(SCREEN_STRING).map(|part| [b"\x1bP", part, b"\x1b\\"].concat());
    strings.collect::<Vec<_>>().concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn osc52(text: &str) -> Vec<u8> {
        sequence(text, &DisplayEnvironment::default())
    }

    #[test]
    fn the_way_follows_from_where_the_program_is_seen() {
        let table: [(&[&str], &[&str]); 12] = [
            (&[], &[]),
            (&["x11"], &["xclip"]),
            (&["wayland"], &["wl-copy"]),
            (&["wayland", "x11"], &["wl-copy", "xclip"]),
            (&["wsl"], &["clip.exe"]),
            (&["wsl", "wayland", "x11"], &["clip.exe", "wl-copy", "xclip"]),
            (&["desktop"], &["pbcopy"]),
            (&["tmux"], &["tmux"]),
            (&["x11", "tmux"], &["xclip", "tmux"]),
            (&["wayland", "x11", "ssh"], &[]),
            (&["desktop", "wsl", "ssh"], &[]),
            (&["tmux", "ssh"], &["tmux"]),
        ];
        for (is, expected) in table {
            let display = DisplayEnvironment {
                ssh: is.contains(&"ssh"),
                tmux: is.contains(&"tmux"),
                screen: false,
                wayland: is.contains(&"wayland"),
                x11: is.contains(&"x11"),
                desktop: is.contains(&"desktop"),
                wsl: is.contains(&"wsl"),
            };
            let names = programs(&display).into_iter().map(|program| program.name);
            assert_eq!(names.collect::<Vec<_>>(), expected, "{is:?}");
        }
    }

    fn on_a_desktop(path: &std::path::Path, limit: Duration) -> Clipboard {
        let display =
            DisplayEnvironment { wayland: true, x11: true, ..DisplayEnvironment::default() };
        Clipboard { path: path.into(), limit, ..Clipboard::new(display) }
    }

    /// Copies; returns the result, and the bytes that went to the terminal.
    async fn copied(clipboard: &Clipboard, text: &str) -> (Result<Copied, CopyTrouble>, Vec<u8>) {
        let terminal = Mutex::new(Vec::new());
        let write = |bytes: &[u8]| terminal.try_lock().unwrap().extend_from_slice(bytes);
        let how = clipboard.copy(text, write).await;
        (how, terminal.into_inner())
    }

    /// The result of a copy that went through the terminal.
    fn through_terminal(text: &str) -> (Result<Copied, CopyTrouble>, Vec<u8>) {
        (Ok(Copied::SentToTerminal), osc52(text))
    }

    #[tokio::test]
    async fn one_that_fails_or_is_missing_leaves_it_to_the_next() {
        use program::tests::{LONG, folder_of, left};
        let (takes, fails) = ("cat > $0.text", "echo no >&2; exit 1");
        let taken = (Ok(Copied::Desktop), vec![]);
        let folder = folder_of(&[("wl-copy", takes), ("xclip", takes)]);
        let clipboard = on_a_desktop(folder.path(), LONG);
        assert_eq!(copied(&clipboard, "a").await, taken);
        assert_eq!((&*left(&folder, "wl-copy.text"), &*left(&folder, "xclip.text")), ("a", ""));
        let folder = folder_of(&[("wl-copy", fails), ("xclip", takes)]);
        assert_eq!(copied(&on_a_desktop(folder.path(), LONG), "b").await, taken);
        assert_eq!(left(&folder, "xclip.text"), "b");
        let folder = folder_of(&[("xclip", takes)]);
        assert_eq!(copied(&on_a_desktop(folder.path(), LONG), "c").await, taken);
        assert_eq!(left(&folder, "xclip.text"), "c");
        let sent = through_terminal("d");
        let folder = folder_of(&[("wl-copy", fails), ("xclip", fails)]);
        assert_eq!(copied(&on_a_desktop(folder.path(), LONG), "d").await, sent);
        let none = folder_of(&[]);
        assert_eq!(copied(&on_a_desktop(none.path(), LONG), "d").await, sent);
    }

    #[tokio::test]
    async fn one_that_hangs_holds_neither_this_copy_nor_the_next() {
        let hangs = "exec sleep 300";
        let folder = program::tests::folder_of(&[("wl-copy", hangs), ("xclip", hangs)]);
        let clipboard = on_a_desktop(folder.path(), Duration::from_millis(50));
        let (one, two) = tokio::join!(copied(&clipboard, "a"), copied(&clipboard, "b"));
        assert_eq!(one, through_terminal("a"));
        assert_eq!(two, through_terminal("b"));
    }

    #[test]
    fn the_sequence_sets_and_never_asks() {
        assert_eq!(osc52("a"), b"\x1b]52;c;YQ==\x1b\\");
        assert_eq!(osc52("ab"), b"\x1b]52;c;YWI=\x1b\\");
        assert_eq!(osc52("abc"), b"\x1b]52;c;YWJj\x1b\\");
        assert_eq!(osc52("ação ?>"), b"\x1b]52;c;YcOnw6NvID8+\x1b\\");
        // The query form is a lone question mark; copying one is no query.
        assert_eq!(osc52("?"), b"\x1b]52;c;Pw==\x1b\\");
        assert_eq!(osc52("\x1b\\\x07"), b"\x1b]52;c;G1wH\x1b\\");
    }

    #[tokio::test]
    async fn where_nothing_else_is_the_terminal_is_asked() {
        let clipboard = Clipboard::new(DisplayEnvironment::default());
        assert_eq!(copied(&clipboard, "x").await, through_terminal("x"));
        assert_eq!(copied(&clipboard, "").await, (Err(CopyTrouble::Nothing), vec![]));
        let longest = "x".repeat(MOST_BYTES);
        assert_eq!(copied(&clipboard, &longest).await, through_terminal(&longest));
        let longer = "x".repeat(MOST_BYTES + 1);
        assert_eq!(copied(&clipboard, &longer).await, (Err(CopyTrouble::TooLong), vec![]));
    }

    #[test]
    fn screen_gets_it_in_strings_that_it_hands_on() {
        let display = DisplayEnvironment { screen: true, ..DisplayEnvironment::default() };
        assert_eq!(sequence("a", &display), b"\x1bP\x1b]52;c;YQ==\x07\x1b\\");
        let text = "Pix ".repeat(1_000);
        let mut handed_on = Vec::new();
        let sent = String::from_utf8(sequence(&text, &display)).unwrap();
        for string in sent.split_inclusive("\x1b\\") {
            let part = string.strip_prefix("\x1bP").unwrap().strip_suffix("\x1b\\").unwrap();
            assert!(string.len() < 768, "{}", string.len());
            handed_on.extend_from_slice(part.as_bytes());
        }
        let whole = format!("\x1b]52;c;{}\x07", BASE64_STANDARD.encode(&text));
        assert_eq!(handed_on, whole.as_bytes());
    }

    #[tokio::test]
    async fn tmux_says_passed_on_only_with_a_clipboard_around_it() {
        use program::tests::{LONG, folder_of, left};
        for (features, copied_as) in [
            ("256,RGB,clipboard,title", Copied::Tmux),
            ("256,clipboards", Copied::TmuxOnly),
            ("", Copied::TmuxOnly),
        ] {
            let script = format!(
                "case $1 in load-buffer) cat > $HERE/text;; display-message) echo {features};; esac"
            );
            let folder = folder_of(&[("tmux", &script)]);
            let display = DisplayEnvironment { tmux: true, ..DisplayEnvironment::default() };
            let path = folder.path().into();
            let clipboard = Clipboard { path, limit: LONG, ..Clipboard::new(display) };
            assert_eq!(copied(&clipboard, "a").await, (Ok(copied_as), vec![]), "{features}");
            assert_eq!(left(&folder, "text"), "a");
        }
    }
}
