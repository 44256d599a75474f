//! A stored credential as the one value of a keyring record.

use std::borrow::Cow;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::StoredCredential;
use crate::trade::{Secret, Wall};

/// The JSON of a keyring entry.
#[derive(Serialize, Deserialize)]
struct CredentialRecord<'a> {
    #[serde(borrow)]
    identity: Cow<'a, str>,
    #[serde(borrow)]
    secret: Cow<'a, str>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    since: Option<Wall>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    expires: Option<Wall>,
    #[serde(default, borrow, skip_serializing_if = "Option::is_none")]
    note: Option<Cow<'a, str>>,
}

/// The value of an entry that keeps this credential.
pub(super) fn encode(credential: &StoredCredential) -> Vec<u8> {
    let record = CredentialRecord {
        identity: Cow::Borrowed(&credential.identity),
        secret: Cow::Borrowed(credential.secret.expose()),
        since: credential.since,
        expires: credential.expires,
        note: credential.note.as_deref().map(Cow::Borrowed),
    };
    serde_json::to_vec(&record).expect("strings and numbers, written to memory")
}

/// The credential that an entry's value keeps, or `None` where it is none of ours.
pub(super) fn decode(value: &[u8]) -> Option<StoredCredential> {
    // The reason is dropped on purpose: the reader's message may quote the value.
    let record: CredentialRecord<'_> = serde_json::from_slice(value).ok()?;
    if record.secret.is_empty() {
        return None;
    }
    Some(StoredCredential {
        identity: Arc::from(&*record.identity),
        secret: Secret::new(record.secret.into_owned()),
        since: record.since,
        expires: record.expires,
        note: record.note.as_deref().map(Arc::from),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn credential(secret: &str, expires: Option<Wall>, note: Option<&str>) -> StoredCredential {
        StoredCredential {
            identity: "ana@loja.example".into(),
            secret: Secret::new(secret.to_owned()),
            since: expires.map(|Wall(ms)| Wall(ms.saturating_sub(1))),
            expires,
            note: note.map(Arc::from),
        }
    }

    #[test]
    fn what_is_kept_comes_back() {
        let worst = "\u{1}\"\\ç".repeat(2_000);
        for secret in ["ey.J.x", &worst] {
            for expires in [None, Some(Wall(1_795_000_000_000))] {
                for note in [None, Some("pasted")] {
                    let kept = credential(secret, expires, note);
                    let back = decode(&encode(&kept)).expect("our own value");
                    assert_eq!(back.identity, kept.identity);
                    assert_eq!(back.secret.expose(), secret);
                    assert_eq!((back.since, back.expires), (kept.since, expires));
                    assert_eq!(back.note, note.map(Arc::from));
                }
            }
        }
    }

    #[test]
    fn the_value_is_json_that_other_programs_read() {
        let value = encode(&credential("t", None, None));
        assert_eq!(&value[..], br#"{"identity":"ana@loja.example","secret":"t"}"#);
    }

    #[test]
    fn a_foreign_value_is_none_of_ours() {
        let foreign: [&[u8]; 6] =
            [b"", b"token", b"{}", b"\xff\xfe", br#"{"secret":"t"}"#, b"{\"identity\":"];
        for value in foreign {
            assert!(decode(value).is_none());
        }
        assert!(decode(br#"{"identity":"a","secret":""}"#).is_none());
    }
}
