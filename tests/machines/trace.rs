//! What a tracer wrote down of a process: what it changed, what it made durable, what it sent.
//!
//! A process that is killed loses nothing, so only the order of its system calls tells whether a
//! power cut would find on disk what the bank has heard.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

/// The calls that are followed.
const CALLS: &str = "openat,mkdir,write,pwrite64,ftruncate,fsync,fdatasync,rename,unlink,\
                     connect,sendto,sendmsg,writev";

/// A tracer that writes these calls of what it starts into a file.
pub fn tracer(log: &Path) -> Command {
    let mut command = Command::new("strace");
    // Other calls are not slowed down.
    command.args(["-f", "--seccomp-bpf", "-qq", "-y", "-s", "0", "-o"]).arg(log);
    command.args(["-e", &format!("trace={CALLS}")]);
    command
}

/// One system call that came to its end.
#[derive(Debug)]
pub struct Call<'a> {
    pub thread: &'a str,
    pub name: String,
    /// All that was told of it.
    pub told: String,
}

impl Call<'_> {
    pub fn was_done(&self) -> bool {
        !self.result().starts_with("-1 ")
    }

    /// Whether it has to do with a file of this directory.
    pub fn is_below(&self, dir: &Path) -> bool {
        self.told.contains(dir.to_str().expect("a plain path"))
    }

    /// The file or the name that it is about.
    pub fn target(&self) -> Option<&str> {
        self.file().or_else(|| self.paths().first().copied())
    }

    fn result(&self) -> &str {
        self.told.rsplit_once(" = ").map_or("-1 unknown", |(_, result)| result)
    }

    /// The file that its first argument is.
    fn file(&self) -> Option<&str> {
        file_in(self.told.split_once('(')?.1)
    }

    /// The paths among its arguments.
    fn paths(&self) -> Vec<&str> {
        self.told.split('"').skip(1).step_by(2).collect()
    }
}

/// `5</tmp/money.db>` is a file.
fn file_in(told: &str) -> Option<&str> {
    let (number, rest) = told.split_once('<')?;
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    let (path, _) = rest.split_once('>')?;
    (is_number && path.starts_with('/')).then_some(path)
}

/// Every call of a log, in the order in which they ended.
pub fn calls(log: &str) -> Vec<Call<'_>> {
    let mut begun: BTreeMap<&str, &str> = BTreeMap::new();
    let mut calls = Vec::new();
    for line in log.lines() {
        let Some((thread, said)) = line.split_once(' ') else { continue };
        let said = said.trim_start();
        if let Some(begin) = said.strip_suffix("<unfinished ...>") {
            begun.insert(thread, begin);
            continue;
        }
        let told = match said.strip_prefix("<... ").and_then(|rest| rest.split_once("resumed>")) {
            Some((_, rest)) => format!("{}{rest}", begun.remove(thread).unwrap_or_default()),
            None => said.to_owned(),
        };
        if let Some((name, _)) = told.split_once('(') {
            calls.push(Call { thread, name: name.to_owned(), told });
        }
    }
    calls
}

/// What of a directory a power cut would take away, as far as the calls went.
pub struct Durability<'a> {
    dir: &'a str,
    /// Files with bytes that were not synced.
    bytes: BTreeSet<String>,
    /// Directories with names that were not synced.
    names: BTreeSet<String>,
    known: BTreeSet<String>,
    /// How often something was sent, and was durable or not.
    pub sends: usize,
    /// Sent before what it stands on was durable.
    pub sent_early: Vec<String>,
    /// One file changed before another one that undoes or names it was durable.
    pub out_of_order: Vec<String>,
}

impl Durability<'_> {
    /// Follows the calls of one process, whose files are all below this directory.
    pub fn follow<'a>(dir: &'a Path, calls: &[Call<'_>]) -> Durability<'a> {
        let mut durability = Durability {
            dir: dir.to_str().expect("a plain path"),
            bytes: BTreeSet::new(),
            names: BTreeSet::new(),
            known: BTreeSet::new(),
            sends: 0,
            sent_early: Vec::new(),
            out_of_order: Vec::new(),
        };
        for call in calls {
            durability.take(call);
        }
        durability
    }

    /// A lock's name holds nothing: whoever finds it gone makes it again.
    fn is_ours(&self, path: &str) -> bool {
        path.starts_with(self.dir) && !path.ends_with(".lock")
    }

    fn take(&mut self, call: &Call<'_>) {
        let name = call.name.as_str();
        let file = call.file().filter(|file| self.is_ours(file)).map(str::to_owned);
        match (name, file) {
            ("connect", _) if call.told.contains("AF_INET") => self.send(call),
            ("sendto" | "sendmsg" | "writev", None) => self.send(call),
            _ if !call.was_done() => {}
            ("write" | "pwrite64" | "writev" | "ftruncate", Some(file)) => self.write(&file, call),
            ("fsync" | "fdatasync", Some(file)) => {
                self.bytes.remove(&file);
                self.names.remove(&file);
            }
            ("openat", _) if call.told.contains("O_CREAT") => self.create(call),
            ("rename", _) => self.rename(call),
            ("unlink", _) => self.unlink(call),
            ("mkdir", _) => self.named(call.paths()[0]),
            _ => {}
        }
    }

    fn send(&mut self, call: &Call<'_>) {
        self.sends += 1;
        if !self.bytes.is_empty() || !self.names.is_empty() {
            let Durability { bytes, names, .. } = self;
            self.sent_early.push(format!("{}: {bytes:?} {names:?}", call.told));
        }
    }

    fn write(&mut self, file: &str, call: &Call<'_>) {
        // What undoes a write that was cut short comes first.
        let undoes = format!("{file}-journal");
        if self.bytes.contains(&undoes) || (self.known.contains(&undoes) && !self.names.is_empty())
        {
            self.out_of_order.push(format!("{}: {:?} {:?}", call.told, self.bytes, self.names));
        }
        self.bytes.insert(file.to_owned());
    }

    fn create(&mut self, call: &Call<'_>) {
        if let Some(file) = file_in(call.result()).filter(|file| self.is_ours(file))
            && self.known.insert(file.to_owned())
        {
            self.named(file);
        }
    }

    fn rename(&mut self, call: &Call<'_>) {
        let paths = call.paths();
        let [from, to] = [paths[0], paths[1]];
        if self.bytes.contains(from) {
            self.out_of_order.push(call.told.clone());
        }
        if self.bytes.remove(from) {
            self.bytes.insert(to.to_owned());
        }
        self.known.remove(from);
        self.known.insert(to.to_owned());
        self.named(to);
    }

    fn unlink(&mut self, call: &Call<'_>) {
        let path = call.paths()[0];
        // With it goes the way back: what it undoes is durable by then.
        if path.strip_suffix("-journal").is_some_and(|file| self.bytes.contains(file)) {
            self.out_of_order.push(call.told.clone());
        }
        self.bytes.remove(path);
        self.known.remove(path);
        self.named(path);
    }

    /// The directory in which this is has another name in it than before, or one less.
    fn named(&mut self, path: &str) {
        if let Some((parent, _)) = path.rsplit_once('/').filter(|_| self.is_ours(path)) {
            self.names.insert(parent.to_owned());
        }
    }
}
