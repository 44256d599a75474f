//! Reads values from JSON replies.
//!
//! Numbers keep their exact text. [`JsonPaths`] lists where a value may be in a reply.
//! [`read_json`] repairs some known faults in the replies of services.

use serde_json::Value;

use super::AmountFormat;
use crate::trade::{BrCode, Money, Untrusted};

/// The result of reading an amount of money from a reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AmountRead {
    /// There is no value, or it is `null`.
    Absent,
    /// A readable amount.
    Amount(Money),
    /// A number that is not an exact amount of money.
    InexactNumber,
    /// A value that is neither a number nor a readable amount, such as a word or an object.
    NotAnAmount,
}

/// Parses a JSON text. If it is invalid, repairs known faults and parses it again.
///
/// Without the repair, a single wrong character would make the whole reply unreadable.
pub fn read_json(body: &[u8]) -> Option<Value> {
    serde_json::from_slice(body)
        .ok()
        .or_else(|| serde_json::from_slice(&repair_json(body)).ok())
}

/// True if the text contains the Unicode replacement character (U+FFFD). No valid id contains it.
pub(super) fn has_replacement_character(text: &str) -> bool {
    text.contains(char::REPLACEMENT_CHARACTER)
}

impl JsonPaths {
    /// The first text or number at these paths, as text. Skips texts with unreadable characters.
    pub fn text(&self, reply: &Value) -> Option<Untrusted> {
        self.find(reply, read_text)
    }

    /// The first string at these paths that is not empty and has no unreadable characters.
    ///
    /// The string is borrowed, so that a token is copied only once, into a
    /// [`Secret`](crate::trade::Secret).
    pub fn str<'v>(&self, reply: &'v Value) -> Option<&'v str> {
        self.find(reply, |value| {
            value.as_str().filter(|text| is_readable(text))
        })
    }

    /// The first string of several words at these paths, or else the first nonempty string, which
    /// may be an error code. It is only for display, because it may contain unreadable characters.
    pub fn find_message<'v>(&self, reply: &'v Value) -> Option<&'v str> {
        self.find(reply, |value| {
            value
                .as_str()
                .filter(|text| text.trim().contains(char::is_whitespace))
        })
        .or_else(|| {
            self.find(reply, |value| {
                value.as_str().filter(|text| !text.trim().is_empty())
            })
        })
    }

    /// The first valid Pix code at these paths, trimmed. If no text is a valid code, returns the
    /// first text.
    pub fn pix_code(&self, reply: &Value) -> Option<Untrusted> {
        self.find(reply, |value| {
            let text = value.as_str().filter(|text| is_readable(text))?;
            let code =
                Untrusted::from(text.trim_matches(|c: char| c.is_whitespace() || c == '\u{FEFF}'));
            BrCode::parse(&code).map(|_| code)
        })
        .or_else(|| self.text(reply))
    }

    /// The first exact amount at these paths, or else the kind of the first value that is not
    /// `null`.
    pub fn figure(&self, reply: &Value, amounts: AmountFormat) -> AmountRead {
        if let Some(money) = self.money(reply, amounts) {
            return AmountRead::Amount(money);
        }
        let kind = self.find(reply, |value| match value {
            Value::Null => None,
            Value::Number(_) => Some(AmountRead::InexactNumber),
            _ => Some(AmountRead::NotAnAmount),
        });
        kind.unwrap_or(AmountRead::Absent)
    }

    /// The first exact amount at these paths.
    pub fn money(&self, reply: &Value, amounts: AmountFormat) -> Option<Money> {
        self.find(reply, |value| amounts.read(value))
    }
}

/// Reads a text or number as text. Returns `None` for a text with unreadable characters.
pub fn read_text(value: &Value) -> Option<Untrusted> {
    match value {
        Value::String(text) if is_readable(text) => Some(Untrusted::from(text.as_str())),
        Value::Number(number) => Some(Untrusted::from(number.to_string())),
        _ => None,
    }
}

fn is_readable(text: &str) -> bool {
    !text.trim().is_empty() && !has_replacement_character(text)
}

/// A JSON Pointer (RFC 6901), such as `/data/net_amount`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pointer(String);

impl Pointer {
    /// Parses a JSON Pointer. Returns `None` if it is invalid.
    pub fn parse(text: &str) -> Option<Pointer> {
        if !text.is_empty() && !text.starts_with('/') {
            return None;
        }
        let are_escapes_valid = text
            .split('~')
            .skip(1)
            .all(|rest| rest.starts_with('0') || rest.starts_with('1'));
        are_escapes_valid.then(|| Pointer(text.to_owned()))
    }

    /// A list with a single pointer, to the whole reply.
    pub(super) fn root() -> [Pointer; 1] {
        [Pointer(String::new())]
    }

    /// The pointer as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The last name in the pointer: `net_amount` for `/data/net_amount`.
    pub fn name(&self) -> String {
        let last = self.0.rsplit('/').next().unwrap_or_default();
        last.replace("~1", "/").replace("~0", "~")
    }
}

/// The paths at which a value may be in a reply, such as `/fee` and `/data/fee`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JsonPaths {
    /// The JSON Pointers, in the order in which they are tried.
    pub pointers: Vec<Pointer>,
}

impl JsonPaths {
    /// Appends every pointer to every base, for example `/fee` to `/data`. The paths with the first
    /// base come first.
    pub(super) fn new(bases: &[Pointer], pointers: &[Pointer]) -> JsonPaths {
        let pointers = bases.iter().flat_map(|base| {
            pointers
                .iter()
                .map(|pointer| Pointer([base.as_str(), pointer.as_str()].concat()))
        });
        JsonPaths {
            pointers: pointers.collect(),
        }
    }

    /// Calls `read` for the value at each path, and returns the first result.
    pub fn find<'v, T>(
        &self,
        reply: &'v Value,
        read: impl Fn(&'v Value) -> Option<T>,
    ) -> Option<T> {
        self.find_with_pointer(reply, read).map(|(_, value)| value)
    }

    /// Like [`find`](JsonPaths::find), but also returns the path of the value.
    pub fn find_with_pointer<'v, T>(
        &self,
        reply: &'v Value,
        read: impl Fn(&'v Value) -> Option<T>,
    ) -> Option<(&Pointer, T)> {
        self.pointers
            .iter()
            .find_map(|pointer| Some((pointer, read(reply.pointer(Pointer::as_str(pointer))?)?)))
    }

    /// True if there are no paths, so the program does not read this value from replies.
    pub fn is_empty(&self) -> bool {
        self.pointers.is_empty()
    }
}

/// Number literals that JavaScript and Python write but JSON forbids.
const INVALID_NUMBERS: [&[u8]; 3] = [b"NaN", b"-Infinity", b"Infinity"];

/// Repairs four faults in JSON text: a byte order mark, half of a surrogate pair, an unescaped
/// control character, and a number literal that JSON forbids.
pub(super) fn repair_json(body: &[u8]) -> Vec<u8> {
    let mut rest = body.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(body);
    let mut repaired = Vec::with_capacity(rest.len());
    let mut is_in_string = false;
    while let Some(&byte) = rest.first() {
        let (length, replacement) = match byte {
            b'"' => {
                is_in_string = !is_in_string;
                (1, None)
            }
            b'\\' if is_in_string => parse_escape(rest),
            0..=0x1F if is_in_string => (1, Some(format!("\\u{byte:04x}"))),
            // Replace a literal such as `NaN` with `{}`. An object in place of an amount is
            // reported as a fault. If the value were missing, it could be computed.
            _ if !is_in_string => {
                match INVALID_NUMBERS.iter().find(|word| rest.starts_with(word)) {
                    Some(word) => (word.len(), Some("{}".to_owned())),
                    None => (1, None),
                }
            }
            _ => (1, None),
        };
        let (original, after) = rest.split_at(length.min(rest.len()));
        repaired.extend_from_slice(replacement.as_deref().map_or(original, str::as_bytes));
        rest = after;
    }
    repaired
}

/// The length of the escape sequence at the start of `rest`. For half of a surrogate pair, also
/// returns a replacement.
fn parse_escape(rest: &[u8]) -> (usize, Option<String>) {
    match (code_unit(rest, 0), code_unit(rest, 6)) {
        (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => (12, None),
        (Some(0xD800..=0xDFFF), _) => (6, Some("\\ufffd".to_owned())),
        _ => (2, None),
    }
}

/// The UTF-16 code unit of the escape sequence at this offset, such as `\u00e9`.
fn code_unit(text: &[u8], offset: usize) -> Option<u16> {
    let digits = text.get(offset..)?.strip_prefix(b"\\u")?.get(..4)?;
    u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::Unit;
    use super::*;

    fn paths(pointers: &[&str]) -> JsonPaths {
        let pointers: Vec<_> = pointers
            .iter()
            .map(|text| Pointer::parse(text).unwrap())
            .collect();
        JsonPaths { pointers }
    }

    fn read_money(body: &str, unit: Unit) -> Option<String> {
        paths(&["/a"])
            .money(
                &read_json(body.as_bytes()).unwrap(),
                AmountFormat::plain(unit),
            )
            .map(Money::wire)
    }

    #[test]
    fn an_amount_keeps_its_decimals() {
        for (body, wire) in [
            (r#"{"a": 10.10}"#, "10.10"),
            (r#"{"a": 0.1}"#, "0.1"),
            (r#"{"a": "1234567890.12"}"#, "1234567890.12"),
            (r#"{"a": 1.005}"#, "1.005"),
        ] {
            assert_eq!(read_money(body, Unit::Reais).as_deref(), Some(wire));
        }
        for body in [
            r#"{"a": "R$ 10"}"#,
            r#"{"a": true}"#,
            r#"{"a": [1]}"#,
            r#"{"a": "1,10"}"#,
        ] {
            assert_eq!(read_money(body, Unit::Reais), None, "{body}");
        }
    }

    #[test]
    fn centavos_are_whole_numbers() {
        assert_eq!(
            read_money(r#"{"a": 1010}"#, Unit::Centavos).as_deref(),
            Some("10.10")
        );
        assert_eq!(
            read_money(r#"{"a": "5"}"#, Unit::Centavos).as_deref(),
            Some("0.05")
        );
        assert_eq!(
            read_money(r#"{"a": 1010.0}"#, Unit::Centavos).as_deref(),
            Some("10.10")
        );
        assert_eq!(read_money(r#"{"a": 10.5}"#, Unit::Centavos), None);
        let fraction = read_money(r#"{"a": 1998.9999999999998}"#, Unit::Centavos);
        assert_eq!(fraction.as_deref(), Some("19.989999999999998"));
    }

    #[test]
    fn unreadable_values_are_skipped() {
        let reply = read_json(br#"{"a": null, "b": "***", "c": 7}"#).unwrap();
        let paths = paths(&["/a", "/b", "/c"]);
        assert_eq!(
            paths
                .money(&reply, AmountFormat::plain(Unit::Reais))
                .map(Money::wire)
                .as_deref(),
            Some("7")
        );
        assert_eq!(paths.text(&reply), Some(Untrusted::from("***")));
    }

    #[test]
    fn unreadable_character_is_only_for_display() {
        let reply = read_json(br#"{"a": "wd_\ud83d", "b": "wd_1"}"#).unwrap();
        let both = paths(&["/a", "/b"]);
        let first = paths(&["/a"]);
        assert_eq!(both.text(&reply), Some("wd_1".into()));
        assert_eq!(both.str(&reply), Some("wd_1"));
        assert_eq!((first.text(&reply), first.str(&reply)), (None, None));
        assert_eq!(first.find_message(&reply), Some("wd_\u{FFFD}"));
    }

    #[test]
    fn first_pix_code_wins_over_the_first_text() {
        let code = "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426655440000\
                    5204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3D";
        let paths = paths(&["/qr", "/copy", "/other"]);
        let find_code = |qr: &str, copy: &str| {
            let reply = serde_json::json!({"qr": qr, "copy": copy, "other": "x"});
            paths.pix_code(&reply).unwrap().raw().to_owned()
        };
        assert_eq!(find_code("data:image/png;base64,iVBORw0KGgo=", code), code);
        assert_eq!(find_code("https://pix.example/qr.png", code), code);
        for (before, after) in [("", "\n"), (" ", " "), ("\u{FEFF}", ""), ("", "\r\n\t")] {
            assert_eq!(find_code("", &format!("{before}{code}{after}")), code);
        }
        // If no text is a valid Pix code, the first text is returned unchanged.
        assert_eq!(
            find_code(" some other code ", "another"),
            " some other code "
        );
    }

    fn paths_below(bases: &[&str], pointers: &[&str]) -> JsonPaths {
        let parse = |texts: &[&str]| -> Vec<Pointer> {
            texts
                .iter()
                .map(|text| Pointer::parse(text).unwrap())
                .collect()
        };
        JsonPaths::new(&parse(bases), &parse(pointers))
    }

    #[test]
    fn a_pointer_begins_with_a_slash_and_escapes_well() {
        for valid in ["", "/", "/a/b", "/a~1b/c~0d"] {
            assert!(Pointer::parse(valid).is_some(), "{valid}");
        }
        for invalid in ["a", "a/b", "/a~", "/a~2", "/~~0"] {
            assert!(Pointer::parse(invalid).is_none(), "{invalid}");
        }
    }

    #[test]
    fn first_readable_path_wins() {
        let reply = json!({"error": {"message": "deep"}, "detail": "late", "data": {"a": "x"}});
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let found = paths_below(&[""], &["/error", "/error/message", "/detail"]).find(&reply, text);
        assert_eq!(found.as_deref(), Some("deep"));
        assert_eq!(
            paths_below(&["", "/data"], &["/a"])
                .find(&reply, text)
                .as_deref(),
            Some("x")
        );
        assert_eq!(paths_below(&[""], &["/b"]).find(&reply, text), None);
    }

    #[test]
    fn earlier_base_wins_over_earlier_name() {
        let reply = json!({"b": "outer", "data": {"a": "inner"}});
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let found = paths_below(&["", "/data"], &["/a", "/b"]).find(&reply, text);
        assert_eq!(found.as_deref(), Some("outer"));
    }

    #[test]
    fn known_faults_are_repaired() {
        for (body, repaired) in [
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
            assert_eq!(json.as_deref(), Some(repaired), "{body}");
        }
        for body in [
            "",
            "{",
            "nan",
            "<html>",
            r#"{"a":"\"#,
            r#"{"a":"\ud8"#,
            "{\"a\":}",
        ] {
            assert_eq!(read_json(body.as_bytes()), None, "{body}");
        }
    }

    proptest::proptest! {
        #[test]
        fn valid_json_is_not_changed(text in "\\PC{0,40}", number: u32) {
            let json = serde_json::json!({"a": text, "b": [number, -1.5, null]}).to_string();
            proptest::prop_assert_eq!(&*repair_json(json.as_bytes()), json.as_bytes());
        }

        #[test]
        fn no_bytes_cause_a_panic(body in "[\\\\u\"dD8cC{}:,NaInfity\u{1}-]{0,40}") {
            read_json(body.as_bytes());
        }
    }
}
