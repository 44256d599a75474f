//! Builds chunks from frames and events.

use std::time::Duration;

use super::chunk::{Chunk, ChunkInfo};
use super::entry::{Entry, Event, Frame, What};
use super::screen::{Row, Screen, Size};

/// The number of entries after which a chunk is closed.
const CHUNK_ENTRIES: u32 = 256;

/// The time in milliseconds after which a chunk is closed. It bounds the time that a
/// [`Ring`](super::Ring) keeps too much, and the part of a file that is lost in a crash.
const CHUNK_MS: u32 = 60_000;

/// The number of bytes of unpacked entries after which a chunk is closed.
pub(super) const CHUNK_BYTES: usize = 64 * 1024;

/// Builds chunks. Before a new entry, the open chunk is closed and returned if it is full.
///
/// Packing a chunk takes about a millisecond, so the caller is not the thread that draws.
#[derive(Debug, Default)]
pub struct ChunkWriter {
    /// The screen after the last frame.
    screen: Screen,
    /// The lines of the open chunk. If it has any, the first line is the key frame.
    text: Vec<u8>,
    /// The length of the key frame's line.
    key_frame_bytes: usize,
    info: ChunkInfo,
    /// The time of the last entry, of any chunk.
    last: u32,
}

impl ChunkWriter {
    /// Adds a frame with these changed rows. Adds nothing if no row differs.
    ///
    /// After a change of the size, and in the first frame, rows that are not passed are blank.
    /// Times never go back: an earlier time than the last one counts as the last one.
    pub fn frame(
        &mut self,
        at: Duration,
        size: Size,
        rows: impl IntoIterator<Item = (u16, Row)>,
    ) -> Option<Chunk> {
        let closed = self.begin_entry(at);
        let size = size.limited();
        let new_size = Some(size).filter(|size| *size != self.screen.size());
        if new_size.is_some() {
            self.screen = Screen::blank(size);
        }
        let rows: Vec<_> = rows
            .into_iter()
            .filter(|(y, row)| self.screen.set_row(*y, row))
            .collect();
        if !rows.is_empty() || new_size.is_some() {
            let size = new_size;
            self.push(What::Frame(Frame { size, rows }));
        }
        closed
    }

    pub fn event(&mut self, at: Duration, event: Event) -> Option<Chunk> {
        let closed = self.begin_entry(at);
        self.push(What::Event(event));
        closed
    }

    /// Closes the open chunk. Returns `None` if it has no entry.
    pub fn close(&mut self) -> Option<Chunk> {
        let text = std::mem::take(&mut self.text);
        let info = std::mem::take(&mut self.info);
        self.key_frame_bytes = 0;
        (info.entries() > 0).then(|| Chunk::pack(info, &text))
    }

    /// The number of bytes of the open chunk.
    pub(super) fn open_bytes(&self) -> usize {
        self.text.capacity()
    }

    /// True if no entry was added since the last chunk was closed.
    pub(super) fn is_empty(&self) -> bool {
        self.info.entries() == 0
    }

    /// Closes the open chunk if it is full or lasts long enough. Begins a chunk with the key frame
    /// if none is open.
    fn begin_entry(&mut self, at: Duration) -> Option<Chunk> {
        let at = u32::try_from(at.as_millis()).unwrap_or(u32::MAX);
        self.last = at.max(self.last);
        let is_full = self.info.entries() >= CHUNK_ENTRIES
            || self.text.len() - self.key_frame_bytes >= CHUNK_BYTES
            || !self.is_empty() && self.last - self.info.first >= CHUNK_MS;
        let closed = if is_full { self.close() } else { None };
        if self.text.is_empty() {
            write_line(&mut self.text, &self.screen);
            self.key_frame_bytes = self.text.len();
        }
        closed
    }

    fn push(&mut self, what: What) {
        let at = self.last;
        let entry = Entry { at, what };
        self.info.count(&entry);
        write_line(&mut self.text, &entry);
    }
}

fn write_line(text: &mut Vec<u8>, value: &impl serde::Serialize) {
    // Writing to memory does not fail, and neither do these types.
    let _ = serde_json::to_writer(&mut *text, value);
    text.push(b'\n');
}
