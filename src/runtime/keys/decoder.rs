//! Decodes the terminal's bytes into events, with buffers of fixed size.
//!
//! Besides key presses, a terminal sends replies to queries. A reply may be late or cut off, or may
//! answer a query of another program. The decoder never reports a reply as a key press. It uses
//! timing to distinguish a key press from the rest of a sequence that was cut off. The caller
//! passes the time as a `Duration` since any fixed start.

use std::str;
use std::time::Duration;

use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};

use super::Reply;
use super::background::BackgroundReply;
use super::paste::Paste;
use super::sequences::{Meaning, parse_sequence};

const ESC: u8 = 0x1b;
const BEL: u8 = 0x07;
const CTRL_C: u8 = 0x03;

/// The time to wait for another byte after an escape byte. If none arrives, the escape byte counts
/// as the Esc key.
pub const ESC_TIMEOUT: Duration = Duration::from_millis(30);

/// The time to wait for the next bytes of an incomplete escape sequence before it counts as cut
/// off.
pub const SEQUENCE_TIMEOUT: Duration = Duration::from_secs(1);

/// The time to wait for the next bytes of a paste, which may arrive over a slow connection.
pub const PASTE_TIMEOUT: Duration = Duration::from_secs(2);

/// The maximum time between the cut-off of a sequence and the arrival of its rest. Later bytes are
/// treated as new input.
pub const LATE_REST_LIMIT: Duration = Duration::from_secs(5);

/// The minimum pause in the input before a key press counts as deliberate. Only a deliberate key
/// press can confirm an action, and only a deliberate Ctrl-C can abort a paste.
pub const MIN_PAUSE: Duration = Duration::from_millis(50);

/// The maximum length of an escape sequence in bytes. Real terminals send sequences of at most half
/// this length.
const MAX_SEQUENCE_BYTES: usize = 64;

/// Decodes the bytes that the terminal sends. Keeps an incomplete sequence until the next read.
#[derive(Default)]
pub struct Decoder {
    state: DecoderState,
    sequence: Sequence,
    paste: Paste,
    background_reply: BackgroundReply,
    /// The replies that have arrived since the last call of [`Decoder::replies`].
    replies: Vec<Reply>,
    /// The time at which the last bytes were read.
    last: Duration,
    /// The number of keys, escape sequences and replies that began within the last read.
    started_count: usize,
    /// The decoder's state when a sequence was cut off, and the time until which the rest of that
    /// sequence is recognized.
    cut_off: Option<(DecoderState, Duration)>,
}

#[derive(Clone, Copy, Default)]
enum DecoderState {
    #[default]
    Ground,
    /// The first bytes of a multi-byte character were read.
    Letter {
        bytes: [u8; 4],
        len: usize,
        alt: bool,
    },
    /// An escape byte was read. If `twice` is true, two escape bytes were read.
    Escape {
        twice: bool,
    },
    /// `ESC [` or `ESC O` was read. If `alt` is true, another escape byte was read before them.
    Sequence {
        alt: bool,
    },
    /// The text of a reply (OSC, DCS, APC, PM or SOS) is being read.
    Text,
    /// An escape byte was read in the text of a reply. The next byte shows whether the reply is
    /// complete or was cut off.
    TextEscape,
    Paste,
}

/// The bytes of an escape sequence after the escape byte, up to the maximum length.
#[derive(Default)]
struct Sequence {
    bytes: Vec<u8>,
    /// True if the sequence must be ignored, because it is too long or its beginning was lost.
    is_ignored: bool,
}

impl Sequence {
    fn begin(&mut self, introducer: u8) {
        self.bytes.clear();
        self.bytes.push(introducer);
        self.is_ignored = false;
    }

    fn push(&mut self, byte: u8) {
        if self.bytes.len() < MAX_SEQUENCE_BYTES {
            self.bytes.push(byte)
        } else {
            self.is_ignored = true
        }
    }

    /// True if the next byte belongs to the sequence, whatever its value. This is so for the Linux
    /// console's function keys and for the old encoding of clicks.
    ///
    /// Clicks in the old encoding are ignored, but their bytes must not become key presses.
    fn accepts_any_byte(&self) -> bool {
        !self.is_ignored && matches!(self.bytes[..], [b'[', b'M', ..] | [b'[', b'['])
    }

    fn ends_with(&self, byte: u8) -> bool {
        match &self.bytes[..] {
            _ if self.is_ignored => matches!(byte, 0x40..=0x7e),
            [b'['] if matches!(byte, b'M' | b'[') => false,
            [b'[', b'M', click_bytes @ ..] => click_bytes.len() == 2,
            // In rxvt, `$` after a single number ends the sequence for a key press with Shift.
            // After several numbers, `$` is part of a reply to a query.
            [b'[', digits @ ..] if byte == b'$' && !digits.is_empty() => {
                digits.iter().all(u8::is_ascii_digit)
            }
            _ => matches!(byte, 0x40..=0x7e),
        }
    }
}

impl Decoder {
    /// The time until which the decoder waits for the rest of an incomplete sequence, if there is
    /// one.
    pub fn deadline(&self) -> Option<Duration> {
        let wait = match self.state {
            DecoderState::Ground | DecoderState::Letter { .. } => return None,
            DecoderState::Escape { .. } => ESC_TIMEOUT,
            DecoderState::Sequence { .. } | DecoderState::Text | DecoderState::TextEscape => {
                SEQUENCE_TIMEOUT
            }
            DecoderState::Paste => PASTE_TIMEOUT,
        };
        Some(self.last + wait)
    }

    /// The replies that have arrived since the last call.
    pub fn replies(&mut self) -> Vec<Reply> {
        std::mem::take(&mut self.replies)
    }

    /// The number of keys, sequences and replies that began in the last read. Returns `None` if the
    /// last one is incomplete.
    pub fn input_count_if_complete(&self) -> Option<usize> {
        matches!(self.state, DecoderState::Ground).then_some(self.started_count)
    }

    /// Decodes the bytes of one read from the terminal, and calls `emit` with each event.
    pub fn read(&mut self, bytes: &[u8], now: Duration, emit: &mut dyn FnMut(Event)) {
        let pause = now.saturating_sub(std::mem::replace(&mut self.last, now));
        self.started_count = 0;
        if matches!(self.state, DecoderState::Paste) && bytes == [CTRL_C] && pause >= MIN_PAUSE {
            self.paste.abort();
            emit(control_key(CTRL_C, KeyModifiers::NONE));
            self.give_up_sequence();
            return;
        }
        let mut rest = match self.cut_off.take() {
            Some((cut, until)) if now < until => self.resume_cut(cut, bytes),
            _ => bytes,
        };
        while let Some((&byte, others)) = rest.split_first() {
            rest = if matches!(self.state, DecoderState::Paste) {
                match self.paste.push(rest) {
                    Some(pasted) => {
                        self.state = DecoderState::Ground;
                        if let Some(text) = self.paste.finish() {
                            emit(Event::Paste(text));
                        }
                        &rest[pasted..]
                    }
                    None => &[],
                }
            } else {
                self.step(byte, emit);
                others
            };
        }
    }

    /// Stops waiting for the rest of an incomplete sequence if its deadline has passed.
    pub fn on_timeout(&mut self, now: Duration, emit: &mut dyn FnMut(Event)) {
        if self.deadline().is_none_or(|at| now < at) {
            return;
        }
        match self.state {
            DecoderState::Ground | DecoderState::Letter { .. } => {}
            DecoderState::Escape { twice } => {
                (0..=usize::from(twice)).for_each(|_| emit(esc_key()));
                self.give_up_sequence();
            }
            DecoderState::Sequence { alt: true } => {
                emit(esc_key());
                self.give_up_sequence();
            }
            DecoderState::Sequence { .. } | DecoderState::Text | DecoderState::TextEscape => {
                self.give_up_sequence();
            }
            DecoderState::Paste => {
                // If the last byte received was Ctrl-C, the user aborted the unfinished paste.
                if self.paste.abort() {
                    emit(control_key(CTRL_C, KeyModifiers::NONE));
                }
                self.give_up_sequence();
            }
        }
    }

    fn give_up_sequence(&mut self) {
        let state = std::mem::take(&mut self.state);
        // Erase the received part of the reply, because the rest will be skipped.
        self.background_reply.erase();
        self.cut_off = Some((state, self.last + LATE_REST_LIMIT));
    }

    /// If the bytes can be the rest of a sequence that was cut off, continues that sequence.
    /// Returns the bytes that are still to be decoded.
    ///
    /// The rest of a sequence usually arrives as several bytes at once, but a key press as a single
    /// byte.
    fn resume_cut<'a>(&mut self, cut: DecoderState, bytes: &'a [u8]) -> &'a [u8] {
        let Some((&first, others)) = bytes.split_first() else {
            return bytes;
        };
        let is_single_byte = others.is_empty();
        match cut {
            DecoderState::Escape { .. } if follows_escape(first, others) => {
                self.state = DecoderState::Escape { twice: false };
            }
            // Skip this letter, because it may be the last byte of the sequence. If it was a key
            // press, the user can press the key again.
            DecoderState::Sequence { .. } if matches!(first, 0x40..=0x7e) => return others,
            DecoderState::Sequence { .. } if matches!(first, 0x20..=0x3f) && !is_single_byte => {
                self.sequence.is_ignored = true;
                self.state = DecoderState::Sequence { alt: false };
            }
            DecoderState::TextEscape if first == b'\\' => return others,
            DecoderState::Text | DecoderState::TextEscape if first == BEL => return others,
            DecoderState::Text | DecoderState::TextEscape if !is_single_byte && is_text(first) => {
                self.state = DecoderState::Text;
            }
            DecoderState::Paste if !is_single_byte && first != ESC => {
                self.paste.begin(true);
                self.state = DecoderState::Paste;
            }
            _ => {}
        }
        bytes
    }

    fn step(&mut self, byte: u8, emit: &mut dyn FnMut(Event)) {
        match self.state {
            DecoderState::Ground | DecoderState::Paste => self.ground(byte, false, emit),
            DecoderState::Letter { bytes, len, alt } => self.in_letter(bytes, len, alt, byte, emit),
            DecoderState::Escape { twice } => self.after_escape(twice, byte, emit),
            DecoderState::Sequence { alt } => self.in_sequence(alt, byte, emit),
            DecoderState::Text => match byte {
                BEL => self.end_text(),
                ESC => self.state = DecoderState::TextEscape,
                _ if is_text(byte) => self.background_reply.push(byte),
                // A reply contains no control characters, so this byte is a key press.
                _ => self.ground(byte, false, emit),
            },
            DecoderState::TextEscape => match byte {
                b'\\' => self.end_text(),
                ESC => self.state = DecoderState::Escape { twice: false },
                _ if is_control(byte) => self.ground(byte, false, emit),
                _ => self.after_escape(false, byte, emit),
            },
        }
    }

    fn end_text(&mut self) {
        self.state = DecoderState::Ground;
        self.replies
            .extend(self.background_reply.end().map(Reply::Background));
    }

    /// Decodes a byte that begins a new input: a one-byte key, a multi-byte character or an escape.
    fn ground(&mut self, byte: u8, alt: bool, emit: &mut dyn FnMut(Event)) {
        self.state = DecoderState::Ground;
        self.started_count += usize::from(!alt);
        let modifiers = if alt {
            KeyModifiers::ALT
        } else {
            KeyModifiers::NONE
        };
        match byte {
            ESC => self.state = DecoderState::Escape { twice: false },
            b'\r' => emit(key(KeyCode::Enter, modifiers)),
            b'\t' => emit(key(KeyCode::Tab, modifiers)),
            0x7f => emit(key(KeyCode::Backspace, modifiers)),
            0x00..=0x1f => emit(control_key(byte, modifiers)),
            0x20..=0x7e => emit(letter_key(char::from(byte), modifiers)),
            0xc2..=0xf4 => {
                self.state = DecoderState::Letter {
                    bytes: [byte, 0, 0, 0],
                    len: 1,
                    alt,
                };
            }
            // Skip these bytes, because no valid UTF-8 character begins with them.
            0x80..=0xc1 | 0xf5.. => {}
        }
    }

    fn in_letter(
        &mut self,
        mut bytes: [u8; 4],
        len: usize,
        alt: bool,
        byte: u8,
        emit: &mut dyn FnMut(Event),
    ) {
        if !matches!(byte, 0x80..=0xbf) {
            return self.ground(byte, false, emit);
        }
        bytes[len] = byte;
        let len = len + 1;
        let full_len = match bytes[0] {
            0xe0..=0xef => 3,
            0xf0.. => 4,
            _ => 2,
        };
        if len < full_len {
            self.state = DecoderState::Letter { bytes, len, alt };
            return;
        }
        self.state = DecoderState::Ground;
        let letter = str::from_utf8(&bytes[..len])
            .ok()
            .and_then(|text| text.chars().next());
        // Skip a control character encoded in several bytes, because no key sends it.
        if let Some(letter) = letter.filter(|letter| !letter.is_control()) {
            emit(letter_key(
                letter,
                if alt {
                    KeyModifiers::ALT
                } else {
                    KeyModifiers::NONE
                },
            ));
        }
    }

    fn after_escape(&mut self, twice: bool, byte: u8, emit: &mut dyn FnMut(Event)) {
        if matches!(byte, b'[' | b'O') {
            self.sequence.begin(byte);
            self.state = DecoderState::Sequence { alt: twice };
            return;
        }
        // The byte after the two escape bytes is neither `[` nor `O`, so the first escape byte was
        // the Esc key.
        if twice {
            emit(esc_key());
        }
        match byte {
            ESC => self.state = DecoderState::Escape { twice: true },
            b']' | b'P' | b'X' | b'^' | b'_' => {
                self.background_reply.begin(byte);
                self.state = DecoderState::Text;
            }
            // `ESC \` ends a reply. The beginning of this reply was lost, so skip its end.
            b'\\' => self.state = DecoderState::Ground,
            _ => self.ground(byte, true, emit),
        }
    }

    fn in_sequence(&mut self, alt: bool, byte: u8, emit: &mut dyn FnMut(Event)) {
        let is_part = self.sequence.accepts_any_byte() || matches!(byte, 0x20..=0x7e);
        if !is_part {
            // This byte cannot be part of the sequence, so the sequence was cut off before this
            // byte.
            if alt {
                emit(esc_key());
            }
            return self.ground(byte, false, emit);
        }
        let is_complete = self.sequence.ends_with(byte);
        self.sequence.push(byte);
        if !is_complete {
            return;
        }
        self.state = DecoderState::Ground;
        let is_ignored = self.sequence.is_ignored;
        let meaning = if is_ignored {
            Meaning::Nothing
        } else {
            parse_sequence(&self.sequence.bytes)
        };
        match meaning {
            // rxvt and some other terminals encode Alt as another escape byte before the sequence.
            Meaning::Event(Event::Key(mut key)) if alt => {
                key.modifiers |= KeyModifiers::ALT;
                emit(Event::Key(key));
            }
            meaning => {
                if alt {
                    emit(esc_key());
                }
                match meaning {
                    Meaning::Event(event) => emit(event),
                    Meaning::Text(text) => text
                        .chars()
                        .for_each(|letter| emit(letter_key(letter, KeyModifiers::NONE))),
                    Meaning::Paste => {
                        self.paste.begin(false);
                        self.state = DecoderState::Paste;
                    }
                    Meaning::Reply(reply) => self.replies.push(reply),
                    Meaning::Nothing => {}
                }
            }
        }
    }
}

fn is_control(byte: u8) -> bool {
    byte < 0x20 || byte == 0x7f
}

/// True if the text of a reply may contain this byte. Some replies contain line breaks.
fn is_text(byte: u8) -> bool {
    !is_control(byte) || matches!(byte, b'\r' | b'\n' | b'\t')
}

/// True if these bytes can be the rest of a sequence whose first byte, ESC, was already reported as
/// the Esc key.
fn follows_escape(first: u8, others: &[u8]) -> bool {
    let Some(&second) = others.first() else {
        return false;
    };
    match first {
        b'[' => matches!(second, 0x20..=0x7e),
        b']' => second.is_ascii_digit(),
        b'P' => matches!(second, b'0'..=b'9' | b'>' | b'!' | b'+' | b'$'),
        b'_' => second == b'G',
        _ => false,
    }
}

fn key(code: KeyCode, modifiers: KeyModifiers) -> Event {
    Event::Key(KeyEvent::new(code, modifiers))
}

fn esc_key() -> Event {
    key(KeyCode::Esc, KeyModifiers::NONE)
}

fn control_key(byte: u8, modifiers: KeyModifiers) -> Event {
    let name = match byte {
        0x00 => ' ',
        0x01..=0x1a => char::from(byte - 0x01 + b'a'),
        _ => char::from(byte.wrapping_sub(0x1c).wrapping_add(b'4')),
    };
    key(KeyCode::Char(name), modifiers | KeyModifiers::CONTROL)
}

fn letter_key(letter: char, modifiers: KeyModifiers) -> Event {
    let shift = if letter.is_uppercase() {
        KeyModifiers::SHIFT
    } else {
        KeyModifiers::NONE
    };
    key(KeyCode::Char(letter), modifiers | shift)
}

#[cfg(test)]
mod tests;
