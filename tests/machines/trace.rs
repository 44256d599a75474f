//! Reads an `strace` log, and extracts the file changes, the syncs and the network sends of a
//! process.
//!
//! A kill cannot simulate a power cut, because written data survives SIGKILL. The tests check the
//! order of system calls instead. Everything that a request depends on must be synced before the
//! request is sent.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

/// The system calls that `strace` records.
const CALLS: &str = "openat,mkdir,write,pwrite64,ftruncate,fsync,fdatasync,rename,unlink,\
                     connect,sendto,sendmsg,writev";

/// Returns an `strace` command that writes the system calls in `CALLS` to a log file.
pub fn tracer(log: &Path) -> Command {
    let mut command = Command::new("strace");
    // With `--seccomp-bpf`, system calls that are not traced run at full speed.
    command
        .args(["-f", "--seccomp-bpf", "-qq", "-y", "-s", "0", "-o"])
        .arg(log);
    command.args(["-e", &format!("trace={CALLS}")]);
    command
}

/// A completed system call in an `strace` log.
#[derive(Debug)]
pub struct Call<'a> {
    pub thread: &'a str,
    pub name: String,
    /// The text of the system call in the log: its name, arguments and result.
    pub text: String,
}

impl Call<'_> {
    pub fn has_succeeded(&self) -> bool {
        !self.result().starts_with("-1 ")
    }

    /// Returns true if the arguments or the result mention a path in this directory.
    pub fn is_below(&self, dir: &Path) -> bool {
        self.text.contains(dir.to_str().expect("a plain path"))
    }

    /// Returns the file that the system call works on. This is the file of its descriptor or, if
    /// there is no descriptor, its first path argument.
    pub fn target(&self) -> Option<&str> {
        self.file().or_else(|| self.paths().first().copied())
    }

    fn result(&self) -> &str {
        self.text
            .rsplit_once(" = ")
            .map_or("-1 unknown", |(_, result)| result)
    }

    /// Returns the path of the file descriptor that is the first argument.
    fn file(&self) -> Option<&str> {
        parse_file(self.text.split_once('(')?.1)
    }

    /// Returns the quoted paths in the system call's arguments.
    fn paths(&self) -> Vec<&str> {
        self.text.split('"').skip(1).step_by(2).collect()
    }
}

/// Extracts the path from a file descriptor as `strace` prints it. For `5</tmp/money.db>`, the path
/// is `/tmp/money.db`.
fn parse_file(text: &str) -> Option<&str> {
    let (number, rest) = text.split_once('<')?;
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    let (path, _) = rest.split_once('>')?;
    (is_number && path.starts_with('/')).then_some(path)
}

/// Parses an `strace` log, and returns the system calls in the order in which they were completed.
pub fn parse_calls(log: &str) -> Vec<Call<'_>> {
    let mut unfinished: BTreeMap<&str, &str> = BTreeMap::new();
    let mut calls = Vec::new();
    for line in log.lines() {
        let Some((thread, message)) = line.split_once(' ') else {
            continue;
        };
        let message = message.trim_start();
        if let Some(beginning) = message.strip_suffix("<unfinished ...>") {
            unfinished.insert(thread, beginning);
            continue;
        }
        let text = match message
            .strip_prefix("<... ")
            .and_then(|rest| rest.split_once("resumed>"))
        {
            Some((_, rest)) => format!("{}{rest}", unfinished.remove(thread).unwrap_or_default()),
            None => message.to_owned(),
        };
        if let Some((name, _)) = text.split_once('(') {
            calls.push(Call {
                thread,
                name: name.to_owned(),
                text,
            });
        }
    }
    calls
}

/// Tracks the changes in a directory that were not synced. A power cut could lose these changes.
pub struct Durability<'a> {
    dir: &'a str,
    /// Files to which bytes were written since their last sync.
    unsynced_files: BTreeSet<String>,
    /// Directories in which files were created, renamed or deleted since the last sync.
    unsynced_directories: BTreeSet<String>,
    existing_files: BTreeSet<String>,
    /// The number of calls that opened a connection or sent data.
    pub sends: usize,
    /// Network calls that the process made while a changed file or directory was not synced.
    pub sent_early: Vec<String>,
    /// Calls that came before a sync that they require. An example is a write to the database
    /// before its rollback file is synced.
    pub out_of_order: Vec<String>,
}

impl Durability<'_> {
    /// Processes the system calls of a process whose files are all in this directory.
    pub fn follow<'a>(dir: &'a Path, calls: &[Call<'_>]) -> Durability<'a> {
        let mut durability = Durability {
            dir: dir.to_str().expect("a plain path"),
            unsynced_files: BTreeSet::new(),
            unsynced_directories: BTreeSet::new(),
            existing_files: BTreeSet::new(),
            sends: 0,
            sent_early: Vec::new(),
            out_of_order: Vec::new(),
        };
        for call in calls {
            durability.apply(call);
        }
        durability
    }

    /// Returns true if a power cut must not lose the file. Lock files may be lost, because they are
    /// empty and the app creates them again.
    fn must_be_durable(&self, path: &str) -> bool {
        path.starts_with(self.dir) && !path.ends_with(".lock")
    }

    fn apply(&mut self, call: &Call<'_>) {
        let name = call.name.as_str();
        let file = call
            .file()
            .filter(|file| self.must_be_durable(file))
            .map(str::to_owned);
        match (name, file) {
            ("connect", _) if call.text.contains("AF_INET") => self.send(call),
            ("sendto" | "sendmsg" | "writev", None) => self.send(call),
            _ if !call.has_succeeded() => {}
            ("write" | "pwrite64" | "writev" | "ftruncate", Some(file)) => self.write(&file, call),
            ("fsync" | "fdatasync", Some(file)) => {
                self.unsynced_files.remove(&file);
                self.unsynced_directories.remove(&file);
            }
            ("openat", _) if call.text.contains("O_CREAT") => self.create(call),
            ("rename", _) => self.rename(call),
            ("unlink", _) => self.unlink(call),
            ("mkdir", _) => self.mark_directory(call.paths()[0]),
            _ => {}
        }
    }

    fn send(&mut self, call: &Call<'_>) {
        self.sends += 1;
        if !self.unsynced_files.is_empty() || !self.unsynced_directories.is_empty() {
            let Durability {
                unsynced_files,
                unsynced_directories,
                ..
            } = self;
            self.sent_early.push(format!(
                "{}: {unsynced_files:?} {unsynced_directories:?}",
                call.text
            ));
        }
    }

    fn write(&mut self, file: &str, call: &Call<'_>) {
        // The database may be written only after its rollback file was synced.
        let rollback_file = format!("{file}-journal");
        if self.unsynced_files.contains(&rollback_file)
            || (self.existing_files.contains(&rollback_file)
                && !self.unsynced_directories.is_empty())
        {
            self.out_of_order.push(format!(
                "{}: {:?} {:?}",
                call.text, self.unsynced_files, self.unsynced_directories
            ));
        }
        self.unsynced_files.insert(file.to_owned());
    }

    fn create(&mut self, call: &Call<'_>) {
        if let Some(file) = parse_file(call.result()).filter(|file| self.must_be_durable(file))
            && self.existing_files.insert(file.to_owned())
        {
            self.mark_directory(file);
        }
    }

    fn rename(&mut self, call: &Call<'_>) {
        let paths = call.paths();
        let from = paths[0];
        let to = paths[1];
        if self.unsynced_files.contains(from) {
            self.out_of_order.push(call.text.clone());
        }
        if self.unsynced_files.remove(from) {
            self.unsynced_files.insert(to.to_owned());
        }
        self.existing_files.remove(from);
        self.existing_files.insert(to.to_owned());
        self.mark_directory(to);
    }

    fn unlink(&mut self, call: &Call<'_>) {
        let path = call.paths()[0];
        // The database must be synced before this call, because deleting the rollback file
        // completes the commit.
        if path
            .strip_suffix("-journal")
            .is_some_and(|file| self.unsynced_files.contains(file))
        {
            self.out_of_order.push(call.text.clone());
        }
        self.unsynced_files.remove(path);
        self.existing_files.remove(path);
        self.mark_directory(path);
    }

    /// Marks the directory of this path as changed but not synced.
    fn mark_directory(&mut self, path: &str) {
        if let Some((parent, _)) = path.rsplit_once('/').filter(|_| self.must_be_durable(path)) {
            self.unsynced_directories.insert(parent.to_owned());
        }
    }
}
