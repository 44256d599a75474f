//! Reads the text of a refusal: which fields of the request it names, and whether it says that they
//! are missing or unknown.

use crate::contract::{ReplyTree, TreeRow, TreeValue};
use crate::trade::search::searchable;
use crate::trade::{PixKeyKind, Untrusted};

/// A field that a refusal names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedField {
    /// The name in the request; names of nested members are separated by `/`.
    pub name: String,
    /// True if the reply has the name as a value or a member of its own, and not inside a sentence.
    pub is_exact: bool,
    pub cause: Cause,
}

/// The reason why a refusal names a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    Missing,
    /// The service does not know the field.
    Unknown,
    /// Something else, or the cause is unclear.
    Other,
}

/// Parts of sentences and error codes about a missing field, in lower case and without accents.
const MISSING_PARTS: &str = "required,requerid,obrigat,missing,faltando,falta o,falta a,ausente,\
                             not provided,must be provided,must be present,nao informad,\
                             deve ser informad,cannot be blank,can't be blank,must not be blank,\
                             not be empty,cannot be empty,not be null,cannot be null,\
                             ser vazi,ser nul,preench";

const UNKNOWN_PARTS: &str = "unknown,desconhecid,unexpected,inesperad,unrecogni,not allowed,\
                             nao permitid,nao e um campo,should not exist,additional propert,\
                             extra field,nao reconhecid";

/// If a member's name in an error reply contains one of these, such as `field`, its value is the
/// name of a request field. FastAPI's member `loc` counts, too.
const FIELD_NAME_KEYS: &str = "field,campo,path,param,pointer,propert,propried";

/// If a member's name in an error reply contains one of these, such as `errors`, the members inside
/// it are named after request fields, or have a member `name` with such a name.
const FIELD_LIST_KEYS: &str = "errors,erros,fields,campos,violations,params";

/// Names of members that describe an error, and never name a field, if their value is a text.
const DESCRIPTION_KEYS: [&str; 11] = [
    "message", "mensagem", "msg", "code", "codigo", "detail", "title", "status", "type", "reason",
    "error",
];

/// Words for kinds of Pix key, in lower case and without separators.
const KEY_KIND_WORDS: [(PixKeyKind, &str); 5] = [
    (PixKeyKind::Cpf, "cpf document documento taxid"),
    (PixKeyKind::Cnpj, "cnpj document documento taxid"),
    (
        PixKeyKind::Phone,
        "phone phonenumber telefone celular mobile",
    ),
    (PixKeyKind::Email, "email mail"),
    (
        PixKeyKind::Random,
        "evp random randomkey aleatoria chavealeatoria uuid",
    ),
];

/// The maximum number of names and words that are examined, because this happens for every frame.
const MAX_FIELDS: usize = 200;

/// The minimum number of kinds that a refusal names if it lists the words for them.
const MIN_LISTED_KINDS: usize = 3;

/// Members that enclose the fields of a request in error replies, but not in the request.
const ENVELOPES: [&str; 7] = ["$", "#", "body", "data", "attributes", "request", "payload"];

impl NamedField {
    /// True if this is the name of a member in the request.
    pub fn is_name_of(&self, member: &str) -> bool {
        self.name == path_of(member)
    }

    /// The fields that a refusal names, in the order of the reply. The list also contains ordinary
    /// words of its sentences.
    pub fn all_in(body: &Untrusted) -> Vec<NamedField> {
        let Some(tree) = ReplyTree::read(body) else {
            return names_in_sentence(&body.shown_within(2_000))
                .take(MAX_FIELDS)
                .collect();
        };
        let texts: Vec<String> = tree.rows().iter().filter_map(row_text).collect();
        let cause = match cause_in(&searchable(&texts.join("\n"))) {
            // The reason beside a name such as `senha` is masked.
            Cause::Other if texts.iter().any(|text| text == Untrusted::MASKED) => Cause::Missing,
            cause => cause,
        };
        let mut fields = vec![];
        for row in tree.rows() {
            if fields.len() >= MAX_FIELDS {
                break;
            }
            let exact = exact_name(row).into_iter().map(|name| path_of(&name));
            let exact = exact.filter(|name| !name.is_empty());
            fields.extend(exact.map(|name| NamedField {
                name,
                is_exact: true,
                cause,
            }));
            if let Some(text) = row_text(row).filter(|text| text.contains(' ')) {
                fields.extend(names_in_sentence(&text));
            }
        }
        fields
    }
}

/// The service's words for the kinds of Pix key, if a refusal lists them.
pub fn key_kind_words(body: &Untrusted) -> Vec<(PixKeyKind, String)> {
    let text = body.shown_within(2_000);
    let tokens = text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-')));
    let mut words: Vec<(PixKeyKind, String)> = vec![];
    for token in tokens {
        let plain = searchable(token).replace(['_', '-'], "");
        for (kind, known) in KEY_KIND_WORDS {
            let is_listed = words.iter().any(|(listed, _)| *listed == kind);
            if !is_listed && known.split(' ').any(|it| it == plain) {
                words.push((kind, token.to_owned()));
            }
        }
    }
    if words.len() < MIN_LISTED_KINDS {
        vec![]
    } else {
        words
    }
}

fn row_text(row: &TreeRow) -> Option<String> {
    match &row.value {
        TreeValue::Text(text) => Some(text.shown_within(200)),
        _ => None,
    }
}

/// True if a text contains one of these parts, which are separated by commas.
fn contains_part(text: &str, parts: &str) -> bool {
    parts.split(',').any(|part| text.contains(part))
}

fn cause_in(text: &str) -> Cause {
    if contains_part(text, MISSING_PARTS) {
        Cause::Missing
    } else if contains_part(text, UNKNOWN_PARTS) {
        Cause::Unknown
    } else {
        Cause::Other
    }
}

/// The name that a row has as its value, such as `"field": "pix_key"`, or as its own name, such as
/// `"errors": {"pix_key": [...]}`.
fn exact_name(row: &TreeRow) -> Option<String> {
    let keys: Vec<&str> = row.pointer.split('/').skip(1).collect();
    let mut names = keys.iter().rev().filter(|key| !is_index(key));
    let key = *names.next()?;
    let parent = names.next().copied().unwrap_or_default();
    if let Some(text) = row_text(row).filter(|text| !text.contains(' ')) {
        let is_named = key == "name" && names_fields(parent);
        if is_named || key == "loc" || contains_part(&key.to_lowercase(), FIELD_NAME_KEYS) {
            return Some(text);
        }
    }
    // In `/errors/pix_key/0` the member is named after a field, but not in `/errors/0/message`.
    let end = keys.iter().rposition(|key| !is_index(key))?;
    let list = end.checked_sub(1).map_or("", |before| keys[before]);
    let is_described = DESCRIPTION_KEYS.contains(&key) && matches!(row.value, TreeValue::Text(_));
    let is_field = names_fields(list) && !is_described;
    is_field.then(|| key.replace("~1", "/").replace("~0", "~"))
}

fn is_index(key: &str) -> bool {
    key.parse::<usize>().is_ok()
}

/// True if the members inside a member with this key are about fields.
fn names_fields(key: &str) -> bool {
    contains_part(&key.to_lowercase(), FIELD_LIST_KEYS)
}

/// Converts a name such as `/data/attributes/pix_key` or `customer.name` to a path in the request.
fn path_of(name: &str) -> String {
    let mut keys: Vec<&str> = name
        .split(['.', '/', '[', ']'])
        .filter(|key| !key.is_empty())
        .collect();
    let enclosing = keys
        .iter()
        .take_while(|key| ENVELOPES.contains(key))
        .count();
    keys.drain(..enclosing);
    keys.join("/")
}

/// A word of a sentence, and whether it looks like a field name and not like ordinary text.
struct Word {
    name: String,
    is_plain: bool,
}

/// The words of a sentence that may be names of fields. Each part of the sentence has a cause of
/// its own.
fn names_in_sentence(text: &str) -> impl Iterator<Item = NamedField> {
    let clauses = text
        .split([',', ';', '\n', ':'])
        .flat_map(|clause| clause.split(". "));
    clauses.flat_map(names_in_clause)
}

fn names_in_clause(clause: &str) -> Vec<NamedField> {
    let cause = cause_in(&searchable(clause));
    let words = clause
        .split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.' | '/' | '-')))
        .map(|word| word.trim_matches(['.', '/', '-']));
    let words: Vec<Word> = words
        .filter(|word| !word.is_empty())
        .map(Word::of)
        .collect();
    // In "pixKeyType is required for this key", the plain words are not names.
    let has_name = words.iter().any(Word::looks_like_name);
    let names = words.iter().enumerate().map(|(n, word)| NamedField {
        name: path_of(&word.name),
        is_exact: false,
        cause: match cause {
            Cause::Missing if word.is_plain && (has_name || is_label(&words, n)) => Cause::Other,
            cause => cause,
        },
    });
    names.filter(|field| !field.name.is_empty()).collect()
}

/// True if a word is part of a label on a screen, such as "Chave Pix" or "Tipo de chave".
fn is_label(words: &[Word], n: usize) -> bool {
    let before = words[..n].iter().rev().find(|word| !word.is_linking());
    let after = words[n + 1..].iter().find(|word| !word.is_linking());
    [before, after]
        .into_iter()
        .flatten()
        .any(Word::is_label_word)
}

impl Word {
    fn of(word: &str) -> Word {
        let is_plain = !word.contains(['_', '.', '/', '-'])
            && !word
                .chars()
                .skip(1)
                .any(|c| c.is_uppercase() || c.is_ascii_digit());
        // A word of a sentence may begin with a capital letter, or have accents that the name of a
        // field does not have.
        let name = if is_plain {
            searchable(word)
        } else {
            word.to_owned()
        };
        Word { name, is_plain }
    }

    fn looks_like_name(&self) -> bool {
        let mut pairs = self.name.chars().zip(self.name.chars().skip(1));
        self.name.contains('_') || pairs.any(|(a, b)| a.is_lowercase() && b.is_uppercase())
    }

    fn is_linking(&self) -> bool {
        matches!(&*self.name, "de" | "do" | "da" | "of" | "the")
    }

    fn is_label_word(&self) -> bool {
        const LABEL_WORDS: [&str; 9] = [
            "pix", "chave", "key", "tipo", "type", "api", "acesso", "access", "token",
        ];
        LABEL_WORDS.contains(&&*self.name.to_lowercase())
    }
}
