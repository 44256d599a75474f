//! The secret fields: what is typed there is kept here, and only its length goes to the app.

use std::collections::HashMap;

use crossterm::event::{Event, KeyCode, KeyModifiers};
use zeroize::Zeroize;

use super::keyboard;
use crate::app::form::Slot;
use crate::trade::{Secret, SecretField};

/// All secret fields that were typed into.
#[derive(Default)]
pub struct Secrets {
    fields: HashMap<Slot, SecretField>,
    /// What the demo put in place: there again when a field is wiped, as its form says.
    filled_in: HashMap<Slot, Secret>,
}

impl Secrets {
    /// Gives an event to a field; its new length, or `None` when the event is not text for it.
    ///
    /// A paste is wiped: it is in the field now, and nowhere else.
    pub fn type_event(&mut self, slot: &Slot, event: &mut Event) -> Option<usize> {
        let field = self.fields.entry(slot.clone()).or_default();
        match event {
            Event::Paste(text) => {
                field.insert_text(text);
                text.zeroize();
            }
            Event::Key(key) => {
                let known = keyboard::key_of(key)?;
                match (key.code, known.text()) {
                    (_, Some(c)) => {
                        field.insert(c);
                    }
                    (KeyCode::Backspace, _) => field.backspace(),
                    (KeyCode::Char('u'), _) if key.modifiers == KeyModifiers::CONTROL => {
                        field.clear();
                    }
                    (KeyCode::Delete, _) => field.clear(),
                    _ => return None,
                }
            }
            _ => return None,
        }
        Some(field.len())
    }

    /// Puts a secret into a field, as the demo does with its password.
    pub fn put(&mut self, slot: &Slot, secret: &Secret) {
        self.fields.entry(slot.clone()).or_default();
        self.filled_in.insert(slot.clone(), secret.duplicate());
        self.wipe(slot);
    }

    /// A copy of what stands in a field; the field keeps it until it is wiped.
    pub fn get(&mut self, slot: &Slot) -> Option<Secret> {
        let field = self.fields.get_mut(slot).filter(|field| !field.is_empty())?;
        let secret = field.take();
        field.insert_text(secret.expose());
        Some(secret)
    }

    /// Wipes a field; what the demo put there stands there again.
    pub fn wipe(&mut self, slot: &Slot) {
        if let Some(field) = self.fields.get_mut(slot) {
            field.clear();
            if let Some(secret) = self.filled_in.get(slot) {
                field.insert_text(secret.expose());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crossterm::event::KeyEvent;

    fn key(code: KeyCode) -> Event {
        Event::Key(KeyEvent::new(code, KeyModifiers::NONE))
    }

    #[test]
    fn typing_tells_only_the_length() {
        let slot: Slot = "login/password".into();
        let mut secrets = Secrets::default();
        assert_eq!(secrets.type_event(&slot, &mut key(KeyCode::Char('é'))), Some(1));
        let mut paste = Event::Paste("abc\r\n".into());
        assert_eq!(secrets.type_event(&slot, &mut paste), Some(4));
        assert_eq!(paste, Event::Paste(String::new()), "it is in the field alone");
        assert_eq!(secrets.type_event(&slot, &mut key(KeyCode::Backspace)), Some(3));
        assert_eq!(secrets.type_event(&slot, &mut key(KeyCode::Tab)), None);
        assert_eq!(secrets.get(&slot).unwrap().expose(), "éab");
        assert_eq!(secrets.get(&slot).unwrap().expose(), "éab");
        secrets.wipe(&slot);
        assert!(secrets.get(&slot).is_none());
    }

    #[test]
    fn what_the_demo_put_in_place_is_there_for_the_next_login() {
        let slot: Slot = "login/password".into();
        let mut secrets = Secrets::default();
        secrets.put(&slot, &Secret::new("demo".to_owned()));
        secrets.type_event(&slot, &mut key(KeyCode::Char('x')));
        secrets.wipe(&slot);
        assert_eq!(secrets.get(&slot).unwrap().expose(), "demo");
    }
}
