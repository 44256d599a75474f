//! Formats JSON so that people can read it. Only the whitespace between tokens is changed.
//!
//! Values are not parsed, so numbers and duplicate names are shown exactly as received.

/// The maximum indentation level. A malicious response may contain very deeply nested JSON.
const MAX_INDENT_LEVEL: usize = 20;

/// The maximum nesting of JSON that is formatted. No service nests its data so deeply, and each
/// level would add a line.
const MAX_LEVEL: usize = 500;

/// Formats JSON with one member per line. Any other text, and JSON with deeper nesting than
/// `MAX_LEVEL`, is returned unchanged.
pub fn pretty(text: &str) -> String {
    let trimmed = text.trim();
    if trimmed.starts_with(['{', '[']) { format_json(trimmed, false) } else { None }
        .unwrap_or_else(|| text.to_owned())
}

/// Formats JSON like [`pretty`], but also accepts JSON whose end is missing.
pub fn pretty_start(text: &str) -> String {
    let start = text.trim_start();
    let first = start.trim_start_matches(|c: char| c.is_whitespace() || "[{".contains(c));
    let is_start = first.starts_with(|c: char| c.is_ascii_digit() || "\"-".contains(c));
    let is_start = is_start && start.starts_with(['{', '[']);
    if is_start { format_json(start, true) } else { None }.unwrap_or_else(|| pretty(text))
}

/// Adds line breaks and indentation to a JSON text. Returns `None` if brackets or quotes do not
/// match, or if the JSON is nested too deeply. If `is_cut` is true, the end of the text may be
/// missing.
fn format_json(text: &str, is_cut: bool) -> Option<String> {
    let mut out = String::with_capacity(text.len() * 2);
    let mut open_brackets: Vec<char> = Vec::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' => {
                out.push(c);
                if copy_string(&mut chars, &mut out).is_none() {
                    return is_cut.then_some(out);
                }
            }
            '{' | '[' => {
                let close = if c == '{' { '}' } else { ']' };
                out.push(c);
                while chars.next_if(|c| c.is_whitespace()).is_some() {}
                if chars.next_if_eq(&close).is_some() {
                    out.push(close);
                } else if open_brackets.len() == MAX_LEVEL {
                    return None;
                } else {
                    open_brackets.push(close);
                    new_line(&mut out, open_brackets.len());
                }
            }
            '}' | ']' => {
                if open_brackets.pop() != Some(c) {
                    return None;
                }
                new_line(&mut out, open_brackets.len());
                out.push(c);
            }
            ',' => {
                out.push(c);
                new_line(&mut out, open_brackets.len());
            }
            ':' => out.push_str(": "),
            c if c.is_whitespace() => {}
            c => out.push(c),
        }
    }
    (open_brackets.is_empty() || is_cut).then_some(out)
}

/// Copies the rest of a JSON string to `out`, up to its closing quote.
fn copy_string(chars: &mut impl Iterator<Item = char>, out: &mut String) -> Option<()> {
    loop {
        let c = chars.next()?;
        out.push(c);
        match c {
            '"' => return Some(()),
            '\\' => out.push(chars.next()?),
            _ => {}
        }
    }
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
        assert_eq!(pretty(text), expected);
    }

    #[test]
    fn start_of_json_has_each_member_on_own_line() {
        assert_eq!(pretty_start(r#"{"a":[1,"x"#), "{\n  \"a\": [\n    1,\n    \"x");
        for text in ["[1, 2}", "{ erro no servidor", "<p>"] {
            assert_eq!(pretty_start(text), text);
        }
        assert_eq!(pretty_start("[true]"), pretty("[true]"));
    }

    #[test]
    fn very_deep_json_is_returned_unchanged() {
        let nested = |levels| format!("{}7{}", "[".repeat(levels), "]".repeat(levels));
        assert_eq!(pretty(&nested(MAX_LEVEL)).lines().count(), 2 * MAX_LEVEL + 1);
        for levels in [MAX_LEVEL + 1, 30_000] {
            assert_eq!(pretty(&nested(levels)), nested(levels));
            let start = &nested(levels)[..levels + 1];
            assert_eq!(pretty_start(start), start);
        }
    }

    #[test]
    fn invalid_json_is_returned_unchanged() {
        for text in ["<html>", "{\"cut\": \"off", "[1, 2}", "", "{\"a\":[1]", "  plain"] {
            assert_eq!(pretty(text), text);
        }
    }
}
