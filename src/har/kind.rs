//! The kinds of values, such as a CPF or an e-mail address. The mask recognises a kind by the form
//! of the value.

pub(super) use crate::trade::MaskedKind as Kind;
use crate::trade::{PixKey, PixKeyKind};

/// The minimum length of text without spaces that counts as a random token.
pub(super) const MIN_TOKEN_LENGTH: usize = 20;

impl Kind {
    /// The kind of a value. The name of the JSON member is ignored, so equal values get equal masks
    /// everywhere.
    pub(super) fn of(text: &str) -> Kind {
        let text = text.trim();
        let digits = digits(text).len();
        let is_number = digits > 0
            && text
                .chars()
                .all(|c| c.is_ascii_digit() || " .,-/()+".contains(c));
        match () {
            _ if ["data:", "iVBOR", "/9j/"]
                .iter()
                .any(|start| text.starts_with(start)) =>
            {
                Kind::Picture
            }
            _ if text.starts_with("000201") => Kind::PixCode,
            _ if is_token(text) => Kind::Token,
            _ if text.contains('@') && !text.contains(char::is_whitespace) => Kind::Email,
            _ if is_uuid(text) => Kind::Uuid,
            _ if is_number && is_decimal(text) && !has_cents(text) => Kind::Number,
            _ if is_number && is_decimal(text) => Kind::Amount,
            _ if digits == 11 && is_number && PixKey::parse(PixKeyKind::Cpf, text).is_ok() => {
                Kind::Cpf
            }
            _ if PixKey::parse(PixKeyKind::Cnpj, text).is_ok() => Kind::Cnpj,
            _ if is_number && has_cents(text) => Kind::Amount,
            _ if is_number && (10..=13).contains(&digits) => Kind::Phone,
            _ if is_number => Kind::Number,
            _ if is_host(text) => Kind::Host,
            _ if is_random(text) => Kind::Token,
            _ => Kind::Text,
        }
    }

    /// The name of the kind, as in the mask `‹cpf 1›`.
    pub(super) fn name(self) -> &'static str {
        match self {
            Kind::Cpf => "cpf",
            Kind::Cnpj => "cnpj",
            Kind::Phone => "phone",
            Kind::Email => "email",
            Kind::Uuid => "uuid",
            Kind::PixCode => "pix code",
            Kind::Picture => "picture",
            Kind::Token => "token",
            Kind::Host => "host",
            Kind::Amount => "amount",
            Kind::Number => "number",
            Kind::Text => "text",
        }
    }

    /// The value in a normal form, so that all spellings of a document, telephone number or UUID
    /// get the same mask.
    pub(super) fn normal(self, text: &str) -> String {
        let alphanumeric = text.chars().filter(char::is_ascii_alphanumeric);
        match self {
            Kind::Cpf | Kind::Cnpj | Kind::Uuid => {
                alphanumeric.collect::<String>().to_ascii_lowercase()
            }
            Kind::Phone => match alphanumeric.collect::<String>() {
                number if number.len() > 11 => {
                    number.strip_prefix("55").unwrap_or(&number).to_owned()
                }
                number => number,
            },
            _ => text.to_owned(),
        }
    }

    /// The mask of the `n`th value of this kind, such as `‹cpf 1›`. The mask contains the length if
    /// values of this kind differ in length.
    pub(super) fn mask(self, n: usize, text: &str) -> String {
        let length = match self {
            Kind::Text | Kind::Token | Kind::Picture | Kind::PixCode => {
                format!(", {} letters", text.chars().count())
            }
            Kind::Number => format!(", {} digits", digits(text).len()),
            _ => String::new(),
        };
        format!("‹{} {n}{length}›", self.name())
    }
}

fn digits(text: &str) -> String {
    text.chars().filter(char::is_ascii_digit).collect()
}

/// True if the text ends with a decimal separator and two digits, as in `10,00`.
pub(super) fn has_cents(text: &str) -> bool {
    let cents = text
        .len()
        .checked_sub(3)
        .and_then(|start| text.get(start..));
    cents.is_some_and(|cents| cents.starts_with([',', '.']) && digits(cents).len() == 2)
}

/// True for a negative number, and for a number with a decimal separator.
fn is_decimal(text: &str) -> bool {
    let parts: Vec<&str> = text.split(['.', ',']).collect();
    let is_number = parts.iter().all(|part| part.len() == digits(part).len());
    text.starts_with('-') || parts.len() == 2 && is_number
}

/// True if the text begins like a JWT, with or without `Bearer` before it.
pub(super) fn is_token(text: &str) -> bool {
    let token = text.strip_prefix("Bearer ").unwrap_or(text);
    token.starts_with("eyJ") && token.contains('.')
}

/// True for a UUID, with or without hyphens, quotation marks and braces.
fn is_uuid(text: &str) -> bool {
    let digits: String = text.chars().filter(|c| !"-{}\"".contains(*c)).collect();
    digits.len() == 32 && digits.bytes().all(|b| b.is_ascii_hexdigit())
}

fn is_host(text: &str) -> bool {
    let name = text.split(':').next().unwrap_or_default();
    name.contains('.')
        && name.split('.').all(|part| {
            !part.is_empty() && part.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
        })
        && text.len() <= 253
}

fn is_random(text: &str) -> bool {
    text.len() >= MIN_TOKEN_LENGTH
        && text
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b"-_.+/=~".contains(&b))
        && text.bytes().any(|b| u8::is_ascii_digit(&b))
        && text.bytes().any(|b| u8::is_ascii_alphabetic(&b))
}
