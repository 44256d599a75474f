//! Tests of the search for the recorded request that fits.

use super::*;

#[tokio::test]
async fn entries_are_used_in_order_and_reads_repeat() {
    let link = r#"{"amount":49.90,"description":"‹text 1, 4 letters›"}"#;
    let replay = start_replay(&har(&[
        entry(
            "GET",
            "/api/v1/payment-links/available-domains",
            None,
            500,
            "{}",
        ),
        entry("POST", LINKS, Some(link), 400, "{}"),
        entry("POST", LINKS, Some(link), 201, "{}"),
        entry(
            "GET",
            "/api/v1/payment-links/available-domains",
            None,
            200,
            "{}",
        ),
    ]))
    .await;
    let domains = "/api/v1/payment-links/available-domains";
    for expected in [500, 200, 200, 200] {
        assert_eq!(status_of(&replay, "GET", domains, "").await, expected);
    }
    let new = r#"{"description":"Bolo","amount":49.9}"#;
    for expected in [400, 201, 501, 501] {
        assert_eq!(status_of(&replay, "POST", LINKS, new).await, expected);
    }
}

#[tokio::test]
async fn entries_are_sorted_by_time() {
    let entry_at = |time: &str, status| {
        let mut entry = entry("GET", FEE, None, status, "{}");
        entry["startedDateTime"] = format!("2026-11-21T15:00:0{time}Z").into();
        entry
    };
    let entries = [
        entry_at("2.000", 203),
        entry_at("1.000", 201),
        entry_at("1.000", 202),
        entry_at("0.999", 200),
    ];
    let replay = start_replay(&har(&entries)).await;
    for expected in 200..204 {
        assert_eq!(status_of(&replay, "GET", FEE, "").await, expected);
    }
}

#[tokio::test]
async fn method_path_shape_and_amount_must_fit() {
    let body = r#"{"amount":49.90,"text":"a","list":[{"x":true}],"y":"‹number 1, 5 digits›"}"#;
    let is_matched = |new: &str| {
        let har = har(&[entry("POST", LINKS, Some(body), 201, "{}")]);
        let new = new.to_owned();
        async move { status_of(&start_replay(&har).await, "POST", LINKS, &new).await == 201 }
    };
    assert!(is_matched(r#"{"amount":49.9,"text":"b","list":[{"x":false}],"y":12345}"#).await);
    for mismatch in [
        r#"{"amount":49.91,"text":"b","list":[{"x":false}],"y":1}"#,
        r#"{"amount":"49.90","text":"b","list":[{"x":false}],"y":1}"#,
        r#"{"amount":49.9,"text":1,"list":[{"x":false}],"y":1}"#,
        r#"{"amount":49.9,"text":"b","list":[],"y":1}"#,
        r#"{"amount":49.9,"text":"b","list":[{"x":false}],"y":null}"#,
        r#"{"amount":49.9,"text":"b","list":[{"x":false}]}"#,
        r#"{"amount":49.9,"text":"b","list":[{"x":false}],"y":1,"z":1}"#,
        r#"{"amount":49.9,"text":"b","list":[{"z":false}],"y":1}"#,
        "amount=49.90",
        "",
    ] {
        assert!(!is_matched(mismatch).await, "{mismatch}");
    }
    let replay = start_replay(&har(&[entry("POST", LINKS, None, 201, "{}")])).await;
    for (method, path) in [
        ("PUT", LINKS),
        ("POST", CHARGES),
        ("POST", "/"),
        ("GET", LINKS),
    ] {
        assert_eq!(
            status_of(&replay, method, path, "").await,
            501,
            "{method} {path}"
        );
    }
    assert_eq!(status_of(&replay, "POST", LINKS, "").await, 201);
}

#[tokio::test]
async fn masked_segment_query_and_prefix_fit_anything() {
    let path = "/*text-1*/api/v1/accounts/*number-1*/fee?amount=10.10&store=*text-2*";
    let replay = start_replay(&har(&[entry("GET", path, None, 200, "{}")])).await;
    for (path, expected) in [
        ("/api/v1/accounts/7/fee?amount=10.1&store=x", 200),
        ("/api/v1/accounts/8/fee?amount=10.10&store=ana%20x", 200),
        ("/api/v1/accounts/8/fee?amount=10.11&store=x", 501),
        ("/api/v1/accounts/8/fee?amount=10.10", 501),
        ("/api/v1/accounts/8/fee?store=x&amount=10.10", 501),
        ("/api/v1/accounts/8/9/fee?amount=10.10&store=x", 501),
        ("/x/y/api/v1/accounts/8/fee?amount=10.10&store=x", 501),
    ] {
        assert_eq!(
            status_of(&replay, "GET", path, "").await,
            expected,
            "{path}"
        );
    }
}

#[tokio::test]
async fn form_is_matched_by_names_and_amounts() {
    let form = "amount=1.234,50&customer[name]=*text-1*&pixKeyType=cpf";
    let replay = start_replay(&har(&[entry("POST", LOGIN, Some(form), 200, "{}")])).await;
    for (body, expected) in [
        (
            "amount=1234,50&customer%5Bname%5D=Ana+Lima&pixKeyType=email",
            200,
        ),
        (
            "amount=1234,51&customer%5Bname%5D=Ana+Lima&pixKeyType=cpf",
            501,
        ),
        ("amount=1234,50&name=Ana&pixKeyType=cpf", 501),
        (r#"{"amount":1234.50}"#, 501),
    ] {
        assert_eq!(
            status_of(&replay, "POST", LOGIN, body).await,
            expected,
            "{body}"
        );
    }
}

#[tokio::test]
async fn unsent_requests_are_skipped() {
    let mut unsent = entry("POST", LINKS, None, 0, "");
    for error in ["not sent: dns", "failed", "cancelled"] {
        unsent["_error"] = error.into();
        let recording = parse_har(&har(&[unsent.clone()]));
        assert!(matches!(recording, Err(RecordingError::Empty)), "{error}");
    }
    unsent["_error"] = "timeout".into();
    let replay = start_replay(&har(&[unsent, entry("POST", LINKS, None, 201, "{}")])).await;
    assert_eq!(
        status_of(&replay, "POST", LINKS, "").await,
        0,
        "the connection is closed"
    );
    assert_eq!(status_of(&replay, "POST", LINKS, "").await, 201);
}
