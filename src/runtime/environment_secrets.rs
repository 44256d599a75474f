//! Removes secrets from the environment at startup, before anything else.
//!
//! A running process cannot safely remove an environment variable, and its original environment
//! remains readable. The program therefore executes itself again without these variables, and
//! passes the secrets through a pipe. Its child processes never inherit them.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::process::Command;

use super::secret_fields::strip_token_wrapping;
use crate::config::environment;
use crate::trade::{Secret, SecretField};

/// The environment variable that contains the API token for withdrawals.
pub const TOKEN: &str = "BALCAO_TOKEN";

/// The environment variable that contains the JWT for payment links.
pub const JWT: &str = "BALCAO_JWT";

/// The environment variable that contains the password of the team's database.
pub const TEAM_PASSWORD: &str = "BALCAO_TEAM_PASSWORD";

/// The variables, in the order in which their values are in the pipe.
const VARIABLES: [&str; 3] = [TOKEN, JWT, TEAM_PASSWORD];

/// The environment variable that contains the file descriptor of the pipe with the secrets, and the
/// id of the only process that may read the pipe.
const PIPE: &str = "BALCAO_SECRETS_PIPE";

/// The maximum length of a secret in bytes. Three secrets of this length fit into the buffer of a
/// pipe.
const MAX_SECRET_BYTES: usize = 16 * 1024;

/// The secrets that were found in the environment at startup.
#[derive(Debug, Default)]
pub struct EnvironmentSecrets {
    pub token: Option<Secret>,
    pub jwt: Option<Secret>,
    pub team_password: Option<Secret>,
}

impl EnvironmentSecrets {
    /// The password of the team's database.
    pub fn team_password(&self) -> Option<Secret> {
        self.team_password.as_ref().map(Secret::duplicate)
    }

    /// The name of an environment variable that contained a secret, if there was one.
    pub fn variable(&self) -> Option<&'static str> {
        let all = [(TOKEN, &self.token), (JWT, &self.jwt)];
        all.into_iter()
            .find_map(|(name, secret)| secret.is_some().then_some(name))
    }
}

#[derive(Debug)]
pub enum EnvironmentFault {
    /// The value of this variable is not a valid token.
    NotAToken(&'static str),
    /// The program could not execute itself again without the secrets.
    Failed(io::Error),
}

/// Takes the secrets out of the environment. If there are any, the program executes itself again
/// without them.
///
/// Call this while the process has only one thread.
pub fn take() -> Result<EnvironmentSecrets, EnvironmentFault> {
    if let Some(number) = own_pipe() {
        return read_pipe(&number).map_err(EnvironmentFault::Failed);
    }
    let values = VARIABLES.map(environment::variable);
    if values.iter().all(Option::is_none) {
        return Ok(EnvironmentSecrets::default());
    }
    let mut lines = Vec::with_capacity(VARIABLES.len() * (MAX_SECRET_BYTES + 1));
    for (name, value) in VARIABLES.into_iter().zip(&values) {
        let value = value.as_ref().map_or(&b""[..], |value| value.as_bytes());
        let parse = if name == TEAM_PASSWORD {
            parse_password
        } else {
            parse_token
        };
        let token = parse(value).ok_or(EnvironmentFault::NotAToken(name))?;
        lines.extend_from_slice(token.as_bytes());
        lines.push(b'\n');
    }
    Err(EnvironmentFault::Failed(execute_again(&lines)))
}

/// The token without the quotes and prefixes that a pasted token may have. Returns `None` if the
/// token cannot be sent in an HTTP header.
fn parse_token(value: &[u8]) -> Option<&str> {
    let token = strip_token_wrapping(std::str::from_utf8(value).ok()?);
    let is_sendable =
        token.len() <= MAX_SECRET_BYTES && token.bytes().all(|byte| byte.is_ascii_graphic());
    is_sendable.then_some(token)
}

/// The password as it is, because a password may contain spaces and quotes. Returns `None` if it is
/// too long or contains a line end.
fn parse_password(value: &[u8]) -> Option<&str> {
    let password = std::str::from_utf8(value).ok()?;
    let is_one_line = password.len() <= MAX_SECRET_BYTES && !password.contains(['\n', '\r']);
    is_one_line.then_some(password)
}

/// Executes this program again, without the secrets in its environment. Returns only if the call
/// fails.
fn execute_again(secrets: &[u8]) -> io::Error {
    try_execute_again(secrets).unwrap_or_else(|error| error)
}

fn try_execute_again(secrets: &[u8]) -> io::Result<io::Error> {
    let program = std::env::current_exe()?;
    let (reader, mut writer) = io::pipe()?;
    // The secrets fit in the pipe's buffer, so this call does not block.
    writer.write_all(secrets)?;
    drop(writer);
    rustix::io::fcntl_setfd(&reader, rustix::io::FdFlags::empty())?;
    let mut args = std::env::args_os();
    let mut command = Command::new(program);
    if let Some(name) = args.next() {
        command.arg0(name);
    }
    let pipe = format!("{} {}", reader.as_raw_fd(), std::process::id());
    for name in VARIABLES {
        command.env_remove(name);
    }
    command.args(args).env(PIPE, pipe);
    Ok(command.exec())
}

/// The file descriptor of the pipe, if `BALCAO_SECRETS_PIPE` contains the id of this process. A
/// child process inherits the variable but has another id, so it does not read the pipe.
fn own_pipe() -> Option<String> {
    let value = environment::text(PIPE)?;
    let (number, process) = value.split_once(' ')?;
    let is_ours = process.parse() == Ok(std::process::id());
    (is_ours && number.parse::<u32>().is_ok()).then(|| number.to_owned())
}

fn read_pipe(number: &str) -> io::Result<EnvironmentSecrets> {
    let fd_dir = if cfg!(target_os = "linux") {
        "/proc/self/fd"
    } else {
        "/dev/fd"
    };
    let mut text = String::with_capacity(VARIABLES.len() * (MAX_SECRET_BYTES + 1) + 1);
    // Read all of the pipe. A child process that inherits the pipe then finds it empty.
    File::open(format!("{fd_dir}/{number}"))?.read_to_string(&mut text)?;
    let mut lines = text.lines();
    let mut secret = || {
        let mut field = SecretField::new();
        field.insert_text(lines.next().unwrap_or_default());
        Some(field.take()).filter(|secret| !secret.is_empty())
    };
    let [token, jwt] = [secret(), secret()];
    let password = Secret::new(lines.next().unwrap_or_default().to_owned());
    Ok(EnvironmentSecrets {
        token,
        jwt,
        team_password: Some(password).filter(|password| !password.is_empty()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn token_is_stripped_of_quotes_and_prefix() {
        for value in [
            "tok",
            "Bearer tok",
            "\"tok\"",
            "'bearer tok'",
            "tok\r\n",
            " tok ",
            "\u{feff}tok",
        ] {
            assert_eq!(parse_token(value.as_bytes()), Some("tok"), "{value:?}");
        }
        for value in ["", "\"\"", "Bearer ", "\n"] {
            assert_eq!(
                parse_token(value.as_bytes()),
                Some(""),
                "{value:?} is not set"
            );
        }
    }

    #[test]
    fn token_invalid_in_a_header_is_refused() {
        let long = "x".repeat(MAX_SECRET_BYTES + 1);
        for value in [
            "tok en",
            "tok\nen",
            "tok\ten",
            "tokén",
            "tok\u{200b}en",
            "\u{7f}x\u{1}y",
            &long,
        ] {
            assert_eq!(parse_token(value.as_bytes()), None, "{value:.20?}");
        }
        assert_eq!(parse_token(b"tok\xffen"), None);
        assert_eq!(
            parse_token(&long.as_bytes()[1..]).map(str::len),
            Some(MAX_SECRET_BYTES)
        );
    }
}
