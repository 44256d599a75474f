//! Reading replies: JSON whose numbers keep their own text.

use serde_json::Value;

use super::AmountFormat;
use super::mended_json::mended_json;
use super::pointer::JsonPaths;
use crate::trade::{BrCode, Money, Untrusted};

/// The value found where an amount is expected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Figure {
    /// Nothing, or `null`.
    Absent,
    /// An amount.
    Read(Money),
    /// A number that is no amount: one that could only be kept rounded, or not at all.
    Number,
    /// Something else: a word, an object, a masked figure.
    Other,
}

/// Reads a whole JSON text; `None` when it is none.
///
/// Mends the faults that services are known for, so that one odd character does not cost the reply.
pub fn read_json(body: &[u8]) -> Option<Value> {
    let read = |body: &[u8]| serde_json::from_slice(body).ok();
    read(body).or_else(|| read(&mended_json(body)))
}

/// Returns true for a text in which a character could not be read: no identifier has one.
pub(super) fn has_unreadable(text: &str) -> bool {
    text.contains(char::REPLACEMENT_CHARACTER)
}

impl JsonPaths {
    /// The first text that could be read whole; a number counts as the text it is written with.
    pub fn text(&self, reply: &Value) -> Option<Untrusted> {
        self.find(reply, |value| match value {
            Value::String(text) if is_believed(text) => Some(Untrusted::from(text.as_str())),
            Value::Number(number) => Some(Untrusted::from(number.to_string())),
            _ => None,
        })
    }

    /// The first text that is a string, never a number, and not empty; borrowed, so that a token
    /// is copied once, into a secret.
    pub fn str<'v>(&self, reply: &'v Value) -> Option<&'v str> {
        self.find(reply, |value| value.as_str().filter(|text| is_believed(text)))
    }

    /// The first text that is meant for a person, also where a character of it could not be read.
    pub fn words<'v>(&self, reply: &'v Value) -> Option<&'v str> {
        self.find(reply, |value| value.as_str().filter(|text| !text.trim().is_empty()))
    }

    /// The first Pix code, without the blanks around it; without one, the first text.
    pub fn pix_code(&self, reply: &Value) -> Option<Untrusted> {
        let is_margin = |c: char| c.is_whitespace() || c == '\u{FEFF}';
        let code = |value: &Value| {
            let text = value.as_str().filter(|text| is_believed(text))?;
            let code = Untrusted::from(text.trim_matches(is_margin));
            BrCode::parse(&code).map(|_| code)
        };
        self.find(reply, code).or_else(|| self.text(reply))
    }

    /// The first amount that can be read exactly; without one, whether something else stands there.
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

    /// The first amount that can be read exactly.
    pub fn money(&self, reply: &Value, amounts: AmountFormat) -> Option<Money> {
        self.find(reply, |value| amounts.read(value))
    }
}

fn is_believed(text: &str) -> bool {
    !text.trim().is_empty() && !has_unreadable(text)
}

#[cfg(test)]
mod tests {
    use super::super::Unit;
    use super::super::pointer::Pointer;
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
    fn what_cannot_be_read_is_passed_over() {
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
        // Without a Pix code the first text is kept as it came.
        assert_eq!(found(" some other code ", "another"), " some other code ");
    }
}
