//! Findings about the service: its address, the DNS lookup of its name, its reply, and its clock.

use super::{Fact, Finding, Verdict};
use crate::trade::Origin;

/// The clock of this computer counts as wrong if it differs from the service's clock by this many
/// seconds or more.
const CLOCK_ERROR_S: u64 = 60;

/// The finding about the service's address. `origin` is `None` if no address is configured.
/// `is_here` is true for an address on this machine.
pub fn address(origin: Option<&Origin>, is_here: bool) -> Finding {
    let (verdict, case) = match origin {
        None => (Verdict::Note, "none"),
        Some(_) if is_here => (Verdict::Fine, "machine"),
        Some(_) => (Verdict::Fine, "named"),
    };
    Finding::new("network.address", verdict)
        .fact("origin", origin.map(|origin| &*origin.0))
        .fact("thisMachine", is_here)
        .case(case)
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

/// The finding about the DNS lookup of the service's host name.
pub fn dns_lookup(found: DnsLookup) -> Finding {
    let (verdict, lookup, case) = match found {
        DnsLookup::NotNeeded => (Verdict::Fine, "not-needed", "not-needed"),
        DnsLookup::ByProxy => (Verdict::Fine, "by-proxy", "proxy"),
        DnsLookup::Found { v4: 0, v6: 0 } => (Verdict::Broken, "found", "unknown"),
        DnsLookup::Found { .. } => (Verdict::Fine, "found", "found"),
        DnsLookup::Unknown => (Verdict::Broken, "unknown", "unknown"),
        DnsLookup::Late => (Verdict::Broken, "late", "late"),
    };
    let finding = Finding::new("network.name", verdict).fact("lookup", lookup);
    let finding = match found {
        DnsLookup::Found { v4, v6 } => finding.number("ipv4", v4).number("ipv6", v6),
        _ => finding,
    };
    finding.case(case)
}

/// The finding about environment variables that name certificates, if any are set. The program
/// ignores them.
pub fn ignored_variables(names: Vec<&'static str>) -> Option<Finding> {
    let finding = Finding::new("network.variables", Verdict::Note);
    let is_any_set = !names.is_empty();
    let finding = finding.fact("ignored", Fact::Texts(names));
    is_any_set.then(|| finding.case("ignored"))
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
    /// The name of the fault for scripts, such as `expired`, and the case of the finding.
    fn name_and_case(self) -> [&'static str; 2] {
        match self {
            CertificateFault::Expired => ["expired", "expired"],
            CertificateFault::NotYetValid => ["not-yet-valid", "early"],
            CertificateFault::OtherName => ["other-name", "other-name"],
            CertificateFault::UnknownIssuer => ["unknown-issuer", "issuer"],
            CertificateFault::Revoked => ["revoked", "revoked"],
            CertificateFault::Other => ["other", "certificate"],
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
    /// The name of the fault for scripts, such as `name`, and the case of the finding.
    fn name_and_case(self) -> [&'static str; 2] {
        match self {
            HostFault::Name => ["name", "no-name"],
            HostFault::Connect => ["connect", "connect"],
            HostFault::Certificate(fault) => ["certificate", fault.name_and_case()[1]],
            HostFault::Encryption => ["encryption", "encryption"],
            HostFault::OwnCertificates => ["own-certificates", "own-certificates"],
            HostFault::Late => ["late", "late"],
            HostFault::Cut => ["cut", "cut"],
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

/// The finding about the result of the test request to the service.
pub fn service(reply: HostReply) -> Finding {
    let fault = match reply {
        HostReply::Answered {
            status,
            is_encrypted,
        } => {
            let (verdict, case) = match (status, is_encrypted) {
                // The service, or a proxy in front of it, reports a temporary error.
                (500 | 502..=504, _) => (Verdict::Note, "troubled"),
                (_, true) => (Verdict::Fine, "encrypted"),
                (_, false) => (Verdict::Fine, "plain"),
            };
            return Finding::new("network.service", verdict)
                .fact("answered", true)
                .number("status", status)
                .fact("tls", is_encrypted)
                .case(case);
        }
        HostReply::Failed(fault) => fault,
    };
    let [name, case] = fault.name_and_case();
    let certificate = match fault {
        HostFault::Certificate(fault) => Some(fault.name_and_case()[0]),
        _ => None,
    };
    Finding::new("network.service", Verdict::Broken)
        .fact("answered", false)
        .fact("fault", name)
        .fact("certificate", certificate)
        .case(case)
}

/// The finding about this computer's clock. `ahead` is the number of seconds that it is ahead of
/// the service's clock; `None` if the response had no `Date` header.
pub fn clock(ahead: Option<i64>) -> Finding {
    let Some(ahead) = ahead else {
        return Finding::new("network.clock", Verdict::Note)
            .fact("secondsAhead", None::<bool>)
            .case("unknown");
    };
    let is_right = ahead.unsigned_abs() < CLOCK_ERROR_S;
    let verdict = if is_right {
        Verdict::Fine
    } else {
        Verdict::Broken
    };
    Finding::new("network.clock", verdict)
        .number("secondsAhead", ahead)
        .value("seconds", ahead.unsigned_abs().to_string())
        .case_if(is_right, "same")
        .case_if(!is_right && ahead > 0, "ahead")
        .case_if(!is_right && ahead < 0, "behind")
        .case_if(!is_right, "wrong")
}
