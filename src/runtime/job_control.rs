//! Restores the terminal when another program, such as a shell or `kill -TSTP`, stops this process,
//! and takes the terminal over again when the process continues.
//!
//! In raw mode, Ctrl-Z is an ordinary key press, for which the app [stops](stop) its process. A
//! stop pauses a withdrawal request in flight, but does not change its deadline.

use std::io;
use std::thread;

use rustix::process::{Signal, getpgrp, getsid, kill_current_process_group};
use tokio::sync::mpsc;

use super::terminal::{Device, Restorer};
use crate::app::Msg;

use signal_hook::consts::{SIGCONT, SIGTSTP};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

/// True if this process is a job of a shell, which can continue it after a stop.
///
/// The first process group of a session is not: it has the shell itself, or the program that was
/// started in place of a shell, as by `ssh -t HOST balcao` or by a window manager.
pub fn is_job() -> bool {
    getsid(None).is_ok_and(|session| session != getpgrp())
}

/// Stops this process and the others of its job, as the terminal does in cooked mode.
pub fn stop() {
    // Ignore an error, because the process is then not stopped and the app continues.
    let _ = kill_current_process_group(Signal::TSTP);
}

/// Starts a thread that watches for stops of this process. It calls `on_stop` just before SIGTSTP
/// stops the process, and `on_continue` whenever the process continues.
pub fn watch(
    on_stop: impl Fn() + Send + 'static,
    on_continue: impl Fn() + Send + 'static,
) -> io::Result<()> {
    let mut signals = Signals::new([SIGTSTP, SIGCONT])?;
    thread::Builder::new()
        .name("stops".into())
        .spawn(move || {
            for signal in signals.forever() {
                if signal == SIGTSTP {
                    on_stop();
                    // This call stops the process, and returns when the process continues. The next
                    // signal is then SIGCONT.
                    let _ = emulate_default_handler(SIGTSTP);
                } else {
                    on_continue();
                }
            }
        })
        .map(drop)
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
            let message = format!("balcao: the terminal could not be taken again: {error}");
            restorer.keep_message(message);
            // Ignore an error, because sending fails only if the event loop has already ended.
            let _ = inbox.blocking_send(Msg::Terminate(false));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runtime::terminal::TerminalGuard;
    use crate::runtime::terminal::tests::FakeTerminal;

    #[test]
    fn failed_resume_terminates_even_with_full_inbox() {
        let fake = FakeTerminal::default();
        let guard = TerminalGuard::enter(fake.clone(), false).unwrap();
        let restorer = guard.restorer();
        let (sender, mut inbox) = mpsc::channel(1);
        restorer.suspend().unwrap();
        resume(&restorer, &sender);
        assert!(matches!(inbox.try_recv(), Ok(Msg::Continued)));
        restorer.suspend().unwrap();
        fake.set_broken(true);
        sender.try_send(Msg::Pulse).unwrap();
        let resuming = thread::spawn(move || resume(&restorer, &sender));
        assert!(matches!(inbox.blocking_recv(), Some(Msg::Pulse)));
        assert!(matches!(inbox.blocking_recv(), Some(Msg::Terminate(false))));
        resuming.join().unwrap();
        // The failed `resume` has already restored the terminal for good. Panic messages are
        // therefore printed at once, not kept for later.
        guard.restorer().restore().unwrap();
        assert!(!guard.restorer().keep_message("later".into()));
    }
}
