//! Evaluates licence expressions (SPDX) such as `MIT OR (Apache-2.0 AND ISC)`.

use std::iter::Peekable;
use std::str::SplitWhitespace;

/// Returns true if the allowed licences satisfy this licence expression. Returns `None` if the
/// expression cannot be parsed.
pub fn is_satisfied(expression: &str, is_allowed: &dyn Fn(&str) -> bool) -> Option<bool> {
    // In older manifests, `MIT/Apache-2.0` means `MIT OR Apache-2.0`.
    let spaced = expression
        .replace('(', " ( ")
        .replace(')', " ) ")
        .replace('/', " OR ");
    let mut words = spaced.split_whitespace().peekable();
    let satisfied = parse_or(&mut words, is_allowed)?;
    words.next().is_none().then_some(satisfied)
}

type Words<'a> = Peekable<SplitWhitespace<'a>>;

fn parse_or(words: &mut Words<'_>, is_allowed: &dyn Fn(&str) -> bool) -> Option<bool> {
    let mut satisfied = parse_and(words, is_allowed)?;
    while words.next_if_eq(&"OR").is_some() {
        satisfied |= parse_and(words, is_allowed)?;
    }
    Some(satisfied)
}

fn parse_and(words: &mut Words<'_>, is_allowed: &dyn Fn(&str) -> bool) -> Option<bool> {
    let mut satisfied = parse_term(words, is_allowed)?;
    while words.next_if_eq(&"AND").is_some() {
        satisfied &= parse_term(words, is_allowed)?;
    }
    Some(satisfied)
}

fn parse_term(words: &mut Words<'_>, is_allowed: &dyn Fn(&str) -> bool) -> Option<bool> {
    match words.next()? {
        "(" => {
            let satisfied = parse_or(words, is_allowed)?;
            words.next_if_eq(&")").map(|_| satisfied)
        }
        ")" | "AND" | "OR" | "WITH" => None,
        name if words.next_if_eq(&"WITH").is_some() => {
            Some(is_allowed(&format!("{name} WITH {}", words.next()?)))
        }
        name => Some(is_allowed(name)),
    }
}
