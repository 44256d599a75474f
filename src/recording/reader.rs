//! Opens a recording: reads its header, and the headers of its chunks as an index.

use std::io::{self, Read};

use super::MAX_READ_BYTES;
use super::chunk::{CHUNK_MAGIC, ChunkInfo, Damaged, INFO_BYTES, UnpackedChunk};
use super::header::{FORMAT, Header};

/// The maximum length of the first line of a file in bytes.
const MAX_HEADER_BYTES: usize = 1024 * 1024;

/// The reason why a file cannot be played at all.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error("{0}")]
    Unreadable(#[from] io::Error),
    /// The file is longer than [`MAX_READ_BYTES`].
    #[error("the file is too large")]
    TooLarge,
    /// The file has neither the header of a recording nor a chunk.
    #[error("the file is not a recording")]
    NotARecording,
}

/// A fault of a file that can be played in part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// A newer version wrote the file, in the format with this number.
    Newer(u32),
    /// The header cannot be read, so language, size and settings of the run are unknown.
    Header,
    /// A part of the file is damaged and left out.
    Damaged,
    /// The end of the file is missing.
    Cut,
}

/// A recording, whose chunks are unpacked when they are played.
#[derive(Debug, Clone)]
pub struct Recording {
    bytes: Vec<u8>,
    header: Header,
    chunks: Vec<IndexedChunk>,
    faults: Vec<Fault>,
}

#[derive(Debug, Clone, Copy)]
struct IndexedChunk {
    info: ChunkInfo,
    /// The index of the first byte of the payload.
    start: usize,
    /// The number of frames of all chunks before this one.
    frames_before: u64,
}

impl Recording {
    /// Reads a file.
    pub fn read(file: impl Read) -> Result<Recording, OpenError> {
        let mut bytes = Vec::new();
        file.take(MAX_READ_BYTES + 1).read_to_end(&mut bytes)?;
        Recording::open(bytes)
    }

    /// The content of the file.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Opens the content of a file. Unpacks nothing.
    pub fn open(bytes: Vec<u8>) -> Result<Recording, OpenError> {
        if u64::try_from(bytes.len()).unwrap_or(u64::MAX) > MAX_READ_BYTES {
            return Err(OpenError::TooLarge);
        }
        let mut recording = Recording {
            header: Header::default(),
            chunks: Vec::new(),
            faults: Vec::new(),
            bytes,
        };
        let start = recording.read_header();
        recording.read_index(start);
        if recording.chunks.is_empty() && recording.has_fault(Fault::Header) {
            return Err(OpenError::NotARecording);
        }
        Ok(recording)
    }

    /// Reads the first line. Returns the index of the byte after it.
    fn read_header(&mut self) -> usize {
        let mut start = self.bytes.iter().take(MAX_HEADER_BYTES);
        let end = start.position(|byte| *byte == b'\n');
        let line = end.map(|end| &self.bytes[..end]);
        // A list would be read as the members of a header in their order.
        let line = line.filter(|line| line.starts_with(b"{"));
        let Some(header) = line.and_then(|line| serde_json::from_slice(line).ok()) else {
            self.add_fault(Fault::Header);
            return 0;
        };
        self.header = header;
        if self.is_newer() {
            self.add_fault(Fault::Newer(self.header.format));
        }
        end.map_or(0, |end| end + 1)
    }

    fn read_index(&mut self, mut at: usize) {
        let mut last = 0;
        let mut frames_before = 0;
        while at < self.bytes.len() {
            let Some(info) = ChunkInfo::read(&self.bytes[at..]) else {
                match next_chunk(&self.bytes, at + 1) {
                    Some(next) => {
                        self.add_fault(Fault::Damaged);
                        at = next;
                        continue;
                    }
                    None => return self.add_fault(Fault::Cut),
                }
            };
            let start = at + INFO_BYTES;
            let packed = usize::try_from(info.packed_bytes).unwrap_or(usize::MAX);
            at = start.saturating_add(packed);
            if at > self.bytes.len() {
                return self.add_fault(Fault::Cut);
            }
            if info.first < last {
                self.add_fault(Fault::Damaged);
                continue;
            }
            last = info.last;
            self.chunks.push(IndexedChunk {
                info,
                start,
                frames_before,
            });
            frames_before += u64::from(info.frames);
        }
    }

    /// True if a newer version wrote the file.
    fn is_newer(&self) -> bool {
        self.header.format > FORMAT
    }

    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The faults that are known, each of them once. Damage inside a chunk is found when the chunk
    /// is played.
    pub fn faults(&self) -> &[Fault] {
        &self.faults
    }

    fn has_fault(&self, fault: Fault) -> bool {
        self.faults.contains(&fault)
    }

    pub(super) fn add_fault(&mut self, fault: Fault) {
        if !self.has_fault(fault) {
            self.faults.push(fault);
            self.faults.sort();
        }
    }

    /// The number of chunks.
    pub fn chunks(&self) -> usize {
        self.chunks.len()
    }

    /// The header of a chunk.
    pub fn info(&self, chunk: usize) -> Option<&ChunkInfo> {
        self.chunks.get(chunk).map(|chunk| &chunk.info)
    }

    /// The number of frames, including those of chunks that turn out to be damaged.
    pub fn frames(&self) -> u64 {
        let last = self.chunks.last();
        last.map_or(0, |last| last.frames_before + u64::from(last.info.frames))
    }

    /// The time of the last entry in milliseconds.
    pub fn last(&self) -> u32 {
        self.chunks.last().map_or(0, |chunk| chunk.info.last)
    }

    /// The number of frames before a chunk.
    pub(super) fn frames_before(&self, chunk: usize) -> u64 {
        self.chunks.get(chunk).map_or(0, |it| it.frames_before)
    }

    /// The chunk that has the last entry which is not later than `at`, or the first chunk.
    pub(super) fn chunk_at(&self, at: u32) -> usize {
        let later = self.chunks.partition_point(|chunk| chunk.info.first <= at);
        later.saturating_sub(1)
    }

    /// The chunk that has the frame with this number from 1; `None` if there is no such frame.
    pub(super) fn chunk_of_frame(&self, frame: u64) -> Option<usize> {
        let chunks = &self.chunks;
        let later = chunks.partition_point(|chunk| chunk.frames_before < frame);
        let is_there = (1..=self.frames()).contains(&frame);
        later.checked_sub(1).filter(|_| is_there)
    }

    pub fn unpack(&self, chunk: usize) -> Result<UnpackedChunk, Damaged> {
        let IndexedChunk { info, start, .. } = self.chunks.get(chunk).ok_or(Damaged)?;
        let packed = usize::try_from(info.packed_bytes).map_err(|_| Damaged)?;
        info.unpack(&self.bytes[*start..start + packed], self.is_newer())
    }
}

/// The index at which the next intact header of a chunk begins.
fn next_chunk(bytes: &[u8], from: usize) -> Option<usize> {
    let rest = bytes.get(from..)?;
    let mut starts = rest.windows(CHUNK_MAGIC.len()).enumerate();
    let next =
        starts.find(|(at, start)| *start == CHUNK_MAGIC && ChunkInfo::read(&rest[*at..]).is_some());
    next.map(|(at, _)| from + at)
}
