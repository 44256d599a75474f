//! The end of the process by a signal or with its terminal.
//!
//! One thread sleeps until there is a signal, and one until the terminal is gone: a terminal can
//! die without a signal (a closed window whose shell was replaced, an ignored SIGHUP). A third one
//! receives what they notice. Then the loop has a grace period to leave in order; when that is
//! over, this thread ends the process, whatever the others do. The files are safe at any instant.

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

/// The causes that wait to be received; whoever has one more waits with it.
const CAUSES: usize = 8;

/// Starts the threads.
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
    let (sender, causes) = mpsc::sync_channel(CAUSES);
    hear_signals(sender.clone())?;
    hear_terminal(io::stdin().as_fd().try_clone_to_owned()?, sender)?;
    start(causes, graces, is_busy, tell, restore)
}

/// Sends a cause for each signal.
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

/// Sends the cause once this terminal is gone.
fn hear_terminal(terminal: OwnedFd, causes: mpsc::SyncSender<ShutdownCause>) -> io::Result<()> {
    let send_end = move || {
        // A dead terminal is always reported; keys that wait to be read are not polled for.
        let mut polled = [PollFd::from_borrowed_fd(terminal.as_fd(), PollFlags::empty())];
        while poll(&mut polled, None) == Err(Errno::INTR) {}
        // Where the system cannot poll terminals, SIGHUP has to do.
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
        if let Some(ending) = until_over(&causes, graces, &is_busy, &mut tell) {
            leave(restore, ending.status());
        }
    };
    thread::Builder::new().name("ending".into()).spawn(work).map(drop)
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
///
/// `None` where no cause can come any more.
fn until_over(
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

#[cfg(test)]
mod tests;
