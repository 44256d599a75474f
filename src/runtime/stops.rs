//! The process stopped and continued from outside, by `kill -TSTP` or by a shell's job control.
//!
//! In raw mode Ctrl-Z is a key and no signal, so only somebody else stops this program: then the
//! shell has the terminal as it was, and gets the screen back when the program goes on. What is in
//! flight stands still meanwhile, and its deadline passes.

use std::io;
use std::thread;

use signal_hook::consts::{SIGCONT, SIGTSTP};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

/// Starts the thread: `stops` is called before each stop that is asked for, `goes_on` after any.
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
