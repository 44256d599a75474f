//! Findings about the service: its address, the DNS lookup of its name, its reply, and its clock.

use super::{Fact, Finding, Verdict};
use crate::trade::Origin;

/// The clock of this computer counts as wrong if it differs from the service's clock by this many
/// seconds or more.
const CLOCK_ERROR_S: u64 = 60;

/// Returns the finding about the service's address. `origin` is `None` if no address is configured.
/// `is_here` is true for an address on this machine.
pub fn address(origin: Option<&Origin>, is_here: bool) -> Finding {
    let (verdict, message) = match origin {
        None => (Verdict::Note, "doctor-address.none"),
        Some(_) if is_here => (Verdict::Fine, "doctor-address.machine"),
        Some(_) => (Verdict::Fine, "doctor-address.named"),
    };
    Finding::new("network.address", "doctor-address", verdict)
        .fact("origin", origin.map(|origin| &*origin.0))
        .fact("thisMachine", is_here)
        .message_with_advice(message)
}

/// The result of the DNS lookup of the service's host name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "a field is its name")]
pub enum DnsLookup {
    /// No lookup is needed, because the host is an IP address or a name of this machine, such as
    /// `localhost`.
    NotNeeded,
    /// The proxy that the profile names does the lookup.
    ByProxy,
    /// The lookup found this number of IPv4 and IPv6 addresses.
    Found { v4: u64, v6: u64 },
    /// The host name has no address, or the lookup failed.
    Unknown,
    /// The lookup timed out.
    Late,
}

/// Returns the finding about the DNS lookup of the service's host name.
pub fn dns_lookup(found: DnsLookup) -> Finding {
    let (verdict, lookup, message) = match found {
        DnsLookup::NotNeeded => (Verdict::Fine, "not-needed", "doctor-name.not-needed"),
        DnsLookup::ByProxy => (Verdict::Fine, "by-proxy", "doctor-name.proxy"),
        DnsLookup::Found { v4: 0, v6: 0 } => (Verdict::Broken, "found", "doctor-name.unknown"),
        DnsLookup::Found { .. } => (Verdict::Fine, "found", "doctor-name.found"),
        DnsLookup::Unknown => (Verdict::Broken, "unknown", "doctor-name.unknown"),
        DnsLookup::Late => (Verdict::Broken, "late", "doctor-name.late"),
    };
    let finding = Finding::new("network.name", "doctor-name", verdict).fact("lookup", lookup);
    let finding = match found {
        DnsLookup::Found { v4, v6 } => finding.number("ipv4", v4).number("ipv6", v6),
        _ => finding,
    };
    finding.message_with_advice(message)
}

/// Returns the finding about environment variables that name certificates, if any are set. The
/// program ignores them.
pub fn ignored_variables(names: Vec<&'static str>) -> Option<Finding> {
    let finding = Finding::new("network.variables", "doctor-variables", Verdict::Note);
    let is_any_set = !names.is_empty();
    let finding = finding.fact("ignored", Fact::Texts(names));
    is_any_set.then(|| finding.message_with_advice("doctor-variables.ignored"))
}

/// The reason a TLS certificate does not prove the identity of the service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CertificateFault {
    /// The certificate has expired.
    Expired,
    /// The certificate is not valid yet.
    NotYetValid,
    /// The certificate is for another host name.
    OtherName,
    /// The issuer is not trusted by this computer.
    UnknownIssuer,
    /// The certificate was revoked.
    Revoked,
    /// Any other fault.
    Other,
}

impl CertificateFault {
    /// Returns the name of the fault for scripts, such as `expired`, and the id of the message
    /// about the fault.
    fn name_and_message(self) -> [&'static str; 2] {
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

/// The reason the service could not be reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HostFault {
    /// The host name could not be resolved.
    Name,
    /// The connection failed.
    Connect,
    /// The certificate is not valid.
    Certificate(CertificateFault),
    /// The TLS handshake failed.
    Encryption,
    /// The root certificates of this computer cannot be read.
    OwnCertificates,
    /// The request timed out.
    Late,
    /// The connection ended before the response.
    Cut,
}

impl HostFault {
    /// Returns the name of the fault for scripts, such as `name`, and the id of the message about
    /// the fault.
    fn name_and_message(self) -> [&'static str; 2] {
        match self {
            HostFault::Name => ["name", "doctor-host.no-name"],
            HostFault::Connect => ["connect", "doctor-host.connect"],
            HostFault::Certificate(fault) => ["certificate", fault.name_and_message()[1]],
            HostFault::Encryption => ["encryption", "doctor-host.encryption"],
            HostFault::OwnCertificates => ["own-certificates", "doctor-host.own-certificates"],
            HostFault::Late => ["late", "doctor-host.late"],
            HostFault::Cut => ["cut", "doctor-host.cut"],
        }
    }
}

/// The result of a test request to the service. Any HTTP status counts as an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "a field is its name")]
pub enum HostReply {
    /// The service answered with this status. `is_encrypted` is false for a plain HTTP connection
    /// to this machine.
    Answered { status: u16, is_encrypted: bool },
    /// The service did not answer.
    Failed(HostFault),
}

/// Returns the finding about the result of the test request to the service.
pub fn service(reply: HostReply) -> Finding {
    let finding = |verdict| Finding::new("network.service", "doctor-host", verdict);
    let fault = match reply {
        HostReply::Answered { status, is_encrypted } => {
            let (verdict, message) = match (status, is_encrypted) {
                // The service, or a proxy in front of it, reports a temporary error.
                (500 | 502..=504, _) => (Verdict::Note, "doctor-host.troubled"),
                (_, true) => (Verdict::Fine, "doctor-host.encrypted"),
                (_, false) => (Verdict::Fine, "doctor-host.plain"),
            };
            return finding(verdict)
                .fact("answered", true)
                .number("status", status)
                .fact("tls", is_encrypted)
                .message_with_advice(message);
        }
        HostReply::Failed(fault) => fault,
    };
    let [name, message] = fault.name_and_message();
    let certificate = match fault {
        HostFault::Certificate(fault) => Some(fault.name_and_message()[0]),
        _ => None,
    };
    let finding = finding(Verdict::Broken)
        .fact("answered", false)
        .fact("fault", name)
        .fact("certificate", certificate);
    match fault {
        // Give the same advice as the finding about the DNS lookup, because the cause is the same.
        HostFault::Name => finding.message(message).advice_if(true, "doctor-name.unknown-next"),
        _ => finding.message_with_advice(message),
    }
}

/// Returns the finding about this computer's clock. `ahead` is the number of seconds that it is
/// ahead of the service's clock; `None` if the response had no `Date` header.
pub fn clock(ahead: Option<i64>) -> Finding {
    let clock_finding = |verdict| Finding::new("network.clock", "doctor-clock", verdict);
    let Some(ahead) = ahead else {
        let finding = clock_finding(Verdict::Note).fact("secondsAhead", None::<bool>);
        return finding.message_with_advice("doctor-clock.unknown");
    };
    let is_right = ahead.unsigned_abs() < CLOCK_ERROR_S;
    let verdict = if is_right { Verdict::Fine } else { Verdict::Broken };
    clock_finding(verdict)
        .number("secondsAhead", ahead)
        .value("seconds", ahead.unsigned_abs().to_string())
        .message_if(is_right, "doctor-clock.same")
        .message_if(!is_right && ahead > 0, "doctor-clock.ahead")
        .message_if(!is_right && ahead < 0, "doctor-clock.behind")
        .advice_if(!is_right, "doctor-clock.next")
}
