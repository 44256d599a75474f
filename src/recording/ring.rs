//! The last minutes of a run, kept in memory.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::time::Duration;

use super::chunk::Chunk;
use super::entry::Event;
use super::header::Header;
use super::screen::{Row, Size};
use super::writer::ChunkWriter;

/// The maximum number of bytes of all chunks, including the open one.
const MAX_BYTES: usize = 4 * 1024 * 1024;

/// The time for which entries are kept.
const MAX_AGE: Duration = Duration::from_secs(10 * 60);

/// Keeps the last chunks of a run: the last ten minutes, in at most 4 MiB. Drops old chunks whole.
#[derive(Debug, Default)]
pub struct Ring {
    chunks: VecDeque<Chunk>,
    /// The number of bytes of the closed chunks.
    bytes: usize,
    writer: ChunkWriter,
}

impl Ring {
    /// Adds a frame with these changed rows. Pass all rows after [`wipe`](Ring::wipe).
    pub fn frame(&mut self, at: Duration, size: Size, rows: impl IntoIterator<Item = (u16, Row)>) {
        let closed = self.writer.frame(at, size, rows);
        self.keep(at, closed);
    }

    pub fn event(&mut self, at: Duration, event: Event) {
        let closed = self.writer.event(at, event);
        self.keep(at, closed);
    }

    fn keep(&mut self, now: Duration, closed: Option<Chunk>) {
        self.bytes += closed.as_ref().map_or(0, Chunk::bytes);
        self.chunks.extend(closed);
        self.drop_old(now);
    }

    /// Drops chunks that are too old, and then the oldest ones until the rest is small enough.
    fn drop_old(&mut self, now: Duration) {
        while let Some(oldest) = self.chunks.front() {
            let last = Duration::from_millis(oldest.info().last.into());
            // The newest chunk has the screen that is still shown.
            let is_newest = self.chunks.len() == 1 && self.writer.is_empty();
            let is_old = last + MAX_AGE < now && !is_newest;
            if !is_old && self.bytes() <= MAX_BYTES {
                return;
            }
            self.bytes -= oldest.bytes();
            self.chunks.pop_front();
        }
    }

    /// The number of bytes that are kept.
    pub fn bytes(&self) -> usize {
        self.bytes + self.writer.open_bytes()
    }

    /// Forgets everything, including the screen.
    pub fn wipe(&mut self) {
        *self = Ring::default();
    }

    /// Closes the open chunk, drops the old ones, and returns the rest, from the oldest to the
    /// newest.
    pub fn chunks(&mut self, now: Duration) -> &VecDeque<Chunk> {
        let closed = self.writer.close();
        self.keep(now, closed);
        &self.chunks
    }

    /// Writes the kept chunks as a complete recording.
    pub fn write(
        &mut self,
        now: Duration,
        header: &Header,
        out: &mut impl Write,
    ) -> io::Result<()> {
        out.write_all(&header.line())?;
        self.chunks(now)
            .iter()
            .try_for_each(|chunk| chunk.write(out))
    }
}
