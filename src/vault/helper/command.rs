//! One run of a helper: no shell, few variables, and an end in time for all that it started.

use std::ffi::OsString;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, Command};
use tokio::time::timeout;

use crate::trade::VaultTrouble;
use crate::vault::call_limit::CallLimit;

/// The most bytes of an answer; what is longer is no credential.
const LONGEST: usize = 256 * 1024;

/// The longest that an entry is taken back: a caller who has gone does not wait for it.
const ERASE_LIMIT: Duration = Duration::from_secs(3);

/// The variables that a helper gets, where they are set: its own settings, and the desktop on which
/// its dialog appears. A secret is in none of them.
///
/// `GPG_TTY` is left out: a pinentry on this terminal and the screen would draw over each other.
pub(super) const VARIABLES: [&str; 28] = [
    "HOME",
    "PATH",
    "USER",
    "LOGNAME",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "LC_MESSAGES",
    "TZ",
    "TMPDIR",
    "DISPLAY",
    "WAYLAND_DISPLAY",
    "XAUTHORITY",
    "DBUS_SESSION_BUS_ADDRESS",
    "XDG_RUNTIME_DIR",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "XDG_STATE_HOME",
    "XDG_CACHE_HOME",
    "XDG_CURRENT_DESKTOP",
    "GNUPGHOME",
    "PASSWORD_STORE_DIR",
    "PASSWORD_STORE_KEY",
    "PASSWORD_STORE_UMASK",
    "GOPASS_HOMEDIR",
    "OP_ACCOUNT",
    "OP_BIOMETRIC_UNLOCK_ENABLED",
    "SSH_AUTH_SOCK",
];

/// What a helper is asked to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HelperAction {
    Get,
    Store,
    Erase,
}

/// What a helper said, and how it ended.
pub(super) struct HelperAnswer {
    /// Its end in words, where it did not succeed.
    pub failure: Option<String>,
    /// Its standard output.
    pub output: Vec<u8>,
    /// Its standard error.
    pub words: Vec<u8>,
}

/// A helper's name or path, and the variables that it gets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HelperCommand {
    name: PathBuf,
    variables: Vec<(&'static str, OsString)>,
}

impl HelperCommand {
    /// The command of this name, in this environment; `None` where it is neither a path from the
    /// root on nor a plain name.
    pub fn new(
        name: &str,
        variable: impl Fn(&'static str) -> Option<OsString>,
    ) -> Option<HelperCommand> {
        let is_plain = !name.contains('/') && !name.starts_with(['-', '.']) && !name.is_empty();
        if !is_plain && !Path::new(name).is_absolute() || name.contains(char::is_control) {
            return None;
        }
        let variables = VARIABLES.iter().filter_map(|name| Some((*name, variable(name)?)));
        Some(HelperCommand { name: name.into(), variables: variables.collect() })
    }

    /// The name, as it was given.
    pub fn name(&self) -> String {
        self.name.display().to_string()
    }

    /// The program: the path itself, else the first of this name in a folder of `PATH`.
    ///
    /// Relative folders are left out: they may hold anybody's programs.
    pub(super) fn program(&self) -> Option<PathBuf> {
        if self.name.is_absolute() {
            return Some(self.name.clone()).filter(|program| can_be_run(program));
        }
        let (_, path) = self.variables.iter().find(|(name, _)| *name == "PATH")?;
        let folders = std::env::split_paths(path).filter(|folder| folder.is_absolute());
        folders.map(|folder| folder.join(&self.name)).find(|program| can_be_run(program))
    }

    /// Runs it once, no longer than the call may take.
    pub(super) async fn ask(
        &self,
        action: HelperAction,
        input: &[u8],
        limit: &CallLimit,
    ) -> Result<HelperAnswer, VaultTrouble> {
        let program = self.program().ok_or_else(|| VaultTrouble::NoHelper(self.name()))?;
        let mut command = Command::new(program);
        command.arg(action.word()).env_clear().envs(self.variables.iter().cloned());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // In a group of its own: one kill reaches all that it started, and where it wants this
        // terminal the system stops it.
        command.process_group(0).kill_on_drop(true).current_dir("/");
        let mut child = command.spawn().map_err(|error| match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied => {
                VaultTrouble::NoHelper(self.name())
            }
            _ => VaultTrouble::HelperFailed(error.to_string()),
        })?;
        let answer = match action {
            // Whoever took the entry away is told so, or is not there to be told.
            HelperAction::Erase => timeout(ERASE_LIMIT, talk(&mut child, input)).await.ok(),
            HelperAction::Get | HelperAction::Store => tokio::select! {
                answer = talk(&mut child, input) => Some(answer),
                () = limit.reached() => None,
            },
        };
        match answer {
            Some(Ok(answer)) => Ok(answer),
            Some(Err(error)) => {
                kill(&mut child).await;
                Err(VaultTrouble::HelperFailed(error.to_string()))
            }
            None => {
                kill(&mut child).await;
                Err(VaultTrouble::HelperHangs)
            }
        }
    }
}

impl HelperAction {
    fn word(self) -> &'static str {
        match self {
            HelperAction::Get => "get",
            HelperAction::Store => "store",
            HelperAction::Erase => "erase",
        }
    }
}

fn can_be_run(program: &Path) -> bool {
    program.metadata().is_ok_and(|it| it.is_file() && it.permissions().mode() & 0o111 != 0)
}

/// Writes the input, and reads all there is until the helper ends.
async fn talk(child: &mut Child, input: &[u8]) -> io::Result<HelperAnswer> {
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let fed = async {
        if let Some(mut stdin) = stdin {
            // One that does not read to the end shows by its own end what came of it.
            let _ = stdin.write_all(input).await;
        }
        Ok(())
    };
    let ((), output, words) = tokio::try_join!(fed, whole(stdout), whole(stderr))?;
    let failure = failure(child.wait().await?);
    Ok(HelperAnswer { failure, output, words })
}

/// Reads a pipe to its end.
async fn whole(pipe: Option<impl AsyncRead + Unpin>) -> io::Result<Vec<u8>> {
    let mut read = Vec::new();
    if let Some(pipe) = pipe {
        pipe.take(LONGEST as u64 + 1).read_to_end(&mut read).await?;
    }
    if read.len() > LONGEST {
        return Err(io::Error::other("it answered more than 256 KiB"));
    }
    Ok(read)
}

/// The end of a helper in words, where it was no success.
fn failure(status: ExitStatus) -> Option<String> {
    match (status.success(), status.signal(), status.code()) {
        (true, ..) => None,
        (_, Some(signal), _) => Some(format!("it was ended by signal {signal}")),
        (_, _, code) => Some(format!("it ended with {}", code.unwrap_or_default())),
    }
}

/// Kills it, with all processes that it has started.
async fn kill(child: &mut Child) {
    use rustix::process::{Pid, Signal, kill_process_group};
    let group = child.id().and_then(|id| Pid::from_raw(i32::try_from(id).ok()?));
    if let Some(group) = group {
        let _ = kill_process_group(group, Signal::KILL);
    }
    let _ = child.start_kill();
    let _ = timeout(ERASE_LIMIT, child.wait()).await;
}
