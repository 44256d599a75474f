//! Reads Pix keys as people write them: after a label or a name, with the 0 before an area code, or
//! without the zeros at the beginning of a tax number, which spreadsheets drop.
//!
//! A reading that adds digits is never taken without a choice by the user, because another reading
//! could be the destination that the user means.

use super::{
    CNPJ_SHAPE, CPF_SHAPE, PixKey, PixKeyError, PixKeyKind, is_pix_code, normalized_input,
    remove_punctuation,
};
use crate::trade::search::searchable;
use PixKeyKind::{Cnpj, Cpf, Email, Phone, Random};

/// The words that people write before a key, in the form of [`searchable`], with the kinds of key
/// that each names.
const LABELS: [(&str, &[PixKeyKind]); 45] = [
    ("cpf", &[Cpf]),
    ("cnpj", &[Cnpj]),
    ("telefone", &[Phone]),
    ("telephone", &[Phone]),
    ("phone", &[Phone]),
    ("fone", &[Phone]),
    ("tel", &[Phone]),
    ("celular", &[Phone]),
    ("cel", &[Phone]),
    ("mobile", &[Phone]),
    ("fixo", &[Phone]),
    ("whatsapp", &[Phone]),
    ("whats", &[Phone]),
    ("zap", &[Phone]),
    ("email", &[Email]),
    ("mail", &[Email]),
    ("mailto", &[Email]),
    ("aleatoria", &[Random]),
    ("random", &[Random]),
    ("evp", &[Random]),
    ("uuid", &[Random]),
    ("documento", &[Cpf, Cnpj]),
    ("document", &[Cpf, Cnpj]),
    ("doc", &[Cpf, Cnpj]),
    ("chave", &[]),
    ("key", &[]),
    ("pix", &[]),
    ("tipo", &[]),
    ("type", &[]),
    ("numero", &[]),
    ("number", &[]),
    ("num", &[]),
    ("no", &[]),
    ("n", &[]),
    ("minha", &[]),
    ("meu", &[]),
    ("my", &[]),
    ("is", &[]),
    ("ou", &[]),
    ("or", &[]),
    ("e", &[]),
    ("a", &[]),
    ("o", &[]),
    ("da", &[]),
    ("do", &[]),
];

/// The beginnings of telephone numbers of companies, which have no area code.
const SERVICE_PREFIXES: [&str; 5] = ["0300", "0303", "0500", "0800", "0900"];

/// The maximum number of zeros at the beginning of a tax number that a spreadsheet has dropped.
const MAX_DROPPED_ZEROS: usize = 2;

/// The minimum number of digits of a text with letters that may be a mistyped CNPJ and not a name.
const MIN_CNPJ_DIGITS: usize = 6;

/// The key that a typed text means if it is a key of this kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyReading {
    /// The key, in its normalised form.
    pub key: PixKey,
    /// False if the reading adds digits that were not typed, or drops one that may belong to a key
    /// of another kind. Such a key is used only if the user chooses its kind.
    pub is_certain: bool,
}

impl PixKey {
    /// Reads a typed Pix key as the kind that the user chose.
    pub fn from_typed(kind: PixKeyKind, typed: &str) -> Result<PixKey, PixKeyError> {
        read(kind, &Parts::of(typed)).map(|reading| reading.key)
    }

    /// Reads a typed tax number: a CPF or a CNPJ. Digits are never added, because the user does not
    /// see what was added before it is sent.
    pub fn from_typed_document(typed: &str) -> Result<PixKey, PixKeyError> {
        let parts = Parts::of(typed);
        let part = &parts.last;
        let characters = part
            .text
            .chars()
            .filter(char::is_ascii_alphanumeric)
            .count();
        let kind = match part.kinds[..] {
            [kind @ (Cpf | Cnpj)] => kind,
            _ if characters > 11 => Cnpj,
            _ => Cpf,
        };
        match read(kind, &parts)? {
            KeyReading {
                key,
                is_certain: true,
            } => Ok(key),
            KeyReading { .. } => PixKey::parse(kind, &part.text),
        }
    }
}

/// The keys that `typed` may mean, at most one of each kind.
///
/// Text with the punctuation of a CPF (a tax number) counts only as a CPF. A phone number could be
/// written in the same way, but `Phone` is then not returned. In the same way, a number such as
/// `0800 123 4567` is not taken for a CPF.
pub fn key_readings(typed: &str) -> Vec<KeyReading> {
    let parts = Parts::of(typed);
    let text = &parts.last.text;
    let kinds = PixKeyKind::ALL.into_iter().filter(|kind| match kind {
        Phone => !is_punctuated_as(CPF_SHAPE, text),
        Cpf => !is_service_number(text) || !is_phone_like(text),
        _ => true,
    });
    kinds.filter_map(|kind| read(kind, &parts).ok()).collect()
}

/// The kinds of key that `typed` may be.
fn possible_kinds(typed: &str) -> Vec<PixKeyKind> {
    key_readings(typed)
        .iter()
        .map(|reading| reading.key.kind())
        .collect()
}

/// The other kinds of key that `typed` may be, or an empty list if `typed` is valid for the chosen
/// kind.
///
/// The result is used only to ask the user, never to change the user's choice.
pub fn other_kinds(chosen: PixKeyKind, typed: &str) -> Vec<PixKeyKind> {
    if PixKey::from_typed(chosen, typed).is_ok() {
        return Vec::new();
    }
    // Recognise even an incomplete e-mail address, because no other kind of key contains `@`.
    let is_email = typed
        .split_once('@')
        .is_some_and(|(name, _)| !name.trim().is_empty());
    if is_email && chosen != Email && !is_pix_code(&normalized_input(typed)) {
        return vec![Email];
    }
    possible_kinds(typed)
}

/// The likely reason why `typed` is not a valid key. Returns `None` if no single reason is likely.
/// The result is used only to explain an error.
pub fn likely_error(typed: &str) -> Option<PixKeyError> {
    let parts = Parts::of(typed);
    let part = &parts.last;
    let text = &part.text;
    if is_pix_code(text) {
        return Some(PixKeyError::PixCode);
    }
    if has_extra_text(text) {
        return Some(PixKeyError::ExtraText);
    }
    if let [kind] = part.kinds[..] {
        return read(kind, &parts).err();
    }
    let mut likely: Vec<_> = PixKeyKind::ALL
        .into_iter()
        .filter_map(|kind| {
            read(kind, &parts)
                .err()
                .filter(|error| is_likely(kind, *error, text))
        })
        .collect();
    likely.dedup();
    likely.pop().filter(|_| likely.is_empty())
}

/// True if the text is probably a key of this kind with this error.
fn is_likely(kind: PixKeyKind, error: PixKeyError, text: &str) -> bool {
    match kind {
        Cpf | Cnpj => {
            let is_mistyped = matches!(
                error,
                PixKeyError::CheckDigits(_)
                    | PixKeyError::AllSame
                    | PixKeyError::LettersInCheckDigits
            );
            is_mistyped && !is_phone_like(text) && (kind == Cpf || is_cnpj_like(text))
        }
        Phone => is_phone_like(text) || error == PixKeyError::ServiceNumber,
        Email => text.contains('@'),
        Random => false,
    }
}

/// A part of a typed text that may be the key.
struct Part {
    text: String,
    /// The kinds of key that the label before this part names. Empty if it names none.
    kinds: Vec<PixKeyKind>,
}

impl Part {
    fn of(text: &str, kinds: &[PixKeyKind]) -> Part {
        let text = text
            .trim_start_matches(['"', '“'])
            .trim_end_matches(|c: char| c.is_whitespace() || ")]>,;.\"”".contains(c));
        Part {
            text: text.trim().to_owned(),
            kinds: kinds.to_vec(),
        }
    }

    fn may_be(&self, kind: PixKeyKind) -> bool {
        self.kinds.is_empty() || self.kinds.contains(&kind)
    }
}

/// The parts of a typed text that may be the key. There is more than one if it is unclear whether
/// the beginning is a label, as in `CPF11144477735`, which may be a CNPJ.
struct Parts {
    /// The parts that begin with a possible label, the longest first.
    longer: Vec<Part>,
    last: Part,
}

impl Parts {
    fn of(typed: &str) -> Parts {
        let plain: String = normalized_input(typed)
            .chars()
            .map(plain_character)
            .collect();
        let text = address_after_name(&plain).unwrap_or(&plain);
        let mut parts = Parts {
            longer: vec![],
            last: Part::of(text, &[]),
        };
        let mut rest = text;
        let mut kinds: Vec<PixKeyKind> = vec![];
        while let Some(label) = Label::at_start(rest) {
            kinds.extend(label.kinds);
            kinds.dedup();
            rest = label.rest;
            if label.is_certain() {
                parts = Parts {
                    longer: vec![],
                    last: Part::of(label.key(), &kinds),
                };
            } else if label.is_possible() {
                let longer = std::mem::replace(&mut parts.last, Part::of(label.key(), &kinds));
                parts.longer.push(longer);
            }
        }
        parts
    }
}

/// A known word at the beginning of a text.
struct Label<'t> {
    word: &'t str,
    kinds: &'static [PixKeyKind],
    /// The characters between the word and the rest.
    separator: &'t str,
    rest: &'t str,
}

impl<'t> Label<'t> {
    fn at_start(text: &'t str) -> Option<Label<'t>> {
        let is_separator = |c: char| c.is_whitespace() || ":=-./()[]#°|,*\"“".contains(c);
        let text = text.trim_start_matches(is_separator);
        let end = text
            .find(|c: char| !c.is_alphabetic())
            .unwrap_or(text.len());
        let (word, after) = text.split_at(end);
        let name = searchable(word);
        let (_, kinds) = LABELS.into_iter().find(|(label, _)| *label == name)?;
        let rest = after.trim_start_matches(is_separator);
        let separator = &after[..after.len() - rest.len()];
        (!rest.is_empty()).then_some(Label {
            word,
            kinds,
            separator,
            rest,
        })
    }

    /// True if the word cannot be the beginning of a key.
    fn is_certain(&self) -> bool {
        self.separator
            .contains(|c: char| c.is_whitespace() || c == ':')
    }

    /// True if the word may also be the beginning of a key that is not an e-mail address.
    fn is_possible(&self) -> bool {
        let is_glued = self.word.len() > 2 && self.rest.starts_with(|c: char| c.is_ascii_digit());
        !self.rest.contains('@')
            && (!self.separator.is_empty() || is_glued || self.rest.starts_with('+'))
    }

    /// The rest as a key. The URL of an e-mail address may contain a subject after it.
    fn key(&self) -> &'t str {
        match self.rest.split_once('?') {
            Some((address, _)) if self.word.eq_ignore_ascii_case("mailto") => address,
            _ => self.rest,
        }
    }
}

/// The address in a text such as `Ana <ana@loja.example>`. Returns `None` if the name could be a
/// key itself.
fn address_after_name(text: &str) -> Option<&str> {
    let (name, address) = text.strip_suffix('>')?.split_once('<')?;
    let is_name = !name.contains(|c: char| c == '@' || c.is_ascii_digit());
    (is_name && !address.contains('<')).then_some(address)
}

/// The ASCII character for a full-width character or for a digit of another script.
fn plain_character(c: char) -> char {
    /// The zeros of the scripts whose digits keyboards and text recognition insert.
    const ZEROS: [char; 3] = ['\u{660}', '\u{6F0}', '\u{966}'];
    let code = u32::from(c);
    if ('\u{FF01}'..='\u{FF5E}').contains(&c) {
        return char::from_u32(code - 0xFF01 + 0x21).unwrap_or(c);
    }
    let digit = ZEROS.into_iter().find_map(|zero| {
        code.checked_sub(u32::from(zero))
            .filter(|digit| *digit < 10)
    });
    digit
        .and_then(|digit| char::from_digit(digit, 10))
        .unwrap_or(c)
}

/// Reads a key of this kind from the first part that is one. Returns the error of the last part,
/// because that part has no label.
fn read(kind: PixKeyKind, parts: &Parts) -> Result<KeyReading, PixKeyError> {
    let mut error = PixKeyError::OtherLabel;
    let all = parts.longer.iter().chain([&parts.last]);
    for part in all.filter(|part| part.may_be(kind)) {
        let reading = match kind {
            Cpf => read_document(kind, CPF_SHAPE, &part.text),
            Cnpj => read_document(kind, CNPJ_SHAPE, &part.text),
            Phone => read_phone(&part.text),
            Email | Random => PixKey::parse(kind, &part.text).map(certain),
        };
        match reading {
            Ok(reading) => return Ok(reading),
            Err(reason) => error = reason,
        }
    }
    Err(error)
}

fn certain(key: PixKey) -> KeyReading {
    KeyReading {
        key,
        is_certain: true,
    }
}

/// Reads a tax number, also without its zeros at the beginning.
fn read_document(kind: PixKeyKind, shape: &str, text: &str) -> Result<KeyReading, PixKeyError> {
    PixKey::parse(kind, text).map(certain).or_else(|error| {
        let digits: String = text.chars().filter(char::is_ascii_digit).collect();
        let is_number = digits == text || is_punctuated_as(shape, text);
        let length = shape.matches('#').count();
        let dropped = length.saturating_sub(digits.len());
        if !is_number || dropped == 0 || dropped > MAX_DROPPED_ZEROS {
            return Err(error);
        }
        let key = PixKey::parse(kind, &format!("{digits:0>length$}")).map_err(|_| error)?;
        Ok(KeyReading {
            key,
            is_certain: false,
        })
    })
}

/// Reads a telephone number, also with a 0 before its area code.
///
/// Bare digits that are as long as a CPF remain uncertain without that 0, because they may be a
/// mistyped CPF.
fn read_phone(text: &str) -> Result<KeyReading, PixKeyError> {
    let plain = remove_punctuation(text, &['.', '(', ')', '-']).to_ascii_lowercase();
    // In the old notation `0xx11`, the letters stand for the code of a telephone company.
    let plain = plain.replacen("0xx", "0", 1);
    let after_country = plain
        .strip_prefix("+55")
        .or_else(|| plain.strip_prefix("550").map(|_| &plain[2..]));
    let national = after_country.unwrap_or(&plain);
    if is_service_number(national) {
        return Err(PixKeyError::ServiceNumber);
    }
    let without_zero = national
        .strip_prefix('0')
        .filter(|rest| matches!(rest.len(), 10 | 11));
    let Some(local) = without_zero else {
        return PixKey::parse(PixKeyKind::Phone, text).map(certain);
    };
    let key = PixKey::parse(PixKeyKind::Phone, local)?;
    let is_bare = text.bytes().all(|byte| byte.is_ascii_digit());
    Ok(KeyReading {
        key,
        is_certain: !is_bare || national.len() != 11,
    })
}

fn is_service_number(text: &str) -> bool {
    SERVICE_PREFIXES
        .iter()
        .any(|prefix| text.starts_with(prefix))
}

/// True if the text has the punctuation of this shape, possibly without its first digits.
fn is_punctuated_as(shape: &str, text: &str) -> bool {
    let text = text.replace(|c: char| c.is_ascii_digit(), "#");
    text.contains(['.', '/']) && shape.ends_with(&text)
}

/// True if the text has the punctuation of a telephone number: it begins with `+` or `(`, or it
/// ends with a group of at least four digits after another group.
fn is_phone_like(text: &str) -> bool {
    let is_number = text
        .chars()
        .all(|c| c.is_ascii_digit() || c.is_whitespace() || "+-.()".contains(c));
    let mut groups = text
        .split(|c: char| !c.is_ascii_digit())
        .filter(|group| !group.is_empty());
    let last = groups.next_back().unwrap_or_default();
    let is_grouped = last.len() >= 4 && groups.next().is_some();
    is_number && (is_grouped || text.starts_with(['+', '(']))
}

/// True if the text may be a mistyped CNPJ. A CNPJ may contain letters, but a text of several words
/// is not one.
fn is_cnpj_like(text: &str) -> bool {
    let has_letters = text.contains(|c: char| c.is_ascii_alphabetic());
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    !has_letters || digits >= MIN_CNPJ_DIGITS && !text.contains(char::is_whitespace)
}

/// True if a part of the text is a valid key, and the rest is only words.
fn has_extra_text(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_key = |word: &&str| word.contains(|c: char| c == '@' || c.is_ascii_digit());
    let Some(first) = words.iter().position(is_key) else {
        return false;
    };
    let last = words.iter().rposition(is_key).unwrap_or(first);
    let key = words[first..=last].join(" ");
    let is_shorter = last + 1 - first < words.len();
    let parts = Parts {
        longer: vec![],
        last: Part::of(&key, &[]),
    };
    is_shorter
        && PixKeyKind::ALL
            .into_iter()
            .any(|kind| read(kind, &parts).is_ok())
}

#[cfg(test)]
mod tests;
