//! Decodes the terminal's bytes into events, with buffers of fixed size.
//!
//! A terminal also sends bytes that no key made: answers to questions, often another program's,
//! late or cut off. They are skipped, whole or not, and never become keys; of one alone, the colour
//! of the background, the content is kept. Time tells a person's key from the rest of something cut
//! off: it comes in as a value, counted from any moment.

use std::str;
use std::time::Duration;

use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};

use super::background::BackgroundAnswer;
use super::names::{Meaning, meaning};
use super::paste::Paste;

const ESC: u8 = 0x1b;
const BEL: u8 = 0x07;
const CTRL_C: u8 = 0x03;

/// The time that an escape waits for the next byte, before it is the key Esc.
pub const ESC_WAIT: Duration = Duration::from_millis(30);

/// The time that a sequence that has begun waits for its next bytes.
pub const CUT_WAIT: Duration = Duration::from_secs(1);

/// The time that a paste waits for its next bytes; it may come over a slow line.
pub const PASTE_WAIT: Duration = Duration::from_secs(2);

/// The time after which the rest of something cut off is no longer recognised.
pub const LATE: Duration = Duration::from_secs(5);

/// The silence before a key that a person pressed: such a key may confirm something, and such a
/// Ctrl-C that comes alone ends a paste.
pub const PAUSE: Duration = Duration::from_millis(50);

/// The longest sequence that has a meaning; those of a terminal are half as long.
const SEQUENCE: usize = 64;

/// The bytes that have come, and what they can still become.
#[derive(Default)]
pub struct Decoder {
    state: DecoderState,
    sequence: Sequence,
    paste: Paste,
    answer: BackgroundAnswer,
    /// The time of the last bytes.
    last: Duration,
    /// The keys, sequences and texts that began in the last read.
    begun: usize,
    /// The kind of sequence that was cut off, and the time until which its rest is recognised.
    cut: Option<(DecoderState, Duration)>,
}

#[derive(Clone, Copy, Default)]
enum DecoderState {
    #[default]
    Ground,
    /// The first bytes of a letter.
    Letter {
        bytes: [u8; 4],
        len: usize,
        alt: bool,
    },
    /// An escape, and perhaps one right before it.
    Escape {
        twice: bool,
    },
    /// The bytes after `ESC [` or `ESC O`, and perhaps an escape right before them.
    Sequence {
        alt: bool,
    },
    /// An answer in text: OSC, DCS, APC, PM, SOS.
    Text,
    /// The escape that ends it, or cuts it off.
    TextEscape,
    Paste,
}

/// A sequence that came whole, or as much of it as can have a meaning.
#[derive(Default)]
struct Sequence {
    bytes: Vec<u8>,
    /// Set where it has no meaning: it is too long, or its beginning was given up.
    is_lost: bool,
}

impl Sequence {
    fn begin(&mut self, introducer: u8) {
        self.bytes.clear();
        self.bytes.push(introducer);
        self.is_lost = false;
    }

    fn push(&mut self, byte: u8) {
        if self.bytes.len() < SEQUENCE { self.bytes.push(byte) } else { self.is_lost = true }
    }

    /// Returns true if bytes of any value follow: an old spelling of a click, a console's key.
    ///
    /// Such a click has no meaning here, and its bytes must not become keys.
    fn takes_any(&self) -> bool {
        !self.is_lost && matches!(self.bytes[..], [b'[', b'M', ..] | [b'[', b'['])
    }

    /// Returns true if this byte is its last.
    fn ends_with(&self, byte: u8) -> bool {
        match &self.bytes[..] {
            _ if self.is_lost => matches!(byte, 0x40..=0x7e),
            [b'['] if matches!(byte, b'M' | b'[') => false,
            [b'[', b'M', taken @ ..] => taken.len() == 2,
            // How rxvt spells Shift; after more than one number it is an answer's.
            [b'[', digits @ ..] if byte == b'$' && !digits.is_empty() => {
                digits.iter().all(u8::is_ascii_digit)
            }
            _ => matches!(byte, 0x40..=0x7e),
        }
    }
}

impl Decoder {
    /// The time until which bytes are waited for, where a sequence has begun and not ended.
    pub fn deadline(&self) -> Option<Duration> {
        let wait = match self.state {
            DecoderState::Ground | DecoderState::Letter { .. } => return None,
            DecoderState::Escape { .. } => ESC_WAIT,
            DecoderState::Sequence { .. } | DecoderState::Text | DecoderState::TextEscape => {
                CUT_WAIT
            }
            DecoderState::Paste => PASTE_WAIT,
        };
        Some(self.last + wait)
    }

    /// Takes the colour of the background, where an answer told it since this was asked last.
    pub fn background(&mut self) -> Option<[u8; 3]> {
        self.answer.take()
    }

    /// Returns true if exactly one key, sequence or text began in the last read, and ended in it.
    pub fn read_one_whole(&self) -> bool {
        self.begun == 1 && matches!(self.state, DecoderState::Ground)
    }

    /// Decodes the bytes of one read.
    pub fn read(&mut self, bytes: &[u8], now: Duration, tell: &mut dyn FnMut(Event)) {
        let pause = now.saturating_sub(std::mem::replace(&mut self.last, now));
        self.begun = 0;
        if matches!(self.state, DecoderState::Paste) && bytes == [CTRL_C] && pause >= PAUSE {
            self.paste.give_up();
            tell(control(CTRL_C, KeyModifiers::NONE));
            self.cut_off();
            return;
        }
        let mut rest = match self.cut.take() {
            Some((cut, until)) if now < until => self.go_on(cut, bytes),
            _ => bytes,
        };
        while let Some((&byte, others)) = rest.split_first() {
            rest = if matches!(self.state, DecoderState::Paste) {
                match self.paste.take(rest) {
                    Some(taken) => {
                        self.state = DecoderState::Ground;
                        if let Some(text) = self.paste.finish() {
                            tell(Event::Paste(text));
                        }
                        &rest[taken..]
                    }
                    None => &[],
                }
            } else {
                self.step(byte, tell);
                others
            };
        }
    }

    /// Ends what has begun, as nothing has come until the deadline.
    pub fn wait_is_over(&mut self, now: Duration, tell: &mut dyn FnMut(Event)) {
        if self.deadline().is_none_or(|at| now < at) {
            return;
        }
        match self.state {
            DecoderState::Ground | DecoderState::Letter { .. } => {}
            DecoderState::Escape { twice } => {
                (0..=usize::from(twice)).for_each(|_| tell(esc()));
                self.cut_off();
            }
            DecoderState::Sequence { alt: true } => {
                tell(esc());
                self.cut_off();
            }
            DecoderState::Sequence { .. } | DecoderState::Text | DecoderState::TextEscape => {
                self.cut_off();
            }
            DecoderState::Paste => {
                // Pressed while it still came in: only the person can end a paste without an end.
                if self.paste.give_up() {
                    tell(control(CTRL_C, KeyModifiers::NONE));
                }
                self.cut_off();
            }
        }
    }

    fn cut_off(&mut self) {
        let cut = std::mem::take(&mut self.state);
        // Its rest is let pass, and what it said is not put together from pieces.
        self.answer.forget();
        self.cut = Some((cut, self.last + LATE));
    }

    /// Takes up what was cut off where these bytes can be its rest, and returns those that are
    /// still to be read. A person's key comes alone; bytes that come together are the terminal's.
    fn go_on<'a>(&mut self, cut: DecoderState, bytes: &'a [u8]) -> &'a [u8] {
        let Some((&first, others)) = bytes.split_first() else { return bytes };
        let is_alone = others.is_empty();
        match cut {
            DecoderState::Escape { .. } if follows_escape(first, others) => {
                self.state = DecoderState::Escape { twice: false };
            }
            // A letter alone may be its last byte. A key that is lost can be pressed again; one
            // that was never pressed may do something.
            DecoderState::Sequence { .. } if matches!(first, 0x40..=0x7e) => return others,
            DecoderState::Sequence { .. } if matches!(first, 0x20..=0x3f) && !is_alone => {
                self.sequence.is_lost = true;
                self.state = DecoderState::Sequence { alt: false };
            }
            DecoderState::TextEscape if first == b'\\' => return others,
            DecoderState::Text | DecoderState::TextEscape if first == BEL => return others,
            DecoderState::Text | DecoderState::TextEscape if !is_alone && is_text(first) => {
                self.state = DecoderState::Text;
            }
            DecoderState::Paste if !is_alone && first != ESC => {
                self.paste.begin(true);
                self.state = DecoderState::Paste;
            }
            _ => {}
        }
        bytes
    }

    fn step(&mut self, byte: u8, tell: &mut dyn FnMut(Event)) {
        match self.state {
            DecoderState::Ground | DecoderState::Paste => self.ground(byte, false, tell),
            DecoderState::Letter { bytes, len, alt } => self.letter(bytes, len, alt, byte, tell),
            DecoderState::Escape { twice } => self.escape(twice, byte, tell),
            DecoderState::Sequence { alt } => self.in_sequence(alt, byte, tell),
            DecoderState::Text => match byte {
                BEL => self.end_text(),
                ESC => self.state = DecoderState::TextEscape,
                _ if is_text(byte) => self.answer.push(byte),
                // No answer has one of these: the person wants to get out.
                _ => self.ground(byte, false, tell),
            },
            DecoderState::TextEscape => match byte {
                b'\\' => self.end_text(),
                ESC => self.state = DecoderState::Escape { twice: false },
                _ if is_control(byte) => self.ground(byte, false, tell),
                _ => self.escape(false, byte, tell),
            },
        }
    }

    fn end_text(&mut self) {
        self.state = DecoderState::Ground;
        self.answer.end();
    }

    /// A key of one byte, the beginning of a letter, or an escape.
    fn ground(&mut self, byte: u8, alt: bool, tell: &mut dyn FnMut(Event)) {
        self.state = DecoderState::Ground;
        self.begun += usize::from(!alt);
        let held = if alt { KeyModifiers::ALT } else { KeyModifiers::NONE };
        match byte {
            ESC => self.state = DecoderState::Escape { twice: false },
            b'\r' => tell(key(KeyCode::Enter, held)),
            b'\t' => tell(key(KeyCode::Tab, held)),
            0x7f => tell(key(KeyCode::Backspace, held)),
            0x00..=0x1f => tell(control(byte, held)),
            0x20..=0x7e => tell(typed(char::from(byte), held)),
            0xc2..=0xf4 => {
                self.state = DecoderState::Letter { bytes: [byte, 0, 0, 0], len: 1, alt };
            }
            // No letter begins like this.
            0x80..=0xc1 | 0xf5.. => {}
        }
    }

    fn letter(
        &mut self,
        mut bytes: [u8; 4],
        len: usize,
        alt: bool,
        byte: u8,
        tell: &mut dyn FnMut(Event),
    ) {
        if !matches!(byte, 0x80..=0xbf) {
            return self.ground(byte, false, tell);
        }
        bytes[len] = byte;
        let len = len + 1;
        let whole = match bytes[0] {
            0xe0..=0xef => 3,
            0xf0.. => 4,
            _ => 2,
        };
        if len < whole {
            self.state = DecoderState::Letter { bytes, len, alt };
            return;
        }
        self.state = DecoderState::Ground;
        let letter = str::from_utf8(&bytes[..len]).ok().and_then(|text| text.chars().next());
        // A control character that is spelled like a letter is no key.
        if let Some(letter) = letter.filter(|letter| !letter.is_control()) {
            tell(typed(letter, if alt { KeyModifiers::ALT } else { KeyModifiers::NONE }));
        }
    }

    fn escape(&mut self, twice: bool, byte: u8, tell: &mut dyn FnMut(Event)) {
        if matches!(byte, b'[' | b'O') {
            self.sequence.begin(byte);
            self.state = DecoderState::Sequence { alt: twice };
            return;
        }
        // The first of two was a key of its own.
        if twice {
            tell(esc());
        }
        match byte {
            ESC => self.state = DecoderState::Escape { twice: true },
            b']' | b'P' | b'X' | b'^' | b'_' => {
                self.answer.begin(byte);
                self.state = DecoderState::Text;
            }
            // The end of an answer whose beginning is gone.
            b'\\' => self.state = DecoderState::Ground,
            _ => self.ground(byte, true, tell),
        }
    }

    fn in_sequence(&mut self, alt: bool, byte: u8, tell: &mut dyn FnMut(Event)) {
        let belongs = self.sequence.takes_any() || matches!(byte, 0x20..=0x7e);
        if !belongs {
            // Cut off by something else.
            if alt {
                tell(esc());
            }
            return self.ground(byte, false, tell);
        }
        let is_whole = self.sequence.ends_with(byte);
        self.sequence.push(byte);
        if !is_whole {
            return;
        }
        self.state = DecoderState::Ground;
        let is_lost = self.sequence.is_lost;
        let meaning = if is_lost { Meaning::Nothing } else { meaning(&self.sequence.bytes) };
        match meaning {
            // How rxvt and others spell Alt.
            Meaning::Event(Event::Key(mut key)) if alt => {
                key.modifiers |= KeyModifiers::ALT;
                tell(Event::Key(key));
            }
            meaning => {
                if alt {
                    tell(esc());
                }
                match meaning {
                    Meaning::Event(event) => tell(event),
                    Meaning::Paste => {
                        self.paste.begin(false);
                        self.state = DecoderState::Paste;
                    }
                    Meaning::Nothing => {}
                }
            }
        }
    }
}

fn is_control(byte: u8) -> bool {
    byte < 0x20 || byte == 0x7f
}

/// Returns true if an answer in text may hold this byte; some break their lines.
fn is_text(byte: u8) -> bool {
    !is_control(byte) || matches!(byte, b'\r' | b'\n' | b'\t')
}

/// Returns true if these bytes continue an escape that was taken for the key.
fn follows_escape(first: u8, others: &[u8]) -> bool {
    let Some(&second) = others.first() else { return false };
    match first {
        b'[' => matches!(second, 0x20..=0x7e),
        b']' => second.is_ascii_digit(),
        b'P' => matches!(second, b'0'..=b'9' | b'>' | b'!' | b'+' | b'$'),
        b'_' => second == b'G',
        _ => false,
    }
}

fn key(code: KeyCode, held: KeyModifiers) -> Event {
    Event::Key(KeyEvent::new(code, held))
}

fn esc() -> Event {
    key(KeyCode::Esc, KeyModifiers::NONE)
}

fn control(byte: u8, held: KeyModifiers) -> Event {
    let name = match byte {
        0x00 => ' ',
        0x01..=0x1a => char::from(byte - 0x01 + b'a'),
        _ => char::from(byte.wrapping_sub(0x1c).wrapping_add(b'4')),
    };
    key(KeyCode::Char(name), held | KeyModifiers::CONTROL)
}

fn typed(letter: char, held: KeyModifiers) -> Event {
    let shift = if letter.is_uppercase() { KeyModifiers::SHIFT } else { KeyModifiers::NONE };
    key(KeyCode::Char(letter), held | shift)
}

#[cfg(test)]
mod tests;
