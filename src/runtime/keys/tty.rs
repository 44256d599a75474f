//! The terminal's bytes, read by a thread that sleeps until some come.
//!
//! The reader waits with a limit only while a sequence has begun and not ended, and once after each
//! key for the silence that follows it.

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::thread;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::stdio;
use rustix::termios::isatty;
use tokio::sync::mpsc;

use super::Arrived;
use super::decoder::{ESC_WAIT, PAUSE};
use super::typed_bytes::TypedBytes;
use crate::runtime::clocks;

/// Starts the thread, which sends what it reads, and at last an error.
pub fn send_typed(
    mut bytes: TypedBytes,
    sender: mpsc::Sender<io::Result<Arrived>>,
) -> io::Result<()> {
    let source = TtyReader::of_this_process()?;
    let mut tell = move |event| sender.blocking_send(event).is_ok();
    let read = move || read_until_gone(source, &mut bytes, &mut tell);
    thread::Builder::new().name("keys".into()).spawn(read).map(drop)
}

/// Reads and sends events until the terminal is gone, which is an error, or the receiver is closed.
fn read_until_gone(
    mut source: TtyReader,
    bytes: &mut TypedBytes,
    tell: &mut dyn FnMut(io::Result<Arrived>) -> bool,
) {
    let mut is_heard = true;
    // The time until which nothing may come for a silence; `None` once nothing came. Only a wait
    // that ended without bytes shows it: this thread may have been kept from running.
    let mut silent_at = Some(clocks::instant() + PAUSE);
    while is_heard {
        let silence = silent_at.filter(|_| source.can_poll);
        let (wait, asked) = (bytes.deadline().into_iter().chain(silence).min(), clocks::instant());
        let read = source.read(bytes.buffer(), wait);
        let now = clocks::instant();
        let mut heard = |event| is_heard = is_heard && tell(Ok(event));
        match read {
            Ok(Some(count)) => {
                let has_waited = !source.can_poll && now.duration_since(asked) >= PAUSE;
                let after_silence = silent_at.replace(now + PAUSE).is_none() || has_waited;
                bytes.take(count, after_silence, &mut heard);
            }
            Ok(None) => {
                silent_at.take_if(|at| *at <= now);
                if bytes.deadline().is_some_and(|at| at <= now || !source.can_poll) {
                    bytes.wait_is_over(&mut heard);
                }
            }
            Err(error) => {
                tell(Err(error));
                return;
            }
        }
    }
}

/// A reader of the terminal's bytes.
struct TtyReader {
    tty: OwnedFd,
    /// Set when the last read brought nothing, though there was something to read.
    was_empty: bool,
    /// False where the system cannot poll terminals.
    can_poll: bool,
}

impl TtyReader {
    /// The terminal on standard input, or else the one that the process belongs to.
    fn of_this_process() -> io::Result<TtyReader> {
        let tty = if isatty(stdio::stdin()) {
            stdio::stdin().try_clone_to_owned()?
        } else {
            File::options().read(true).write(true).open("/dev/tty")?.into()
        };
        Ok(TtyReader { tty, was_empty: false, can_poll: true })
    }

    /// Waits for bytes and reads them; `None` when none came in time.
    ///
    /// The end of a terminal is an error. A reading that brings nothing is not yet one: where the
    /// terminal is lent to a shell, Ctrl-D does that.
    fn read(&mut self, bytes: &mut [u8], limit: Option<Instant>) -> io::Result<Option<usize>> {
        loop {
            if (limit.is_some() || self.was_empty) && !self.is_ready(limit)? {
                return Ok(None);
            }
            match rustix::io::read(&self.tty, &mut *bytes) {
                Ok(0) if self.was_empty => return Err(io::ErrorKind::UnexpectedEof.into()),
                // Another program may have made it a terminal that does not wait: then we wait.
                Ok(0) | Err(Errno::AGAIN) => self.was_empty = true,
                Ok(count) => {
                    self.was_empty = false;
                    return Ok(Some(count));
                }
                Err(Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Waits until there is something to read, or the limit has passed: then it returns false.
    fn is_ready(&mut self, limit: Option<Instant>) -> io::Result<bool> {
        loop {
            let left = limit.map(|at| at.saturating_duration_since(clocks::instant()));
            // In whole milliseconds, and never less than is left: it must not wake too early.
            let left = left.map(|left| left + Duration::from_micros(999));
            let left = left.and_then(|left| Timespec::try_from(left).ok());
            let mut polled = [PollFd::from_borrowed_fd(self.tty.as_fd(), PollFlags::IN)];
            match poll(&mut polled, left.as_ref()) {
                Ok(0) => return Ok(false),
                // This system cannot poll terminals: an escape alone is the key at once, and all
                // else is waited for by reading, however long it takes.
                Ok(_) if polled[0].revents().contains(PollFlags::NVAL) => {
                    self.can_poll = false;
                    return Ok(limit.is_none_or(|at| at > clocks::instant() + ESC_WAIT));
                }
                Ok(_) => return Ok(true),
                Err(Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }
}

#[cfg(test)]
mod tests;
