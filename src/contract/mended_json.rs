//! JSON with the faults that services are known for, mended so that it can be read.

/// The numbers of JavaScript and Python that JSON does not have.
const NO_NUMBERS: [&[u8]; 3] = [b"NaN", b"-Infinity", b"Infinity"];

/// Mends a text that is no JSON because of a byte order mark, half a surrogate pair, a bare control
/// character, or a number that JSON does not have.
pub(super) fn mended_json(body: &[u8]) -> Vec<u8> {
    let mut rest = body.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(body);
    let mut mended = Vec::with_capacity(rest.len());
    let mut is_text = false;
    while let Some(&byte) = rest.first() {
        let (length, instead) = match byte {
            b'"' => {
                is_text = !is_text;
                (1, None)
            }
            b'\\' if is_text => escape(rest),
            0..=0x1F if is_text => (1, Some(format!("\\u{byte:04x}"))),
            // Neither a text nor a number, and not absent: a figure that is not one is a fault.
            _ if !is_text => match NO_NUMBERS.iter().find(|word| rest.starts_with(word)) {
                Some(word) => (word.len(), Some("{}".to_owned())),
                None => (1, None),
            },
            _ => (1, None),
        };
        let (own, after) = rest.split_at(length.min(rest.len()));
        mended.extend_from_slice(instead.as_deref().map_or(own, str::as_bytes));
        rest = after;
    }
    mended
}

/// The length of the escape at the beginning, and what replaces one that is half a pair.
fn escape(rest: &[u8]) -> (usize, Option<String>) {
    let half = |at: usize| {
        let digits = rest.get(at..)?.strip_prefix(b"\\u")?.get(..4)?;
        u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
    };
    match (half(0), half(6)) {
        (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => (12, None),
        (Some(0xD800..=0xDFFF), _) => (6, Some("\\ufffd".to_owned())),
        _ => (2, None),
    }
}

#[cfg(test)]
mod tests {
    use super::super::read_json;
    use super::*;

    #[test]
    fn known_faults_do_not_cost_the_reply() {
        for (body, read) in [
            ("\u{FEFF}{\"a\":1}", r#"{"a":1}"#),
            (r#"{"a":"Camisa \ud83d"}"#, "{\"a\":\"Camisa \u{FFFD}\"}"),
            (r#"{"a":"\udc4d!","b":1}"#, "{\"a\":\"\u{FFFD}!\",\"b\":1}"),
            (r#"{"a":"\ud83d\ud83d\udc4d"}"#, "{\"a\":\"\u{FFFD}👍\"}"),
            (r#"{"a":"\\ud83d","b":NaN}"#, r#"{"a":"\\ud83d","b":{}}"#),
            (
                r#"{"a":NaN,"b":[Infinity,-Infinity],"c":"NaN \""}"#,
                r#"{"a":{},"b":[{},{}],"c":"NaN \""}"#,
            ),
            ("{\"a\":\"x\ny\tz\"}", r#"{"a":"x\ny\tz"}"#),
        ] {
            let json = read_json(body.as_bytes()).map(|json| json.to_string());
            assert_eq!(json.as_deref(), Some(read), "{body}");
        }
        for body in ["", "{", "nan", "<html>", r#"{"a":"\"#, r#"{"a":"\ud8"#, "{\"a\":}"] {
            assert_eq!(read_json(body.as_bytes()), None, "{body}");
        }
    }

    proptest::proptest! {
        #[test]
        fn good_json_is_left_as_it_is(text in "\\PC{0,40}", number: u32) {
            let json = serde_json::json!({"a": text, "b": [number, -1.5, null]}).to_string();
            proptest::prop_assert_eq!(&*mended_json(json.as_bytes()), json.as_bytes());
        }

        #[test]
        fn no_bytes_end_the_program(body in "[\\\\u\"dD8cC{}:,NaInfity\u{1}-]{0,40}") {
            read_json(body.as_bytes());
        }
    }
}
