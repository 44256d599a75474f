//! The members of a HAR file that the replay uses. All other members are skipped while reading.
//!
//! Programs write these files differently, so `null` means that a member is missing, and a number
//! may be in quotes.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
use serde_json::value::RawValue;
use url::form_urlencoded;

use crate::contract::{from_base64, utf8_or_latin1};

/// The maximum number of requests in a file. The app stores far fewer.
pub(in crate::replay) const MAX_ENTRIES: usize = 20_000;

const MAX_HEADERS: usize = 100;

const MAX_CONTRACT_LINES: usize = 2_000;

/// The encodings of a body that mean that its text is not encoded.
const TEXT_ENCODINGS: [&str; 7] = [
    "",
    "utf-8",
    "utf8",
    "us-ascii",
    "iso-8859-1",
    "latin1",
    "identity",
];

#[derive(serde::Deserialize)]
pub(super) struct HarFile<'a> {
    #[serde(borrow)]
    pub log: HarLog<'a>,
}

#[derive(serde::Deserialize)]
pub(super) struct HarLog<'a> {
    #[serde(borrow)]
    pub entries: Bounded<&'a RawValue, MAX_ENTRIES>,
    #[serde(rename = "_contract")]
    pub contract: Option<Bounded<String, MAX_CONTRACT_LINES>>,
}

#[derive(serde::Deserialize)]
pub(super) struct HarEntry<'a> {
    #[serde(rename = "startedDateTime", borrow)]
    pub started: Option<Scalar<'a>>,
    pub time: Option<Scalar<'a>>,
    pub request: Option<HarRequest<'a>>,
    pub response: Option<HarResponse<'a>>,
    #[serde(rename = "_operation")]
    pub operation: Option<Scalar<'a>>,
    #[serde(rename = "_code")]
    pub code: Option<Scalar<'a>>,
    #[serde(rename = "_error")]
    pub error: Option<Scalar<'a>>,
}

#[derive(serde::Deserialize)]
pub(super) struct HarRequest<'a> {
    #[serde(borrow)]
    pub method: Option<Scalar<'a>>,
    pub url: Option<Scalar<'a>>,
    headers: Option<HarPairs<'a>>,
    #[serde(rename = "postData")]
    body: Option<HarBody<'a>>,
}

#[derive(Default, serde::Deserialize)]
pub(super) struct HarResponse<'a> {
    #[serde(borrow)]
    pub status: Option<Scalar<'a>>,
    headers: Option<HarPairs<'a>>,
    content: Option<HarBody<'a>>,
}

type HarPairs<'a> = Bounded<HarPair<'a>, MAX_HEADERS>;

/// A header, or a field of a form.
#[derive(serde::Deserialize)]
struct HarPair<'a> {
    #[serde(borrow)]
    name: Option<Scalar<'a>>,
    value: Option<Scalar<'a>>,
}

#[derive(serde::Deserialize)]
struct HarBody<'a> {
    #[serde(borrow)]
    text: Option<Scalar<'a>>,
    encoding: Option<Scalar<'a>>,
    params: Option<HarPairs<'a>>,
}

/// A text or a number.
#[derive(serde::Deserialize)]
pub(super) struct Scalar<'a>(#[serde(borrow)] &'a RawValue);

impl Scalar<'_> {
    /// The text, or the digits of the number. Lists and objects have no text.
    pub fn text(&self) -> Option<String> {
        let json = self.0.get();
        match json.as_bytes().first() {
            Some(b'"') => serde_json::from_str(json).ok(),
            Some(b'{' | b'[') | None => None,
            Some(_) => Some(json.to_owned()),
        }
    }

    pub fn number(&self) -> Option<f64> {
        self.text()?.trim().parse().ok()
    }
}

impl HarRequest<'_> {
    pub fn headers(&self) -> Vec<(String, String)> {
        pairs(self.headers.as_ref())
    }

    /// The decoded body; `None` if its encoding is unknown.
    pub fn body(&self) -> Option<String> {
        self.body
            .as_ref()
            .map_or(Some(String::new()), HarBody::decoded)
    }
}

impl HarResponse<'_> {
    pub fn headers(&self) -> Vec<(String, String)> {
        pairs(self.headers.as_ref())
    }

    /// The decoded body; `None` if its encoding is unknown.
    pub fn body(&self) -> Option<String> {
        self.content
            .as_ref()
            .map_or(Some(String::new()), HarBody::decoded)
    }
}

/// The names and values. A pair without a name is left out.
fn pairs(pairs: Option<&HarPairs<'_>>) -> Vec<(String, String)> {
    let pairs = pairs.map_or(&[][..], |pairs| &pairs.0);
    let pairs = pairs.iter().filter_map(|pair| {
        let name = pair.name.as_ref()?.text()?;
        let value = pair.value.as_ref().and_then(Scalar::text);
        Some((name, value.unwrap_or_default()))
    });
    pairs.collect()
}

impl HarBody<'_> {
    /// The decoded body; `None` if its encoding is unknown.
    fn decoded(&self) -> Option<String> {
        let text = self
            .text
            .as_ref()
            .and_then(Scalar::text)
            .unwrap_or_default();
        if text.is_empty() {
            return Some(self.form());
        }
        let encoding = self
            .encoding
            .as_ref()
            .and_then(Scalar::text)
            .unwrap_or_default();
        let encoding = encoding.trim().to_ascii_lowercase();
        if TEXT_ENCODINGS.contains(&&*encoding) {
            return Some(text);
        }
        (encoding == "base64").then(|| decode_base64(&text).unwrap_or(text))
    }

    /// The fields of a form, which some programs write instead of the text of the body.
    fn form(&self) -> String {
        let mut form = form_urlencoded::Serializer::new(String::new());
        form.extend_pairs(pairs(self.params.as_ref())).finish()
    }
}

/// Decodes base64 with or without padding and line breaks. Some browsers mark plain text as base64,
/// so returns `None` if the text does not decode to text.
fn decode_base64(text: &str) -> Option<String> {
    let text: String = text.split_whitespace().collect();
    let decoded = utf8_or_latin1(&from_base64(&text)?);
    let is_text = !decoded
        .chars()
        .any(|c| c.is_control() && !c.is_whitespace());
    is_text.then_some(decoded)
}

/// A list with at most `N` items. A longer list is an error, which is detected before it uses more
/// memory.
pub(super) struct Bounded<T, const N: usize>(pub Vec<T>);

impl<'de, T: Deserialize<'de>, const N: usize> Deserialize<'de> for Bounded<T, N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Bounded<T, N>, D::Error> {
        deserializer.deserialize_seq(BoundedVisitor(PhantomData))
    }
}

struct BoundedVisitor<T, const N: usize>(PhantomData<T>);

impl<'de, T: Deserialize<'de>, const N: usize> Visitor<'de> for BoundedVisitor<T, N> {
    type Value = Bounded<T, N>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a list with at most {N} items")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Bounded<T, N>, A::Error> {
        let mut collected = Vec::new();
        while let Some(item) = items.next_element()? {
            if collected.len() == N {
                return Err(Error::invalid_length(N + 1, &self));
            }
            collected.push(item);
        }
        Ok(Bounded(collected))
    }
}
