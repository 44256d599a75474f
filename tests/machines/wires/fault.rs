//! The faults of the test server. Each fault includes the class that `classify` must return for it.

use super::certificates::CertificateKind;
use crate::bank::Fate;

/// The server's behavior during one attempt, and the expected class of the attempt.
#[derive(Debug, Clone)]
pub struct Fault {
    pub name: String,
    pub door: Handshake,
    /// The number of bytes of the request that the server reads, or `None` for all.
    pub reads: Option<usize>,
    /// The bank's action for a new request, or `None` if the request does not reach the bank.
    pub acts: Option<Fate>,
    pub says: ServerOutput,
    pub ends: Ends,
    pub patience: ClientDeadlines,
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
pub type Way = fn(&str) -> String;

/// The bytes that the server sends.
#[derive(Debug, Clone)]
pub enum ServerOutput {
    Nothing,
    /// The bank's reply, or only its first `cut` bytes if `cut` is set.
    Bank {
        framed: BodyFraming,
        body: Body,
        cut: Option<usize>,
    },
    /// These bytes, followed by the bank's reply.
    BankAfter(Vec<u8>),
    /// The bank's reply, followed by these bytes.
    BankBefore(Vec<u8>),
    /// The bank's reply, changed by this function.
    BankAs(Way),
    /// The bank's reply, with a delay of this many milliseconds before each byte.
    BankSlowly(u64),
    /// These bytes instead of the bank's reply.
    This(Vec<u8>),
    /// The bytes `first`, and then the bytes `piece` again and again. The output ends after 100
    /// MiB, or never if `ever` is true.
    Flood {
        first: Vec<u8>,
        piece: Vec<u8>,
        ever: bool,
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
pub enum Ends {
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
    /// If the bank replies success: an alarm or unclear, because the reply contains a wrong amount
    /// or destination. Otherwise: the class for the bank's HTTP status.
    Contradicted,
    /// If the bank replies success: unclear. Otherwise: the class for the bank's HTTP status.
    Spoiled,
    /// Unclear, or the class for the bank's HTTP status. Both are allowed, because the result
    /// depends on the HTTP library, and on when a reset arrives.
    SpoiledOrBank,
    /// The class for an incomplete reply with this HTTP status. `None` means the bank's HTTP
    /// status.
    Cut(Option<u16>),
    /// The class for an incomplete reply with a body that looks complete wherever it is cut.
    CutUnseen,
}

/// Other facts that the expected class depends on.
#[derive(Debug, Clone, Copy)]
pub struct Known {
    /// True if an earlier attempt may have sent its request.
    pub sent_before: bool,
    /// True if the server sent its whole reply.
    pub whole: bool,
    /// True if the API contract marks the amount and the destination in replies as confirmed.
    pub confirmed_lines: bool,
}

impl Expected {
    /// Returns all classes that the test accepts. `bank` is the HTTP status of the bank's reply, or
    /// `None` if the bank received no request.
    pub fn all(self, bank: Option<u16>, known: Known) -> Vec<AttemptClass> {
        let of_bank = || bank.map(|status| of_status(status, true, known));
        let spoiled = || bank.map(|status| of_status(status, false, known));
        match self {
            Expected::This(means) => vec![means],
            Expected::Status(status) => vec![of_status(status, false, known)],
            Expected::Bank => of_bank().into_iter().collect(),
            Expected::Spoiled => spoiled().into_iter().collect(),
            Expected::SpoiledOrBank => {
                let mut all = vec![AttemptClass::Unclear];
                all.extend(of_bank());
                all
            }
            Expected::Contradicted => match of_bank() {
                Some(AttemptClass::Confirmed) if known.confirmed_lines => vec![AttemptClass::Alarm],
                Some(AttemptClass::Confirmed) => vec![AttemptClass::Unclear],
                other => other.into_iter().collect(),
            },
            Expected::Cut(_) | Expected::CutUnseen if known.whole => {
                of_bank().into_iter().chain([AttemptClass::Unclear]).collect()
            }
            Expected::CutUnseen => spoiled().into_iter().chain([AttemptClass::Unclear]).collect(),
            // These two classes depend only on the HTTP status, so they are also acceptable for a
            // reply whose body was cut.
            Expected::Cut(status) => match status.or(bank).map(|s| of_status(s, false, known)) {
                Some(means @ (AttemptClass::Redirected | AttemptClass::KeyReused)) => {
                    vec![means, AttemptClass::Unclear]
                }
                _ => vec![AttemptClass::Unclear],
            },
        }
    }
}

/// Returns the expected class for an HTTP status. `readable` is true if the body is a JSON object
/// that does not contradict the request.
fn of_status(status: u16, readable: bool, known: Known) -> AttemptClass {
    match status {
        200..=202 if readable => AttemptClass::Confirmed,
        300..=399 => AttemptClass::Redirected,
        422 if known.sent_before => AttemptClass::KeyReused,
        400 | 402 | 404..=406 | 410 | 411 | 413..=415 | 422 | 451 => AttemptClass::No,
        401 | 403 => AttemptClass::Unauthorized,
        425 | 429 => AttemptClass::Throttled,
        _ => AttemptClass::Unclear,
    }
}

/// Returns the state of a withdrawal whose attempts had these classes. The production `settle` must
/// return the same state.
pub fn proved(attempts: &[AttemptClass]) -> &'static str {
    let any = |means| attempts.contains(&means);
    let mut sent = attempts.iter().filter(|means| **means != AttemptClass::NotSent);
    if any(AttemptClass::Confirmed) {
        "accepted"
    } else if any(AttemptClass::Alarm) {
        "mismatch"
    } else if any(AttemptClass::Redirected)
        || any(AttemptClass::KeyReused)
        || any(AttemptClass::SaysFailed)
    {
        "needs-person"
    } else if any(AttemptClass::Unclear) {
        if sent.count() < 4 { "unknown" } else { "needs-person" }
    } else if sent.next_back() == Some(&AttemptClass::No) {
        "rejected"
    } else {
        "prepared"
    }
}
