//! Masks personal data on screens that other people can see.
//!
//! Pix keys, names and other personal fields are masked where they are shown. In all other text,
//! such as a message from the service, this module recognises e-mail addresses, long numbers and
//! UUIDs. If in doubt, it masks the text. The user can switch masking off.

use std::borrow::Cow;

use super::known_words::{is_known_name, is_message_name, text_parts};

/// The text that replaces personal data.
pub const MASKED: &str = "•••";

/// A path segment of a URL with at least this many digits is masked, because it may be an id.
const MIN_ID_DIGITS: usize = 3;

/// A number with at least this many digits is masked, because it may be a tax, telephone or account
/// number.
const MIN_NUMBER_DIGITS: usize = 8;

/// Parts of names, in lower case. A JSON member is personal if its name contains one of them.
const PERSONAL_NAMES: [&str; 28] = [
    "name",
    "nome",
    "mail",
    "cpf",
    "cnpj",
    "document",
    "phone",
    "telefone",
    "celular",
    "mobile",
    "customer",
    "cliente",
    "buyer",
    "comprador",
    "payer",
    "pagador",
    "holder",
    "titular",
    "receiver",
    "recebedor",
    "owner",
    "person",
    "pessoa",
    "balance",
    "saldo",
    "pixkey",
    "pix_key",
    "chave",
];

/// Masks the name of a person, shop or login, except for its first letter.
pub fn masked_name(name: &str) -> String {
    let mut letters = name.trim().chars();
    match (letters.next(), letters.next()) {
        // A name of one letter is masked completely.
        (Some(first), Some(_)) => format!("{first}{MASKED}"),
        (Some(_), None) => MASKED.to_owned(),
        (None, _) => String::new(),
    }
}

/// Masks the letters and digits of an input field, except for the last two characters. The number
/// of characters stays the same, so that the cursor keeps its position.
pub fn masked_typing(typed: &str) -> String {
    let count = typed.chars().count();
    typed
        .chars()
        .enumerate()
        .map(|(index, c)| {
            if index + 2 < count && c.is_alphanumeric() {
                '•'
            } else {
                c
            }
        })
        .collect()
}

/// Masks everything that looks personal in a text from outside the program.
pub fn masked_text(text: &str) -> String {
    let mut masked = String::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        if let Some(length) = long_number_length(rest) {
            masked.push_str(MASKED);
            rest = &rest[length..];
            continue;
        }
        let end = rest.find(is_separator).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        // Ignore a full stop or colon after the word, because it is punctuation.
        let trimmed = word.trim_end_matches(['.', ':']);
        match trimmed.split_once("://") {
            Some(_) => masked.push_str(&masked_url(trimmed)),
            None if is_personal(trimmed) => masked.push_str(MASKED),
            None => masked.push_str(&masked_home(trimmed)),
        }
        masked.push_str(&word[trimmed.len()..]);
        let next = after.find(|c| !is_separator(c)).unwrap_or(after.len());
        masked.push_str(&after[..next]);
        rest = &after[next..];
    }
    masked
}

/// True if [`masked_text`] would mask any part of the text.
pub fn looks_personal(text: &str) -> bool {
    masked_text(text) != text
}

/// The length, in bytes, of a long number at the start of the text. The number may consist of
/// several groups, such as `(11) 91234 5678`. Returns `None` if there is no such number.
fn long_number_length(text: &str) -> Option<usize> {
    let end = text.find(|c: char| !c.is_numeric() && !" ()+-./\u{a0}".contains(c));
    let run = &text[..end.unwrap_or(text.len())];
    // If a letter follows the digits directly, the last group of digits belongs to a word, so leave
    // it out.
    let run = if text[run.len()..].starts_with(|c| !is_separator(c)) {
        &run[..run.rfind(is_separator)?]
    } else {
        run
    };
    let run = run.trim_end_matches(|c: char| !c.is_numeric());
    let digits = run.chars().filter(|c| c.is_numeric()).count();
    let has_date_or_amount = run
        .split(is_separator)
        .any(|word| starts_with_date(word) || is_amount(word));
    let starts_as_number = run.starts_with(|c: char| c.is_numeric() || "+(".contains(c));
    (starts_as_number && digits >= MIN_NUMBER_DIGITS && !has_date_or_amount).then_some(run.len())
}

/// Masks the query of a URL and the path segments that may contain an id. The scheme and the host
/// are kept.
fn masked_url(url: &str) -> String {
    let (scheme, rest) = url.split_once("://").unwrap_or(("", url));
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (host, rest) = rest.split_at(end);
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
    let end = rest.find(['?', '#']).unwrap_or(rest.len());
    let (path, query) = rest.split_at(end);
    let path = path.split('/').map(|part| {
        let looks_like_id = part.contains(['%', '@'])
            || part.chars().filter(|c| c.is_numeric()).count() >= MIN_ID_DIGITS;
        if looks_like_id { MASKED } else { part }
    });
    let path = path.collect::<Vec<_>>().join("/");
    let query = if query.is_empty() {
        String::new()
    } else {
        format!("{}{MASKED}", &query[..1])
    };
    format!("{scheme}://{host}{path}{query}")
}

/// Masks the user name in the path of a home directory, such as `…/ana/file`.
fn masked_home(word: &str) -> Cow<'_, str> {
    for homes in ["home", "Users"].map(|homes| format!("/{homes}/")) {
        if let Some((before, rest)) = word.split_once(&homes) {
            let end = rest.find('/').unwrap_or(rest.len());
            return format!("{before}{homes}{MASKED}{}", &rest[end..]).into();
        }
    }
    word.into()
}

/// How personal data in a request or response body is masked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BodyMask {
    /// Nothing is masked.
    None,
    /// Only personal data is masked.
    Personal,
    /// All strings, ids and list elements of JSON are masked, and all other text.
    Strict,
}

impl BodyMask {
    /// A JSON value with its personal data masked. `around` contains the lists and objects that
    /// enclose the value.
    pub fn value(self, around: &Enclosing, name: &str, value: &str) -> String {
        match self {
            BodyMask::None => value.to_owned(),
            _ => around.masked(name, value, self == BodyMask::Strict),
        }
    }

    /// The name of a JSON member with its personal data masked.
    pub fn name(self, name: &str) -> String {
        if self == BodyMask::None {
            name.to_owned()
        } else {
            masked_text(name)
        }
    }

    /// A body that is not JSON with its personal data masked.
    pub fn text(self, body: &str) -> String {
        if self == BodyMask::None {
            return body.to_owned();
        }
        let lines = body.lines().map(|line| {
            let text = line.trim_start();
            match self {
                BodyMask::Strict if line.contains(char::is_alphanumeric) => {
                    format!("{}\"{MASKED}\"", &line[..line.len() - text.len()])
                }
                _ => masked_text(&masked_form(line)),
            }
        });
        lines.collect::<Vec<_>>().join("\n")
    }
}

/// The JSON lists and objects around a value, outermost first. Their names decide whether the value
/// is masked.
#[derive(Debug, Default)]
pub struct Enclosing(Vec<Container>);

/// A JSON list or object around a value. If it is an item of a list, it takes the name of the list.
#[derive(Debug)]
struct Container {
    name: String,
    is_list: bool,
    /// True if the container, or one around it, contains messages of the service.
    is_message: bool,
    /// True if an enclosing object has a personal name, such as `customer`.
    has_personal_parent: bool,
}

impl Enclosing {
    /// Enters a nested list or object. All values belong to it until
    /// [`leave_to`](Enclosing::leave_to) leaves it.
    pub fn enter(&mut self, name: &str, is_list: bool) {
        let (name, has_personal_parent) = self.effective_name(name);
        let is_message = self.is_message(name);
        let name = name.to_owned();
        self.0.push(Container {
            name,
            is_list,
            is_message,
            has_personal_parent,
        });
    }

    /// Leaves the innermost lists and objects until `depth` of them remain.
    pub fn leave_to(&mut self, depth: usize) {
        self.0.truncate(depth);
    }

    /// True if the innermost container is a list. Values in a list have no names.
    fn is_list(&self) -> bool {
        self.0.last().is_some_and(|container| container.is_list)
    }

    /// Masks a JSON string, number or other value without members.
    ///
    /// A value is masked if its name is personal, such as `email`. List items take the name of
    /// their list. Inside an object with a personal name, all strings with letters are masked,
    /// except ids, states and times. In a message of the service, all unknown words are masked.
    ///
    /// If `is_strict` is true, all strings are masked, except states and codes of known words.
    fn masked(&self, name: &str, value: &str, is_strict: bool) -> String {
        let (name, has_personal_parent) = self.effective_name(name);
        let lower = name.to_lowercase();
        let is_id = lower == "id" || name.ends_with("Id") || name.ends_with("_id");
        let is_state = ["status", "state", "situacao"]
            .iter()
            .any(|end| lower.ends_with(end));
        let text = value.strip_prefix('"');
        let has_letters = text.is_some_and(|text| text.contains(char::is_alphabetic));
        let is_free_text =
            has_letters && !is_id && !is_state && !text.is_some_and(starts_with_date);
        let is_masked = is_personal_name(name)
            || (has_personal_parent && is_free_text)
            || (is_strict && (is_id || text.is_some() || self.is_list()));
        let is_state = text.is_some_and(|text| is_known_name(text.trim_end_matches('"')));
        if is_masked {
            if is_strict && is_state && !is_id && !is_personal_name(name) {
                value.to_owned()
            } else {
                format!("\"{MASKED}\"")
            }
        } else if self.is_message(name) {
            masked_text(&masked_words(value))
        } else {
            masked_text(value)
        }
    }

    fn is_message(&self, name: &str) -> bool {
        is_message_name(name) || self.0.last().is_some_and(|container| container.is_message)
    }

    /// The name that decides whether a value is masked, and true if an enclosing object has a
    /// personal name. A list item takes the name of its list.
    fn effective_name<'a>(&'a self, name: &'a str) -> (&'a str, bool) {
        match self.0.last() {
            Some(list) if list.is_list => (&list.name, list.has_personal_parent),
            Some(object) => (
                name,
                object.has_personal_parent || is_personal_name(&object.name),
            ),
            None => (name, false),
        }
    }
}

/// Masks the words of a message that are not in the list of known words. Numbers are kept.
fn masked_words(text: &str) -> String {
    let parts = text_parts(text).into_iter();
    parts
        .map(|part| {
            if part.is_private && part.text.contains(char::is_alphabetic) {
                MASKED
            } else {
                part.text
            }
        })
        .collect()
}

/// Masks all values of a form body such as `name=Ana&amount=10`.
fn masked_form(line: &str) -> String {
    if !line.contains('=') || line.contains(char::is_whitespace) {
        return line.to_owned();
    }
    let masked = line.split('&').map(|pair| match pair.split_once('=') {
        Some((name, _)) => format!("{name}={MASKED}"),
        None => pair.to_owned(),
    });
    masked.collect::<Vec<_>>().join("&")
}

/// True if a JSON member with this name contains personal data.
pub fn is_personal_name(name: &str) -> bool {
    let name = name.to_lowercase();
    PERSONAL_NAMES
        .iter()
        .any(|personal| name.contains(personal))
}

/// True if the character can separate two words. Points and commas do not count as separators,
/// because numbers contain them.
fn is_separator(c: char) -> bool {
    c.is_whitespace() || "\"'<>(){}[];“”".contains(c)
}

fn is_personal(word: &str) -> bool {
    let word = word.trim_end_matches(',');
    let is_address = word.contains('@') && word.len() > 1;
    let digits = word.chars().filter(|c| c.is_numeric()).count();
    let is_number = digits >= MIN_NUMBER_DIGITS && !is_amount(word) && !starts_with_date(word);
    is_address || is_number || is_random_key(word)
}

/// True for an amount such as `1.000.000,00` or `1000000.00`.
pub fn is_amount(word: &str) -> bool {
    let cents = word.len().checked_sub(3).and_then(|at| word.get(at..));
    let has_cents = cents.is_some_and(|cents| cents.starts_with([',', '.']));
    has_cents
        && word
            .bytes()
            .all(|b| b.is_ascii_digit() || b == b'.' || b == b',')
}

/// True if the text begins with a date, such as `2026-11-24T10:00`.
pub fn starts_with_date(word: &str) -> bool {
    let Some(date) = word.get(..10) else {
        return false;
    };
    date.bytes().enumerate().all(|(index, b)| match index {
        4 | 7 => b == b'-',
        _ => b.is_ascii_digit(),
    })
}

/// True if the text is a UUID in the format of a random Pix key.
fn is_random_key(word: &str) -> bool {
    word.len() == 36 && is_uuid(word)
}

/// True if the text is a UUID, with or without dashes or double quotes.
pub fn is_uuid(text: &str) -> bool {
    uuid::Uuid::try_parse(text.trim_matches('"')).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn only_personal_parts_of_a_text_are_masked() {
        let cases = [
            (
                "Conta de ana@loja.example bloqueada.",
                "Conta de ••• bloqueada.",
            ),
            ("CPF 111.444.777-35: inválido", "CPF •••: inválido"),
            ("(cnpj 11444777000161)", "(cnpj •••)"),
            ("fone +5511912345678, ligue", "fone ••• ligue"),
            ("chave 123e4567-e89b-12d3-a456-426614174000.", "chave •••."),
            (
                "Saldo insuficiente: R$ 1.000.000,00",
                "Saldo insuficiente: R$ 1.000.000,00",
            ),
            (
                "2026-11-24T10:42:07Z em 30 s",
                "2026-11-24T10:42:07Z em 30 s",
            ),
            ("pedido 1234567", "pedido 1234567"),
            ("Bolo, fone 11 91234 5678.", "Bolo, fone •••."),
            ("(11) 9 1234-5678 ou +55 11 3333 4444", "••• ou •••"),
            ("tel:11912345678 @ana_bolos", "••• •••"),
            ("CPF 111 444 777 35", "CPF •••"),
            ("2 bolos de 30 cm, 4 x 25", "2 bolos de 30 cm, 4 x 25"),
            (
                "2026-11-24 10:20:30, item 12",
                "2026-11-24 10:20:30, item 12",
            ),
            (
                concat!("em /", "home/ana/.config/x.toml"),
                concat!("em /", "home/•••/.config/x.toml"),
            ),
            (
                "POST https://a.example/v1/saques",
                "POST https://a.example/v1/saques",
            ),
            (
                "GET http://127.0.0.1:43210/v1/c/wd_1234?email=ana%40loja.example&page=2",
                "GET http://127.0.0.1:43210/v1/c/•••?•••",
            ),
        ];
        for (text, masked) in cases {
            assert_eq!(masked_text(text), masked);
        }
    }

    #[test]
    fn name_keeps_first_letter_and_typing_keeps_end() {
        assert_eq!(
            [masked_name("Ana Lima"), masked_name("A"), masked_name("")],
            ["A•••", "•••", ""]
        );
        assert_eq!(masked_typing("ana@loja.example"), "•••@••••.•••••le");
        assert_eq!([masked_typing("11"), masked_typing("")], ["11", ""]);
    }

    proptest! {
        #[test]
        fn masking_never_panics_and_keeps_typed_length(text in ".{0,80}") {
            prop_assert_eq!(masked_typing(&text).chars().count(), text.chars().count());
            let _ = (masked_text(&text), BodyMask::Strict.text(&text), masked_name(&text));
        }

        #[test]
        fn email_address_in_a_text_is_masked(name in "[a-z]{3,9}", around in "[ -~]{0,20}") {
            let text = format!("{around} {name}@loja.example {around}");
            let address = format!("{name}@loja.example");
            let masked = masked_text(&text);
            prop_assert!(!masked.contains(&address), "{}", masked);
        }
    }
}
