//! Passwords and tokens, which are never shown.

use std::fmt;

/// The maximum length of a secret in bytes. The limit is large because some tokens are long.
pub const MAX_SECRET_BYTES: usize = 16 * 1024;

/// A secret text that is never printed.
///
/// The type does not wipe its memory, because the program's allocator wipes all freed memory. It
/// does not implement `Display`, `Serialize` or `Clone`; [`duplicate`](Secret::duplicate) makes a
/// copy instead, because that name is easy to find in the code.
pub struct Secret(String);

impl Secret {
    /// Creates a secret from a text.
    pub fn new(text: String) -> Secret {
        Secret(text)
    }

    /// The secret text. Call this only to send or store the secret.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// The number of bytes.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// True if the secret is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// A copy of the secret.
    pub fn duplicate(&self) -> Secret {
        Secret(self.0.clone())
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("…")
    }
}

/// The content of an input field for a password or token.
#[derive(Default)]
pub struct SecretField(String);

impl SecretField {
    /// Creates an empty field.
    pub fn new() -> SecretField {
        SecretField::default()
    }

    /// Appends a typed character. Returns false if it is a control character or the field is full.
    pub fn insert(&mut self, typed: char) -> bool {
        if typed.is_control() || self.0.len() + typed.len_utf8() > MAX_SECRET_BYTES {
            return false;
        }
        self.0.push(typed);
        true
    }

    /// Appends a pasted text and returns the number of characters added.
    ///
    /// Control characters, such as line breaks inside a token, and surrounding white space are
    /// dropped. If the text does not fit, nothing is added, because a shortened token would look
    /// like a valid one.
    pub fn insert_text(&mut self, pasted: &str) -> usize {
        let text = pasted.trim_matches(is_padding);
        let bytes: usize = text
            .chars()
            .filter(|c| !c.is_control())
            .map(char::len_utf8)
            .sum();
        if self.0.len() + bytes > MAX_SECRET_BYTES {
            return 0;
        }
        let mut added = 0;
        for c in text.chars().filter(|c| !c.is_control()) {
            self.0.push(c);
            added += 1;
        }
        added
    }

    /// Removes the last character.
    pub fn backspace(&mut self) {
        self.0.pop();
    }

    /// Empties the field and frees its memory, which the allocator wipes.
    pub fn clear(&mut self) {
        self.0 = String::new();
    }

    /// The number of characters.
    pub fn len(&self) -> usize {
        self.0.chars().count()
    }

    /// True if the field is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the secret and leaves the field empty.
    pub fn take(&mut self) -> Secret {
        Secret(std::mem::take(&mut self.0))
    }
}

impl fmt::Debug for SecretField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("…")
    }
}

/// True for white space and invisible characters, which may surround a copied token.
fn is_padding(c: char) -> bool {
    c.is_whitespace()
        || c.is_control()
        || matches!(c, '\u{200B}'..='\u{200F}' | '\u{2060}' | '\u{FEFF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secret_is_shown_only_by_expose() {
        let secret = Secret::new("s3nha".to_owned());
        assert_eq!(secret.expose(), "s3nha");
        assert_eq!((secret.len(), secret.is_empty()), (5, false));
        assert_eq!(secret.duplicate().expose(), "s3nha");
        assert_eq!(format!("{secret:?} {:?}", Some(&secret)), "… Some(…)");
    }

    #[test]
    fn field_has_a_maximum_length() {
        let mut field = SecretField::new();
        while field.insert('é') {}
        assert_eq!(field.0.len(), MAX_SECRET_BYTES);
        assert_eq!(field.insert_text("x"), 0);
        field.clear();
        assert!(field.is_empty());
        assert_eq!(
            field.insert_text(&"x".repeat(MAX_SECRET_BYTES)),
            MAX_SECRET_BYTES
        );
        assert!(!field.insert('x'));
    }

    #[test]
    fn typed_characters_are_added_and_removed() {
        let mut field = SecretField::new();
        assert!(field.insert('a') && field.insert(' ') && field.insert('ç'));
        assert!(!field.insert('\n') && !field.insert('\u{1b}') && !field.insert('\u{9b}'));
        assert_eq!(field.len(), 3);
        field.backspace();
        assert_eq!(field.len(), 2);
        assert_eq!(format!("{field:?}"), "…");
        assert_eq!(field.take().expose(), "a ");
        assert!(field.is_empty() && field.take().is_empty());
        field.backspace();
        assert_eq!(field.len(), 0);
    }

    #[test]
    fn paste_drops_surrounding_space_and_line_breaks() {
        let mut field = SecretField::new();
        assert_eq!(field.insert_text("\u{feff} \t eyJh\r\nbGci \u{200b}\n"), 8);
        assert_eq!(field.take().expose(), "eyJhbGci");
        assert_eq!(field.insert_text("correct horse"), 13);
        assert_eq!(field.take().expose(), "correct horse");
    }

    #[test]
    fn a_paste_that_does_not_fit_adds_nothing() {
        let mut field = SecretField::new();
        field.insert('a');
        assert_eq!(field.insert_text(&"x".repeat(MAX_SECRET_BYTES)), 0);
        assert_eq!(field.take().expose(), "a");
    }
}
