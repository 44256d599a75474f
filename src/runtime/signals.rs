//! Ends the process after a signal, or when its terminal is closed.
//!
//! One thread waits for signals. A second thread notices when the terminal is closed, because no
//! signal arrives if the shell was replaced or SIGHUP is ignored. Both notify a third thread, which
//! gives the event loop a grace period to quit and then ends the process, even if other threads
//! hang. The process can be ended at any time, because its files are always consistent.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::process;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
use signal_hook::iterator::Signals;

use super::clocks;

/// The time that is left to print the last messages after a second signal.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// The maximum time for restoring the terminal. A terminal that was stopped with Ctrl-S accepts no
/// bytes.
const RESTORE_LIMIT: Duration = Duration::from_millis(500);

/// The reason why the process has to end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShutdownCause {
    /// SIGTERM, SIGINT or SIGQUIT arrived. The terminal still exists.
    Asked,
    HungUp,
}

impl ShutdownCause {
    /// Returns the exit status that a shell would report for this cause.
    fn status(self) -> i32 {
        match self {
            ShutdownCause::Asked => 128 + SIGTERM,
            ShutdownCause::HungUp => 128 + SIGHUP,
        }
    }
}

/// The grace periods in which the event loop can quit, so that a withdrawal in flight can finish.
#[derive(Debug, Clone, Copy)]
pub struct GracePeriods {
    /// The grace period after a signal. If it ends while a withdrawal is in flight, it starts
    /// again.
    pub asked: Duration,
    /// The maximum sum of the grace periods after a signal. It is longer than any withdrawal
    /// attempt.
    pub in_flight: Duration,
    /// The grace period after the terminal was closed. It is short, so that the program exits
    /// within 3 seconds.
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

/// The maximum number of queued shutdown causes. A thread that reports a cause waits while the
/// queue is full.
const CAUSES: usize = 8;

/// Starts the threads that end the process.
///
/// `tell` is called with the cause and must not block. It is called again if a second signal
/// arrives, or if the terminal is lost after a signal.
///
/// `is_busy` returns true while a withdrawal is in flight. In this case the process waits longer
/// after a signal.
///
/// `restore` restores the terminal. It is called at most once, and not if the event loop ends the
/// process first.
///
/// After a second signal, the process has only half a second to print its last messages. In raw
/// mode, Ctrl-C, Ctrl-\ and Ctrl-Z are ordinary key presses, not signals.
pub fn watch(
    graces: GracePeriods,
    is_busy: impl Fn() -> bool + Send + 'static,
    tell: impl FnMut(ShutdownCause) + Send + 'static,
    restore: impl FnOnce() + Send + 'static,
) -> io::Result<()> {
    let (sender, causes) = mpsc::sync_channel(CAUSES);
    hear_signals(sender.clone())?;
    hear_terminal(io::stdin().as_fd().try_clone_to_owned()?, sender)?;
    start(causes, graces, is_busy, tell, restore)
}

fn hear_signals(causes: mpsc::SyncSender<ShutdownCause>) -> io::Result<()> {
    let mut signals = Signals::new([SIGTERM, SIGINT, SIGQUIT, SIGHUP])?;
    let send_all = move || {
        for signal in signals.forever() {
            let is_hangup = signal == SIGHUP;
            let cause = if is_hangup { ShutdownCause::HungUp } else { ShutdownCause::Asked };
            if causes.send(cause).is_err() {
                return;
            }
        }
    };
    thread::Builder::new().name("signals".into()).spawn(send_all).map(drop)
}

/// Starts a thread that sends [`ShutdownCause::HungUp`] when this terminal is closed.
fn hear_terminal(terminal: OwnedFd, causes: mpsc::SyncSender<ShutdownCause>) -> io::Result<()> {
    let send_end = move || {
        // Request no events from `poll`, because it reports the loss of the terminal without a
        // request.
        let mut polled = [PollFd::from_borrowed_fd(terminal.as_fd(), PollFlags::empty())];
        while poll(&mut polled, None) == Err(Errno::INTR) {}
        // If the system cannot poll terminals, only SIGHUP reports the loss of the terminal.
        if polled[0].revents().intersects(PollFlags::HUP | PollFlags::ERR) {
            let _ = causes.send(ShutdownCause::HungUp);
        }
    };
    thread::Builder::new().name("terminal".into()).spawn(send_end).map(drop)
}

fn start(
    causes: mpsc::Receiver<ShutdownCause>,
    graces: GracePeriods,
    is_busy: impl Fn() -> bool + Send + 'static,
    mut tell: impl FnMut(ShutdownCause) + Send + 'static,
    restore: impl FnOnce() + Send + 'static,
) -> io::Result<()> {
    let work = move || {
        if let Some(ending) = wait_for_end(&causes, graces, &is_busy, &mut tell) {
            leave(restore, ending.status());
        }
    };
    thread::Builder::new().name("ending".into()).spawn(work).map(drop)
}

/// Tries to restore the terminal within a time limit, and then ends the process.
#[expect(
    clippy::disallowed_methods,
    reason = "main is not heard from any more: it had its grace, and the terminal is given back"
)]
pub(super) fn leave(restore: impl FnOnce() + Send + 'static, status: i32) {
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

/// Waits for a shutdown cause, calls `tell` with it, and returns it when the grace period is over.
///
/// Returns `None` if all senders of causes were dropped.
fn wait_for_end(
    causes: &mpsc::Receiver<ShutdownCause>,
    graces: GracePeriods,
    is_busy: &dyn Fn() -> bool,
    tell: &mut dyn FnMut(ShutdownCause),
) -> Option<ShutdownCause> {
    let grace = |ending| match ending {
        ShutdownCause::Asked => graces.asked,
        ShutdownCause::HungUp => graces.hung_up,
    };
    let mut ending = causes.recv().ok()?;
    tell(ending);
    let start = clocks::instant();
    let (mut deadline, mut longest) = (start + grace(ending), start + graces.in_flight);
    let mut has_last_words = false;
    loop {
        let left = deadline.saturating_duration_since(clocks::instant());
        match (causes.recv_timeout(left).ok(), ending) {
            (None, ShutdownCause::Asked) if deadline < longest && is_busy() => {
                deadline = (deadline + graces.asked).min(longest);
            }
            (None, _) | (Some(ShutdownCause::Asked), ShutdownCause::HungUp) => return Some(ending),
            (Some(ShutdownCause::Asked), ShutdownCause::Asked) if has_last_words => {
                return Some(ending);
            }
            (Some(ShutdownCause::Asked), ShutdownCause::Asked) => {
                has_last_words = true;
                tell(ShutdownCause::Asked);
                longest = clocks::instant() + LAST_WORDS;
                deadline = longest;
            }
            // A signal and `poll` may both report the loss of the terminal. Ignore the second
            // report.
            (Some(ShutdownCause::HungUp), ShutdownCause::HungUp) => {}
            (Some(ShutdownCause::HungUp), ShutdownCause::Asked) => {
                ending = ShutdownCause::HungUp;
                tell(ending);
                deadline = deadline.min(clocks::instant() + grace(ending));
            }
        }
    }
}

#[cfg(test)]
mod tests;
