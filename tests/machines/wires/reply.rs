//! Builds HTTP replies as bytes.

use super::fault::{Body, BodyFraming};

/// An HTTP reply of the simulated bank or of a gateway.
pub struct HttpReply {
    status: u16,
    headers: String,
    body: String,
}

/// Returns the bank's reply to this request. If `status` is `None`, the bank received no request,
/// so the result is a 502 reply of a gateway.
pub fn bank_reply(status: Option<u16>, request: &[u8]) -> HttpReply {
    let Some(status) = status else {
        let headers = "Content-Type: text/html\r\nServer: gateway\r\n".to_owned();
        return HttpReply {
            status: 502,
            headers,
            body: "<html>Bad gateway</html>".into(),
        };
    };
    let headers = "Content-Type: application/json\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\n";
    let body = if status < 300 {
        let request = String::from_utf8_lossy(request);
        let amount = between(&request, "\"amount\":", ",");
        let key = between(&request, "\"pixKey\":\"", "\"");
        format!(r#"{{"data":{{"id":"w-1","status":"done","amount":{amount},"pixKey":"{key}"}}}}"#)
    } else {
        r#"{"message":"Nao foi possivel.","action":"Tente de novo."}"#.into()
    };
    HttpReply {
        status,
        headers: headers.into(),
        body,
    }
}

fn between(text: &str, before: &str, after: &str) -> String {
    let rest = text.split_once(before).map_or("", |(_, rest)| rest);
    rest.split(after).next().unwrap_or_default().to_owned()
}

impl HttpReply {
    /// Replaces the amount or the destination in a success reply. Leaves error replies unchanged.
    pub fn with(mut self, body: Body) -> HttpReply {
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
        self.into_bytes(BodyFraming::ByLength)
    }

    /// Returns the whole reply. `framing` determines how the end of its body is marked.
    pub fn into_bytes(self, framing: BodyFraming) -> Vec<u8> {
        let HttpReply {
            status,
            headers,
            body,
        } = self;
        let length = match framing {
            BodyFraming::ByLength => Some(body.len()),
            BodyFraming::TooLong(extra) => Some(body.len() + extra),
            BodyFraming::TooShort(extra) => Some(body.len() - extra),
            BodyFraming::InChunks | BodyFraming::ByTheEnd => None,
        };
        let framing_header = match length {
            Some(length) => format!("Content-Length: {length}\r\n"),
            None if framing == BodyFraming::InChunks => "Transfer-Encoding: chunked\r\n".into(),
            None => String::new(),
        };
        let body = match framing {
            BodyFraming::InChunks => {
                let (first_half, second_half) = body.split_at(body.len() / 2);
                let first = first_half.len();
                let second = second_half.len();
                format!("{first:x}\r\n{first_half}\r\n{second:x}\r\n{second_half}\r\n0\r\n\r\n")
            }
            _ => body,
        };
        format!("HTTP/1.1 {status} So\r\n{headers}{framing_header}\r\n{body}").into_bytes()
    }
}

/// Returns the bytes of an HTTP reply. `headers` contains additional header lines.
pub fn build_reply(status: u16, headers: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!("HTTP/1.1 {status} So\r\n{headers}Content-Length: {length}\r\n\r\n{body}").into_bytes()
}
