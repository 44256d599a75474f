//! Passes the bytes of each read to the decoder, and adds timing information (the pace) to the
//! decoded events.

use std::time::Instant;

use crossterm::event::Event;

use super::TimedEvent;
use super::background::OnBackground;
use super::decoder::Decoder;
use crate::app::ui::input::Pace;
use crate::runtime::{clocks, keyboard};

/// The size of the read buffer in bytes. A terminal never has more input available at once.
const CHUNK: usize = 4_096;

/// The read buffer and the decoder.
pub struct TypedBytes {
    /// The start of the time scale that the decoder uses.
    start: Instant,
    decoder: Decoder,
    /// The only buffer for input bytes. The buffer is erased after each read, because the bytes may
    /// be a password.
    bytes: Box<[u8; CHUNK]>,
    on_colour: Option<OnBackground>,
}

impl TypedBytes {
    /// Creates the decoder. The optional callback receives the terminal's background colour, if a
    /// reply contains it.
    pub fn new(on_colour: Option<OnBackground>) -> TypedBytes {
        let bytes = Box::new([0; CHUNK]);
        TypedBytes { start: clocks::instant(), decoder: Decoder::default(), bytes, on_colour }
    }

    /// Returns the time until which the decoder waits for more bytes of an incomplete sequence.
    pub fn deadline(&self) -> Option<Instant> {
        self.decoder.deadline().map(|at| self.start + at)
    }

    /// Returns the buffer for the next read.
    pub fn buffer(&mut self) -> &mut [u8] {
        &mut self.bytes[..]
    }

    /// Decodes the first `count` bytes of the buffer. `after_silence` is true if a pause without
    /// input came before these bytes.
    ///
    /// A full buffer never counts as a single key press, because more bytes may be waiting.
    pub fn take(&mut self, count: usize, after_silence: bool, tell: &mut dyn FnMut(TimedEvent)) {
        let mut events = Vec::new();
        let mut keep = |event| events.push(event);
        self.decoder.read(&self.bytes[..count], self.start.elapsed(), &mut keep);
        self.bytes[..count].fill(0);
        // A click counts as one input even if the same read contains the release of the mouse
        // button, because a release creates no event.
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
            tell(TimedEvent { event, pace });
        }
        if let Some(colour) = self.decoder.background()
            && let Some(on_colour) = self.on_colour.take()
        {
            on_colour(colour);
        }
    }

    /// Handles the timeout of an incomplete sequence.
    ///
    /// The resulting event, such as the Esc key, never counts as deliberate, so it cannot confirm
    /// anything.
    pub fn wait_is_over(&mut self, tell: &mut dyn FnMut(TimedEvent)) {
        let pace = Pace::Close;
        let now = self.decoder.deadline().unwrap_or_default();
        self.decoder.wait_is_over(now, &mut |event| tell(TimedEvent { event, pace }));
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
        let (on_colour, heard) = mpsc::sync_channel(1);
        let mut reading =
            TypedBytes::new(Some(Box::new(move |colour| on_colour.send(colour).unwrap())));
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
            // A press of the mouse button together with its release counts as one deliberate click.
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
        // The character and the Tab key arrived in the same read, so neither counts as deliberate.
        assert_eq!(paces(b"0\t", false), [Pace::Together; 2]);
        let expected = [begins, follows, Pace::Together, begins, follows];
        assert_eq!(paces(b"10\tab", true), expected);
    }
}
