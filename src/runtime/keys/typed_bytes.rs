//! The bytes of one read, and the decoder that they go to, for both ways of waiting for them.

use std::time::Instant;

use crossterm::event::Event;
use zeroize::{Zeroize, Zeroizing};

use super::background::HearBackground;
use super::decoder::Decoder;
use crate::runtime::clocks;

/// The most bytes of one read; the system has no more than this ready.
const CHUNK: usize = 4_096;

/// What was read so far, and what it can still become.
pub struct TypedBytes {
    /// The moment that the decoder's times are counted from.
    start: Instant,
    decoder: Decoder,
    /// The bytes may be a password: they are read into one buffer, which is wiped at once.
    bytes: Zeroizing<[u8; CHUNK]>,
    hear: Option<HearBackground>,
}

impl TypedBytes {
    /// Begins now; a colour of the background goes to the one who asked for it.
    pub fn new(hear: Option<HearBackground>) -> TypedBytes {
        let bytes = Zeroizing::new([0; CHUNK]);
        TypedBytes { start: clocks::instant(), decoder: Decoder::default(), bytes, hear }
    }

    /// The time until which a sequence that has begun waits for its next bytes.
    pub fn deadline(&self) -> Option<Instant> {
        self.decoder.deadline().map(|at| self.start + at)
    }

    /// The room for the next bytes.
    pub fn buffer(&mut self) -> &mut [u8] {
        &mut self.bytes[..]
    }

    /// Takes the bytes that were read into the buffer.
    pub fn take(&mut self, count: usize, tell: &mut dyn FnMut(Event)) {
        self.decoder.read(&self.bytes[..count], self.start.elapsed(), tell);
        self.bytes[..count].zeroize();
        if let Some(colour) = self.decoder.background()
            && let Some(hear) = self.hear.take()
        {
            hear(colour);
        }
    }

    /// Takes note that the deadline passed without bytes.
    pub fn wait_is_over(&mut self, tell: &mut dyn FnMut(Event)) {
        self.decoder.wait_is_over(self.decoder.deadline().unwrap_or_default(), tell);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use crossterm::event::KeyCode;

    use super::*;

    #[test]
    fn a_background_among_keys_is_heard_once_and_the_keys_are_keys() {
        let (hear, heard) = mpsc::sync_channel(1);
        let mut reading = TypedBytes::new(Some(Box::new(move |colour| hear.send(colour).unwrap())));
        let mut typed = Vec::new();
        for bytes in [
            b"a\x1b]11;rgb:ffff/ffff/ffff\x1b\\b\x1b]11;rgb:0/0/0\x07c".as_slice(),
            b"\x1b]11;rgb:ffff/ffff/ffff\x1b\\",
        ] {
            reading.buffer()[..bytes.len()].copy_from_slice(bytes);
            reading.take(bytes.len(), &mut |event| typed.push(event));
            assert!(reading.buffer().iter().all(|byte| *byte == 0), "nothing of it stays");
        }
        assert_eq!(typed, ['a', 'b', 'c'].map(|letter| Event::Key(KeyCode::Char(letter).into())));
        assert_eq!(heard.iter().collect::<Vec<_>>(), [[0; 3]], "the last of the first read");
    }
}
