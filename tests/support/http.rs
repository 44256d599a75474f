//! A minimal HTTP client for tests. It opens a new connection for each request.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::Value;

/// The time limit for a reply. It is long, because some requests start a browser.
const REPLY_TIMEOUT: Duration = Duration::from_secs(60);

/// Sends an HTTP request with a JSON body. Returns the status and the body of the reply.
#[track_caller]
pub fn send_request(
    address: &str,
    method: &str,
    path: &str,
    bearer: Option<&str>,
    body: Option<&Value>,
) -> (u16, Value) {
    let mut socket = TcpStream::connect(address).expect("somebody listens");
    socket
        .set_read_timeout(Some(REPLY_TIMEOUT))
        .expect("a limit");
    let body = body.map(Value::to_string).unwrap_or_default();
    let bearer = bearer.map(|token| format!("Authorization: Bearer {token}\r\n"));
    let request = format!(
        "{method} {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n{}\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        bearer.unwrap_or_default(),
        body.len(),
    );
    socket
        .write_all(request.as_bytes())
        .expect("the request is taken");
    let mut reply = BufReader::new(socket);
    let status = read_line(&mut reply);
    let status = status
        .split(' ')
        .nth(1)
        .and_then(|word| word.parse().ok())
        .expect("a status");
    let mut length = None;
    loop {
        let header = read_line(&mut reply).to_ascii_lowercase();
        if header.is_empty() {
            break;
        }
        if let Some(value) = header.strip_prefix("content-length:") {
            length = value.trim().parse::<u64>().ok();
        }
    }
    let mut text = String::new();
    // Read only `Content-Length` bytes, because some servers keep the connection open after the
    // reply.
    reply
        .take(length.expect("a length"))
        .read_to_string(&mut text)
        .expect("the whole reply");
    (
        status,
        serde_json::from_str(&text).unwrap_or(Value::String(text)),
    )
}

fn read_line(reply: &mut impl BufRead) -> String {
    let mut line = String::new();
    reply.read_line(&mut line).expect("a line");
    line.trim_end().to_owned()
}
