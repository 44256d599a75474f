//! The process stopped and continued from outside, by `kill -TSTP` or by a shell's job control.
//!
//! In raw mode Ctrl-Z is a key and no signal: only another program stops this one. Then the shell
//! has the terminal as it was, and the screen is taken again when the program goes on. An attempt
//! in flight stands still meanwhile, and its deadline passes.

use std::io;
use std::thread;

use tokio::sync::mpsc;

use super::terminal::{Device, Restorer};
use crate::app::Msg;

use signal_hook::consts::{SIGCONT, SIGTSTP};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

/// Starts the thread: it calls `stops` before each stop by SIGTSTP, and `goes_on` after any stop.
pub fn watch(
    stops: impl Fn() + Send + 'static,
    goes_on: impl Fn() + Send + 'static,
) -> io::Result<()> {
    let mut signals = Signals::new([SIGTSTP, SIGCONT])?;
    let work = move || {
        for signal in signals.forever() {
            if signal == SIGTSTP {
                stops();
                // It returns when the process goes on, and the signal for that is next.
                let _ = emulate_default_handler(SIGTSTP);
            } else {
                goes_on();
            }
        }
    };
    thread::Builder::new().name("stops".into()).spawn(work).map(drop)
}

/// Takes the terminal again after a stop, and has all of it drawn.
///
/// Where that fails the app is left, as by a key. Without a screen a withdrawal in flight can
/// neither be seen nor asked about: it comes to its end first, and a line reports that end.
pub fn resume<D: Device>(restorer: &Restorer<D>, inbox: &mpsc::Sender<Msg>) {
    match restorer.resume() {
        // A full inbox means that a frame is coming anyway.
        Ok(true) => drop(inbox.try_send(Msg::Continued)),
        Ok(false) => {}
        Err(error) => {
            let lost = format!("balcao: the terminal could not be taken again: {error}");
            restorer.keep_message(lost);
            // A loop that has ended leaves already.
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
        // Printed when the screen was given back; a later message is not kept any more.
        guard.restorer().restore().unwrap();
        assert!(!guard.restorer().keep_message("later".into()));
    }
}
