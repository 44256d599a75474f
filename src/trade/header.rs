//! The HTTP headers that this program knows, and what it does with each of them.

use HeaderUse::{Impersonal, Recorded, RequestId, Transport, WordByWord};

/// A property of an HTTP header. A header without it is treated more strictly.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HeaderUse {
    /// The value in a response is recorded. The values of all other headers are masked, because
    /// they may be secret.
    Recorded,
    /// The value never contains personal data, so screens show it even while they mask such data.
    Impersonal,
    /// An export masks the value word by word, so that harmless words stay readable.
    WordByWord,
    /// The value is an id that the service, or a server in front of it, gave to the request.
    RequestId,
    /// Servers and clients make the header themselves for each message.
    Transport,
}

/// The names in lower case. Of the request ids, the most common name is first.
const HEADERS: &[(&str, &[HeaderUse])] = &[
    ("x-request-id", &[Recorded, RequestId]),
    ("request-id", &[Recorded, RequestId]),
    ("x-correlation-id", &[Recorded, RequestId]),
    ("x-trace-id", &[Recorded, RequestId]),
    ("x-amzn-requestid", &[Recorded, RequestId]),
    ("x-amzn-trace-id", &[Recorded, RequestId]),
    ("traceparent", &[Recorded, RequestId]),
    ("cf-ray", &[Recorded, RequestId]),
    ("accept", &[Impersonal, WordByWord]),
    ("accept-encoding", &[WordByWord]),
    ("age", &[Recorded]),
    ("allow", &[Recorded, WordByWord]),
    ("cache-control", &[Recorded, Impersonal, WordByWord]),
    ("connection", &[Recorded, Impersonal, WordByWord, Transport]),
    ("content-encoding", &[Recorded, WordByWord]),
    ("content-language", &[Recorded, WordByWord]),
    ("content-length", &[Recorded, Impersonal, Transport]),
    ("content-location", &[Recorded]),
    ("content-type", &[Recorded, Impersonal, WordByWord]),
    ("date", &[Recorded, Impersonal]),
    ("expires", &[Recorded]),
    ("host", &[Impersonal, Transport]),
    ("keep-alive", &[Recorded, WordByWord, Transport]),
    ("last-modified", &[Recorded]),
    ("location", &[Recorded]),
    ("retry-after", &[Recorded, Impersonal]),
    ("server", &[Recorded, Impersonal, WordByWord]),
    ("trailer", &[Transport]),
    (
        "transfer-encoding",
        &[Recorded, Impersonal, WordByWord, Transport],
    ),
    ("user-agent", &[Impersonal, WordByWord]),
    ("via", &[Recorded, WordByWord]),
];

impl HeaderUse {
    /// The names of all headers with this property, in lower case.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        HEADERS
            .iter()
            .filter(move |(_, uses)| uses.contains(&self))
            .map(|(name, _)| *name)
    }

    /// True if the header has this property. Letter case makes no difference.
    pub fn applies_to(self, name: &str) -> bool {
        self.names().any(|known| known.eq_ignore_ascii_case(name))
    }
}
