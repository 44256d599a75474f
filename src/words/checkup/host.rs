//! The sentences about the service: address, name, answer and clock.

use super::FindingText;
use crate::trade::Untrusted;
use crate::trade::checkup::{
    AddressFound, CertificateFault, CheckupFinding, ClockFound, HostFault, HostReply, NameFound,
    Verdict,
};
use crate::words::Words;

/// The sentences about the address.
pub fn address(words: &Words, found: &AddressFound) -> FindingText {
    let (id, origin) = match found {
        AddressFound::None => return FindingText::advised(words, "doctor-address.none", &[]),
        AddressFound::ThisMachine(origin) => ("doctor-address.machine", origin),
        AddressFound::Secured(origin) => ("doctor-address.named", origin),
    };
    let origin = Untrusted::from(&*origin.0).shown_within(120);
    FindingText::new(words.with(id, &[("origin", &origin)]))
}

/// The sentences about the name of the host.
pub fn name(words: &Words, found: NameFound) -> FindingText {
    match found {
        NameFound::NotNeeded => FindingText::new(words.text("doctor-name.not-needed")),
        NameFound::ByProxy => FindingText::new(words.text("doctor-name.proxy")),
        NameFound::Found { v4: 0, v6: 0 } | NameFound::Unknown => {
            FindingText::advised(words, "doctor-name.unknown", &[])
        }
        NameFound::Found { v4, v6 } => {
            let [v4, v6] = [v4, v6].map(|count| count.to_string());
            let counts = [("four", v4.as_str()), ("six", v6.as_str())];
            FindingText::new(words.with("doctor-name.found", &counts))
        }
        NameFound::Late => FindingText::advised(words, "doctor-name.late", &[]),
    }
}

/// The sentences about the answer of the service.
pub fn reply(words: &Words, found: HostReply) -> FindingText {
    let fault = match found {
        HostReply::Answered { status, is_encrypted } => {
            let status = status.to_string();
            let values = [("status", &*status)];
            return match is_encrypted {
                _ if found.is_troubled() => {
                    FindingText::advised(words, "doctor-host.troubled", &values)
                }
                true => FindingText::new(words.with("doctor-host.encrypted", &values)),
                false => FindingText::new(words.with("doctor-host.plain", &values)),
            };
        }
        HostReply::Failed(fault) => fault,
    };
    let id = match fault {
        // What to do is what the name's own finding says.
        HostFault::Name => {
            return FindingText::new(words.text("doctor-host.no-name"))
                .next(words.text("doctor-name.unknown-next"));
        }
        HostFault::Connect => "doctor-host.connect",
        HostFault::Certificate(fault) => certificate(fault),
        HostFault::Encryption => "doctor-host.encryption",
        HostFault::OwnCertificates => "doctor-host.own-certificates",
        HostFault::Late => "doctor-host.late",
        HostFault::Cut => "doctor-host.cut",
    };
    FindingText::advised(words, id, &[])
}

/// The message for what is wrong with a certificate that proves nothing.
fn certificate(fault: CertificateFault) -> &'static str {
    match fault {
        CertificateFault::Expired => "doctor-host.expired",
        CertificateFault::NotYetValid => "doctor-host.early",
        CertificateFault::OtherName => "doctor-host.other-name",
        CertificateFault::UnknownIssuer => "doctor-host.issuer",
        CertificateFault::Revoked => "doctor-host.revoked",
        CertificateFault::Other => "doctor-host.certificate",
    }
}

/// The sentences about the clock.
pub fn clock(words: &Words, found: ClockFound) -> FindingText {
    let ClockFound::Ahead(ahead) = found else {
        return FindingText::advised(words, "doctor-clock.unknown", &[]);
    };
    let seconds = ahead.unsigned_abs();
    if CheckupFinding::Clock(found).verdict() == Verdict::Fine {
        let seconds = seconds.to_string();
        return FindingText::new(words.with("doctor-clock.same", &[("seconds", &seconds)]));
    }
    let id = if ahead > 0 { "doctor-clock.ahead" } else { "doctor-clock.behind" };
    let what = words.with(id, &[("span", &span(words, seconds))]);
    FindingText::new(what).next(words.text("doctor-clock.next"))
}

/// A span in its largest unit of which there are at least two.
fn span(words: &Words, seconds: u64) -> String {
    let (id, unit) = match seconds {
        0..120 => ("doctor-clock.seconds", 1),
        120..7_200 => ("doctor-clock.minutes", 60),
        7_200..172_800 => ("doctor-clock.hours", 3_600),
        _ => ("doctor-clock.days", 86_400),
    };
    words.count(id, seconds / unit, &[])
}
