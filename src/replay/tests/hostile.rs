//! Tests with hostile recordings.

use super::*;

#[test]
fn unusable_file_is_an_error() {
    let contract = |line: &str| {
        let mut har = har(&[entry("GET", FEE, None, 200, "{}")]);
        har["log"]["_contract"] = json!([line]);
        har
    };
    let too_many_entries: Vec<Value> = vec![entry("GET", "/", None, 200, ""); 20_001];
    let lines = vec![""; 2_001];
    let too_many_lines = json!({ "log": { "entries": [], "_contract": lines } });
    for (har, expected) in [
        (json!({}), "not a HAR file"),
        (json!([]), "not a HAR file"),
        (json!({ "log": { "entries": {} } }), "not a HAR file"),
        (
            json!({ "log": { "entries": [{ "request": {} }] } }),
            "no request in it can be played: log.entries[0]: no request",
        ),
        (har(&[]), "no request in it was sent"),
        (contract("login.path = 7"), "its contract is not valid"),
        (contract("x = 1\ny = 2"), "its contract is not valid"),
        (self::har(&too_many_entries), "20001"),
        (too_many_lines, "2001"),
    ] {
        let error = parse_har(&har).err().unwrap().to_string();
        assert!(error.contains(expected), "{expected}: {error}");
    }
    let deeply_nested = "[".repeat(100_000);
    for bytes in [&b""[..], deeply_nested.as_bytes()] {
        assert!(matches!(
            Recording::read(bytes),
            Err(RecordingError::NotHar(_))
        ));
    }
    // The content of `log` without the object around it.
    let bare_log = json!({ "version": "1.2", "entries": [] });
    assert!(matches!(
        parse_har(&bare_log),
        Err(RecordingError::NoEntries)
    ));
    let large = tempfile::NamedTempFile::new().unwrap();
    large.as_file().set_len(MAX_FILE_BYTES + 1).unwrap();
    assert!(matches!(
        Recording::open(large.path()),
        Err(RecordingError::TooLarge)
    ));
}

#[test]
fn unusable_entry_is_skipped() {
    let mut without_url = entry("GET", "", None, 200, "{}");
    without_url["request"]["url"] = "not a url".into();
    let long_body = "x".repeat(5_000_000);
    let mut fractional_status = entry("GET", FEE, None, 200, "{}");
    fractional_status["response"]["status"] = json!(200.5);
    let mut unknown_encoding = entry("GET", FEE, None, 200, "{}");
    unknown_encoding["response"]["content"]["encoding"] = "rot13".into();
    let entries = [
        without_url,
        entry("POST", LINKS, Some(&long_body), 200, ""),
        Value::Null,
        json!({ "request": null }),
        fractional_status,
        unknown_encoding,
        entry("", "", None, 1, ""),
    ];
    let recording = parse_har(&har(&entries)).unwrap();
    assert_eq!(recording.requests(), 1);
    let skipped: Vec<String> = recording
        .skipped()
        .iter()
        .map(ToString::to_string)
        .collect();
    let expected = [
        "log.entries[0]: no usable URL (GET)",
        "log.entries[1]: a body larger than 4 MiB (POST /api/v1/payment-links)",
        "log.entries[2]: not an entry of a HAR file",
        "log.entries[3]: no request",
        "log.entries[4]: no usable status (GET /api/v1/withdrawals/fee-preview)",
        "log.entries[5]: a body in an unknown encoding (GET /api/v1/withdrawals/fee-preview)",
    ];
    assert_eq!(skipped, expected);
    let with_byte_order_mark = format!("\u{FEFF}{}", har(&entries));
    assert_eq!(
        Recording::read(with_byte_order_mark.as_bytes())
            .unwrap()
            .requests(),
        1
    );
}

#[tokio::test]
async fn repeated_masks_fill_a_bounded_reply() {
    let key = "x".repeat(60_000);
    let recorded_body = json!({ "amount": 100, "key": "‹text 1, 9 letters›" }).to_string();
    for mask in [
        "‹token 1, 9999 letters›",
        "‹text 1, 9 letters›",
        "…",
        "eyJ…",
        "‹pix code 1›",
    ] {
        let reply = json!(vec![mask; 60_000]).to_string();
        let replay = start_replay(&har(&[entry(
            "POST",
            LINKS,
            Some(&recorded_body),
            200,
            &reply,
        )]))
        .await;
        let request_body = json!({ "amount": 100, "key": key }).to_string();
        let (status, _, body) = send(&replay, "POST", LINKS, "", &request_body).await;
        assert_eq!(status, 200, "{mask}");
        assert!(body.len() < 12 * 1024 * 1024, "{mask}: {}", body.len());
    }
}

proptest! {
    #[test]
    fn no_file_panics(bytes in "\\PC{0,60}") {
        Recording::read(bytes.as_bytes()).ok();
    }

    #[test]
    fn no_entry_or_request_panics(
        url in "(https?://)?[a-z/?&=#*%‹›.:@0-9-]{0,30}",
        sent in "[{}\\[\\]\":,a-e0-9.‹›*…=&-]{0,40}",
        reply in "[{}\\[\\]\":,a-e0-9.‹›*…=&/ -]{0,60}",
        key in "[ -~]{0,8}",
        new in "[{}\\[\\]\":,a-e0-9.‹›*…=&-]{0,40}",
    ) {
        let mut entry = entry("POST", "", Some(&sent), 201, &reply);
        entry["request"]["url"] = url.as_str().into();
        entry["_code"] = key.as_str().into();
        let quoted = json!({ "a": reply, reply.clone(): sent }).to_string();
        let kinds = [("login", &reply), ("withdrawal", &quoted), ("direct_payment", &quoted)];
        for (operation, reply) in kinds {
            entry["_operation"] = operation.into();
            entry["response"]["content"]["text"] = reply.as_str().into();
            let Ok(recording) = parse_har(&har(std::slice::from_ref(&entry))) else { continue };
            let mut player = Player::new(recording, None);
            let path = url.split_once("://").map_or("", |(_, rest)| rest);
            let path = path.find('/').map_or("", |at| &path[at..]);
            let path = path.split(['?', '#']).next().unwrap().to_owned();
            for body in [&sent, &new] {
                let request = super::super::recording::Request {
                    method: "POST".into(),
                    path: path.clone(),
                    query: String::new(),
                    key: Some(key.clone()),
                    body: body.clone(),
                };
                let address = "[::1]:1".parse().unwrap();
                super::super::http::play(&mut player, &request, address).reply.ok();
            }
        }
    }
}
