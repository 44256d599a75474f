//! A real sshd that listens on a loopback port, with the configuration in `assets/kiosk`.

use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;

use super::support::place::TestHome;
use super::support::pty::{LIMIT, Launch};
use super::support::run;
use super::support::slow_line::SlowLine;
use super::support::tools::{needs, needs_that, path_of};

const CONFIG: &str = include_str!("../../assets/kiosk/sshd_config");
const WRAPPER: &str = include_str!("../../assets/kiosk/balcao-kiosk");

/// The path of sshd on Debian. sshd starts only if it is called with its full path.
const SBIN: &str = "/usr/sbin/sshd";

/// Returns true if the tests can start sshd. The tests must run as root, because only root can give
/// a login its terminal.
pub fn has_sshd() -> bool {
    // Create this directory, which the operating system usually creates when the service starts.
    let _ = fs::create_dir("/run/sshd");
    needs(&["ssh", "ssh-keygen", "setpriv"])
        && needs_that(Path::new(SBIN).is_file(), "sshd")
        && needs_that(rustix::process::getuid().is_root(), "root")
}

/// A running sshd. Dropping this value ends sshd and all its logins.
pub struct Sshd {
    folder: TestHome,
    port: u16,
    process: Child,
    log: Arc<Log>,
}

#[derive(Default)]
struct Log {
    /// The lines of sshd's log, and true if the log has ended.
    lines: Mutex<(Vec<String>, bool)>,
    changed: Condvar,
}

impl Sshd {
    /// Starts sshd. Each login runs this crate's kiosk.
    pub fn start() -> Sshd {
        Sshd::with(&[])
    }

    /// Starts sshd with changes to its configuration. Each change is a keyword of the
    /// configuration, or the wrapper script's `program`, with its new value.
    pub fn with(changes: &[(&str, &str)]) -> Sshd {
        let folder = TestHome::new();
        for name in ["host", "visitor"] {
            let key = folder.home().join(name);
            let made = Command::new("ssh-keygen")
                .args(["-q", "-t", "ed25519", "-N", "", "-C", "", "-f"])
                .arg(&key)
                .status();
            assert!(made.is_ok_and(|made| made.success()), "a key");
        }
        let (program, changes): (Vec<_>, Vec<_>) =
            changes.iter().copied().partition(|(keyword, _)| *keyword == "program");
        let program = program.first().map_or(env!("CARGO_BIN_EXE_balcao"), |(_, path)| path);
        script(&folder.home().join("balcao-kiosk"), &replace_line(WRAPPER, "program=", program));
        // Try several ports, because another program may take the free port before sshd does.
        let started = (0..5).find_map(|_| {
            let free = TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr());
            let port = free.expect("a free port").port();
            fs::write(folder.home().join("config"), config(&folder, port, &changes))
                .expect("a file");
            listening(&folder).map(|(process, log)| (port, process, log))
        });
        let (port, process, log) = started.expect("sshd starts");
        let host = fs::read_to_string(folder.home().join("host.pub")).expect("the host's key");
        fs::write(folder.home().join("known"), format!("kiosk {host}")).expect("a file");
        Sshd { folder, port, process, log }
    }

    /// Prepares a visitor's `ssh` in a pseudo-terminal, connected over this slow line.
    pub fn ssh_over(&self, line: SlowLine, place: &TestHome) -> Launch {
        let proxy = line.proxy((Ipv4Addr::LOCALHOST, self.port).into());
        self.ssh(place, &["-p", &proxy.port().to_string()])
    }

    /// Prepares a visitor's `ssh` in a pseudo-terminal, with these options in addition to the usual
    /// ones.
    pub fn ssh(&self, place: &TestHome, options: &[&str]) -> Launch {
        let own = self.options();
        let own: Vec<&str> = own.iter().map(String::as_str).collect();
        let launch = Launch::program(&path_of("ssh"), place);
        launch.args(options).args(&own).args(&["127.0.0.1"])
    }

    /// Runs ssh, sftp or scp without a terminal. The options for this server come first, and `args`
    /// follow.
    pub fn client(&self, program: &str, place: &TestHome, args: &[&str]) -> Output {
        let own = self.options();
        let args: Vec<&str> = own.iter().map(String::as_str).chain(args.iter().copied()).collect();
        run::output(&mut run::program(&path_of(program), place, &args))
    }

    /// Returns the client's options for this server: the port, the host key and the visitor's key.
    pub fn options(&self) -> Vec<String> {
        let at = |name: &str| self.folder.home().join(name).display().to_string();
        let known = format!("UserKnownHostsFile={}", at("known"));
        let (port, alias) = (format!("Port={}", self.port), "HostKeyAlias=kiosk".into());
        let (config, key) = ("none".into(), at("visitor"));
        let named = [known, port, alias, "IdentitiesOnly=yes".into(), "LogLevel=INFO".into()];
        let named = named.into_iter().flat_map(|option| ["-o".into(), option]);
        ["-F".into(), config, "-i".into(), key].into_iter().chain(named).collect()
    }

    /// Returns the process ids of the kiosks that this sshd has started.
    pub fn kiosks(&self) -> Vec<u32> {
        let name = |pid: &u32| fs::read_to_string(format!("/proc/{pid}/comm"));
        let is_kiosk = |pid: &u32| name(pid).is_ok_and(|name| name == "balcao\n");
        descendants(self.process.id()).into_iter().filter(is_kiosk).collect()
    }

    /// Waits until a line of sshd's log contains this text.
    #[track_caller]
    pub fn wait_logged(&self, text: &str) {
        let is_there = |lines: &[String]| lines.iter().any(|line| line.contains(text));
        let is_there = self.log.wait(is_there);
        assert!(is_there, "waited for {text:?} in the log:\n{}", self.log());
    }

    /// Returns the text of sshd's log.
    pub fn log(&self) -> String {
        self.log.lines.lock().unwrap_or_else(PoisonError::into_inner).0.join("\n")
    }
}

impl Drop for Sshd {
    fn drop(&mut self) {
        for process in descendants(self.process.id()) {
            let pid = i32::try_from(process).ok().and_then(rustix::process::Pid::from_raw);
            let signal = rustix::process::Signal::KILL;
            let _ = pid.map(|pid| rustix::process::kill_process(pid, signal));
        }
        let _ = self.process.kill();
        let _ = self.process.wait();
        if thread::panicking() {
            let _ = writeln!(io::stderr(), "the log of sshd:\n{}", self.log());
        }
    }
}

impl Log {
    /// Waits until the log's lines satisfy a condition. Returns false if the log ends first.
    fn wait(&self, is_there: impl Fn(&[String]) -> bool) -> bool {
        let lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        let waits = |(lines, is_over): &mut (Vec<String>, bool)| !is_there(lines) && !*is_over;
        let waited = self.changed.wait_timeout_while(lines, LIMIT, waits);
        is_there(&waited.unwrap_or_else(PoisonError::into_inner).0.0)
    }

    fn change(&self, change: impl FnOnce(&mut (Vec<String>, bool))) {
        change(&mut self.lines.lock().unwrap_or_else(PoisonError::into_inner));
        self.changed.notify_all();
    }
}

/// Starts sshd, and waits until it accepts connections. Returns `None` if sshd exits before that.
fn listening(folder: &TestHome) -> Option<(Child, Arc<Log>)> {
    let mut process = Command::new(SBIN)
        .args(["-D", "-e", "-f"])
        .arg(folder.home().join("config"))
        .env_clear()
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("sshd starts");
    let (log, mut lines) = (Arc::new(Log::default()), process.stderr.take().expect("a log"));
    let written = Arc::clone(&log);
    thread::spawn(move || {
        for line in BufReader::new(lines.by_ref()).lines().map_while(Result::ok) {
            written.change(|(lines, _)| lines.push(line));
        }
        written.change(|(_, is_over)| *is_over = true);
    });
    let listens = |lines: &[String]| lines.iter().any(|line| line.contains("listening on"));
    if log.wait(listens) {
        return Some((process, log));
    }
    let _ = process.kill();
    let _ = process.wait();
    None
}

/// Returns the configuration in `assets/kiosk` with the port, keys, paths and account of the test.
fn config(folder: &TestHome, port: u16, changes: &[(&str, &str)]) -> String {
    let at = |name: &str| folder.home().join(name).display().to_string();
    let user = Command::new("id").arg("-un").output().expect("the name of this account").stdout;
    let user = String::from_utf8(user).expect("a name");
    let own = [
        ("Port", format!("{port}\nListenAddress 127.0.0.1\nStrictModes no")),
        ("HostKey", at("host")),
        ("PidFile", "none".into()),
        ("AllowUsers", user.trim().into()),
        ("PermitRootLogin", "prohibit-password".into()),
        ("AuthorizedKeysFile", at("visitor.pub")),
        ("ForceCommand", at("balcao-kiosk")),
    ];
    let own = own.iter().map(|(keyword, value)| (*keyword, value.as_str()));
    own.chain(changes.iter().copied()).fold(CONFIG.to_owned(), |config, (keyword, value)| {
        replace_line(&config, &format!("{keyword} "), value)
    })
}

/// Writes an executable script.
pub fn script(path: &Path, text: &str) {
    fs::write(path, text).expect("a script");
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("a script");
}

/// Finds the only line that begins with `start`, and replaces the rest of this line.
fn replace_line(text: &str, start: &str, rest: &str) -> String {
    let count = text.lines().filter(|line| line.starts_with(start)).count();
    assert_eq!(count, 1, "lines with {start:?}");
    let line = |line: &str| match line.starts_with(start) {
        true => format!("{start}{rest}\n"),
        false => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

/// Waits until the condition is true, but at most for [`LIMIT`].
#[track_caller]
pub fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    const STEPS: u32 = 600;
    let is_so = (0..STEPS).any(|_| {
        let is_so = is_so();
        if !is_so {
            thread::park_timeout(LIMIT / STEPS);
        }
        is_so
    });
    assert!(is_so, "waited until {what}");
}

/// Returns the directory of a running kiosk. The kiosk keeps this directory open.
pub fn directory(kiosk: u32) -> PathBuf {
    let open = fs::read_dir(format!("/proc/{kiosk}/fd")).expect("its open files").flatten();
    let mut open = open.filter_map(|file| fs::read_link(file.path()).ok());
    let is_own = |path: &PathBuf| path.parent() == Some(Path::new("/tmp/balcao-kiosk-0"));
    open.find(is_own).expect("its directory")
}

/// Returns the ids of all processes that this process has started, directly or indirectly.
fn descendants(process: u32) -> Vec<u32> {
    let pids = fs::read_dir("/proc").expect("the processes").flatten();
    let pids = pids.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let parents: Vec<(u32, u32)> = pids.filter_map(|pid| Some((pid, parent(pid)?))).collect();
    let mut found = vec![process];
    let mut at = 0;
    while at < found.len() {
        let above = found[at];
        found.extend(parents.iter().filter(|(_, parent)| *parent == above).map(|(pid, _)| pid));
        at += 1;
    }
    found.split_off(1)
}

fn parent(pid: u32) -> Option<u32> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The process name is in parentheses and may contain any character, so search from the end.
    stat.rsplit_once(") ")?.1.split(' ').nth(1)?.parse().ok()
}
