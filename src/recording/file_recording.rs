//! A recording that is written to a file while the app runs.

use std::io::{self, Write};
use std::time::Duration;

use super::MAX_WRITTEN_BYTES;
use super::chunk::Chunk;
use super::entry::Event;
use super::header::Header;
use super::screen::{Row, Size};
use super::writer::ChunkWriter;

/// The reason why a recording ended by itself.
#[derive(Debug, thiserror::Error)]
pub enum Ended {
    /// The file has reached its maximum length.
    #[error("the recording is full")]
    Full,
    /// The file cannot be written.
    #[error("{0}")]
    Failed(#[from] io::Error),
}

/// A recording that is written chunk by chunk.
///
/// A method returns [`Ended`] once. After that, all calls have no effect.
#[derive(Debug)]
pub struct FileRecording<W> {
    out: W,
    writer: ChunkWriter,
    /// The number of bytes that may still be written.
    room: u64,
    has_ended: bool,
}

impl<W: Write> FileRecording<W> {
    /// Writes the header.
    pub fn start(out: W, header: &Header) -> Result<FileRecording<W>, Ended> {
        FileRecording::start_within(MAX_WRITTEN_BYTES, out, header)
    }

    pub(super) fn start_within(
        max_bytes: u64,
        mut out: W,
        header: &Header,
    ) -> Result<FileRecording<W>, Ended> {
        let line = header.line();
        out.write_all(&line)?;
        out.flush()?;
        Ok(FileRecording {
            out,
            writer: ChunkWriter::default(),
            room: max_bytes.saturating_sub(u64::try_from(line.len()).unwrap_or(u64::MAX)),
            has_ended: false,
        })
    }

    /// Adds a frame with these changed rows.
    pub fn frame(
        &mut self,
        at: Duration,
        size: Size,
        rows: impl IntoIterator<Item = (u16, Row)>,
    ) -> Result<(), Ended> {
        if self.has_ended {
            return Ok(());
        }
        let closed = self.writer.frame(at, size, rows);
        self.write(closed)
    }

    pub fn event(&mut self, at: Duration, event: Event) -> Result<(), Ended> {
        if self.has_ended {
            return Ok(());
        }
        let closed = self.writer.event(at, event);
        self.write(closed)
    }

    /// Adds a chunk that was closed earlier, such as one of a [`Ring`](super::Ring).
    pub fn chunk(&mut self, chunk: Chunk) -> Result<(), Ended> {
        self.flush()?;
        self.write(Some(chunk))
    }

    /// Writes all entries so far. Later entries begin a new chunk.
    pub fn flush(&mut self) -> Result<(), Ended> {
        let closed = self.writer.close();
        self.write(closed)
    }

    fn write(&mut self, chunk: Option<Chunk>) -> Result<(), Ended> {
        let Some(chunk) = chunk.filter(|_| !self.has_ended) else {
            return Ok(());
        };
        let bytes = u64::try_from(chunk.bytes()).unwrap_or(u64::MAX);
        let written = match self.room.checked_sub(bytes) {
            None => Err(Ended::Full),
            Some(room) => {
                self.room = room;
                let written = chunk.write(&mut self.out);
                written.and_then(|()| self.out.flush()).map_err(Ended::from)
            }
        };
        self.has_ended = written.is_err();
        written
    }
}
