//! The seller's own command keeps the entries, by the protocol of docker-credential-helpers.
//!
//! `COMMAND get`, `store` and `erase` speak JSON on standard input and output; a secret is never an
//! argument or a variable. A command with a dialog of its own (a graphical pinentry, an agent) is
//! waited for; one that wants this terminal does not get it, and is to be unlocked before.

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
use super::{Vault, program, words_of_another};
use crate::trade::VaultTrouble;

/// The most bytes of an answer; what is longer is no credential.
const LONGEST: usize = 256 * 1024;

/// The longest that an entry is taken back: a caller who has gone does not wait for it.
const ERASE_LIMIT: Duration = Duration::from_secs(3);

/// The variables that a helper gets, where they are set: its own settings, and the desktop on which
/// its dialog appears. A secret is in none of them.
///
/// `GPG_TTY` is left out: a pinentry on this terminal and the screen would draw over each other.
const VARIABLES: &str = "\
    HOME PATH USER LOGNAME LANG LC_ALL LC_CTYPE LC_MESSAGES TZ TMPDIR DISPLAY \
    WAYLAND_DISPLAY XAUTHORITY DBUS_SESSION_BUS_ADDRESS XDG_RUNTIME_DIR XDG_CONFIG_HOME \
    XDG_DATA_HOME XDG_STATE_HOME XDG_CACHE_HOME XDG_CURRENT_DESKTOP GNUPGHOME \
    PASSWORD_STORE_DIR PASSWORD_STORE_KEY PASSWORD_STORE_UMASK GOPASS_HOMEDIR OP_ACCOUNT \
    OP_BIOMETRIC_UNLOCK_ENABLED SSH_AUTH_SOCK";

/// The user that every entry is of; the place of an entry makes it another one.
const USER: &str = "balcao";

/// The actions of the protocol.
const GET: &str = "get";
const STORE: &str = "store";
const ERASE: &str = "erase";

/// What a helper answers, by the protocol, where it has no such entry.
const NOT_FOUND: &str = "credentials not found";

/// The beginning of every credential that was stored, as the helper sees it.
///
/// Words with it quote a secret, and are not shown.
const LOOKS_SECRET: &str = "eyJpZGVudGl0eSI6";

/// The vault that another program is.
pub(super) struct Helper {
    command: HelperCommand,
    limit: RunningCall,
    runtime: io::Result<Runtime>,
}

/// A helper's name or path, and the variables that it gets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HelperCommand {
    name: PathBuf,
    variables: Vec<(&'static str, OsString)>,
}

/// What a helper said, and how it ended.
struct HelperAnswer {
    /// Its end in words, where it did not succeed.
    failure: Option<String>,
    /// Its standard output.
    output: Vec<u8>,
    /// Its standard error.
    words: Vec<u8>,
}

/// What is asked to be stored.
#[derive(Serialize)]
struct Stored<'a> {
    #[serde(rename = "ServerURL")]
    place: &'a str,
    #[serde(rename = "Username")]
    user: &'a str,
    #[serde(rename = "Secret")]
    secret: &'a str,
}

/// What came back.
#[derive(Deserialize)]
struct Found<'a> {
    #[serde(rename = "Username", default, borrow)]
    user: Cow<'a, str>,
    #[serde(rename = "Secret", borrow)]
    secret: Cow<'a, str>,
}

impl Helper {
    pub(super) fn new(command: HelperCommand, limit: RunningCall) -> Helper {
        Helper { command, limit, runtime: Builder::new_current_thread().enable_all().build() }
    }

    /// Runs the command once.
    fn ask(&self, action: &str, input: &[u8]) -> Result<HelperAnswer, VaultTrouble> {
        let runtime = self.runtime.as_ref();
        let runtime = runtime.map_err(|error| VaultTrouble::HelperFailed(error.to_string()))?;
        runtime.block_on(self.command.ask(action, input, &self.limit))
    }
}

impl Vault for Helper {
    fn odd(&self, detail: String) -> VaultTrouble {
        VaultTrouble::HelperFailed(detail)
    }

    fn value(&mut self, service: &str, user: &str) -> Result<Option<Vec<u8>>, VaultTrouble> {
        let place = place(service, user);
        let answer = self.ask(GET, place.as_bytes())?;
        match &answer.failure {
            Some(_) if is_not_found(&answer) => return Ok(None),
            Some(why) => return Err(refused(why, &answer, None)),
            None => {}
        }
        let found: Found<'_> = serde_json::from_slice(&answer.output).map_err(|_| {
            // The reader's message may quote the value.
            VaultTrouble::HelperFailed("what it answered is not that of a credential helper".into())
        })?;
        // Some helpers succeed with nothing where they have nothing.
        if found.secret.is_empty() && found.user.is_empty() {
            return Ok(None);
        }
        let secret = found.secret.trim();
        // What is not ours is handed on as it is, to be named as that.
        let value = BASE64_STANDARD.decode(secret);
        Ok(Some(value.unwrap_or_else(|_| secret.as_bytes().to_vec())))
    }

    fn set(&mut self, service: &str, user: &str, value: &[u8]) -> Result<(), VaultTrouble> {
        let place = place(service, user);
        // Letters that no program on the way changes.
        let secret = BASE64_STANDARD.encode(value);
        let stored = Stored { place: &place, user: USER, secret: &secret };
        let input = serde_json::to_vec(&stored).expect("texts, written to memory");
        let answer = self.ask(STORE, &input);
        if let Err(VaultTrouble::HelperHangs) = answer {
            // It was killed, and may have stored it: the seller is told that it is not kept.
            let _ = self.ask(ERASE, place.as_bytes());
        }
        let answer = answer?;
        match &answer.failure {
            Some(why) => Err(refused(why, &answer, Some(&secret))),
            None => Ok(()),
        }
    }

    fn remove(&mut self, service: &str, user: &str) -> Result<(), VaultTrouble> {
        let answer = self.ask(ERASE, place(service, user).as_bytes())?;
        match &answer.failure {
            None => Ok(()),
            Some(_) if is_not_found(&answer) => Ok(()),
            Some(why) => {
                let trouble = refused(why, &answer, None);
                // Helpers differ about an entry that is not there; what is not there is gone.
                match self.value(service, user) {
                    Ok(None) => Ok(()),
                    _ => Err(trouble),
                }
            }
        }
    }
}

/// The place of an entry: an address that leads nowhere, since helpers take addresses only.
fn place(service: &str, user: &str) -> String {
    let service = service.strip_prefix("balcao/").unwrap_or(service);
    let part = |name: &str| byte_serialize(name.as_bytes()).collect::<String>();
    format!("https://balcao.invalid/{}/{}", part(service), part(user))
}

fn is_not_found(answer: &HelperAnswer) -> bool {
    [&answer.output[..], &answer.words]
        .iter()
        .any(|said| String::from_utf8_lossy(said).to_ascii_lowercase().contains(NOT_FOUND))
}

/// A refusal, with the helper's own words where they hold nothing of a secret.
fn refused(why: &str, answer: &HelperAnswer, secret: Option<&str>) -> VaultTrouble {
    // By the protocol the reason stands on standard output; where it is JSON, it is an answer.
    let output = String::from_utf8_lossy(&answer.output);
    let words = String::from_utf8_lossy(&answer.words);
    let said = if words.trim().is_empty() { output.trim() } else { words.trim() };
    let holds_secret = said.contains(LOOKS_SECRET)
        || said.contains(['{', '"'])
        || secret.is_some_and(|secret| share_a_piece(said, secret));
    let text = match (said.is_empty(), holds_secret) {
        (true, _) => why.to_owned(),
        (_, true) => format!("{why}; its words are not shown, they may hold the credential"),
        (_, false) => format!("{why}: {said}"),
    };
    VaultTrouble::HelperFailed(words_of_another(&text))
}

/// Returns true if a good part of a secret stands in these words.
fn share_a_piece(said: &str, secret: &str) -> bool {
    /// So many letters of a secret are a secret.
    const LETTERS: usize = 8;
    let pieces = secret.as_bytes().windows(LETTERS);
    let said = said.as_bytes();
    pieces.into_iter().any(|piece| said.windows(LETTERS).any(|window| window == piece))
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
        let variables = VARIABLES.split(' ').filter_map(|name| Some((name, variable(name)?)));
        Some(HelperCommand { name: name.into(), variables: variables.collect() })
    }

    /// The name, as it was given.
    pub fn name(&self) -> String {
        self.name.display().to_string()
    }

    /// The program: the path itself, else the first of this name in a folder of `PATH`.
    fn program(&self) -> Option<PathBuf> {
        if self.name.is_absolute() {
            return Some(self.name.clone()).filter(|program| program::can_be_run(program));
        }
        let (_, path) = self.variables.iter().find(|(name, _)| *name == "PATH")?;
        program::find(&self.name, path)
    }

    /// Runs it once, no longer than the call may take.
    async fn ask(
        &self,
        action: &str,
        input: &[u8],
        limit: &RunningCall,
    ) -> Result<HelperAnswer, VaultTrouble> {
        let program = self.program().ok_or_else(|| VaultTrouble::NoHelper(self.name()))?;
        let mut command = Command::new(program);
        command.arg(action).env_clear().envs(self.variables.iter().cloned());
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
            ERASE => timeout(ERASE_LIMIT, talk(&mut child, input)).await.ok(),
            _ => tokio::select! {
                answer = talk(&mut child, input) => Some(answer),
                () = limit.reached() => None,
            },
        };
        let trouble = match answer {
            Some(Ok(answer)) => return Ok(answer),
            Some(Err(error)) => VaultTrouble::HelperFailed(error.to_string()),
            None => VaultTrouble::HelperHangs,
        };
        program::kill(&mut child, ERASE_LIMIT).await;
        Err(trouble)
    }
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

#[cfg(test)]
mod tests;
