//! The writer of frames: shut while another program has the terminal.
//!
//! A frame that is on its way when the process is stopped would stand in the shell and hide its
//! cursor. Bytes that are written meanwhile are dropped: all is drawn anew after that.

use std::io::{self, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The longest wait for bytes on their way; a terminal that takes none must not hold up more.
const ON_THEIR_WAY: Duration = Duration::from_millis(250);

/// A writer to the terminal that drops its bytes while the terminal is not ours.
pub struct Canvas<W> {
    out: W,
    gate: Arc<Gate>,
}

/// A gate that lets bytes pass or not, for all canvases of a terminal.
#[derive(Default)]
pub(super) struct Gate {
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
    pub fn canvas<W: Write>(self: &Arc<Gate>, out: W) -> Canvas<W> {
        Canvas { out, gate: Arc::clone(self) }
    }

    /// Lets nothing more pass, and waits a moment for the bytes that are on their way.
    pub fn shut(&self) {
        let mut state = self.lock();
        state.is_shut = true;
        // A canvas that still writes after that hangs on a terminal that takes nothing.
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
