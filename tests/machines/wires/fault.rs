//! Describes the faults of the test server, and the class that `classify` must return for each
//! fault.

use super::certificates::CertificateKind;
use crate::bank::Fate;

/// The server's behaviour during one attempt, and the expected classification of the attempt.
#[derive(Debug, Clone)]
pub struct Fault {
    pub name: String,
    pub door: Handshake,
    /// The number of request bytes that the server reads, or `None` to read the whole request.
    pub reads: Option<usize>,
    /// The bank's decision about a new request, or `None` if the request never reaches the bank.
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
    /// The server refuses the connection.
    Refused,
    /// The server presents an invalid certificate, which the client must reject.
    Bad(CertificateKind),
    /// The server reads this many bytes of the TLS handshake and then ends the connection.
    Unheard(usize),
    /// The server sends this many bytes of the TLS handshake and then resets the connection.
    Unfinished(usize),
    /// The server answers the TLS handshake with bytes that are not a handshake message.
    Nonsense,
}

/// A function that rewrites the text of a reply.
pub type Way = fn(&str) -> String;

/// The bytes that the server sends.
#[derive(Debug, Clone)]
pub enum ServerOutput {
    Nothing,
    /// The server sends the bank's reply, or only the first `cut` bytes of the reply.
    Bank {
        framed: BodyFraming,
        body: Body,
        cut: Option<usize>,
    },
    /// The server sends these bytes, then the bank's reply.
    BankAfter(Vec<u8>),
    /// The server sends the bank's reply, then these bytes.
    BankBefore(Vec<u8>),
    /// The server sends the bank's reply, rewritten by this function.
    BankAs(Way),
    /// The server sends the bank's reply one byte at a time, and waits this many milliseconds
    /// between bytes.
    BankSlowly(u64),
    /// The server sends these bytes instead of the bank's reply.
    This(Vec<u8>),
    /// The server sends `first`, then repeats `piece` up to 100 MiB, or without end if `ever` is
    /// true.
    Flood {
        first: Vec<u8>,
        piece: Vec<u8>,
        ever: bool,
    },
}

/// How a reply marks the end of its body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BodyFraming {
    ByLength,
    InChunks,
    ByTheEnd,
    /// The `Content-Length` is too large by this many bytes.
    TooLong(usize),
    /// The `Content-Length` is too small by this many bytes.
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
    /// The server closes the connection properly. Over TLS, the server first sends a close message.
    Closed,
    /// The server closes the connection without a TLS close message.
    Dropped,
    /// The server resets the connection.
    Reset,
    /// The server closes its sending side and keeps reading.
    HalfClosed,
    /// The server keeps the connection open.
    Never,
}

/// The deadlines that the client uses for an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClientDeadlines {
    /// The production deadlines.
    Ample,
    /// A deadline of a fraction of a second for the whole exchange.
    ShortInAll,
    /// A deadline of a fraction of a second for connecting.
    ShortToConnect,
}

/// The class of an attempt's outcome. This type is independent of the production type `Class`,
/// which the test checks.
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

/// The rule that gives the expected class of an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expected {
    This(AttemptClass),
    /// The class for a reply with this status and a body that is not a JSON object.
    Status(u16),
    /// The class for the bank's status with a correct body.
    Bank,
    /// For a success status: an alarm or unclear, because the body echoes a wrong amount or
    /// destination. For any other status: the class for that status.
    Contradicted,
    /// For a success status: unclear. For any other status: the class for that status.
    Spoiled,
    /// Unclear, or the class for the bank's status. Both are allowed, because the result depends on
    /// the HTTP library and the timing of a reset.
    SpoiledOrBank,
    /// The class for an incomplete reply with this status. `None` means the status of the bank's
    /// reply.
    Cut(Option<u16>),
    /// The class for an incomplete reply whose body looks complete wherever the body was cut.
    CutUnseen,
}

/// Facts besides the reply that affect the expected class.
#[derive(Debug, Clone, Copy)]
pub struct Known {
    /// True if an earlier attempt may have sent a byte.
    pub sent_before: bool,
    /// True if the server sent the complete reply, because the cut position was not before its end.
    pub whole: bool,
    /// True if the API contract marks the echoed amount and destination as confirmed.
    pub confirmed_lines: bool,
}

impl Expected {
    /// Returns every acceptable class. `bank` is the status of the bank's reply, or `None` if the
    /// request did not reach the bank.
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
            // For these two classes, the status in the head of the reply is sufficient, so the
            // class is acceptable even if the body was cut.
            Expected::Cut(status) => match status.or(bank).map(|s| of_status(s, false, known)) {
                Some(means @ (AttemptClass::Redirected | AttemptClass::KeyReused)) => {
                    vec![means, AttemptClass::Unclear]
                }
                _ => vec![AttemptClass::Unclear],
            },
        }
    }
}

/// Returns the expected class for a status. `readable` is true if the body is a JSON object that
/// does not contradict the request.
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

/// Returns the withdrawal's state after attempts with these classes. The production function
/// `settle` must produce the same state.
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
