//! A vault that runs a command chosen by the seller, using the protocol of
//! docker-credential-helpers.
//!
//! The vault runs the command with the argument `get`, `store` or `erase`. Secrets are passed only
//! on standard input and output, never as an argument or in an environment variable. The vault
//! waits while the command shows a dialog of its own, such as a graphical pinentry. A command that
//! would prompt in the terminal must be unlocked beforehand, because it has no access to this
//! terminal.

use std::borrow::Cow;
use std::ffi::OsString;
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use base64::prelude::{BASE64_STANDARD, Engine};
use serde::{Deserialize, Serialize};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, Command};
use tokio::runtime::{Builder, Runtime};
use tokio::time::timeout;
use url::form_urlencoded::byte_serialize;

use super::handle::RunningCall;
use super::{Vault, program, safe_error_text};
use crate::trade::VaultTrouble;

const MAX_OUTPUT_BYTES: usize = 256 * 1024;

/// The time limit for the action `erase`. It has its own limit, because it also runs after the
/// caller has stopped waiting.
const ERASE_LIMIT: Duration = Duration::from_secs(3);

/// The environment variables that are passed to the command: settings of password tools, and
/// desktop settings for dialogs. None of them contains a secret.
///
/// `GPG_TTY` is not passed, because a pinentry in this terminal would draw over the screen.
const PASSED_VARIABLES: &str = "\
    HOME PATH USER LOGNAME LANG LC_ALL LC_CTYPE LC_MESSAGES TZ TMPDIR DISPLAY \
    WAYLAND_DISPLAY XAUTHORITY DBUS_SESSION_BUS_ADDRESS XDG_RUNTIME_DIR XDG_CONFIG_HOME \
    XDG_DATA_HOME XDG_STATE_HOME XDG_CACHE_HOME XDG_CURRENT_DESKTOP GNUPGHOME \
    PASSWORD_STORE_DIR PASSWORD_STORE_KEY PASSWORD_STORE_UMASK GOPASS_HOMEDIR OP_ACCOUNT \
    OP_BIOMETRIC_UNLOCK_ENABLED SSH_AUTH_SOCK";

/// The user name of all entries. Only their URLs differ.
const USER_NAME: &str = "balcao";

/// The actions of the protocol, passed as the command's argument.
const GET: &str = "get";
const STORE: &str = "store";
const ERASE: &str = "erase";

/// The error message that the protocol defines for a missing entry.
const NOT_FOUND: &str = "credentials not found";

/// The base64 text with which every stored credential begins. It encodes `{"identity":`.
///
/// An error text that contains these characters is not shown, because it may quote a secret.
const CREDENTIAL_PREFIX: &str = "eyJpZGVudGl0eSI6";

/// A vault that runs the seller's vault command for every call.
pub(super) struct Helper {
    command: HelperCommand,
    running: RunningCall,
    runtime: io::Result<Runtime>,
}

/// The name or path of the command, and the environment variables that are passed to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HelperCommand {
    name: PathBuf,
    variables: Vec<(&'static str, OsString)>,
}

/// The output and the exit status of the command.
struct CommandResult {
    /// A description of how the command failed, or `None` if it succeeded.
    failure: Option<String>,
    /// The bytes that the command wrote to standard output.
    output: Vec<u8>,
    /// The bytes that the command wrote to standard error.
    error_output: Vec<u8>,
}

/// The JSON input of the `store` action.
#[derive(Serialize)]
struct StoreInput<'a> {
    #[serde(rename = "ServerURL")]
    place: &'a str,
    #[serde(rename = "Username")]
    user: &'a str,
    #[serde(rename = "Secret")]
    secret: &'a str,
}

/// The JSON output of the `get` action.
#[derive(Deserialize)]
struct GetOutput<'a> {
    #[serde(rename = "Username", default, borrow)]
    user: Cow<'a, str>,
    #[serde(rename = "Secret", borrow)]
    secret: Cow<'a, str>,
}

impl Helper {
    pub(super) fn new(command: HelperCommand, running: RunningCall) -> Helper {
        Helper {
            command,
            running,
            runtime: Builder::new_current_thread().enable_all().build(),
        }
    }

    /// Runs the command once with an action such as `get`.
    fn run(&self, action: &str, input: &[u8]) -> Result<CommandResult, VaultTrouble> {
        let runtime = self.runtime.as_ref();
        let runtime = runtime.map_err(|error| VaultTrouble::HelperFailed(error.to_string()))?;
        runtime.block_on(self.command.run(action, input, &self.running))
    }
}

impl Vault for Helper {
    fn invalid_value_error(&self, detail: String) -> VaultTrouble {
        VaultTrouble::HelperFailed(detail)
    }

    fn value(&mut self, service: &str, user: &str) -> Result<Option<Vec<u8>>, VaultTrouble> {
        let url = entry_url(service, user);
        let result = self.run(GET, url.as_bytes())?;
        match &result.failure {
            Some(_) if is_not_found(&result) => return Ok(None),
            Some(reason) => return Err(command_error(reason, &result, None)),
            None => {}
        }
        let entry: GetOutput<'_> = serde_json::from_slice(&result.output).map_err(|_| {
            // Drop the parser's error, because its text may quote the secret.
            VaultTrouble::HelperFailed("what it answered is not that of a credential helper".into())
        })?;
        // Some commands report success with empty fields if an entry is missing.
        if entry.secret.is_empty() && entry.user.is_empty() {
            return Ok(None);
        }
        let secret = entry.secret.trim();
        // This program stores only base64. If the stored value is not base64, return it unchanged,
        // so that `decode` reports an error.
        let value = BASE64_STANDARD.decode(secret);
        Ok(Some(value.unwrap_or_else(|_| secret.as_bytes().to_vec())))
    }

    fn set(&mut self, service: &str, user: &str, value: &[u8]) -> Result<(), VaultTrouble> {
        let url = entry_url(service, user);
        // Encode the value as base64, because some vault commands alter characters that base64 does
        // not contain.
        let secret = BASE64_STANDARD.encode(value);
        let stored = StoreInput {
            place: &url,
            user: USER_NAME,
            secret: &secret,
        };
        let input = serde_json::to_vec(&stored).expect("texts, written to memory");
        let result = self.run(STORE, &input);
        if let Err(VaultTrouble::HelperHangs) = result {
            // The command was killed, but it may have stored the value. Remove the value, because
            // the seller sees an error.
            let _ = self.run(ERASE, url.as_bytes());
        }
        let result = result?;
        match &result.failure {
            Some(reason) => Err(command_error(reason, &result, Some(&secret))),
            None => Ok(()),
        }
    }

    fn remove(&mut self, service: &str, user: &str) -> Result<(), VaultTrouble> {
        let result = self.run(ERASE, entry_url(service, user).as_bytes())?;
        match &result.failure {
            None => Ok(()),
            Some(_) if is_not_found(&result) => Ok(()),
            Some(reason) => {
                let trouble = command_error(reason, &result, None);
                // Some commands report an error if the entry is missing. Check whether the entry
                // still exists.
                match self.value(service, user) {
                    Ok(None) => Ok(()),
                    _ => Err(trouble),
                }
            }
        }
    }
}

/// The URL that identifies an entry. The protocol allows only URLs as identifiers. The host name is
/// invalid, so the URL can never belong to a real server.
fn entry_url(service: &str, user: &str) -> String {
    let service = service.strip_prefix("balcao/").unwrap_or(service);
    format!(
        "https://balcao.invalid/{}/{}",
        encode(service),
        encode(user)
    )
}

fn encode(name: &str) -> String {
    byte_serialize(name.as_bytes()).collect()
}

fn is_not_found(result: &CommandResult) -> bool {
    [&result.output[..], &result.error_output]
        .iter()
        .any(|text| {
            String::from_utf8_lossy(text)
                .to_ascii_lowercase()
                .contains(NOT_FOUND)
        })
}

/// The error for a command that failed. It includes the command's error text, unless that text may
/// contain a secret.
fn command_error(reason: &str, result: &CommandResult, secret: Option<&str>) -> VaultTrouble {
    // In this protocol, a command writes its error text to standard output. JSON on standard output
    // is a regular reply instead, and may contain a secret.
    let output = String::from_utf8_lossy(&result.output);
    let error_output = String::from_utf8_lossy(&result.error_output);
    let text = if error_output.trim().is_empty() {
        output.trim()
    } else {
        error_output.trim()
    };
    let may_contain_secret = text.contains(CREDENTIAL_PREFIX)
        || text.contains(['{', '"'])
        || secret.is_some_and(|secret| contains_part_of(text, secret));
    let message = match (text.is_empty(), may_contain_secret) {
        (true, _) => reason.to_owned(),
        (_, true) => format!("{reason}; its words are not shown, they may hold the credential"),
        (_, false) => format!("{reason}: {text}"),
    };
    VaultTrouble::HelperFailed(safe_error_text(&message))
}

/// True if the text contains any eight consecutive bytes of the secret.
fn contains_part_of(text: &str, secret: &str) -> bool {
    const MIN_PART_BYTES: usize = 8;
    let parts = secret.as_bytes().windows(MIN_PART_BYTES);
    let text = text.as_bytes();
    parts
        .into_iter()
        .any(|part| text.windows(MIN_PART_BYTES).any(|window| window == part))
}

impl HelperCommand {
    /// Creates a command from its name. Returns `None` unless the name is an absolute path or a
    /// plain file name. `variable` returns the value of an environment variable.
    pub fn new(
        name: &str,
        variable: impl Fn(&'static str) -> Option<OsString>,
    ) -> Option<HelperCommand> {
        let is_plain = !name.contains('/') && !name.starts_with(['-', '.']) && !name.is_empty();
        if !is_plain && !Path::new(name).is_absolute() || name.contains(char::is_control) {
            return None;
        }
        let variables = PASSED_VARIABLES
            .split(' ')
            .filter_map(|name| Some((name, variable(name)?)));
        Some(HelperCommand {
            name: name.into(),
            variables: variables.collect(),
        })
    }

    /// The command's name as configured by the seller.
    pub fn name(&self) -> String {
        self.name.display().to_string()
    }

    /// The path of the executable. If the configured name is not an absolute path, returns its
    /// first match in `PATH`.
    fn program(&self) -> Option<PathBuf> {
        if self.name.is_absolute() {
            return Some(self.name.clone()).filter(|program| program::is_executable(program));
        }
        let (_, path) = self.variables.iter().find(|(name, _)| *name == "PATH")?;
        program::find(&self.name, path)
    }

    /// Runs the command once. Kills it when the vault call reaches its time limit or its caller
    /// stops waiting.
    async fn run(
        &self,
        action: &str,
        input: &[u8],
        running: &RunningCall,
    ) -> Result<CommandResult, VaultTrouble> {
        let program = self
            .program()
            .ok_or_else(|| VaultTrouble::NoHelper(self.name()))?;
        let mut command = Command::new(program);
        command
            .arg(action)
            .env_clear()
            .envs(self.variables.iter().cloned());
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        // Run the command in its own process group, so that all its processes can be killed at
        // once. The system also stops the command if it tries to read from this terminal.
        command.process_group(0).kill_on_drop(true).current_dir("/");
        let mut child = command.spawn().map_err(|error| match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied => {
                VaultTrouble::NoHelper(self.name())
            }
            _ => VaultTrouble::HelperFailed(error.to_string()),
        })?;
        let result = match action {
            // `erase` has its own time limit, because the caller may already have stopped waiting.
            ERASE => timeout(ERASE_LIMIT, communicate(&mut child, input))
                .await
                .ok(),
            _ => tokio::select! {
                result = communicate(&mut child, input) => Some(result),
                () = running.wait_for_end() => None,
            },
        };
        let trouble = match result {
            Some(Ok(result)) => return Ok(result),
            Some(Err(error)) => VaultTrouble::HelperFailed(error.to_string()),
            None => VaultTrouble::HelperHangs,
        };
        program::kill(&mut child, ERASE_LIMIT).await;
        Err(trouble)
    }
}

/// Writes the command's input and reads its output until it exits.
async fn communicate(child: &mut Child, input: &[u8]) -> io::Result<CommandResult> {
    let stdin = child.stdin.take();
    let stdout = child.stdout.take();
    let stderr = child.stderr.take();
    let write_input = async {
        if let Some(mut stdin) = stdin {
            // Ignore a failed write, because the exit status shows whether the command read enough.
            let _ = stdin.write_all(input).await;
        }
        Ok(())
    };
    let ((), output, error_output) =
        tokio::try_join!(write_input, read_pipe(stdout), read_pipe(stderr))?;
    let failure = describe_failure(child.wait().await?);
    Ok(CommandResult {
        failure,
        output,
        error_output,
    })
}

/// Reads a pipe to its end. Returns an error if there are more than `MAX_OUTPUT_BYTES` bytes.
async fn read_pipe(pipe: Option<impl AsyncRead + Unpin>) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if let Some(pipe) = pipe {
        pipe.take(MAX_OUTPUT_BYTES as u64 + 1)
            .read_to_end(&mut bytes)
            .await?;
    }
    if bytes.len() > MAX_OUTPUT_BYTES {
        return Err(io::Error::other("it answered more than 256 KiB"));
    }
    Ok(bytes)
}

/// Describes how the command failed. Returns `None` if it succeeded.
fn describe_failure(status: ExitStatus) -> Option<String> {
    match (status.success(), status.signal(), status.code()) {
        (true, ..) => None,
        (_, Some(signal), _) => Some(format!("it was ended by signal {signal}")),
        (_, _, code) => Some(format!("it ended with {}", code.unwrap_or_default())),
    }
}

#[cfg(test)]
mod tests;
