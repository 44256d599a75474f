//! Recognises secrets by the names of their JSON members or form fields. The text need not be valid
//! JSON: it may be truncated JSON, form data, or the query of a URL.

use std::ops::Range;

/// The value of a JSON member or header is secret if its name contains one of these words.
const SECRET_NAMES: &str = "\
    token secret password senha passwd jwt authorization apikey api_key credential";

/// True if the name of a JSON member or header indicates that its value is secret.
pub(super) fn is_secret_name(name: &str) -> bool {
    let name = name.to_ascii_lowercase().replace('-', "_");
    SECRET_NAMES.split(' ').any(|secret| name.contains(secret))
}

/// Replaces the values of secret members (`"name": value`) and of secret form fields
/// (`name=value`) in a text.
pub(super) fn mask_members(text: &str, mask: &str) -> String {
    let mut masked = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(value) = secret_value(rest) {
        masked.push_str(&rest[..value.start]);
        masked.push_str(mask);
        rest = &rest[value.end..];
    }
    masked + rest
}

/// The position of the first value whose name indicates that the value is secret.
fn secret_value(text: &str) -> Option<Range<usize>> {
    let mut from = 0;
    while let Some(start) = text[from..].find(is_in_name).map(|at| from + at) {
        let end = text[start..]
            .find(|c| !is_in_name(c))
            .map_or(text.len(), |at| start + at);
        let after = &text[end..];
        if is_secret_name(&text[start..end])
            && let Some(value) = form_value(after).or_else(|| member_value(after))
            && !value.is_empty()
        {
            return Some(end + value.start..end + value.end);
        }
        from = end;
    }
    None
}

fn is_in_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-')
}

/// The position of the value after the name of a form field. The name may end with a bracket, as in
/// `user[password]=...`.
fn form_value(after: &str) -> Option<Range<usize>> {
    let brackets = ["]", "%5D", "%5d"];
    let after_name = brackets
        .iter()
        .find_map(|bracket| after.strip_prefix(bracket))
        .unwrap_or(after);
    let value = after_name
        .trim_start_matches(' ')
        .strip_prefix('=')?
        .trim_start_matches(' ');
    let start = after.len() - value.len();
    if let Some(quote) = value.chars().next().filter(|c| matches!(c, '"' | '\'')) {
        return Some(start + 1..start + 1 + quoted_len(&value[1..], quote, 0));
    }
    let end = value.find(|c: char| c.is_whitespace() || matches!(c, '&' | '"' | '\'' | '<' | '>'));
    Some(start..start + end.unwrap_or(value.len()))
}

/// The position of the value after the name of a JSON member. Quotes may be escaped with
/// backslashes, because the JSON may be inside another JSON string.
fn member_value(after: &str) -> Option<Range<usize>> {
    let after_name = after.trim_start_matches('\\').strip_prefix(['"', '\''])?;
    let value = after_name.trim_start().strip_prefix(':')?.trim_start();
    let start = after.len() - value.len();
    let unescaped = value.trim_start_matches('\\');
    let escapes = value.len() - unescaped.len();
    if let Some(quote) = unescaped.chars().next().filter(|c| matches!(c, '"' | '\'')) {
        let start = start + escapes + 1;
        return Some(start..start + quoted_len(&unescaped[1..], quote, escapes));
    }
    Some(start..start + unquoted_len(value))
}

/// The length of a quoted text. The text ends at the closing quote and the `escapes` backslashes
/// before it. If there is no closing quote, returns the length of the whole text.
fn quoted_len(text: &str, quote: char, escapes: usize) -> usize {
    let mut backslashes = 0;
    for (at, c) in text.char_indices() {
        let is_end = backslashes == escapes || (escapes == 0 && backslashes % 2 == 0);
        if c == quote && is_end {
            return at - escapes;
        }
        backslashes = if c == '\\' { backslashes + 1 } else { 0 };
    }
    text.len()
}

/// The length of a JSON value that begins without a quote: a number, a word, an object or an array.
fn unquoted_len(text: &str) -> usize {
    let mut depth = 0_usize;
    let mut quoted = false;
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => quoted = !quoted,
            _ if quoted => {}
            '{' | '[' => depth += 1,
            '}' | ']' if depth == 1 => return at + 1,
            '}' | ']' if depth > 1 => depth -= 1,
            ',' | '}' | ']' | '\n' if depth == 0 => return at,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_secret_members_are_masked() {
        for (text, masked) in [
            (r#"{"token":"abc","n":1"#, r#"{"token":"…","n":1"#),
            (
                r#"{"access_token" : "a\"b", "n""#,
                r#"{"access_token" : "…", "n""#,
            ),
            (r#"{"senha":"ab\\","n":"x"#, r#"{"senha":"…","n":"x"#),
            (r#"{"senha":"cut of"#, r#"{"senha":"…"#),
            (r#"{"apiKey":12345,"n":1"#, r#"{"apiKey":…,"n":1"#),
            (r#"{"apiKey":123"#, r#"{"apiKey":…"#),
            (
                r#"{"tokens":{"a":"}x","b":[1]},"n":1"#,
                r#"{"tokens":…,"n":1"#,
            ),
            (r#"{"tokens":[{"a":"x"#, r#"{"tokens":…"#),
            (
                r#"got {\"senha\":\"a b\",\"n\":1}"#,
                r#"got {\"senha\":\"…\",\"n\":1}"#,
            ),
            ("{'password': 'x y', 'n': 1}", "{'password': '…', 'n': 1}"),
            ("email=a%40x&senha=a%2F7&n=1", "email=a%40x&senha=…&n=1"),
            (
                "user[password]=x&a%5Btoken%5D=y",
                "user[password]=…&a%5Btoken%5D=…",
            ),
            ("<a href=\"/x?token=y\">", "<a href=\"/x?token=…\">"),
            ("token = \"a b\" end", "token = \"…\" end"),
        ] {
            assert_eq!(mask_members(text, "…"), masked);
        }
    }

    #[test]
    fn text_without_secret_values_is_unchanged() {
        for text in [
            "",
            "O token expirou: entre de novo",
            "senha obrigatória",
            r#"{"message":"token","n":1"#,
            r#"{"token":"#,
            r#"{"token":"","n":1"#,
            "token=&n=1",
            "total=10&n=1",
        ] {
            assert_eq!(mask_members(text, "…"), text);
        }
    }
}
