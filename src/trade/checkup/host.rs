//! The findings about the service: its address, its name, its answer and its clock.

use std::time::Duration;

use super::{Finding, Verdict};
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
    pub(super) fn told(&self) -> Finding {
        let (verdict, origin, message) = match self {
            AddressFound::None => (Verdict::Note, None, "doctor-address.none"),
            AddressFound::ThisMachine(origin) => {
                (Verdict::Fine, Some(origin), "doctor-address.machine")
            }
            AddressFound::Secured(origin) => (Verdict::Fine, Some(origin), "doctor-address.named"),
        };
        Finding::new("network.address", "doctor-address", verdict)
            .fact("origin", origin.map(|origin| &*origin.0))
            .fact("thisMachine", matches!(self, AddressFound::ThisMachine(_)))
            .states(message)
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
    pub(super) fn told(self) -> Finding {
        let (verdict, lookup, message) = match self {
            NameFound::NotNeeded => (Verdict::Fine, "not-needed", "doctor-name.not-needed"),
            NameFound::ByProxy => (Verdict::Fine, "by-proxy", "doctor-name.proxy"),
            NameFound::Found { v4: 0, v6: 0 } => (Verdict::Broken, "found", "doctor-name.unknown"),
            NameFound::Found { .. } => (Verdict::Fine, "found", "doctor-name.found"),
            NameFound::Unknown => (Verdict::Broken, "unknown", "doctor-name.unknown"),
            NameFound::Late => (Verdict::Broken, "late", "doctor-name.late"),
        };
        let told = Finding::new("network.name", "doctor-name", verdict).fact("lookup", lookup);
        let told = match self {
            NameFound::Found { v4, v6 } => told.number("ipv4", v4).number("ipv6", v6),
            _ => told,
        };
        told.states(message)
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
    /// Its name for scripts, and the message about it.
    fn told(self) -> [&'static str; 2] {
        match self {
            CertificateFault::Expired => ["expired", "doctor-host.expired"],
            CertificateFault::NotYetValid => ["not-yet-valid", "doctor-host.early"],
            CertificateFault::OtherName => ["other-name", "doctor-host.other-name"],
            CertificateFault::UnknownIssuer => ["unknown-issuer", "doctor-host.issuer"],
            CertificateFault::Revoked => ["revoked", "doctor-host.revoked"],
            CertificateFault::Other => ["other", "doctor-host.certificate"],
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
    /// Its name for scripts, and the message about it.
    fn told(self) -> [&'static str; 2] {
        match self {
            HostFault::Name => ["name", "doctor-host.no-name"],
            HostFault::Connect => ["connect", "doctor-host.connect"],
            HostFault::Certificate(fault) => ["certificate", fault.told()[1]],
            HostFault::Encryption => ["encryption", "doctor-host.encryption"],
            HostFault::OwnCertificates => ["own-certificates", "doctor-host.own-certificates"],
            HostFault::Late => ["late", "doctor-host.late"],
            HostFault::Cut => ["cut", "doctor-host.cut"],
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

    pub(super) fn told(self) -> Finding {
        let told = |verdict| Finding::new("network.service", "doctor-host", verdict);
        match self {
            HostReply::Answered { status, is_encrypted } => {
                let (verdict, message) = match is_encrypted {
                    _ if self.is_troubled() => (Verdict::Note, "doctor-host.troubled"),
                    true => (Verdict::Fine, "doctor-host.encrypted"),
                    false => (Verdict::Fine, "doctor-host.plain"),
                };
                told(verdict)
                    .fact("answered", true)
                    .number("status", status)
                    .fact("tls", is_encrypted)
                    .states(message)
            }
            HostReply::Failed(fault) => {
                let [name, message] = fault.told();
                let certificate = match fault {
                    HostFault::Certificate(fault) => Some(fault.told()[0]),
                    _ => None,
                };
                let told = told(Verdict::Broken)
                    .fact("answered", false)
                    .fact("fault", name)
                    .fact("certificate", certificate);
                match fault {
                    // What to do is what the name's own finding says.
                    HostFault::Name => told.says(message).next_if(true, "doctor-name.unknown-next"),
                    _ => told.states(message),
                }
            }
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

    pub(super) fn told(self) -> Finding {
        let told = |verdict| Finding::new("network.clock", "doctor-clock", verdict);
        let ClockFound::Ahead(ahead) = self else {
            let told = told(Verdict::Note).fact("secondsAhead", None::<bool>);
            return told.states("doctor-clock.unknown");
        };
        let is_same = ahead.unsigned_abs() < Self::MOST.as_secs();
        let verdict = if is_same { Verdict::Fine } else { Verdict::Broken };
        told(verdict)
            .number("secondsAhead", ahead)
            .value("seconds", ahead.unsigned_abs().to_string())
            .says_if(is_same, "doctor-clock.same")
            .says_if(!is_same && ahead > 0, "doctor-clock.ahead")
            .says_if(!is_same && ahead < 0, "doctor-clock.behind")
            .next_if(!is_same, "doctor-clock.next")
    }
}
