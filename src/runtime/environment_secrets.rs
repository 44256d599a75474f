//! Secrets that came with the environment, taken out of it before anything else begins.
//!
//! A variable cannot be taken away safely from a running process, and the memory that the system
//! laid it in stays. So the program starts itself once more without these variables, with the
//! secrets in a pipe: no child can inherit them, and nothing of them is in the new environment.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::process::Command;

use super::secret_fields::bare;
use crate::trade::{Secret, SecretField};

/// The API token for withdrawals.
pub const TOKEN: &str = "BALCAO_TOKEN";

/// The JWT for payment links.
pub const JWT: &str = "BALCAO_JWT";

/// The number of the pipe with the secrets, and that of the process that it is for.
const PIPE: &str = "BALCAO_SECRETS_PIPE";

/// The longest value that fits the pipe, twice, before anybody reads it.
const LONGEST: usize = 16 * 1024;

/// The secrets of the environment.
#[derive(Debug, Default)]
pub struct EnvironmentSecrets {
    /// The API token for withdrawals.
    pub token: Option<Secret>,
    /// The JWT for payment links.
    pub jwt: Option<Secret>,
}

impl EnvironmentSecrets {
    /// The name of a variable that held one of them.
    pub fn variable(&self) -> Option<&'static str> {
        let all = [(TOKEN, &self.token), (JWT, &self.jwt)];
        all.into_iter().find_map(|(name, secret)| secret.is_some().then_some(name))
    }
}

/// The reason for which the environment could not be cleaned.
#[derive(Debug)]
pub enum EnvironmentFault {
    /// The value of this variable is no token.
    NotAToken(&'static str),
    /// The program could not start itself once more.
    Failed(io::Error),
}

/// Takes the secrets out of the environment; where there are some, the program begins anew.
///
/// To be called before there is a second thread.
pub fn take() -> Result<EnvironmentSecrets, EnvironmentFault> {
    if let Some(number) = pipe_for_us() {
        return read(&number).map_err(EnvironmentFault::Failed);
    }
    let values = [TOKEN, JWT].map(std::env::var_os);
    if values.iter().all(Option::is_none) {
        return Ok(EnvironmentSecrets::default());
    }
    let mut both = Vec::with_capacity(2 * LONGEST + 2);
    for (name, value) in [TOKEN, JWT].into_iter().zip(&values) {
        let value = value.as_ref().map_or(&b""[..], |value| value.as_bytes());
        let token = token(value).ok_or(EnvironmentFault::NotAToken(name))?;
        both.extend_from_slice(token.as_bytes());
        both.push(b'\n');
    }
    Err(EnvironmentFault::Failed(begin_anew(&both)))
}

/// The token in a value, as a pasted one is read; `None` for a value that no header can carry.
fn token(value: &[u8]) -> Option<&str> {
    let token = bare(std::str::from_utf8(value).ok()?);
    let fits = token.len() <= LONGEST && token.bytes().all(|byte| byte.is_ascii_graphic());
    fits.then_some(token)
}

/// Starts the program in its own place, without the variables; returns only where that fails.
fn begin_anew(secrets: &[u8]) -> io::Error {
    let start = || -> io::Result<io::Error> {
        let program = std::env::current_exe()?;
        let (reader, mut writer) = io::pipe()?;
        // It fits the pipe: nobody reads yet.
        writer.write_all(secrets)?;
        drop(writer);
        rustix::io::fcntl_setfd(&reader, rustix::io::FdFlags::empty())?;
        let mut args = std::env::args_os();
        let mut command = Command::new(program);
        if let Some(name) = args.next() {
            command.arg0(name);
        }
        let pipe = format!("{} {}", reader.as_raw_fd(), std::process::id());
        command.args(args).env_remove(TOKEN).env_remove(JWT).env(PIPE, pipe);
        Ok(command.exec())
    };
    start().unwrap_or_else(|error| error)
}

/// The number of the pipe, where it is for this very process: its children have other numbers.
fn pipe_for_us() -> Option<String> {
    let value = std::env::var(PIPE).ok()?;
    let (number, process) = value.split_once(' ')?;
    let is_ours = process.parse() == Ok(std::process::id());
    (is_ours && number.parse::<u32>().is_ok()).then(|| number.to_owned())
}

fn read(number: &str) -> io::Result<EnvironmentSecrets> {
    let folder = if cfg!(target_os = "linux") { "/proc/self/fd" } else { "/dev/fd" };
    let mut text = String::with_capacity(2 * LONGEST + 3);
    // Read to its end: what children inherit of it is empty.
    File::open(format!("{folder}/{number}"))?.read_to_string(&mut text)?;
    let mut lines = text.lines();
    let mut secret = || {
        let mut field = SecretField::new();
        field.insert_text(lines.next().unwrap_or_default());
        Some(field.take()).filter(|secret| !secret.is_empty())
    };
    Ok(EnvironmentSecrets { token: secret(), jwt: secret() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn token_loses_what_a_paste_loses() {
        for value in
            ["tok", "Bearer tok", "\"tok\"", "'bearer tok'", "tok\r\n", " tok ", "\u{feff}tok"]
        {
            assert_eq!(token(value.as_bytes()), Some("tok"), "{value:?}");
        }
        for value in ["", "\"\"", "Bearer ", "\n"] {
            assert_eq!(token(value.as_bytes()), Some(""), "{value:?} is not set");
        }
    }

    #[test]
    fn token_that_no_header_can_carry_is_refused() {
        let long = "x".repeat(LONGEST + 1);
        for value in
            ["tok en", "tok\nen", "tok\ten", "tokén", "tok\u{200b}en", "\u{7f}x\u{1}y", &long]
        {
            assert_eq!(token(value.as_bytes()), None, "{value:.20?}");
        }
        assert_eq!(token(b"tok\xffen"), None);
        assert_eq!(token(&long.as_bytes()[1..]).map(str::len), Some(LONGEST));
    }
}
