//! Handles it when another program stops and continues this process, as `kill -TSTP` or a shell
//! does.
//!
//! In raw mode Ctrl-Z is an ordinary key press, so only another program can stop this process.
//! Before the stop, the terminal is restored for the shell. When the process continues, the app
//! takes over the terminal again. The stop pauses a withdrawal request in flight, but its deadline
//! stays the same.

use std::io;
use std::thread;

use tokio::sync::mpsc;

use super::terminal::{Device, Restorer};
use crate::app::Msg;

use signal_hook::consts::{SIGCONT, SIGTSTP};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

/// Starts a thread that calls `stops` just before SIGTSTP stops the process, and `goes_on` whenever
/// the process continues after a stop.
pub fn watch(
    stops: impl Fn() + Send + 'static,
    goes_on: impl Fn() + Send + 'static,
) -> io::Result<()> {
    let mut signals = Signals::new([SIGTSTP, SIGCONT])?;
    let work = move || {
        for signal in signals.forever() {
            if signal == SIGTSTP {
                stops();
                // This call stops the process, and returns when it continues. The next signal is
                // then SIGCONT.
                let _ = emulate_default_handler(SIGTSTP);
            } else {
                goes_on();
            }
        }
    };
    thread::Builder::new().name("stops".into()).spawn(work).map(drop)
}

/// Takes over the terminal after a stop, and requests a full redraw.
///
/// If that fails, the app quits, because it has no screen. A withdrawal in flight is finished
/// first, and its outcome is printed.
pub fn resume<D: Device>(restorer: &Restorer<D>, inbox: &mpsc::Sender<Msg>) {
    match restorer.resume() {
        // If the inbox is full, this message can be dropped, because the waiting messages cause a
        // new frame anyway.
        Ok(true) => drop(inbox.try_send(Msg::Continued)),
        Ok(false) => {}
        Err(error) => {
            let lost = format!("balcao: the terminal could not be taken again: {error}");
            restorer.keep_message(lost);
            // Ignore an error, because sending fails only if the event loop has already ended.
            let _ = inbox.blocking_send(Msg::Terminate(false));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runtime::terminal::TerminalGuard;
    use crate::runtime::terminal::tests::Fake;

    #[test]
    fn failed_resume_terminates_even_with_full_inbox() {
        let fake = Fake::default();
        let guard = TerminalGuard::enter(fake.clone(), false).unwrap();
        let restorer = guard.restorer();
        let (sender, mut inbox) = mpsc::channel(1);
        restorer.suspend().unwrap();
        resume(&restorer, &sender);
        assert!(matches!(inbox.try_recv(), Ok(Msg::Continued)));
        restorer.suspend().unwrap();
        fake.breaks(true);
        sender.try_send(Msg::Pulse).unwrap();
        let going_on = thread::spawn(move || resume(&restorer, &sender));
        assert!(matches!(inbox.blocking_recv(), Some(Msg::Pulse)));
        assert!(matches!(inbox.blocking_recv(), Some(Msg::Terminate(false))));
        going_on.join().unwrap();
        // The failed `resume` has already restored the terminal for good, so panic messages are now
        // printed immediately instead of kept.
        guard.restorer().restore().unwrap();
        assert!(!guard.restorer().keep_message("later".into()));
    }
}
