//! Input events, such as keys, pastes, clicks and resizes. They do not depend on the terminal
//! library.

use super::Action;
use crate::trade::Untrusted;

/// An input event from the terminal.
#[derive(Debug, Clone, PartialEq)]
pub enum Input {
    Key(Key),
    /// The user pasted text, and the terminal marked it as a paste (bracketed paste).
    Paste(Untrusted),
    /// The terminal was resized.
    Resize(Size),
    /// The left mouse button was pressed in this cell of the terminal.
    Click {
        column: u16,
        row: u16,
    },
    /// The mouse wheel was turned by this number of notches. A positive number scrolls down.
    Wheel(i16),
    /// The user chose an action by its name instead of its key.
    Action(Action),
}

/// The timing of a key press or click, measured when its bytes are read. It distinguishes key
/// presses from pasted text.
///
/// Some terminals do not mark a paste, so its text arrives as key presses. A long paste can outlast
/// any fixed delay. Only a pause before a key proves that the user pressed that key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pace {
    /// A single key after 50 ms without any other input. The user must have pressed it
    /// deliberately.
    Deliberate,
    /// A single key shortly after other input. The user was typing fast, or held a key down.
    Close,
    /// A key that was read together with other input. It may be pasted, or a slow connection may
    /// have delivered several key presses at once.
    Together,
    /// A character of a group: several characters that were read in one piece. Like
    /// [`Together`](Pace::Together), it may be pasted or late. `begins` is true for the first
    /// character.
    ///
    /// A group never confirms anything, because it may be pasted. In a field it is typed text: only
    /// an amount treats a group differently
    /// ([`push_grouped`](crate::trade::AmountField::push_grouped)), but drops nothing of it.
    Text { begins: bool },
    /// The input is not a key press or a click, or its timing is not known.
    #[default]
    Unknown,
}

/// The terminal's size in cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Size {
    pub columns: u16,
    pub rows: u16,
}

impl Size {
    /// The terminal size, limited so that a page fits into memory: a terminal may report 65,535
    /// columns and rows.
    pub fn limited(columns: u16, rows: u16) -> Size {
        Size {
            columns: columns.min(1_000),
            rows: rows.min(300),
        }
    }
}

/// A key press, with the modifiers Ctrl and Alt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key {
    pub code: Code,
    pub ctrl: bool,
    pub alt: bool,
}

/// A key, without the modifiers Ctrl and Alt. Shift is part of the character: `A` is Shift-A, and
/// `BackTab` is Shift-Tab.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Code {
    Char(char),
    Function(u8),
    Enter,
    Esc,
    Tab,
    BackTab,
    Backspace,
    Delete,
    Left,
    Right,
    Up,
    Down,
    Home,
    End,
    PageUp,
    PageDown,
}

impl Key {
    /// Creates a key press without modifiers.
    pub const fn plain(code: Code) -> Key {
        Key {
            code,
            ctrl: false,
            alt: false,
        }
    }

    /// Replaces a key by the key for which terminals send the same byte: `Ctrl-H` by Backspace,
    /// `Ctrl-I` by Tab, `Ctrl-M` by Enter, and `Ctrl-[` by Esc.
    pub fn normalized(self) -> Key {
        let Key {
            code: Code::Char(letter),
            ctrl: true,
            ..
        } = self
        else {
            return self;
        };
        let code = match letter.to_ascii_lowercase() {
            'h' => Code::Backspace,
            'i' => Code::Tab,
            'm' => Code::Enter,
            '[' => Code::Esc,
            letter => {
                return Key {
                    code: Code::Char(letter),
                    ..self
                };
            }
        };
        Key {
            code,
            ctrl: false,
            ..self
        }
    }

    /// True if the key types a digit.
    pub fn is_digit(self) -> bool {
        self.text().is_some_and(|c| c.is_ascii_digit())
    }

    /// True if the key deletes the word before the cursor.
    pub fn deletes_word(self) -> bool {
        match self.code {
            Code::Backspace => self.ctrl || self.alt,
            Code::Char('w') => self.ctrl,
            _ => false,
        }
    }

    /// True if the key may be part of a text that is pasted as key presses. Its line breaks may
    /// arrive as Enter or as `Ctrl-J`.
    pub fn may_be_pasted(self) -> bool {
        let is_line_feed = self
            == Key {
                code: Code::Char('j'),
                ctrl: true,
                alt: false,
            };
        self.text().is_some() || matches!(self.code, Code::Enter | Code::Tab) || is_line_feed
    }

    /// The character that the key types into a text field, or `None` if it does not type a
    /// character.
    pub fn text(self) -> Option<char> {
        match self.code {
            Code::Char(c) if !self.ctrl && !self.alt && !c.is_control() => Some(c),
            _ => None,
        }
    }
}

/// Formats a key as it is written in `keys.toml`, the footer and the help, such as `Ctrl-K`, `F1`
/// or `?`.
impl std::fmt::Display for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.ctrl {
            f.write_str("Ctrl-")?;
        }
        if self.alt {
            f.write_str("Alt-")?;
        }
        match self.code {
            Code::Char(' ') => f.write_str("Space"),
            Code::Char(c) if self.ctrl => write!(f, "{}", c.to_ascii_uppercase()),
            Code::Char(c) => write!(f, "{c}"),
            Code::Function(n) => write!(f, "F{n}"),
            code => f.write_str(
                KEY_NAMES
                    .iter()
                    .find(|(c, _)| *c == code)
                    .map_or("", |(_, n)| n),
            ),
        }
    }
}

const KEY_NAMES: [(Code, &str); 14] = [
    (Code::Enter, "Enter"),
    (Code::Esc, "Esc"),
    (Code::Tab, "Tab"),
    (Code::BackTab, "Shift-Tab"),
    (Code::Backspace, "Backspace"),
    (Code::Delete, "Delete"),
    (Code::Left, "Left"),
    (Code::Right, "Right"),
    (Code::Up, "Up"),
    (Code::Down, "Down"),
    (Code::Home, "Home"),
    (Code::End, "End"),
    (Code::PageUp, "PgUp"),
    (Code::PageDown, "PgDn"),
];

impl std::str::FromStr for Key {
    type Err = ();

    fn from_str(text: &str) -> Result<Key, ()> {
        if let Some((code, _)) = KEY_NAMES.iter().find(|(_, name)| *name == text) {
            return Ok(Key::plain(*code));
        }
        if let Some(rest) = text.strip_prefix("Ctrl-").filter(|rest| !rest.is_empty()) {
            let key: Key = rest.parse()?;
            return Ok(Key { ctrl: true, ..key }.normalized());
        }
        if let Some(rest) = text.strip_prefix("Alt-").filter(|rest| !rest.is_empty()) {
            return Ok(Key {
                alt: true,
                ..rest.parse()?
            });
        }
        if text == "Space" {
            return Ok(Key::plain(Code::Char(' ')));
        }
        let mut chars = text.chars();
        match (chars.next(), chars.as_str()) {
            (Some(c), "") if !c.is_control() => Ok(Key::plain(Code::Char(c))),
            (Some('F'), number) => {
                let n: u8 = number.parse().map_err(|_| ())?;
                if (1..=12).contains(&n) {
                    Ok(Key::plain(Code::Function(n)))
                } else {
                    Err(())
                }
            }
            _ => Err(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_reads_back() {
        for text in [
            "?",
            "F1",
            "F12",
            "Ctrl-K",
            "Alt-x",
            "Enter",
            "Shift-Tab",
            "Space",
            "Ctrl-Space",
            "G",
            "g",
            ":",
            "PgDn",
            "é",
        ] {
            let key: Key = text.parse().unwrap();
            assert_eq!(key.to_string(), text);
        }
        for (text, expected) in [
            ("Ctrl-H", "Backspace"),
            ("Ctrl-I", "Tab"),
            ("Ctrl-M", "Enter"),
            ("Ctrl-[", "Esc"),
            ("Ctrl-m", "Enter"),
        ] {
            assert_eq!(text.parse::<Key>().unwrap().to_string(), expected);
        }
        for invalid in ["", "F13", "F0", "Ctrl-", "Foo", "ab"] {
            assert!(invalid.parse::<Key>().is_err(), "{invalid}");
        }
    }
}
