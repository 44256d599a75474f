//! PIX keys: the destination of a withdrawal.

use std::fmt;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// The longest e-mail that can be a key.
const LONGEST_EMAIL: usize = 77;

/// What a PIX key is.
///
/// A person chooses it. It is never guessed: a bare mobile number can also be a valid CPF, and
/// the money would go to that CPF's owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PixKeyKind {
    /// A person's tax number.
    Cpf,
    /// A company's tax number.
    Cnpj,
    /// A telephone number with its country.
    Phone,
    /// An e-mail address.
    Email,
    /// A random key, also called EVP.
    Random,
}

impl PixKeyKind {
    /// Every kind, in the order in which they are offered.
    pub const ALL: [PixKeyKind; 5] = [
        PixKeyKind::Cpf,
        PixKeyKind::Cnpj,
        PixKeyKind::Phone,
        PixKeyKind::Email,
        PixKeyKind::Random,
    ];
}

/// A PIX key in its one normal form, well formed for its kind.
///
/// Well formed is all it says: whether the key exists, and whose it is, only the service knows.
#[derive(Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "Record")]
pub struct PixKey {
    kind: PixKeyKind,
    text: String,
}

/// A key as it stands in a record, before it was looked at again.
#[derive(Deserialize)]
struct Record {
    kind: PixKeyKind,
    text: String,
}

impl TryFrom<Record> for PixKey {
    type Error = PixKeyError;

    fn try_from(record: Record) -> Result<PixKey, PixKeyError> {
        PixKey::parse(record.kind, &record.text)
    }
}

/// What is wrong with a PIX key, each in a way the seller can mend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PixKeyError {
    /// Nothing was given.
    Empty,
    /// Characters are missing or too many.
    WrongLength {
        /// How many there are, punctuation aside.
        got: usize,
        /// How many this kind has.
        want: usize,
    },
    /// Something other than digits.
    NotDigits,
    /// Something other than letters and digits, in a CNPJ.
    NotLettersOrDigits,
    /// The last two characters of a CNPJ are not digits.
    LettersInCheckDigits,
    /// The check digits do not match: a digit is wrong somewhere.
    CheckDigits,
    /// The same digit all over, which no document has.
    AllSame,
    /// A Brazilian number without 10 or 11 digits (area code and number), or without its country.
    PhoneLength {
        /// How many digits there are, the country aside.
        got: usize,
    },
    /// A Brazilian area code that does not exist.
    AreaCode,
    /// A Brazilian number of 11 digits that does not begin with 9 after its area code.
    MobileNine,
    /// Not an international number: a plus, the country, 3 to 16 digits in all.
    PhoneShape,
    /// Not of the form `name@host.domain`, or with characters a key cannot have.
    EmailShape,
    /// An e-mail longer than the 77 characters a key can have.
    EmailTooLong {
        /// How many characters it has.
        got: usize,
    },
    /// A random key with something other than 0-9 and a-f, or with dashes in other places.
    RandomShape,
}

impl fmt::Display for PixKeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PixKeyError::Empty => f.write_str("the key is empty"),
            PixKeyError::WrongLength { got, want } => {
                write!(f, "the key has {got} characters, it needs {want}")
            }
            PixKeyError::NotDigits => f.write_str("the key has something other than digits"),
            PixKeyError::NotLettersOrDigits => {
                f.write_str("the key has something other than letters and digits")
            }
            PixKeyError::LettersInCheckDigits => f.write_str("the last two must be digits"),
            PixKeyError::CheckDigits => f.write_str("the check digits do not match"),
            PixKeyError::AllSame => f.write_str("the same digit is repeated"),
            PixKeyError::PhoneLength { got } => {
                write!(f, "the number has {got} digits, with its area code it needs 10 or 11")
            }
            PixKeyError::AreaCode => f.write_str("no such area code"),
            PixKeyError::MobileNine => f.write_str("a mobile number begins with 9"),
            PixKeyError::PhoneShape => f.write_str("not an international telephone number"),
            PixKeyError::EmailShape => f.write_str("not an e-mail address"),
            PixKeyError::EmailTooLong { got } => {
                write!(f, "the e-mail has {got} characters, a key has at most {LONGEST_EMAIL}")
            }
            PixKeyError::RandomShape => f.write_str("not a random key"),
        }
    }
}

impl std::error::Error for PixKeyError {}

impl PixKey {
    /// Reads a key of the kind the person chose, with or without its usual punctuation.
    pub fn parse(kind: PixKeyKind, typed: &str) -> Result<PixKey, PixKeyError> {
        let typed = typed.trim();
        let text = match kind {
            PixKeyKind::Cpf => cpf(&without(typed, &['.']))?,
            PixKeyKind::Cnpj => cnpj(&without(typed, &['.', '/']))?,
            PixKeyKind::Phone => phone(&without(typed, &['.', '(', ')']))?,
            PixKeyKind::Email => email(typed)?,
            PixKeyKind::Random => random(typed)?,
        };
        Ok(PixKey { kind, text })
    }

    /// What the key is.
    pub fn kind(&self) -> PixKeyKind {
        self.kind
    }

    /// The key in its normal form, as the central bank's directory holds it.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The key in full with its usual punctuation.
    pub fn pretty(&self) -> String {
        match (self.kind, self.text.strip_prefix("+55")) {
            (PixKeyKind::Cpf, _) => fill("###.###.###-##", &self.text),
            (PixKeyKind::Cnpj, _) => fill("##.###.###/####-##", &self.text),
            (PixKeyKind::Phone, Some(national)) if national.len() == 11 => {
                fill("+55 ## #####-####", national)
            }
            (PixKeyKind::Phone, Some(national)) => fill("+55 ## ####-####", national),
            _ => self.text.clone(),
        }
    }

    /// The key with most of it hidden, still enough for its owner to know it again.
    pub fn masked(&self) -> String {
        match self.kind {
            PixKeyKind::Cpf => fill("***.###.###-**", &self.text[3..9]),
            PixKeyKind::Cnpj => fill("**.###.###/****-**", &self.text[2..8]),
            PixKeyKind::Phone => self.masked_phone(),
            PixKeyKind::Email => {
                let (name, host) = self.text.split_once('@').unwrap_or((&self.text, ""));
                // The first letter of a one-letter name would be all of it.
                let first = if name.len() > 1 { &name[..1] } else { "" };
                format!("{first}***@{host}")
            }
            PixKeyKind::Random => format!("{}-****-****-****-************", &self.text[..8]),
        }
    }

    fn masked_phone(&self) -> String {
        let digits = &self.text[1..];
        let shown = if digits.len() >= 8 { &digits[digits.len() - 4..] } else { "" };
        match digits.strip_prefix("55") {
            Some(national) if national.len() == 11 => fill("+55 ** *****-####", shown),
            Some(_) => fill("+55 ** ****-####", shown),
            None => format!("+{}{shown}", "*".repeat(digits.len() - shown.len())),
        }
    }
}

/// The kind and the masked key: a key is personal, and traces are passed around.
impl fmt::Debug for PixKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PixKey({:?} {})", self.kind, self.masked())
    }
}

fn cpf(digits: &str) -> Result<String, PixKeyError> {
    only_digits(digits)?;
    let values = document(digits, 11)?;
    // A weight for each place, falling to 2 before the check digit.
    let first = check_digit(&values[..9], |from_right| from_right + 2);
    let second = check_digit(&values[..10], |from_right| from_right + 2);
    if values[9..] != [first, second] {
        return Err(PixKeyError::CheckDigits);
    }
    Ok(digits.to_owned())
}

fn cnpj(typed: &str) -> Result<String, PixKeyError> {
    let text = typed.to_ascii_uppercase();
    if !text.bytes().all(|b| b.is_ascii_alphanumeric()) {
        return Err(PixKeyError::NotLettersOrDigits);
    }
    let values = document(&text, 14)?;
    if values[12..].iter().any(|&value| value > 9) {
        return Err(PixKeyError::LettersInCheckDigits);
    }
    // The weights begin anew at 2 after every 9.
    let first = check_digit(&values[..12], |from_right| from_right % 8 + 2);
    let second = check_digit(&values[..13], |from_right| from_right % 8 + 2);
    if values[12..] != [first, second] {
        return Err(PixKeyError::CheckDigits);
    }
    Ok(text)
}

/// The values of a document's characters: since July 2026 letters count too, as ASCII less 48.
fn document(text: &str, want: usize) -> Result<Vec<u32>, PixKeyError> {
    if text.is_empty() {
        return Err(PixKeyError::Empty);
    }
    if text.len() != want {
        return Err(PixKeyError::WrongLength { got: text.len(), want });
    }
    let values: Vec<u32> = text.bytes().map(|b| u32::from(b) - 48).collect();
    if values.iter().all(|value| *value == values[0]) {
        return Err(PixKeyError::AllSame);
    }
    Ok(values)
}

fn check_digit(values: &[u32], weight: impl Fn(u32) -> u32) -> u32 {
    let sum: u32 = (0..).zip(values.iter().rev()).map(|(place, value)| value * weight(place)).sum();
    match sum % 11 {
        0 | 1 => 0,
        rest => 11 - rest,
    }
}

fn phone(typed: &str) -> Result<String, PixKeyError> {
    let (with_country, digits) = match typed.strip_prefix('+') {
        Some(digits) => (true, digits),
        None => (false, typed),
    };
    only_digits(digits)?;
    if with_country && !digits.starts_with("55") {
        let is_country = digits.starts_with(|c| c != '0');
        if !is_country || !(3..=16).contains(&digits.len()) {
            return Err(PixKeyError::PhoneShape);
        }
        return Ok(format!("+{digits}"));
    }
    // Without its plus, 12 or 13 digits from 55 on can only be a Brazilian number in full.
    let in_full = with_country || digits.starts_with("55") && matches!(digits.len(), 12 | 13);
    let national = if in_full { &digits[2..] } else { digits };
    brazilian(national)?;
    Ok(format!("+55{national}"))
}

/// Checks an area code and a number; no area code has a zero, and mobiles begin with 9.
fn brazilian(national: &str) -> Result<(), PixKeyError> {
    if !matches!(national.len(), 10 | 11) {
        return Err(PixKeyError::PhoneLength { got: national.len() });
    }
    if national[..2].contains('0') {
        return Err(PixKeyError::AreaCode);
    }
    if national.len() == 11 && !national[2..].starts_with('9') {
        return Err(PixKeyError::MobileNine);
    }
    Ok(())
}

/// Lower case, in the characters that the central bank's directory takes.
fn email(typed: &str) -> Result<String, PixKeyError> {
    if typed.is_empty() {
        return Err(PixKeyError::Empty);
    }
    let text = typed.to_ascii_lowercase();
    let (name, host) = text.split_once('@').ok_or(PixKeyError::EmailShape)?;
    let name_is_fine = !name.is_empty()
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b".!#$&'*+/=?^_`{|}~-".contains(&b));
    let host_is_fine = host.contains('.') && host.split('.').all(is_host_label);
    if !name_is_fine || !host_is_fine {
        return Err(PixKeyError::EmailShape);
    }
    if text.len() > LONGEST_EMAIL {
        return Err(PixKeyError::EmailTooLong { got: text.len() });
    }
    Ok(text)
}

fn is_host_label(label: &str) -> bool {
    (1..=63).contains(&label.len())
        && label.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
        && !label.starts_with('-')
        && !label.ends_with('-')
}

fn random(typed: &str) -> Result<String, PixKeyError> {
    if typed.is_empty() {
        return Err(PixKeyError::Empty);
    }
    let hex = typed.chars().filter(|c| *c != '-').count();
    if hex != 32 {
        return Err(PixKeyError::WrongLength { got: hex, want: 32 });
    }
    // Of these two lengths the reader knows only the plain and the dashed form.
    if !matches!(typed.len(), 32 | 36) {
        return Err(PixKeyError::RandomShape);
    }
    let key = Uuid::try_parse(typed).map_err(|_| PixKeyError::RandomShape)?;
    Ok(key.hyphenated().to_string())
}

fn only_digits(text: &str) -> Result<(), PixKeyError> {
    if text.is_empty() {
        return Err(PixKeyError::Empty);
    }
    if !text.bytes().all(|b| b.is_ascii_digit()) {
        return Err(PixKeyError::NotDigits);
    }
    Ok(())
}

/// Drops white space, dashes of every length, and the direction marks that address books add.
fn without(text: &str, punctuation: &[char]) -> String {
    let drop = |c: char| {
        c.is_whitespace()
            || punctuation.contains(&c)
            || matches!(c, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}')
            || matches!(c, '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}')
            || matches!(c, '\u{2060}' | '\u{2066}'..='\u{2069}' | '\u{FEFF}')
    };
    text.chars().filter(|c| !drop(*c)).collect()
}

/// Writes characters into a form such as `###.###`.
fn fill(form: &str, text: &str) -> String {
    let mut characters = text.chars();
    form.chars().filter_map(|c| if c == '#' { characters.next() } else { Some(c) }).collect()
}
