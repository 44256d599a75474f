//! Applies key presses and pasted text to a form field.

use tui_input::{Input as TextField, InputRequest};

use crate::app::ui::form::{Edited, Entry, FieldError, Limit};
use crate::app::ui::input::{Code, Key, Pace};
use crate::trade::{AmountField, PasteError, Untrusted, read_pasted};

/// Applies a key press to a text field. The field can contain at most `max` characters.
pub fn edit_text(input: &mut TextField, max: usize, key: Key) -> Edited {
    let request = match (key.code, key.ctrl, key.alt) {
        (Code::Char(c), false, false) if !is_dropped(c) => {
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
        _ => Edited::Unchanged,
    }
}

/// Adds a character to an amount. Returns false if the amount is full.
pub fn push_amount(amount: &mut AmountField, typed: char, pace: Pace) -> bool {
    match pace {
        Pace::Text { begins } => amount.push_grouped(typed, begins),
        _ => amount.push(typed),
    }
}

pub(super) fn edit_amount(amount: &mut AmountField, key: Key, pace: Pace) -> Edited {
    let before = amount.clone();
    match (key.code, key.ctrl) {
        // Handle every printable key here, even if an amount cannot contain its character.
        // Otherwise the key could trigger an action.
        (Code::Char(c), false) => {
            if !push_amount(amount, c, pace) {
                return Edited::Full;
            }
        }
        // The key for deleting a word clears the whole field, because an amount counts as one word.
        _ if key.deletes_word() => amount.clear(),
        (Code::Backspace, _) => amount.backspace(),
        (Code::Delete, _) | (Code::Char('u'), true) => amount.clear(),
        _ => return Edited::Ignored,
    }
    if *amount == before {
        Edited::Unchanged
    } else {
        Edited::Changed
    }
}

pub(super) fn edit_choice(count: usize, chosen: &mut Option<usize>, key: Key) -> Edited {
    let before = *chosen;
    let last = count.saturating_sub(1);
    *chosen = Some(match (key.code, before) {
        (Code::Left, index) => index.map_or(last, |index| index.saturating_sub(1)),
        (Code::Right | Code::Char(' '), None) => 0,
        (Code::Right | Code::Char(' '), Some(index)) if index < last => index + 1,
        (Code::Char(' '), Some(_)) => 0,
        (Code::Right, Some(index)) => index,
        _ => return Edited::Ignored,
    });
    if *chosen == before {
        Edited::Unchanged
    } else {
        Edited::Changed
    }
}

pub(super) fn paste(entry: &mut Entry, text: &Untrusted) -> Result<(), FieldError> {
    match entry {
        Entry::Text { input, max } => {
            for c in one_line(text.raw()).chars() {
                if input.value().chars().count() >= *max {
                    return Err(FieldError::TooLong(Limit::Characters(*max)));
                }
                input.handle(InputRequest::InsertChar(c));
            }
            Ok(())
        }
        Entry::Amount(amount) => {
            // A refused paste leaves the field empty: typing would otherwise continue the old
            // amount.
            amount.clear();
            match read_pasted(text.raw()) {
                Ok(money) if amount.set(money) => Ok(()),
                Ok(_) => Err(FieldError::of(PasteError::TooLarge)),
                Err(error) => Err(FieldError::of(error)),
            }
        }
        Entry::Choice { .. } | Entry::Secret { .. } => Ok(()),
    }
}

/// Converts pasted text to a single line. Line breaks and tabs in a row become one space, or are
/// removed at either end. Other control characters are dropped.
pub fn one_line(pasted: &str) -> String {
    let mut line = String::with_capacity(pasted.len());
    let mut is_after_break = false;
    for c in pasted.chars() {
        match c {
            c if is_line_break_or_tab(c) => is_after_break = true,
            // Drop the spaces around a line break.
            ' ' if is_after_break => {}
            c if is_dropped(c) => {}
            c => {
                if std::mem::take(&mut is_after_break) {
                    line.truncate(line.trim_end().len());
                    line.push(' ');
                }
                line.push(c);
            }
        }
    }
    line.trim().to_owned()
}

fn is_line_break_or_tab(c: char) -> bool {
    matches!(c, '\t'..='\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// True for a control character, and for the mark of a masked secret, which must not be in any text
/// from outside.
fn is_dropped(c: char) -> bool {
    c.is_control() || Untrusted::MASKED.contains(c)
}
