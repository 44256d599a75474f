//! The words that stay readable where texts from a service are masked: on screens that other people
//! can see, and in files that leave this computer.
//!
//! The words are in a list that comes with the program. It contains the words of error messages,
//! states and names of JSON members, but no names of people or companies. All other words are
//! private.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use super::search::searchable_in_full;

/// The list of known words, without accents and in lower case.
static WORDS: LazyLock<BTreeSet<String>> =
    LazyLock::new(|| read_list(include_str!("../../assets/known-words.txt")));

/// The maximum number of letters in a sentence that is masked word by word. A longer sentence is
/// private as a whole.
const MAX_LETTERS: usize = 80;

/// The maximum length of a code or name, in bytes.
const MAX_NAME_BYTES: usize = 40;

/// Words that join the parts of a name, as in "Maria da Silva".
const CONNECTORS: [&str; 8] = ["de", "da", "do", "das", "dos", "e", "of", "and"];

/// Words without a meaning of their own. They stay readable only beside another known word.
const FUNCTION_WORDS: [&str; 36] = [
    "a", "ao", "as", "com", "da", "das", "de", "do", "dos", "e", "em", "na", "nas", "no", "nao",
    "nos", "o", "os", "ou", "para", "por", "que", "se", "sem", "um", "uma", "an", "and", "at",
    "by", "for", "in", "not", "of", "the", "to",
];

/// Words that may stand before a name at the start of a sentence, as in "Cliente Maria bloqueado".
const ROLES: [&str; 28] = [
    "account",
    "address",
    "client",
    "cliente",
    "comprador",
    "customer",
    "destinatario",
    "domain",
    "dominio",
    "empresa",
    "endereco",
    "favorecido",
    "holder",
    "instituicao",
    "lojista",
    "merchant",
    "owner",
    "pagador",
    "payee",
    "payer",
    "recebedor",
    "receiver",
    "recipient",
    "remetente",
    "seller",
    "titular",
    "user",
    "usuario",
];

/// Words that may stand before the number of an HTTP status.
const STATUS_WORDS: [&str; 6] = ["http", "status", "code", "codigo", "error", "erro"];

/// The last parts of host names. Such a host may consist of known words only.
const HOST_ENDINGS: [&str; 10] = [
    "com", "net", "org", "br", "app", "io", "dev", "shop", "store", "info",
];

/// The last words of the names of members that contain messages or states of the service.
const MESSAGE_NAMES: [&str; 40] = [
    "message",
    "messages",
    "msg",
    "mensagem",
    "mensagens",
    "error",
    "errors",
    "erro",
    "erros",
    "err",
    "detail",
    "details",
    "detalhe",
    "detalhes",
    "reason",
    "reasons",
    "motivo",
    "motivos",
    "cause",
    "causa",
    "title",
    "warning",
    "warnings",
    "aviso",
    "avisos",
    "hint",
    "action",
    "fault",
    "failure",
    "falha",
    "problem",
    "issue",
    "issues",
    "status",
    "state",
    "situacao",
    "estado",
    "code",
    "codigo",
    "type",
];

/// A part of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextPart<'t> {
    /// The text of this part.
    pub text: &'t str,
    /// True if the part contains words that are not in the list, or numbers.
    pub is_private: bool,
}

/// True if a code or name, such as `INSUFFICIENT_FUNDS` or `pixKey`, consists only of known words.
pub fn is_known_name(name: &str) -> bool {
    !name.is_empty()
        && name.len() <= MAX_NAME_BYTES
        && name.chars().all(|c| c.is_alphabetic() || "_-".contains(c))
        && is_known(name)
        && has_meaning(name)
}

/// True if the member with this name contains messages or states of the service.
pub fn is_message_name(name: &str) -> bool {
    let parts: Vec<String> = name
        .split(|c: char| !c.is_alphanumeric())
        .flat_map(camel_parts)
        .map(searchable_in_full)
        .collect();
    let is_message = |part: &String| MESSAGE_NAMES.contains(&part.as_str());
    match parts.split_last() {
        Some((last, before)) if ["description", "descricao"].contains(&last.as_str()) => {
            before.iter().any(is_message)
        }
        last => last.is_some_and(|(last, _)| is_message(last)),
    }
}

/// True if a text has only known words, so that nothing in it is private.
pub fn is_known_text(text: &str) -> bool {
    text_parts(text).iter().all(|part| !part.is_private) && has_meaning(text)
}

fn has_meaning(text: &str) -> bool {
    let mut words = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty());
    words.any(|word| !FUNCTION_WORDS.contains(&fold(word).as_str()))
}

/// Splits a text into known and private parts. Together, the parts are the whole text. The words of
/// a name, such as "Maria da Silva", are one part.
pub fn text_parts(text: &str) -> Vec<TextPart<'_>> {
    let mut parts = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (sentence, after) = rest.split_at(sentence_end(rest));
        add_sentence(&mut parts, sentence);
        rest = after;
    }
    parts
}

fn read_list(list: &str) -> BTreeSet<String> {
    let entries = list
        .lines()
        .filter(|line| !line.starts_with('#'))
        .flat_map(str::split_whitespace);
    let mut words = BTreeSet::new();
    for entry in entries {
        let mut parts = entry.split('/');
        let stem = parts.next().unwrap_or_default();
        let endings: Vec<&str> = parts.collect();
        if endings.is_empty() {
            words.insert(fold(stem));
        }
        words.extend(
            endings
                .into_iter()
                .map(|ending| fold(&format!("{stem}{ending}"))),
        );
    }
    words
}

/// Removes accents, letter case and apostrophes.
fn fold(word: &str) -> String {
    searchable_in_full(word).replace(['\'', '’'], "")
}

/// True if a text without spaces consists only of known words, which may be joined by punctuation
/// or written in camel case.
fn is_known(text: &str) -> bool {
    let mut parts = text
        .split(|c: char| !c.is_alphabetic() && !"'’$".contains(c))
        .filter(|part| !part.is_empty());
    let is_host = text.contains('.')
        && parts
            .clone()
            .next_back()
            .is_some_and(|last| HOST_ENDINGS.contains(&fold(last).as_str()));
    let has_private_character = text.contains('@') || text.contains(char::is_numeric);
    !is_host
        && !has_private_character
        && parts.all(|part| {
            let words = camel_parts(part);
            let is_camel_case = words.len() > 1 && words.iter().all(|word| word.len() > 1);
            WORDS.contains(&fold(part))
                || is_camel_case && words.iter().all(|word| WORDS.contains(&fold(word)))
        })
}

/// Splits a name in camel case before its capital letters.
fn camel_parts(name: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = 0;
    let mut is_after_lower = false;
    for (index, c) in name.char_indices() {
        if c.is_uppercase() && is_after_lower {
            parts.push(&name[start..index]);
            start = index;
        }
        is_after_lower = c.is_lowercase();
    }
    parts.push(&name[start..]);
    parts
}

/// The length of the first sentence of a text, with the spaces after it.
fn sentence_end(text: &str) -> usize {
    let mut is_end = false;
    for (index, c) in text.char_indices() {
        if is_end && c.is_whitespace() {
            let rest = &text[index..];
            return index + (rest.len() - rest.trim_start().len());
        }
        is_end = ".!?;\n".contains(c);
    }
    text.len()
}

/// A word or number in a sentence, without the punctuation around it.
struct Word<'s> {
    text: &'s str,
    start: usize,
    kind: WordKind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum WordKind {
    Known,
    Unknown,
    Number,
}

impl Word<'_> {
    fn end(&self) -> usize {
        self.start + self.text.len()
    }

    fn is_connector(&self) -> bool {
        CONNECTORS.contains(&fold(self.text).as_str())
    }

    fn is_role(&self) -> bool {
        ROLES.contains(&fold(self.text).as_str())
    }

    /// True if the word may be part of a name because it begins with a capital letter. An
    /// abbreviation, such as "CPF", has only capital letters.
    fn is_capitalized(&self) -> bool {
        self.text.starts_with(char::is_uppercase)
            && self.text.contains(char::is_lowercase)
            && fold(self.text) != "pix"
    }
}

fn add_sentence<'t>(parts: &mut Vec<TextPart<'t>>, sentence: &'t str) {
    let mut add = |text: &'t str, is_private| {
        if !text.is_empty() {
            parts.push(TextPart { text, is_private });
        }
    };
    if sentence.chars().filter(|c| c.is_alphabetic()).count() > MAX_LETTERS {
        let trimmed = sentence.trim_end();
        add(trimmed, true);
        add(&sentence[trimmed.len()..], false);
        return;
    }
    let mut words = split_words(sentence);
    mark_statuses(&mut words);
    while mark_names(sentence, &mut words) {}
    let mut offset = 0;
    let mut index = 0;
    while let Some(first) = words.get(index) {
        index += 1;
        if first.kind == WordKind::Known {
            continue;
        }
        let mut end = first.end();
        while let Some(next) = words.get(index)
            && next.kind == first.kind
            && is_joint(first.kind, &sentence[end..next.start])
        {
            end = next.end();
            index += 1;
        }
        add(&sentence[offset..first.start], false);
        add(&sentence[first.start..end], true);
        offset = end;
    }
    add(&sentence[offset..], false);
}

/// True if the text between two private words or numbers is private too, because they belong
/// together, as in "(11) 91234-5678".
fn is_joint(kind: WordKind, between: &str) -> bool {
    between
        .chars()
        .all(|c| c.is_whitespace() || kind == WordKind::Number && "()".contains(c))
}

fn split_words(sentence: &str) -> Vec<Word<'_>> {
    let mut words = Vec::new();
    let mut start = 0;
    for part in sentence.split_inclusive(char::is_whitespace) {
        let text = part.trim_matches(|c: char| !c.is_alphanumeric() && c != '$');
        let text = text
            .strip_prefix("R$")
            .filter(|amount| !amount.is_empty())
            .unwrap_or(text);
        let offset = part.find(text).unwrap_or_default();
        let kind = if !text.contains(char::is_alphabetic) {
            WordKind::Number
        } else if is_known(text) {
            WordKind::Known
        } else {
            WordKind::Unknown
        };
        if text.contains(char::is_alphanumeric) {
            words.push(Word {
                text,
                start: start + offset,
                kind,
            });
        }
        start += part.len();
    }
    words
}

/// Marks the numbers of HTTP statuses as known, as in "502 Bad Gateway" and "status 404".
fn mark_statuses(words: &mut [Word<'_>]) {
    for index in 0..words.len() {
        let is_status = matches!(words[index].text.parse(), Ok(100..=599));
        let is_labelled = index
            .checked_sub(1)
            .is_some_and(|before| STATUS_WORDS.contains(&fold(words[before].text).as_str()));
        let begins_phrase = index == 0
            && words
                .get(1)
                .is_some_and(|next| next.kind == WordKind::Known && has_meaning(next.text));
        if words[index].text.len() == 3 && is_status && (is_labelled || begins_phrase) {
            words[index].kind = WordKind::Known;
        }
    }
}

/// Marks known words as unknown if they are part of a name: a capitalized word beside an unknown
/// word, and a connector between parts of a name. Returns true if a word was marked.
fn mark_names(sentence: &str, words: &mut [Word<'_>]) -> bool {
    let part = (0..words.len()).find(|index| is_part_of_name(sentence, words, *index));
    let Some(index) = part else {
        return false;
    };
    words[index].kind = WordKind::Unknown;
    true
}

fn is_part_of_name(sentence: &str, words: &[Word<'_>], index: usize) -> bool {
    let word = &words[index];
    let before = index.checked_sub(1).map(|before| &words[before]);
    let before = before.filter(|before| has_only_space(sentence, before, word));
    let after = words
        .get(index + 1)
        .filter(|after| has_only_space(sentence, word, after));
    if word.kind == WordKind::Unknown
        || !before
            .iter()
            .chain(&after)
            .any(|word| word.kind == WordKind::Unknown)
    {
        return false;
    }
    if index == 0 {
        // The first word of a sentence has a capital letter, even if the name begins after it.
        let begins_name = after.is_some_and(|after| after.text.starts_with(char::is_uppercase));
        return word.is_capitalized() && begins_name && !word.is_role();
    }
    let may_be_name = |other: &Word<'_>| {
        other.kind == WordKind::Unknown || other.is_capitalized() && other.start > words[0].start
    };
    let joins_names =
        word.is_connector() && before.is_some_and(may_be_name) && after.is_some_and(may_be_name);
    word.is_capitalized() || joins_names
}

fn has_only_space(sentence: &str, first: &Word<'_>, second: &Word<'_>) -> bool {
    sentence[first.end()..second.start]
        .chars()
        .all(char::is_whitespace)
}

#[cfg(test)]
mod tests;
