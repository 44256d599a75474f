//! Tests of the masks for secrets.

use super::*;
use crate::service::raw_reply::BodyEnd;

fn masked_body(mask: &Mask<'_>, status: u16, body: &str) -> String {
    let body = body.as_bytes().to_vec();
    let reply = RawReply {
        status,
        headers: vec![],
        body,
        end: BodyEnd::Whole,
    };
    Untrusted::with_shown_masks(mask.masked_body(&reply).raw())
}

fn shown_masks(reply: RawReply) -> String {
    Untrusted::with_shown_masks(&String::from_utf8(reply.body).unwrap())
}

#[test]
fn known_secret_is_masked_everywhere() {
    let mask = Mask {
        secrets: vec!["tok-123", "12", "77"],
        ..Mask::default()
    };
    for (body, expected) in [
        (
            r#"{"a":"x tok-123 y","b":["tok-123"]}"#,
            r#"{"a":"x … y","b":["…"]}"#,
        ),
        (r#"{"a":"tok\u002d123"}"#, r#"{"a":"…"}"#),
        (
            r#"{"a":"12","b":"2012","c":77}"#,
            r#"{"a":"…","b":"2012","c":"…"}"#,
        ),
        ("<p>tok-123</p>", "<p>…</p>"),
        ("{ \"amount\": 10.10 }", "{ \"amount\": 10.10 }"),
    ] {
        assert_eq!(masked_body(&mask, 200, body), expected);
    }
}

#[test]
fn escaped_echo_of_a_secret_is_masked() {
    let mask = Mask {
        secrets: vec!["a/7Qx+\"44 ç"],
        ..Mask::default()
    };
    for body in [
        r#"bad body: {"senha":"a/7Qx+\"44 ç"}"#,
        r#"bad body: {"senha":"a\/7Qx\u002b\"44 \u00E7"}"#,
        "bad body: email=a%40x&senha=a%2F7Qx%2B%2244+%C3%A7",
        "bad address: /login?senha=a/7Qx+%2244%20%c3%a7",
        "<p>senha: a/7Qx+&quot;44 ç</p>",
        "<p>senha: a&#x2F;7Qx&#43;&#34;44 ç</p>",
    ] {
        assert_eq!(masked_body(&mask, 400, body), "…", "{body}");
        let inside = Value::from(vec![body]).to_string();
        assert_eq!(masked_body(&mask, 400, &inside), r#"["…"]"#, "{inside}");
    }
    for body in [
        r#"100% \u00"#,
        "a+b=c&d %",
        "<p>a/7Qx &amp; &#x110000; &#; &quot</p>",
    ] {
        assert_eq!(
            masked_body(&mask, 400, body),
            body,
            "nothing of it is there"
        );
    }
}

#[test]
fn secret_in_hex_or_another_case_is_masked() {
    let mask = Mask {
        secrets: vec!["tok-123aB", "9F3aç"],
        ..Mask::default()
    };
    for (body, expected) in [
        (r#"{"a":"x TOK-123AB y"}"#, r#"{"a":"x … y"}"#),
        (r#"{"a":" Tok-123ab"}"#, r#"{"a":"…"}"#),
        (r#"{"a":"x 9f3AÇ y"}"#, r#"{"a":"…"}"#),
        (r#"{"a":"x 746f6b2d3132336142 y"}"#, r#"{"a":"…"}"#),
        (r#"{"a":"id746F6B2D3132336142ff"}"#, r#"{"a":"…"}"#),
        (r#"{"a":"0x746f6b2d3132336142"}"#, r#"{"a":"…"}"#),
        (r#"{"a":"74 6f 6b 2d 31 32 33 61 42"}"#, r#"{"a":"…"}"#),
        (r#"{"a":"74:6F:6B:2D:31:32:33:61:42"}"#, r#"{"a":"…"}"#),
        (r#"{"a":"544f4b2d3132336162"}"#, r#"{"a":"…"}"#),
        (r#"{"746f6b2d3132336142":1}"#, "…"),
        ("<p>Tok-123AB</p>", "<p>…</p>"),
        ("<p>746f6b2d3132336142</p>", "…"),
        (
            r#"{"a":"746f6b2d313233","b":"tok-123"}"#,
            r#"{"a":"746f6b2d313233","b":"tok-123"}"#,
        ),
    ] {
        assert_eq!(masked_body(&mask, 400, body), expected, "{body}");
    }
    let secret = Secret::new("loja-1:S3nha-longa".into());
    let mut values = reply(
        200,
        r#"{"a":"s3NHA-longa","b":"53336e68612d6c6f6e6761","c":"x"}"#,
    );
    Mask::of(&secret).mask_reply(&mut values);
    assert_eq!(shown_masks(values), r#"{"a":"…","b":"…","c":"x"}"#);
    let mut cut = RawReply {
        end: BodyEnd::TooLarge,
        ..reply(200, "[\"LOJA-1:s3nha")
    };
    Mask::of(&secret).mask_reply(&mut cut);
    assert_eq!(shown_masks(cut), "[\"…");
}

#[test]
fn values_are_masked_in_every_encoding() {
    let token = "a/7Qx+\"44 ç";
    let parts = "loja-1:s3nha-longa";
    let masked = |secret: &str, body: &str| {
        let secret = Secret::new(secret.to_owned());
        let body = body.as_bytes().to_vec();
        let mut reply = RawReply {
            status: 200,
            headers: vec![],
            body,
            end: BodyEnd::Whole,
        };
        Mask::of(&secret).mask_reply(&mut reply);
        shown_masks(reply)
    };
    for (secret, body, expected) in [
        ("tok-12345", r#"{"id":"tok-12345"}"#, r#"{"id":"…"}"#),
        ("tok-12345", r#"{"id":" tok-12345\n"}"#, r#"{"id":"…"}"#),
        (
            "tok-12345",
            r#"{"url":"https://a.b/?t=tok-12345"}"#,
            r#"{"url":"https://a.b/?t=…"}"#,
        ),
        (
            "tok-12345",
            r#"{"id":"tok-123","n":1.50}"#,
            r#"{"id":"tok-123","n":1.50}"#,
        ),
        (
            "12345678",
            r#"{"id":12345678,"a":[1234567.8]}"#,
            r#"{"id":"…","a":[1234567.8]}"#,
        ),
        ("tok-12345", r#"{"tok-12345":{"x":1}}"#, r#"{"…":{"x":1}}"#),
        ("tok-12345", r#"{"id":"dG9rLTEyMzQ1"}"#, r#"{"id":"…"}"#),
        (
            "tok-12345",
            r#"{"url":"https://a.b/p/dG9rLTEyMzQ1?x"}"#,
            r#"{"url":"…"}"#,
        ),
        (
            parts,
            r#"{"a":"bG9qYS0xOnMzbmhhLWxvbmdh","b":"s3nha-longa"}"#,
            r#"{"a":"…","b":"…"}"#,
        ),
        (
            token,
            r#"{"url":"https://a.b/?t=a%2F7Qx%2B%2244%20%C3%A7"}"#,
            r#"{"url":"…"}"#,
        ),
        // The part before the colon is a login or the name of a shop. It is not masked in a
        // value that the program may need.
        (
            "loja-da-ana:s3nha-longa",
            r#"{"host":"loja-da-ana.example","by":"loja-da-ana"}"#,
            r#"{"host":"loja-da-ana.example","by":"loja-da-ana"}"#,
        ),
        // A short secret is masked only if it is the whole value.
        (
            "tok-123",
            r#"{"id":"tok-123","url":"https://a.b/tok-123"}"#,
            r#"{"id":"…","url":"https://a.b/tok-123"}"#,
        ),
        // A JWT that is not the credential is not masked, because it may be part of a URL that
        // the program needs.
        (
            "tok-12345",
            r#"{"url":"https://a.b/eyJh.eyJz.x"}"#,
            r#"{"url":"https://a.b/eyJh.eyJz.x"}"#,
        ),
    ] {
        assert_eq!(masked(secret, body), expected, "{secret}");
    }
}

#[test]
fn secret_in_a_name_or_in_a_lost_member_is_not_shown() {
    let mask = Mask {
        secrets: vec!["tok-12345"],
        ..Mask::default()
    };
    for (body, expected) in [
        (r#"{"a":"tok-12345","a":"x"}"#, r#"{"a":"…","a":"x"}"#),
        (r#"{"tok-12345":"x"}"#, r#"{"…":"x"}"#),
    ] {
        assert_eq!(masked_body(&mask, 200, body), expected);
    }
    let login = Mask {
        every_text: true,
        ..Mask::default()
    };
    assert_eq!(
        masked_body(&login, 200, r#"{"a":"new","a":5}"#),
        r#"{"a":5}"#
    );
}

#[test]
fn unknown_token_like_text_is_masked() {
    let mask = Mask::default();
    for (body, expected) in [
        (
            r#"{"refreshToken":"r","x":{"Senha":1}}"#,
            r#"{"refreshToken":"…","x":{"Senha":"…"}}"#,
        ),
        (
            r#"{"tokens":{"access":"r","n":1}}"#,
            r#"{"tokens":{"access":"…","n":1}}"#,
        ),
        (r#"{"a":"eyJh.eyJz.x-_9, e"}"#, r#"{"a":"…, e"}"#),
        ("eyJh.eyJz.x und eyJ", "… und eyJ"),
    ] {
        assert_eq!(masked_body(&mask, 200, body), expected);
    }
}

#[test]
fn incomplete_body_loses_secrets_by_name_and_end() {
    let mask = Mask {
        secrets: vec!["tok-12345"],
        ..Mask::default()
    };
    for (body, expected) in [
        (
            r#"{"refreshToken":"r","n":1"#,
            r#"{"refreshToken":"…","n":1"#,
        ),
        (r#"{"a":"tok-1234"#, r#"{"a":"…"#),
        (r#"{"a":"tok-"#, r#"{"a":"…"#),
        (r#"{"a":"tok"#, r#"{"a":"tok"#),
    ] {
        let reply = |end| RawReply {
            end,
            ..reply(200, body)
        };
        assert_eq!(mask.masked_body(&reply(BodyEnd::Cut)).shown(), expected);
    }
    let secret = Secret::new("tok-12345".into());
    let mut cut = RawReply {
        end: BodyEnd::TooLarge,
        ..reply(200, "[\"tok-123")
    };
    Mask::of(&secret).mask_reply(&mut cut);
    assert_eq!(shown_masks(cut), "[\"…");
}

#[test]
fn every_text_is_masked_except_in_errors() {
    let mask = Mask {
        every_text: true,
        ..Mask::default()
    };
    let body = r#"{"a":"x","n":1,"b":[true,"y"]}"#;
    assert_eq!(
        masked_body(&mask, 200, body),
        r#"{"a":"…","n":1,"b":[true,"…"]}"#
    );
    assert_eq!(
        masked_body(&mask, 302, body),
        r#"{"a":"…","n":1,"b":[true,"…"]}"#
    );
    assert_eq!(masked_body(&mask, 400, body), body);
    assert_eq!(masked_body(&mask, 200, "half a {tok"), "…");
    // A JWT has its own mask, in every JSON member, with and without `Bearer`.
    let jwt = "eyJhbGciOiJub25lIn0.e30.c2ln";
    let body = format!(r#"{{"web":"{jwt}","token":"Bearer {jwt}","x":"eyJ"}}"#);
    let expected = r#"{"token":"eyJ…","web":"eyJ…","x":"…"}"#;
    let masked: Value = serde_json::from_str(&masked_body(&mask, 200, &body)).unwrap();
    assert_eq!(masked, serde_json::from_str::<Value>(expected).unwrap());
}

fn reply(status: u16, body: &str) -> RawReply {
    let header = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    RawReply {
        status,
        headers: vec![
            header("content-type", "application/json"),
            header("location", "/x?of=tok-123"),
            header("set-cookie", "s=1"),
            header("x-anything", "else"),
        ],
        body: body.as_bytes().to_vec(),
        end: BodyEnd::Whole,
    }
}

#[test]
fn ids_and_times_for_support_are_recorded() {
    for (name, value) in [
        ("cf-ray", "8f14e45fceea467f-GRU"),
        (
            "traceparent",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        ),
        ("X-Amzn-RequestId", "8f14e45f-ceea-467f-a8d3-1a2b3c4d5e6f"),
        (
            "x-amzn-trace-id",
            "Root=1-5759e988-bd862e3fe1be46a994272793",
        ),
        ("age", "12"),
        ("expires", "Sat, 21 Nov 2026 15:00:00 GMT"),
        ("last-modified", "Sat, 21 Nov 2026 15:00:00 GMT"),
    ] {
        assert_eq!(recorded_header(name, value), value);
        assert_eq!(recorded_header(name, "tok-123"), "…", "{name}");
    }
}

#[test]
fn header_that_may_be_secret_is_never_recorded() {
    let names = "set-cookie cookie authorization proxy-authorization www-authenticate \
                     x-api-key x-auth-token x-csrf-token x-amz-security-token etag x-unknown";
    for name in names.split(' ') {
        assert_eq!(recorded_header(name, "harmless"), "…", "{name}");
    }
    let mut recorded = HeaderUse::Recorded.names();
    assert!(recorded.all(|name| !is_secret_name(name)));
}

/// Returns what is recorded of a reply's header, as it is shown.
fn recorded_header(name: &str, value: &str) -> String {
    let mask = Mask {
        secrets: vec!["tok-123"],
        ..Mask::default()
    };
    let headers = vec![(name.to_owned(), value.to_owned())];
    let reply = RawReply {
        headers,
        ..reply(200, "{}")
    };
    let received = Received {
        reply,
        bytes: 2,
        announced: None,
        is_too_large: false,
    };
    reply_record(&mask, &received).headers[0].1.shown()
}

#[test]
fn only_listed_headers_are_shown_without_secrets() {
    let mask = Mask {
        secrets: vec!["tok-123"],
        ..Mask::default()
    };
    let bytes = 2;
    let announced = None;
    let is_too_large = false;
    let received = Received {
        reply: reply(200, "{}"),
        bytes,
        announced,
        is_too_large,
    };
    let record = reply_record(&mask, &received);
    let values: Vec<_> = record
        .headers
        .iter()
        .map(|(_, value)| value.shown())
        .collect();
    assert_eq!(values, ["application/json", "/x?of=…", "…", "…"]);
}
