//! The terminal, taken over and given back.
//!
//! It is given back exactly once, by whoever comes first: the end of the loop, a panic, or the
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

/// Clicks and the wheel, with their places beyond column 223.
///
/// Not the library's command: it asks for every movement too, and a hand that moves across the
/// window would wake the program each time.
const CLICKS_ON: &[u8] = b"\x1b[?1000h\x1b[?1006h";

/// The same, off.
const CLICKS_OFF: &[u8] = b"\x1b[?1006l\x1b[?1000l";

/// Complaints of other threads that are kept until the screen is given back.
const COMPLAINTS: usize = 8;

/// Which of the two ends is not a terminal, or not one that a screen can be drawn on.
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
    // It says so itself that it can only print one line after another.
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

/// What is asked of the terminal beyond raw mode, the other screen and marked pastes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Wishes {
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
    wishes: Option<Wishes>,
    /// It is given back for a while: the process is stopped, or about to be.
    is_lent: bool,
    complaints: Vec<String>,
}

impl<D: Device> TerminalGuard<D> {
    /// Takes the terminal over; when that fails half-way, it is given back at once.
    pub fn enter(device: D, wishes: Wishes) -> io::Result<TerminalGuard<D>> {
        let taken = Taken { device, wishes: Some(wishes), is_lent: false, complaints: Vec::new() };
        // From here on, every way out of this function gives back.
        let guard = TerminalGuard { restorer: Restorer::of(taken) };
        guard.restorer.lock().take_over(wishes)?;
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

    /// Lets a panic be read: on this thread the screen is given back before it is printed.
    ///
    /// A panic on another thread does not end the program, so it must not write on the screen
    /// either: its message is printed when the screen is given back.
    pub fn hook_panics(&self) {
        let restorer = self.restorer();
        let screen = thread::current().id();
        panic::set_hook(Box::new(move |info| {
            // What it quotes may come from a reply, and must not command the terminal.
            let said = Untrusted::from(info.to_string()).shown_lines();
            if thread::current().id() != screen && restorer.keep_complaint(said.clone()) {
                return;
            }
            let _ = restorer.restore();
            // Nobody reads a closed standard error.
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
        // There is nobody to tell, and nothing else to try.
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

    /// Gives the terminal back, and prints what other threads complained of meanwhile.
    pub fn restore(&self) -> io::Result<()> {
        let (done, complaints) = {
            let mut taken = self.lock();
            let Some(wishes) = taken.wishes.take() else { return Ok(()) };
            self.gate.shut();
            let done = if taken.is_lent { Ok(()) } else { taken.give_back(wishes) };
            (done, std::mem::take(&mut taken.complaints))
        };
        for complaint in complaints {
            let _ = writeln!(io::stderr(), "{complaint}");
        }
        done
    }

    /// Gives the terminal back for a while, before the process is stopped.
    pub fn lend(&self) -> io::Result<()> {
        let mut taken = self.lock();
        match taken.wishes {
            Some(wishes) if !taken.is_lent => {
                self.gate.shut();
                taken.is_lent = true;
                taken.give_back(wishes)
            }
            _ => Ok(()),
        }
    }

    /// Takes the terminal over again after the process was stopped; false when it was given back
    /// for good.
    ///
    /// Also where it was never lent: a stop that cannot be heard leaves it to whoever comes next,
    /// who may have changed it. When that fails half-way, it is given back at once.
    pub fn take_again(&self) -> io::Result<bool> {
        let mut taken = self.lock();
        let Some(wishes) = taken.wishes else { return Ok(false) };
        let took = taken.take_over_again(wishes);
        taken.is_lent = took.is_err();
        if let Err(error) = took {
            self.gate.shut();
            // Why it could not be taken is what is told.
            let _ = taken.give_back(wishes);
            return Err(error);
        }
        self.gate.open();
        Ok(true)
    }

    /// Keeps a message for later; false when the screen is not taken, and it can be printed now.
    pub(super) fn keep_complaint(&self, message: String) -> bool {
        let mut taken = self.lock();
        if taken.wishes.is_none() {
            return false;
        }
        if taken.complaints.len() < COMPLAINTS {
            taken.complaints.push(message);
        }
        true
    }

    fn lock(&self) -> MutexGuard<'_, Taken<D>> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<D: Device> Taken<D> {
    fn take_over(&mut self, wishes: Wishes) -> io::Result<()> {
        let device = &mut self.device;
        device.set_raw(true)?;
        let mut bytes = Vec::with_capacity(64);
        queue!(bytes, EnterAlternateScreen, EnableBracketedPaste)?;
        if wishes.mouse {
            bytes.extend_from_slice(CLICKS_ON);
        }
        device.write_all(&bytes)?;
        device.flush()
    }

    fn take_over_again(&mut self, wishes: Wishes) -> io::Result<()> {
        if !self.is_lent {
            // What is raw already would not be made raw again.
            self.device.set_raw(false)?;
        }
        self.take_over(wishes)
    }

    /// Every step is tried, also after one that failed; the first failure is told.
    fn give_back(&mut self, wishes: Wishes) -> io::Result<()> {
        let device = &mut self.device;
        // One write: what is shown in between would flicker.
        let mut bytes = Vec::with_capacity(128);
        if wishes.mouse {
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
