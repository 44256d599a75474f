//! Collects the bytes of each frame, and writes each frame with one call.
//!
//! After a large frame, it asks the terminal for a status report. The `Pacer` delays the next
//! frame until the terminal has replied.

use std::future::pending;
use std::io::{self, Write};
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::timeout_at;

use super::clocks;
use super::pacer::Pacer;

use crate::locked::Locked;

/// The status query (DSR). The reply shows that the terminal has processed all bytes before it.
const STATUS_QUERY: &[u8] = b"\x1b[5n";

/// The query for synchronized output (DECRQM), written before the first frame. Its last bytes erase
/// what some terminals print instead of a reply.
const SYNCHRONIZED_QUERY: &[u8] = b"\x1b[?2026$p\r\x1b[K";

/// The escape sequences that begin and end a frame which the terminal shows all at once.
const SYNCHRONIZED: [&[u8]; 2] = [b"\x1b[?2026h", b"\x1b[?2026l"];

/// The output for frames. Clones share the same output.
#[derive(Clone)]
pub struct FrameOutput(Arc<Shared>);

struct Shared {
    state: Locked<State>,
    /// Wakes the event loop when a reply of the terminal has arrived.
    replied: Notify,
}

struct State {
    out: Box<dyn Write + Send>,
    /// The bytes of the frame that is being drawn.
    frame: Vec<u8>,
    pacer: Pacer,
    /// The query to write after the first frame. `None` when it has been written.
    first_query: Option<&'static [u8]>,
    /// True if the terminal supports synchronized output.
    is_synchronized: bool,
}

impl FrameOutput {
    /// Creates the output for frames. `first_query` is written after the first frame, and may be
    /// empty.
    pub fn new(out: impl Write + Send + 'static, first_query: &'static [u8]) -> FrameOutput {
        let state = State {
            out: Box::new(out),
            frame: Vec::new(),
            pacer: Pacer::default(),
            first_query: Some(first_query),
            is_synchronized: false,
        };
        FrameOutput(Arc::new(Shared {
            state: Locked::new(state),
            replied: Notify::new(),
        }))
    }

    /// Writes the collected frame. Returns the number of the status query if one follows the frame.
    /// `tracks_visibility` is true if the program must know when the user can see the frame.
    pub fn end_frame(&self, tracks_visibility: bool) -> io::Result<Option<u64>> {
        let state = &mut *self.0.state.lock();
        if state.frame.is_empty() {
            return Ok(None);
        }
        // Send a status query with the first queries, too. Terminals reply in order, so its reply
        // shows that the first queries were answered.
        let first_query = state.first_query.take();
        let is_queried = state.pacer.needs_query(
            state.frame.len(),
            tracks_visibility || first_query.is_some(),
        );
        let [begin, end] = if is_queried && state.is_synchronized {
            SYNCHRONIZED
        } else {
            [&b""[..]; 2]
        };
        let synchronized_query = if first_query.is_some() {
            SYNCHRONIZED_QUERY
        } else {
            b""
        };
        let query = if is_queried { STATUS_QUERY } else { b"" };
        let parts = [
            synchronized_query,
            begin,
            &state.frame,
            end,
            first_query.unwrap_or_default(),
            query,
        ];
        let bytes = parts.concat();
        state.frame.clear();
        state.out.write_all(&bytes)?;
        state.out.flush()?;
        Ok(is_queried.then(|| state.pacer.on_query(clocks::instant())))
    }

    /// Records that the terminal supports synchronized output.
    pub fn synchronize(&self) {
        self.0.state.lock().is_synchronized = true;
    }

    /// Records a reply to a status query. Returns false if no reply was expected.
    pub fn on_reply(&self) -> bool {
        let was_expected = self.0.state.lock().pacer.on_reply();
        self.0.replied.notify_one();
        was_expected
    }

    /// True if the next frame must wait for a reply.
    pub fn is_waiting(&self) -> bool {
        self.0.state.lock().pacer.is_waiting(clocks::instant())
    }

    /// True if the query with this number will probably get a reply.
    pub fn is_pending(&self, query: u64) -> bool {
        self.0.state.lock().pacer.is_pending(query)
    }

    /// True if the last query is pending and was written less than `limit` ago.
    pub fn is_last_pending(&self, limit: Duration) -> bool {
        self.0
            .state
            .lock()
            .pacer
            .is_last_pending(clocks::instant(), limit)
    }

    /// Waits until a reply arrives or counts as lost, or until the next frame may be written. May
    /// return too early. Never returns if no query is pending.
    pub async fn wait(&self) {
        let until = {
            let state = self.0.state.lock();
            state
                .pacer
                .waits_until()
                .or_else(|| state.pacer.next_lost_at())
        };
        let Some(until) = until else {
            return pending().await;
        };
        let _ = timeout_at(until.into(), self.0.replied.notified()).await;
        // Let this call record a timeout. Otherwise the next call of `wait` would return at once.
        self.is_waiting();
    }
}

/// An output that discards all bytes and sends no queries, for a backend that writes elsewhere.
impl Default for FrameOutput {
    fn default() -> FrameOutput {
        FrameOutput::new(io::sink(), b"")
    }
}

/// Collects bytes of the current frame. Flushing has no effect, because the backend also flushes
/// within a frame.
impl Write for FrameOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.state.lock().frame.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;
    use crate::runtime::pacer::SMALL_FRAME;

    /// Sends each write as one message.
    struct Recorder(mpsc::SyncSender<String>);

    impl Write for Recorder {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0
                .send(String::from_utf8(bytes.to_vec()).unwrap())
                .unwrap();
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn output(first_query: &'static [u8]) -> (FrameOutput, mpsc::Receiver<String>) {
        let (sender, written) = mpsc::sync_channel(8);
        (FrameOutput::new(Recorder(sender), first_query), written)
    }

    /// Draws this text in two parts, as the backend does.
    fn draw(output: &mut FrameOutput, frame: &str, tracks_visibility: bool) -> bool {
        let (head, tail) = frame.split_at(frame.len() / 2);
        for part in [head, tail] {
            output.write_all(part.as_bytes()).unwrap();
            output.flush().unwrap();
        }
        output.end_frame(tracks_visibility).unwrap().is_some()
    }

    #[test]
    fn each_frame_is_one_write_with_its_queries() {
        let (mut output, written) = output(b"<colour?>");
        assert!(draw(&mut output, "first", false));
        let first = "\x1b[?2026$p\r\x1b[Kfirst<colour?>\x1b[5n";
        assert_eq!(written.try_iter().collect::<Vec<_>>(), [first]);
        assert!(output.is_waiting());
        assert!(output.on_reply() && !output.is_waiting());
        assert!(!draw(&mut output, "", true), "nothing was drawn");
        assert!(!draw(&mut output, "small", false));
        assert!(draw(&mut output, "terms", true));
        assert_eq!(
            written.try_iter().collect::<Vec<_>>(),
            ["small", "terms\x1b[5n"]
        );
    }

    #[test]
    fn only_frames_with_a_query_are_synchronized() {
        let (mut output, written) = output(b"");
        draw(&mut output, "first", false);
        output.on_reply();
        let large = "x".repeat(SMALL_FRAME + 1);
        assert!(draw(&mut output, &large, false));
        output.on_reply();
        output.synchronize();
        assert!(!draw(&mut output, "small", false));
        assert!(draw(&mut output, &large, false));
        let writes: Vec<_> = written.try_iter().skip(1).collect();
        let synchronized = format!("\x1b[?2026h{large}\x1b[?2026l\x1b[5n");
        assert_eq!(
            writes,
            [format!("{large}\x1b[5n"), "small".into(), synchronized]
        );
    }
}
