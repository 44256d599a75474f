//! A place in a recording, from which a player steps and jumps.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::chunk::{ChunkInfo, UnpackedChunk};
use super::entry::{Entry, Event, What};
use super::reader::{Fault, Recording};
use super::screen::Screen;
use crate::trade::search::searchable_in_full;

/// The number of damaged chunks after which the rest of a file is not played. It bounds the time
/// that a hostile file takes.
const MAX_DAMAGED: usize = 100;

/// The number of unpacked chunks that are kept: enough for steps to and fro between two chunks.
const KEPT: usize = 2;

/// An entry to look for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Goal {
    Entry,
    Frame,
    Event,
    Mark,
    Error,
    Request,
    /// A frame that draws a text, given without case and accents.
    Text(String),
    /// An entry that is not later than this time in milliseconds.
    Until(u32),
}

impl Goal {
    /// A frame that draws this text, in any case and with or without accents.
    pub fn text(text: &str) -> Goal {
        Goal::Text(searchable_in_full(text))
    }

    /// True if a chunk with this header may have such an entry.
    fn may_be_in(&self, chunk: &ChunkInfo) -> bool {
        match self {
            Goal::Entry => true,
            Goal::Frame | Goal::Text(_) => chunk.frames > 0,
            Goal::Event => chunk.events > 0,
            Goal::Mark => chunk.marks > 0,
            Goal::Error => chunk.errors > 0,
            Goal::Request => chunk.requests > 0,
            Goal::Until(at) => chunk.first <= *at,
        }
    }

    fn is_met(&self, entry: &Entry) -> bool {
        match (self, &entry.what) {
            (Goal::Entry, _) | (Goal::Frame, What::Frame(_)) => true,
            (Goal::Event, what) => !matches!(what, What::Frame(_)),
            (Goal::Mark, What::Event(Event::Mark)) => true,
            (Goal::Request, What::Event(Event::Request { .. })) => true,
            (Goal::Error, What::Event(event)) => event.is_error(),
            (Goal::Text(text), What::Frame(frame)) => {
                let mut rows = frame.rows.iter();
                rows.any(|(_, row)| searchable_in_full(&row.text()).contains(text))
            }
            (Goal::Until(at), _) => entry.at <= *at,
            _ => false,
        }
    }
}

/// A search for an entry. It may take several calls of [`Cursor::advance`].
#[derive(Debug, Clone)]
pub struct Scan {
    goal: Goal,
    is_back: bool,
    /// The chunk to search next.
    chunk: usize,
    /// The entries of that chunk that were searched already, from its start or from its end. `None`
    /// if all of it is to be searched.
    beyond: Option<usize>,
    /// The number of matches to pass over.
    skip: usize,
}

/// The result of a part of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// The cursor is at the entry.
    Found,
    /// There is no such entry, and the cursor has not moved.
    NotFound,
    /// The rest of the recording is to be searched.
    Unfinished,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Place {
    chunk: usize,
    entry: usize,
}

/// A recording and a place in it. The place is an entry: its screen is the one after that entry.
#[derive(Debug)]
pub struct Cursor {
    recording: Recording,
    /// `None` before the first entry was found.
    place: Option<Place>,
    /// The chunks that were unpacked last, the newest one first, and always that of the place.
    unpacked: Vec<(usize, Arc<UnpackedChunk>)>,
    damaged: BTreeSet<usize>,
    /// The number of chunks that were unpacked so far, for tests.
    unpack_count: usize,
}

impl Cursor {
    /// Begins at the first entry that can be played.
    pub fn new(recording: Recording) -> Cursor {
        let mut cursor = Cursor {
            recording,
            place: None,
            unpacked: Vec::new(),
            damaged: BTreeSet::new(),
            unpack_count: 0,
        };
        cursor.finish(&mut Cursor::from_start(Goal::Entry));
        cursor
    }

    pub fn recording(&self) -> &Recording {
        &self.recording
    }

    /// A search from the start of the recording.
    pub fn from_start(goal: Goal) -> Scan {
        Scan {
            goal,
            is_back: false,
            chunk: 0,
            beyond: None,
            skip: 0,
        }
    }

    /// A search for the last entry of the recording.
    pub fn from_end(&self, goal: Goal) -> Scan {
        Scan {
            is_back: true,
            chunk: self.recording.chunks().saturating_sub(1),
            ..Cursor::from_start(goal)
        }
    }

    /// A search for the next or previous entry.
    ///
    /// The previous frame is the one before the frame that is shown, so that a step back and a step
    /// forward lead to the same screen from any entry.
    pub fn from_here(&self, goal: Goal, is_back: bool) -> Scan {
        let Some(place) = self.place else {
            return Cursor::from_start(goal);
        };
        let is_between = goal == Goal::Frame && !self.is_at_frame();
        Scan {
            goal,
            is_back,
            chunk: place.chunk,
            beyond: Some(if is_back {
                place.entry
            } else {
                place.entry + 1
            }),
            skip: usize::from(is_back && is_between),
        }
    }

    /// A search for the last entry that is not later than this time in milliseconds.
    pub fn until(&self, at: u32) -> Scan {
        Scan {
            is_back: true,
            chunk: self.recording.chunk_at(at),
            ..Cursor::from_start(Goal::Until(at))
        }
    }

    /// A search for the frame with this number, counted from 1. `None` if there is no such frame.
    pub fn to_frame(&self, frame: u64) -> Option<Scan> {
        let chunk = self.recording.chunk_of_frame(frame)?;
        let skip = frame - self.recording.frames_before(chunk) - 1;
        Some(Scan {
            chunk,
            skip: usize::try_from(skip).ok()?,
            ..Cursor::from_start(Goal::Frame)
        })
    }

    /// Completes a search. Returns true if the entry was found.
    pub fn finish(&mut self, scan: &mut Scan) -> bool {
        loop {
            match self.advance(scan, usize::MAX) {
                Progress::Found => return true,
                Progress::NotFound => return false,
                Progress::Unfinished => {}
            }
        }
    }

    /// Continues a search. Unpacks at most `max_chunks` chunks.
    pub fn advance(&mut self, scan: &mut Scan, max_chunks: usize) -> Progress {
        let limit = self.unpack_count.saturating_add(max_chunks);
        loop {
            let Some(info) = self.recording.info(scan.chunk) else {
                return Progress::NotFound;
            };
            if scan.goal.may_be_in(info) {
                if self.unpack_count >= limit && self.kept(scan.chunk).is_none() {
                    return Progress::Unfinished;
                }
                if let Some(entry) = self.search_chunk(scan) {
                    let chunk = scan.chunk;
                    self.place = Some(Place { chunk, entry });
                    return Progress::Found;
                }
            }
            scan.beyond = None;
            let next = if scan.is_back {
                scan.chunk.checked_sub(1)
            } else {
                Some(scan.chunk + 1)
            };
            match next.filter(|_| self.damaged.len() < MAX_DAMAGED) {
                Some(next) => scan.chunk = next,
                None => return Progress::NotFound,
            }
        }
    }

    /// Searches the rest of a chunk. Returns the index of the entry.
    fn search_chunk(&mut self, scan: &mut Scan) -> Option<usize> {
        let chunk = self.unpack(scan.chunk)?;
        let len = chunk.entries.len();
        let (range, is_back) = match (scan.beyond, scan.is_back) {
            (None, is_back) => (0..len, is_back),
            (Some(end), true) => (0..end.min(len), true),
            (Some(start), false) => (start.min(len)..len, false),
        };
        let mut is_match = |index: &usize| {
            if !scan.goal.is_met(&chunk.entries[*index]) {
                return false;
            }
            let is_found = scan.skip == 0;
            scan.skip = scan.skip.saturating_sub(1);
            is_found
        };
        if is_back {
            range.rev().find(&mut is_match)
        } else {
            range.into_iter().find(&mut is_match)
        }
    }

    /// A chunk that is unpacked already.
    fn kept(&self, chunk: usize) -> Option<&Arc<UnpackedChunk>> {
        let mut unpacked = self.unpacked.iter();
        unpacked.find(|(at, _)| *at == chunk).map(|(_, it)| it)
    }

    fn unpack(&mut self, chunk: usize) -> Option<Arc<UnpackedChunk>> {
        if let Some(kept) = self.kept(chunk) {
            return Some(kept.clone());
        }
        if self.damaged.contains(&chunk) {
            return None;
        }
        self.unpack_count += 1;
        let Ok(unpacked) = self.recording.unpack(chunk) else {
            self.damaged.insert(chunk);
            self.recording.add_fault(Fault::Damaged);
            return None;
        };
        let unpacked = Arc::new(unpacked);
        self.unpacked.insert(0, (chunk, unpacked.clone()));
        if self.unpacked.len() > KEPT {
            let here = self.place.map(|place| place.chunk);
            let oldest = self.unpacked.iter().rposition(|(at, _)| Some(*at) != here);
            oldest.map(|oldest| self.unpacked.remove(oldest));
        }
        Some(unpacked)
    }

    /// The place and its chunk, which is always kept.
    fn current(&self) -> Option<(&UnpackedChunk, Place)> {
        let place = self.place?;
        Some((self.kept(place.chunk)?, place))
    }

    /// The entry at the place; `None` if no entry can be played.
    pub fn entry(&self) -> Option<&Entry> {
        let (chunk, place) = self.current()?;
        chunk.entries.get(place.entry)
    }

    fn is_at_frame(&self) -> bool {
        let entry = self.entry();
        entry.is_some_and(|entry| matches!(entry.what, What::Frame(_)))
    }

    /// The screen after the entry at the place.
    pub fn screen(&self) -> Screen {
        let current = self.current();
        current.map_or_else(Screen::default, |(chunk, place)| {
            chunk.screen_after(place.entry)
        })
    }

    /// The number of the frame that is shown, from 1. It is 0 before the first frame, if the start
    /// of the recording is missing.
    pub fn frame(&self) -> u64 {
        let Some((chunk, place)) = self.current() else {
            return 0;
        };
        let entries = chunk.entries.iter().take(place.entry + 1);
        let frames = entries.filter(|entry| matches!(entry.what, What::Frame(_)));
        let frames = u64::try_from(frames.count()).unwrap_or(u64::MAX);
        self.recording.frames_before(place.chunk) + frames
    }

    /// The last events up to the place, from the newest to the oldest. Only those of the same chunk
    /// are returned.
    pub fn recent_events(&self) -> impl Iterator<Item = &Entry> {
        let current = self.current();
        let entries = current.map(|(chunk, place)| &chunk.entries[..=place.entry]);
        let newest_first = entries.unwrap_or_default().iter().rev();
        newest_first.filter(|entry| !matches!(entry.what, What::Frame(_)))
    }

    /// The time of the next entry in milliseconds; `None` at the end.
    pub fn next_at(&self) -> Option<u32> {
        let (chunk, place) = self.current()?;
        if let Some(next) = chunk.entries.get(place.entry + 1) {
            return Some(next.at);
        }
        let mut next = (place.chunk + 1..self.recording.chunks())
            .filter(|chunk| !self.damaged.contains(chunk));
        Some(self.recording.info(next.next()?)?.first)
    }

    /// The number of chunks that were unpacked so far.
    #[cfg(test)]
    pub(super) fn unpack_count(&self) -> usize {
        self.unpack_count
    }
}
