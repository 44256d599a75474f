//! The faults of the test server. Each fault includes the class that `classify` must return for it.

use super::certificates::CertificateKind;
use crate::bank::Fate;

/// The server's behavior during one attempt, and the expected class of the attempt.
#[derive(Debug, Clone)]
pub struct Fault {
    pub name: String,
    pub handshake: Handshake,
    /// The number of bytes of the request that the server reads, or `None` for all.
    pub read_limit: Option<usize>,
    /// The bank's action for a new request, or `None` if the request does not reach the bank.
    pub bank_action: Option<Fate>,
    pub output: ServerOutput,
    pub ending: Ending,
    pub deadlines: ClientDeadlines,
    pub expected: Expected,
}

/// How the server handles a new connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Handshake {
    Open,
    Refused,
    /// The server presents this invalid certificate. The client must reject it.
    Bad(CertificateKind),
    /// The server ends the connection after reading this many bytes of the TLS handshake.
    Unheard(usize),
    /// The server resets the connection after sending this many bytes of the TLS handshake.
    Unfinished(usize),
    /// The server replies to the TLS handshake with bytes that are not a handshake.
    Nonsense,
}

/// A function that changes the bytes of a reply.
pub type ReplyEdit = fn(&str) -> String;

/// The bytes that the server sends.
#[derive(Debug, Clone)]
pub enum ServerOutput {
    Nothing,
    /// The bank's reply, or only its first `cut` bytes if `cut` is set.
    Bank {
        framing: BodyFraming,
        body: Body,
        cut: Option<usize>,
    },
    /// These bytes, followed by the bank's reply.
    BankAfter(Vec<u8>),
    /// The bank's reply, followed by these bytes.
    BankBefore(Vec<u8>),
    /// The bank's reply, changed by this function.
    BankAs(ReplyEdit),
    /// The bank's reply, with a delay of this many milliseconds before each byte.
    BankSlowly(u64),
    /// These bytes instead of the bank's reply.
    This(Vec<u8>),
    /// The bytes `first`, and then the bytes `piece` again and again. The output ends after 100
    /// MiB, or never if `is_endless` is true.
    Flood {
        first: Vec<u8>,
        piece: Vec<u8>,
        is_endless: bool,
    },
}

/// How the server marks the end of a reply's body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BodyFraming {
    ByLength,
    InChunks,
    ByTheEnd,
    /// The length in `Content-Length` is too large by this many bytes.
    TooLong(usize),
    /// The length in `Content-Length` is too small by this many bytes.
    TooShort(usize),
}

/// The body of the bank's reply to a payment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Body {
    True,
    OtherAmount,
    OtherDestination,
    Masked,
}

/// How the server ends the connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// The server closes the connection properly. Over TLS, it sends a close message first.
    Closed,
    /// The server closes the connection without a TLS close message.
    Dropped,
    Reset,
    /// The server closes its sending side but keeps reading.
    HalfClosed,
    /// The server keeps the connection open.
    Never,
}

/// The client's deadlines for an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClientDeadlines {
    /// The production deadlines.
    Ample,
    /// The whole exchange must end within a fraction of a second (a test deadline).
    ShortInAll,
    /// The connection must be made within a fraction of a second.
    ShortToConnect,
}

/// The class of an attempt's outcome. It is defined here again, because the production type `Class`
/// is being tested.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum AttemptClass {
    NotSent,
    Unclear,
    Confirmed,
    Alarm,
    No,
    Unauthorized,
    Throttled,
    Redirected,
    KeyReused,
    SaysFailed,
}

/// The rule that determines the expected class of an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expected {
    This(AttemptClass),
    /// The class for this HTTP status with a body that is not a JSON object.
    Status(u16),
    /// The class for the bank's HTTP status with a correct body.
    Bank,
    /// `Alarm` or `Unclear` if the bank replies with success, because the reply contains a wrong
    /// amount or destination. Otherwise, the class for the bank's HTTP status.
    Contradicted,
    /// `Unclear` if the bank replies with success. Otherwise, the class for the bank's HTTP status.
    Spoiled,
    /// `Unclear`, or the class for the bank's HTTP status. Both are allowed, because the result
    /// depends on the HTTP library, and on when a reset arrives.
    SpoiledOrBank,
    /// The class for an incomplete reply with this HTTP status. `None` means the bank's HTTP
    /// status.
    Cut(Option<u16>),
    /// The class for an incomplete reply with a body that looks complete wherever it is cut.
    CutUnseen,
}

/// Facts about an attempt that its expected class depends on.
#[derive(Debug, Clone, Copy)]
pub struct AttemptFacts {
    /// True if an earlier attempt may have sent its request.
    pub sent_before: bool,
    /// True if the server sent its whole reply.
    pub sent_whole_reply: bool,
    /// True if the contract marks the settings for the echoed amount and destination as confirmed.
    pub echo_confirmed: bool,
}

impl Expected {
    /// Returns all classes that the test accepts. `bank` is the HTTP status of the bank's reply, or
    /// `None` if the bank received no request.
    pub fn accepted_classes(self, bank: Option<u16>, facts: AttemptFacts) -> Vec<AttemptClass> {
        let bank_class = || bank.map(|status| class_of_status(status, true, facts));
        let spoiled_class = || bank.map(|status| class_of_status(status, false, facts));
        match self {
            Expected::This(class) => vec![class],
            Expected::Status(status) => vec![class_of_status(status, false, facts)],
            Expected::Bank => bank_class().into_iter().collect(),
            Expected::Spoiled => spoiled_class().into_iter().collect(),
            Expected::SpoiledOrBank => {
                let mut classes = vec![AttemptClass::Unclear];
                classes.extend(bank_class());
                classes
            }
            Expected::Contradicted => match bank_class() {
                Some(AttemptClass::Confirmed) if facts.echo_confirmed => vec![AttemptClass::Alarm],
                Some(AttemptClass::Confirmed) => vec![AttemptClass::Unclear],
                other => other.into_iter().collect(),
            },
            Expected::Cut(_) | Expected::CutUnseen if facts.sent_whole_reply => bank_class()
                .into_iter()
                .chain([AttemptClass::Unclear])
                .collect(),
            Expected::CutUnseen => spoiled_class()
                .into_iter()
                .chain([AttemptClass::Unclear])
                .collect(),
            // These two classes depend only on the HTTP status, so they are also acceptable for a
            // reply whose body was cut.
            Expected::Cut(status) => {
                match status
                    .or(bank)
                    .map(|status| class_of_status(status, false, facts))
                {
                    Some(class @ (AttemptClass::Redirected | AttemptClass::KeyReused)) => {
                        vec![class, AttemptClass::Unclear]
                    }
                    _ => vec![AttemptClass::Unclear],
                }
            }
        }
    }
}

/// Returns the expected class for an HTTP status. `readable` is true if the body is a JSON object
/// that does not contradict the request.
fn class_of_status(status: u16, readable: bool, facts: AttemptFacts) -> AttemptClass {
    match status {
        200..=202 if readable => AttemptClass::Confirmed,
        300..=399 => AttemptClass::Redirected,
        422 if facts.sent_before => AttemptClass::KeyReused,
        400 | 402 | 404..=406 | 410 | 411 | 413..=415 | 422 | 451 => AttemptClass::No,
        401 | 403 => AttemptClass::Unauthorized,
        425 | 429 => AttemptClass::Throttled,
        _ => AttemptClass::Unclear,
    }
}

/// Returns the state of a withdrawal whose attempts had these classes. The production `settle` must
/// return the same state.
pub fn expected_state(attempts: &[AttemptClass]) -> &'static str {
    let has = |class| attempts.contains(&class);
    let mut sent = attempts
        .iter()
        .filter(|class| **class != AttemptClass::NotSent);
    if has(AttemptClass::Confirmed) {
        "accepted"
    } else if has(AttemptClass::Alarm) {
        "mismatch"
    } else if has(AttemptClass::Redirected)
        || has(AttemptClass::KeyReused)
        || has(AttemptClass::SaysFailed)
    {
        "needs-person"
    } else if has(AttemptClass::Unclear) {
        if sent.count() < 4 {
            "unknown"
        } else {
            "needs-person"
        }
    } else if sent.next_back() == Some(&AttemptClass::No) {
        "rejected"
    } else {
        "prepared"
    }
}
