//! The meanings of the terminal's sequences: keys, clicks, pastes, or nothing for this program.
//!
//! The spellings of xterm and those who follow it, of rxvt, of the Linux console, and of the
//! keyboard protocol that kitty began. Answers to questions, which this program never asks, have no
//! meaning here.

use std::str;

use crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};

/// The meaning of a sequence.
#[derive(Debug, PartialEq, Eq)]
pub enum Meaning {
    /// A key, a click or a change of focus.
    Event(Event),
    /// A paste begins.
    Paste,
    /// Nothing here.
    Nothing,
}

/// The meaning of a whole sequence, given without the escape in front of it.
pub fn meaning(sequence: &[u8]) -> Meaning {
    let event = match sequence {
        b"[200~" => return Meaning::Paste,
        [b'[', b'M', bytes @ ..] if !bytes.is_empty() => old_mouse(bytes),
        [b'[', b'[', last @ b'A'..=b'E'] => key(KeyCode::F(last - b'A' + 1)),
        [b'[', b'<', numbers @ .., last @ (b'M' | b'm')] => mouse(numbers, *last),
        [b'[', numbers @ .., last] => Numbers::of(numbers).and_then(|it| csi(&it, *last)),
        [b'O', numbers @ .., last] => Numbers::of(numbers).and_then(|it| ss3(&it, *last)),
        _ => None,
    };
    event.map_or(Meaning::Nothing, Meaning::Event)
}

/// The numbers of a sequence: fields between `;`, each of them with parts between `:`.
struct Numbers<'a>(&'a str);

impl Numbers<'_> {
    /// Reads them; `None` where something other than numbers stands, as in an answer.
    fn of(bytes: &[u8]) -> Option<Numbers<'_>> {
        let are_numbers = bytes.iter().all(|byte| matches!(byte, b'0'..=b'9' | b';' | b':'));
        str::from_utf8(bytes).ok().filter(|_| are_numbers).map(Numbers)
    }

    fn get(&self, field: usize, part: usize) -> Option<u32> {
        self.0.split(';').nth(field)?.split(':').nth(part)?.parse().ok()
    }

    fn count(&self) -> usize {
        if self.0.is_empty() { 0 } else { self.0.split(';').count() }
    }

    /// The modifiers and the kind of press in the second field.
    fn held(&self) -> (KeyModifiers, KeyEventKind) {
        let kind = match self.get(1, 1) {
            Some(2) => KeyEventKind::Repeat,
            Some(3) => KeyEventKind::Release,
            _ => KeyEventKind::Press,
        };
        (modifiers(self.get(1, 0).unwrap_or(1)), kind)
    }
}

fn modifiers(number: u32) -> KeyModifiers {
    let mask = number.saturating_sub(1);
    let names = [
        KeyModifiers::SHIFT,
        KeyModifiers::ALT,
        KeyModifiers::CONTROL,
        KeyModifiers::SUPER,
        KeyModifiers::HYPER,
        KeyModifiers::META,
    ];
    let held = names.into_iter().enumerate().filter(|(bit, _)| mask & (1 << bit) != 0);
    held.fold(KeyModifiers::NONE, |all, (_, one)| all | one)
}

fn key(code: KeyCode) -> Option<Event> {
    Some(Event::Key(code.into()))
}

fn key_with(code: KeyCode, held: KeyModifiers) -> Option<Event> {
    Some(Event::Key(KeyEvent::new(code, held)))
}

fn csi(numbers: &Numbers, last: u8) -> Option<Event> {
    let (held, kind) = numbers.held();
    let code = match last {
        // The oldest spelling has the modifiers alone before the arrow.
        b'A'..=b'D' if numbers.count() == 1 => {
            return key_with(lettered(last)?, modifiers(numbers.get(0, 0)?));
        }
        b'Z' => return key_with(KeyCode::BackTab, KeyModifiers::SHIFT),
        b'I' if numbers.count() == 0 => return Some(Event::FocusGained),
        b'O' if numbers.count() == 0 => return Some(Event::FocusLost),
        b'M' => return urxvt_mouse(numbers),
        b'u' => return kitty(numbers.get(0, 0)?, numbers.get(0, 1), held, kind),
        // xterm's modifyOtherKeys: the key is the third number.
        b'~' if numbers.get(0, 0)? == 27 => return kitty(numbers.get(2, 0)?, None, held, kind),
        b'~' => numbered(numbers.get(0, 0)?)?,
        // How rxvt spells Shift and Control.
        b'$' => return key_with(numbered(numbers.get(0, 0)?)?, KeyModifiers::SHIFT),
        b'^' => return key_with(numbered(numbers.get(0, 0)?)?, KeyModifiers::CONTROL),
        b'@' => {
            let both = KeyModifiers::CONTROL | KeyModifiers::SHIFT;
            return key_with(numbered(numbers.get(0, 0)?)?, both);
        }
        b'a'..=b'd' if numbers.count() == 0 => {
            return key_with(lettered(last.to_ascii_uppercase())?, KeyModifiers::SHIFT);
        }
        // Where the cursor is, and not F3.
        b'R' => return None,
        _ => lettered(last)?,
    };
    Some(Event::Key(KeyEvent::new_with_kind(code, held, kind)))
}

fn ss3(numbers: &Numbers, last: u8) -> Option<Event> {
    let code = match last {
        b'a'..=b'd' => {
            return key_with(lettered(last.to_ascii_uppercase())?, KeyModifiers::CONTROL);
        }
        _ => lettered(last).or_else(|| keypad(last))?,
    };
    // Some put the modifiers alone before the letter.
    let held = match numbers.count() {
        1 => modifiers(numbers.get(0, 0).unwrap_or(1)),
        _ => numbers.held().0,
    };
    key_with(code, held)
}

/// Keys of the keypad in application mode, which a program that died may have left on.
fn keypad(letter: u8) -> Option<KeyCode> {
    Some(match letter {
        b'M' => KeyCode::Enter,
        b'I' => KeyCode::Tab,
        b'X' => KeyCode::Char('='),
        b'j'..=b'y' => KeyCode::Char(char::from(letter - b'j' + b'*')),
        _ => return None,
    })
}

/// Keys that are named by a letter.
fn lettered(letter: u8) -> Option<KeyCode> {
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

/// Keys that are named by a number.
fn numbered(number: u32) -> Option<KeyCode> {
    let number = u8::try_from(number).ok()?;
    Some(match number {
        1 | 7 => KeyCode::Home,
        2 => KeyCode::Insert,
        3 => KeyCode::Delete,
        4 | 8 => KeyCode::End,
        5 => KeyCode::PageUp,
        6 => KeyCode::PageDown,
        11..=15 => KeyCode::F(number - 10),
        17..=21 => KeyCode::F(number - 11),
        23..=26 => KeyCode::F(number - 12),
        28..=29 => KeyCode::F(number - 15),
        31..=34 => KeyCode::F(number - 17),
        _ => return None,
    })
}

/// A key by its code point, with the one that Shift makes of it.
fn kitty(
    code: u32,
    shifted: Option<u32>,
    mut held: KeyModifiers,
    kind: KeyEventKind,
) -> Option<Event> {
    let has_shift = held.contains(KeyModifiers::SHIFT);
    let code = match code {
        27 => KeyCode::Esc,
        13 => KeyCode::Enter,
        9 if has_shift => KeyCode::BackTab,
        9 => KeyCode::Tab,
        127 => KeyCode::Backspace,
        57_344..=63_743 => function(code)?,
        code => {
            let plain = char::from_u32(code)?;
            let shifted = shifted.and_then(char::from_u32).filter(|_| has_shift);
            if shifted.is_some() {
                held -= KeyModifiers::SHIFT;
            }
            let typed = match shifted {
                Some(typed) => typed,
                None if has_shift => plain.to_ascii_uppercase(),
                None => plain,
            };
            KeyCode::Char(Some(typed).filter(|typed| !typed.is_control())?)
        }
    };
    Some(Event::Key(KeyEvent::new_with_kind(code, held, kind)))
}

/// Keys that have no character, in kitty's part of the private code points.
fn function(code: u32) -> Option<KeyCode> {
    const KEYPAD: [char; 11] = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '.'];
    Some(match code {
        57_376..=57_398 => KeyCode::F(u8::try_from(code - 57_376 + 13).ok()?),
        57_399..=57_409 => KeyCode::Char(KEYPAD[usize::try_from(code - 57_399).ok()?]),
        57_410 => KeyCode::Char('/'),
        57_411 => KeyCode::Char('*'),
        57_412 => KeyCode::Char('-'),
        57_413 => KeyCode::Char('+'),
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
        57_425 => KeyCode::Insert,
        57_426 => KeyCode::Delete,
        _ => return None,
    })
}

fn mouse(numbers: &[u8], last: u8) -> Option<Event> {
    let numbers = Numbers::of(numbers)?;
    let event = clicked(numbers.get(0, 0)?, numbers.get(1, 0)?, numbers.get(2, 0)?)?;
    match event.kind {
        MouseEventKind::Down(button) if last == b'm' => {
            Some(Event::Mouse(MouseEvent { kind: MouseEventKind::Up(button), ..event }))
        }
        _ => Some(Event::Mouse(event)),
    }
}

fn urxvt_mouse(numbers: &Numbers) -> Option<Event> {
    let button = numbers.get(0, 0)?.checked_sub(32)?;
    clicked(button, numbers.get(1, 0)?, numbers.get(2, 0)?).map(Event::Mouse)
}

fn old_mouse(bytes: &[u8]) -> Option<Event> {
    let [button, column, row] = bytes else { return None };
    let number = |byte: u8| u32::from(byte).checked_sub(32);
    clicked(number(*button)?, number(*column)?, number(*row)?).map(Event::Mouse)
}

/// A click; places are counted from one.
fn clicked(button: u32, column: u32, row: u32) -> Option<MouseEvent> {
    let button = u8::try_from(button).ok()?;
    let is_dragging = button & 0x20 != 0;
    let which = (button & 0x03) | ((button & 0xC0) >> 4);
    let names = [MouseButton::Left, MouseButton::Middle, MouseButton::Right];
    let kind = match (which, is_dragging) {
        (0..=2, false) => MouseEventKind::Down(names[usize::from(which)]),
        (0..=2, true) => MouseEventKind::Drag(names[usize::from(which)]),
        (3, false) => MouseEventKind::Up(MouseButton::Left),
        (3..=5, true) => MouseEventKind::Moved,
        (4, false) => MouseEventKind::ScrollUp,
        (5, false) => MouseEventKind::ScrollDown,
        (6, false) => MouseEventKind::ScrollLeft,
        (7, false) => MouseEventKind::ScrollRight,
        _ => return None,
    };
    let place = |number: u32| u16::try_from(number.checked_sub(1)?).ok();
    let bits =
        [(0x04, KeyModifiers::SHIFT), (0x08, KeyModifiers::ALT), (0x10, KeyModifiers::CONTROL)];
    let held = bits.into_iter().filter(|(bit, _)| button & bit != 0);
    let modifiers = held.fold(KeyModifiers::NONE, |all, (_, one)| all | one);
    Some(MouseEvent { kind, column: place(column)?, row: place(row)?, modifiers })
}
