//! The bytes of one read, and the decoder that they go to.

use std::time::Instant;

use crossterm::event::Event;

use super::Arrived;
use super::background::HearBackground;
use super::decoder::Decoder;
use crate::app::ui::input::Pace;
use crate::runtime::{clocks, keyboard};

/// The most bytes of one read; the system has no more than this ready.
const CHUNK: usize = 4_096;

/// What was read so far, and what it can still become.
pub struct TypedBytes {
    /// The moment that the decoder's times are counted from.
    start: Instant,
    decoder: Decoder,
    /// The bytes may be a password: they are read into one buffer, which is wiped at once.
    bytes: Box<[u8; CHUNK]>,
    hear: Option<HearBackground>,
}

impl TypedBytes {
    /// Begins now; a colour of the background goes to the one who asked for it.
    pub fn new(hear: Option<HearBackground>) -> TypedBytes {
        let bytes = Box::new([0; CHUNK]);
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

    /// Takes the bytes that were read into the buffer; `after_silence` is true if nothing was
    /// readable for a pause before them.
    ///
    /// A full buffer is never one key: more may be waiting.
    pub fn take(&mut self, count: usize, after_silence: bool, tell: &mut dyn FnMut(Arrived)) {
        let mut events = Vec::new();
        let mut keep = |event| events.push(event);
        self.decoder.read(&self.bytes[..count], self.start.elapsed(), &mut keep);
        self.bytes[..count].fill(0);
        // The end of a click follows its beginning at once, and has no event.
        let is_click = matches!(events[..], [Event::Mouse(_)]);
        let is_one = count < CHUNK && (self.decoder.read_one_whole() || is_click);
        let mut events = events.into_iter().peekable();
        let mut follows_text = false;
        while let Some(event) = events.next() {
            let has_text = is_text(&event);
            let pace = match (is_one, after_silence) {
                (true, true) => Pace::Deliberate,
                (true, false) => Pace::Close,
                _ if has_text && (follows_text || events.peek().is_some_and(is_text)) => {
                    Pace::Text { begins: !follows_text }
                }
                _ => Pace::Together,
            };
            follows_text = has_text;
            tell(Arrived { event, pace });
        }
        if let Some(colour) = self.decoder.background()
            && let Some(hear) = self.hear.take()
        {
            hear(colour);
        }
    }

    /// Takes note that the deadline passed without bytes.
    ///
    /// What it ends (Esc is one) began in an earlier read, and confirms nothing.
    pub fn wait_is_over(&mut self, tell: &mut dyn FnMut(Arrived)) {
        let pace = Pace::Close;
        let now = self.decoder.deadline().unwrap_or_default();
        self.decoder.wait_is_over(now, &mut |event| tell(Arrived { event, pace }));
    }
}

fn is_text(event: &Event) -> bool {
    let Event::Key(key) = event else { return false };
    keyboard::key_of(key).is_some_and(|key| key.text().is_some())
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use crossterm::event::KeyCode;

    use super::*;

    #[test]
    fn background_among_keys_is_reported_once() {
        let (hear, heard) = mpsc::sync_channel(1);
        let mut reading = TypedBytes::new(Some(Box::new(move |colour| hear.send(colour).unwrap())));
        let mut typed = Vec::new();
        for bytes in [
            b"a\x1b]11;rgb:ffff/ffff/ffff\x1b\\b\x1b]11;rgb:0/0/0\x07c".as_slice(),
            b"\x1b]11;rgb:ffff/ffff/ffff\x1b\\",
        ] {
            reading.buffer()[..bytes.len()].copy_from_slice(bytes);
            reading.take(bytes.len(), true, &mut |arrived| typed.push(arrived.event));
            assert!(reading.buffer().iter().all(|byte| *byte == 0), "nothing of it stays");
        }
        assert_eq!(typed, ['a', 'b', 'c'].map(|letter| Event::Key(KeyCode::Char(letter).into())));
        assert_eq!(heard.iter().collect::<Vec<_>>(), [[0; 3]], "the last of the first read");
    }

    fn paces(bytes: &[u8], after_silence: bool) -> Vec<Pace> {
        let mut reading = TypedBytes::new(None);
        reading.buffer()[..bytes.len()].copy_from_slice(bytes);
        let mut paces = Vec::new();
        reading.take(bytes.len(), after_silence, &mut |arrived| paces.push(arrived.pace));
        paces
    }

    #[test]
    fn single_key_after_silence_is_deliberate() {
        for (bytes, after_silence, expected) in [
            (b"\r".as_slice(), true, Pace::Deliberate),
            (b"\r", false, Pace::Close),
            (b"\x1b[B", true, Pace::Deliberate),
            (b"\x1b[<0;5;5M", true, Pace::Deliberate),
            // A click whose end came with it is one click.
            (b"\x1b[<0;5;5M\x1b[<0;5;5m", true, Pace::Deliberate),
        ] {
            assert_eq!(paces(bytes, after_silence), [expected], "{}", bytes.escape_ascii());
        }
        assert_eq!(paces(b"\x1b[B\r", true), [Pace::Together; 2]);
        assert_eq!(paces(b"\x1b[201~\r", true), [Pace::Together]);
        let full = [b'\r'; CHUNK];
        assert!(paces(&full, true).iter().all(|pace| *pace == Pace::Together));
    }

    #[test]
    fn characters_of_one_read_are_a_text() {
        let (begins, follows) = (Pace::Text { begins: true }, Pace::Text { begins: false });
        assert_eq!(paces(b"49,9", true), [begins, follows, follows, follows]);
        // A last digit and the key that leaves the field are no text.
        assert_eq!(paces(b"0\t", false), [Pace::Together; 2]);
        let expected = [begins, follows, Pace::Together, begins, follows];
        assert_eq!(paces(b"10\tab", true), expected);
    }
}
