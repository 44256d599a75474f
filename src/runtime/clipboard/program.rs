//! Programs that keep a text where it can be pasted, each fed by its standard input.

use std::ffi::OsStr;
use std::io;
use std::process::Stdio;
use std::time::Duration;

use tokio::io::AsyncWriteExt;
use tokio::process::Command;
use tokio::time::timeout;

use crate::vault::program::{find, kill};

/// A program, with the arguments that make it copy its standard input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Program {
    /// Its name, without a folder.
    pub name: &'static str,
    args: &'static [&'static str],
    /// The additions to its environment, which is otherwise this program's own.
    env: &'static [(&'static str, &'static str)],
    /// Set where it would read other letters by an unknown code page.
    only_ascii: bool,
}

impl Program {
    /// Wayland's.
    pub const WL_COPY: Program = Program::of("wl-copy", &["--type", "text/plain"]);
    /// X11's.
    pub const XCLIP: Program = Program::of("xclip", &["-in", "-selection", "clipboard"]);
    /// The program of macOS, which reads UTF-8 only under a UTF-8 locale.
    pub const PBCOPY: Program =
        Program { env: &[("LC_ALL", "en_US.UTF-8")], ..Program::of("pbcopy", &[]) };
    /// The program of Windows, which Linux inside Windows reaches.
    pub const CLIP_EXE: Program = Program { only_ascii: true, ..Program::of("clip.exe", &[]) };
    /// The buffer of tmux, which also hands the text to the terminal around it.
    pub const TMUX: Program = Program::of("tmux", &["load-buffer", "-w", "-"]);

    const fn of(name: &'static str, args: &'static [&'static str]) -> Program {
        Program { name, args, env: &[], only_ascii: false }
    }

    /// Returns true if a folder of this `PATH` has it.
    pub(super) fn is_in(&self, path: &OsStr) -> bool {
        find(self.name, path).is_some()
    }

    /// Runs it from a folder of this `PATH`; returns true if it took the text in time.
    pub(super) async fn takes(&self, text: &str, path: &OsStr, limit: Duration) -> bool {
        if self.only_ascii && !text.is_ascii() {
            return false;
        }
        let Some(found) = find(self.name, path) else { return false };
        let mut command = Command::new(found);
        command.args(self.args).envs(self.env.iter().copied());
        feed(command, text, limit).await.unwrap_or(false)
    }
}

/// Returns true if the terminal around tmux has a clipboard that tmux can set.
pub(super) async fn tmux_passes_on(path: &OsStr, limit: Duration) -> bool {
    let Some(found) = find(Program::TMUX.name, path) else { return false };
    let mut command = Command::new(found);
    let asks = command.args(["display-message", "-p", "#{client_termfeatures}"]);
    let quiet = asks.stdin(Stdio::null()).stderr(Stdio::null()).kill_on_drop(true);
    let Ok(Ok(said)) = timeout(limit, quiet.output()).await else { return false };
    let features = String::from_utf8_lossy(&said.stdout);
    said.status.success() && features.trim().split(',').any(|feature| feature == "clipboard")
}

/// Runs a command with this input and no output; one that takes too long is killed.
///
/// A process that it leaves behind holds the clipboard, as those of `wl-copy` and `xclip` do, and
/// is not waited for.
async fn feed(mut command: Command, input: &str, limit: Duration) -> io::Result<bool> {
    let quiet = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    // In a group of its own the clipboard outlives the closed window, and one kill reaches all.
    quiet.process_group(0);
    let mut child = quiet.kill_on_drop(true).spawn()?;
    let stdin = child.stdin.take();
    let fed = async {
        if let Some(mut stdin) = stdin {
            // The status of a command that does not read to the end shows what came of it.
            let _ = stdin.write_all(input.as_bytes()).await;
        }
        child.wait().await
    };
    if let Ok(status) = timeout(limit, fed).await {
        return status.map(|status| status.success());
    }
    // Its text went another way, and must not come up later, over a newer one.
    kill(&mut child, limit).await;
    Ok(false)
}

#[cfg(test)]
pub(super) mod tests {
    use std::env;
    use std::fs;
    use std::path::{Path, PathBuf};

    use super::*;

    /// Far more than a loaded machine takes.
    pub const LONG: Duration = Duration::from_secs(60);

    /// A folder with programs that are these scripts; `$HERE` in them is the folder.
    ///
    /// Written by another process: a file that this one holds open for writing, or a child of it
    /// that is just being started, cannot be run.
    pub fn folder_of(programs: &[(&str, &str)]) -> tempfile::TempDir {
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

    /// The text that the fakes wrote into a file of their folder.
    pub fn left(folder: &tempfile::TempDir, name: &str) -> String {
        fs::read_to_string(folder.path().join(name)).unwrap_or_default()
    }

    async fn takes(program: Program, text: &str, folder: &tempfile::TempDir) -> bool {
        program.takes(text, folder.path().as_os_str(), LONG).await
    }

    #[tokio::test]
    async fn it_reads_exactly_the_text_and_nothing_else_tells_it() {
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
    async fn one_that_refuses_or_cannot_be_started_took_nothing() {
        let folder =
            folder_of(&[("xclip", "cat >/dev/null; echo \"Can't open display\" >&2; exit 1")]);
        assert!(!takes(Program::XCLIP, "x", &folder).await);
        assert!(!takes(Program::WL_COPY, "x", &folder).await, "it is not there");
        fs::write(folder.path().join("wl-copy"), "not a program").unwrap();
        assert!(!takes(Program::WL_COPY, "x", &folder).await, "it may not be run");
        fs::create_dir(folder.path().join("tmux")).unwrap();
        assert!(!takes(Program::TMUX, "x", &folder).await, "it is a folder");
    }

    #[test]
    fn only_whole_folders_are_looked_in_and_the_first_one_counts() {
        let (one, two) = (folder_of(&[("xclip", ":")]), folder_of(&[("xclip", ":")]));
        let at = |folder: &tempfile::TempDir| folder.path().join("xclip");
        let path = |folders: &[&Path]| env::join_paths(folders).unwrap();
        let both = path(&[one.path(), two.path()]);
        assert_eq!(find("xclip", &both), Some(at(&one)));
        // A way to it from here, which another folder to stand in would bend.
        let here = env::current_dir().unwrap();
        let up: PathBuf = here.components().skip(1).map(|_| "..").collect();
        let bent = up.join(one.path().strip_prefix("/").unwrap());
        assert!(bent.join("xclip").is_file());
        assert_eq!(find("xclip", &path(&[&bent, Path::new(""), two.path()])), Some(at(&two)));
        assert_eq!(find("xclip", &path(&[&bent, Path::new("")])), None);
        assert_eq!(find("xclip", OsStr::new("")), None);
    }

    /// As the real ones do, which hold the clipboard: the pipes they were given stay open.
    #[tokio::test]
    async fn one_that_stays_is_not_waited_for() {
        let script = "cat > $HERE/text; sleep 300 & echo $! > $HERE/stays";
        let folder = folder_of(&[("xclip", script)]);
        assert!(takes(Program::XCLIP, "x", &folder).await);
        let stays =
            left(&folder, "stays").trim().parse().ok().and_then(rustix::process::Pid::from_raw);
        let stays = stays.expect("its number");
        rustix::process::kill_process(stays, rustix::process::Signal::KILL).expect("it is there");
    }

    /// The fifo stays open while any process of the program lives: after the kill none may.
    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn one_that_hangs_is_killed_with_all_that_it_started() {
        let script = "exec 3>$HERE/fifo; echo up >&3; sleep 300 & wait";
        let folder = folder_of(&[("xclip", script)]);
        let fifo = folder.path().join("fifo");
        let mode = rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR;
        let kind = rustix::fs::FileType::Fifo;
        rustix::fs::mknodat(rustix::fs::CWD, &fifo, kind, mode, 0).unwrap();
        let flags = rustix::fs::OFlags::RDONLY | rustix::fs::OFlags::NONBLOCK;
        let reader = rustix::fs::open(&fifo, flags, mode).unwrap();
        let large = "x".repeat(1_000_000);
        // It may be killed before it has begun, where the machine is slow.
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
