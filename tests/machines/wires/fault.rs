//! What befalls one attempt on its way, and what that must be taken for.

use super::certificates::Proof;
use crate::bank::Fate;

/// One exchange as the host plays it.
#[derive(Debug, Clone)]
pub struct Fault {
    pub name: String,
    pub door: Door,
    /// How much of the request is read; the whole of it where nothing is said.
    pub reads: Option<usize>,
    /// What the bank makes of a whole request it does not know; `None` where it never sees it.
    pub acts: Option<Fate>,
    pub says: Says,
    pub ends: Ends,
    pub patience: Patience,
    pub expected: Expected,
}

/// How a connection begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Door {
    Open,
    /// Nobody listens.
    Refused,
    /// Over TLS, with a proof that must not be believed.
    Bad(Proof),
    /// Over TLS: so much of the greeting is read, and then the connection ends.
    Unheard(usize),
    /// Over TLS: so much of the host's own greeting is sent, and then the connection is reset.
    Unfinished(usize),
    /// Over TLS: something else is said than a greeting.
    Nonsense,
}

/// A reply said in another way.
pub type Way = fn(&str) -> String;

/// What a host says.
#[derive(Debug, Clone)]
pub enum Says {
    Nothing,
    /// What the bank answered, or the beginning of that.
    Bank {
        framed: Framed,
        body: Body,
        cut: Option<usize>,
    },
    /// The bank's answer after this.
    BankAfter(Vec<u8>),
    /// The bank's answer and then this.
    BankBefore(Vec<u8>),
    /// The bank's answer, said in another way.
    BankAs(Way),
    /// The bank's answer byte by byte, so many milliseconds apart.
    BankSlowly(u64),
    /// This, whatever the bank answered.
    This(Vec<u8>),
    /// The first, and then the second again and again: 100 MiB, or for ever.
    Flood {
        first: Vec<u8>,
        piece: Vec<u8>,
        ever: bool,
    },
}

/// How the end of a body is marked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Framed {
    ByLength,
    InChunks,
    ByTheEnd,
    /// The length that is announced is too long by so much.
    TooLong(usize),
    /// The length that is announced is too short by so much.
    TooShort(usize),
}

/// What stands in the bank's answer to a payment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Body {
    True,
    OtherAmount,
    OtherDestination,
    Masked,
}

/// How a connection ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ends {
    /// As it should: over TLS with a farewell.
    Closed,
    /// Without a farewell.
    Dropped,
    /// With a reset.
    Reset,
    /// The host says that it will say no more, and goes on listening.
    HalfClosed,
    /// Not at all.
    Never,
}

/// Which deadline the client has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Patience {
    /// The real ones, which nothing here reaches.
    Ample,
    /// A fraction of a second for the whole exchange.
    ShortInAll,
    /// A fraction of a second for the connection.
    ShortToConnect,
}

/// What an attempt is taken for: the rows of the table of replies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Means {
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

/// What this one must be taken for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expected {
    This(Means),
    /// What this status means with a body that is no JSON object.
    Status(u16),
    /// What the bank's status means with a true body.
    Bank,
    /// A success that says back something else; what else the bank says is as it is.
    Contradicted,
    /// A success is unclear; what else the bank says is as it is.
    Spoiled,
    /// The same, or what the bank's status means with a true body: how strictly a head is read, or
    /// whether a reset overtakes what was sent before it, is for the system and the library.
    SpoiledOrBank,
    /// The beginning of a reply with this status, or with the bank's.
    Cut(Option<u16>),
    /// The same, of a body that looks whole wherever it ends.
    CutUnseen,
}

/// What the client knows beside the reply.
#[derive(Debug, Clone, Copy)]
pub struct Known {
    /// A byte of an earlier attempt may have arrived.
    pub sent_before: bool,
    /// What was to be cut was said whole: it is shorter than usual.
    pub whole: bool,
    /// The lines that say amount and destination back were confirmed by the seller.
    pub confirmed_lines: bool,
}

impl Expected {
    /// All that it may be taken for, given what the bank answered, if it was asked.
    pub fn all(self, bank: Option<u16>, known: Known) -> Vec<Means> {
        let of_bank = || bank.map(|status| of_status(status, true, known));
        let spoiled = || bank.map(|status| of_status(status, false, known));
        match self {
            Expected::This(means) => vec![means],
            Expected::Status(status) => vec![of_status(status, false, known)],
            Expected::Bank => of_bank().into_iter().collect(),
            Expected::Spoiled => spoiled().into_iter().collect(),
            Expected::SpoiledOrBank => {
                let mut all = vec![Means::Unclear];
                all.extend(of_bank());
                all
            }
            Expected::Contradicted => match of_bank() {
                Some(Means::Confirmed) if known.confirmed_lines => vec![Means::Alarm],
                Some(Means::Confirmed) => vec![Means::Unclear],
                other => other.into_iter().collect(),
            },
            Expected::Cut(_) | Expected::CutUnseen if known.whole => {
                of_bank().into_iter().chain([Means::Unclear]).collect()
            }
            Expected::CutUnseen => spoiled().into_iter().chain([Means::Unclear]).collect(),
            // What wants a person wants one also when only its head came.
            Expected::Cut(status) => match status.or(bank).map(|s| of_status(s, false, known)) {
                Some(means @ (Means::Redirected | Means::KeyReused)) => {
                    vec![means, Means::Unclear]
                }
                _ => vec![Means::Unclear],
            },
        }
    }
}

/// The table of replies; `readable` is whether the body is a JSON object that contradicts nothing.
fn of_status(status: u16, readable: bool, known: Known) -> Means {
    match status {
        200..=202 if readable => Means::Confirmed,
        300..=399 => Means::Redirected,
        422 if known.sent_before => Means::KeyReused,
        400 | 402 | 404..=406 | 410 | 411 | 413..=415 | 422 | 451 => Means::No,
        401 | 403 => Means::Unauthorized,
        425 | 429 => Means::Throttled,
        _ => Means::Unclear,
    }
}

/// The state that these attempts prove together, by its plain name.
pub fn proved(attempts: &[Means]) -> &'static str {
    let any = |means| attempts.contains(&means);
    let mut sent = attempts.iter().filter(|means| **means != Means::NotSent);
    if any(Means::Confirmed) {
        "accepted"
    } else if any(Means::Alarm) {
        "mismatch"
    } else if any(Means::Redirected) || any(Means::KeyReused) || any(Means::SaysFailed) {
        "needs-person"
    } else if any(Means::Unclear) {
        if sent.count() < 4 { "unknown" } else { "needs-person" }
    } else if sent.next_back() == Some(&Means::No) {
        "rejected"
    } else {
        "prepared"
    }
}
