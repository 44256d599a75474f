//! Evaluates licence expressions (SPDX) such as `MIT OR (Apache-2.0 AND ISC)`.

use std::iter::Peekable;
use std::str::SplitWhitespace;

/// Returns true if a crate with this licence expression may be used. `may` returns true for each
/// accepted licence. Returns `None` if the expression cannot be parsed.
pub fn holds(expression: &str, may: &dyn Fn(&str) -> bool) -> Option<bool> {
    // In older manifests, `MIT/Apache-2.0` means `MIT OR Apache-2.0`.
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let mut words = spaced.split_whitespace().peekable();
    let held = either(&mut words, may)?;
    words.next().is_none().then_some(held)
}

type Words<'a> = Peekable<SplitWhitespace<'a>>;

fn either(words: &mut Words<'_>, may: &dyn Fn(&str) -> bool) -> Option<bool> {
    let mut held = both(words, may)?;
    while words.next_if_eq(&"OR").is_some() {
        held |= both(words, may)?;
    }
    Some(held)
}

fn both(words: &mut Words<'_>, may: &dyn Fn(&str) -> bool) -> Option<bool> {
    let mut held = one(words, may)?;
    while words.next_if_eq(&"AND").is_some() {
        held &= one(words, may)?;
    }
    Some(held)
}

fn one(words: &mut Words<'_>, may: &dyn Fn(&str) -> bool) -> Option<bool> {
    match words.next()? {
        "(" => {
            let held = either(words, may)?;
            words.next_if_eq(&")").map(|_| held)
        }
        ")" | "AND" | "OR" | "WITH" => None,
        name if words.next_if_eq(&"WITH").is_some() => {
            Some(may(&format!("{name} WITH {}", words.next()?)))
        }
        name => Some(may(name)),
    }
}
