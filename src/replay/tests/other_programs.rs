//! Files of programs that write HAR in other ways than balcão.

use super::*;

/// Parses a file whose entries have these replies, changed by `change`, and returns the replies'
/// bodies in the order in which they are played.
fn played_bodies(entries: &[Value]) -> Vec<String> {
    let recording = parse_har(&har(entries)).unwrap();
    assert!(recording.skipped().is_empty(), "{:?}", recording.skipped());
    let body = |entry: &recording::Entry| entry.reply.as_ref().ok().map(|reply| reply.body.clone());
    recording
        .entries
        .iter()
        .map(|entry| body(entry).unwrap_or_default())
        .collect()
}

/// An entry that is recognised by its reply.
fn entry_at(time: Value, reply: &str) -> Value {
    let mut entry = entry("GET", FEE, None, 200, reply);
    entry["startedDateTime"] = time;
    entry
}

#[test]
fn entries_are_sorted_by_time_with_offsets() {
    for times in [
        ["2026-11-28T10:00:00.5Z", "2026-11-28T10:00:00.523Z"],
        ["2026-11-28T10:00:00Z", "2026-11-28T10:00:00.523Z"],
        ["2026-11-28T10:00:00Z", "2026-11-28T07:00:40-03:00"],
        ["2026-11-28T07:00:00-03:00", "2026-11-28T10:00:40Z"],
        ["2026-11-28T11:59:59+02:00", "2026-11-28T10:00:00Z"],
        ["2026-11-28T06:59:59-0300", "2026-11-28T10:00:00Z"],
        ["2026-11-28T10:00:00", "2026-11-28T10:00:01Z"],
    ] {
        let [first, second] = times.map(Value::from);
        for entries in [
            [
                entry_at(first.clone(), "first"),
                entry_at(second.clone(), "second"),
            ],
            [entry_at(second, "second"), entry_at(first, "first")],
        ] {
            assert_eq!(played_bodies(&entries), ["first", "second"], "{times:?}");
        }
    }
}

#[test]
fn equal_and_missing_times_keep_the_order() {
    let [early, late] = ["2026-11-28T07:00:00-03:00", "2026-11-28T10:00:01Z"].map(Value::from);
    let same = Value::from("2026-11-28T10:00:00Z");
    let entries = [
        entry_at(late, "5"),
        entry_at(Value::Null, "6"),
        entry_at(early, "1"),
        entry_at(json!("yesterday"), "2"),
        entry_at(json!(1_795_000_000), "3"),
        entry_at(same, "4"),
    ];
    assert_eq!(played_bodies(&entries), ["1", "2", "3", "4", "5", "6"]);
}

#[test]
fn null_is_a_missing_member() {
    let pointers = [
        "/time",
        "/startedDateTime",
        "/request/headers",
        "/request/postData",
        "/request/postData/text",
        "/request/headers/0/value",
        "/request/headers/0/name",
        "/response",
        "/response/status",
        "/response/headers",
        "/response/headers/0/value",
        "/response/content",
        "/response/content/text",
        "/response/content/encoding",
        "/_operation",
        "/_error",
        "/_code",
    ];
    let mut entry = entry("POST", LINKS, Some("{}"), 200, "reply");
    entry["request"]["headers"] = json!([{ "name": "x", "value": "y" }]);
    entry["response"]["content"]["encoding"] = "".into();
    for name in ["_operation", "_error", "_code"] {
        entry[name] = Value::Null;
    }
    for pointer in pointers {
        let mut with_null = entry.clone();
        *with_null.pointer_mut(pointer).unwrap() = Value::Null;
        let has_reply = !["/response", "/response/status"].contains(&pointer);
        let has_body = has_reply && !pointer.ends_with("content") && !pointer.ends_with("t/text");
        assert_eq!(
            played_bodies(&[with_null]),
            [if has_body { "reply" } else { "" }],
            "{pointer}"
        );
    }
    let mut without_value = entry;
    without_value["response"]["headers"] = json!([{ "name": "x" }]);
    assert_eq!(played_bodies(&[without_value]), ["reply"]);
}

#[test]
fn number_in_quotes_is_read() {
    for (pointer, value) in [
        ("/time", json!("250")),
        ("/time", json!("soon")),
        ("/response/status", json!("200")),
        ("/response/status", json!(200.0)),
        ("/response/status", json!("200.0")),
        ("/response/headers/0/value", json!(7)),
        ("/startedDateTime", json!(1_795_000_000)),
    ] {
        let mut entry = entry("GET", FEE, None, 200, "reply");
        *entry.pointer_mut(pointer).unwrap() = value;
        let recording = parse_har(&har(&[entry])).unwrap();
        let played = &recording.entries[0];
        assert!(
            played.reply.as_ref().is_ok_and(|reply| reply.status == 200),
            "{pointer}"
        );
    }
}

#[test]
fn file_in_another_character_set_is_read() {
    let text = har(&[entry("GET", FEE, None, 200, "José")]).to_string();
    let latin1: Vec<u8> = text
        .chars()
        .map(|c| u8::try_from(c).unwrap_or(b'.'))
        .collect();
    let utf_16 = |mark: &str| format!("{mark}{text}").encode_utf16().collect::<Vec<u16>>();
    let little: Vec<u8> = utf_16("\u{feff}")
        .into_iter()
        .flat_map(u16::to_le_bytes)
        .collect();
    let big: Vec<u8> = utf_16("").into_iter().flat_map(u16::to_be_bytes).collect();
    for bytes in [latin1, little, big] {
        let recording = Recording::read(&bytes).unwrap();
        assert_eq!(
            recording.entries[0].reply.as_ref().ok().unwrap().body,
            "José"
        );
    }
}

#[test]
fn base64_body_is_read_leniently() {
    let body = r#"[{"domain":"b64.example","active":true}]"#;
    let base64 = "W3siZG9tYWluIjoiYjY0LmV4YW1wbGUiLCJhY3RpdmUiOnRydWV9XQ";
    let wrapped = format!("{}\r\n {}==\n", &base64[..20], &base64[20..]);
    for (text, encoding, expected) in [
        (base64, "base64", body),
        (&format!("{base64}=="), "base64", body),
        (&wrapped, "base64", body),
        (base64, " BASE64", body),
        (body, "base64", body),
        ("notfound", "base64", "notfound"),
        ("Sm9z6Q==", "base64", "José"),
        (body, "utf-8", body),
        (body, "UTF-8", body),
        ("", "base64", ""),
    ] {
        let mut entry = entry("GET", FEE, None, 200, text);
        entry["response"]["content"]["encoding"] = encoding.into();
        assert_eq!(played_bodies(&[entry]), [expected], "{text} {encoding}");
    }
}

#[tokio::test]
async fn params_are_matched_like_the_form() {
    let mut har = har(&[entry("POST", LINKS, Some(""), 201, "{}")]);
    har["log"]["_contract"] = json!(["create_link.encoding = \"form\""]);
    for text in [Value::Null, json!("")] {
        har["log"]["entries"][0]["request"]["postData"] = json!({
            "mimeType": "application/x-www-form-urlencoded", "text": text,
            "params": [
                { "name": "amount", "value": "49.90" },
                { "name": "description", "value": "Camisa & azul" },
            ],
        });
        let replay = start_replay(&har).await;
        let other = "amount=49.91&description=Camisa";
        assert_eq!(status_of(&replay, "POST", LINKS, other).await, 501);
        let same = "amount=49.90&description=Camisa+%26+azul";
        assert_eq!(status_of(&replay, "POST", LINKS, same).await, 201);
    }
}
