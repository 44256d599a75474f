//! A secret typed on the terminal without echo, or piped in.

use std::io::{self, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};
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
use crate::runtime::keys::TypedBytes;
use crate::runtime::{SecretFields, clocks, keyboard};
use crate::trade::{SECRET_BYTES, Secret};

/// The question that is being asked without echo.
static HIDDEN: Mutex<Option<Hidden>> = Mutex::new(None);

struct Hidden {
    question: String,
    /// The modes of the terminal before, and those without echo.
    modes: [Termios; 2],
    /// Set when the question was asked once more: what was typed before does not count.
    is_new: bool,
}

/// The terminal without echo; as it was before, once this is dropped.
struct NoEcho;

impl NoEcho {
    fn begin(question: &str) -> io::Result<NoEcho> {
        let before = tcgetattr(stdin())?;
        let mut quiet = before.clone();
        // Keys come one by one, Ctrl-C too.
        quiet.local_modes.remove(LocalModes::ECHO | LocalModes::ICANON | LocalModes::ISIG);
        quiet.special_codes[SpecialCodeIndex::VMIN] = 1;
        quiet.special_codes[SpecialCodeIndex::VTIME] = 0;
        watch_signals()?;
        let mut hidden = hidden();
        tcsetattr(stdin(), OptionalActions::Flush, &quiet)?;
        let modes = [before, quiet];
        *hidden = Some(Hidden { question: question.to_owned(), modes, is_new: false });
        Ok(NoEcho)
    }
}

impl Drop for NoEcho {
    fn drop(&mut self) {
        if let Some(Hidden { modes: [before, _], .. }) = hidden().take() {
            // A terminal that is gone needs nothing.
            let _ = tcsetattr(stdin(), OptionalActions::Flush, &before);
        }
    }
}

fn hidden() -> MutexGuard<'static, Option<Hidden>> {
    HIDDEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts the one thread that gives the terminal back before a signal ends or stops the process,
/// and asks again when it goes on: a shell has had the terminal meanwhile.
fn watch_signals() -> io::Result<()> {
    static IS_WATCHING: Mutex<bool> = Mutex::new(false);
    let mut is_watching = IS_WATCHING.lock().unwrap_or_else(PoisonError::into_inner);
    if *is_watching {
        return Ok(());
    }
    let all = [SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGTSTP, SIGCONT];
    let mut signals = Signals::new(all)?;
    let work = move || {
        for signal in signals.forever() {
            let mut hidden = hidden();
            match (signal, &mut *hidden) {
                // What was typed meanwhile is thrown away: it was on the screen.
                (SIGCONT, Some(hidden)) => {
                    let _ = tcsetattr(stdin(), OptionalActions::Flush, &hidden.modes[1]);
                    let _ = writeln!(io::stdout(), "{}", hidden.question);
                    hidden.is_new = true;
                }
                (SIGCONT, None) => {}
                (signal, hidden) => {
                    if let Some(hidden) = hidden {
                        let _ = tcsetattr(stdin(), OptionalActions::Now, &hidden.modes[0]);
                    }
                    // It returns only from a stop.
                    let _ = emulate_default_handler(signal);
                }
            }
        }
    };
    thread::Builder::new().name("echo".into()).spawn(work)?;
    *is_watching = true;
    Ok(())
}

/// Asks for a secret and reads it as it is typed; `None` where the person gave up.
///
/// Keys mean what they mean in a secret field of the app: Backspace takes back, arrows do nothing.
pub(super) fn typed(question: &str) -> io::Result<Option<Secret>> {
    // Before the question: whoever answers at once is not shown either.
    let _quiet = NoEcho::begin(question)?;
    writeln!(io::stdout(), "{question}")?;
    let slot: Slot = "typed".into();
    let (mut bytes, mut secrets) = (TypedBytes::new(None), SecretFields::default());
    let mut events = Vec::new();
    loop {
        // Bytes that are there already belong to a sequence, however late they are read.
        if !is_readable(bytes.deadline())? {
            bytes.wait_is_over(&mut |arrived| events.push(arrived.event));
            continue;
        }
        // No byte that came before the question was asked once more is read after that.
        let mut question = hidden();
        if question.as_mut().is_some_and(|hidden| std::mem::take(&mut hidden.is_new)) {
            secrets.wipe(&slot);
        }
        if !is_readable(Some(clocks::instant()))? {
            continue;
        }
        // One byte: what is typed behind Enter is for the next question.
        let room = &mut bytes.buffer()[..1];
        let read = rustix::io::retry_on_intr(|| rustix::io::read(stdin(), &mut *room))?;
        drop(question);
        if read == 0 {
            return Ok(None);
        }
        bytes.take(read, false, &mut |arrived| events.push(arrived.event));
        for mut event in events.drain(..) {
            let edited = secrets.type_event(&slot, &mut event);
            if edited.is_some_and(|edited| edited.is_full) {
                return Err(too_long());
            }
            let Some(key) = event.as_key_event().and_then(|key| keyboard::key_of(&key)) else {
                continue;
            };
            match (key.code, key.ctrl) {
                // The terminal makes a line end of Enter.
                (Code::Enter, _) | (Code::Char('j'), true) => {
                    let typed = secrets.get(&slot);
                    return Ok(Some(typed.unwrap_or_else(|| Secret::new(String::new()))));
                }
                (Code::Char('c' | 'd'), true) => return Ok(None),
                _ => {}
            }
        }
    }
}

/// Waits until something can be read; returns false if nothing could until this moment.
fn is_readable(until: Option<Instant>) -> io::Result<bool> {
    let left = until.map(|at| at.saturating_duration_since(clocks::instant()));
    let limit = left.map(Timespec::try_from).transpose().map_err(io::Error::other)?;
    let mut polled = [PollFd::from_borrowed_fd(stdin(), PollFlags::IN)];
    Ok(rustix::io::retry_on_intr(|| poll(&mut polled, limit.as_ref()))? > 0)
}

/// Reads a secret from a pipe, without the end of its line and without a byte order mark.
pub(super) fn piped() -> io::Result<Secret> {
    let mut text = Vec::with_capacity(SECRET_BYTES);
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
