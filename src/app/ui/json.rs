//! Formats JSON so that people can read it. Only the whitespace between tokens is changed.
//!
//! Values are not parsed, so numbers and duplicate names are shown exactly as received.

use crate::trade::personal::{BodyMask, Enclosing};

/// The maximum indentation level. A malicious response may contain very deeply nested JSON.
const MAX_INDENT_LEVEL: usize = 20;

/// The maximum nesting of JSON that is formatted. No service nests its data so deeply, and each
/// level would add a line.
const MAX_LEVEL: usize = 500;

/// Formats JSON with one member per line, and masks its values. Any other text, and JSON with
/// deeper nesting than `MAX_LEVEL`, is not formatted.
pub fn pretty(text: &str, mask: BodyMask) -> String {
    let trimmed = text.trim();
    if trimmed.starts_with(['{', '[']) {
        format_json(trimmed, false, mask)
    } else {
        None
    }
    .unwrap_or_else(|| mask.text(text))
}

/// Formats JSON like [`pretty`], but also accepts JSON whose end is missing.
pub fn pretty_start(text: &str, mask: BodyMask) -> String {
    let start = text.trim_start();
    let first = start.trim_start_matches(|c: char| c.is_whitespace() || "[{".contains(c));
    let is_start = first.starts_with(|c: char| c.is_ascii_digit() || "\"-".contains(c));
    let is_start = is_start && start.starts_with(['{', '[']);
    if is_start {
        format_json(start, true, mask)
    } else {
        None
    }
    .unwrap_or_else(|| pretty(text, mask))
}

/// Adds line breaks and indentation to a JSON text, and masks its values. Returns `None` if
/// brackets or quotes do not match, or if the JSON is nested too deeply. If `is_cut` is true, the
/// end of the text may be missing.
fn format_json(text: &str, is_cut: bool, mask: BodyMask) -> Option<String> {
    let mut out = String::with_capacity(text.len() * 2);
    let mut open_brackets: Vec<char> = Vec::new();
    let mut enclosing = Enclosing::default();
    let mut name = "";
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let (token, after) = rest.split_at(token_length(rest));
        rest = after;
        match c {
            '"' if after.trim_start().starts_with(':') => {
                name = &token[1..token.len() - 1];
                out.push_str(&mask.name(token));
            }
            '"' => {
                out.push_str(&mask.value(&enclosing, name, token));
                if string_length(&token[1..]).is_none() {
                    return is_cut.then_some(out);
                }
            }
            '{' | '[' => {
                let close = if c == '{' { '}' } else { ']' };
                out.push(c);
                rest = rest.trim_start();
                if let Some(after) = rest.strip_prefix(close) {
                    out.push(close);
                    rest = after;
                } else if open_brackets.len() == MAX_LEVEL {
                    return None;
                } else {
                    open_brackets.push(close);
                    enclosing.enter(name, c == '[');
                    name = "";
                    new_line(&mut out, open_brackets.len());
                }
            }
            '}' | ']' => {
                if open_brackets.pop() != Some(c) {
                    return None;
                }
                enclosing.leave_to(open_brackets.len());
                new_line(&mut out, open_brackets.len());
                out.push(c);
            }
            ',' => {
                name = "";
                out.push(c);
                new_line(&mut out, open_brackets.len());
            }
            ':' => out.push_str(": "),
            c if c.is_whitespace() => {}
            _ => out.push_str(&mask.value(&enclosing, name, token)),
        }
    }
    (open_brackets.is_empty() || is_cut).then_some(out)
}

/// The length of the token at the start of the text, in bytes: a string, a number or word, or a
/// single other character.
fn token_length(text: &str) -> usize {
    match text.chars().next() {
        Some('"') => 1 + string_length(&text[1..]).unwrap_or(text.len() - 1),
        Some(c) if is_delimiter(c) => c.len_utf8(),
        _ => text.find(is_delimiter).unwrap_or(text.len()),
    }
}

fn is_delimiter(c: char) -> bool {
    c.is_whitespace() || "{}[],:\"".contains(c)
}

/// The length of the rest of a JSON string with its closing quote, in bytes. Returns `None` if
/// there is no closing quote.
fn string_length(text: &str) -> Option<usize> {
    let mut is_escaped = false;
    let end = text.find(|c| {
        let is_end = c == '"' && !is_escaped;
        is_escaped = c == '\\' && !is_escaped;
        is_end
    });
    end.map(|end| end + 1)
}

fn new_line(out: &mut String, level: usize) {
    out.push('\n');
    out.push_str(&"  ".repeat(level.min(MAX_INDENT_LEVEL)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_member_on_own_line_and_numbers_unchanged() {
        let text = r#"{"amount":10.10,"tags":[],"a":{"b":["x,}","y\""]}}"#;
        let expected = "{\n  \"amount\": 10.10,\n  \"tags\": [],\n  \"a\": {\n    \"b\": [\n      \
                    \"x,}\",\n      \"y\\\"\"\n    ]\n  }\n}";
        assert_eq!(pretty(text, BodyMask::None), expected);
    }

    #[test]
    fn start_of_json_has_each_member_on_own_line() {
        assert_eq!(
            pretty_start(r#"{"a":[1,"x"#, BodyMask::None),
            "{\n  \"a\": [\n    1,\n    \"x"
        );
        for text in ["[1, 2}", "{ erro no servidor", "<p>"] {
            assert_eq!(pretty_start(text, BodyMask::None), text);
        }
        assert_eq!(
            pretty_start("[true]", BodyMask::None),
            pretty("[true]", BodyMask::None)
        );
    }

    #[test]
    fn very_deep_json_is_returned_unchanged() {
        let nested = |levels| format!("{}7{}", "[".repeat(levels), "]".repeat(levels));
        assert_eq!(
            pretty(&nested(MAX_LEVEL), BodyMask::None).lines().count(),
            2 * MAX_LEVEL + 1
        );
        for levels in [MAX_LEVEL + 1, 30_000] {
            assert_eq!(pretty(&nested(levels), BodyMask::None), nested(levels));
            let start = &nested(levels)[..levels + 1];
            assert_eq!(pretty_start(start, BodyMask::None), start);
        }
    }

    #[test]
    fn invalid_json_is_returned_unchanged() {
        for text in [
            "<html>",
            "{\"cut\": \"off",
            "[1, 2}",
            "",
            "{\"a\":[1]",
            "  plain",
        ] {
            assert_eq!(pretty(text, BodyMask::None), text);
        }
    }

    #[test]
    fn body_keeps_members_and_masks_personal_values() {
        let body = r#"{
  "amount": 10.10,
  "customer": {
    "name": "Bia",
    "note": "bia@x.example"
  },
  "balance": 12.5,
  "status": "paid"
}"#;
        let masked = r#"{
  "amount": 10.10,
  "customer": {
    "name": "•••",
    "note": "•••"
  },
  "balance": "•••",
  "status": "paid"
}"#;
        assert_eq!(pretty(body, BodyMask::Personal), masked);
        assert_eq!(
            pretty("amount=10&customer%5Bname%5D=Bia", BodyMask::Personal),
            "amount=•••&customer%5Bname%5D=•••"
        );
        assert_eq!(
            pretty("<p>bia@x.example</p>", BodyMask::Personal),
            "<p>•••</p>"
        );
    }

    #[test]
    fn values_below_a_personal_name_are_masked() {
        let body = r#"{
  "a\": \"nome": "Ana Souza",
  "nomes": [
    "Ana",
    7
  ],
  "clientes": [
    {
      "primeiro": "Ana",
      "status": "PAID",
      "since": "2026-11-24T10:00",
      "total": "10.10",
      "user_id": "usr_ab",
      "apelidos": [
        "Bia"
      ]
    }
  ],
  "itens": [
    "bolo"
  ]
}"#;
        let masked = pretty(body, BodyMask::Personal);
        let lines: Vec<_> = masked.lines().map(str::trim).collect();
        let expected = [
            r#""a\": \"nome": "•••","#,
            r#""•••","#,
            r#""•••""#,
            r#""primeiro": "•••","#,
            r#""status": "PAID","#,
            r#""since": "2026-11-24T10:00","#,
            r#""total": "10.10","#,
            r#""user_id": "usr_ab","#,
            r#""bolo""#,
        ];
        for line in expected {
            assert!(lines.contains(&line), "{line}: {masked}");
        }
        assert!(
            !masked.contains("Ana") && !masked.contains("Bia"),
            "{masked}"
        );
    }

    #[test]
    fn message_keeps_only_known_words() {
        let body = r#"{
  "message": "Cliente Ana Souza bloqueado: R$ 12,00",
  "errors": [
    {
      "code": "INSUFFICIENT_FUNDS",
      "cause": "Loja da Bia sem saldo"
    }
  ],
  "note": "Bolo"
}"#;
        let masked = pretty(body, BodyMask::Personal);
        for line in [
            r#""message": "Cliente ••• bloqueado: R$ 12,00","#,
            r#""code": "INSUFFICIENT_FUNDS","#,
            r#""cause": "Loja da ••• sem saldo""#,
            r#""note": "Bolo""#,
        ] {
            assert!(masked.contains(line), "{line}: {masked}");
        }
        assert!(pretty(body, BodyMask::Strict).contains(r#""code": "INSUFFICIENT_FUNDS""#));
    }

    #[test]
    fn strict_mask_leaves_no_text_of_a_body() {
        let body = r#"{
  "id": 4410,
  "status": "PAID to Ana",
  "amount": 10.10,
  "errors": [
    "Ana tem R$ 12,00",
    7
  ],
  "ok": true
}"#;
        let masked = pretty(body, BodyMask::Strict);
        for personal in ["4410", "Ana", "12,00"] {
            assert!(!masked.contains(personal), "{masked}");
        }
        assert!(masked.contains("\"amount\": 10.10") && masked.contains("\"ok\": true"));
        assert_eq!(pretty("Ana tem R$ 12,00", BodyMask::Strict), "\"•••\"");
    }
}
