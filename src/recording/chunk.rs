//! The chunks of a recording: packing, unpacking, and the headers that are the index.

use std::io::{self, Write};

use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;
use miniz_oxide::{MZ_ADLER32_INIT, mz_adler32_oxide};

use super::entry::{Entry, Event, What};
use super::screen::Screen;

/// The bytes with which each chunk begins.
pub const CHUNK_MAGIC: [u8; 4] = *b"\xB1chk";

/// The number of `u32` fields between the magic bytes and the checksum.
const FIELDS: usize = 9;

/// The length of a chunk's header in bytes.
pub(super) const INFO_BYTES: usize = 4 + 4 * FIELDS + 4;

/// The maximum unpacked length of a chunk in bytes. A chunk that is written is always shorter, even
/// if each cell of the largest screen has a style of its own: about 5 MB for the key frame, the
/// same for the last frame, and [`CHUNK_BYTES`](super::writer::CHUNK_BYTES) between them.
pub(super) const MAX_UNPACKED_BYTES: u32 = 16 * 1024 * 1024;

/// The level of compression (1 to 10).
const LEVEL: u8 = 6;

/// The header of a chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ChunkInfo {
    pub packed_bytes: u32,
    pub unpacked_bytes: u32,
    /// The times of the first and the last entry, in milliseconds since the start.
    pub first: u32,
    pub last: u32,
    pub frames: u32,
    pub events: u32,
    /// The number of events that are marks.
    pub marks: u32,
    /// The number of events that are errors.
    pub errors: u32,
    /// The number of events that are requests.
    pub requests: u32,
}

impl ChunkInfo {
    /// The number of entries.
    pub fn entries(&self) -> u32 {
        self.frames.saturating_add(self.events)
    }

    /// Counts an entry of the chunk.
    pub(super) fn count(&mut self, entry: &Entry) {
        if self.entries() == 0 {
            self.first = entry.at;
        }
        self.last = entry.at;
        match &entry.what {
            What::Frame(_) => self.frames += 1,
            What::Unknown => self.events += 1,
            What::Event(event) => {
                self.events += 1;
                self.marks += u32::from(matches!(event, Event::Mark));
                self.requests += u32::from(matches!(event, Event::Request { .. }));
                self.errors += u32::from(event.is_error());
            }
        }
    }

    fn fields(&self) -> [u32; FIELDS] {
        [
            self.packed_bytes,
            self.unpacked_bytes,
            self.first,
            self.last,
            self.frames,
            self.events,
            self.marks,
            self.errors,
            self.requests,
        ]
    }

    pub(super) fn to_bytes(self) -> [u8; INFO_BYTES] {
        let mut bytes = [0; INFO_BYTES];
        bytes[..4].copy_from_slice(&CHUNK_MAGIC);
        for (field, place) in self.fields().iter().zip(bytes[4..].chunks_exact_mut(4)) {
            place.copy_from_slice(&field.to_le_bytes());
        }
        let checksum = mz_adler32_oxide(MZ_ADLER32_INIT, &bytes[..INFO_BYTES - 4]);
        bytes[INFO_BYTES - 4..].copy_from_slice(&checksum.to_le_bytes());
        bytes
    }

    /// Reads the header at the start of the bytes. Returns `None` if the bytes are no header, or if
    /// its numbers are impossible.
    pub(super) fn read(bytes: &[u8]) -> Option<ChunkInfo> {
        let bytes = bytes.get(..INFO_BYTES)?;
        let (fields, checksum) = bytes.split_at(INFO_BYTES - 4);
        let expected = mz_adler32_oxide(MZ_ADLER32_INIT, fields);
        if bytes[..4] != CHUNK_MAGIC || checksum != expected.to_le_bytes() {
            return None;
        }
        let mut fields = fields[4..].chunks_exact(4);
        let mut next = || Some(u32::from_le_bytes(fields.next()?.try_into().ok()?));
        let info = ChunkInfo {
            packed_bytes: next()?,
            unpacked_bytes: next()?,
            first: next()?,
            last: next()?,
            frames: next()?,
            events: next()?,
            marks: next()?,
            errors: next()?,
            requests: next()?,
        };
        let is_possible = info.unpacked_bytes <= MAX_UNPACKED_BYTES
            && info.first <= info.last
            && (1..=info.unpacked_bytes).contains(&info.entries());
        is_possible.then_some(info)
    }

    /// Unpacks a payload. `is_newer` is true if a newer version wrote the file: lines that this
    /// version cannot read are then [unknown](What::Unknown) entries.
    pub(super) fn unpack(&self, packed: &[u8], is_newer: bool) -> Result<UnpackedChunk, Damaged> {
        let limit = self.unpacked_bytes.min(MAX_UNPACKED_BYTES);
        let limit = usize::try_from(limit).map_err(|_| Damaged)?;
        let text = decompress_to_vec_zlib_with_limit(packed, limit).map_err(|_| Damaged)?;
        let mut lines = text.split(|byte| *byte == b'\n');
        let screen: Screen = lines
            .next()
            .and_then(|line| serde_json::from_slice(line).ok())
            .ok_or(Damaged)?;
        let screen = screen.clean();
        let mut size = screen.size();
        let mut entries = Vec::new();
        let mut counted = ChunkInfo::default();
        for line in lines.filter(|line| !line.is_empty()) {
            let mut entry = match serde_json::from_slice(line) {
                Ok(entry) => entry,
                Err(_) if is_newer => Entry {
                    at: counted.last.max(self.first),
                    what: What::Unknown,
                },
                Err(_) => return Err(Damaged),
            };
            if let What::Frame(frame) = &mut entry.what {
                frame.size = frame.size.map(|size| size.limited());
                size = frame.size.unwrap_or(size);
                let rows = frame.rows.iter_mut();
                rows.for_each(|(_, row)| *row = row.clean(size.columns));
            }
            if entry.at < counted.last {
                return Err(Damaged);
            }
            counted.count(&entry);
            entries.push(entry);
        }
        let is_as_indexed = (counted.first, counted.last, counted.entries())
            == (self.first, self.last, self.entries());
        if !is_as_indexed || (counted.frames != self.frames && !is_newer) {
            return Err(Damaged);
        }
        Ok(UnpackedChunk { screen, entries })
    }
}

/// A chunk cannot be unpacked: it is damaged, or larger than its header says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Damaged;

/// A packed chunk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chunk {
    info: ChunkInfo,
    packed: Vec<u8>,
}

impl Chunk {
    /// Packs the lines of a chunk.
    pub(super) fn pack(info: ChunkInfo, text: &[u8]) -> Chunk {
        let packed = miniz_oxide::deflate::compress_to_vec_zlib(text, LEVEL);
        let length = |bytes: usize| u32::try_from(bytes).unwrap_or(u32::MAX);
        let info = ChunkInfo {
            packed_bytes: length(packed.len()),
            unpacked_bytes: length(text.len()),
            ..info
        };
        Chunk { info, packed }
    }

    pub fn info(&self) -> &ChunkInfo {
        &self.info
    }

    /// The length in a file, in bytes.
    pub fn bytes(&self) -> usize {
        INFO_BYTES + self.packed.len()
    }

    pub fn unpack(&self) -> Result<UnpackedChunk, Damaged> {
        self.info.unpack(&self.packed, false)
    }

    /// Writes the header and the payload.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        out.write_all(&self.info.to_bytes())?;
        out.write_all(&self.packed)
    }
}

/// The content of a chunk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnpackedChunk {
    /// The screen before the first entry.
    pub screen: Screen,
    pub entries: Vec<Entry>,
}

impl UnpackedChunk {
    /// The screen after the entry with this index.
    pub fn screen_after(&self, index: usize) -> Screen {
        let mut screen = self.screen.clone();
        for entry in self.entries.iter().take(index.saturating_add(1)) {
            let What::Frame(frame) = &entry.what else {
                continue;
            };
            if let Some(size) = frame.size {
                screen = Screen::blank(size);
            }
            for (y, row) in &frame.rows {
                screen.set_row(*y, row);
            }
        }
        screen
    }
}
