//! Pix keys: the destinations of withdrawals. Start reading at [`PixKey`]; `typed` reads keys as
//! people write them.

mod typed;

use std::fmt;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::untrusted::is_hidden;

pub use typed::{KeyReading, key_readings, likely_error, other_kinds};

/// The maximum number of characters of a Pix key that is an e-mail address.
const MAX_EMAIL_LENGTH: usize = 77;

/// The punctuation of a CPF (a person's tax number), with `#` for each digit.
const CPF_SHAPE: &str = "###.###.###-##";

/// The punctuation of a CNPJ (a company's tax number).
const CNPJ_SHAPE: &str = "##.###.###/####-##";

/// The kind of a Pix key.
///
/// The program recognises the kind only if the key fits a single kind. Otherwise the user chooses
/// it. A wrong guess could send the money to another person, because a mobile number, for example,
/// can also be someone's CPF.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PixKeyKind {
    /// A person's tax number, which has 11 digits.
    Cpf,
    /// A company's tax number, which has 14 characters.
    Cnpj,
    /// A telephone number, stored with its country code.
    Phone,
    /// An e-mail address.
    Email,
    /// A random key, which is a UUID and is also called EVP.
    Random,
}

impl PixKeyKind {
    /// All kinds of key, in the order in which the user can choose them.
    pub const ALL: [PixKeyKind; 5] = [
        PixKeyKind::Cpf,
        PixKeyKind::Cnpj,
        PixKeyKind::Phone,
        PixKeyKind::Email,
        PixKeyKind::Random,
    ];
}

/// A Pix key with a valid format, in its normalised form.
///
/// Only the service can find out whether the key exists and who owns it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "StoredPixKey")]
pub struct PixKey {
    kind: PixKeyKind,
    text: String,
}

/// A Pix key as read from a database record, before it is validated.
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

/// The reason a text is not a valid Pix key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PixKeyError {
    /// The text is empty.
    #[error("the key is empty")]
    Empty,
    /// The key has too few or too many characters.
    #[error("the key has {got} characters, it needs {want}")]
    WrongLength {
        /// The number of characters of the text, without punctuation.
        got: usize,
        /// The number of characters that a key of this kind must have.
        want: usize,
    },
    /// The text has characters other than digits.
    #[error("the key has something other than digits")]
    NotDigits,
    /// The CNPJ has characters other than letters and digits.
    #[error("the key has something other than letters and digits")]
    NotLettersOrDigits,
    /// The last two characters of the CNPJ are not digits.
    #[error("the last two must be digits")]
    LettersInCheckDigits,
    /// The check digits do not match the other digits, so a digit is wrong or missing.
    #[error("the check digits do not match")]
    CheckDigits(PixKeyKind),
    /// All digits are the same, so the text is not a valid CPF or CNPJ.
    #[error("the same digit is repeated")]
    AllSame,
    /// The telephone number has neither 10 nor 11 digits. Brazilian numbers have 10 or 11 digits
    /// with their area code. It may be a foreign number without its `+`.
    #[error("the number has {got} digits, with its area code it needs 10 or 11")]
    PhoneLength {
        /// The number of digits of the text, without the country code.
        got: usize,
    },
    /// The area code of the Brazilian number does not exist.
    #[error("no such area code")]
    AreaCode,
    /// The Brazilian number has 11 digits but no 9 after its area code.
    #[error("a mobile number begins with 9")]
    MobileNine,
    /// The number has 10 digits but is not a Brazilian landline number. A mobile number has 11
    /// digits.
    #[error("a mobile has 9 digits after its area code, a landline begins with 2 to 5")]
    TenDigits,
    /// The foreign number does not have the form `+`, country code and number, with 3 to 16 digits
    /// in total.
    #[error("not an international telephone number")]
    PhoneShape,
    /// The text does not have the form `name@host.domain`, or has characters that a key cannot
    /// contain.
    #[error("not an e-mail address")]
    EmailShape,
    /// The e-mail address has more than 77 characters.
    #[error("the e-mail has {got} characters, a key has at most {MAX_EMAIL_LENGTH}")]
    EmailTooLong {
        /// The number of characters of the address.
        got: usize,
    },
    /// The random key has characters other than 0-9 and a-f, or its dashes are in the wrong places.
    #[error("not a random key")]
    RandomShape,
    /// The text is a Pix code ("Copia e Cola"), which is a complete payment request and not a key.
    #[error("a Pix code, not a key")]
    PixCode,
    /// The text is a number such as `0800 123 4567`, to which no one can pay.
    #[error("a service number is not a key")]
    ServiceNumber,
    /// The text contains a valid key and other words.
    #[error("there is other text beside the key")]
    ExtraText,
    /// The label before the key names another kind of key.
    #[error("the label names another kind of key")]
    OtherLabel,
}

impl PixKey {
    /// Parses a Pix key of this kind. Punctuation in the key is optional.
    ///
    /// For a key that a person typed, use [`from_typed`](Self::from_typed).
    pub fn parse(kind: PixKeyKind, typed: &str) -> Result<PixKey, PixKeyError> {
        let typed = normalized_input(typed);
        if is_pix_code(&typed) {
            return Err(PixKeyError::PixCode);
        }
        let text = match kind {
            PixKeyKind::Cpf => parse_cpf(&remove_punctuation(&typed, &['.', '-']))?,
            PixKeyKind::Cnpj => parse_cnpj(&remove_punctuation(&typed, &['.', '/', '-']))?,
            PixKeyKind::Phone => parse_phone(&remove_punctuation(&typed, &['.', '(', ')', '-']))?,
            PixKeyKind::Email => parse_email(&typed)?,
            PixKeyKind::Random => parse_random(&remove_punctuation(&typed, &['{', '}']))?,
        };
        Ok(PixKey { kind, text })
    }

    /// The kind of the key.
    pub fn kind(&self) -> PixKeyKind {
        self.kind
    }

    /// The key in the normalised form that the Central Bank's directory of Pix keys uses.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The whole key with the usual punctuation, such as `123.456.789-09` for a CPF.
    pub fn pretty(&self) -> String {
        match (self.kind, self.text.strip_prefix("+55")) {
            (PixKeyKind::Cpf, _) => fill_pattern(CPF_SHAPE, &self.text),
            (PixKeyKind::Cnpj, _) => fill_pattern(CNPJ_SHAPE, &self.text),
            (PixKeyKind::Phone, Some(national)) if national.len() == 11 => {
                fill_pattern("+55 ## #####-####", national)
            }
            (PixKeyKind::Phone, Some(national)) => fill_pattern("+55 ## ####-####", national),
            _ => self.text.clone(),
        }
    }

    /// The key with most characters hidden. The owner of the key can still recognise it.
    pub fn masked(&self) -> String {
        match self.kind {
            PixKeyKind::Cpf => fill_pattern("***.###.###-**", &self.text[3..9]),
            PixKeyKind::Cnpj => fill_pattern("**.###.###/****-**", &self.text[2..8]),
            PixKeyKind::Phone => self.masked_phone(),
            PixKeyKind::Email => {
                let (name, host) = self.text.split_once('@').unwrap_or((&self.text, ""));
                // If the name before the `@` has only one letter, hide the whole name.
                let first = if name.len() > 1 { &name[..1] } else { "" };
                format!("{first}***@{host}")
            }
            PixKeyKind::Random => format!("{}-****-****-****-************", &self.text[..8]),
        }
    }

    /// True if `text` may be a masked form of this key, with some characters replaced by `*` or
    /// `#`, such as `a***@loja.example`.
    pub fn is_masked_as(&self, text: &str) -> bool {
        let text = text.trim().to_ascii_lowercase();
        let mut parts = text.split(['*', '#']);
        let first = parts.next().unwrap_or_default();
        let Some(last) = parts.next_back() else {
            return false;
        };
        let key = self.text.to_ascii_lowercase();
        let mut rest = key
            .strip_prefix(first)
            .and_then(|rest| rest.strip_suffix(last));
        for part in parts {
            rest = rest.and_then(|rest| Some(rest.split_once(part)?.1));
        }
        rest.is_some()
    }

    fn masked_phone(&self) -> String {
        let digits = &self.text[1..];
        let last_digits = if digits.len() >= 8 {
            &digits[digits.len() - 4..]
        } else {
            ""
        };
        match digits.strip_prefix("55") {
            Some(national) if national.len() == 11 => {
                fill_pattern("+55 ** *****-####", last_digits)
            }
            Some(_) => fill_pattern("+55 ** ****-####", last_digits),
            None => format!(
                "+{}{last_digits}",
                "*".repeat(digits.len() - last_digits.len())
            ),
        }
    }
}

/// Formats the kind and the masked key. The full key is left out because it is personal data and
/// debug output may be shared.
impl fmt::Debug for PixKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PixKey({:?} {})", self.kind, self.masked())
    }
}

fn parse_cpf(digits: &str) -> Result<String, PixKeyError> {
    require_digits(digits)?;
    let values = document_values(digits, 11)?;
    // The rightmost digit has weight 2, and the weights increase by one towards the left.
    let first = check_digit(&values[..9], |from_right| from_right + 2);
    let second = check_digit(&values[..10], |from_right| from_right + 2);
    if values[9..] != [first, second] {
        return Err(PixKeyError::CheckDigits(PixKeyKind::Cpf));
    }
    Ok(digits.to_owned())
}

fn parse_cnpj(typed: &str) -> Result<String, PixKeyError> {
    let text = typed.to_ascii_uppercase();
    if !text.bytes().all(|b| b.is_ascii_alphanumeric()) {
        return Err(PixKeyError::NotLettersOrDigits);
    }
    let values = document_values(&text, 14)?;
    if values[12..].iter().any(|&value| value > 9) {
        return Err(PixKeyError::LettersInCheckDigits);
    }
    // The weights run from 2 to 9 from right to left, and then start again at 2.
    let first = check_digit(&values[..12], |from_right| from_right % 8 + 2);
    let second = check_digit(&values[..13], |from_right| from_right % 8 + 2);
    if values[12..] != [first, second] {
        return Err(PixKeyError::CheckDigits(PixKeyKind::Cnpj));
    }
    Ok(text)
}

/// The values of the characters of a CPF or CNPJ: their ASCII codes minus 48. A CNPJ may contain
/// letters since July 2026.
fn document_values(text: &str, want: usize) -> Result<Vec<u32>, PixKeyError> {
    if text.is_empty() {
        return Err(PixKeyError::Empty);
    }
    if text.len() != want {
        return Err(PixKeyError::WrongLength {
            got: text.len(),
            want,
        });
    }
    let values: Vec<u32> = text.bytes().map(|b| u32::from(b) - 48).collect();
    if values.iter().all(|value| *value == values[0]) {
        return Err(PixKeyError::AllSame);
    }
    Ok(values)
}

fn check_digit(values: &[u32], weight: impl Fn(u32) -> u32) -> u32 {
    let sum: u32 = (0..)
        .zip(values.iter().rev())
        .map(|(position, value)| value * weight(position))
        .sum();
    match sum % 11 {
        0 | 1 => 0,
        remainder => 11 - remainder,
    }
}

fn parse_phone(typed: &str) -> Result<String, PixKeyError> {
    let (has_plus, digits) = match typed.strip_prefix('+') {
        Some(digits) => (true, digits),
        None => (false, typed),
    };
    require_digits(digits)?;
    if has_plus && !digits.starts_with("55") {
        let is_country_code = digits.starts_with(|c| c != '0');
        if !is_country_code || !(3..=16).contains(&digits.len()) {
            return Err(PixKeyError::PhoneShape);
        }
        return Ok(format!("+{digits}"));
    }
    // Even without `+`, a number that begins with 55 and has 12 or 13 digits includes the country
    // code of Brazil.
    let has_country_code = has_plus || digits.starts_with("55") && matches!(digits.len(), 12 | 13);
    let national = if has_country_code {
        &digits[2..]
    } else {
        digits
    };
    check_brazilian_phone(national)?;
    Ok(format!("+55{national}"))
}

/// Checks a Brazilian number with its area code, which contains no zero. Mobile numbers have 9
/// digits and begin with 9. Landline numbers have 8 digits and begin with 2 to 5.
fn check_brazilian_phone(national: &str) -> Result<(), PixKeyError> {
    if !matches!(national.len(), 10 | 11) {
        return Err(PixKeyError::PhoneLength {
            got: national.len(),
        });
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

/// The e-mail address in lower case. Returns an error if it has characters that the Central Bank's
/// directory does not accept.
fn parse_email(typed: &str) -> Result<String, PixKeyError> {
    if typed.is_empty() {
        return Err(PixKeyError::Empty);
    }
    let text = typed.to_ascii_lowercase();
    let (name, host) = text.split_once('@').ok_or(PixKeyError::EmailShape)?;
    let name_is_fine = !name.is_empty()
        && name
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b".!#$&'*+/=?^_`{|}~-".contains(&b));
    let host_is_fine = host.contains('.') && host.split('.').all(is_host_label);
    if !name_is_fine || !host_is_fine {
        return Err(PixKeyError::EmailShape);
    }
    if text.len() > MAX_EMAIL_LENGTH {
        return Err(PixKeyError::EmailTooLong { got: text.len() });
    }
    Ok(text)
}

fn is_host_label(label: &str) -> bool {
    (1..=63).contains(&label.len())
        && label
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b == b'-')
        && !label.starts_with('-')
        && !label.ends_with('-')
}

fn parse_random(typed: &str) -> Result<String, PixKeyError> {
    if typed.is_empty() {
        return Err(PixKeyError::Empty);
    }
    let digits = typed.chars().filter(|c| *c != '-').count();
    if digits != 32 {
        return Err(PixKeyError::WrongLength {
            got: digits,
            want: 32,
        });
    }
    // Accept only the two lengths of a UUID: with dashes and without them.
    if !matches!(typed.len(), 32 | 36) {
        return Err(PixKeyError::RandomShape);
    }
    let key = Uuid::try_parse(typed).map_err(|_| PixKeyError::RandomShape)?;
    Ok(key.hyphenated().to_string())
}

fn require_digits(text: &str) -> Result<(), PixKeyError> {
    if text.is_empty() {
        return Err(PixKeyError::Empty);
    }
    if !text.bytes().all(|b| b.is_ascii_digit()) {
        return Err(PixKeyError::NotDigits);
    }
    Ok(())
}

/// True if the text looks like a Pix code: it has the right beginning and contains the identifier
/// of Pix.
fn is_pix_code(text: &str) -> bool {
    let text = remove_punctuation(text, &[]).to_ascii_lowercase();
    text.starts_with("000201") && text.contains("br.gov.bcb.pix")
}

/// The text without the invisible characters that some address books insert, and with plain hyphens
/// instead of typographic dashes.
pub fn normalized_input(text: &str) -> String {
    let visible = text.chars().filter(|c| !is_hidden(*c) || c.is_whitespace());
    let plain: String = visible.map(|c| if is_dash(c) { '-' } else { c }).collect();
    plain.trim().to_owned()
}

fn is_dash(c: char) -> bool {
    matches!(c, '\u{2010}'..='\u{2015}' | '\u{2043}' | '\u{2212}')
        || matches!(c, '\u{FE58}' | '\u{FE63}' | '\u{FF0D}')
}

/// Removes white space and the given punctuation.
fn remove_punctuation(text: &str, punctuation: &[char]) -> String {
    text.chars()
        .filter(|c| !c.is_whitespace() && !punctuation.contains(c))
        .collect()
}

/// Replaces each `#` in a pattern such as `###.###` with the next character of the text.
fn fill_pattern(pattern: &str, text: &str) -> String {
    let mut characters = text.chars();
    pattern
        .chars()
        .filter_map(|c| if c == '#' { characters.next() } else { Some(c) })
        .collect()
}

#[cfg(test)]
mod tests;
