//! A secret typed on the terminal without echo, or piped in.

use std::io::{self, Write};

use rustix::stdio::stdin;
use rustix::termios::{LocalModes, OptionalActions, SpecialCodeIndex, Termios};
use rustix::termios::{tcgetattr, tcsetattr};
use zeroize::Zeroizing;

use crate::trade::{SECRET_BYTES, Secret};

/// The terminal without echo; as it was before, once this is dropped.
struct NoEcho(Termios);

impl NoEcho {
    fn begin() -> io::Result<NoEcho> {
        let before = tcgetattr(stdin())?;
        let mut quiet = before.clone();
        // Keys come one by one, Ctrl-C too: nothing ends the program before the echo is back.
        quiet.local_modes.remove(LocalModes::ECHO | LocalModes::ICANON | LocalModes::ISIG);
        quiet.special_codes[SpecialCodeIndex::VMIN] = 1;
        quiet.special_codes[SpecialCodeIndex::VTIME] = 0;
        tcsetattr(stdin(), OptionalActions::Flush, &quiet)?;
        Ok(NoEcho(before))
    }
}

impl Drop for NoEcho {
    fn drop(&mut self) {
        // A terminal that is gone needs nothing.
        let _ = tcsetattr(stdin(), OptionalActions::Flush, &self.0);
    }
}

/// Asks for a secret and reads it as it is typed; `None` where the person gave up.
pub(super) fn typed(question: &str) -> io::Result<Option<Secret>> {
    const CTRL_C: u8 = 0x03;
    const CTRL_D: u8 = 0x04;
    // Before the question: whoever answers at once is not shown either.
    let _quiet = NoEcho::begin()?;
    writeln!(io::stdout(), "{question}")?;
    let mut text = Zeroizing::new(Vec::with_capacity(SECRET_BYTES));
    while let Some(byte) = next()? {
        match byte {
            b'\r' | b'\n' => return secret(&text).map(Some),
            CTRL_C | CTRL_D => return Ok(None),
            // A letter may be several bytes, of which only the first is none of a tail.
            0x08 | 0x7f => while text.pop().is_some_and(|byte| byte & 0xc0 == 0x80) {},
            byte if text.len() < SECRET_BYTES => text.push(byte),
            _ => return Err(too_long()),
        }
    }
    Ok(None)
}

/// Reads a secret from a pipe, without the end of its line and without a byte order mark.
pub(super) fn piped() -> io::Result<Secret> {
    let mut text = Zeroizing::new(Vec::with_capacity(SECRET_BYTES));
    while let Some(byte) = next()?.filter(|byte| *byte != b'\n') {
        if text.len() == SECRET_BYTES {
            return Err(too_long());
        }
        text.push(byte);
    }
    if text.last() == Some(&b'\r') {
        text.pop();
    }
    secret(text.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&text))
}

/// The next byte. There is no buffer in between that would keep it.
fn next() -> io::Result<Option<u8>> {
    let mut byte = [0];
    let read = rustix::io::retry_on_intr(|| rustix::io::read(stdin(), &mut byte))?;
    Ok((read > 0).then_some(byte[0]))
}

fn secret(bytes: &[u8]) -> io::Result<Secret> {
    let text = std::str::from_utf8(bytes);
    let text = text.map_err(|_| io::ErrorKind::InvalidData)?;
    Ok(Secret::new(text.to_owned()))
}

fn too_long() -> io::Error {
    io::ErrorKind::FileTooLarge.into()
}
