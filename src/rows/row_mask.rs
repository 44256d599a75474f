//! Masks the JSON of a payment link, a direct payment or a withdrawal for `--redact`.

use serde_json::Value;

use crate::trade::personal::{MASKED, masked_name, masked_text};

/// How a value is masked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Masking {
    /// Shown as it is: it is not personal, or it is meant to be shared, such as a link's URL.
    Shown,
    /// Only the first letter is shown.
    Name,
    /// The parts that look personal are masked.
    Text,
    /// Masked completely.
    Hidden,
}

/// The values in a row, by their path.
///
/// A value that is not listed is masked completely, and so is its name. The fields of a buyer come
/// from the API contract, so a seller can add others.
const VALUES: [(&str, Masking); 77] = [
    ("account", Masking::Name),
    ("agreed", Masking::Shown),
    ("amount", Masking::Shown),
    ("approvedBy", Masking::Hidden),
    ("approvedBy.machine", Masking::Name),
    ("approvedBy.operator", Masking::Name),
    ("approvedBy.role", Masking::Name),
    ("at", Masking::Shown),
    ("attempts", Masking::Hidden),
    ("attempts.began", Masking::Shown),
    ("attempts.by", Masking::Hidden),
    ("attempts.by.machine", Masking::Name),
    ("attempts.by.operator", Masking::Name),
    ("attempts.by.role", Masking::Name),
    ("attempts.class", Masking::Shown),
    ("attempts.ended", Masking::Shown),
    ("attempts.n", Masking::Shown),
    ("attempts.status", Masking::Shown),
    ("buyer", Masking::Hidden),
    ("buyer.document", Masking::Hidden),
    ("buyer.email", Masking::Hidden),
    ("buyer.name", Masking::Name),
    ("buyer.phone", Masking::Hidden),
    ("checkoutDomain", Masking::Shown),
    ("credentials", Masking::Hidden),
    ("credentials.account", Masking::Name),
    ("credentials.expires", Masking::Shown),
    ("credentials.kind", Masking::Shown),
    ("credentials.state", Masking::Shown),
    ("customer", Masking::Name),
    ("decidedBy", Masking::Hidden),
    ("decidedBy.machine", Masking::Name),
    ("decidedBy.operator", Masking::Name),
    ("decidedBy.role", Masking::Name),
    ("default", Masking::Shown),
    ("description", Masking::Text),
    // The caller masks all of the Pix key except what identifies it.
    ("destination", Masking::Shown),
    ("domain", Masking::Shown),
    ("expires", Masking::Hidden),
    ("fee", Masking::Shown),
    ("format", Masking::Shown),
    ("httpStatus", Masking::Shown),
    ("id", Masking::Hidden),
    ("key", Masking::Shown),
    ("loggedIn", Masking::Shown),
    ("markedPaid", Masking::Shown),
    ("message", Masking::Hidden),
    ("method", Masking::Shown),
    ("net", Masking::Shown),
    ("nickname", Masking::Name),
    ("note", Masking::Hidden),
    ("open", Masking::Shown),
    ("operation", Masking::Shown),
    ("origin", Masking::Shown),
    ("outcome", Masking::Shown),
    ("pixCode", Masking::Shown),
    ("preparedBy", Masking::Hidden),
    ("preparedBy.machine", Masking::Name),
    ("preparedBy.operator", Masking::Name),
    ("preparedBy.role", Masking::Name),
    ("profile", Masking::Text),
    ("putAway", Masking::Shown),
    ("replyBody", Masking::Hidden),
    ("replyBytes", Masking::Shown),
    ("requestBody", Masking::Hidden),
    ("requestBytes", Masking::Shown),
    ("requestId", Masking::Hidden),
    ("requestUrl", Masking::Text),
    ("sandboxPaid", Masking::Shown),
    ("service", Masking::Text),
    ("serviceState", Masking::Hidden),
    ("state", Masking::Shown),
    ("status", Masking::Hidden),
    ("tookMs", Masking::Shown),
    ("url", Masking::Shown),
    ("vault", Masking::Shown),
    ("withdrawal", Masking::Shown),
];

fn masking_of(path: &str) -> Option<Masking> {
    VALUES
        .iter()
        .find(|(listed, _)| *listed == path)
        .map(|(_, masking)| *masking)
}

/// Masks every text, number and member name in a row that is not listed as free of personal data.
pub fn masked_row(row: Value) -> Value {
    masked_value("", row)
}

/// Masks a value. The items of a list have the path of the list.
fn masked_value(path: &str, value: Value) -> Value {
    match (value, masking_of(path)) {
        (Value::Object(members), _) => {
            let members = members.into_iter().zip(1..);
            members
                .map(|((name, value), n)| masked_member(path, name, n, value))
                .collect()
        }
        (Value::Array(items), _) => items
            .into_iter()
            .map(|item| masked_value(path, item))
            .collect(),
        (value, Some(Masking::Shown)) | (value @ Value::Null, _) => value,
        (Value::String(text), Some(Masking::Name)) => masked_name(&text).into(),
        (Value::String(text), Some(Masking::Text)) => masked_text(&text).into(),
        _ => MASKED.into(),
    }
}

/// Masks the member with the number `n` of an object. The number keeps masked names apart.
fn masked_member(path: &str, name: String, n: usize, value: Value) -> (String, Value) {
    let path = if path.is_empty() {
        name.clone()
    } else {
        format!("{path}.{name}")
    };
    let name = if masking_of(&path).is_some() {
        name
    } else {
        format!("{MASKED}{n}")
    };
    (name, masked_value(&path, value))
}

/// Masks the parts that look personal in every text and member name of a JSON value.
pub fn masked_texts(value: Value) -> Value {
    match value {
        Value::Object(members) => members
            .into_iter()
            .map(|(name, value)| (masked_text(&name), masked_texts(value)))
            .collect(),
        Value::Array(items) => items.into_iter().map(masked_texts).collect(),
        Value::String(text) => masked_text(&text).into(),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn nested_values_are_masked_unless_listed() {
        let row = json!({
            "account": "ana",
            "amount": 49.90,
            "url": "https://loja.example/l-1",
            "buyer": {
                "name": "Bia Souza",
                "document": "52998224725",
                "url": "https://bia.example",
                "Bia": { "phone": ["11 91234 5678", 912345678, null, true] },
                "status": "x",
            },
            "attempts": [{ "n": 1, "class": "unclear", "status": 504, "note": "Bia" }],
            "created": "Bia",
            "count": 3,
        });
        let expected = json!({
            "account": "a•••",
            "amount": 49.90,
            "url": "https://loja.example/l-1",
            "buyer": {
                "name": "B•••",
                "document": "•••",
                "•••3": "•••",
                "•••4": { "•••1": ["•••", "•••", null, "•••"] },
                "•••5": "•••",
            },
            "attempts": [{ "n": 1, "class": "unclear", "status": 504, "•••4": "•••" }],
            "•••6": "•••",
            "•••7": "•••",
        });
        assert_eq!(masked_row(row), expected);
    }

    #[test]
    fn personal_texts_and_names_are_masked_in_any_json() {
        let value = json!({ "a@b.example": ["id 52998224725", 1], "term": "xterm" });
        let expected = json!({ "•••": ["id •••", 1], "term": "xterm" });
        assert_eq!(masked_texts(value), expected);
    }
}
