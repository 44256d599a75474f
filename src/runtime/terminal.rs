//! The terminal, taken over and given back.
//!
//! It is given back exactly once, by the first of these: the end of the loop, a panic, or the
//! thread that watches signals.

mod canvas;

use std::backtrace::{Backtrace, BacktraceStatus};
use std::io::{self, IsTerminal, Write};
use std::panic;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

pub use canvas::Canvas;
use canvas::Gate;
use crossterm::cursor::Show;
use crossterm::event::{DisableBracketedPaste, EnableBracketedPaste};
use crossterm::queue;
use crossterm::style::ResetColor;
use crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};

use crate::trade::Untrusted;

/// Clicks and the wheel, with columns beyond 223.
///
/// Not the library's command: it asks for every movement too, and a hand that moves across the
/// window would wake the program each time.
const CLICKS_ON: &[u8] = b"\x1b[?1000h\x1b[?1006h";

/// The same, off.
const CLICKS_OFF: &[u8] = b"\x1b[?1006l\x1b[?1000l";

/// The most messages of other threads that are kept until the screen is given back.
const MAX_MESSAGES: usize = 8;

/// The end that is no terminal, or no terminal that a screen can be drawn on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotATerminal {
    /// Keys cannot be read.
    Input,
    /// Nothing can be drawn.
    Output,
    /// It can only print one line after another.
    Dumb,
}

/// Checks that there is a person's terminal on both ends.
pub fn check() -> Result<(), NotATerminal> {
    check_ends(io::stdin().is_terminal(), io::stdout().is_terminal())?;
    // By its own name it can only print one line after another.
    match std::env::var_os("TERM").is_some_and(|name| name == "dumb") {
        true => Err(NotATerminal::Dumb),
        false => Ok(()),
    }
}

fn check_ends(input: bool, output: bool) -> Result<(), NotATerminal> {
    match (input, output) {
        (false, _) => Err(NotATerminal::Input),
        (true, false) => Err(NotATerminal::Output),
        (true, true) => Ok(()),
    }
}

/// The terminal's modes beyond raw mode, the alternate screen and bracketed paste.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TerminalModes {
    /// Clicks and the wheel are reported.
    pub mouse: bool,
}

/// Something that takes bytes and can be made raw; in production the terminal.
pub trait Device: Write + Send + 'static {
    /// Turns raw mode on or off.
    fn set_raw(&mut self, raw: bool) -> io::Result<()>;
}

/// The terminal on standard output.
///
/// It is a second way to the same terminal, past the lock of `io::stdout`: giving the
/// terminal back must not wait for a frame that cannot be written.
#[derive(Debug)]
pub struct Tty {
    out: std::fs::File,
}

impl Tty {
    /// Opens the second way.
    pub fn stdout() -> io::Result<Tty> {
        use std::os::fd::AsFd;
        let own = io::stdout().as_fd().try_clone_to_owned()?;
        Ok(Tty { out: own.into() })
    }
}

impl Write for Tty {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }
    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl Device for Tty {
    fn set_raw(&mut self, raw: bool) -> io::Result<()> {
        if raw { enable_raw_mode() } else { disable_raw_mode() }
    }
}

/// The terminal taken over; dropping it gives it back.
pub struct TerminalGuard<D: Device> {
    restorer: Restorer<D>,
}

/// Gives the terminal back from any thread; only the first call does anything.
pub struct Restorer<D: Device> {
    taken: Arc<Mutex<Taken<D>>>,
    gate: Arc<Gate>,
}

struct Taken<D> {
    device: D,
    modes: Option<TerminalModes>,
    /// Set while it is given back for a time: the process is stopped, or about to be.
    is_suspended: bool,
    messages: Vec<String>,
}

impl<D: Device> TerminalGuard<D> {
    /// Takes the terminal over; when that fails half-way, it is given back at once.
    pub fn enter(device: D, modes: TerminalModes) -> io::Result<TerminalGuard<D>> {
        let taken = Taken { device, modes: Some(modes), is_suspended: false, messages: Vec::new() };
        // From here on, every way out of this function gives back.
        let guard = TerminalGuard { restorer: Restorer::of(taken) };
        guard.restorer.lock().take_over(modes)?;
        Ok(guard)
    }

    /// A way to write on the terminal for as long as it is taken over.
    pub fn canvas<W: Write>(&self, out: W) -> Canvas<W> {
        self.restorer.gate.canvas(out)
    }

    /// A way to give the terminal back from elsewhere.
    pub fn restorer(&self) -> Restorer<D> {
        self.restorer.clone()
    }

    /// Installs a panic hook that gives the screen back before it prints a panic of this thread.
    ///
    /// A panic on another thread does not end the program, and must not write on the screen either:
    /// its message is printed when the screen is given back.
    pub fn hook_panics(&self) {
        let restorer = self.restorer();
        let screen = thread::current().id();
        panic::set_hook(Box::new(move |info| {
            // It may quote a reply, which must not command the terminal.
            let said = Untrusted::from(info.to_string()).shown_lines();
            if thread::current().id() != screen && restorer.keep_message(said.clone()) {
                return;
            }
            let _ = restorer.restore();
            // A closed standard error has no reader.
            let _ = writeln!(io::stderr(), "{said}");
            let trace = Backtrace::capture();
            if trace.status() == BacktraceStatus::Captured {
                let _ = writeln!(io::stderr(), "{trace}");
            }
        }));
    }
}

impl<D: Device> Drop for TerminalGuard<D> {
    fn drop(&mut self) {
        // An error here has no reader, and there is nothing else to try.
        let _ = self.restorer.restore();
    }
}

impl<D: Device> Clone for Restorer<D> {
    fn clone(&self) -> Restorer<D> {
        Restorer { taken: Arc::clone(&self.taken), gate: Arc::clone(&self.gate) }
    }
}

impl<D: Device> Restorer<D> {
    fn of(taken: Taken<D>) -> Restorer<D> {
        Restorer { taken: Arc::new(Mutex::new(taken)), gate: Arc::default() }
    }

    /// Gives the terminal back, and prints the messages of other threads.
    pub fn restore(&self) -> io::Result<()> {
        let (done, messages) = {
            let mut taken = self.lock();
            let Some(modes) = taken.modes.take() else { return Ok(()) };
            self.gate.shut();
            let done = if taken.is_suspended { Ok(()) } else { taken.give_back(modes) };
            (done, std::mem::take(&mut taken.messages))
        };
        for message in messages {
            let _ = writeln!(io::stderr(), "{message}");
        }
        done
    }

    /// Gives the terminal back for a time, before the process is stopped.
    pub fn suspend(&self) -> io::Result<()> {
        let mut taken = self.lock();
        match taken.modes {
            Some(modes) if !taken.is_suspended => {
                self.gate.shut();
                taken.is_suspended = true;
                taken.give_back(modes)
            }
            _ => Ok(()),
        }
    }

    /// Takes the terminal over again after the process was stopped; false when it was given back
    /// for good.
    ///
    /// Also where it was not suspended before: after a stop by SIGSTOP another program may have
    /// changed it. When taking it fails half-way, it is given back at once.
    pub fn resume(&self) -> io::Result<bool> {
        let mut taken = self.lock();
        let Some(modes) = taken.modes else { return Ok(false) };
        let took = taken.take_over_again(modes);
        taken.is_suspended = took.is_err();
        if let Err(error) = took {
            self.gate.shut();
            // The first error is the one to return.
            let _ = taken.give_back(modes);
            return Err(error);
        }
        self.gate.open();
        Ok(true)
    }

    /// Keeps a message for later; false when the screen is not taken, and it can be printed now.
    pub(super) fn keep_message(&self, message: String) -> bool {
        let mut taken = self.lock();
        if taken.modes.is_none() {
            return false;
        }
        if taken.messages.len() < MAX_MESSAGES {
            taken.messages.push(message);
        }
        true
    }

    fn lock(&self) -> MutexGuard<'_, Taken<D>> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<D: Device> Taken<D> {
    fn take_over(&mut self, modes: TerminalModes) -> io::Result<()> {
        let device = &mut self.device;
        device.set_raw(true)?;
        let mut bytes = Vec::with_capacity(64);
        queue!(bytes, EnterAlternateScreen)?;
        queue!(bytes, EnableBracketedPaste)?;
        if modes.mouse {
            bytes.extend_from_slice(CLICKS_ON);
        }
        device.write_all(&bytes)?;
        device.flush()
    }

    fn take_over_again(&mut self, modes: TerminalModes) -> io::Result<()> {
        if !self.is_suspended {
            // A terminal that is marked as raw would not be made raw again.
            self.device.set_raw(false)?;
        }
        self.take_over(modes)
    }

    /// Tries every step, also after one that failed; returns the first error.
    fn give_back(&mut self, modes: TerminalModes) -> io::Result<()> {
        let device = &mut self.device;
        // One write: several would flicker.
        let mut bytes = Vec::with_capacity(128);
        if modes.mouse {
            bytes.extend_from_slice(CLICKS_OFF);
        }
        queue!(bytes, DisableBracketedPaste, ResetColor, Show, LeaveAlternateScreen)?;
        let written = device.write_all(&bytes).and_then(|()| device.flush());
        let cooked = device.set_raw(false);
        written.and(cooked)
    }
}

#[cfg(test)]
pub(super) mod tests;
