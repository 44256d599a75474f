//! Copies text to the seller's clipboard, through a clipboard program or the terminal.

use std::ffi::{OsStr, OsString};
use std::io;
use std::process::Stdio;
use std::time::Duration;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use tokio::io::AsyncWriteExt;
use tokio::process::Command;
use tokio::sync::Mutex;
use tokio::time::timeout;

use super::display_environment::DisplayEnvironment;
use crate::app::{Copied, CopyTrouble};
use crate::config::environment;
use crate::trade::checkup::CopyWay;
use crate::vault::program::{find, kill};

/// The maximum length of a copied text in bytes. Many terminals silently ignore a longer text.
pub const MOST_BYTES: usize = 74_000;

/// The time limit for one copy method. When it is over, the next method is tried.
const LIMIT: Duration = Duration::from_secs(2);

/// Returns the clipboard programs to try, in order of preference: first the desktop's own programs,
/// then tmux, which passes the text on to its terminal.
fn programs(display: &DisplayEnvironment) -> Vec<Program> {
    // Over SSH, the clipboard of this machine's desktop is of no use, because the user sits at
    // another machine.
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

/// Copies text to the clipboard of the user at the terminal.
#[derive(Debug)]
pub struct Clipboard {
    display: DisplayEnvironment,
    /// The value of `PATH`, which is searched for clipboard programs.
    path: OsString,
    limit: Duration,
    /// A lock that is held during each copy, so that an older copy cannot overwrite a newer one.
    turn: Mutex<()>,
}

impl Clipboard {
    /// Creates a clipboard. No program is started before the first copy.
    pub fn new(display: DisplayEnvironment) -> Clipboard {
        let path = environment::variable("PATH").unwrap_or_default();
        Clipboard { display, path, limit: LIMIT, turn: Mutex::default() }
    }

    /// Copies the text unchanged with the first method that works. Returns within a few seconds.
    ///
    /// If no program accepts the text, an escape sequence asks the terminal to copy it. The
    /// terminal does not confirm the copy.
    pub async fn copy(
        &self,
        text: &str,
        to_terminal: impl Fn(&[u8]),
    ) -> Result<Copied, CopyTrouble> {
        check(text)?;
        // An earlier copy may still wait for a program that hangs. In that case, copy through the
        // terminal, which never blocks.
        let turn = timeout(self.limit, self.turn.lock()).await;
        let taken = if turn.is_ok() { self.hand_over(text).await } else { None };
        Ok(taken.unwrap_or_else(|| {
            to_terminal(&sequence(text, &self.display));
            Copied::SentToTerminal
        }))
    }

    /// Passes the text to the first clipboard program that accepts it.
    async fn hand_over(&self, text: &str) -> Option<Copied> {
        for program in programs(&self.display) {
            if !program.takes(text, &self.path, self.limit).await {
                continue;
            }
            return Some(match program == Program::TMUX {
                false => Copied::Desktop,
                true if tmux_passes_on(&self.path, self.limit).await => Copied::Tmux,
                true => Copied::TmuxOnly,
            });
        }
        None
    }
}

/// Returns the clipboard program that would copy a text, or `None` if the terminal would copy it.
/// Also returns the desktop's preferred clipboard program if it is not installed.
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

/// The maximum length, in bytes, of a string that is sent to GNU screen. Its own limit is 768
/// bytes.
const SCREEN_STRING: usize = 700;

/// Returns the escape sequence (OSC 52) that sets the terminal's clipboard.
///
/// GNU screen does not support this sequence, so inside screen the sequence is wrapped in DCS
/// strings, which screen passes on to its terminal.
fn sequence(text: &str, display: &DisplayEnvironment) -> Vec<u8> {
    let set = format!("\x1b]52;c;{}", BASE64_STANDARD.encode(text)).into_bytes();
    if !display.screen {
        return [&set, &b"\x1b\\"[..]].concat();
    }
    let whole = [&set, &b"\x07"[..]].concat();
    let strings = whole.chunks(SCREEN_STRING).map(|part| [b"\x1bP", part, b"\x1b\\"].concat());
    strings.collect::<Vec<_>>().concat()
}

/// A clipboard program and its arguments. The program copies the text from its standard input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Program {
    name: &'static str,
    args: &'static [&'static str],
    /// Environment variables to set for the program, in addition to the inherited ones.
    env: &'static [(&'static str, &'static str)],
    /// True if only ASCII text may be passed to the program, because it may misread other
    /// characters.
    only_ascii: bool,
}

impl Program {
    const WL_COPY: Program = Program::of("wl-copy", &["--type", "text/plain"]);
    const XCLIP: Program = Program::of("xclip", &["-in", "-selection", "clipboard"]);
    /// The clipboard program of macOS, which reads UTF-8 only in a UTF-8 locale.
    const PBCOPY: Program =
        Program { env: &[("LC_ALL", "en_US.UTF-8")], ..Program::of("pbcopy", &[]) };
    /// The clipboard program of Windows, which can be started from WSL.
    const CLIP_EXE: Program = Program { only_ascii: true, ..Program::of("clip.exe", &[]) };
    /// The command of tmux that sets its clipboard. With `-w`, tmux also passes the text on to its
    /// terminal.
    const TMUX: Program = Program::of("tmux", &["load-buffer", "-w", "-"]);

    const fn of(name: &'static str, args: &'static [&'static str]) -> Program {
        Program { name, args, env: &[], only_ascii: false }
    }

    /// Returns true if the program is in a directory of this `PATH`.
    fn is_in(&self, path: &OsStr) -> bool {
        find(self.name, path).is_some()
    }

    /// Finds the program in this `PATH` and passes the text to it. Returns true if the program
    /// accepted the text in time.
    async fn takes(&self, text: &str, path: &OsStr, limit: Duration) -> bool {
        if self.only_ascii && !text.is_ascii() {
            return false;
        }
        let Some(found) = find(self.name, path) else { return false };
        let mut command = Command::new(found);
        command.args(self.args).envs(self.env.iter().copied());
        feed(command, text, limit).await.unwrap_or(false)
    }
}

/// Returns true if tmux can set the clipboard of the terminal that it runs in.
async fn tmux_passes_on(path: &OsStr, limit: Duration) -> bool {
    let Some(found) = find(Program::TMUX.name, path) else { return false };
    let mut command = Command::new(found);
    let asks = command.args(["display-message", "-p", "#{client_termfeatures}"]);
    let quiet = asks.stdin(Stdio::null()).stderr(Stdio::null()).kill_on_drop(true);
    let Ok(Ok(said)) = timeout(limit, quiet.output()).await else { return false };
    let features = String::from_utf8_lossy(&said.stdout);
    said.status.success() && features.trim().split(',').any(|feature| feature == "clipboard")
}

/// Runs a command with this input, and discards its output. Kills the command after `limit`.
///
/// Does not wait for background processes, because `wl-copy` and `xclip` leave a process running
/// that serves the clipboard.
async fn feed(mut command: Command, input: &str, limit: Duration) -> io::Result<bool> {
    let quiet = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    // Start the command in its own process group. Its background processes then survive when the
    // terminal window is closed, and one signal can kill all of them.
    quiet.process_group(0);
    let mut child = quiet.kill_on_drop(true).spawn()?;
    let stdin = child.stdin.take();
    let fed = async {
        if let Some(mut stdin) = stdin {
            // Ignore an error: if the command does not read all input, its exit status shows
            // whether it failed.
            let _ = stdin.write_all(input.as_bytes()).await;
        }
        child.wait().await
    };
    if let Ok(status) = timeout(limit, fed).await {
        return status.map(|status| status.success());
    }
    // The command took too long, so the text is now copied in another way. Kill the command,
    // because it could overwrite a newer text later.
    kill(&mut child, limit).await;
    Ok(false)
}

#[cfg(test)]
mod tests {
    use std::{env, fs};

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

    /// Copies the text. Returns the result, and the bytes that were written to the terminal.
    async fn copied(clipboard: &Clipboard, text: &str) -> (Result<Copied, CopyTrouble>, Vec<u8>) {
        let terminal = Mutex::new(Vec::new());
        let write = |bytes: &[u8]| terminal.try_lock().unwrap().extend_from_slice(bytes);
        let how = clipboard.copy(text, write).await;
        (how, terminal.into_inner())
    }

    /// Returns the expected result of [`copied`] if the terminal copies the text.
    fn through_terminal(text: &str) -> (Result<Copied, CopyTrouble>, Vec<u8>) {
        (Ok(Copied::SentToTerminal), osc52(text))
    }

    #[tokio::test]
    async fn failed_or_missing_program_falls_back_to_next() {
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
    async fn hanging_program_does_not_block_copies() {
        let hangs = "exec sleep 300";
        let folder = folder_of(&[("wl-copy", hangs), ("xclip", hangs)]);
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
        // In OSC 52, a `?` in place of the base64 text is a query for the clipboard. A copied `?`
        // is encoded in base64, so it is not a query.
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
    async fn tmux_reports_forwarding_only_with_clipboard() {
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

    /// A time limit that the test programs never reach, even on a busy machine.
    const LONG: Duration = Duration::from_secs(60);

    /// Creates a directory of executable scripts. Each script is given as a name and a content, in
    /// which `$HERE` means this directory.
    ///
    /// Another process writes the script files, because a file that this process holds open for
    /// writing cannot be executed.
    fn folder_of(programs: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, script) in programs {
            let script = format!("#!/bin/sh\nHERE=${{0%/*}}\n{script}\n");
            let write = ["-c", "printf %s \"$1\" > \"$0\" && chmod 755 \"$0\""];
            let mut shell = std::process::Command::new("sh");
            shell.args(write).arg(folder.path().join(name)).arg(script);
            assert!(shell.status().unwrap().success());
        }
        folder
    }

    /// Returns the content of a file that a test script wrote to its directory.
    fn left(folder: &tempfile::TempDir, name: &str) -> String {
        fs::read_to_string(folder.path().join(name)).unwrap_or_default()
    }

    async fn takes(program: Program, text: &str, folder: &tempfile::TempDir) -> bool {
        program.takes(text, folder.path().as_os_str(), LONG).await
    }

    #[tokio::test]
    async fn program_gets_exact_text_only_on_stdin() {
        let script = "cat > $HERE/text; echo \"$@\" > $HERE/args; env > $HERE/env; \
                      echo noise; echo noise >&2";
        let folder = folder_of(&[("xclip", script), ("wl-copy", script), ("tmux", script)]);
        let text = "ação $(id) ; \"'\n".repeat(5_000);
        for (program, args) in [
            (Program::XCLIP, "-in -selection clipboard\n"),
            (Program::WL_COPY, "--type text/plain\n"),
            (Program::TMUX, "load-buffer -w -\n"),
        ] {
            assert!(takes(program, &text, &folder).await);
            assert_eq!(left(&folder, "text"), text);
            assert_eq!(left(&folder, "args"), args);
            let own = format!("PATH={}\n", env::var("PATH").unwrap());
            let env = left(&folder, "env");
            assert!(env.contains(&own) && !env.contains("$(id)"), "{env}");
        }
    }

    #[tokio::test]
    async fn letters_reach_each_desktop_whole_or_not_at_all() {
        let script = "cat > $HERE/text; echo \"$LC_ALL\" > $HERE/locale";
        let folder = folder_of(&[("pbcopy", script), ("clip.exe", script)]);
        assert!(takes(Program::PBCOPY, "ação", &folder).await);
        assert_eq!(left(&folder, "text"), "ação");
        assert_eq!(left(&folder, "locale"), "en_US.UTF-8\n");
        assert!(!takes(Program::CLIP_EXE, "ação!", &folder).await);
        assert_eq!(left(&folder, "text"), "ação");
        assert!(takes(Program::CLIP_EXE, "https://loja.example/l-1", &folder).await);
        assert_eq!(left(&folder, "text"), "https://loja.example/l-1");
    }

    #[tokio::test]
    async fn refusing_or_unstartable_program_returns_false() {
        let folder =
            folder_of(&[("xclip", "cat >/dev/null; echo \"Can't open display\" >&2; exit 1")]);
        assert!(!takes(Program::XCLIP, "x", &folder).await);
        assert!(!takes(Program::WL_COPY, "x", &folder).await, "it is not there");
        fs::write(folder.path().join("wl-copy"), "not a program").unwrap();
        assert!(!takes(Program::WL_COPY, "x", &folder).await, "it may not be run");
        fs::create_dir(folder.path().join("tmux")).unwrap();
        assert!(!takes(Program::TMUX, "x", &folder).await, "it is a folder");
    }

    /// Like `wl-copy` and `xclip`, the script leaves a background process that keeps its pipes
    /// open.
    #[tokio::test]
    async fn background_child_is_not_awaited() {
        let script = "cat > $HERE/text; sleep 300 & echo $! > $HERE/stays";
        let folder = folder_of(&[("xclip", script)]);
        assert!(takes(Program::XCLIP, "x", &folder).await);
        let stays =
            left(&folder, "stays").trim().parse().ok().and_then(rustix::process::Pid::from_raw);
        let stays = stays.expect("its number");
        rustix::process::kill_process(stays, rustix::process::Signal::KILL).expect("it is there");
    }

    /// The script and its child process keep a named pipe open. The pipe closes only if both are
    /// killed.
    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn hanging_program_is_killed_with_its_children() {
        let script = "exec 3>$HERE/fifo; echo up >&3; sleep 300 & wait";
        let folder = folder_of(&[("xclip", script)]);
        let fifo = folder.path().join("fifo");
        let mode = rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR;
        let kind = rustix::fs::FileType::Fifo;
        rustix::fs::mknodat(rustix::fs::CWD, &fifo, kind, mode, 0).unwrap();
        let flags = rustix::fs::OFlags::RDONLY | rustix::fs::OFlags::NONBLOCK;
        let reader = rustix::fs::open(&fifo, flags, mode).unwrap();
        let large = "x".repeat(1_000_000);
        // On a slow machine, the time limit may end before the script has started. Retry with a
        // longer limit in this case.
        let mut limit = Duration::from_millis(100);
        let mut began = false;
        while !began {
            let path = folder.path().as_os_str();
            assert!(!Program::XCLIP.takes(&large, path, limit).await);
            let mut up = [0; 3];
            began = rustix::io::read(&reader, &mut up).is_ok_and(|read| read == 3);
            limit *= 2;
        }
        rustix::io::ioctl_fionbio(&reader, false).unwrap();
        let gone = tokio::task::spawn_blocking(move || {
            io::copy(&mut fs::File::from(reader), &mut io::sink()).unwrap()
        });
        tokio::time::timeout(LONG, gone).await.expect("nobody holds it").unwrap();
    }
}
