//! Recordings of the screens of a run: the format, writing and reading it.
//!
//! A recording has the screens as changed rows, and beside them one line for each event: a key, a
//! message, an effect, a request or a mark. This module masks nothing: its caller passes rows and
//! texts that are already masked. It reads no clock and starts no thread: all times are passed in.
//!
//! # Format
//!
//! A file begins with one line of JSON, the [`Header`]. Its member `balcaoRecording` is the number
//! of the format. Chunks follow until the end of the file. A chunk has these parts, with all
//! numbers as little-endian `u32`:
//!
//! | bytes | content |
//! |---|---|
//! | 4 | [`CHUNK_MAGIC`] |
//! | 4, 4 | the packed and the unpacked length of the payload in bytes |
//! | 4, 4 | the times of the first and the last entry, in milliseconds since the start |
//! | 4, 4 | the numbers of frames and of events |
//! | 4, 4, 4 | how many of these events are marks, errors and requests |
//! | 4 | the Adler-32 checksum of the bytes before it |
//! | … | the payload, in the zlib format |
//!
//! These headers are the index: opening a file reads them and unpacks nothing. No trailer is
//! needed, so a file that was cut can be played. Unpacked, the payload has a line of JSON for the
//! whole screen before the first entry (the key frame), and a line for each [`Entry`]. So each
//! chunk can be shown without the chunks before it.
//!
//! ```text
//! {"size":{"columns":80,"rows":24},"rows":[[{"t":"balcão","f":4,"m":1}],[],...]}
//! {"at":1200,"what":{"event":{"key":"n"}}}
//! {"at":1201,"what":{"frame":{"rows":[[3,[{"t":"Novo link"}]]]}}}
//! ```
//!
//! A row is a list of runs: the text `t`, the foreground `f`, the background `b` and the bits `m`
//! of ratatui's modifiers. A colour is a number up to 255 in the palette, or 2²⁴ + RGB. A row ends
//! with its last visible cell. A frame with the member `size` clears the screen first.
//!
//! # Reading
//!
//! The bytes of a file are untrusted. [`Row`] keeps only printable characters, so a cell can be
//! drawn as it is. All sizes are bounded. A damaged chunk is left out, and the [`Fault`]s of a file
//! are named. A [`Cursor`] unpacks at most two chunks for a step or a jump.

mod cast;
mod chunk;
mod cursor;
mod entry;
mod file_recording;
mod header;
mod reader;
mod ring;
mod screen;
mod writer;

pub use cast::write_cast;
pub use chunk::{CHUNK_MAGIC, Chunk, ChunkInfo, Damaged, UnpackedChunk};
pub use cursor::{Cursor, Goal, Progress, Scan};
pub use entry::{Entry, Event, Frame, Outcome, What};
pub use file_recording::{Ended, FileRecording};
pub use header::{FORMAT, Header};
pub use reader::{Fault, OpenError, Recording};
pub use ring::Ring;
pub use screen::{Row, Screen, Size, rows_of};
pub use writer::ChunkWriter;

/// The maximum length of a file that is written, in bytes.
pub const MAX_WRITTEN_BYTES: u64 = 20 * 1024 * 1024;

/// The maximum length of a file that is read, in bytes.
pub const MAX_READ_BYTES: u64 = 64 * 1024 * 1024;

#[cfg(test)]
mod tests;
