//! PIX keys: the destination of a withdrawal.

use std::fmt;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::untrusted::is_unseen;

/// The longest e-mail that can be a key.
const LONGEST_EMAIL: usize = 77;

/// The kind of a PIX key.
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
#[serde(try_from = "StoredPixKey")]
pub struct PixKey {
    kind: PixKeyKind,
    text: String,
}

/// A key as it stands in a record, before it was looked at again.
#[derive(Deserialize)]
struct StoredPixKey {
    kind: PixKeyKind,
    text: String,
}

impl TryFrom<StoredPixKey> for PixKey {
    type Error = PixKeyError;

    fn try_from(record: StoredPixKey) -> Result<PixKey, PixKeyError> {
        PixKey::parse(record.kind, &record.text)
    }
}

/// The fault of a PIX key; the seller can mend each of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PixKeyError {
    /// Nothing was given.
    #[error("the key is empty")]
    Empty,
    /// Characters are missing or too many.
    #[error("the key has {got} characters, it needs {want}")]
    WrongLength {
        /// The number there is, without punctuation.
        got: usize,
        /// The number that this kind has.
        want: usize,
    },
    /// Something other than digits.
    #[error("the key has something other than digits")]
    NotDigits,
    /// Something other than letters and digits, in a CNPJ.
    #[error("the key has something other than letters and digits")]
    NotLettersOrDigits,
    /// The last two characters of a CNPJ are not digits.
    #[error("the last two must be digits")]
    LettersInCheckDigits,
    /// The check digits do not match: a digit is wrong somewhere.
    #[error("the check digits do not match")]
    CheckDigits,
    /// The same digit all over, which no document has.
    #[error("the same digit is repeated")]
    AllSame,
    /// A Brazilian number without 10 or 11 digits (area code and number), or without its country.
    #[error("the number has {got} digits, with its area code it needs 10 or 11")]
    PhoneLength {
        /// The number of digits, without the country code.
        got: usize,
    },
    /// A Brazilian area code that does not exist.
    #[error("no such area code")]
    AreaCode,
    /// A Brazilian number of 11 digits that does not begin with 9 after its area code.
    #[error("a mobile number begins with 9")]
    MobileNine,
    /// A Brazilian number of 10 digits that is not a landline: mobiles have 11.
    #[error("a mobile has 9 digits after its area code, a landline begins with 2 to 5")]
    TenDigits,
    /// Not an international number: a plus, the country, 3 to 16 digits in all.
    #[error("not an international telephone number")]
    PhoneShape,
    /// Not of the form `name@host.domain`, or with characters a key cannot have.
    #[error("not an e-mail address")]
    EmailShape,
    /// An e-mail longer than the 77 characters a key can have.
    #[error("the e-mail has {got} characters, a key has at most {LONGEST_EMAIL}")]
    EmailTooLong {
        /// The number of characters.
        got: usize,
    },
    /// A random key with something other than 0-9 and a-f, or with dashes in other places.
    #[error("not a random key")]
    RandomShape,
    /// A Pix code ("Copia e Cola"), which is paid and has a key in it.
    #[error("a Pix code, not a key")]
    PixCode,
}

impl PixKey {
    /// Reads a key of the kind the person chose, with or without its usual punctuation.
    pub fn parse(kind: PixKeyKind, typed: &str) -> Result<PixKey, PixKeyError> {
        let typed = as_typed(typed);
        if is_pix_code(&typed) {
            return Err(PixKeyError::PixCode);
        }
        let text = match kind {
            PixKeyKind::Cpf => cpf(&without(&typed, &['.', '-']))?,
            PixKeyKind::Cnpj => cnpj(&without(&typed, &['.', '/', '-']))?,
            PixKeyKind::Phone => phone(&without(&typed, &['.', '(', ')', '-']))?,
            PixKeyKind::Email => email(&typed)?,
            PixKeyKind::Random => random(&without(&typed, &['{', '}']))?,
        };
        Ok(PixKey { kind, text })
    }

    /// Returns the kind of the key.
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

    /// Returns true when a text can be this key with a part of it hidden, such as
    /// `a***@loja.example`.
    pub fn is_masked_as(&self, text: &str) -> bool {
        let text = text.trim().to_ascii_lowercase();
        let mut parts = text.split(['*', '#']);
        let first = parts.next().unwrap_or_default();
        let Some(last) = parts.next_back() else { return false };
        let inside = self.text.to_ascii_lowercase();
        let mut rest = inside.strip_prefix(first).and_then(|rest| rest.strip_suffix(last));
        for part in parts {
            rest = rest.and_then(|rest| Some(rest.split_once(part)?.1));
        }
        rest.is_some()
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

/// The kinds that what was typed would be a key of, where it is none of the chosen kind.
///
/// Something to ask the person about, and never a choice made for them: see [`PixKeyKind`].
pub fn other_kinds(chosen: PixKeyKind, typed: &str) -> Vec<PixKeyKind> {
    let is_kind = |kind: PixKeyKind| PixKey::parse(kind, typed).is_ok();
    if is_kind(chosen) {
        return Vec::new();
    }
    // No other kind has this sign: it says so before the address is whole.
    let is_address = typed.split_once('@').is_some_and(|(name, _)| !name.trim().is_empty());
    if is_address && chosen != PixKeyKind::Email && !is_pix_code(&as_typed(typed)) {
        return vec![PixKeyKind::Email];
    }
    PixKeyKind::ALL.into_iter().filter(|kind| is_kind(*kind)).collect()
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

/// Checks an area code and a number: no area code has a zero, mobiles have 9 digits and begin with
/// 9, and landlines have 8 and begin with 2 to 5.
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
    if national.len() == 10 && !national[2..].starts_with(['2', '3', '4', '5']) {
        return Err(PixKeyError::TenDigits);
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

/// Returns true if the text begins as a Pix code does and names its arrangement.
fn is_pix_code(text: &str) -> bool {
    let text = without(text, &[]).to_ascii_lowercase();
    text.starts_with("000201") && text.contains("br.gov.bcb.pix")
}

/// Returns the text as a keyboard types it: without invisible characters, such as the marks that
/// address books add, and with plain dashes, where chat programs write long ones.
pub fn as_typed(text: &str) -> String {
    let seen = text.chars().filter(|c| !is_unseen(*c) || c.is_whitespace());
    let plain: String = seen.map(|c| if is_dash(c) { '-' } else { c }).collect();
    plain.trim().to_owned()
}

fn is_dash(c: char) -> bool {
    matches!(c, '\u{2010}'..='\u{2015}' | '\u{2043}' | '\u{2212}')
        || matches!(c, '\u{FE58}' | '\u{FE63}' | '\u{FF0D}')
}

/// Drops white space and this punctuation.
fn without(text: &str, punctuation: &[char]) -> String {
    text.chars().filter(|c| !c.is_whitespace() && !punctuation.contains(c)).collect()
}

/// Writes characters into a form such as `###.###`.
fn fill(form: &str, text: &str) -> String {
    let mut characters = text.chars();
    form.chars().filter_map(|c| if c == '#' { characters.next() } else { Some(c) }).collect()
}

#[cfg(test)]
mod tests;
