//! Builds HTTP replies as bytes.

use super::fault::{Body, BodyFraming};

/// An HTTP reply of the simulated bank or of a gateway.
pub struct Answer {
    status: u16,
    head: String,
    body: String,
}

/// Returns the bank's reply to this request. If `status` is `None`, the bank received no request,
/// so the result is a 502 reply of a gateway.
pub fn of_bank(status: Option<u16>, request: &[u8]) -> Answer {
    let Some(status) = status else {
        let head = "Content-Type: text/html\r\nServer: gateway\r\n".to_owned();
        return Answer { status: 502, head, body: "<html>Bad gateway</html>".into() };
    };
    let head = "Content-Type: application/json\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\n";
    let body = if status < 300 {
        let sent = String::from_utf8_lossy(request);
        let amount = between(&sent, "\"amount\":", ",");
        let key = between(&sent, "\"pixKey\":\"", "\"");
        format!(r#"{{"data":{{"id":"w-1","status":"done","amount":{amount},"pixKey":"{key}"}}}}"#)
    } else {
        r#"{"message":"Nao foi possivel.","action":"Tente de novo."}"#.into()
    };
    Answer { status, head: head.into(), body }
}

fn between(text: &str, before: &str, after: &str) -> String {
    let from = text.split_once(before).map_or("", |(_, rest)| rest);
    from.split(after).next().unwrap_or_default().to_owned()
}

impl Answer {
    /// Replaces the amount or the destination in a success reply. Leaves error replies unchanged.
    pub fn with(mut self, body: Body) -> Answer {
        let amount = between(&self.body, "\"amount\":", ",");
        let key = between(&self.body, "\"pixKey\":\"", "\"");
        let (old, new) = match body {
            Body::True => return self,
            Body::OtherAmount => (amount, "9999.99"),
            Body::OtherDestination => (key, "mallory@loja.example"),
            Body::Masked => (key, "a**@l***.example"),
        };
        if self.status < 300 {
            self.body = self.body.replace(&old, new);
        }
        self
    }

    /// Returns the whole reply with a correct `Content-Length`.
    pub fn plain(self) -> Vec<u8> {
        self.framed(BodyFraming::ByLength)
    }

    /// Returns the whole reply. `framed` determines how the end of its body is marked.
    pub fn framed(self, framed: BodyFraming) -> Vec<u8> {
        let Answer { status, head, body } = self;
        let length = match framed {
            BodyFraming::ByLength => Some(body.len()),
            BodyFraming::TooLong(by) => Some(body.len() + by),
            BodyFraming::TooShort(by) => Some(body.len() - by),
            BodyFraming::InChunks | BodyFraming::ByTheEnd => None,
        };
        let marked = match length {
            Some(length) => format!("Content-Length: {length}\r\n"),
            None if framed == BodyFraming::InChunks => "Transfer-Encoding: chunked\r\n".into(),
            None => String::new(),
        };
        let body = match framed {
            BodyFraming::InChunks => {
                let (one, two) = body.split_at(body.len() / 2);
                let (first, second) = (one.len(), two.len());
                format!("{first:x}\r\n{one}\r\n{second:x}\r\n{two}\r\n0\r\n\r\n")
            }
            _ => body,
        };
        format!("HTTP/1.1 {status} So\r\n{head}{marked}\r\n{body}").into_bytes()
    }
}

/// Returns the bytes of an HTTP reply. `head` contains additional header lines.
pub fn reply(status: u16, head: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!("HTTP/1.1 {status} So\r\n{head}Content-Length: {length}\r\n\r\n{body}").into_bytes()
}
