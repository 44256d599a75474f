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
use crate::trade::checkup::ClipboardMethod;
use crate::vault::program::{find, kill};

/// The maximum length of a copied text in bytes. Many terminals silently ignore a longer text.
pub const MAX_BYTES: usize = 74_000;

/// The time limit for one copy method. When it is over, the next method is tried.
const COPY_TIMEOUT: Duration = Duration::from_secs(2);

/// The clipboard programs to try, in order of preference: first the desktop's own programs, then
/// tmux, which passes the text on to its terminal.
fn programs(display: &DisplayEnvironment) -> Vec<Program> {
    // Over SSH, the clipboard of this machine's desktop is of no use, because the user sits at
    // another machine.
    let is_local = !display.ssh;
    let programs = [
        (is_local && display.desktop, Program::PBCOPY),
        (is_local && display.wsl, Program::CLIP_EXE),
        (is_local && display.wayland, Program::WL_COPY),
        (is_local && display.x11, Program::XCLIP),
        (display.tmux, Program::TMUX),
    ];
    programs
        .into_iter()
        .filter_map(|(is_available, program)| is_available.then_some(program))
        .collect()
}

/// Copies text to the clipboard of the user at the terminal.
#[derive(Debug)]
pub struct Clipboard {
    display: DisplayEnvironment,
    /// The value of `PATH`, which is searched for clipboard programs.
    path: OsString,
    limit: Duration,
    /// A lock that is held during each copy, so that an older copy cannot overwrite a newer one.
    copy_lock: Mutex<()>,
}

impl Clipboard {
    /// Creates a clipboard. No program is started before the first copy.
    pub fn new(display: DisplayEnvironment) -> Clipboard {
        let path = environment::variable("PATH").unwrap_or_default();
        Clipboard {
            display,
            path,
            limit: COPY_TIMEOUT,
            copy_lock: Mutex::default(),
        }
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
        check_length(text)?;
        // An earlier copy may still wait for a program that hangs. In that case, copy through the
        // terminal, which never blocks.
        let lock = timeout(self.limit, self.copy_lock.lock()).await;
        let copied = if lock.is_ok() {
            self.copy_with_programs(text).await
        } else {
            None
        };
        if copied.is_none() && self.display.lines {
            return Err(CopyTrouble::NoProgram);
        }
        Ok(copied.unwrap_or_else(|| {
            to_terminal(&osc52_sequence(text, &self.display));
            Copied::SentToTerminal
        }))
    }

    /// Passes the text to the first clipboard program that accepts it.
    async fn copy_with_programs(&self, text: &str) -> Option<Copied> {
        for program in programs(&self.display) {
            if !program.copy(text, &self.path, self.limit).await {
                continue;
            }
            return Some(if program != Program::TMUX {
                Copied::Desktop
            } else if tmux_forwards_to_terminal(&self.path, self.limit).await {
                Copied::Tmux
            } else {
                Copied::TmuxOnly
            });
        }
        None
    }
}

/// The clipboard program that would copy a text. `program` is `None` if the terminal would copy it.
/// `missing` is the desktop's preferred clipboard program, if it is not installed.
pub fn copy_method(display: &DisplayEnvironment, path: &OsStr) -> ClipboardMethod {
    let mut missing = None;
    for program in programs(display) {
        if program.is_in(path) {
            return ClipboardMethod {
                program: Some(program.name),
                missing,
            };
        }
        missing = missing.or((program != Program::TMUX).then_some(program.name));
    }
    ClipboardMethod {
        program: None,
        missing,
    }
}

fn check_length(text: &str) -> Result<(), CopyTrouble> {
    match text.len() {
        0 => Err(CopyTrouble::Nothing),
        bytes if bytes > MAX_BYTES => Err(CopyTrouble::TooLong),
        _ => Ok(()),
    }
}

/// The maximum length, in bytes, of a string that is sent to GNU screen. The limit of screen itself
/// is 768 bytes.
const MAX_SCREEN_STRING: usize = 700;

/// The escape sequence (OSC 52) that sets the terminal's clipboard.
///
/// GNU screen does not support this sequence, so inside screen the sequence is wrapped in DCS
/// strings, which screen passes on to its terminal.
fn osc52_sequence(text: &str, display: &DisplayEnvironment) -> Vec<u8> {
    let start = format!("\x1b]52;c;{}", BASE64_STANDARD.encode(text)).into_bytes();
    if !display.screen {
        return [&start, &b"\x1b\\"[..]].concat();
    }
    let complete = [&start, &b"\x07"[..]].concat();
    let strings = complete
        .chunks(MAX_SCREEN_STRING)
        .map(|part| [b"\x1bP", part, b"\x1b\\"].concat());
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
    is_ascii_only: bool,
}

impl Program {
    const WL_COPY: Program = Program::of("wl-copy", &["--type", "text/plain"]);
    const XCLIP: Program = Program::of("xclip", &["-in", "-selection", "clipboard"]);
    /// The clipboard program of macOS, which reads UTF-8 only in a UTF-8 locale.
    const PBCOPY: Program = Program {
        env: &[("LC_ALL", "en_US.UTF-8")],
        ..Program::of("pbcopy", &[])
    };
    /// The clipboard program of Windows, which can be started from WSL.
    const CLIP_EXE: Program = Program {
        is_ascii_only: true,
        ..Program::of("clip.exe", &[])
    };
    /// The command of tmux that sets its clipboard. With `-w`, tmux also passes the text on to its
    /// terminal.
    const TMUX: Program = Program::of("tmux", &["load-buffer", "-w", "-"]);

    const fn of(name: &'static str, args: &'static [&'static str]) -> Program {
        Program {
            name,
            args,
            env: &[],
            is_ascii_only: false,
        }
    }

    /// True if the program is in a directory of this `PATH`.
    fn is_in(&self, path: &OsStr) -> bool {
        find(self.name, path).is_some()
    }

    /// Finds the program in this `PATH` and passes the text to it. Returns true if the program
    /// accepted the text in time.
    async fn copy(&self, text: &str, path: &OsStr, limit: Duration) -> bool {
        if self.is_ascii_only && !text.is_ascii() {
            return false;
        }
        let Some(found) = find(self.name, path) else {
            return false;
        };
        let mut command = Command::new(found);
        command.args(self.args).envs(self.env.iter().copied());
        run_with_input(command, text, limit).await.unwrap_or(false)
    }
}

/// True if tmux can set the clipboard of the terminal that it runs in.
async fn tmux_forwards_to_terminal(path: &OsStr, limit: Duration) -> bool {
    let Some(found) = find(Program::TMUX.name, path) else {
        return false;
    };
    let mut command = Command::new(found);
    let query = command.args(["display-message", "-p", "#{client_termfeatures}"]);
    let query = query
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .kill_on_drop(true);
    let Ok(Ok(output)) = timeout(limit, query.output()).await else {
        return false;
    };
    let features = String::from_utf8_lossy(&output.stdout);
    output.status.success()
        && features
            .trim()
            .split(',')
            .any(|feature| feature == "clipboard")
}

/// Runs a command with this input, and discards its output. Kills the command after `limit`.
///
/// Does not wait for background processes, because `wl-copy` and `xclip` leave a process running
/// that serves the clipboard.
async fn run_with_input(mut command: Command, input: &str, limit: Duration) -> io::Result<bool> {
    let command = command
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    // Start the command in its own process group. Its background processes then survive when the
    // terminal window is closed, and one signal can kill all of them.
    command.process_group(0);
    let mut child = command.kill_on_drop(true).spawn()?;
    let stdin = child.stdin.take();
    let run = async {
        if let Some(mut stdin) = stdin {
            // Ignore an error: if the command does not read all input, its exit status shows
            // whether it failed.
            let _ = stdin.write_all(input.as_bytes()).await;
        }
        child.wait().await
    };
    if let Ok(status) = timeout(limit, run).await {
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
        osc52_sequence(text, &DisplayEnvironment::default())
    }

    #[test]
    fn environment_determines_the_programs() {
        let table: [(&[&str], &[&str]); 12] = [
            (&[], &[]),
            (&["x11"], &["xclip"]),
            (&["wayland"], &["wl-copy"]),
            (&["wayland", "x11"], &["wl-copy", "xclip"]),
            (&["wsl"], &["clip.exe"]),
            (
                &["wsl", "wayland", "x11"],
                &["clip.exe", "wl-copy", "xclip"],
            ),
            (&["desktop"], &["pbcopy"]),
            (&["tmux"], &["tmux"]),
            (&["x11", "tmux"], &["xclip", "tmux"]),
            (&["wayland", "x11", "ssh"], &[]),
            (&["desktop", "wsl", "ssh"], &[]),
            (&["tmux", "ssh"], &["tmux"]),
        ];
        for (environment, expected) in table {
            let display = DisplayEnvironment {
                ssh: environment.contains(&"ssh"),
                tmux: environment.contains(&"tmux"),
                screen: false,
                wayland: environment.contains(&"wayland"),
                x11: environment.contains(&"x11"),
                desktop: environment.contains(&"desktop"),
                wsl: environment.contains(&"wsl"),
                lines: false,
            };
            let names = programs(&display).into_iter().map(|program| program.name);
            assert_eq!(names.collect::<Vec<_>>(), expected, "{environment:?}");
        }
    }

    fn on_a_desktop(path: &std::path::Path, limit: Duration) -> Clipboard {
        let display = DisplayEnvironment {
            wayland: true,
            x11: true,
            ..DisplayEnvironment::default()
        };
        Clipboard {
            path: path.into(),
            limit,
            ..Clipboard::new(display)
        }
    }

    /// Copies the text. Returns the result, and the bytes that were written to the terminal.
    async fn copy_text(
        clipboard: &Clipboard,
        text: &str,
    ) -> (Result<Copied, CopyTrouble>, Vec<u8>) {
        let terminal = Mutex::new(Vec::new());
        let write = |bytes: &[u8]| terminal.try_lock().unwrap().extend_from_slice(bytes);
        let result = clipboard.copy(text, write).await;
        (result, terminal.into_inner())
    }

    /// The expected result of [`copy_text`] if the terminal copies the text.
    fn through_terminal(text: &str) -> (Result<Copied, CopyTrouble>, Vec<u8>) {
        (Ok(Copied::SentToTerminal), osc52(text))
    }

    #[tokio::test]
    async fn failed_or_missing_program_falls_back_to_next() {
        let accepts = "cat > $0.text";
        let rejects = "echo no >&2; exit 1";
        let copied_by_program = (Ok(Copied::Desktop), vec![]);
        let folder = folder_with_programs(&[("wl-copy", accepts), ("xclip", accepts)]);
        let clipboard = on_a_desktop(folder.path(), TEST_TIMEOUT);
        assert_eq!(copy_text(&clipboard, "a").await, copied_by_program);
        assert_eq!(
            (
                &*read_file(&folder, "wl-copy.text"),
                &*read_file(&folder, "xclip.text")
            ),
            ("a", "")
        );
        let folder = folder_with_programs(&[("wl-copy", rejects), ("xclip", accepts)]);
        assert_eq!(
            copy_text(&on_a_desktop(folder.path(), TEST_TIMEOUT), "b").await,
            copied_by_program
        );
        assert_eq!(read_file(&folder, "xclip.text"), "b");
        let folder = folder_with_programs(&[("xclip", accepts)]);
        assert_eq!(
            copy_text(&on_a_desktop(folder.path(), TEST_TIMEOUT), "c").await,
            copied_by_program
        );
        assert_eq!(read_file(&folder, "xclip.text"), "c");
        let sent = through_terminal("d");
        let folder = folder_with_programs(&[("wl-copy", rejects), ("xclip", rejects)]);
        assert_eq!(
            copy_text(&on_a_desktop(folder.path(), TEST_TIMEOUT), "d").await,
            sent
        );
        let none = folder_with_programs(&[]);
        assert_eq!(
            copy_text(&on_a_desktop(none.path(), TEST_TIMEOUT), "d").await,
            sent
        );
    }

    #[tokio::test]
    async fn hanging_program_does_not_block_copies() {
        let hangs = "exec sleep 300";
        let folder = folder_with_programs(&[("wl-copy", hangs), ("xclip", hangs)]);
        let clipboard = on_a_desktop(folder.path(), Duration::from_millis(50));
        let (one, two) = tokio::join!(copy_text(&clipboard, "a"), copy_text(&clipboard, "b"));
        assert_eq!(one, through_terminal("a"));
        assert_eq!(two, through_terminal("b"));
    }

    #[test]
    fn sequence_never_queries_the_clipboard() {
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
    async fn terminal_copies_if_there_is_no_program() {
        let clipboard = Clipboard::new(DisplayEnvironment::default());
        assert_eq!(copy_text(&clipboard, "x").await, through_terminal("x"));
        assert_eq!(
            copy_text(&clipboard, "").await,
            (Err(CopyTrouble::Nothing), vec![])
        );
        let longest = "x".repeat(MAX_BYTES);
        assert_eq!(
            copy_text(&clipboard, &longest).await,
            through_terminal(&longest)
        );
        let longer = "x".repeat(MAX_BYTES + 1);
        assert_eq!(
            copy_text(&clipboard, &longer).await,
            (Err(CopyTrouble::TooLong), vec![])
        );
    }

    #[test]
    fn screen_gets_short_wrapped_strings() {
        let display = DisplayEnvironment {
            screen: true,
            ..DisplayEnvironment::default()
        };
        assert_eq!(
            osc52_sequence("a", &display),
            b"\x1bP\x1b]52;c;YQ==\x07\x1b\\"
        );
        let text = "Pix ".repeat(1_000);
        let mut unwrapped = Vec::new();
        let sent = String::from_utf8(osc52_sequence(&text, &display)).unwrap();
        for string in sent.split_inclusive("\x1b\\") {
            let part = string
                .strip_prefix("\x1bP")
                .unwrap()
                .strip_suffix("\x1b\\")
                .unwrap();
            assert!(string.len() < 768, "{}", string.len());
            unwrapped.extend_from_slice(part.as_bytes());
        }
        let expected = format!("\x1b]52;c;{}\x07", BASE64_STANDARD.encode(&text));
        assert_eq!(unwrapped, expected.as_bytes());
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
            let folder = folder_with_programs(&[("tmux", &script)]);
            let display = DisplayEnvironment {
                tmux: true,
                ..DisplayEnvironment::default()
            };
            let path = folder.path().into();
            let clipboard = Clipboard {
                path,
                limit: TEST_TIMEOUT,
                ..Clipboard::new(display)
            };
            assert_eq!(
                copy_text(&clipboard, "a").await,
                (Ok(copied_as), vec![]),
                "{features}"
            );
            assert_eq!(read_file(&folder, "text"), "a");
        }
    }

    /// A time limit that the test programs never reach, even on a busy machine.
    const TEST_TIMEOUT: Duration = Duration::from_secs(60);

    /// Creates a directory of executable scripts from pairs of a file name and a shell script. In a
    /// script, `$HERE` is the path of this directory.
    ///
    /// Another process writes the script files, because a file that this process holds open for
    /// writing cannot be executed.
    fn folder_with_programs(programs: &[(&str, &str)]) -> tempfile::TempDir {
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

    /// The content of a file that a test script wrote to its directory.
    fn read_file(folder: &tempfile::TempDir, name: &str) -> String {
        fs::read_to_string(folder.path().join(name)).unwrap_or_default()
    }

    async fn copy_with_program(program: Program, text: &str, folder: &tempfile::TempDir) -> bool {
        program
            .copy(text, folder.path().as_os_str(), TEST_TIMEOUT)
            .await
    }

    #[tokio::test]
    async fn program_gets_exact_text_only_on_stdin() {
        let script = "cat > $HERE/text; echo \"$@\" > $HERE/args; env > $HERE/env; \
                      echo noise; echo noise >&2";
        let folder =
            folder_with_programs(&[("xclip", script), ("wl-copy", script), ("tmux", script)]);
        let text = "ação $(id) ; \"'\n".repeat(5_000);
        for (program, args) in [
            (Program::XCLIP, "-in -selection clipboard\n"),
            (Program::WL_COPY, "--type text/plain\n"),
            (Program::TMUX, "load-buffer -w -\n"),
        ] {
            assert!(copy_with_program(program, &text, &folder).await);
            assert_eq!(read_file(&folder, "text"), text);
            assert_eq!(read_file(&folder, "args"), args);
            let path_line = format!("PATH={}\n", env::var("PATH").unwrap());
            let env = read_file(&folder, "env");
            assert!(env.contains(&path_line) && !env.contains("$(id)"), "{env}");
        }
    }

    #[tokio::test]
    async fn program_gets_all_characters_or_nothing() {
        let script = "cat > $HERE/text; echo \"$LC_ALL\" > $HERE/locale";
        let folder = folder_with_programs(&[("pbcopy", script), ("clip.exe", script)]);
        assert!(copy_with_program(Program::PBCOPY, "ação", &folder).await);
        assert_eq!(read_file(&folder, "text"), "ação");
        assert_eq!(read_file(&folder, "locale"), "en_US.UTF-8\n");
        assert!(!copy_with_program(Program::CLIP_EXE, "ação!", &folder).await);
        assert_eq!(read_file(&folder, "text"), "ação");
        assert!(copy_with_program(Program::CLIP_EXE, "https://loja.example/l-1", &folder).await);
        assert_eq!(read_file(&folder, "text"), "https://loja.example/l-1");
    }

    #[tokio::test]
    async fn refusing_or_unstartable_program_returns_false() {
        let folder = folder_with_programs(&[(
            "xclip",
            "cat >/dev/null; echo \"Can't open display\" >&2; exit 1",
        )]);
        assert!(!copy_with_program(Program::XCLIP, "x", &folder).await);
        assert!(
            !copy_with_program(Program::WL_COPY, "x", &folder).await,
            "it is not there"
        );
        fs::write(folder.path().join("wl-copy"), "not a program").unwrap();
        assert!(
            !copy_with_program(Program::WL_COPY, "x", &folder).await,
            "it may not be run"
        );
        fs::create_dir(folder.path().join("tmux")).unwrap();
        assert!(
            !copy_with_program(Program::TMUX, "x", &folder).await,
            "it is a folder"
        );
    }

    /// Like `wl-copy` and `xclip`, the script leaves a background process that keeps its pipes
    /// open.
    #[tokio::test]
    async fn background_child_is_not_awaited() {
        let script = "cat > $HERE/text; sleep 300 & echo $! > $HERE/stays";
        let folder = folder_with_programs(&[("xclip", script)]);
        assert!(copy_with_program(Program::XCLIP, "x", &folder).await);
        let pid = read_file(&folder, "stays")
            .trim()
            .parse()
            .ok()
            .and_then(rustix::process::Pid::from_raw);
        let pid = pid.expect("its number");
        rustix::process::kill_process(pid, rustix::process::Signal::KILL).expect("it is there");
    }

    /// The script and its child process keep a named pipe open. The pipe closes only if both are
    /// killed.
    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn hanging_program_is_killed_with_its_children() {
        let script = "exec 3>$HERE/fifo; echo up >&3; sleep 300 & wait";
        let folder = folder_with_programs(&[("xclip", script)]);
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
        let mut has_started = false;
        while !has_started {
            let path = folder.path().as_os_str();
            assert!(!Program::XCLIP.copy(&large, path, limit).await);
            let mut bytes = [0; 3];
            has_started = rustix::io::read(&reader, &mut bytes).is_ok_and(|read| read == 3);
            limit *= 2;
        }
        rustix::io::ioctl_fionbio(&reader, false).unwrap();
        let closed = tokio::task::spawn_blocking(move || {
            io::copy(&mut fs::File::from(reader), &mut io::sink()).unwrap()
        });
        tokio::time::timeout(TEST_TIMEOUT, closed)
            .await
            .expect("nobody holds it")
            .unwrap();
    }
}
