//! Reads a secret from the terminal without echo, or from a pipe.

use std::io::{self, Write};
use std::thread;
use std::time::Instant;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::stdio::stdin;
use rustix::termios::{LocalModes, OptionalActions, SpecialCodeIndex, Termios};
use rustix::termios::{tcgetattr, tcsetattr};
use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

use crate::app::ui::form::Slot;
use crate::app::ui::input::Code;
use crate::locked::Locked;
use crate::runtime::keys::TypedBytes;
use crate::runtime::{SecretFields, clocks, keyboard};
use crate::trade::{MAX_SECRET_BYTES, Secret};

/// The prompt that is currently waiting for hidden input, if any.
static PROMPT: Locked<Option<HiddenPrompt>> = Locked::new(None);

struct HiddenPrompt {
    question: String,
    /// The terminal's original modes, and the same modes without echo.
    modes: [Termios; 2],
    /// True if the process was stopped and continued, so the prompt was printed again. Input from
    /// before the stop is discarded.
    was_reprinted: bool,
}

/// Turns off the terminal's echo. When this value is dropped, the original terminal modes are
/// restored.
struct NoEcho;

impl NoEcho {
    fn begin(question: &str) -> io::Result<NoEcho> {
        let original = tcgetattr(stdin())?;
        let mut without_echo = original.clone();
        // Deliver each key press at once, and Ctrl-C as an ordinary key press.
        without_echo
            .local_modes
            .remove(LocalModes::ECHO | LocalModes::ICANON | LocalModes::ISIG);
        without_echo.special_codes[SpecialCodeIndex::VMIN] = 1;
        without_echo.special_codes[SpecialCodeIndex::VTIME] = 0;
        watch_signals()?;
        let mut prompt = PROMPT.lock();
        tcsetattr(stdin(), OptionalActions::Flush, &without_echo)?;
        let modes = [original, without_echo];
        *prompt = Some(HiddenPrompt {
            question: question.to_owned(),
            modes,
            was_reprinted: false,
        });
        Ok(NoEcho)
    }
}

impl Drop for NoEcho {
    fn drop(&mut self) {
        if let Some(HiddenPrompt {
            modes: [original, _],
            ..
        }) = PROMPT.lock().take()
        {
            // Ignore errors: this call fails only if the terminal has been closed.
            let _ = tcsetattr(stdin(), OptionalActions::Flush, &original);
        }
    }
}

/// Starts a thread that restores the terminal's modes before a signal ends or stops the process.
/// When the process continues, the thread prints the prompt again.
fn watch_signals() -> io::Result<()> {
    static IS_WATCHING: Locked<bool> = Locked::new(false);
    let mut is_watching = IS_WATCHING.lock();
    if *is_watching {
        return Ok(());
    }
    let watched = [SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGTSTP, SIGCONT];
    let signals = Signals::new(watched)?;
    thread::Builder::new()
        .name("echo".into())
        .spawn(move || handle_signals(signals))?;
    *is_watching = true;
    Ok(())
}

fn handle_signals(mut signals: Signals) {
    for signal in signals.forever() {
        let mut prompt = PROMPT.lock();
        match (signal, &mut *prompt) {
            // Input typed while the process was stopped was visible, so it is discarded.
            (SIGCONT, Some(prompt)) => {
                let _ = tcsetattr(stdin(), OptionalActions::Flush, &prompt.modes[1]);
                let _ = writeln!(io::stdout(), "{}", prompt.question);
                prompt.was_reprinted = true;
            }
            (SIGCONT, None) => {}
            (signal, prompt) => {
                if let Some(prompt) = prompt {
                    let _ = tcsetattr(stdin(), OptionalActions::Now, &prompt.modes[0]);
                }
                // This call ends or stops the process. It returns only after a stopped process
                // has continued.
                let _ = emulate_default_handler(signal);
            }
        }
    }
}

/// Prompts for a secret and reads it. Returns `None` if the user presses Ctrl-C or Ctrl-D, or if
/// the input ends.
///
/// Backspace deletes and arrow keys do nothing, as in the app's secret fields.
pub(super) fn read_typed(question: &str) -> io::Result<Option<Secret>> {
    // Turn off echo before the prompt appears, so that even an immediate answer stays hidden.
    let _no_echo = NoEcho::begin(question)?;
    writeln!(io::stdout(), "{question}")?;
    let slot: Slot = "typed".into();
    let mut bytes = TypedBytes::new(Box::new(|_| false));
    let mut secrets = SecretFields::default();
    let mut events = Vec::new();
    loop {
        // Wait for the next byte. An incomplete key sequence ends at its deadline, unless its next
        // byte has already arrived.
        if !wait_readable(bytes.deadline())? {
            bytes.on_timeout(&mut |arrived| events.push(arrived.event));
            continue;
        }
        // If the process was stopped and the prompt was printed again, discard the input so far.
        let mut prompt = PROMPT.lock();
        if prompt
            .as_mut()
            .is_some_and(|prompt| std::mem::take(&mut prompt.was_reprinted))
        {
            secrets.wipe(&slot);
        }
        if !wait_readable(Some(clocks::instant()))? {
            continue;
        }
        // Read a single byte, because bytes after Enter belong to the next prompt.
        let buffer = &mut bytes.buffer()[..1];
        let byte_count = rustix::io::retry_on_intr(|| rustix::io::read(stdin(), &mut *buffer))?;
        drop(prompt);
        if byte_count == 0 {
            return Ok(None);
        }
        bytes.decode(byte_count, false, &mut |arrived| events.push(arrived.event));
        for mut event in events.drain(..) {
            let edited = secrets.apply_event(&slot, &mut event);
            if edited.is_some_and(|edited| edited.is_full) {
                return Err(too_long_error());
            }
            let Some(key) = event.as_key_event().and_then(|key| keyboard::to_key(&key)) else {
                continue;
            };
            match (key.code, key.ctrl) {
                // The terminal may convert Enter to a line feed, which is Ctrl-J.
                (Code::Enter, _) | (Code::Char('j'), true) => {
                    let secret = secrets.get(&slot);
                    return Ok(Some(secret.unwrap_or_else(|| Secret::new(String::new()))));
                }
                (Code::Char('c' | 'd'), true) => return Ok(None),
                _ => {}
            }
        }
    }
}

/// Waits until input can be read, at most until the given time. Returns false if no input arrived.
fn wait_readable(until: Option<Instant>) -> io::Result<bool> {
    let remaining = until.map(|at| at.saturating_duration_since(clocks::instant()));
    let timeout = remaining
        .map(Timespec::try_from)
        .transpose()
        .map_err(io::Error::other)?;
    let mut polled = [PollFd::from_borrowed_fd(stdin(), PollFlags::IN)];
    Ok(rustix::io::retry_on_intr(|| poll(&mut polled, timeout.as_ref()))? > 0)
}

/// Reads a secret from a pipe. Removes the line end and a byte order mark.
pub(super) fn read_piped() -> io::Result<Secret> {
    let mut text = Vec::with_capacity(MAX_SECRET_BYTES);
    while let Some(byte) = read_byte()?.filter(|byte| *byte != b'\n') {
        if text.len() == MAX_SECRET_BYTES {
            return Err(too_long_error());
        }
        text.push(byte);
    }
    if text.last() == Some(&b'\r') {
        text.pop();
    }
    secret_from_utf8(text.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&text))
}

/// Reads the next byte from standard input, without a buffer that could retain parts of the secret.
fn read_byte() -> io::Result<Option<u8>> {
    let mut byte = [0];
    let byte_count = rustix::io::retry_on_intr(|| rustix::io::read(stdin(), &mut byte))?;
    Ok((byte_count > 0).then_some(byte[0]))
}

fn secret_from_utf8(bytes: &[u8]) -> io::Result<Secret> {
    let text = std::str::from_utf8(bytes);
    let text = text.map_err(|_| io::ErrorKind::InvalidData)?;
    Ok(Secret::new(text.to_owned()))
}

fn too_long_error() -> io::Error {
    io::ErrorKind::FileTooLarge.into()
}
