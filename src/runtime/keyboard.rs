//! Converts terminal events, such as key presses, to input for the app.

use crossterm::event::{
    Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};

use super::terminal;
use crate::app::ui::input::{Code, Input, Key};
use crate::trade::Untrusted;

/// The maximum length of a paste in bytes. A longer paste is cut off. No text field accepts more.
pub const MAX_PASTE_BYTES: usize = 64 * 1024;

/// True if the terminal reports with this event that it got or lost the focus.
pub fn is_focus_report(event: &Event) -> bool {
    matches!(event, Event::FocusGained | Event::FocusLost)
}

/// Converts a terminal event to input for the app. Returns `None` for focus changes and for keys
/// that the app does not use.
pub fn to_input(event: Event) -> Option<Input> {
    match event {
        Event::Key(key) => to_key(&key).map(Input::Key),
        Event::Paste(mut text) => {
            text.truncate(text.floor_char_boundary(MAX_PASTE_BYTES));
            Some(Input::Paste(Untrusted::from(text)))
        }
        Event::Resize(columns, rows) => Some(Input::Resize(terminal::drawn_size(columns, rows))),
        Event::Mouse(mouse) => mouse_input(mouse),
        Event::FocusGained | Event::FocusLost => None,
    }
}

fn mouse_input(mouse: MouseEvent) -> Option<Input> {
    match mouse.kind {
        MouseEventKind::Down(MouseButton::Left) => Some(Input::Click {
            column: mouse.column,
            row: mouse.row,
        }),
        MouseEventKind::ScrollDown => Some(Input::Wheel(1)),
        MouseEventKind::ScrollUp => Some(Input::Wheel(-1)),
        _ => None,
    }
}

/// Converts a key press to the app's own type for keys. Returns `None` for keys that the app does
/// not use.
pub fn to_key(event: &KeyEvent) -> Option<Key> {
    let code = match event.code {
        KeyCode::Char(c) => Code::Char(c),
        KeyCode::F(n) => Code::Function(n),
        KeyCode::Enter => Code::Enter,
        KeyCode::Esc => Code::Esc,
        KeyCode::Tab if event.modifiers.contains(KeyModifiers::SHIFT) => Code::BackTab,
        KeyCode::Tab => Code::Tab,
        KeyCode::BackTab => Code::BackTab,
        KeyCode::Backspace => Code::Backspace,
        KeyCode::Delete => Code::Delete,
        KeyCode::Left => Code::Left,
        KeyCode::Right => Code::Right,
        KeyCode::Up => Code::Up,
        KeyCode::Down => Code::Down,
        KeyCode::Home => Code::Home,
        KeyCode::End => Code::End,
        KeyCode::PageUp => Code::PageUp,
        KeyCode::PageDown => Code::PageDown,
        _ => return None,
    };
    let ctrl = event.modifiers.contains(KeyModifiers::CONTROL);
    Some(
        Key {
            code,
            ctrl,
            alt: event.modifiers.contains(KeyModifiers::ALT),
        }
        .normalized(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::Size;

    fn key(code: KeyCode, modifiers: KeyModifiers) -> Option<String> {
        match to_input(Event::Key(KeyEvent::new(code, modifiers)))? {
            Input::Key(key) => Some(key.to_string()),
            _ => None,
        }
    }

    #[test]
    fn keys_get_the_names_of_the_table() {
        assert_eq!(
            key(KeyCode::Char('G'), KeyModifiers::SHIFT).as_deref(),
            Some("G")
        );
        assert_eq!(
            key(KeyCode::Char('K'), KeyModifiers::CONTROL).as_deref(),
            Some("Ctrl-K")
        );
        assert_eq!(
            key(KeyCode::BackTab, KeyModifiers::SHIFT).as_deref(),
            Some("Shift-Tab")
        );
        assert_eq!(key(KeyCode::CapsLock, KeyModifiers::NONE), None);
    }

    #[test]
    fn huge_window_is_drawn_in_part() {
        let resized = to_input(Event::Resize(u16::MAX, u16::MAX));
        assert!(matches!(
            resized,
            Some(Input::Resize(Size {
                columns: 1_000,
                rows: 300
            }))
        ));
    }

    #[test]
    fn huge_paste_is_cut_between_characters() {
        let Some(Input::Paste(text)) = to_input(Event::Paste("é".repeat(MAX_PASTE_BYTES))) else {
            panic!("a paste")
        };
        assert!(text.raw().len() <= MAX_PASTE_BYTES);
    }
}
