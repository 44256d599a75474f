//! The text fields for passwords and tokens. Only this module stores the typed text. The rest of
//! the app knows only its length.

use std::collections::HashMap;

use crossterm::event::Event;

use super::keyboard;
use crate::app::screens::login::JWT_SLOT;
use crate::app::ui::form::Slot;
use crate::app::ui::input::Code;
use crate::trade::{Secret, SecretField};

/// The state of a field for a password or token after an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SecretEdit {
    pub len: usize,
    /// True if the field had no room for the new text.
    pub is_full: bool,
}

/// The contents of all password and token fields that the user has typed into.
#[derive(Default)]
pub struct SecretFields {
    fields: HashMap<Slot, SecretField>,
    /// The example secrets of a demo. They are filled in again after a field is wiped.
    demo_secrets: HashMap<Slot, Secret>,
}

impl SecretFields {
    /// Applies a key press or a paste to a field. Returns `None` if the field ignores the event.
    ///
    /// Moves pasted text out of the event, so that only the field contains it.
    pub fn apply_event(&mut self, slot: &Slot, event: &mut Event) -> Option<SecretEdit> {
        let field = self.fields.entry(slot.clone()).or_default();
        let mut is_full = false;
        match event {
            Event::Paste(text) => {
                let pasted: &str = if **slot == *JWT_SLOT {
                    strip_token_wrapping(text)
                } else {
                    &*text
                };
                let is_text = pasted
                    .chars()
                    .any(|c| !c.is_whitespace() && !c.is_control());
                is_full = field.insert_text(pasted) == 0 && is_text;
                *text = String::new();
            }
            Event::Key(key) => {
                let key = keyboard::to_key(key)?;
                match (key.code, key.text()) {
                    (_, Some(c)) => is_full = !field.insert(c),
                    // Clear the whole field, because deleting a single word would reveal where it
                    // ends.
                    _ if key.deletes_word() => field.clear(),
                    (Code::Backspace, _) => field.backspace(),
                    (Code::Char('u'), _) if key.ctrl && !key.alt => field.clear(),
                    (Code::Delete, _) => field.clear(),
                    _ => return None,
                }
            }
            _ => return None,
        }
        Some(SecretEdit {
            len: field.len(),
            is_full,
        })
    }

    /// Fills an example secret into a field of a demo.
    pub fn set_demo_secret(&mut self, slot: &Slot, secret: &Secret) {
        self.fields.entry(slot.clone()).or_default();
        self.demo_secrets.insert(slot.clone(), secret.duplicate());
        self.wipe(slot);
    }

    /// A copy of the secret in a field. The field keeps its text until it is wiped.
    pub fn get(&mut self, slot: &Slot) -> Option<Secret> {
        let field = self
            .fields
            .get_mut(slot)
            .filter(|field| !field.is_empty())?;
        let secret = field.take();
        field.insert_text(secret.expose());
        Some(secret)
    }

    /// Copies of the secrets in all fields.
    pub fn all(&mut self) -> Vec<Secret> {
        let slots: Vec<Slot> = self.fields.keys().cloned().collect();
        slots.iter().filter_map(|slot| self.get(slot)).collect()
    }

    /// Wipes a field. In a demo, then fills in the example secret again.
    pub fn wipe(&mut self, slot: &Slot) {
        if let Some(field) = self.fields.get_mut(slot) {
            field.clear();
            if let Some(secret) = self.demo_secrets.get(slot) {
                field.insert_text(secret.expose());
            }
        }
    }
}

/// A pasted token without surrounding quotes or a prefix such as `Authorization: Bearer`.
pub(super) fn strip_token_wrapping(pasted: &str) -> &str {
    ["authorization", "bearer"].into_iter().fold(
        pasted.trim_matches(is_token_wrapping),
        |text, word| {
            let (start, rest) = text.split_at_checked(word.len()).unwrap_or((text, ""));
            let is_separated = rest.starts_with(is_token_wrapping);
            let is_prefix = start.eq_ignore_ascii_case(word) && (is_separated || rest.is_empty());
            if is_prefix {
                rest.trim_start_matches(is_token_wrapping)
            } else {
                text
            }
        },
    )
}

/// True for characters that are never part of a token.
fn is_token_wrapping(c: char) -> bool {
    let is_quote = matches!(
        c,
        '"' | '\'' | '`' | '´' | '‘'..='‟' | '«' | '»' | ':' | ',' | ';'
    );
    is_quote
        || c.is_whitespace()
        || c.is_control()
        || matches!(c, '\u{200B}'..='\u{200F}' | '\u{FEFF}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trade::MAX_SECRET_BYTES;
    use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

    fn key(code: KeyCode) -> Event {
        Event::Key(KeyEvent::new(code, KeyModifiers::NONE))
    }

    #[test]
    fn typing_reports_only_the_length() {
        let slot: Slot = "login/password".into();
        let mut secrets = SecretFields::default();
        let edited = |len| {
            Some(SecretEdit {
                len,
                is_full: false,
            })
        };
        assert_eq!(
            secrets.apply_event(&slot, &mut key(KeyCode::Char('é'))),
            edited(1)
        );
        let mut paste = Event::Paste("abc\r\n".into());
        assert_eq!(secrets.apply_event(&slot, &mut paste), edited(4));
        assert_eq!(
            paste,
            Event::Paste(String::new()),
            "it is in the field alone"
        );
        assert_eq!(
            secrets.apply_event(&slot, &mut key(KeyCode::Backspace)),
            edited(3)
        );
        assert_eq!(secrets.apply_event(&slot, &mut key(KeyCode::Tab)), None);
        assert_eq!(secrets.get(&slot).unwrap().expose(), "éab");
        assert_eq!(secrets.get(&slot).unwrap().expose(), "éab");
        secrets.wipe(&slot);
        assert!(secrets.get(&slot).is_none());
    }

    #[test]
    fn wiped_field_is_refilled_with_demo_value() {
        let slot: Slot = "login/password".into();
        let mut secrets = SecretFields::default();
        secrets.set_demo_secret(&slot, &Secret::new("demo".to_owned()));
        secrets.apply_event(&slot, &mut key(KeyCode::Char('x')));
        secrets.wipe(&slot);
        assert_eq!(secrets.get(&slot).unwrap().expose(), "demo");
    }

    #[test]
    fn ctrl_h_deletes_the_last_character() {
        let slot: Slot = "login/password".into();
        let mut secrets = SecretFields::default();
        secrets.apply_event(&slot, &mut Event::Paste("abX".into()));
        let mut key = Event::Key(KeyEvent::new(KeyCode::Char('h'), KeyModifiers::CONTROL));
        let edited = secrets.apply_event(&slot, &mut key);
        assert_eq!(
            edited,
            Some(SecretEdit {
                len: 2,
                is_full: false
            })
        );
        assert_eq!(secrets.get(&slot).unwrap().expose(), "ab");
    }

    #[test]
    fn deleting_a_word_clears_the_field() {
        let slot: Slot = "login/password".into();
        let key_event = |code, modifiers| Event::Key(KeyEvent::new(code, modifiers));
        for mut key in [
            key_event(KeyCode::Char('w'), KeyModifiers::CONTROL),
            key_event(KeyCode::Backspace, KeyModifiers::ALT),
            key_event(KeyCode::Backspace, KeyModifiers::CONTROL),
            key_event(
                KeyCode::Char('h'),
                KeyModifiers::CONTROL | KeyModifiers::ALT,
            ),
        ] {
            let mut secrets = SecretFields::default();
            secrets.apply_event(&slot, &mut Event::Paste("correct horse".into()));
            let edited = secrets.apply_event(&slot, &mut key);
            assert_eq!(
                edited,
                Some(SecretEdit {
                    len: 0,
                    is_full: false
                }),
                "{key:?}"
            );
        }
        let mut secrets = SecretFields::default();
        secrets.apply_event(&slot, &mut Event::Paste("correct horse".into()));
        for code in ['b', 'f'] {
            let mut key = key_event(KeyCode::Char(code), KeyModifiers::ALT);
            assert_eq!(secrets.apply_event(&slot, &mut key), None);
        }
        assert_eq!(secrets.get(&slot).unwrap().expose(), "correct horse");
    }

    #[test]
    fn pasted_jwt_is_stripped_of_its_wrapping() {
        let bare = "eyJhbGciOiJIUzI1NiJ9.e30.c2ln";
        for wrapped in [
            "Bearer {}",
            "bearer   {}\n",
            "BEARER\r\n{}",
            " \"{}\" ",
            "'Bearer {}'",
            "Bearer \"{}\"",
            "\u{201c}{}\u{201d}",
            "`{}`,",
            "Authorization: Bearer {}",
            "\"authorization\": \"Bearer {}\"",
            "\u{feff}Bearer\u{a0}{}",
        ] {
            let mut secrets = SecretFields::default();
            let slot: Slot = JWT_SLOT.into();
            let mut paste = Event::Paste(wrapped.replace("{}", bare));
            secrets.apply_event(&slot, &mut paste);
            assert_eq!(secrets.get(&slot).unwrap().expose(), bare, "{wrapped:?}");
            assert_eq!(paste, Event::Paste(String::new()));
        }
    }

    #[test]
    fn input_beyond_the_limit_is_reported_as_full() {
        let slot: Slot = JWT_SLOT.into();
        let mut secrets = SecretFields::default();
        let mut paste = |bytes| {
            let edited = secrets.apply_event(&slot, &mut Event::Paste("x".repeat(bytes)));
            edited.map(|edited| (edited.len, edited.is_full))
        };
        assert_eq!(paste(MAX_SECRET_BYTES + 1), Some((0, true)));
        assert_eq!(paste(0), Some((0, false)));
        assert_eq!(paste(MAX_SECRET_BYTES), Some((MAX_SECRET_BYTES, false)));
        let edited = secrets.apply_event(&slot, &mut key(KeyCode::Char('x')));
        assert_eq!(
            edited,
            Some(SecretEdit {
                len: MAX_SECRET_BYTES,
                is_full: true
            })
        );
    }

    #[test]
    fn pasted_password_and_token_are_kept_exactly() {
        for (slot, pasted) in [
            ("login/password", "\"Bearer x\""),
            ("login/password", "Bearer x"),
            (JWT_SLOT, "bearereyJ.e30.x"),
        ] {
            let mut secrets = SecretFields::default();
            secrets.apply_event(&slot.into(), &mut Event::Paste(pasted.into()));
            assert_eq!(secrets.get(&slot.into()).unwrap().expose(), pasted);
        }
    }
}
