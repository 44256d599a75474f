//! Converts the terminal's escape sequences to keys, clicks, pastes and replies.
//!
//! Supports the sequences of xterm and compatible terminals, of rxvt's arrow keys, and of the Linux
//! console. The program does not turn on any other keyboard or mouse protocol. Replies to queries
//! of other programs are ignored.

use std::str;

use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};

use super::Reply;

#[derive(Debug, PartialEq, Eq)]
pub enum Meaning {
    /// The sequence is a key press or a click.
    Event(Event),
    /// The sequence is a text, such as `ã` from a dead key and a letter.
    Text(String),
    /// The sequence starts a paste.
    Paste,
    /// The sequence is a reply to a query of this program.
    Reply(Reply),
    /// The program does not use this sequence.
    Nothing,
}

/// The meaning of a complete escape sequence. `sequence` does not contain the escape byte.
pub fn parse_sequence(sequence: &[u8]) -> Meaning {
    let event = match sequence {
        b"[200~" => return Meaning::Paste,
        b"[I" => return Meaning::Event(Event::FocusGained),
        b"[O" => return Meaning::Event(Event::FocusLost),
        // `[3n` reports a fault of the terminal, but it is a reply to the same query.
        b"[0n" | b"[3n" => return Meaning::Reply(Reply::Status),
        b"[?2026;1$y" | b"[?2026;2$y" => return Meaning::Reply(Reply::Synchronized),
        [b'[', b'[', last @ b'A'..=b'E'] => Some(key(KeyCode::F(last - b'A' + 1), 1)),
        [b'[', b'<', numbers @ .., b'M'] => {
            Numbers::parse(numbers).and_then(|numbers| click(&numbers))
        }
        [b'[', fields @ .., b'u'] => return kitty_key(fields).unwrap_or(Meaning::Nothing),
        [b'[', numbers @ .., last] => {
            Numbers::parse(numbers).and_then(|numbers| csi_key(&numbers, *last))
        }
        [b'O', numbers @ .., last] => {
            Numbers::parse(numbers).and_then(|numbers| ss3_key(&numbers, *last))
        }
        _ => None,
    };
    event.map_or(Meaning::Nothing, Meaning::Event)
}

/// The numeric parameters of a sequence, separated by `;`.
struct Numbers<'a>(&'a str);

impl Numbers<'_> {
    /// Parses the parameters. Returns `None` if there are bytes other than digits and `;`, as in
    /// replies to queries.
    fn parse(bytes: &[u8]) -> Option<Numbers<'_>> {
        let are_numbers = bytes.iter().all(|byte| matches!(byte, b'0'..=b'9' | b';'));
        str::from_utf8(bytes)
            .ok()
            .filter(|_| are_numbers)
            .map(Numbers)
    }

    fn get(&self, field: usize) -> Option<u32> {
        self.0.split(';').nth(field)?.parse().ok()
    }

    /// The terminal's code for the modifier keys that were held. It is the second parameter, or the
    /// only one in the oldest encodings.
    fn modifier_code(&self) -> u32 {
        let field = usize::from(self.0.contains(';'));
        self.get(field).unwrap_or(1)
    }
}

/// The event for a key press. The modifier code is 1 plus the sum of the bits of the held modifier
/// keys, such as 2 for Shift.
fn key(code: KeyCode, modifier_code: u32) -> Event {
    let bits = modifier_code.saturating_sub(1);
    let modifiers = [
        KeyModifiers::SHIFT,
        KeyModifiers::ALT,
        KeyModifiers::CONTROL,
    ];
    let held = modifiers
        .into_iter()
        .enumerate()
        .filter(|(bit, _)| bits & (1 << bit) != 0);
    let held = held.fold(KeyModifiers::NONE, |all, (_, modifier)| all | modifier);
    Event::Key(KeyEvent::new(code, held))
}

fn csi_key(numbers: &Numbers, last: u8) -> Option<Event> {
    match last {
        b'Z' => Some(key(KeyCode::BackTab, 2)),
        // In xterm's modifyOtherKeys encoding, the key is the third parameter.
        b'~' if numbers.get(0)? == 27 => {
            key_for_code_point(numbers.get(2)?, numbers.modifier_code())
        }
        b'~' => Some(key(
            key_for_number(numbers.get(0)?)?,
            numbers.get(1).unwrap_or(1),
        )),
        // Ignore a report of the cursor's position. The F3 key can send a sequence of the same
        // form.
        b'R' => None,
        _ => Some(key(key_for_letter(last)?, numbers.modifier_code())),
    }
}

fn ss3_key(numbers: &Numbers, last: u8) -> Option<Event> {
    match last {
        // rxvt encodes Control with an arrow key as a lowercase letter.
        b'a'..=b'd' => Some(key(key_for_letter(last.to_ascii_uppercase())?, 5)),
        _ => Some(key(
            key_for_letter(last).or_else(|| key_for_keypad_letter(last))?,
            numbers.modifier_code(),
        )),
    }
}

/// The key for a letter that the numeric keypad sends in application mode. A crashed program may
/// have left this mode on.
fn key_for_keypad_letter(letter: u8) -> Option<KeyCode> {
    Some(match letter {
        b'M' => KeyCode::Enter,
        b'I' => KeyCode::Tab,
        b'X' => KeyCode::Char('='),
        b'j'..=b'y' => KeyCode::Char(char::from(letter - b'j' + b'*')),
        _ => return None,
    })
}

/// The key for the final letter of an escape sequence, such as `A` for the up arrow.
fn key_for_letter(letter: u8) -> Option<KeyCode> {
    Some(match letter {
        b'A' => KeyCode::Up,
        b'B' => KeyCode::Down,
        b'C' => KeyCode::Right,
        b'D' => KeyCode::Left,
        b'F' => KeyCode::End,
        b'H' => KeyCode::Home,
        b'P'..=b'S' => KeyCode::F(letter - b'P' + 1),
        _ => return None,
    })
}

/// The key for the number in an escape sequence that ends with `~`.
fn key_for_number(number: u32) -> Option<KeyCode> {
    let number = u8::try_from(number).ok()?;
    Some(match number {
        1 | 7 => KeyCode::Home,
        3 => KeyCode::Delete,
        4 | 8 => KeyCode::End,
        5 => KeyCode::PageUp,
        6 => KeyCode::PageDown,
        11..=15 => KeyCode::F(number - 10),
        17..=21 => KeyCode::F(number - 11),
        23..=24 => KeyCode::F(number - 12),
        _ => return None,
    })
}

/// The meaning of a key in the kitty protocol, which a crashed program may have left on:
/// `CODE:SHIFTED:BASE ; MODIFIERS:EVENT ; TEXT`, each of them optional.
///
/// The text is what the keyboard layout makes of the key: AltGr-Q is `/` on a Brazilian one. For
/// the result of dead keys and of an input method, the code is 0.
fn kitty_key(fields: &[u8]) -> Option<Meaning> {
    const RELEASE: u32 = 3;
    /// The bits for Alt, Control, Super, Hyper and Meta.
    const COMMAND_BITS: u32 = 0b11_1110;
    let mut fields = str::from_utf8(fields).ok()?.split(';');
    let mut numbers = || fields.next().unwrap_or_default().split(':').map(str::parse);
    let (mut key, mut modifiers, text) = (numbers(), numbers(), numbers());
    let code: u32 = key.next()?.ok()?;
    let modifier_code: u32 = modifiers.next()?.unwrap_or(1);
    if modifiers.next() == Some(Ok(RELEASE)) {
        return None;
    }
    let text = text.map_while(|code| char::from_u32(code.ok()?));
    let text: String = text.filter(|c| !c.is_control()).collect();
    let held = modifier_code.saturating_sub(1);
    if !text.is_empty() && held & COMMAND_BITS == 0 {
        return Some(Meaning::Text(text));
    }
    let shifted = key.next().and_then(Result::ok).filter(|_| held & 1 != 0);
    key_for_code_point(shifted.unwrap_or(code), modifier_code).map(Meaning::Event)
}

/// The event for a key whose Unicode code point is in the sequence. Some terminals encode keys with
/// modifiers like this.
fn key_for_code_point(code: u32, modifier_code: u32) -> Option<Event> {
    let has_shift = modifier_code.saturating_sub(1) & 1 != 0;
    let code = match char::from_u32(code)? {
        '\u{1b}' => KeyCode::Esc,
        '\r' => KeyCode::Enter,
        '\t' if has_shift => KeyCode::BackTab,
        '\t' => KeyCode::Tab,
        '\u{7f}' => KeyCode::Backspace,
        control if control.is_control() => return None,
        '\u{e000}'..='\u{f8ff}' => key_for_private_code(code)?,
        letter if has_shift => KeyCode::Char(letter.to_ascii_uppercase()),
        letter => KeyCode::Char(letter),
    };
    Some(key(code, modifier_code))
}

/// The key of the numeric keypad that the kitty protocol encodes as a private code point. A crashed
/// program may have left this protocol on. Its other private code points, such as those of Caps
/// Lock and Shift, type no text.
fn key_for_private_code(code: u32) -> Option<KeyCode> {
    const DIGITS_AND_SIGNS: &[u8] = b"0123456789./*-+";
    Some(match code {
        57_399..=57_413 => KeyCode::Char(char::from(DIGITS_AND_SIGNS[(code - 57_399) as usize])),
        57_414 => KeyCode::Enter,
        57_415 => KeyCode::Char('='),
        57_416 => KeyCode::Char(','),
        57_417 => KeyCode::Left,
        57_418 => KeyCode::Right,
        57_419 => KeyCode::Up,
        57_420 => KeyCode::Down,
        57_421 => KeyCode::PageUp,
        57_422 => KeyCode::PageDown,
        57_423 => KeyCode::Home,
        57_424 => KeyCode::End,
        57_426 => KeyCode::Delete,
        _ => return None,
    })
}

/// The event for a left click or a turn of the wheel. Coordinates in the sequence start at 1.
fn click(numbers: &Numbers) -> Option<Event> {
    /// The bits that encode Shift, Alt and Control in a mouse sequence.
    const MODIFIER_BITS: u32 = 0b1_1100;
    let kind = match numbers.get(0)? & !MODIFIER_BITS {
        0 => MouseEventKind::Down(MouseButton::Left),
        64 => MouseEventKind::ScrollUp,
        65 => MouseEventKind::ScrollDown,
        _ => return None,
    };
    let coordinate = |field: usize| u16::try_from(numbers.get(field)?.checked_sub(1)?).ok();
    let modifiers = KeyModifiers::NONE;
    Some(Event::Mouse(MouseEvent {
        kind,
        column: coordinate(1)?,
        row: coordinate(2)?,
        modifiers,
    }))
}
