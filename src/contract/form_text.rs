//! Bodies as forms (`application/x-www-form-urlencoded`), beside JSON.
//!
//! A value inside another one is written as `outer[inner]`, as gateways read it.

use super::json_text::{JsonMember, MASKED, Sent};

/// The members as a form.
pub(super) fn form_text(members: &[JsonMember<'_>]) -> String {
    let mut text = String::new();
    write(&mut text, members, "");
    text
}

/// The pairs of a form, decoded; `None` for a text that is none.
///
/// JSON is never one: it has quotation marks or brackets, which a form has encoded.
pub(super) fn form_pairs(text: &str) -> Option<Vec<(String, String)>> {
    let pair = |pair: &str| {
        let (name, value) = pair.split_once('=')?;
        Some((decoded(name)?, decoded(value)?)).filter(|(name, _)| !name.is_empty())
    };
    text.split('&').map(pair).collect()
}

/// The names on the way to a value: `outer[inner]` is two.
pub(super) fn form_path(name: &str) -> Vec<String> {
    let inner = name.strip_suffix(']').and_then(|name| name.split_once('['));
    let Some((outer, inner)) = inner.filter(|(outer, _)| !outer.is_empty()) else {
        return vec![name.to_owned()];
    };
    std::iter::once(outer).chain(inner.split("][")).map(str::to_owned).collect()
}

fn write(text: &mut String, members: &[JsonMember<'_>], above: &str) {
    for member in members {
        let name = match above {
            "" => member.name.clone(),
            above => format!("{above}[{}]", member.name),
        };
        let value = match &member.sent {
            Sent::Object(inside) => {
                write(text, inside, &name);
                continue;
            }
            Sent::Text(said) | Sent::Number(said) => Some(said.as_str()),
            Sent::Secret(secret) => Some(secret.expose()),
            Sent::Masked => None,
        };
        if !text.is_empty() {
            text.push('&');
        }
        encode(text, &name);
        text.push('=');
        match value {
            Some(value) => encode(text, value),
            // The mark is for eyes, not for a service.
            None => text.push_str(MASKED),
        }
    }
}

fn encode(text: &mut String, said: &str) {
    text.extend(url::form_urlencoded::byte_serialize(said.as_bytes()));
}

fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        match byte {
            b'+' => bytes.push(b' '),
            b'%' => {
                let hex = [rest.next()?, rest.next()?];
                let hex = std::str::from_utf8(&hex).ok()?;
                let is_hex = hex.bytes().all(|digit| digit.is_ascii_hexdigit());
                bytes.push(u8::from_str_radix(hex, 16).ok().filter(|_| is_hex)?);
            }
            b'*' | b'-' | b'.' | b'_' => bytes.push(byte),
            byte if byte.is_ascii_alphanumeric() => bytes.push(byte),
            _ => return None,
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::contract::json_text::put;
    use crate::trade::Secret;

    #[test]
    fn a_form_is_written_in_the_declared_order() {
        let secret = Secret::new("p ä&=+".into());
        let mut tree = Vec::new();
        put(&mut tree, &["amount"], Sent::Number("10.10".into()));
        put(&mut tree, &["customer", "document", "type"], Sent::Text("cpf".into()));
        put(&mut tree, &["customer", "name"], Sent::Text("Ana & Zé".into()));
        put(&mut tree, &["pin"], Sent::Secret(&secret));
        let wanted = "amount=10.10&customer%5Bdocument%5D%5Btype%5D=cpf\
                      &customer%5Bname%5D=Ana+%26+Z%C3%A9&pin=";
        let text = form_text(&tree);
        assert_eq!(*text, format!("{wanted}p+%C3%A4%26%3D%2B"));
        let path = ["customer", "document", "type"];
        assert_eq!(form_path("customer[document][type]"), path);
        for whole in ["a", "[a]", "a]", "a[", ""] {
            assert_eq!(form_path(whole), [whole]);
        }
    }

    #[test]
    fn what_is_no_form_is_none() {
        for text in ["", "a", "a=1&", "=1", "{\"a\":1}", "a=%zz", "a=%e", "a=%+1", "a=é", "a=%ff"]
        {
            assert_eq!(form_pairs(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn every_value_comes_back(name in ".{1,9}", value in ".{0,20}", secret in "\\PC{1,20}") {
            // A member is a value or holds others: no contract has both under one name.
            prop_assume!(name != "z");
            let secret = Secret::new(secret);
            let mut tree = Vec::new();
            put(&mut tree, &[&name], Sent::Text(value.clone()));
            put(&mut tree, &["z", &name], Sent::Secret(&secret));
            let text = form_text(&tree);
            prop_assert!(text.is_ascii());
            let inner = (format!("z[{name}]"), secret.expose().to_owned());
            prop_assert_eq!(form_pairs(&text), Some(vec![(name, value), inner]));
            prop_assert!(serde_json::from_str::<serde_json::Value>(&text).is_err());
        }
    }
}
