//! The findings about the service: its address, its name, its answer and its clock.

use std::time::Duration;

use super::Verdict;
use crate::trade::Origin;

/// The address of the service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AddressFound {
    /// None is named.
    None,
    /// It is on this machine.
    ThisMachine(Origin),
    /// It is elsewhere, and reached by https.
    Secured(Origin),
}

impl AddressFound {
    pub(super) fn verdict(&self) -> Verdict {
        match self {
            AddressFound::None => Verdict::Note,
            AddressFound::ThisMachine(_) | AddressFound::Secured(_) => Verdict::Fine,
        }
    }
}

/// The numbers behind a host's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "a field is its name")]
pub enum NameFound {
    /// The address has a number, or is this machine: nothing is looked up.
    NotNeeded,
    /// The profile's proxy looks it up.
    ByProxy,
    /// So many numbers of each kind.
    Found { v4: u64, v6: u64 },
    /// The name has none, or nobody could be asked.
    Unknown,
    /// No answer came in time.
    Late,
}

impl NameFound {
    pub(super) fn verdict(self) -> Verdict {
        match self {
            NameFound::NotNeeded | NameFound::ByProxy => Verdict::Fine,
            NameFound::Found { v4: 0, v6: 0 } | NameFound::Unknown | NameFound::Late => {
                Verdict::Broken
            }
            NameFound::Found { .. } => Verdict::Fine,
        }
    }
}

/// The fault of a certificate: it does not prove that the host is the service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CertificateFault {
    /// Its time is over.
    Expired,
    /// Its time has not come.
    NotYetValid,
    /// It is for another name.
    OtherName,
    /// Nobody whom this computer trusts vouches for it.
    UnknownIssuer,
    /// It was taken back.
    Revoked,
    /// Any other fault.
    Other,
}

impl CertificateFault {
    /// Its name for scripts.
    pub fn name(self) -> &'static str {
        match self {
            CertificateFault::Expired => "expired",
            CertificateFault::NotYetValid => "not-yet-valid",
            CertificateFault::OtherName => "other-name",
            CertificateFault::UnknownIssuer => "unknown-issuer",
            CertificateFault::Revoked => "revoked",
            CertificateFault::Other => "other",
        }
    }
}

/// The reason the service gave no sign of life.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HostFault {
    /// Its name leads nowhere.
    Name,
    /// No connection came about.
    Connect,
    /// Its certificate proves nothing.
    Certificate(CertificateFault),
    /// The encryption could not be agreed on.
    Encryption,
    /// This computer's own certificates cannot be read.
    OwnCertificates,
    /// Nothing came in time.
    Late,
    /// The connection ended before the reply.
    Cut,
}

impl HostFault {
    /// Its name for scripts.
    pub fn name(self) -> &'static str {
        match self {
            HostFault::Name => "name",
            HostFault::Connect => "connect",
            HostFault::Certificate(_) => "certificate",
            HostFault::Encryption => "encryption",
            HostFault::OwnCertificates => "own-certificates",
            HostFault::Late => "late",
            HostFault::Cut => "cut",
        }
    }
}

/// The sign of life of the service: any status is one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "a field is its name")]
pub enum HostReply {
    /// It answered. Encrypted or, on this machine, not.
    Answered { status: u16, is_encrypted: bool },
    /// It did not.
    Failed(HostFault),
}

impl HostReply {
    /// Returns true when the service, or what stands before it, says that it fails just now.
    pub fn is_troubled(self) -> bool {
        matches!(self, HostReply::Answered { status: 500 | 502..=504, .. })
    }

    pub(super) fn verdict(self) -> Verdict {
        match self {
            HostReply::Answered { .. } if self.is_troubled() => Verdict::Note,
            HostReply::Answered { .. } => Verdict::Fine,
            HostReply::Failed(_) => Verdict::Broken,
        }
    }
}

/// The clock of this computer beside that of the service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClockFound {
    /// The service did not say its date.
    Unknown,
    /// So many seconds that this computer is ahead of the service; less than none where it is
    /// behind.
    Ahead(i64),
}

impl ClockFound {
    /// The most that two honest clocks differ.
    pub const MOST: Duration = Duration::from_secs(60);

    pub(super) fn verdict(self) -> Verdict {
        match self {
            ClockFound::Unknown => Verdict::Note,
            ClockFound::Ahead(seconds) if seconds.unsigned_abs() < Self::MOST.as_secs() => {
                Verdict::Fine
            }
            ClockFound::Ahead(_) => Verdict::Broken,
        }
    }
}
