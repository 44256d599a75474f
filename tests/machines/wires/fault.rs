//! The description of a fault, with the class that `classify` must return for it.

use super::certificates::CertificateKind;
use crate::bank::Fate;

/// The behaviour of the server during one attempt.
#[derive(Debug, Clone)]
pub struct Fault {
    pub name: String,
    pub door: Handshake,
    /// The number of request bytes that the server reads; `None` for the whole request.
    pub reads: Option<usize>,
    /// The bank's decision about a new request; `None` if the request never reaches the bank.
    pub acts: Option<Fate>,
    pub says: ServerOutput,
    pub ends: Ends,
    pub patience: ClientDeadlines,
    pub expected: Expected,
}

/// How the connection begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Handshake {
    Open,
    /// The server refuses the connection.
    Refused,
    /// TLS with an invalid certificate, which the client must reject.
    Bad(CertificateKind),
    /// TLS handshake in which the server reads this many bytes and then ends the connection.
    Unheard(usize),
    /// TLS handshake in which the server sends this many bytes and then resets the connection.
    Unfinished(usize),
    /// TLS handshake in which the server sends something else than a handshake message.
    Nonsense,
}

/// A function that rewrites the text of a reply.
pub type Way = fn(&str) -> String;

/// The bytes that the server sends.
#[derive(Debug, Clone)]
pub enum ServerOutput {
    Nothing,
    /// The bank's reply, or only its first `cut` bytes.
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
    /// The bank's reply, one byte at a time, with this many milliseconds between the bytes.
    BankSlowly(u64),
    /// The server sends these bytes instead of the bank's reply.
    This(Vec<u8>),
    /// The bytes `first`, then `piece` repeated up to 100 MiB, or without end if `ever` is true.
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
    /// The connection is closed properly; over TLS with a close message.
    Closed,
    /// The connection is closed without a TLS close message.
    Dropped,
    /// The connection is reset.
    Reset,
    /// The server closes its sending side and keeps reading.
    HalfClosed,
    /// The server keeps the connection open.
    Never,
}

/// The deadlines that the client uses for an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClientDeadlines {
    /// The real deadlines. The attempt ends before they are reached.
    Ample,
    /// A deadline of a fraction of a second for the whole exchange.
    ShortInAll,
    /// A deadline of a fraction of a second for connecting.
    ShortToConnect,
}

/// A class of attempt outcomes, defined independently of the production `Class`.
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

/// The rule for the class that an attempt must have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expected {
    This(AttemptClass),
    /// The class for a reply with this status and a body that is not a JSON object.
    Status(u16),
    /// The class for the bank's status with a correct body.
    Bank,
    /// If the bank's status is a success, an alarm or unclear, because the body echoes wrong terms.
    /// Otherwise the class for the status.
    Contradicted,
    /// If the bank's status is a success, unclear. Otherwise the class for the status.
    Spoiled,
    /// Either unclear or the class for the bank's status. The test does not control how strictly
    /// the HTTP library parses a reply head, or whether a reset overtakes bytes sent before it.
    SpoiledOrBank,
    /// The class for an incomplete reply with this status; `None` for the status of the bank's
    /// reply.
    Cut(Option<u16>),
    /// The class for an incomplete reply whose body looks complete wherever it was cut.
    CutUnseen,
}

/// Facts that affect the expected class in addition to the reply.
#[derive(Debug, Clone, Copy)]
pub struct Known {
    /// Whether an earlier attempt may have sent a byte.
    pub sent_before: bool,
    /// Whether the complete reply was sent, because it was not longer than the cut.
    pub whole: bool,
    /// Whether the lines of the API contract for the echoed amount and destination are confirmed.
    pub confirmed_lines: bool,
}

impl Expected {
    /// Returns every acceptable class. `bank` is the status of the bank's reply, if the request
    /// reached the bank.
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
            // For a status that needs a person, the head of the reply is sufficient, so this class
            // is acceptable too.
            Expected::Cut(status) => match status.or(bank).map(|s| of_status(s, false, known)) {
                Some(means @ (AttemptClass::Redirected | AttemptClass::KeyReused)) => {
                    vec![means, AttemptClass::Unclear]
                }
                _ => vec![AttemptClass::Unclear],
            },
        }
    }
}

/// Returns the expected class for a status. `readable` is whether the body is a JSON object that
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

/// Returns the state that attempts with these classes give together. The production `settle` must
/// agree.
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
