//! Reads values from JSON replies.
//!
//! Numbers keep their exact text. [`JsonPaths`] lists where a value may be in a reply.
//! [`read_json`] repairs some known faults in the replies of services.

use serde_json::Value;

use super::AmountFormat;
use crate::trade::{BrCode, Money, Untrusted};

/// The result of reading an amount of money from a reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Figure {
    /// There is no value, or it is `null`.
    Absent,
    /// A readable amount.
    Read(Money),
    /// A number that is not an exact amount.
    Number,
    /// A value that is neither a number nor a readable amount, such as a word or an object.
    Other,
}

/// Parses a JSON text. If the text is invalid, repairs known faults and parses it again; returns
/// `None` if it is still invalid.
///
/// Without this repair, a single wrong character would make the whole reply unreadable.
pub fn read_json(body: &[u8]) -> Option<Value> {
    let read = |body: &[u8]| serde_json::from_slice(body).ok();
    read(body).or_else(|| read(&mended_json(body)))
}

/// Returns true if the text contains the Unicode replacement character (U+FFFD). No valid id
/// contains it.
pub(super) fn has_unreadable(text: &str) -> bool {
    text.contains(char::REPLACEMENT_CHARACTER)
}

impl JsonPaths {
    /// Returns the first text or number at these paths, as text. Skips texts with unreadable
    /// characters.
    pub fn text(&self, reply: &Value) -> Option<Untrusted> {
        self.find(reply, |value| match value {
            Value::String(text) if is_believed(text) => Some(Untrusted::from(text.as_str())),
            Value::Number(number) => Some(Untrusted::from(number.to_string())),
            _ => None,
        })
    }

    /// Returns the first string at these paths that is not empty and has no unreadable characters.
    ///
    /// The string is borrowed, so that a token is copied only once, into a
    /// [`Secret`](crate::trade::Secret).
    pub fn str<'v>(&self, reply: &'v Value) -> Option<&'v str> {
        self.find(reply, |value| value.as_str().filter(|text| is_believed(text)))
    }

    /// Returns the first nonempty string, for display only: it may contain unreadable characters.
    pub fn words<'v>(&self, reply: &'v Value) -> Option<&'v str> {
        self.find(reply, |value| value.as_str().filter(|text| !text.trim().is_empty()))
    }

    /// Returns the first valid Pix code, trimmed. Without a valid code, returns the first text.
    pub fn pix_code(&self, reply: &Value) -> Option<Untrusted> {
        let is_margin = |c: char| c.is_whitespace() || c == '\u{FEFF}';
        let code = |value: &Value| {
            let text = value.as_str().filter(|text| is_believed(text))?;
            let code = Untrusted::from(text.trim_matches(is_margin));
            BrCode::parse(&code).map(|_| code)
        };
        self.find(reply, code).or_else(|| self.text(reply))
    }

    /// Returns the first exact amount at these paths. If no amount is exact, returns the kind of
    /// the first value that is not `null` instead.
    pub fn figure(&self, reply: &Value, amounts: AmountFormat) -> Figure {
        if let Some(money) = self.money(reply, amounts) {
            return Figure::Read(money);
        }
        let other = self.find(reply, |value| match value {
            Value::Null => None,
            Value::Number(_) => Some(Figure::Number),
            _ => Some(Figure::Other),
        });
        other.unwrap_or(Figure::Absent)
    }

    /// Returns the first exact amount at these paths.
    pub fn money(&self, reply: &Value, amounts: AmountFormat) -> Option<Money> {
        self.find(reply, |value| amounts.read(value))
    }
}

fn is_believed(text: &str) -> bool {
    !text.trim().is_empty() && !has_unreadable(text)
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
        let escapes_are_fine =
            text.split('~').skip(1).all(|rest| rest.starts_with('0') || rest.starts_with('1'));
        escapes_are_fine.then(|| Pointer(text.to_owned()))
    }

    /// Returns a list with a single pointer, to the whole reply.
    pub(super) fn root() -> [Pointer; 1] {
        [Pointer(String::new())]
    }

    /// Returns the pointer as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the last name in the pointer: `net_amount` for `/data/net_amount`.
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
        let all = bases.iter().flat_map(|base| {
            pointers.iter().map(|pointer| Pointer([base.as_str(), pointer.as_str()].concat()))
        });
        JsonPaths { pointers: all.collect() }
    }

    /// Calls `read` for the value at each path, and returns the first result.
    pub fn find<'v, T>(
        &self,
        reply: &'v Value,
        read: impl Fn(&'v Value) -> Option<T>,
    ) -> Option<T> {
        self.found(reply, read).map(|(_, found)| found)
    }

    /// Like [`find`](JsonPaths::find), but also returns the path of the value.
    pub fn found<'v, T>(
        &self,
        reply: &'v Value,
        read: impl Fn(&'v Value) -> Option<T>,
    ) -> Option<(&Pointer, T)> {
        let at = |pointer| Some((pointer, read(reply.pointer(Pointer::as_str(pointer))?)?));
        self.pointers.iter().find_map(at)
    }

    /// Returns true if there are no paths, so the program does not read this value from replies.
    pub fn is_empty(&self) -> bool {
        self.pointers.is_empty()
    }
}

/// Number literals that JavaScript and Python write but JSON forbids.
const NO_NUMBERS: [&[u8]; 3] = [b"NaN", b"-Infinity", b"Infinity"];

/// Repairs JSON text with a byte order mark, half of a surrogate pair, an unescaped control
/// character, or a number literal that JSON forbids.
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
            // Replace a literal such as `NaN` with `{}`. An object in place of an amount is
            // reported as a fault, but a missing value is not.
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

/// Returns the length of the escape sequence at the start of `rest`. For half of a surrogate pair,
/// also returns a replacement.
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
    use serde_json::json;

    use super::super::Unit;
    use super::*;

    fn places(pointers: &[&str]) -> JsonPaths {
        let pointers: Vec<_> = pointers.iter().map(|text| Pointer::parse(text).unwrap()).collect();
        JsonPaths { pointers }
    }

    fn money_in(body: &str, unit: Unit) -> Option<String> {
        places(&["/a"])
            .money(&read_json(body.as_bytes()).unwrap(), AmountFormat::plain(unit))
            .map(Money::wire)
    }

    #[test]
    fn an_amount_keeps_its_own_scale() {
        for (body, wire) in [
            (r#"{"a": 10.10}"#, "10.10"),
            (r#"{"a": 0.1}"#, "0.1"),
            (r#"{"a": "1234567890.12"}"#, "1234567890.12"),
            (r#"{"a": 1.005}"#, "1.005"),
        ] {
            assert_eq!(money_in(body, Unit::Reais).as_deref(), Some(wire));
        }
        for body in [r#"{"a": "R$ 10"}"#, r#"{"a": true}"#, r#"{"a": [1]}"#, r#"{"a": "1,10"}"#] {
            assert_eq!(money_in(body, Unit::Reais), None, "{body}");
        }
    }

    #[test]
    fn centavos_are_whole_numbers() {
        assert_eq!(money_in(r#"{"a": 1010}"#, Unit::Centavos).as_deref(), Some("10.10"));
        assert_eq!(money_in(r#"{"a": "5"}"#, Unit::Centavos).as_deref(), Some("0.05"));
        assert_eq!(money_in(r#"{"a": 1010.0}"#, Unit::Centavos).as_deref(), Some("10.10"));
        assert_eq!(money_in(r#"{"a": 10.5}"#, Unit::Centavos), None);
        let noise = money_in(r#"{"a": 1998.9999999999998}"#, Unit::Centavos);
        assert_eq!(noise.as_deref(), Some("19.989999999999998"));
    }

    #[test]
    fn unreadable_values_are_skipped() {
        let reply = read_json(br#"{"a": null, "b": "***", "c": 7}"#).unwrap();
        let places = places(&["/a", "/b", "/c"]);
        assert_eq!(
            places.money(&reply, AmountFormat::plain(Unit::Reais)).map(Money::wire).as_deref(),
            Some("7")
        );
        assert_eq!(places.text(&reply), Some(Untrusted::from("***")));
    }

    #[test]
    fn text_with_an_unreadable_character_is_only_words() {
        let reply = read_json(br#"{"a": "wd_\ud83d", "b": "wd_1"}"#).unwrap();
        let (both, first) = (places(&["/a", "/b"]), places(&["/a"]));
        assert_eq!(both.text(&reply), Some("wd_1".into()));
        assert_eq!(both.str(&reply), Some("wd_1"));
        assert_eq!((first.text(&reply), first.str(&reply)), (None, None));
        assert_eq!(first.words(&reply), Some("wd_\u{FFFD}"));
    }

    #[test]
    fn first_pix_code_wins_over_the_first_text() {
        let code = "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426655440000\
                    5204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3D";
        let places = places(&["/qr", "/copy", "/other"]);
        let found = |qr: &str, copy: &str| {
            let reply = serde_json::json!({"qr": qr, "copy": copy, "other": "x"});
            places.pix_code(&reply).unwrap().raw().to_owned()
        };
        assert_eq!(found("data:image/png;base64,iVBORw0KGgo=", code), code);
        assert_eq!(found("https://pix.example/qr.png", code), code);
        for around in [("", "\n"), (" ", " "), ("\u{FEFF}", ""), ("", "\r\n\t")] {
            assert_eq!(found("", &format!("{}{code}{}", around.0, around.1)), code);
        }
        // If no text is a valid Pix code, the first text is returned unchanged.
        assert_eq!(found(" some other code ", "another"), " some other code ");
    }

    fn based(bases: &[&str], pointers: &[&str]) -> JsonPaths {
        let read = |texts: &[&str]| -> Vec<Pointer> {
            texts.iter().map(|text| Pointer::parse(text).unwrap()).collect()
        };
        JsonPaths::new(&read(bases), &read(pointers))
    }

    #[test]
    fn a_pointer_begins_with_a_slash_and_escapes_well() {
        for fine in ["", "/", "/a/b", "/a~1b/c~0d"] {
            assert!(Pointer::parse(fine).is_some(), "{fine}");
        }
        for wrong in ["a", "a/b", "/a~", "/a~2", "/~~0"] {
            assert!(Pointer::parse(wrong).is_none(), "{wrong}");
        }
    }

    #[test]
    fn the_first_place_that_can_be_read_wins() {
        let reply = json!({"error": {"message": "deep"}, "detail": "late", "data": {"a": "x"}});
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let found = based(&[""], &["/error", "/error/message", "/detail"]).find(&reply, text);
        assert_eq!(found.as_deref(), Some("deep"));
        assert_eq!(based(&["", "/data"], &["/a"]).find(&reply, text).as_deref(), Some("x"));
        assert_eq!(based(&[""], &["/b"]).find(&reply, text), None);
    }

    #[test]
    fn earlier_base_wins_over_earlier_name() {
        let reply = json!({"b": "outer", "data": {"a": "inner"}});
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let found = based(&["", "/data"], &["/a", "/b"]).find(&reply, text);
        assert_eq!(found.as_deref(), Some("outer"));
    }

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
