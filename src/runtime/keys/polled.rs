//! The terminal's bytes, read by the loop's own thread once there are some.
//!
//! A key wakes one thread so, and not one that wakes another: on a quiet machine it is seen a tenth
//! sooner.

use std::collections::VecDeque;
use std::future::Future;
use std::io;
use std::os::fd::OwnedFd;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Instant;

use futures_util::Stream;
use rustix::fs::{Mode, OFlags};
use rustix::stdio;
use rustix::termios::isatty;
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;
use tokio::time::{Sleep, sleep_until};

use super::Arrived;
use super::decoder::PAUSE;
use super::typed_bytes::TypedBytes;
use crate::runtime::clocks;

/// The events of a terminal that tells when there is something to read.
///
/// It belongs to the runtime in which its terminal was opened, and is read there alone.
pub struct PolledTty {
    tty: AsyncFd<OwnedFd>,
    bytes: TypedBytes,
    /// The events of the last read that were not taken yet.
    events: VecDeque<Arrived>,
    /// The wait for the next bytes of a sequence that has begun, or for a silence.
    wait: Option<Pin<Box<Sleep>>>,
    /// The time until which the silence after the last bytes must last; `None` once it has.
    silent_at: Option<Instant>,
    /// Set when the last read brought nothing, though there was something to read.
    was_empty: bool,
}

impl PolledTty {
    /// A reader of this terminal.
    pub fn new(tty: AsyncFd<OwnedFd>, bytes: TypedBytes) -> PolledTty {
        PolledTty {
            tty,
            bytes,
            events: VecDeque::new(),
            wait: None,
            silent_at: Some(clocks::instant() + PAUSE),
            was_empty: false,
        }
    }

    /// Takes the bytes that were read.
    fn take(&mut self, count: usize) {
        let after_silence = self.silent_at.replace(clocks::instant() + PAUSE).is_none();
        let events = &mut self.events;
        self.bytes.take(count, after_silence, &mut |arrived| events.push_back(arrived));
    }

    /// Reads once there is something to read, and takes it.
    ///
    /// The end of a terminal is an error. A read that brings nothing is not yet one: another
    /// program may have made it a terminal that does so.
    fn poll_read(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        loop {
            let mut ready = ready!(self.tty.poll_read_ready(cx))?;
            let room = self.bytes.buffer();
            let most = room.len();
            let read = ready.try_io(|tty| Ok(rustix::io::read(tty, room)?));
            match read {
                Ok(Ok(0)) if self.was_empty => {
                    return Poll::Ready(Err(io::ErrorKind::UnexpectedEof.into()));
                }
                Ok(Ok(0)) => {
                    self.was_empty = true;
                    ready.clear_ready();
                }
                Ok(Ok(count)) => {
                    self.was_empty = false;
                    if count < most {
                        // That was all of it: what comes now is told anew, and until then nothing
                        // asks the system for more, which the next frame would wait for.
                        ready.clear_ready();
                    }
                    self.take(count);
                    return Poll::Ready(Ok(()));
                }
                Ok(Err(error)) if error.kind() == io::ErrorKind::Interrupted => {}
                Ok(Err(error)) => return Poll::Ready(Err(error)),
                // Nothing is left to read: the next turn of the loop waits.
                Err(_) => {}
            }
        }
    }

    /// Returns once a sequence that has begun has waited long enough, or the input was silent for a
    /// pause; without either it never does.
    fn poll_wait(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let Some(until) = self.bytes.deadline().into_iter().chain(self.silent_at).min() else {
            return Poll::Pending;
        };
        let deadline = until.into();
        let wait = self.wait.get_or_insert_with(|| Box::pin(sleep_until(deadline)));
        if wait.deadline() != deadline {
            wait.as_mut().reset(deadline);
        }
        ready!(wait.as_mut().poll(cx));
        // The loop may have been busy: only a read shows that nothing has come since.
        if let Ok(count @ 1..) = rustix::io::read(&self.tty, self.bytes.buffer()) {
            self.take(count);
            return Poll::Ready(());
        }
        self.silent_at.take_if(|at| *at <= until);
        if self.bytes.deadline().is_some_and(|at| at <= until) {
            let events = &mut self.events;
            self.bytes.wait_is_over(&mut |arrived| events.push_back(arrived));
        }
        Poll::Ready(())
    }
}

impl Stream for PolledTty {
    type Item = io::Result<Arrived>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            if let Some(event) = self.events.pop_front() {
                return Poll::Ready(Some(Ok(event)));
            }
            // Bytes that are there come before the end of the wait for them.
            match self.poll_read(cx) {
                Poll::Ready(Ok(())) => {}
                Poll::Ready(Err(error)) => return Poll::Ready(Some(Err(error))),
                Poll::Pending => ready!(self.poll_wait(cx)),
            }
        }
    }
}

/// Opens the terminal on standard input, or else the one that the process belongs to, once more.
///
/// Nothing here may wait for a read. A program must not ask that of standard input itself: the
/// shell that started it reads there too, and would find it changed. Linux alone gives a terminal
/// that is opened again settings of its own. `None` where that is not possible: on other systems,
/// and where the terminal is another user's.
pub fn open() -> Option<AsyncFd<OwnedFd>> {
    if !cfg!(target_os = "linux") {
        return None;
    }
    let path = if isatty(stdio::stdin()) { "/proc/self/fd/0" } else { "/dev/tty" };
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    register(rustix::fs::open(path, flags, Mode::empty()).ok()?).ok()
}

#[expect(deprecated, reason = "its successor is unsafe; an `OwnedFd` is what that one demands")]
fn register(tty: OwnedFd) -> io::Result<AsyncFd<OwnedFd>> {
    AsyncFd::with_interest(tty, Interest::READABLE)
}

#[cfg(test)]
mod tests;
