//! Passwords and tokens, which are never shown.

use std::fmt;

/// The most bytes a secret can be typed or pasted with; tokens are long.
pub const SECRET_BYTES: usize = 16 * 1024;

/// A secret that nothing prints and nothing stores.
///
/// The program's allocator wipes all memory that is given back, that of the libraries too, so that
/// no type has to do it.
/// Neither `Display`, `Serialize` nor `Clone`: a copy is made by name, and can be looked for.
pub struct Secret(String);

impl Secret {
    /// Takes a secret over.
    pub fn new(text: String) -> Secret {
        Secret(text)
    }

    /// The secret itself, for the one place that sends or stores it.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// Returns the number of bytes.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns true when it is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// A second copy.
    pub fn duplicate(&self) -> Secret {
        Secret(self.0.clone())
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("…")
    }
}

/// A field in which a person types a secret.
#[derive(Default)]
pub struct SecretField(String);

impl SecretField {
    /// An empty field.
    pub fn new() -> SecretField {
        SecretField::default()
    }

    /// Adds a character at the end; false for a control character or when the field is full.
    pub fn insert(&mut self, typed: char) -> bool {
        if typed.is_control() || self.0.len() + typed.len_utf8() > SECRET_BYTES {
            return false;
        }
        self.0.push(typed);
        true
    }

    /// Adds a pasted text at the end, and tells how many characters it added.
    ///
    /// Control characters (a token broken over lines) and surrounding white space are dropped. A
    /// text that does not fit adds nothing: half a token looks like a token.
    pub fn insert_text(&mut self, pasted: &str) -> usize {
        let text = pasted.trim_matches(is_margin);
        let bytes: usize = text.chars().filter(|c| !c.is_control()).map(char::len_utf8).sum();
        if self.0.len() + bytes > SECRET_BYTES {
            return 0;
        }
        let mut added = 0;
        for c in text.chars().filter(|c| !c.is_control()) {
            self.0.push(c);
            added += 1;
        }
        added
    }

    /// Takes the last character away.
    pub fn backspace(&mut self) {
        self.0.pop();
    }

    /// Empties the field and gives its memory back, which wipes it.
    pub fn clear(&mut self) {
        self.0 = String::new();
    }

    /// Returns the number of characters.
    pub fn len(&self) -> usize {
        self.0.chars().count()
    }

    /// Returns true when nothing was typed.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Hands over what was typed and leaves the field empty.
    pub fn take(&mut self) -> Secret {
        Secret(std::mem::take(&mut self.0))
    }
}

impl fmt::Debug for SecretField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("…")
    }
}

/// The characters that may surround a token copied from a page or a mail, and that are never part
/// of it.
fn is_margin(c: char) -> bool {
    c.is_whitespace()
        || c.is_control()
        || matches!(c, '\u{200B}'..='\u{200F}' | '\u{2060}' | '\u{FEFF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_exposed_only_by_name() {
        let secret = Secret::new("s3nha".to_owned());
        assert_eq!(secret.expose(), "s3nha");
        assert_eq!((secret.len(), secret.is_empty()), (5, false));
        assert_eq!(secret.duplicate().expose(), "s3nha");
        assert_eq!(format!("{secret:?} {:?}", Some(&secret)), "… Some(…)");
    }

    #[test]
    fn a_field_has_a_bound() {
        let mut field = SecretField::new();
        while field.insert('é') {}
        assert_eq!(field.0.len(), SECRET_BYTES);
        assert_eq!(field.insert_text("x"), 0);
        field.clear();
        assert!(field.is_empty());
        assert_eq!(field.insert_text(&"x".repeat(SECRET_BYTES)), SECRET_BYTES);
        assert!(!field.insert('x'));
    }

    #[test]
    fn a_field_takes_what_is_typed() {
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
    fn pasted_token_loses_margins_and_line_breaks() {
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
        assert_eq!(field.insert_text(&"x".repeat(SECRET_BYTES)), 0);
        assert_eq!(field.take().expose(), "a");
    }
}
