//! A PostgreSQL server for tests, in a temporary directory, from the programs of Debian's package.

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::thread;
use std::time::Duration;

use balcao::runtime::clocks;
use rustix::process::{Pid, Signal, geteuid, kill_process};
use tempfile::TempDir;

use super::tools::{find_program, skip_unless};

/// The password of every role.
pub const PASSWORD: &str = "Seringueira-17";

/// The superuser.
pub const ADMIN: &str = "postgres";

/// The user that runs the server if the tests run as root, because the server refuses to.
const SYSTEM_USER: &str = "postgres";

/// The time limit for starting and stopping the server.
const WAIT_TIMEOUT: Duration = Duration::from_secs(60);

/// The number of tries to start the server. Another program may take the port first, or processes
/// of a killed server may still be ending.
const TRIES: usize = 100;

/// Settings that start the server fast. A crash of the server loses nothing even so; a crash of the
/// machine would.
const FAST: &[(&str, &str)] = &[("fsync", "off"), ("full_page_writes", "off")];

/// The server that tests share while at least one of them uses it.
static SHARED: Mutex<Weak<Postgres>> = Mutex::new(Weak::new());

static DATABASES: AtomicUsize = AtomicUsize::new(1);

/// A running server. It is stopped, and its files are deleted, when this value is dropped.
pub struct Postgres {
    folder: TempDir,
    port: u16,
    settings: Vec<(String, String)>,
    server: Mutex<Option<Running>>,
}

struct Running {
    process: Child,
    /// Receives lines of the server's log. The sender is dropped when the server has ended.
    log: Receiver<String>,
}

/// True if the server is installed. Otherwise the test must return early.
pub fn has_postgres() -> bool {
    skip_unless(find_binary("initdb").is_some(), "postgresql")
}

/// Debian's package puts the programs into a directory that is not in `PATH`.
fn find_binary(name: &str) -> Option<PathBuf> {
    let versions = fs::read_dir("/usr/lib/postgresql").ok();
    let versions = versions.into_iter().flatten().flatten();
    let mut programs: Vec<PathBuf> = versions
        .map(|version| version.path().join("bin").join(name))
        .filter(|program| program.is_file())
        .collect();
    programs.sort();
    programs.pop().or_else(|| find_program(name))
}

/// A command that runs a program of the server as a user that is not root.
fn server_command(name: &str) -> Command {
    let program = find_binary(name).unwrap_or_else(|| panic!("{name} is not installed"));
    user_command(&program)
}

/// A command that runs a program as a user that is not root.
pub fn user_command(program: &Path) -> Command {
    let mut command;
    if geteuid().is_root() {
        command = Command::new("setpriv");
        command.args([
            &format!("--reuid={SYSTEM_USER}"),
            &format!("--regid={SYSTEM_USER}"),
            "--init-groups",
        ]);
        command.arg(program);
    } else {
        command = Command::new(program);
    }
    // The user may not be able to read the current directory.
    command.current_dir("/").stdin(Stdio::null());
    command
}

/// Lets the user of the server own a file or a directory.
pub fn give_to_server(path: &Path) {
    if geteuid().is_root() {
        run(Command::new("chown").arg(SYSTEM_USER).arg(path));
    }
}

fn run(command: &mut Command) -> String {
    let output = command.output().expect("a process");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {errors}");
    String::from_utf8(output.stdout).expect("text")
}

fn free_port() -> u16 {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
    listener.local_addr().expect("an address").port()
}

impl Postgres {
    /// The server that tests share. It is fast, because `fsync` is off.
    pub fn shared() -> Arc<Postgres> {
        let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(server) = shared.upgrade() {
            return server;
        }
        let server = Arc::new(Postgres::start(FAST));
        *shared = Arc::downgrade(&server);
        server
    }

    /// Starts a server of its own, with these settings.
    pub fn start(settings: &[(&str, &str)]) -> Postgres {
        let folder = TempDir::new().expect("a temporary directory");
        give_to_server(folder.path());
        let password_file = folder.path().join("password");
        fs::write(&password_file, PASSWORD).expect("a file");
        give_to_server(&password_file);
        let mut initdb = server_command("initdb");
        initdb.arg("--pgdata").arg(folder.path().join("data"));
        initdb.arg("--pwfile").arg(&password_file);
        initdb.args(["--username", ADMIN, "--auth", "scram-sha-256"]);
        initdb.args(["--encoding", "UTF8", "--locale", "C"]);
        run(initdb.arg("--no-sync"));
        Postgres::in_folder(folder, settings)
    }

    /// Starts a standby that follows this server.
    pub fn start_standby(&self, settings: &[(&str, &str)]) -> Postgres {
        let folder = TempDir::new().expect("a temporary directory");
        give_to_server(folder.path());
        let mut copy = server_command("pg_basebackup");
        copy.arg("--pgdata").arg(folder.path().join("data"));
        copy.args(["--host", "127.0.0.1", "--port", &self.port.to_string()]);
        copy.args(["--username", ADMIN, "--write-recovery-conf", "--no-sync"]);
        copy.args(["--checkpoint", "fast", "--wal-method", "stream"]);
        run(copy.env("PGPASSWORD", PASSWORD));
        Postgres::in_folder(folder, settings)
    }

    fn in_folder(folder: TempDir, settings: &[(&str, &str)]) -> Postgres {
        let settings = settings
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        let mut server = Postgres {
            folder,
            port: 0,
            settings: settings.collect(),
            server: Mutex::new(None),
        };
        for _ in 0..TRIES {
            server.port = free_port();
            if server.try_start() {
                return server;
            }
        }
        panic!("the server does not start");
    }

    /// Starts the process. Returns false if it ends again.
    fn try_start(&self) -> bool {
        let mut command = server_command("postgres");
        command.arg("-D").arg(self.data_dir());
        for setting in [
            "unix_socket_directories=",
            "listen_addresses=127.0.0.1",
            &format!("port={}", self.port),
            "shared_buffers=16MB",
            "max_connections=60",
            "autovacuum=off",
            "logging_collector=off",
            "log_destination=stderr",
        ] {
            command.arg("-c").arg(setting);
        }
        for (name, value) in &self.settings {
            command.arg("-c").arg(format!("{name}={value}"));
        }
        command.stdout(Stdio::null()).stderr(Stdio::piped());
        let mut process = command.spawn().expect("a process");
        let stderr = process.stderr.take().expect("a pipe");
        let (sender, log) = mpsc::sync_channel(1_000);
        thread::spawn(move || {
            for line in BufReader::new(stderr).lines().map_while(Result::ok) {
                // A full queue means that nobody reads the log any more.
                let _ = sender.try_send(line);
            }
        });
        loop {
            match log.recv_timeout(WAIT_TIMEOUT) {
                Ok(line) if line.contains("ready to accept") => break,
                Ok(_) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    process.wait().expect("an exit code");
                    return false;
                }
                Err(RecvTimeoutError::Timeout) => panic!("the server does not start"),
            }
        }
        *self.running() = Some(Running { process, log });
        true
    }

    fn running(&self) -> std::sync::MutexGuard<'_, Option<Running>> {
        self.server.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn data_dir(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    /// Kills the server like a crash (`kill -9`). Its other processes end by themselves.
    pub fn kill(&self) {
        self.end(Signal::KILL);
    }

    /// Starts the server again, on the same port.
    pub fn restart(&self) {
        let deadline = clocks::instant() + WAIT_TIMEOUT;
        while !self.try_start() {
            assert!(clocks::instant() < deadline, "the server does not start");
        }
    }

    /// Lets a standby become the primary.
    pub fn promote(&self) {
        let promoted = self.sql("postgres", ADMIN, "SELECT pg_promote(true, 60)");
        assert_eq!(promoted.as_deref(), Ok("t"));
    }

    fn end(&self, signal: Signal) {
        let Some(mut running) = self.running().take() else {
            return;
        };
        kill_process(Pid::from_child(&running.process), signal).expect("a signal");
        running.process.wait().expect("an exit code");
        // All processes of the server share its log, so the log ends with the last of them.
        let deadline = clocks::instant() + WAIT_TIMEOUT;
        while running.log.recv_timeout(WAIT_TIMEOUT) != Err(RecvTimeoutError::Disconnected) {
            assert!(clocks::instant() < deadline, "the server does not end");
        }
    }

    /// Runs SQL with `psql` and returns its output: a line for each row, with `|` between columns.
    /// Returns the error with its code if it fails.
    pub fn sql(&self, database: &str, user: &str, sql: &str) -> Result<String, String> {
        let mut psql = Command::new(find_binary("psql").expect("psql"));
        psql.args(["-XqAt", "-h", "127.0.0.1", "-p", &self.port.to_string()]);
        psql.args(["-v", "ON_ERROR_STOP=1", "-v", "VERBOSITY=verbose"]);
        psql.args(["-U", user, "-d", database, "-c", sql]);
        psql.env("PGPASSWORD", PASSWORD)
            .env("PGCLIENTENCODING", "UTF8");
        let output = psql.output().expect("a process");
        if output.status.success() {
            let text = String::from_utf8(output.stdout).expect("text");
            return Ok(text.trim_end().to_owned());
        }
        Err(String::from_utf8_lossy(&output.stderr).trim().to_owned())
    }

    /// Creates a role that can log in, unless it exists.
    pub fn create_role(&self, name: &str) {
        let sql = format!("CREATE ROLE \"{name}\" LOGIN PASSWORD '{PASSWORD}'");
        if let Err(error) = self.sql("postgres", ADMIN, &sql) {
            assert!(error.contains("already exists"), "{error}");
        }
    }

    /// Creates an empty database with a name of its own.
    pub fn create_database(&self) -> String {
        let name = format!("loja{}", DATABASES.fetch_add(1, Ordering::Relaxed));
        self.sql("postgres", ADMIN, &format!("CREATE DATABASE {name}"))
            .expect("a database");
        name
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        // An immediate shutdown.
        self.end(Signal::QUIT);
    }
}
