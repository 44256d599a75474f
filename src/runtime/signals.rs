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

/// The time for printing the last messages after a second signal.
const SECOND_SIGNAL_GRACE: Duration = Duration::from_millis(500);

/// The maximum time for restoring the terminal. A terminal that was stopped with Ctrl-S accepts no
/// bytes.
const RESTORE_LIMIT: Duration = Duration::from_millis(500);

/// The reason why the process has to end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShutdownCause {
    /// SIGTERM, SIGINT or SIGQUIT arrived. The terminal still exists.
    Signal,
    HungUp,
}

impl ShutdownCause {
    /// The exit status that a shell would report for this cause.
    fn status(self) -> i32 {
        match self {
            ShutdownCause::Signal => 128 + SIGTERM,
            ShutdownCause::HungUp => 128 + SIGHUP,
        }
    }
}

/// The grace periods in which the event loop can quit, so that a withdrawal in flight can finish.
#[derive(Debug, Clone, Copy)]
pub struct GracePeriods {
    /// The grace period after a signal. If it ends while a withdrawal is in flight, it starts
    /// again.
    pub after_signal: Duration,
    /// The maximum sum of the grace periods after a signal. It is longer than any withdrawal
    /// attempt.
    pub max_after_signal: Duration,
    /// The grace period after the terminal was closed. It is short, so that the program exits
    /// within 3 seconds.
    pub after_hangup: Duration,
}

impl Default for GracePeriods {
    fn default() -> GracePeriods {
        GracePeriods {
            after_signal: Duration::from_secs(5),
            max_after_signal: Duration::from_secs(60),
            after_hangup: Duration::from_secs(2),
        }
    }
}

/// The maximum number of queued shutdown causes. A thread that reports a cause waits while the
/// queue is full.
const CAUSE_QUEUE: usize = 8;

/// Starts the threads that end the process.
///
/// * `on_cause` is called with the cause and must not block. It is called again after a second
///   signal, or if the terminal is lost after a signal.
/// * `is_busy` returns true while a withdrawal is in flight. The process then waits longer after a
///   signal.
/// * `restore` restores the terminal. It is called at most once, and not if the event loop ends the
///   process first.
///
/// In raw mode, Ctrl-C, Ctrl-\ and Ctrl-Z are ordinary key presses, not signals.
pub fn watch(
    graces: GracePeriods,
    is_busy: impl Fn() -> bool + Send + 'static,
    on_cause: impl FnMut(ShutdownCause) + Send + 'static,
    restore: impl FnOnce() + Send + 'static,
) -> io::Result<()> {
    let (sender, causes) = mpsc::sync_channel(CAUSE_QUEUE);
    forward_signals(sender.clone())?;
    watch_terminal(io::stdin().as_fd().try_clone_to_owned()?, sender)?;
    start(causes, graces, is_busy, on_cause, restore)
}

fn forward_signals(causes: mpsc::SyncSender<ShutdownCause>) -> io::Result<()> {
    let mut signals = Signals::new([SIGTERM, SIGINT, SIGQUIT, SIGHUP])?;
    thread::Builder::new()
        .name("signals".into())
        .spawn(move || {
            for signal in signals.forever() {
                let is_hangup = signal == SIGHUP;
                let cause = if is_hangup {
                    ShutdownCause::HungUp
                } else {
                    ShutdownCause::Signal
                };
                if causes.send(cause).is_err() {
                    return;
                }
            }
        })
        .map(drop)
}

/// Starts a thread that sends [`ShutdownCause::HungUp`] when this terminal is closed.
fn watch_terminal(terminal: OwnedFd, causes: mpsc::SyncSender<ShutdownCause>) -> io::Result<()> {
    thread::Builder::new()
        .name("terminal".into())
        .spawn(move || {
            // Request no events from `poll`, because it reports the loss of the terminal without a
            // request.
            let mut polled = [PollFd::from_borrowed_fd(
                terminal.as_fd(),
                PollFlags::empty(),
            )];
            while poll(&mut polled, None) == Err(Errno::INTR) {}
            // If the system cannot poll terminals, only SIGHUP reports the loss of the terminal.
            if polled[0]
                .revents()
                .intersects(PollFlags::HUP | PollFlags::ERR)
            {
                let _ = causes.send(ShutdownCause::HungUp);
            }
        })
        .map(drop)
}

fn start(
    causes: mpsc::Receiver<ShutdownCause>,
    graces: GracePeriods,
    is_busy: impl Fn() -> bool + Send + 'static,
    mut on_cause: impl FnMut(ShutdownCause) + Send + 'static,
    restore: impl FnOnce() + Send + 'static,
) -> io::Result<()> {
    thread::Builder::new()
        .name("ending".into())
        .spawn(move || {
            if let Some(cause) = wait_for_end(&causes, graces, &is_busy, &mut on_cause) {
                restore_and_exit(restore, cause.status());
            }
        })
        .map(drop)
}

/// Tries to restore the terminal within a time limit, and then ends the process.
#[expect(
    clippy::disallowed_methods,
    reason = "main is not heard from any more: it had its grace, and the terminal is given back"
)]
pub(super) fn restore_and_exit(restore: impl FnOnce() + Send + 'static, status: i32) {
    let (done, is_done) = mpsc::sync_channel(1);
    let restoring = thread::Builder::new()
        .name("restore".into())
        .spawn(move || {
            restore();
            let _ = done.send(());
        });
    if restoring.is_ok() {
        let _ = is_done.recv_timeout(RESTORE_LIMIT);
    }
    process::exit(status);
}

/// Waits for a shutdown cause, calls `on_cause` with it, and returns it after the grace period.
///
/// Returns `None` if all senders of causes were dropped.
fn wait_for_end(
    causes: &mpsc::Receiver<ShutdownCause>,
    graces: GracePeriods,
    is_busy: &dyn Fn() -> bool,
    on_cause: &mut dyn FnMut(ShutdownCause),
) -> Option<ShutdownCause> {
    let grace = |cause| match cause {
        ShutdownCause::Signal => graces.after_signal,
        ShutdownCause::HungUp => graces.after_hangup,
    };
    let mut cause = causes.recv().ok()?;
    on_cause(cause);
    let start = clocks::instant();
    let mut deadline = start + grace(cause);
    let mut max_deadline = start + graces.max_after_signal;
    let mut has_second_signal = false;
    loop {
        let wait = deadline.saturating_duration_since(clocks::instant());
        match (causes.recv_timeout(wait).ok(), cause) {
            (None, ShutdownCause::Signal) if deadline < max_deadline && is_busy() => {
                deadline = (deadline + graces.after_signal).min(max_deadline);
            }
            (None, _) | (Some(ShutdownCause::Signal), ShutdownCause::HungUp) => return Some(cause),
            (Some(ShutdownCause::Signal), ShutdownCause::Signal) if has_second_signal => {
                return Some(cause);
            }
            (Some(ShutdownCause::Signal), ShutdownCause::Signal) => {
                has_second_signal = true;
                on_cause(ShutdownCause::Signal);
                max_deadline = clocks::instant() + SECOND_SIGNAL_GRACE;
                deadline = max_deadline;
            }
            // A signal and `poll` may both report the loss of the terminal. Ignore the second
            // report.
            (Some(ShutdownCause::HungUp), ShutdownCause::HungUp) => {}
            (Some(ShutdownCause::HungUp), ShutdownCause::Signal) => {
                cause = ShutdownCause::HungUp;
                on_cause(cause);
                deadline = deadline.min(clocks::instant() + grace(cause));
            }
        }
    }
}

#[cfg(test)]
mod tests;
