//! The findings about the service: its address, its name, its answer and its clock.

use super::{Finding, Verdict};
use crate::trade::Origin;

/// The most seconds that two honest clocks differ.
const MOST_APART: u64 = 60;

/// The address of the service, if one is named. It is on this machine, or reached by https.
pub fn address(origin: Option<&Origin>, is_here: bool) -> Finding {
    let (verdict, message) = match origin {
        None => (Verdict::Note, "doctor-address.none"),
        Some(_) if is_here => (Verdict::Fine, "doctor-address.machine"),
        Some(_) => (Verdict::Fine, "doctor-address.named"),
    };
    Finding::new("network.address", "doctor-address", verdict)
        .fact("origin", origin.map(|origin| &*origin.0))
        .fact("thisMachine", is_here)
        .states(message)
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

/// What looking up the name of the service's host found.
pub fn name(found: NameFound) -> Finding {
    let (verdict, lookup, message) = match found {
        NameFound::NotNeeded => (Verdict::Fine, "not-needed", "doctor-name.not-needed"),
        NameFound::ByProxy => (Verdict::Fine, "by-proxy", "doctor-name.proxy"),
        NameFound::Found { v4: 0, v6: 0 } => (Verdict::Broken, "found", "doctor-name.unknown"),
        NameFound::Found { .. } => (Verdict::Fine, "found", "doctor-name.found"),
        NameFound::Unknown => (Verdict::Broken, "unknown", "doctor-name.unknown"),
        NameFound::Late => (Verdict::Broken, "late", "doctor-name.late"),
    };
    let finding = Finding::new("network.name", "doctor-name", verdict).fact("lookup", lookup);
    let finding = match found {
        NameFound::Found { v4, v6 } => finding.number("ipv4", v4).number("ipv6", v6),
        _ => finding,
    };
    finding.states(message)
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

/// The sign of life of the service, or what stands in its way.
pub fn service(reply: HostReply) -> Finding {
    let found = |verdict| Finding::new("network.service", "doctor-host", verdict);
    let fault = match reply {
        HostReply::Answered { status, is_encrypted } => {
            let (verdict, message) = match (status, is_encrypted) {
                // The service, or what is before it, says that it fails just now.
                (500 | 502..=504, _) => (Verdict::Note, "doctor-host.troubled"),
                (_, true) => (Verdict::Fine, "doctor-host.encrypted"),
                (_, false) => (Verdict::Fine, "doctor-host.plain"),
            };
            return found(verdict)
                .fact("answered", true)
                .number("status", status)
                .fact("tls", is_encrypted)
                .states(message);
        }
        HostReply::Failed(fault) => fault,
    };
    let [name, message] = fault.told();
    let certificate = match fault {
        HostFault::Certificate(fault) => Some(fault.told()[0]),
        _ => None,
    };
    let found = found(Verdict::Broken)
        .fact("answered", false)
        .fact("fault", name)
        .fact("certificate", certificate);
    match fault {
        // What to do is what the name's own finding says.
        HostFault::Name => found.says(message).next_if(true, "doctor-name.unknown-next"),
        _ => found.states(message),
    }
}

/// The seconds that the clock of this computer is ahead of the service's; none where the service
/// did not say its date.
pub fn clock(ahead: Option<i64>) -> Finding {
    let found = |verdict| Finding::new("network.clock", "doctor-clock", verdict);
    let Some(ahead) = ahead else {
        let found = found(Verdict::Note).fact("secondsAhead", None::<bool>);
        return found.states("doctor-clock.unknown");
    };
    let is_same = ahead.unsigned_abs() < MOST_APART;
    let verdict = if is_same { Verdict::Fine } else { Verdict::Broken };
    found(verdict)
        .number("secondsAhead", ahead)
        .value("seconds", ahead.unsigned_abs().to_string())
        .says_if(is_same, "doctor-clock.same")
        .says_if(!is_same && ahead > 0, "doctor-clock.ahead")
        .says_if(!is_same && ahead < 0, "doctor-clock.behind")
        .next_if(!is_same, "doctor-clock.next")
}
