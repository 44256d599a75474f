//! Tests of the replay, a server that answers requests with recorded replies: reading files,
//! matching requests and filling in masked values.

use std::net::Ipv4Addr;

use hmac::{Hmac, KeyInit, Mac};
use proptest::prelude::*;
use serde_json::{Value, json};
use sha2::Sha256;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::recording::MAX_FILE_BYTES;
use super::*;
use crate::contract::{is_jwt, jwt_expiry, jwt_issued};
use crate::trade::{BrCode, Money};

mod guide;

const LINKS: &str = "/api/v1/payment-links";
const CHARGES: &str = "/api/v1/direct/payment";
const LOGIN: &str = "/api/v1/api-auth/login";
const FEE: &str = "/api/v1/withdrawals/fee-preview";
const WITHDRAWALS: &str = "/api/v1/integrations/withdrawals";

/// A recorded request with its reply, as an export contains them.
fn entry(method: &str, path: &str, body: Option<&str>, status: u16, reply: &str) -> Value {
    let url = format!("https://api.example{path}");
    let mut entry = json!({
        "time": 250, "startedDateTime": "2026-11-21T15:00:00.000Z",
        "request": { "method": method, "url": url, "headers": [] },
        "response": { "status": status, "headers": [
            { "name": "content-type", "value": "application/json" },
            { "name": "date", "value": "Sat, 21 Nov 2026 15:00:00 GMT" },
            { "name": "content-length", "value": "7" },
            { "name": "x-frame-options", "value": "…" },
        ], "content": { "text": reply } },
    });
    if let Some(body) = body {
        entry["request"]["postData"] = json!({ "text": body });
    }
    entry
}

/// A recorded withdrawal of R$ 100.00 with this idempotency key.
fn withdrawal(key: &str, status: u16, reply: &str) -> Value {
    let body = r#"{"amount":100.00,"pixKeyType":"cpf","pixKey":"‹cpf 1›"}"#;
    let mut entry = entry("POST", WITHDRAWALS, Some(body), status, reply);
    entry["_operation"] = "withdrawal".into();
    entry["request"]["headers"] = json!([{ "name": "idempotency-key", "value": key }]);
    entry
}

fn har(entries: &[Value]) -> Value {
    json!({ "log": { "version": "1.2", "entries": entries, "_contract": [] } })
}

fn parse_har(har: &Value) -> Result<Recording, RecordingError> {
    Recording::read(har.to_string().as_bytes())
}

async fn start_replay(har: &Value) -> ReplayServer {
    let secret = Some("s3cret".to_owned());
    start(ReplayOptions {
        secret,
        ..options(parse_har(har).unwrap())
    })
    .await
    .unwrap()
}

fn options(recording: Recording) -> ReplayOptions {
    ReplayOptions::new(SocketAddr::from((Ipv4Addr::LOCALHOST, 0)), recording)
}

/// Sends bytes to the replay server, and returns everything that it sends back.
async fn send_raw(replay: &ReplayServer, request: &str) -> String {
    let mut stream = TcpStream::connect(replay.address).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut reply = Vec::new();
    stream.read_to_end(&mut reply).await.unwrap();
    String::from_utf8(reply).unwrap()
}

/// Sends a request, and returns the status, headers and body of the reply.
async fn send(
    replay: &ReplayServer,
    method: &str,
    path: &str,
    headers: &str,
    body: &str,
) -> (u16, String, String) {
    let length = body.len();
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close",
        replay.address
    );
    let request = format!("{head}\r\n{headers}Content-Length: {length}\r\n\r\n{body}");
    let reply = send_raw(replay, &request).await;
    let (head, body) = reply.split_once("\r\n\r\n").unwrap_or((&reply, ""));
    let status = head
        .split(' ')
        .nth(1)
        .and_then(|status| status.parse().ok())
        .unwrap_or(0);
    (status, head.to_ascii_lowercase(), body.to_owned())
}

/// Sends a withdrawal with this key and amount, and returns the status and body of the reply.
async fn send_withdrawal(replay: &ReplayServer, key: &str, amount: &str) -> (u16, String) {
    let body = format!(r#"{{"amount":{amount},"pixKeyType":"cpf","pixKey":"11144477735"}}"#);
    let header = format!("Idempotency-Key: {key}\r\n");
    let (status, _, body) = send(replay, "POST", WITHDRAWALS, &header, &body).await;
    (status, body)
}

async fn status_of(replay: &ReplayServer, method: &str, path: &str, body: &str) -> u16 {
    send(replay, method, path, "", body).await.0
}

mod matching {
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
}

mod withdrawals {
    use super::*;

    #[tokio::test]
    async fn same_key_gets_next_attempt_then_last_again() {
        let mut lost = withdrawal("‹uuid 1›", 0, "");
        lost["_error"] = "connection lost".into();
        let replay = start_replay(&har(&[
            lost,
            withdrawal("‹uuid 2›", 400, "{}"),
            withdrawal("‹uuid 1›", 201, r#"{"id":1}"#),
            withdrawal("‹uuid 1›", 409, "{}"),
        ]))
        .await;
        for (key, expected) in [
            ("a", 0),
            ("b", 400),
            ("a", 201),
            ("b", 400),
            ("a", 409),
            ("a", 409),
            ("b", 400),
        ] {
            assert_eq!(
                send_withdrawal(&replay, key, "100").await.0,
                expected,
                "{key}"
            );
        }
        assert_eq!(
            send_withdrawal(&replay, "c", "100").await.0,
            404,
            "no third one was recorded"
        );
        assert_eq!(send_withdrawal(&replay, "a", "100.01").await.0, 404);
    }

    #[tokio::test]
    async fn unknown_withdrawal_is_definitely_refused() {
        let replay = start_replay(&har(&[entry("GET", LINKS, None, 200, "{}")])).await;
        let (status, body) = send_withdrawal(&replay, "a", "100").await;
        let body: Value = serde_json::from_str(&body).unwrap();
        assert_eq!(status, 404);
        assert!(
            body["message"]
                .as_str()
                .unwrap()
                .starts_with("not in this recording"),
            "{body}"
        );
        let (status, _, body) = send(&replay, "POST", LINKS, "", "").await;
        assert!(
            status == 501 && body.contains("not in this recording"),
            "{body}"
        );
    }

    #[tokio::test]
    async fn key_in_reply_is_the_new_key() {
        let key = "3f0e6c1c-7c55-4a8e-9d5a-2f1b6f1e0c9a";
        let reply = json!({ "requestId": key, "pixKey": "‹cpf 1›", "amount": 100.00 });
        let replay = start_replay(&har(&[withdrawal(key, 201, &reply.to_string())])).await;
        let (_, body) = send_withdrawal(&replay, "new-key", "100").await;
        let expected = json!({ "requestId": "new-key", "pixKey": "11144477735", "amount": 100.00 });
        assert_eq!(serde_json::from_str::<Value>(&body).unwrap(), expected);
    }
}

mod filling {
    use super::*;

    /// Records `reply` as the reply to a direct payment, and then sends a similar payment. Returns
    /// the body of the reply that the replay plays.
    async fn replay_payment(reply: &str) -> (ReplayServer, Value) {
        let recorded_body =
            r#"{"amount":123.45,"document":"‹cpf 1›","text":"‹text 1, 4 letters›","n":1}"#;
        let replay = start_replay(&har(&[entry(
            "POST",
            CHARGES,
            Some(recorded_body),
            201,
            reply,
        )]))
        .await;
        let new = r#"{"amount":123.45,"document":"11144477735","text":"Açaí & co","n":1}"#;
        let (status, head, body) = send(&replay, "POST", CHARGES, "", new).await;
        assert!(
            status == 201 && !head.contains("x-frame") && !head.contains("21 nov"),
            "{head}"
        );
        (
            replay,
            serde_json::from_str(&body).unwrap_or(Value::String(body)),
        )
    }

    #[tokio::test]
    async fn echo_has_the_value_of_the_new_request() {
        let (_, body) = replay_payment(
            r#"{"a":"‹cpf 1›","b":["‹text 1, 4 letters›"],"c":"x ‹cpf 1› y","‹cpf 1›":"‹cpf 2›"}"#,
        )
        .await;
        let expected = json!({
            "a": "11144477735", "b": ["Açaí & co"], "c": "x 11144477735 y",
            "11144477735": "‹cpf 2›",
        });
        assert_eq!(body, expected);
    }

    #[tokio::test]
    async fn url_leads_to_the_replay() {
        let (replay, body) = replay_payment(
            r#"["https://*host-1*/*text-2*/link-*text-1*?a=*text-9*", "http://api.example:81/x",
               "https://*user-1*@*host-2*:443/#*text-3*", "‹host 1›", "http://api.example/a*b"]"#,
        )
        .await;
        let port = replay.address.port();
        let expected = json!([
            format!("http://host-1.localhost:{port}/text-2/link-A%C3%A7a%C3%AD+%26+co?a=text-9"),
            format!("http://127.0.0.1:{port}/x"),
            format!("http://host-2.localhost:{port}/#text-3"),
            "host-1.localhost",
            format!("http://127.0.0.1:{port}/ab"),
        ]);
        assert_eq!(body, expected);
    }

    #[tokio::test]
    async fn pix_code_is_valid_and_has_the_amount() {
        let (_, body) = replay_payment(r#"{"qrCode":"‹pix code 1, 150 letters›"}"#).await;
        let code = BrCode::parse(&body["qrCode"].as_str().unwrap().into()).unwrap();
        assert!(code.is_intact && code.is_in_reais);
        assert_eq!(code.amount, Some(Money::from_centavos(12_345)));
    }

    #[tokio::test]
    async fn other_masks_stay_visible() {
        let text = r#"{"a":"‹uuid 7›","b":"‹text 8, 30 letters›","c":"‹picture 1, 9 letters›"}"#;
        assert_eq!(
            replay_payment(text).await.1,
            serde_json::from_str::<Value>(text).unwrap()
        );
        assert_eq!(
            replay_payment("<p>‹text 8, 3 letters›‹cpf 1›").await.1,
            "<p>‹text 8, 3 letters›11144477735"
        );
        let (_, body) =
            replay_payment(r#"["‹token 1, 24 letters›","‹token 2, 24 letters›","‹token 1›"]"#)
                .await;
        let value_at = |index: usize| body[index].as_str().unwrap().to_owned();
        assert!(
            value_at(0).len() == 24
                && value_at(0) != value_at(1)
                && value_at(2).starts_with(&value_at(0)),
            "{body}"
        );
    }

    #[tokio::test]
    async fn login_gets_new_credentials() {
        let lines = ["login.jwt = [\"/jwt\"]"];
        let reply = r#"{"token":"…","jwt":"…","other":"eyJ…","expiresIn":7200}"#;
        let mut login = entry("POST", LOGIN, Some(r#"{"email":"‹email 1›"}"#), 200, reply);
        login["response"]["headers"][0] = json!({ "name": "Authorization", "value": "…" });
        let mut har = har(&[login]);
        har["log"]["_contract"] = json!(lines);
        let replay = start_replay(&har).await;
        let (_, head, body) = send(
            &replay,
            "POST",
            LOGIN,
            "",
            r#"{"email":"bia@loja.example"}"#,
        )
        .await;
        let body: Value = serde_json::from_str(&body).unwrap();
        let value_of = |name: &str| body[name].as_str().unwrap();
        assert!(
            value_of("token").len() > 20 && head.contains("\nauthorization: "),
            "{head}"
        );
        for jwt in [value_of("jwt"), value_of("other")] {
            let issued = jwt_issued(jwt).unwrap();
            let expiry = jwt_expiry(jwt).unwrap();
            assert_eq!(expiry.since(issued), Some(Duration::from_secs(7200)));
        }
        assert!(is_jwt(replay.jwt()), "{}", replay.jwt());
    }

    #[tokio::test]
    async fn login_succeeds_if_none_was_recorded() {
        let mut har = har(&[withdrawal("‹uuid 1›", 201, "{}")]);
        har["log"]["_contract"] = json!(["login.token = [\"/data/key\"]", "login.under = [\"\"]"]);
        let recording = parse_har(&har).unwrap();
        assert!(recording.accepts_login() && recording.contract_lines().len() == 2);
        let replay = start_replay(&har).await;
        let (status, _, body) = send(&replay, "POST", LOGIN, "", r#"{"any":"x"}"#).await;
        let body: Value = serde_json::from_str(&body).unwrap();
        assert!(
            status == 200 && body["data"]["key"].as_str().unwrap().len() > 20,
            "{body}"
        );
        let refused_login = self::har(&[entry("POST", LOGIN, Some("{}"), 401, "{}")]);
        assert!(!parse_har(&refused_login).unwrap().accepts_login());
        assert_eq!(
            self::status_of(&start_replay(&refused_login).await, "POST", LOGIN, "{}").await,
            401
        );
    }
}

mod server {
    use super::*;

    #[tokio::test]
    async fn proof_is_valid_for_its_address_only() {
        let replay = start_replay(&har(&[entry("GET", FEE, None, 200, "{}")])).await;
        let nonce = "0123456789abcdef0123456789abcdef";
        let path = format!("/_sandbox/proof?nonce={nonce}");
        let (status, head, body) = send(&replay, "GET", &path, "", "").await;
        assert_eq!(
            (status, head.matches("content-length: 64").count()),
            (200, 1),
            "{head}"
        );
        let mut expected = Hmac::<Sha256>::new_from_slice(b"s3cret").unwrap();
        expected.update(format!("balcao sandbox proof 1\n{nonce}\n{}", replay.address).as_bytes());
        let expected: String = expected
            .finalize()
            .into_bytes()
            .iter()
            .map(|b| format!("{b:02x}"))
            .collect();
        assert_eq!(body, expected);
        for nonce in ["", "12", &"a".repeat(130), &"g".repeat(32)] {
            let path = format!("/_sandbox/proof?nonce={nonce}");
            assert_eq!(
                self::status_of(&replay, "GET", &path, "").await,
                400,
                "{nonce}"
            );
        }
    }

    #[tokio::test]
    async fn other_hosts_and_sites_are_refused() {
        let replay = start_replay(&har(&[entry("GET", FEE, None, 200, "{}")])).await;
        let port = replay.address.port();
        for (host, headers, expected) in [
            (format!("127.0.0.1:{port}"), "", "200"),
            ("LOCALHOST:1".to_owned(), "", "200"),
            ("[::1]:80".to_owned(), "", "200"),
            ("host-1.localhost".to_owned(), "", "200"),
            ("evil.example".to_owned(), "", "421"),
            ("127.0.0.1.evil.example".to_owned(), "", "421"),
            (String::new(), "", "421"),
            (
                "localhost".to_owned(),
                "Origin: http://localhost\r\n",
                "200",
            ),
            (
                "localhost".to_owned(),
                "Origin: http://evil.example\r\n",
                "403",
            ),
            ("localhost".to_owned(), "Origin: \r\n", "403"),
        ] {
            let request =
                format!("GET {FEE} HTTP/1.1\r\nHost: {host}\r\n{headers}Connection: close\r\n\r\n");
            let reply = send_raw(&replay, &request).await;
            assert!(
                reply.starts_with(&format!("HTTP/1.1 {expected}")),
                "{host}: {reply}"
            );
        }
        let origin = "Origin: http://evil.example\r\n";
        assert_eq!(send(&replay, "POST", LINKS, origin, "").await.0, 403);
        assert_eq!(
            send(&replay, "GET", "/_sandbox/proof?nonce=a", origin, "")
                .await
                .0,
            403
        );
    }

    #[tokio::test]
    async fn base64_body_is_played_decoded() {
        let mut encoded = entry("GET", FEE, None, 200, "eyJmZWUiOjIuMDV9");
        encoded["response"]["content"]["encoding"] = "base64".into();
        let replay = start_replay(&har(&[encoded])).await;
        assert_eq!(send(&replay, "GET", FEE, "", "").await.2, r#"{"fee":2.05}"#);
    }

    #[tokio::test]
    async fn cut_reply_announces_more_than_it_has() {
        let replies = [
            ("connection lost", 1027),
            ("timeout", 1027),
            ("too large", 67_108_864),
        ];
        for (error, announced) in replies {
            let mut cut = entry("GET", FEE, None, 200, "abc");
            cut["_error"] = error.into();
            let replay = start_replay(&har(&[cut])).await;
            let (status, head, body) = send(&replay, "GET", FEE, "", "").await;
            assert_eq!((status, &*body), (200, "abc"), "{error}");
            assert!(
                head.contains(&format!("content-length: {announced}")),
                "{error}: {head}"
            );
        }
    }

    #[tokio::test]
    async fn delays_last_as_long_as_recorded() {
        let mut slow = entry("GET", FEE, None, 200, "{}");
        slow["time"] = json!(600_000.5);
        let mut silent = entry("GET", LINKS, None, 0, "");
        (silent["_error"], silent["time"]) = ("timeout".into(), json!(-1));
        let longest_delay = parse_har(&har(&[slow.clone(), silent.clone()]))
            .unwrap()
            .entries[0]
            .took;
        assert_eq!(longest_delay, Duration::from_secs(60));
        for (path, delays) in [(FEE, true), (FEE, false), (LINKS, true), (LINKS, false)] {
            let recording = parse_har(&har(&[slow.clone(), silent.clone()])).unwrap();
            let options = ReplayOptions {
                delays,
                ..options(recording)
            };
            let replay = start(options).await.unwrap();
            // A reply without a delay takes far less than this limit, even on a slow machine.
            let limit = Duration::from_millis(if delays { 200 } else { 30_000 });
            let reply = tokio::time::timeout(limit, status_of(&replay, "GET", path, ""));
            assert_eq!(reply.await.is_err(), delays, "{path}");
        }
    }

    #[tokio::test]
    async fn shutdown_closes_the_port() {
        let replay = start_replay(&har(&[entry("GET", FEE, None, 200, "{}")])).await;
        let address = replay.address;
        replay.shutdown().await;
        assert!(TcpStream::connect(address).await.is_err());
    }

    #[tokio::test]
    async fn address_beyond_loopback_is_refused() {
        let recording = parse_har(&har(&[entry("GET", FEE, None, 200, "{}")])).unwrap();
        let listen = SocketAddr::from((Ipv4Addr::UNSPECIFIED, 0));
        let options = ReplayOptions::new(listen, recording);
        assert!(matches!(
            start(options).await,
            Err(ReplayError::BeyondLoopback(_))
        ));
    }
}

mod other_programs;

mod hostile {
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
}

#[test]
fn language_is_read_from_the_environment() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.har");
    for (log, expected) in [
        (
            json!({ "_environment": { "language": "en", "theme": null }, "entries": [] }),
            Some("en"),
        ),
        (
            json!({ "_environment": { "language": 1 }, "entries": [] }),
            None,
        ),
        (json!({ "entries": [] }), None),
    ] {
        std::fs::write(&path, json!({ "log": log }).to_string()).unwrap();
        assert_eq!(read_language(&path).as_deref(), expected);
    }
}
