//! Takes over the terminal (raw mode, alternate screen, mouse) and restores it.
//!
//! The terminal is restored exactly once: when the event loop ends, when a panic occurs, or when a
//! signal ends the process, whichever comes first.

use std::backtrace::{Backtrace, BacktraceStatus};
use std::io::{self, IsTerminal, Write};
use std::os::fd::AsFd;
use std::panic;
use std::sync::{Arc, Condvar};
use std::thread;
use std::time::Duration;

use crossterm::cursor::Show;
use crossterm::event::{
    DisableBracketedPaste, DisableFocusChange, EnableBracketedPaste, EnableFocusChange,
};
use crossterm::queue;
use crossterm::style::ResetColor;
use crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};

use super::log::{Event, Log, SourcePlace};
use crate::app::ui::input::Size;
use crate::config::environment;
use crate::locked::Locked;
use crate::trade::Untrusted;

/// The escape sequence that turns on reports of clicks and of the mouse wheel, including columns
/// beyond 223.
///
/// crossterm's command is not used, because it also turns on reports of mouse movement. Each
/// movement would wake the program.
const MOUSE_ON: &[u8] = b"\x1b[?1000h\x1b[?1006h";

/// The escape sequence that turns off reports of clicks and of the mouse wheel.
const MOUSE_OFF: &[u8] = b"\x1b[?1006l\x1b[?1000l";

/// The maximum number of panic messages from other threads that are kept until the screen is
/// restored.
const MAX_MESSAGES: usize = 8;

/// The reason why this terminal cannot show the app.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotATerminal {
    /// Standard input is not a terminal, so no keys can be read.
    Input,
    /// Standard output is not a terminal, so nothing can be drawn.
    Output,
    /// The terminal can only print lines (`TERM=dumb`).
    Dumb,
}

/// Checks that the app can be shown: standard input and output must be a capable terminal.
pub fn check() -> Result<(), NotATerminal> {
    if !io::stdin().is_terminal() {
        return Err(NotATerminal::Input);
    }
    if !io::stdout().is_terminal() {
        return Err(NotATerminal::Output);
    }
    if environment::variable("TERM").is_some_and(|name| name == "dumb") {
        Err(NotATerminal::Dumb)
    } else {
        Ok(())
    }
}

/// The size to draw for a size that the terminal reported.
///
/// A serial console reports 0, which means unknown. The variables `COLUMNS` and `LINES`, or the
/// usual size 80x24, then replace it.
pub fn drawn_size(columns: u16, rows: u16) -> Size {
    drawn_size_with(columns, rows, environment::text)
}

fn drawn_size_with(columns: u16, rows: u16, variable: impl Fn(&str) -> Option<String>) -> Size {
    let known = |reported: u16, name: &str, usual: u16| {
        let known = Some(reported)
            .filter(|cells| *cells > 0)
            .or_else(|| variable(name)?.trim().parse().ok());
        known.filter(|cells| *cells > 0).unwrap_or(usual)
    };
    Size::limited(known(columns, "COLUMNS", 80), known(rows, "LINES", 24))
}

/// A terminal that accepts bytes and can be switched to raw mode. Tests use a fake terminal.
pub trait Device: Write + Send + 'static {
    fn set_raw(&mut self, raw: bool) -> io::Result<()>;
}

pub type Tty = std::fs::File;

/// A duplicate handle of standard output. Writing to it does not lock `io::stdout`, so the terminal
/// can be restored even while the write of a frame blocks.
pub fn stdout() -> io::Result<Tty> {
    io::stdout().as_fd().try_clone_to_owned().map(Tty::from)
}

impl Device for Tty {
    fn set_raw(&mut self, raw: bool) -> io::Result<()> {
        if raw {
            enable_raw_mode()
        } else {
            disable_raw_mode()
        }
    }
}

/// The escape sequences that save the titles of window and icon on the terminal's stack, and that
/// restore them.
const SAVE_TITLE: &str = "\x1b[22;0t";
const RESTORE_TITLE: &[u8] = b"\x1b[23;0t";

/// The longest title, in columns.
const MAX_TITLE: usize = 80;

/// The escape sequence (OSC 2) for the title of the window.
fn title_sequence(title: &str) -> String {
    // The title comes from the settings, and must not end the sequence.
    let title = Untrusted::from(title).shown_within(MAX_TITLE);
    format!("\x1b]2;{title}\x1b\\")
}

/// A guard for the terminal that the app has taken over. Dropping it restores the terminal.
pub struct TerminalGuard<D: Device> {
    restorer: Restorer<D>,
}

/// Restores the terminal for good, from any thread. Only the first call has an effect.
pub struct Restorer<D: Device> {
    state: Arc<Locked<TerminalState<D>>>,
    gate: Arc<Gate>,
}

struct TerminalState<D> {
    device: D,
    /// `Some(true)` if mouse reports are on, `Some(false)` if they are off, `None` after the
    /// terminal was restored for good.
    mouse: Option<bool>,
    /// True if the terminal was restored because the process is being stopped. It is taken over
    /// again when the process continues.
    is_suspended: bool,
    /// The title of the window; `None` if the app has not set one.
    title: Option<String>,
    messages: Vec<String>,
}

impl<D: Device> TerminalGuard<D> {
    /// Takes over the terminal. If a step of this fails, restores the terminal.
    pub fn enter(device: D, mouse: bool) -> io::Result<TerminalGuard<D>> {
        let state = TerminalState {
            device,
            mouse: Some(mouse),
            is_suspended: false,
            title: None,
            messages: Vec::new(),
        };
        // From here on, dropping `guard` restores the terminal, including after an error.
        let guard = TerminalGuard {
            restorer: Restorer::new(state),
        };
        guard.restorer.state.lock().take_over(mouse)?;
        Ok(guard)
    }

    /// A writer for frames, which drops its bytes while the terminal is restored.
    pub fn frame_writer<W: Write>(&self, out: W) -> FrameWriter<W> {
        self.restorer.gate.frame_writer(out)
    }

    /// Sets the title of the window. The first call saves the title that the window has.
    pub fn set_title(&self, title: &str) -> io::Result<()> {
        let mut state = self.restorer.state.lock();
        if state.mouse.is_none() || state.is_suspended {
            return Ok(());
        }
        let saves = if state.title.is_none() {
            SAVE_TITLE
        } else {
            ""
        };
        let sequence = title_sequence(title);
        state.title = Some(title.to_owned());
        state
            .device
            .write_all(format!("{saves}{sequence}").as_bytes())?;
        state.device.flush()
    }

    pub fn restorer(&self) -> Restorer<D> {
        self.restorer.clone()
    }

    /// Installs a panic hook that restores the screen and then prints the panic message.
    ///
    /// A panic of another thread does not end the program, so printing its message would damage the
    /// screen. The hook keeps such a message, and prints it when the screen is restored.
    ///
    /// The log gets only the place of a panic, because a message may quote anything.
    pub fn install_panic_hook(&self, log: Log) {
        let restorer = self.restorer();
        let screen_thread = thread::current().id();
        panic::set_hook(Box::new(move |info| {
            // The message may quote the service's response, so remove control characters.
            let message = Untrusted::from(info.to_string()).shown_lines();
            if let Some(location) = info.location() {
                log.write(Event::Panic(SourcePlace::new(location)));
            }
            if thread::current().id() != screen_thread && restorer.keep_message(message.clone()) {
                return;
            }
            let _ = restorer.restore();
            // Ignore an error, because standard error may be closed.
            let _ = writeln!(io::stderr(), "{message}");
            let trace = Backtrace::capture();
            if trace.status() == BacktraceStatus::Captured {
                let _ = writeln!(io::stderr(), "{trace}");
            }
            // The program ends now.
            log.close();
        }));
    }
}

impl<D: Device> Drop for TerminalGuard<D> {
    fn drop(&mut self) {
        // Ignore an error, because there is no other way to restore the terminal.
        let _ = self.restorer.restore();
    }
}

impl<D: Device> Clone for Restorer<D> {
    fn clone(&self) -> Restorer<D> {
        Restorer {
            state: Arc::clone(&self.state),
            gate: Arc::clone(&self.gate),
        }
    }
}

impl<D: Device> Restorer<D> {
    fn new(state: TerminalState<D>) -> Restorer<D> {
        Restorer {
            state: Arc::new(Locked::new(state)),
            gate: Arc::default(),
        }
    }

    /// Restores the terminal for good, and prints the panic messages that were kept until now.
    pub fn restore(&self) -> io::Result<()> {
        let (result, messages) = {
            let mut state = self.state.lock();
            let Some(mouse) = state.mouse.take() else {
                return Ok(());
            };
            self.gate.close();
            let result = if state.is_suspended {
                Ok(())
            } else {
                state.restore_modes(mouse)
            };
            (result, std::mem::take(&mut state.messages))
        };
        for message in messages {
            let _ = writeln!(io::stderr(), "{message}");
        }
        result
    }

    /// Restores the terminal before the process is stopped. [`resume`](Self::resume) takes it over
    /// again.
    pub fn suspend(&self) -> io::Result<()> {
        let mut state = self.state.lock();
        match state.mouse {
            Some(mouse) if !state.is_suspended => {
                self.gate.close();
                state.is_suspended = true;
                state.restore_modes(mouse)
            }
            _ => Ok(()),
        }
    }

    /// Takes over the terminal again after the process was stopped. Returns false if the terminal
    /// has already been restored for good.
    ///
    /// Works even without an earlier call of [`suspend`](Self::suspend), because SIGSTOP stops the
    /// process without warning. If a step fails, the terminal is restored.
    pub fn resume(&self) -> io::Result<bool> {
        let mut state = self.state.lock();
        let Some(mouse) = state.mouse else {
            return Ok(false);
        };
        let result = state.take_over_after_stop(mouse);
        state.is_suspended = result.is_err();
        if let Err(error) = result {
            self.gate.close();
            // Return the first error, and ignore an error of this call.
            let _ = state.restore_modes(mouse);
            return Err(error);
        }
        self.gate.open();
        Ok(true)
    }

    /// Keeps a panic message until the screen is restored. Returns false if the screen is already
    /// restored, so that the caller prints the message.
    pub(super) fn keep_message(&self, message: String) -> bool {
        let mut state = self.state.lock();
        if state.mouse.is_none() {
            return false;
        }
        if state.messages.len() < MAX_MESSAGES {
            state.messages.push(message);
        }
        true
    }
}

impl<D: Device> TerminalState<D> {
    fn take_over(&mut self, mouse: bool) -> io::Result<()> {
        let device = &mut self.device;
        device.set_raw(true)?;
        let mut bytes = Vec::with_capacity(64);
        if let Some(title) = &self.title {
            // After SIGSTOP, the title of the window is still saved.
            let saves = if self.is_suspended { SAVE_TITLE } else { "" };
            bytes.extend_from_slice(format!("{saves}{}", title_sequence(title)).as_bytes());
        }
        queue!(bytes, EnterAlternateScreen)?;
        queue!(bytes, EnableBracketedPaste, EnableFocusChange)?;
        if mouse {
            bytes.extend_from_slice(MOUSE_ON);
        }
        device.write_all(&bytes)?;
        device.flush()
    }

    fn take_over_after_stop(&mut self, mouse: bool) -> io::Result<()> {
        if !self.is_suspended {
            // Turn raw mode off first. Otherwise crossterm would ignore the next call, because it
            // believes that raw mode is still on.
            self.device.set_raw(false)?;
        }
        self.take_over(mouse)
    }

    /// Restores the terminal. If a step fails, the other steps are still tried, and the first error
    /// is returned.
    fn restore_modes(&mut self, mouse: bool) -> io::Result<()> {
        let device = &mut self.device;
        // Collect all bytes and write them at once, because several small writes would flicker.
        let mut bytes = Vec::with_capacity(128);
        if mouse {
            bytes.extend_from_slice(MOUSE_OFF);
        }
        queue!(
            bytes,
            DisableFocusChange,
            DisableBracketedPaste,
            ResetColor,
            Show,
            LeaveAlternateScreen
        )?;
        if self.title.is_some() {
            bytes.extend_from_slice(RESTORE_TITLE);
        }
        let written = device.write_all(&bytes).and_then(|()| device.flush());
        let raw_mode_off = device.set_raw(false);
        written.and(raw_mode_off)
    }
}

/// The maximum time to wait until a frame is written. The terminal may have stopped accepting
/// bytes.
const FRAME_WRITE_LIMIT: Duration = Duration::from_millis(250);

/// A writer for frames that drops its bytes while another program, such as the shell, uses the
/// terminal. A late frame would damage that program's screen.
pub struct FrameWriter<W> {
    out: W,
    gate: Arc<Gate>,
}

/// Decides whether the [`FrameWriter`]s of a terminal write their bytes or drop them.
#[derive(Default)]
struct Gate {
    state: Locked<GateState>,
    written: Condvar,
}

#[derive(Default)]
struct GateState {
    is_closed: bool,
    /// The number of [`FrameWriter`]s that are writing at the moment.
    writing: usize,
}

impl Gate {
    fn frame_writer<W: Write>(self: &Arc<Gate>, out: W) -> FrameWriter<W> {
        FrameWriter {
            out,
            gate: Arc::clone(self),
        }
    }

    /// Makes all [`FrameWriter`]s drop their bytes, and waits briefly for an unfinished frame.
    fn close(&self) {
        let mut state = self.state.lock();
        state.is_closed = true;
        // Ignore a timeout, because the frame cannot be completed if the terminal accepts no bytes.
        let _ = self
            .written
            .wait_timeout_while(state, FRAME_WRITE_LIMIT, |state| state.writing > 0);
    }

    /// Makes all [`FrameWriter`]s write their bytes again.
    fn open(&self) {
        self.state.lock().is_closed = false;
    }

    fn begin(&self) -> bool {
        let mut state = self.state.lock();
        if !state.is_closed {
            state.writing += 1;
        }
        !state.is_closed
    }

    fn end(&self) {
        let mut state = self.state.lock();
        state.writing -= 1;
        // Notify only if `close` is waiting. Otherwise the system call would slow down every frame.
        if state.is_closed {
            self.written.notify_all();
        }
    }
}

impl<W: Write> Write for FrameWriter<W> {
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
