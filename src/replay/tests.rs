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

mod matching;

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

mod filling;

mod server;

mod other_programs;

mod hostile;

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
