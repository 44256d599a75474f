//! The terminal, taken over and given back.
//!
//! It is given back exactly once, by the first of these: the end of the loop, a panic, or the
//! thread that watches signals.

use std::backtrace::{Backtrace, BacktraceStatus};
use std::io::{self, IsTerminal, Write};
use std::os::fd::AsFd;
use std::panic;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

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
    if !io::stdin().is_terminal() {
        return Err(NotATerminal::Input);
    }
    if !io::stdout().is_terminal() {
        return Err(NotATerminal::Output);
    }
    // By its own name it can only print one line after another.
    match std::env::var_os("TERM").is_some_and(|name| name == "dumb") {
        true => Err(NotATerminal::Dumb),
        false => Ok(()),
    }
}

/// Something that takes bytes and can be made raw; in production the terminal.
pub trait Device: Write + Send + 'static {
    /// Turns raw mode on or off.
    fn set_raw(&mut self, raw: bool) -> io::Result<()>;
}

/// The terminal on standard output.
pub type Tty = std::fs::File;

/// Opens a second way to the terminal on standard output, past the lock of `io::stdout`: giving the
/// terminal back must not wait for a frame that cannot be written.
pub fn stdout() -> io::Result<Tty> {
    io::stdout().as_fd().try_clone_to_owned().map(Tty::from)
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
    /// Set until it is given back for good: true where clicks and the wheel are reported.
    mouse: Option<bool>,
    /// Set while it is given back for a time: the process is stopped, or about to be.
    is_suspended: bool,
    messages: Vec<String>,
}

impl<D: Device> TerminalGuard<D> {
    /// Takes the terminal over; when that fails half-way, it is given back at once.
    pub fn enter(device: D, mouse: bool) -> io::Result<TerminalGuard<D>> {
        let taken = Taken { device, mouse: Some(mouse), is_suspended: false, messages: Vec::new() };
        // From here on, every way out of this function gives back.
        let guard = TerminalGuard { restorer: Restorer::of(taken) };
        guard.restorer.lock().take_over(mouse)?;
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
            let Some(mouse) = taken.mouse.take() else { return Ok(()) };
            self.gate.shut();
            let done = if taken.is_suspended { Ok(()) } else { taken.give_back(mouse) };
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
        match taken.mouse {
            Some(mouse) if !taken.is_suspended => {
                self.gate.shut();
                taken.is_suspended = true;
                taken.give_back(mouse)
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
        let Some(mouse) = taken.mouse else { return Ok(false) };
        let took = taken.take_over_again(mouse);
        taken.is_suspended = took.is_err();
        if let Err(error) = took {
            self.gate.shut();
            // The first error is the one to return.
            let _ = taken.give_back(mouse);
            return Err(error);
        }
        self.gate.open();
        Ok(true)
    }

    /// Keeps a message for later; false when the screen is not taken, and it can be printed now.
    pub(super) fn keep_message(&self, message: String) -> bool {
        let mut taken = self.lock();
        if taken.mouse.is_none() {
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
    fn take_over(&mut self, mouse: bool) -> io::Result<()> {
        let device = &mut self.device;
        device.set_raw(true)?;
        let mut bytes = Vec::with_capacity(64);
        queue!(bytes, EnterAlternateScreen)?;
        queue!(bytes, EnableBracketedPaste)?;
        if mouse {
            bytes.extend_from_slice(CLICKS_ON);
        }
        device.write_all(&bytes)?;
        device.flush()
    }

    fn take_over_again(&mut self, mouse: bool) -> io::Result<()> {
        if !self.is_suspended {
            // A terminal that is marked as raw would not be made raw again.
            self.device.set_raw(false)?;
        }
        self.take_over(mouse)
    }

    /// Tries every step, also after one that failed; returns the first error.
    fn give_back(&mut self, mouse: bool) -> io::Result<()> {
        let device = &mut self.device;
        // One write: several would flicker.
        let mut bytes = Vec::with_capacity(128);
        if mouse {
            bytes.extend_from_slice(CLICKS_OFF);
        }
        queue!(bytes, DisableBracketedPaste, ResetColor, Show, LeaveAlternateScreen)?;
        let written = device.write_all(&bytes).and_then(|()| device.flush());
        let cooked = device.set_raw(false);
        written.and(cooked)
    }
}

/// The longest wait for bytes on their way; a terminal that takes none must not hold up more.
const ON_THEIR_WAY: Duration = Duration::from_millis(250);

/// A writer of frames that drops its bytes while another program has the terminal.
///
/// A frame that is on its way when the process is stopped would stand in the shell and hide its
/// cursor: all is drawn anew after that.
pub struct Canvas<W> {
    out: W,
    gate: Arc<Gate>,
}

/// A gate that lets bytes pass or not, for all canvases of a terminal.
#[derive(Default)]
struct Gate {
    state: Mutex<GateState>,
    written: Condvar,
}

#[derive(Default)]
struct GateState {
    is_shut: bool,
    /// The number of canvases that are writing.
    writing: usize,
}

impl Gate {
    /// A canvas behind this gate.
    fn canvas<W: Write>(self: &Arc<Gate>, out: W) -> Canvas<W> {
        Canvas { out, gate: Arc::clone(self) }
    }

    /// Lets nothing more pass, and waits a moment for the bytes that are on their way.
    fn shut(&self) {
        let mut state = self.lock();
        state.is_shut = true;
        // A canvas that still writes after that hangs on a terminal that takes nothing.
        let _ = self.written.wait_timeout_while(state, ON_THEIR_WAY, |state| state.writing > 0);
    }

    /// Lets bytes pass again.
    fn open(&self) {
        self.lock().is_shut = false;
    }

    fn begin(&self) -> bool {
        let mut state = self.lock();
        if !state.is_shut {
            state.writing += 1;
        }
        !state.is_shut
    }

    fn end(&self) {
        let mut state = self.lock();
        state.writing -= 1;
        // While it is open nobody waits for this, and to wake nobody costs every frame a call.
        if state.is_shut {
            self.written.notify_all();
        }
    }

    fn lock(&self) -> MutexGuard<'_, GateState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<W: Write> Write for Canvas<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !self.gate.begin() {
            return Ok(bytes.len());
        }
        let written = self.out.write(bytes);
        self.gate.end();
        written
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
pub(super) mod tests;
