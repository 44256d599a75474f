//! The end of the process by a signal or with its terminal.
//!
//! One thread sleeps in one `poll` over the signals and the terminal itself: a terminal can die
//! without a signal (a closed window whose shell was replaced, an ignored SIGHUP). While nothing
//! happens the thread never wakes. After a signal the loop has a grace period to leave in order;
//! when that is over, this thread ends the process, whatever the others do. The files are safe at
//! any instant.

use std::io::{self, Read};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::process;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
use signal_hook::low_level::pipe;

use super::clocks;

/// The time for the last lines on the terminal, after a second signal.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// The time for giving the terminal back; one that was stopped by Ctrl-S takes no bytes.
const RESTORE_LIMIT: Duration = Duration::from_millis(500);

/// The reason for which the process is to end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShutdownCause {
    /// SIGTERM, SIGINT or SIGQUIT asked for it; the terminal is still there.
    Asked,
    /// The terminal is gone.
    HungUp,
}

impl ShutdownCause {
    /// The exit status, as a shell would report the signal.
    fn status(self) -> i32 {
        match self {
            ShutdownCause::Asked => 128 + SIGTERM,
            ShutdownCause::HungUp => 128 + SIGHUP,
        }
    }
}

/// The times for the loop to leave, in which an attempt in flight can be settled.
#[derive(Debug, Clone, Copy)]
pub struct GracePeriods {
    /// After it was asked to end, and again as long as money is in flight.
    pub asked: Duration,
    /// After it was asked to end, with money in flight all the time: longer than any attempt.
    pub in_flight: Duration,
    /// After the terminal is gone; with the time to give it back this stays below 3 s.
    pub hung_up: Duration,
}

impl Default for GracePeriods {
    fn default() -> GracePeriods {
        GracePeriods {
            asked: Duration::from_secs(5),
            in_flight: Duration::from_secs(60),
            hung_up: Duration::from_secs(2),
        }
    }
}

/// Starts the thread.
///
/// `tell` is called with the cause and must not block. It may be called again: when the terminal
/// goes after a signal, or when a second signal comes. `is_busy` returns true while money is in
/// flight, for which a process that was only asked waits longer, as after the key that leaves.
/// `restore` gives the terminal back and is called at most once, if the process did not end by
/// itself. Asked a second time, the process has a moment for its last lines. In raw mode Ctrl-C,
/// Ctrl-\ and Ctrl-Z are keys and no signals.
pub fn watch(
    graces: GracePeriods,
    is_busy: impl Fn() -> bool + Send + 'static,
    tell: impl FnMut(ShutdownCause) + Send + 'static,
    restore: impl FnOnce() + Send + 'static,
) -> io::Result<()> {
    start(Sources::of_this_process()?, graces, is_busy, tell, restore)
}

fn start(
    mut sources: Sources,
    graces: GracePeriods,
    is_busy: impl Fn() -> bool + Send + 'static,
    mut tell: impl FnMut(ShutdownCause) + Send + 'static,
    restore: impl FnOnce() + Send + 'static,
) -> io::Result<()> {
    let work = move || {
        let ending = until_over(&mut sources, graces, &is_busy, &mut tell);
        leave(restore, ending.status())
    };
    thread::Builder::new().name("signals".into()).spawn(work).map(drop)
}

/// Ends the process, and gives the terminal back if that can be done in time.
#[expect(
    clippy::disallowed_methods,
    reason = "main is not heard from any more: it had its grace, and the terminal is given back"
)]
fn leave(restore: impl FnOnce() + Send + 'static, status: i32) {
    let (done, is_done) = mpsc::sync_channel(1);
    let work = move || {
        restore();
        let _ = done.send(());
    };
    if thread::Builder::new().name("restore".into()).spawn(work).is_ok() {
        let _ = is_done.recv_timeout(RESTORE_LIMIT);
    }
    process::exit(status);
}

/// Sleeps until the process is to end, calls `tell`, and returns when the grace period is over.
fn until_over(
    sources: &mut Sources,
    graces: GracePeriods,
    is_busy: &dyn Fn() -> bool,
    tell: &mut dyn FnMut(ShutdownCause),
) -> ShutdownCause {
    let grace = |ending| match ending {
        ShutdownCause::Asked => graces.asked,
        ShutdownCause::HungUp => graces.hung_up,
    };
    let mut ending = loop {
        if let Some(first) = sources.next(None) {
            break first;
        }
    };
    tell(ending);
    let start = clocks::instant();
    let (mut deadline, mut longest) = (start + grace(ending), start + graces.in_flight);
    let mut has_last_words = false;
    loop {
        match (sources.next(Some(deadline)), ending) {
            (None, ShutdownCause::Asked) if deadline < longest && is_busy() => {
                deadline = (deadline + graces.asked).min(longest);
            }
            (None, _) | (Some(ShutdownCause::Asked), ShutdownCause::HungUp) => return ending,
            (Some(ShutdownCause::Asked), ShutdownCause::Asked) if has_last_words => return ending,
            (Some(ShutdownCause::Asked), ShutdownCause::Asked) => {
                has_last_words = true;
                tell(ShutdownCause::Asked);
                longest = clocks::instant() + LAST_WORDS;
                deadline = longest;
            }
            // A dying terminal is noticed in two ways; once is enough.
            (Some(ShutdownCause::HungUp), ShutdownCause::HungUp) => {}
            (Some(ShutdownCause::HungUp), ShutdownCause::Asked) => {
                ending = ShutdownCause::HungUp;
                tell(ending);
                deadline = deadline.min(clocks::instant() + grace(ending));
            }
        }
    }
}

/// The sources of a reason to end; each is dropped once it is closed.
#[derive(Debug, Default)]
struct Sources {
    asked: Option<UnixStream>,
    hung_up: Option<UnixStream>,
    terminal: Option<OwnedFd>,
}

impl Sources {
    fn of_this_process() -> io::Result<Sources> {
        Ok(Sources {
            asked: Some(signals(&[SIGTERM, SIGINT, SIGQUIT])?),
            hung_up: Some(signals(&[SIGHUP])?),
            terminal: Some(io::stdin().as_fd().try_clone_to_owned()?),
        })
    }

    /// The next cause, or `None` at the deadline.
    fn next(&mut self, deadline: Option<Instant>) -> Option<ShutdownCause> {
        loop {
            let limit = match deadline.map(|at| at.saturating_duration_since(clocks::instant())) {
                Some(Duration::ZERO) => return None,
                limit => limit.and_then(|left| Timespec::try_from(left).ok()),
            };
            let Ok([asked, hung_up, terminal]) = self.poll(limit.as_ref()) else {
                // No way to hear anything more: the time that is left passes without listening.
                return self.deaf(deadline);
            };
            if terminal.intersects(PollFlags::HUP | PollFlags::ERR) {
                self.terminal = None;
                return Some(ShutdownCause::HungUp);
            }
            if terminal.contains(PollFlags::NVAL) {
                // This system cannot poll terminals; SIGHUP has to do.
                self.terminal = None;
            }
            if !hung_up.is_empty() && heard(&mut self.hung_up) {
                return Some(ShutdownCause::HungUp);
            }
            if !asked.is_empty() && heard(&mut self.asked) {
                return Some(ShutdownCause::Asked);
            }
        }
    }

    fn poll(&self, limit: Option<&Timespec>) -> Result<[PollFlags; 3], Errno> {
        // A dead terminal is always reported; keys that wait to be read are not polled for.
        let ends = [
            (self.asked.as_ref().map(AsFd::as_fd), PollFlags::IN),
            (self.hung_up.as_ref().map(AsFd::as_fd), PollFlags::IN),
            (self.terminal.as_ref().map(AsFd::as_fd), PollFlags::empty()),
        ];
        let open = |(fd, flags): &(Option<_>, PollFlags)| {
            fd.map(|fd| PollFd::from_borrowed_fd(fd, *flags))
        };
        let mut polled: Vec<_> = ends.iter().filter_map(open).collect();
        match poll(&mut polled, limit) {
            Ok(_) => {}
            Err(Errno::INTR) => return Ok([PollFlags::empty(); 3]),
            Err(error) => return Err(error),
        }
        let mut answers = polled.iter().map(PollFd::revents);
        Ok(ends.map(|(fd, _)| fd.and_then(|_| answers.next()).unwrap_or(PollFlags::empty())))
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "there is no event left to wait for, only the deadline"
    )]
    fn deaf(&self, deadline: Option<Instant>) -> Option<ShutdownCause> {
        match deadline {
            Some(at) => thread::sleep(at.saturating_duration_since(clocks::instant())),
            None => loop {
                thread::park();
            },
        }
        None
    }
}

/// A stream on which a byte arrives with each of these signals.
fn signals(signals: &[i32]) -> io::Result<UnixStream> {
    let (ours, theirs) = UnixStream::pair()?;
    ours.set_nonblocking(true)?;
    for signal in signals {
        pipe::register(*signal, theirs.try_clone()?)?;
    }
    Ok(ours)
}

/// Takes the bytes that have arrived; false for none, or when the other end is closed.
fn heard(stream: &mut Option<UnixStream>) -> bool {
    let mut bytes = [0; 64];
    match stream.as_mut().map(|stream| stream.read(&mut bytes)) {
        Some(Ok(0)) => {
            *stream = None;
            false
        }
        Some(Ok(_)) => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests;
