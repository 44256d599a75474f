//! Reads the terminal's bytes on the thread that runs the event loop, so that a key press wakes
//! only one thread.
//!
//! With a separate reading thread, each key press would take 0.13 ms longer, 0.93 ms in total. Such
//! a thread is used only if the terminal cannot be polled without blocking.

use std::collections::VecDeque;
use std::fs::File;
use std::future::Future;
use std::io::{self, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::thread;
use std::time::Instant;

use futures_util::Stream;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use rustix::stdio;
use rustix::termios::isatty;
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;
use tokio::time::{Sleep, sleep_until};

use super::TimedEvent;
use super::decoder::MIN_PAUSE;
use super::meter;
use super::typed_bytes::TypedBytes;
use crate::runtime::clocks;

/// A stream of the terminal's input events. It must be polled in the Tokio runtime that created it.
pub struct TtyReader {
    tty: AsyncFd<OwnedFd>,
    bytes: TypedBytes,
    /// Decoded events that the stream has not returned yet.
    events: VecDeque<TimedEvent>,
    /// The timer for the next deadline, which is the timeout of an incomplete sequence or the end
    /// of a pause.
    timer: Option<Pin<Box<Sleep>>>,
    /// The time at which the input counts as paused, if no more bytes arrive. `None` if it already
    /// counts as paused.
    ///
    /// When this time has come, the reader first checks for unread bytes, because its thread may
    /// have been busy.
    silent_at: Option<Instant>,
    /// True if the last read returned no bytes, although the terminal was reported as readable.
    was_empty: bool,
}

impl TtyReader {
    /// Opens the terminal on standard input, or else the controlling terminal.
    ///
    /// # Errors
    ///
    /// Fails if the process has no readable terminal.
    pub fn open(bytes: TypedBytes) -> io::Result<TtyReader> {
        let tty = match reopen() {
            Some(tty) => register(tty),
            None => spawn_copy_thread(blocking_tty()?).and_then(register),
        };
        Ok(TtyReader::new(tty?, bytes))
    }

    fn new(tty: AsyncFd<OwnedFd>, bytes: TypedBytes) -> TtyReader {
        TtyReader {
            tty,
            bytes,
            events: VecDeque::new(),
            timer: None,
            silent_at: Some(clocks::instant() + MIN_PAUSE),
            was_empty: false,
        }
    }

    fn decode(&mut self, count: usize) {
        meter::count_bytes(count);
        let after_silence = self.silent_at.is_none();
        let events = &mut self.events;
        if self
            .bytes
            .decode(count, after_silence, &mut |event| events.push_back(event))
        {
            self.silent_at = Some(clocks::instant() + MIN_PAUSE);
        }
    }

    /// Waits until the terminal is readable, and reads its bytes. Returns an error if the terminal
    /// is gone.
    ///
    /// The terminal counts as gone after two empty reads in a row. A single empty read can also
    /// occur when another program has changed the terminal's settings.
    fn poll_read(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        loop {
            let mut ready = ready!(self.tty.poll_read_ready(cx))?;
            let buffer = self.bytes.buffer();
            let size = buffer.len();
            match ready.try_io(|tty| Ok(rustix::io::read(tty, buffer)?)) {
                Ok(Ok(0)) if self.was_empty => {
                    return Poll::Ready(Err(io::ErrorKind::UnexpectedEof.into()));
                }
                Ok(Ok(0)) => {
                    self.was_empty = true;
                    ready.clear_ready();
                }
                Ok(Ok(count)) => {
                    self.was_empty = false;
                    if count < size {
                        // No more bytes are available, so mark the terminal as not readable.
                        // Otherwise another read would delay the frame.
                        ready.clear_ready();
                    }
                    self.decode(count);
                    return Poll::Ready(Ok(()));
                }
                Ok(Err(error)) if error.kind() == io::ErrorKind::Interrupted => {}
                Ok(Err(error)) => return Poll::Ready(Err(error)),
                // The terminal was not readable after all, so wait again.
                Err(_) => {}
            }
        }
    }

    /// Becomes ready when the next deadline has passed: the timeout of an incomplete sequence, or
    /// the end of a pause. Stays pending if there is no deadline.
    fn poll_deadline(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let Some(until) = self
            .bytes
            .deadline()
            .into_iter()
            .chain(self.silent_at)
            .min()
        else {
            return Poll::Pending;
        };
        let deadline = until.into();
        let timer = self
            .timer
            .get_or_insert_with(|| Box::pin(sleep_until(deadline)));
        if timer.deadline() != deadline {
            timer.as_mut().reset(deadline);
        }
        ready!(timer.as_mut().poll(cx));
        // Bytes may have arrived while this thread was busy, so read once more before the timeout
        // takes effect.
        if let Ok(count @ 1..) = rustix::io::read(&self.tty, self.bytes.buffer()) {
            self.decode(count);
            return Poll::Ready(());
        }
        self.silent_at.take_if(|at| *at <= until);
        if self.bytes.deadline().is_some_and(|at| at <= until) {
            let events = &mut self.events;
            self.bytes.on_timeout(&mut |event| events.push_back(event));
        }
        Poll::Ready(())
    }
}

impl Stream for TtyReader {
    type Item = io::Result<TimedEvent>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            if let Some(event) = self.events.pop_front() {
                meter::count_event();
                return Poll::Ready(Some(Ok(event)));
            }
            // Read available bytes before checking the timer, because they may complete a sequence.
            match self.poll_read(cx) {
                Poll::Ready(Ok(())) => {}
                Poll::Ready(Err(error)) => return Poll::Ready(Some(Err(error))),
                Poll::Pending => ready!(self.poll_deadline(cx)),
            }
        }
    }
}

/// Opens the terminal a second time, for non-blocking reads.
///
/// Standard input itself must stay in blocking mode, because the shell shares it. Only on Linux can
/// a second handle be non-blocking without changing the first. Returns `None` on other systems, and
/// if the terminal belongs to another user.
fn reopen() -> Option<OwnedFd> {
    if !cfg!(target_os = "linux") {
        return None;
    }
    let path = if isatty(stdio::stdin()) {
        "/proc/self/fd/0"
    } else {
        "/dev/tty"
    };
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    rustix::fs::open(path, flags, Mode::empty()).ok()
}

fn blocking_tty() -> io::Result<OwnedFd> {
    if isatty(stdio::stdin()) {
        stdio::stdin().try_clone_to_owned()
    } else {
        File::options()
            .read(true)
            .write(true)
            .open("/dev/tty")
            .map(OwnedFd::from)
    }
}

/// Starts a thread that copies all input of the terminal to a socket. Returns the other end of the
/// socket, which can be polled.
fn spawn_copy_thread(tty: OwnedFd) -> io::Result<OwnedFd> {
    let (ours, mut theirs) = UnixStream::pair()?;
    ours.set_nonblocking(true)?;
    thread::Builder::new().name("keys".into()).spawn(move || {
        let mut bytes = [0; 4_096];
        let mut was_empty = false;
        loop {
            match rustix::io::read(&tty, &mut bytes) {
                Ok(0) if was_empty => return,
                Ok(0) | Err(Errno::AGAIN) => {
                    was_empty = true;
                    // Ignore an error, because the next read will return it.
                    let _ = poll(
                        &mut [PollFd::from_borrowed_fd(tty.as_fd(), PollFlags::IN)],
                        None,
                    );
                }
                Ok(count) => {
                    was_empty = false;
                    let copied = theirs.write_all(&bytes[..count]);
                    bytes[..count].fill(0);
                    if copied.is_err() {
                        return;
                    }
                }
                Err(Errno::INTR) => {}
                Err(_) => return,
            }
        }
    })?;
    Ok(ours.into())
}

#[expect(
    deprecated,
    reason = "its successor is unsafe; an `OwnedFd` is what that one demands"
)]
fn register(tty: OwnedFd) -> io::Result<AsyncFd<OwnedFd>> {
    AsyncFd::with_interest(tty, Interest::READABLE)
}

#[cfg(test)]
mod tests;
