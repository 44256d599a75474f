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
use super::support::pty::{Launch, WAIT_TIMEOUT};
use super::support::run;
use super::support::slow_line::SlowLine;
use super::support::tools::{has_tools, program_path, skip_unless};

const CONFIG: &str = include_str!("../../assets/kiosk/sshd_config");
const WRAPPER: &str = include_str!("../../assets/kiosk/balcao-kiosk");

/// The variables of the wrapper script that a test can change.
const WRAPPER_VARIABLES: [&str; 2] = ["program", "per_address"];

/// The path of sshd on Debian. sshd starts only if it is called with its full path.
const SSHD_PATH: &str = "/usr/sbin/sshd";

/// Returns true if the tests can start sshd. The tests must run as root, because only root can give
/// a login its terminal.
pub fn has_sshd() -> bool {
    // Create this directory, which the operating system usually creates when the service starts.
    let _ = fs::create_dir("/run/sshd");
    has_tools(&["ssh", "ssh-keygen", "setpriv"])
        && skip_unless(Path::new(SSHD_PATH).is_file(), "sshd")
        && skip_unless(rustix::process::getuid().is_root(), "root")
}

/// A running sshd. Dropping this value ends sshd and all its logins.
pub struct Sshd {
    home: TestHome,
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
    /// configuration, or a variable of the wrapper script, with its new value.
    pub fn with(changes: &[(&str, &str)]) -> Sshd {
        let home = TestHome::new();
        for name in ["host", "visitor"] {
            let key = home.home_dir().join(name);
            let status = Command::new("ssh-keygen")
                .args(["-q", "-t", "ed25519", "-N", "", "-C", "", "-f"])
                .arg(&key)
                .status();
            assert!(status.is_ok_and(|status| status.success()), "a key");
        }
        let (variables, changes): (Vec<_>, Vec<_>) = changes
            .iter()
            .copied()
            .partition(|(keyword, _)| WRAPPER_VARIABLES.contains(keyword));
        // All tests connect from one address, so each sshd counts its own kiosks.
        let slots = home.temp_dir().join("slots");
        let slots = slots.to_str().expect("a path");
        let own_variables = [("program", env!("CARGO_BIN_EXE_balcao")), ("slots", slots)];
        let variables = own_variables.into_iter().chain(variables);
        let wrapper = variables.fold(WRAPPER.to_owned(), |wrapper, (name, value)| {
            replace_line(&wrapper, &format!("{name}="), value)
        });
        write_script(&home.home_dir().join("balcao-kiosk"), &wrapper);
        // Try several ports, because another program may take the free port before sshd does.
        let server = (0..5).find_map(|_| {
            let address =
                TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
            let port = address.expect("a free port").port();
            fs::write(
                home.home_dir().join("config"),
                build_config(&home, port, &changes),
            )
            .expect("a file");
            start_process(&home).map(|(process, log)| (port, process, log))
        });
        let (port, process, log) = server.expect("sshd starts");
        let host = fs::read_to_string(home.home_dir().join("host.pub")).expect("the host's key");
        fs::write(home.home_dir().join("known"), format!("kiosk {host}")).expect("a file");
        Sshd {
            home,
            port,
            process,
            log,
        }
    }

    /// Prepares a visitor's `ssh` in a pseudo-terminal, connected over this slow line.
    pub fn ssh_over(&self, line: SlowLine, client_home: &TestHome) -> Launch {
        let proxy = line.proxy((Ipv4Addr::LOCALHOST, self.port).into());
        self.ssh(client_home, &["-p", &proxy.port().to_string()])
    }

    /// Prepares a visitor's `ssh` in a pseudo-terminal, with these options in addition to the usual
    /// ones.
    pub fn ssh(&self, client_home: &TestHome, options: &[&str]) -> Launch {
        let server_options = self.options();
        let server_options: Vec<&str> = server_options.iter().map(String::as_str).collect();
        let launch = Launch::program(&program_path("ssh"), client_home);
        launch
            .args(options)
            .args(&server_options)
            .args(&["127.0.0.1"])
    }

    /// Runs ssh, sftp or scp without a terminal. The options for this server come first, and `args`
    /// follow.
    pub fn run_client(&self, program: &str, client_home: &TestHome, args: &[&str]) -> Output {
        let server_options = self.options();
        let args: Vec<&str> = server_options
            .iter()
            .map(String::as_str)
            .chain(args.iter().copied())
            .collect();
        run::output(&mut run::program(
            &program_path(program),
            client_home,
            &args,
        ))
    }

    /// Returns the client's options for this server: the port, the host key and the visitor's key.
    pub fn options(&self) -> Vec<String> {
        let path = |name: &str| self.home.home_dir().join(name).display().to_string();
        let known = format!("UserKnownHostsFile={}", path("known"));
        let port = format!("Port={}", self.port);
        let alias = "HostKeyAlias=kiosk".into();
        let config = "none".into();
        let key = path("visitor");
        let named_options = [
            known,
            port,
            alias,
            "IdentitiesOnly=yes".into(),
            "LogLevel=INFO".into(),
        ];
        let named_options = named_options
            .into_iter()
            .flat_map(|option| ["-o".into(), option]);
        ["-F".into(), config, "-i".into(), key]
            .into_iter()
            .chain(named_options)
            .collect()
    }

    /// Returns the process ids of the kiosks that this sshd has started.
    pub fn kiosk_pids(&self) -> Vec<u32> {
        let name = |pid: &u32| fs::read_to_string(format!("/proc/{pid}/comm"));
        let is_kiosk = |pid: &u32| name(pid).is_ok_and(|name| name == "balcao\n");
        descendants(self.process.id())
            .into_iter()
            .filter(is_kiosk)
            .collect()
    }

    /// Waits until a line of sshd's log contains this text.
    #[track_caller]
    pub fn wait_logged(&self, text: &str) {
        let is_logged = |lines: &[String]| lines.iter().any(|line| line.contains(text));
        let was_logged = self.log.wait(is_logged);
        assert!(
            was_logged,
            "waited for {text:?} in the log:\n{}",
            self.log()
        );
    }

    /// Returns the text of sshd's log.
    pub fn log(&self) -> String {
        self.log
            .lines
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .0
            .join("\n")
    }
}

impl Drop for Sshd {
    fn drop(&mut self) {
        for process in descendants(self.process.id()) {
            let pid = i32::try_from(process)
                .ok()
                .and_then(rustix::process::Pid::from_raw);
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
    fn wait(&self, condition: impl Fn(&[String]) -> bool) -> bool {
        let lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        let must_wait =
            |(lines, has_ended): &mut (Vec<String>, bool)| !condition(lines) && !*has_ended;
        let result = self
            .changed
            .wait_timeout_while(lines, WAIT_TIMEOUT, must_wait);
        condition(&result.unwrap_or_else(PoisonError::into_inner).0.0)
    }

    fn change(&self, change: impl FnOnce(&mut (Vec<String>, bool))) {
        change(&mut self.lines.lock().unwrap_or_else(PoisonError::into_inner));
        self.changed.notify_all();
    }
}

/// Starts sshd, and waits until it accepts connections. Returns `None` if sshd exits before that.
fn start_process(home: &TestHome) -> Option<(Child, Arc<Log>)> {
    let mut process = Command::new(SSHD_PATH)
        .args(["-D", "-e", "-f"])
        .arg(home.home_dir().join("config"))
        .env_clear()
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("sshd starts");
    let log = Arc::new(Log::default());
    let mut lines = process.stderr.take().expect("a log");
    let shared_log = Arc::clone(&log);
    thread::spawn(move || {
        for line in BufReader::new(lines.by_ref()).lines().map_while(Result::ok) {
            shared_log.change(|(lines, _)| lines.push(line));
        }
        shared_log.change(|(_, has_ended)| *has_ended = true);
    });
    let is_listening = |lines: &[String]| lines.iter().any(|line| line.contains("listening on"));
    if log.wait(is_listening) {
        return Some((process, log));
    }
    let _ = process.kill();
    let _ = process.wait();
    None
}

/// Returns the configuration in `assets/kiosk` with the port, keys, paths and account of the test.
fn build_config(home: &TestHome, port: u16, changes: &[(&str, &str)]) -> String {
    let path = |name: &str| home.home_dir().join(name).display().to_string();
    let user = Command::new("id")
        .arg("-un")
        .output()
        .expect("the name of this account")
        .stdout;
    let user = String::from_utf8(user).expect("a name");
    let settings = [
        (
            "Port",
            format!("{port}\nListenAddress 127.0.0.1\nStrictModes no"),
        ),
        ("HostKey", path("host")),
        ("PidFile", "none".into()),
        ("AllowUsers", user.trim().into()),
        ("PermitRootLogin", "prohibit-password".into()),
        ("AuthorizedKeysFile", path("visitor.pub")),
        ("ForceCommand", path("balcao-kiosk")),
    ];
    let settings = settings
        .iter()
        .map(|(keyword, value)| (*keyword, value.as_str()));
    settings
        .chain(changes.iter().copied())
        .fold(CONFIG.to_owned(), |config, (keyword, value)| {
            replace_line(&config, &format!("{keyword} "), value)
        })
}

/// Writes an executable script.
pub fn write_script(path: &Path, text: &str) {
    fs::write(path, text).expect("a script");
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("a script");
}

/// Finds the only line that begins with `start`, and replaces the rest of this line.
fn replace_line(text: &str, start: &str, rest: &str) -> String {
    let count = text.lines().filter(|line| line.starts_with(start)).count();
    assert_eq!(count, 1, "lines with {start:?}");
    let line = |line: &str| {
        if line.starts_with(start) {
            format!("{start}{rest}\n")
        } else {
            format!("{line}\n")
        }
    };
    text.lines().map(line).collect()
}

/// Waits until the condition is true, but at most for [`WAIT_TIMEOUT`].
#[track_caller]
pub fn wait_until(what: &str, condition: impl Fn() -> bool) {
    const STEPS: u32 = 600;
    let is_met = (0..STEPS).any(|_| {
        let is_met = condition();
        if !is_met {
            thread::park_timeout(WAIT_TIMEOUT / STEPS);
        }
        is_met
    });
    assert!(is_met, "waited until {what}");
}

/// Returns the directory of a running kiosk. The kiosk keeps this directory open.
pub fn kiosk_directory(kiosk: u32) -> PathBuf {
    let open_files = fs::read_dir(format!("/proc/{kiosk}/fd"))
        .expect("its open files")
        .flatten();
    let mut open_files = open_files.filter_map(|file| fs::read_link(file.path()).ok());
    let is_kiosk_directory =
        |path: &PathBuf| path.parent() == Some(Path::new("/tmp/balcao-kiosk-0"));
    open_files.find(is_kiosk_directory).expect("its directory")
}

/// Returns the ids of all processes that this process has started, directly or indirectly.
fn descendants(process: u32) -> Vec<u32> {
    let pids = fs::read_dir("/proc").expect("the processes").flatten();
    let pids = pids.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let parents: Vec<(u32, u32)> = pids
        .filter_map(|pid| Some((pid, parent_of(pid)?)))
        .collect();
    let mut processes = vec![process];
    let mut index = 0;
    while index < processes.len() {
        let current = processes[index];
        processes.extend(
            parents
                .iter()
                .filter(|(_, parent)| *parent == current)
                .map(|(pid, _)| pid),
        );
        index += 1;
    }
    processes.split_off(1)
}

fn parent_of(pid: u32) -> Option<u32> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The process name is in parentheses and may contain any character, so search from the end.
    stat.rsplit_once(") ")?.1.split(' ').nth(1)?.parse().ok()
}
