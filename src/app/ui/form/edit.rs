//! One key in one field.

use tui_input::{Input as TextField, InputRequest};

use crate::app::ui::form::Edited;
use crate::app::ui::input::{Code, Key};
use crate::trade::AmountField;

/// Gives a key to a line of text of at most so many characters.
pub fn edit_text(input: &mut TextField, max: usize, key: Key) -> Edited {
    let request = match (key.code, key.ctrl, key.alt) {
        (Code::Char(c), false, false) if !c.is_control() => {
            if input.value().chars().count() >= max {
                return Edited::Full;
            }
            InputRequest::InsertChar(c)
        }
        (Code::Backspace, false, false) => InputRequest::DeletePrevChar,
        _ if key.deletes_word() => InputRequest::DeletePrevWord,
        (Code::Delete, ..) => InputRequest::DeleteNextChar,
        (Code::Left, false, false) => InputRequest::GoToPrevChar,
        (Code::Right, false, false) => InputRequest::GoToNextChar,
        (Code::Left, ..) | (Code::Char('b' | 'B'), false, true) => InputRequest::GoToPrevWord,
        (Code::Right, ..) | (Code::Char('f' | 'F'), false, true) => InputRequest::GoToNextWord,
        (Code::Home, ..) | (Code::Char('a'), true, _) => InputRequest::GoToStart,
        (Code::End, ..) | (Code::Char('e'), true, _) => InputRequest::GoToEnd,
        (Code::Char('u'), true, _) => InputRequest::DeleteLine,
        _ => return Edited::Ignored,
    };
    match input.handle(request) {
        Some(change) if change.value => Edited::Changed,
        _ => Edited::Taken,
    }
}

pub(super) fn edit_amount(amount: &mut AmountField, key: Key) -> Edited {
    let before = amount.clone();
    match (key.code, key.ctrl) {
        // Other printable keys mean nothing in an amount, and must not mean anything else either.
        (Code::Char(c), false) => {
            if !amount.push(c) {
                return Edited::Full;
            }
        }
        // An amount is one word.
        _ if key.deletes_word() => amount.clear(),
        (Code::Backspace, _) => amount.backspace(),
        (Code::Delete, _) | (Code::Char('u'), true) => amount.clear(),
        _ => return Edited::Ignored,
    }
    if *amount == before { Edited::Taken } else { Edited::Changed }
}

pub(super) fn edit_choice(options: usize, chosen: &mut usize, key: Key) -> Edited {
    let before = *chosen;
    match key.code {
        Code::Left => *chosen = chosen.saturating_sub(1),
        Code::Right | Code::Char(' ') if *chosen + 1 < options => *chosen += 1,
        Code::Char(' ') => *chosen = 0,
        Code::Right => {}
        _ => return Edited::Ignored,
    }
    if *chosen == before { Edited::Taken } else { Edited::Changed }
}

/// The text in one line: each run of line ends and tabs is one space, none stands at the ends, and
/// control characters, which cannot be typed, are dropped.
pub fn one_line(pasted: &str) -> String {
    let mut line = String::with_capacity(pasted.len());
    let mut broken = false;
    for c in pasted.chars() {
        match c {
            c if is_break(c) => broken = true,
            // The spaces beside a line end are part of it.
            ' ' if broken => {}
            c if c.is_control() => {}
            c => {
                if std::mem::take(&mut broken) {
                    line.truncate(line.trim_end().len());
                    line.push(' ');
                }
                line.push(c);
            }
        }
    }
    line.trim().to_owned()
}

fn is_break(c: char) -> bool {
    matches!(c, '\t'..='\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}
