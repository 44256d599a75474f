//! Everything that can go wrong, as values; their words live in one place, the view.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use super::payment::Refusal;
use super::withdrawal::{AttemptEnd, Clash, Class, NotSent};
use super::{Origin, OtherJournal, Untrusted};

/// A credential, by what it is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CredentialKind {
    /// The token the documented login yields; withdrawals are sent with it.
    ApiToken,
    /// The JWT payment links are created with.
    Jwt,
}

/// The reason an operation did not do what was asked.
#[derive(Debug, Clone, PartialEq)]
pub enum Failure {
    /// Nothing left this machine.
    NotSent(NotSent),
    /// The operation's credential is not there.
    NoCredential(CredentialKind),
    /// The pasted text does not have the shape of a JWT.
    NotAJwt,
    /// The request may have reached the service, and no whole reply came back.
    NoAnswer(NoAnswer),
    /// 401 or 403: the credential is not taken (any more).
    Unauthorized {
        /// Which one was sent, if any.
        credential: Option<CredentialKind>,
        /// The service's own words.
        refusal: Refusal,
    },
    /// The service refused, in its own words.
    Refused(Refusal),
    /// 3xx: the service sends us elsewhere; nothing is ever followed.
    Redirected {
        /// The status.
        status: u16,
        /// Where to.
        location: Option<Untrusted>,
    },
    /// A success whose body does not hold what the contract looks for.
    Unreadable {
        /// The status.
        status: u16,
        /// The lines of the contract that were looked for.
        looked_for: Vec<String>,
        /// The body, secrets masked.
        body: Untrusted,
    },
    /// The vault could not do it.
    Vault(VaultTrouble),
    /// The journal could not do it.
    Journal(JournalTrouble),
    /// An attempt ended, and how it ended could not be written down.
    Unrecorded {
        /// Which attempt; 1 for the first.
        n: u32,
        /// The end of the attempt; perhaps nothing but this program knows it, and only while it
        /// runs.
        end: Box<AttemptEnd>,
        /// The reason it is not on disk.
        trouble: JournalTrouble,
    },
    /// Another withdrawal speaks against sending this one: nothing was sent.
    Clash(Clash),
    /// The attempt before may still be worked on: nothing was sent.
    TooSoon {
        /// The time to wait until it may be.
        wait: Duration,
    },
    /// The seller cancelled it.
    Cancelled,
}

/// The way in which a reply failed to come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoAnswer {
    /// Nothing within the deadline.
    Timeout,
    /// The connection ended too early.
    Cut,
    /// More than is read of any reply.
    TooLarge,
    /// The seller stopped waiting.
    Left,
}

/// The place where credentials are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VaultKind {
    /// The operating system's keyring: they are there at the next start.
    Keyring,
    /// This process: they are gone when it ends.
    Memory,
}

/// The trouble with the vault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VaultTrouble {
    /// This machine has no keyring that answers.
    Absent,
    /// The keyring is locked, or the prompt was dismissed.
    Locked,
    /// The keyring did not answer in time.
    Hangs,
    /// Any other error, in its words.
    Other(String),
}

/// The trouble with the journal; withdrawals are locked while there is any.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JournalTrouble {
    /// It holds what the program cannot have written.
    Damaged(String),
    /// There was one, and it is gone.
    Missing,
    /// There is none, and the vault that would know whether there was one does not say.
    MaybeMissing(VaultTrouble),
    /// Earlier builds left several, or one is kept elsewhere: the seller picks the live one.
    Several(Arc<[OtherJournal]>),
    /// A newer version of the program wrote it.
    Newer {
        /// Its schema.
        found: u32,
        /// The newest this program knows.
        known: u32,
    },
    /// It may be read and not written: a disk that is read-only, or a right that is missing.
    ReadOnly(String),
    /// There is no room to write it: the disk is full, or the owner's share of it.
    Full(String),
    /// Its directory is not this user's alone to write: what is read there may be anybody's.
    NotPrivate(String),
    /// It is on a network file system of this name, where no new withdrawal is begun.
    Network(String),
    /// Another window or another program did not let go of it in time.
    Busy(String),
    /// It cannot be opened, read or written, for any other reason.
    Io(String),
}

impl JournalTrouble {
    /// Returns true when it can pass while the program runs; every other one lasts until the next
    /// start.
    pub fn may_pass(&self) -> bool {
        use JournalTrouble::{Busy, MaybeMissing, Several};
        matches!(self, MaybeMissing(_) | Busy(_) | Several(_))
    }
}

/// Plain English, for scripts and logs; the seller's words are the view's.
impl fmt::Display for JournalTrouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JournalTrouble::Damaged(why) => {
                write!(f, "the journal is damaged and was left as it is: {why}")
            }
            JournalTrouble::Missing => {
                f.write_str("the journal is gone; put it back from a backup before withdrawing")
            }
            JournalTrouble::MaybeMissing(_) => f.write_str(
                "there is no journal, and the keyring does not say whether there was one",
            ),
            JournalTrouble::Several(all) => {
                write!(f, "there are {} journals, and one must be picked in the app:", all.len())?;
                all.iter().try_for_each(|one| write!(f, " {}", one.dir.display()))
            }
            JournalTrouble::Newer { found, known } => write!(
                f,
                "a newer balcao wrote this journal (version {found}; this one knows {known})"
            ),
            JournalTrouble::ReadOnly(why) => {
                write!(f, "the journal may not be written: {why}")
            }
            JournalTrouble::Full(why) => write!(f, "there is no room for the journal: {why}"),
            JournalTrouble::NotPrivate(why) => {
                write!(f, "the journal's directory is not private: {why}")
            }
            JournalTrouble::Network(name) => {
                write!(f, "the journal is on a network file system ({name})")
            }
            JournalTrouble::Busy(why) => write!(f, "the journal is held by another: {why}"),
            JournalTrouble::Io(why) => write!(f, "the journal cannot be used: {why}"),
        }
    }
}

/// The answer to "has money moved?", for the sentence every failure owes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moved {
    /// Nothing happened at the service.
    No,
    /// It is unknown.
    Maybe,
}

impl Failure {
    /// Returns true when it is certain that no byte reached the service.
    ///
    /// For an end that was not recorded, [its class](AttemptEnd) answers this.
    pub fn nothing_was_sent(&self) -> bool {
        matches!(
            self,
            Failure::NotSent(_)
                | Failure::NoCredential(_)
                | Failure::NotAJwt
                | Failure::Vault(_)
                | Failure::Journal(_)
                | Failure::Clash(_)
                | Failure::Cancelled
        )
    }

    /// Returns the journal's trouble, if that is the reason.
    pub fn journal_trouble(&self) -> Option<&JournalTrouble> {
        match self {
            Failure::Journal(trouble) | Failure::Unrecorded { trouble, .. } => Some(trouble),
            _ => None,
        }
    }

    /// Returns true when the service may have acted on the request.
    pub fn may_have_acted(&self) -> Moved {
        match self {
            // It was not sent now; the attempt before is why.
            Failure::NoAnswer(_)
            | Failure::Unreadable { .. }
            | Failure::Redirected { .. }
            | Failure::TooSoon { .. } => Moved::Maybe,
            Failure::Refused(refusal) if !refusal.is_definite() => Moved::Maybe,
            Failure::Unrecorded { end, .. } => match end.class {
                Class::NotSent(_)
                | Class::DefiniteNo
                | Class::Unauthorized
                | Class::Throttled { .. } => Moved::No,
                _ => Moved::Maybe,
            },
            _ => Moved::No,
        }
    }
}

impl Refusal {
    /// Returns true when this status is a definite no, rather than one that proves nothing.
    pub fn is_definite(&self) -> bool {
        // 408, 409 and 499 say nothing about what was done before they were said.
        matches!(self.status, 400..=407 | 410..=498)
    }
}

/// Where a credential belongs.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct CredentialName {
    /// The profile it was given to: two of them may be two sellers at one service.
    pub profile: Arc<str>,
    /// The only origin it is ever sent to.
    pub origin: Origin,
    /// The kind of credential.
    pub kind: CredentialKind,
}
