//! What frames are written on: shut while somebody else has the terminal.
//!
//! A frame that is on its way when the process is stopped would stand in the shell and hide its
//! cursor. What is written meanwhile is thrown away: when the program goes on, all is drawn anew.

use std::io::{self, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How long bytes on their way are waited for; a terminal that takes none must not hold up more.
const ON_THEIR_WAY: Duration = Duration::from_millis(250);

/// A way to the terminal that is shut while it is not ours.
pub struct Canvas<W> {
    out: W,
    gate: Arc<Gate>,
}

/// Whether bytes may pass, for all canvases of a terminal.
#[derive(Default)]
pub(super) struct Gate {
    state: Mutex<State>,
    written: Condvar,
}

#[derive(Default)]
struct State {
    is_shut: bool,
    /// How many are writing.
    writing: usize,
}

impl Gate {
    /// A canvas behind this gate.
    pub fn canvas<W: Write>(self: &Arc<Gate>, out: W) -> Canvas<W> {
        Canvas { out, gate: Arc::clone(self) }
    }

    /// Lets nothing more pass, and waits a moment for the bytes that are on their way.
    pub fn shut(&self) {
        let mut state = self.lock();
        state.is_shut = true;
        // Whoever still writes after that hangs on a terminal that takes nothing.
        let _ = self.written.wait_timeout_while(state, ON_THEIR_WAY, |state| state.writing > 0);
    }

    /// Lets bytes pass again.
    pub fn open(&self) {
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
        self.lock().writing -= 1;
        self.written.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
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
